/** Reports and topologies in a worker of their own: what holds it up is ended, and holds up nothing else. */
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { DocumentIssue, DocumentReport, ModelDocument } from '@engine/document/types';
import { EngineError } from '@engine/errors';
import type { InspectionEngine, InspectionReply, InspectionRequest } from '@main/host/inspection';
import { InspectionClient, type InspectionLimits } from '@main/host/inspection-client';
import { inspect } from '@main/host/inspection-impl';
import { WorkerSupply } from '@main/host/worker-supply';
import { ballOnCurve, bouncingBall } from './models';
import { createHost, failure, PLACE, ROOT } from './support';

const RIGHT = ['out[0] = 2 * q[0];'];
const WRONG = ['out[0] = q[0];'];
const ENDLESS = ['for (;;);'];
/** Bytes are taken in large pieces, so that the watch is what ends it. */
const HUNGRY = ['const kept = [];', 'for (;;) kept.push(new Float64Array(1e6).fill(1));'];

const codes = ({ issues }: DocumentReport): string[] => issues.map(({ code }) => code);

/** Workers start slowly on a busy machine, and each endless script takes its limit. */
const timeout = 180_000;

describe('a report through the host', { timeout }, () => {
  const host = createHost();
  afterAll(() => host.dispose());
  const report = (document: ModelDocument): Promise<DocumentReport> =>
    host.dispatch('document.report', { document });

  it('says which entry of a given Jacobian is wrong, and nothing of a right one', async () => {
    expect(codes(await report(ballOnCurve(RIGHT)))).toEqual([]);
    const { issues, signals } = await report(ballOnCurve(WRONG));
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject({
      severity: 'warning',
      code: 'jacobian-differs',
      element: 'table',
      pointer: '/interactions/0/relation/jacobian',
    });
    expect(issues[0]?.message).toContain('“slope” of “gap” by q');
    expect(issues[0]?.message).toContain('entry (0, 0) at the initial state: 1 instead of 2');
    expect(signals.map(({ name }) => name)).toContain('table.gap');
  });

  it('names a script function that does not return, while the host answers other calls', async () => {
    let isReported = false;
    const reported = report(ballOnCurve(ENDLESS)).finally(() => (isReported = true));
    const [info, { document }] = await Promise.all([
      host.dispatch('app.info', {}),
      host.dispatch('document.read', { text: JSON.stringify(bouncingBall()) }),
    ]);
    expect(isReported).toBe(false);
    expect(info.door).toBe('test');
    expect(document?.title).toBe('Bouncing ball');
    const { issues, signals } = await reported;
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject({
      severity: 'error',
      code: 'script-timeout',
      element: 'table',
      pointer: '/interactions/0/relation/jacobian',
    });
    expect(issues[0]?.message).toBe(
      'The script function “slope” of “table” did not return within 3 s and was ended.',
    );
    // What is known without the script is reported all the same.
    expect(signals.map(({ name }) => name)).toContain('table.gap');
  });

  it('answers the next request after that, in a new worker', async () => {
    const endless = report(ballOnCurve(ENDLESS));
    const [next, { topology }] = await Promise.all([
      report(ballOnCurve(WRONG)),
      host.dispatch('document.topology', { document: bouncingBall() }),
    ]);
    expect(codes(await endless)).toEqual(['script-timeout']);
    expect(codes(next)).toEqual(['jacobian-differs']);
    expect(topology?.interactions[0]?.id).toBe('table');
  });

  it('includes what a builder script made', async () => {
    const document = ballOnCurve(WRONG);
    const source = [
      'export default (model: ModelBuilder) => {',
      "  model.system({ id: 'other', type: 'LagrangianLinearTI', ndof: 1, mass: [[1]], q0: [2], v0: [0] });",
      "  model.interaction({ id: 'made', systems: ['other'], law: { type: 'NewtonImpact', e: 0 },",
      "    relation: { type: 'LagrangianScleronomous', h: { function: 'gap' }, jacobian: [[4]] } });",
      '};',
    ];
    const builder = { name: 'builder.ts', role: 'builder' as const, source };
    const { issues } = await report({ ...document, scripts: [...document.scripts, builder] });
    // A constant is right at the initial state and nowhere else.
    expect(issues.map(({ element }) => element)).toEqual(['table', 'made']);
  });

  it('names what cannot be handed to a thread as a defect of the document', async () => {
    const document = { ...bouncingBall(), description: (() => 'text') as unknown as string };
    const { issues, signals } = await report(document);
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject({ severity: 'error', code: 'invalid-document', pointer: '' });
    expect(issues[0]?.remedy).toContain('numbers, texts, lists and objects');
    expect(signals).toEqual([]);
    expect((await failure(host.dispatch('document.topology', { document }))).code).toBe('invalid-document');
    expect(codes(await report(bouncingBall()))).toEqual([]);
  });

  it('tells a defect of the scripts section as one of the document', async () => {
    const document = { ...bouncingBall(), scripts: [null] } as unknown as ModelDocument;
    expect((await report(document)).issues[0]).toMatchObject({ severity: 'error', pointer: '/scripts/0' });
    expect(await host.dispatch('document.topology', { document })).toEqual({ topology: null });
  });
});

