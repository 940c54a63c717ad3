/** `run.compare`: names, spans, orders and failures; the numbers are proved in `test/engine/analysis`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompareResult, MethodParams, RunInfo } from '@contract/methods';
import type { ModelDocument } from '@engine/document/types';
import type { EngineHost } from '@main/host/host';
import { bouncingBall } from './models';
import { createHost, failure, isOver, nextEvent, runWhen, temporaryFolder } from './support';

type StartParams = Omit<MethodParams<'run.start'>, 'document'>;

const ball = bouncingBall();
const withSimulation = (changes: Partial<ModelDocument['simulation']>): ModelDocument => ({
  ...ball,
  simulation: { ...ball.simulation, ...changes },
});

let folder: ReturnType<typeof temporaryFolder>;
let host: EngineHost;
/** runs that are over, each started once: a worker takes its time to load */
let runs: Record<'events' | 'fine' | 'coarse' | 'seldom' | 'controlled' | 'positions' | 'speeds', RunInfo>;

async function run(params: StartParams, document = ball): Promise<RunInfo> {
  const { runId } = await host.dispatch('run.start', { document, ...params });
  return runWhen(host, runId, isOver);
}

const compare = (
  reference: RunInfo,
  others: RunInfo[],
  more: Omit<MethodParams<'run.compare'>, 'reference' | 'others'> = {},
): Promise<CompareResult> =>
  host.dispatch('run.compare', {
    reference: reference.runId,
    others: others.map(({ runId }) => runId),
    ...more,
  });

const LOADING_MS = 180_000;

beforeAll(async () => {
  folder = temporaryFolder();
  host = createHost({ dataDirectory: folder.path });
  const [events, fine, coarse, seldom, controlled, positions, speeds] = await Promise.all([
    run({ scheme: 'event-driven', h: 5e-4, tEnd: 1 }),
    run({ h: 5e-4, tEnd: 1, name: 'fine' }),
    run({ h: 1e-3, tEnd: 1.5, name: 'coarse' }),
    run({ tEnd: 1 }, withSimulation({ recording: { every: 10 } })),
    run({ tEnd: 1 }, withSimulation({ stepControl: { tolerance: 1e-3, hMin: 1e-6, hMax: 1e-2 } })),
    run({ h: 2e-3, tEnd: 1, signals: ['ball.q'], set: { g: 9 }, name: 'positions' }),
    run({ tEnd: 0.1, signals: ['ball.v'], name: 'speeds' }),
  ]);
  runs = { events, fine, coarse, seldom, controlled, positions, speeds };
}, LOADING_MS);

afterAll(async () => {
  await host.dispose();
  await folder.remove();
});

