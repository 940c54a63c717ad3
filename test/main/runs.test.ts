import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MoreauError } from '@contract/errors';
import { runShare } from '@contract/progress';
import type { RunInfo } from '@contract/methods';
import type { ModelDocument } from '@engine/document/types';
import type { EngineHost } from '@main/host/host';
import { WorkerSupply } from '@main/host/worker-supply';
import { bouncingBall, misbehavingBall } from './models';
import { createHost, failure, isOver, nextEvent, PLACE, runWhen, temporaryFolder } from './support';

let host: EngineHost;
let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
  host = createHost({ dataDirectory: folder.path });
});
afterEach(async () => {
  await host.dispose();
  await folder.remove();
});

/** Too long to end by itself within a test. */
const longRun = () => bouncingBall({ tEnd: 1e6 });
/** The rows computed before the second second, at a thousand steps a second. */
const ROWS_BEFORE_DEED = 500;

describe('the events of a run', () => {
  it('can be read in parts, the latest as well', async () => {
    const { runId } = await host.dispatch('run.start', { document: bouncingBall(), scheme: 'event-driven' });
    const done = await runWhen(host, runId, isOver);
    expect(done.scheme).toBe('event-driven');
    const all = await host.dispatch('run.events', { runId, firstEvent: 0, count: 1000 });
    expect(all.total).toBe(done.statistics.events);
    expect(all.kept).toBe(all.events.length);
    expect(all.events[0]).toMatchObject({ kind: 'impact', element: 'table' });
    expect(all.events[0].time).toBeCloseTo(Math.sqrt(2 / 9.81), 12);
    const part = await host.dispatch('run.events', { runId, firstEvent: 1, count: 2 });
    expect(part.events).toEqual(all.events.slice(1, 3));
  });

  it('are only counted by time-stepping', async () => {
    const { runId } = await host.dispatch('run.start', { document: bouncingBall() });
    const done = await runWhen(host, runId, isOver);
    const { total, events } = await host.dispatch('run.events', { runId, firstEvent: 0, count: 10 });
    expect(total).toBe(done.statistics.events);
    expect(total).toBeGreaterThan(0);
    expect(events).toEqual([]);
  });

  it('are refused of a run that is not there', async () => {
    const { code } = await failure(host.dispatch('run.events', { runId: 'nope', firstEvent: 0, count: 1 }));
    expect(code).toBe('unknown-run');
  });
});

describe('the statistics of a run', () => {
  it('count its work, and tell its progress by time where the steps are chosen', async () => {
    const document = bouncingBall();
    // Two coupled masses: their matrix is to be factorised, and changes with the length of the step.
    document.systems.push({
      id: 'pair',
      type: 'LagrangianLinearTI',
      ndof: 2,
      mass: [
        [1, 0],
        [0, 1],
      ],
      stiffness: [
        [20, -10],
        [-10, 20],
      ],
      q0: [0.1, 0],
      v0: [0, 0],
    });
    document.simulation.stepControl = { tolerance: 1e-4, hMin: 1e-7, hMax: 0.05 };
    const { runId } = await host.dispatch('run.start', { document });
    const done = await runWhen(host, runId, isOver);
    const { steps, newtonIterations, solverIterations, factorisations, rejectedSteps } = done.statistics;
    expect(done.state).toBe('done');
    expect(done.statistics.simulatedTime).toBeCloseTo(2, 9);
    expect(runShare(done)).toBeCloseTo(1, 9);
    expect(steps).toBeLessThan(2000);
    expect(rejectedSteps).toBeGreaterThan(0);
    expect(newtonIterations).toBeGreaterThanOrEqual(steps);
    expect(solverIterations).toBeGreaterThan(0);
    expect(factorisations).toBeGreaterThan(1);
  });

  it('have no rejected steps where the step is constant', async () => {
    const { runId } = await host.dispatch('run.start', { document: bouncingBall() });
    const { statistics } = await runWhen(host, runId, isOver);
    expect(statistics.rejectedSteps).toBe(0);
  });
});