describe('examinations in a worker', { timeout }, () => {
  const clients: InspectionClient[] = [];
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.dispose()));
  });
  const create = (limits?: InspectionLimits, url = PLACE.engineWorkerUrl) => {
    const client = new InspectionClient(new WorkerSupply(url, false), limits);
    clients.push(client);
    return client;
  };
  const SHORT = { inspection: 60_000, call: 200, start: 200 };

  it('is ended when what stands outside functions does not return', async () => {
    const { issues } = await create(SHORT).report(ballOnCurve(RIGHT, ['for (;;);']));
    expect(issues).toHaveLength(1);
    expect(issues[0]?.code).toBe('script-timeout');
    expect(issues[0]?.message).toContain('The scripts, being loaded, did not return within 0.2 s');
  });

  it('warns of a start that it has not seen the end of, and leaves the run to the user', async () => {
    const program = `
      import { parentPort } from 'node:worker_threads';
      parentPort.on('message', ({ id }) => {
        parentPort.postMessage({ id, type: 'report', report: { issues: [] } });
        const call = { function: null, isStart: true, element: '', pointer: '/simulation' };
        parentPort.postMessage({ id, type: 'calling', call });
      });`;
    const endless = new URL(`data:text/javascript,${encodeURIComponent(program)}`);
    const { issues } = await create({ ...SHORT, start: 100 }, endless).report(bouncingBall());
    expect(issues).toMatchObject([{ severity: 'warning', code: 'start-timeout', pointer: '/simulation' }]);
  });

  it('is ended when a script takes memory without end', async () => {
    const { issues } = await create({ inspection: 60_000, call: 60_000, start: 60_000 }).report(
      ballOnCurve(HUNGRY),
    );
    expect(issues[0]).toMatchObject({ severity: 'error', code: 'out-of-memory', element: 'table' });
  });

  it('is ended when a model takes too long, and the call says so', async () => {
    // No thread starts in so short a time.
    const client = create({ inspection: 0, call: 0, start: 0 });
    expect((await failure(client.report(bouncingBall()))).code).toBe('inspection-timeout');
    expect((await failure(client.topology(bouncingBall()))).message).toContain(
      'could not be analysed within 0 s',
    );
  });

  it.each([
    ['is not there', 'missing.js'],
    ['ends by itself', 'test/support/nothing.mjs'],
  ])('that %s is an error of the call', async (_, path) => {
    const client = create(undefined, pathToFileURL(join(ROOT, path)));
    expect((await failure(client.report(bouncingBall()))).code).toBe('worker-crashed');
    expect((await failure(client.report(bouncingBall()))).code).toBe('worker-crashed');
  });

  it('takes what is pending with it when the host ends', async () => {
    const client = create();
    const pending = [failure(client.report(ballOnCurve(ENDLESS))), failure(client.report(bouncingBall()))];
    // The first is being answered by the time the second has been refused a worker.
    await Promise.resolve();
    await client.dispose();
    for (const { code } of await Promise.all(pending)) expect(code).toBe('host-closed');
    expect((await failure(client.report(bouncingBall()))).code).toBe('host-closed');
  });
});

describe('the work of an examination', () => {
  const known = { issues: [] as DocumentIssue[] } as DocumentReport;
  const request = (kind: InspectionRequest['kind']): InspectionRequest => ({
    id: 7,
    kind,
    document: bouncingBall(),
    built: undefined,
  });
  const unused = (): never => {
    throw new Error('not to be called');
  };

  /**
   * Answers a request with an engine that does these things; each look at the clock lets so much time pass.
   */
  function work(
    kind: InspectionRequest['kind'],
    deeds: Partial<InspectionEngine>,
    tick = 0,
  ): InspectionReply[] {
    const replies: InspectionReply[] = [];
    let time = 0;
    const engine = {
      examine: () => ({ report: known, check: () => [] }),
      reportTopology: unused,
      projectDocument: unused,
      contactsAt: unused,
      stepProblem: unused,
      reviewDerivatives: unused,
      profileRun: unused,
      createSandbox: unused,
      ...deeds,
    };
    inspect(
      request(kind),
      engine,
      (reply) => replies.push(reply),
      () => (time += tick),
    );
    return replies;
  }

  it('tells the report before it executes anything', () => {
    expect(work('report', {})).toEqual([
      { id: 7, type: 'report', report: known },
      { id: 7, type: 'checked', issues: [] },
    ]);
  });

  it('names each call before it is made, and makes none when the time is up', () => {
    const allowed: boolean[] = [];
    const call = { function: 'gap', element: 'table', pointer: '/interactions/0' };
    const replies = work(
      'report',
      {
        examine: () => ({
          report: known,
          check: ({ begin }) => {
            for (let i = 0; i < 4; i++) allowed.push(begin(call));
            // What refuses a run is said however long Jacobians took.
            allowed.push(begin({ ...call, isStart: true }));
            return [];
          },
        }),
      },
      400,
    );
    expect(allowed).toEqual([true, true, false, false, true]);
    expect(replies.map(({ type }) => type)).toEqual(['report', 'calling', 'calling', 'calling', 'checked']);
    expect(replies[1]).toMatchObject({ call });
  });

  it('tells what goes wrong', () => {
    const details = { code: 'some-defect', message: 'Something is wrong.' };
    const fails = (): never => {
      throw new EngineError(details);
    };
    expect(work('topology', { reportTopology: fails })).toEqual([{ id: 7, type: 'failed', error: details }]);
    expect(work('report', { examine: () => ({ report: known, check: fails }) }).at(-1)).toMatchObject({
      type: 'failed',
    });
    expect(work('report', { examine: unused }).at(-1)).toMatchObject({ error: { code: 'internal' } });
  });
});