describe('run.compare', () => {
  it('compares several runs with a reference, names them, and tells the orders between their steps', async () => {
    const { events, fine, coarse } = runs;
    const result = await compare(events, [fine, coarse]);
    const { runId, name } = events;
    expect(result.reference).toEqual({
      ...{ runId, name, scheme: 'event-driven', h: 5e-4 },
      ...{ solved: true, complete: true },
    });
    expect([result.from, result.to]).toEqual([0, 1]);
    expect(result.signals.map((signal) => [signal.name, signal.unit, signal.kind])).toEqual([
      ['ball.q', 'm', 'position'],
      ['ball.v', 'm/s', 'velocity'],
    ]);
    expect(result.signals[0].scale).toBe(1);
    expect(result.others.map((other) => [other.name, other.scheme, other.h, other.rows])).toEqual([
      ['fine', 'time-stepping', 5e-4, 2001],
      ['coarse', 'time-stepping', 1e-3, 1001],
    ]);
    const impact = Math.sqrt(2 / 9.81);
    for (const { h, contacts, signals, interpolated } of result.others) {
      expect(interpolated).toBe(0);
      expect(signals.map((signal) => signal.name)).toEqual(['ball.q', 'ball.v']);
      const [{ pairs, ...table }] = contacts;
      expect(table).toMatchObject({
        signal: 'table.impulse',
        element: 'table',
        matched: 1,
        missed: 0,
        extra: 0,
      });
      expect(Math.abs(pairs.reference[0] - impact)).toBeLessThan(1e-12);
      expect(table.largest).toBeLessThan(1.5 * (h ?? 0) + 1e-9);
    }
    // The coarsest first, whatever the order of the call.
    expect(result.orders.map((one) => [one.coarse, one.fine])).toEqual([[1, 0]]);
    const [{ signals, contacts }] = result.orders;
    expect(signals.map((signal) => signal.name)).toEqual(['ball.q', 'ball.v']);
    expect(contacts).toMatchObject([{ element: 'table', impacts: 1 }]);
    const [ofFine, ofCoarse] = result.others.map((other) => other.signals[0].mean);
    expect(signals[0].mean).toBeCloseTo(Math.log2(ofCoarse / ofFine), 12);
  });

  it('compares a run with itself without a difference', async () => {
    const { others, orders } = await compare(runs.events, [runs.events]);
    expect(others[0].signals.map(({ maximum, mean }) => [maximum, mean])).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect(others[0].contacts[0]).toMatchObject({ matched: 1, missed: 0, extra: 0, largest: 0 });
    expect(orders).toEqual([]);
  });

  it('compares within the time and the signals that are asked for', async () => {
    const { from, to, others } = await compare(runs.events, [runs.fine], {
      signals: ['table.gap'],
      from: 0.5,
      to: 0.75,
    });
    expect([from, to]).toEqual([0.5, 0.75]);
    expect(others[0]).toMatchObject({ rows: 501, signals: [{ name: 'table.gap' }] });
    expect(others[0].contacts[0]).toMatchObject({ referenceImpacts: 0, impacts: 0, isolated: 0 });
  });

  it('says which run ends first, and what each is worth', async () => {
    const { reference, others, endedBy } = await compare(runs.coarse, [runs.fine]);
    expect(endedBy).toBe(runs.fine.runId);
    expect([reference, ...others].map(({ solved, complete }) => [solved, complete])).toEqual([
      [true, true],
      [true, true],
    ]);
    expect((await compare(runs.events, [runs.fine])).endedBy).toBeNull();
    expect((await compare(runs.coarse, [runs.fine], { to: 0.5 })).endedBy).toBeNull();
  });

  it('compares no contact of which impulses are missing, nor runs of other parameters with each other', async () => {
    const { signals, others, orders } = await compare(runs.events, [runs.seldom, runs.positions, runs.fine]);
    expect(signals.map(({ name }) => name)).toEqual(['ball.q']);
    expect(others.map(({ contacts }) => contacts.length)).toEqual([0, 0, 1]);
    expect(others[0]).toMatchObject({ rows: 101, interpolated: 0 });
    expect(orders.map(({ coarse, fine }) => [coarse, fine])).toEqual([[0, 2]]);
  });

  it('gives no step to a run whose steps vary, and no order', async () => {
    const { others, orders } = await compare(runs.events, [runs.controlled, runs.fine]);
    expect(others.map(({ h }) => h)).toEqual([null, 5e-4]);
    expect(others[0].rows).toBeGreaterThan(10);
    expect(others[0].interpolated).toBeGreaterThan(0);
    expect(orders).toEqual([]);
  });

  it('says which run does not have a signal, and that nothing is common', async () => {
    expect(await failure(compare(runs.fine, [runs.positions], { signals: ['ball.v'] }))).toMatchObject({
      code: 'unknown-signal',
      where: 'ball.v',
      message: expect.stringContaining('positions') as string,
    });
    const { code, message } = await failure(compare(runs.positions, [runs.speeds]));
    expect(code).toBe('no-common-signals');
    expect(message).toContain('positions, speeds');
  });

  it('says that there is no common time, no such run, and that none is given', async () => {
    const { fine } = runs;
    expect(await failure(compare(fine, [fine], { from: 2 }))).toMatchObject({ code: 'no-common-time' });
    expect(await failure(compare(fine, [{ ...fine, runId: 'run-99' }]))).toMatchObject({
      code: 'unknown-run',
    });
    expect(await failure(compare(fine, []))).toMatchObject({ code: 'invalid-params' });
  });

  it('says that a run has recorded nothing yet', async () => {
    const document = bouncingBall({ force: ['while (t === 0) { /* for ever */ }', 'out[0] = -p.g;'] });
    // Of runs before, something may still be said.
    const announced = nextEvent(
      host,
      (event) => event.event === 'run.progress' && event.data.run.state === 'starting',
    );
    const pending = host.dispatch('run.start', { document }).catch(() => null);
    const event = await announced;
    if (event.event !== 'run.progress') throw new Error('no run was announced');
    const hanging = event.data.run;
    const { code, where } = await failure(compare(runs.fine, [hanging]));
    expect([code, where]).toEqual(['nothing-recorded', hanging.runId]);
    await host.dispatch('run.cancel', { runId: hanging.runId });
    await pending;
  });

  it('reads a run that is still computing', async () => {
    const { runId } = await host.dispatch('run.start', { document: bouncingBall({ tEnd: 1e4 }) });
    const some = await runWhen(host, runId, (info) => info.statistics.rows > 5000);
    const { from, to, others } = await compare(some, [some]);
    await host.dispatch('run.cancel', { runId });
    expect(from).toBe(0);
    expect(to).toBeGreaterThan(4);
    expect(others[0].rows).toBeGreaterThan(5000);
    expect(others[0].signals[0].maximum).toBe(0);
  });
});