describe('the life of a run', () => {
  it('goes from starting to done and tells of it', async () => {
    const states: string[] = [];
    host.onEvent((event) => {
      if (event.event === 'run.progress') states.push(event.data.run.state);
    });
    const started = await host.dispatch('run.start', { document: bouncingBall() });
    const done = await runWhen(host, started.runId, isOver);
    expect(done).toMatchObject({ state: 'done', name: 'Run 1', title: 'Bouncing ball', h: 1e-3, tEnd: 2 });
    expect(done.statistics).toMatchObject({ steps: 2000, rows: 2001, secondsToGo: 0 });
    expect(done.statistics.events).toBeGreaterThan(0);
    expect(done.statistics.stepsPerSecond).toBeGreaterThan(0);
    expect(done.statistics.certificate.dynamics).toBeLessThan(1e-9);
    expect(states).toContain('running');
    expect(states.at(-1)).toBe('done');
  });

  it('is named after the parameters it replaces', async () => {
    const first = await host.dispatch('run.start', { document: bouncingBall(), set: { g: 1.62 } });
    const second = await host.dispatch('run.start', { document: bouncingBall(), name: 'on the moon' });
    expect(first.name).toBe('Run 1 · g = 1.62');
    expect(first.parameters.g).toBe(1.62);
    expect(second.name).toBe('on the moon');
    const list = await host.dispatch('run.list', {});
    expect(list.map((run) => run.runId)).toEqual([first.runId, second.runId]);
  });

  it('pauses, stands still, and goes on', async () => {
    const { runId } = await host.dispatch('run.start', { document: longRun() });
    const paused = await host.dispatch('run.pause', { runId });
    expect(paused.state).toBe('paused');
    const rows = (await host.dispatch('run.rows', { runId, signals: ['t'], firstRow: 0, count: 1 }))
      .columns[0];
    expect(rows).toHaveLength(1);
    const still = (await host.dispatch('run.get', { runId })).statistics;
    expect(still.rows).toBe(paused.statistics.rows);
    expect(still.wallSeconds).toBe(paused.statistics.wallSeconds);
    expect((await host.dispatch('run.resume', { runId })).state).toBe('running');
    const later = await runWhen(host, runId, (run) => run.statistics.steps > paused.statistics.steps);
    expect(later.state).toBe('running');
    expect((await host.dispatch('run.cancel', { runId })).state).toBe('cancelled');
  });

  it('lets a finished run be paused, resumed and cancelled without effect', async () => {
    const { runId } = await host.dispatch('run.start', { document: bouncingBall() });
    await runWhen(host, runId, isOver);
    for (const method of ['run.pause', 'run.resume', 'run.cancel'] as const) {
      expect((await host.dispatch(method, { runId })).state).toBe('done');
    }
  });

  it('removes the recording with the run', async () => {
    const { runId } = await host.dispatch('run.start', { document: longRun() });
    await host.dispatch('run.delete', { runId });
    expect(await host.dispatch('run.list', {})).toEqual([]);
    const [workspace] = readdirSync(folder.path);
    expect(readdirSync(join(folder.path, workspace))).toEqual([]);
    await host.dispose();
    expect(existsSync(join(folder.path, workspace))).toBe(false);
  });
});

describe('a model that cannot be run', () => {
  it('is refused with its first defect and leaves no run behind', async () => {
    const document = { ...bouncingBall(), systems: [] };
    const details = await failure(host.dispatch('run.start', { document }));
    expect(details.code).toBe('invalid-document');
    expect(details.where).toBe('table');
    expect(await host.dispatch('run.list', {})).toEqual([]);
  });

  /** A document that comes from this process may hold what no thread takes. */
  const unclonable = (): ModelDocument => {
    const document = bouncingBall({ builder: ['export default () => undefined;'] });
    return Object.assign(document, { origin: () => 'not data' });
  };

  it('is refused when it cannot be copied into a thread, and the host lives on', async () => {
    const details = await failure(host.dispatch('run.start', { document: unclonable() }));
    expect(details.code).toBe('invalid-document');
    expect(details.message).toContain('could not be cloned');
    expect(await host.dispatch('run.list', {})).toEqual([]);
    const report = await host.dispatch('document.report', { document: unclonable() });
    expect(report.issues).toContainEqual(expect.objectContaining({ code: 'invalid-document' }));
    const { runId } = await host.dispatch('run.start', { document: bouncingBall() });
    expect((await runWhen(host, runId, isOver)).state).toBe('done');
  });

  it('leaves no thread behind that keeps the process alive', async () => {
    const supply = new WorkerSupply(PLACE.engineWorkerUrl, false);
    const created: Worker[] = [];
    const onWorker = (worker: Worker): void => void created.push(worker);
    process.on('worker', onWorker);
    expect(() => supply.start({ task: 'build', document: unclonable() })).toThrow(MoreauError);
    // Node tells of a new worker in the next tick.
    await new Promise((resolve) => setImmediate(resolve));
    process.removeListener('worker', onWorker);
    const [worker] = created;
    if (worker.threadId !== -1) await once(worker, 'exit');
    expect(worker.threadId).toBe(-1);
  });

  it('is refused in every call when it is nested too deeply', async () => {
    let nested: unknown = 0;
    for (let level = 0; level < 100_000; level++) nested = [nested];
    const document = { ...bouncingBall(), description: nested as string };
    for (const method of ['run.start', 'document.report', 'document.write'] as const) {
      const details = await failure(host.dispatch(method, { document }));
      expect(details.code).toBe('invalid-document');
      expect(details.message).toContain('levels deep');
    }
  });
});

describe('a script that misbehaves', () => {
  const start = async (...deed: string[]): Promise<string> =>
    (await host.dispatch('run.start', { document: misbehavingBall(...deed) })).runId;

  it('fails the run with its place and time when it throws', async () => {
    const runId = await start("throw new Error('the spring broke');");
    const run = await runWhen(host, runId, isOver);
    expect(run.state).toBe('failed');
    expect(run.error).toMatchObject({ code: 'script-error', script: { name: 'forces.ts', line: 4 } });
    expect(run.error?.message).toContain('the spring broke');
    expect(run.error?.time).toBeCloseTo(1, 2);
    expect(run.statistics.rows).toBeGreaterThan(ROWS_BEFORE_DEED);
  });

  it('is cancelled in an endless loop, and what it recorded stays readable', async () => {
    const runId = await start('for (;;);');
    const stalled = await runWhen(host, runId, (run) => run.warnings.length > 0);
    expect(stalled).toMatchObject({ state: 'running' });
    expect(stalled.warnings[0]).toContain('has not returned');
    const cancelled = await host.dispatch('run.cancel', { runId });
    expect(cancelled.state).toBe('cancelled');
    expect(cancelled.warnings).toEqual([]);
    const { steps, wallSeconds, stepsPerSecond } = cancelled.statistics;
    // The warning comes after two seconds of silence, of which the worker itself cannot tell.
    expect(wallSeconds).toBeGreaterThan(2);
    expect(stepsPerSecond).toBeCloseTo(steps / wallSeconds, 6);
    expect((await host.dispatch('run.get', { runId })).statistics.wallSeconds).toBe(wallSeconds);
    const { columns } = await host.dispatch('run.rows', {
      runId,
      signals: ['t', 'ball.q'],
      firstRow: 0,
      count: 1e6,
    });
    expect(columns[0]).toHaveLength(cancelled.statistics.rows);
    expect(columns[0][100]).toBeCloseTo(0.1, 12);
    expect(columns[1][0]).toBe(1);
  });

  it('can be cancelled while it is being prepared', async () => {
    const document = bouncingBall({ builder: ['export default () => { for (;;); };'] });
    const announced = nextEvent(host, (event) => event.event === 'run.progress');
    const starting = host.dispatch('run.start', { document });
    const event = await announced;
    const { run } = event.data as { run: RunInfo };
    expect(run.state).toBe('starting');
    await host.dispatch('run.cancel', { runId: run.runId });
    expect((await starting).state).toBe('cancelled');
  });

  it.each([
    ['objects', 'const a: object[] = []; for (;;) a.push({ x: [t, t] });'],
    ['one array', 'const a: number[] = []; for (;;) a.push(t);'],
    ['typed arrays', 'const a: object[] = []; for (;;) a.push(new Float64Array(1e6).fill(1));'],
    ['a little more each step', 'const g: any = globalThis; (g.a ??= []).push(new Array(10000).fill(t));'],
  ])(
    'is ended when it fills the memory with %s, and the host lives on',
    async (_what, deed) => {
      const runId = await start(deed);
      const run = await runWhen(host, runId, isOver);
      expect(run).toMatchObject({ state: 'failed', error: { code: 'out-of-memory' } });
      expect(run.statistics.rows).toBeGreaterThan(ROWS_BEFORE_DEED);
      const next = await host.dispatch('run.start', { document: bouncingBall() });
      expect((await runWhen(host, next.runId, isOver)).state).toBe('done');
    },
    60_000,
  );

  it('cannot flood the host with console output', async () => {
    let lines = 0;
    let leftOut = false;
    host.onEvent((event) => {
      if (event.event !== 'run.console') return;
      lines++;
      leftOut ||= event.data.text.includes('more lines left out');
    });
    const runId = await start('console.log(t);');
    const run = await runWhen(host, runId, isOver);
    expect(run.state).toBe('done');
    expect(leftOut).toBe(true);
    expect(lines).toBeLessThan(run.statistics.steps / 10);
  });
});

describe('a worker that is done', () => {
  const created: Worker[] = [];
  const onWorker = (worker: Worker): void => void created.push(worker);
  beforeEach(() => void process.on('worker', onWorker));
  afterEach(() => {
    process.removeListener('worker', onWorker);
    created.length = 0;
  });
  const threads = async (): Promise<number> => {
    // Node tells of a new worker in the next tick.
    await new Promise((resolve) => setImmediate(resolve));
    return created.length;
  };
  const last = async (document: ModelDocument): Promise<number[]> => {
    const { runId } = await host.dispatch('run.start', { document, measure: false });
    const { state, statistics } = await runWhen(host, runId, isOver);
    expect(state).toBe('done');
    const request = { runId, signals: ['ball.q', 'ball.v'], firstRow: statistics.rows - 1, count: 1 };
    const { columns } = await host.dispatch('run.rows', request);
    return columns.map(([value]) => value);
  };

  it('takes the next run, which comes to the same bits', async () => {
    const first = await last(bouncingBall());
    const begun = await threads();
    expect(await last(bouncingBall())).toEqual(first);
    expect(await threads()).toBe(begun);
  });

  it('knows nothing of the script before', async () => {
    const counting = misbehavingBall(
      'const g: any = globalThis; g.calls = (g.calls ?? 0) + 1; out[0] -= 1e-9 * g.calls;',
    );
    const first = await last(counting);
    const begun = await threads();
    expect(await last(counting)).toEqual(first);
    expect(await threads()).toBe(begun);
  });

  it('goes on after a run that was cancelled, but not when it had to be ended', async () => {
    const { runId } = await host.dispatch('run.start', { document: longRun() });
    await host.dispatch('run.cancel', { runId });
    await last(bouncingBall());
    const begun = await threads();
    const stuck = await host.dispatch('run.start', { document: misbehavingBall('for (;;);') });
    await runWhen(host, stuck.runId, (run) => run.warnings.length > 0);
    await host.dispatch('run.cancel', { runId: stuck.runId });
    expect(await threads()).toBe(begun);
    await last(bouncingBall());
    expect(await threads()).toBe(begun + 1);
  });
});

describe('a worker that crashes', () => {
  it('fails its run and no other', async () => {
    const broken = createHost({ engineWorkerUrl: new URL('data:text/javascript,process.exit(3)') });
    const details = await failure(broken.dispatch('run.start', { document: bouncingBall() }));
    expect(details).toMatchObject({ code: 'worker-crashed' });
    expect(details.message).toContain('3');
    expect((await broken.dispatch('app.info', {})).door).toBe('test');
    await broken.dispose();
  });
});
