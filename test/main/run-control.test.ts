/** Steps, steps back, speed and changes of parameters, through the host's dispatch. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MoreauError } from '@contract/errors';
import type { SchemeName } from '@engine/document/types';
import type { EngineHost } from '@main/host/host';
import { bouncingBall } from './models';
import { createHost, failure, isOver, runWhen, temporaryFolder } from './support';

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

async function rowsOf(runId: string) {
  const { signals, statistics } = await host.dispatch('run.get', { runId });
  const { columns } = await host.dispatch('run.rows', {
    runId,
    signals: signals.map(({ name }) => name),
    firstRow: 0,
    count: statistics.rows,
  });
  return columns;
}

async function startPaused(scheme: SchemeName = 'time-stepping') {
  const run = await host.dispatch('run.start', { document: bouncingBall(), scheme, paused: true });
  expect(run).toMatchObject({ state: 'paused', statistics: { steps: 0, rows: 1 } });
  return run.runId;
}

async function finish(runId: string) {
  await host.dispatch('run.resume', { runId });
  return runWhen(host, runId, isOver);
}

describe('a run that is stepped', () => {
  it.each(['time-stepping', 'event-driven'] as const)(
    'has the rows of an uninterrupted one in the end: %s',
    async (scheme) => {
      const runId = await startPaused(scheme);
      const one = await host.dispatch('run.step', { runId });
      expect(one.state).toBe('paused');
      expect(one.statistics.simulatedTime).toBeCloseTo(1e-3, 12);
      await host.dispatch('run.step', { runId, count: 700 });
      const there = await host.dispatch('run.runTo', { runId, time: 1.2 });
      expect(there.statistics.simulatedTime).toBeGreaterThanOrEqual(1.2 - 1e-9);
      const before = await rowsOf(runId);
      const back = await host.dispatch('run.stepBack', { runId, count: 300 });
      expect(back.state).toBe('paused');
      expect(back.statistics.simulatedTime).toBeLessThan(there.statistics.simulatedTime);
      expect(back.statistics.rows).toBeLessThan(there.statistics.rows);
      const shorter = await rowsOf(runId);
      expect(shorter.map((column) => [...column])).toEqual(
        before.map((column) => [...column.subarray(0, back.statistics.rows)]),
      );
      const reset = await host.dispatch('run.reset', { runId });
      expect(reset.statistics).toMatchObject({ steps: 0, rows: 1, simulatedTime: 0, events: 0 });
      const { statistics } = await finish(runId);
      const reference = await host.dispatch('run.start', { document: bouncingBall(), scheme });
      const whole = await runWhen(host, reference.runId, isOver);
      expect(await rowsOf(runId)).toEqual(await rowsOf(reference.runId));
      expect(statistics.certificate).toEqual(whole.statistics.certificate);
      const page = { firstEvent: 0, count: 1000 };
      expect(await host.dispatch('run.events', { runId, ...page })).toEqual(
        await host.dispatch('run.events', { runId: reference.runId, ...page }),
      );
    },
  );

  it('goes back over chunks that are in its file already', async () => {
    const document = bouncingBall({ h: 1e-5, tEnd: 6 });
    const { runId, signals: known } = await host.dispatch('run.start', { document, paused: true });
    await host.dispatch('run.runTo', { runId, time: 5.5 });
    await runWhen(host, runId, ({ state }) => state === 'paused');
    const window = { runId, signals: [known[1].name], buckets: 300 };
    await host.dispatch('run.read', window);
    await host.dispatch('run.stepBack', { runId, count: 500_000 });
    const back = await runWhen(host, runId, ({ state }) => state === 'paused');
    expect(back.statistics.steps).toBeLessThan(100_000);
    const { recordedTo, signals } = await host.dispatch('run.read', window);
    expect(recordedTo).toBeCloseTo(back.statistics.simulatedTime, 12);
    expect(signals[0].t.at(-1)).toBe(recordedTo);
  });

  it('stays at its end, from where one can go back', async () => {
    const runId = await startPaused();
    const end = await host.dispatch('run.step', { runId, count: 1_000_000 });
    expect(end).toMatchObject({ state: 'paused', statistics: { steps: 2000 } });
    const back = await host.dispatch('run.stepBack', { runId });
    expect(back.statistics.steps).toBe(1999);
    expect((await finish(runId)).state).toBe('done');
    expect((await failure(host.dispatch('run.stepBack', { runId }))).code).toBe('run-over');
  });

  it('is refused what makes no sense', async () => {
    const runId = await startPaused();
    for (const count of [0, -1, 1.5])
      expect((await failure(host.dispatch('run.step', { runId, count }))).code).toBe('invalid-params');
    expect((await failure(host.dispatch('run.speed', { runId, speed: 0 }))).code).toBe('invalid-params');
    expect((await failure(host.dispatch('run.step', { runId: 'nope' }))).code).toBe('unknown-run');
  });
});

describe('the speed of a run', () => {
  it('can be limited, and set free again', async () => {
    const { runId, speed } = await host.dispatch('run.start', { document: bouncingBall(), speed: 1e-3 });
    expect(speed).toBe(1e-3);
    const free = await host.dispatch('run.speed', { runId, speed: null });
    expect(free).toMatchObject({ state: 'running', speed: null });
    expect((await runWhen(host, runId, isOver)).state).toBe('done');
  });

  it('does not keep a run from being paused and stepped', async () => {
    const { runId } = await host.dispatch('run.start', { document: bouncingBall(), speed: 1e-6 });
    const paused = await host.dispatch('run.pause', { runId });
    expect(paused.statistics.steps).toBeLessThan(10);
    await host.dispatch('run.speed', { runId, speed: null });
    const { statistics } = await host.dispatch('run.step', { runId, count: 100 });
    expect(statistics.steps).toBe(paused.statistics.steps + 100);
  });
});

describe('parameters of a run that has begun', () => {
  it('change from the present state on, and the run is repeated exactly', async () => {
    const runId = await startPaused();
    await host.dispatch('run.step', { runId, count: 200 });
    const changed = await host.dispatch('run.setParameters', { runId, values: { g: 1.62 } });
    expect(changed).toMatchObject({ state: 'paused', parameters: { g: 1.62 }, statistics: { rows: 201 } });
    expect(changed.changes).toEqual([{ time: 0.2, name: 'g', from: 9.81, to: 1.62 }]);
    const { document } = await host.dispatch('run.document', { runId });
    expect(document.parameters[0].value).toBe(9.81);
    await finish(runId);
    const again = await host.dispatch('run.repeat', { runId });
    const done = await runWhen(host, again.runId, isOver);
    expect(done.changes).toEqual(changed.changes);
    expect(await rowsOf(again.runId)).toEqual(await rowsOf(runId));
  });

  it('are refused with a reason, and the run stays as it was', async () => {
    const runId = await startPaused();
    const { code, message } = await failure(
      host.dispatch('run.setParameters', { runId, values: { nothing: 1 } }),
    );
    expect(code).toBe('invalid-document');
    expect(message).toContain('nothing');
    expect(await host.dispatch('run.get', { runId })).toMatchObject({ state: 'paused', changes: [] });
  });
});

describe('a run that goes on from another one', () => {
  it('has the bits of one that never stopped, from its end and from before', async () => {
    const whole = await host.dispatch('run.start', { document: bouncingBall({ tEnd: 1 }) });
    await runWhen(host, whole.runId, isOver);
    const first = await host.dispatch('run.start', { document: bouncingBall({ tEnd: 0.5 }) });
    await runWhen(host, first.runId, isOver);
    const all = await rowsOf(whole.runId);
    for (const [time, steps] of [
      [undefined, 500],
      [0.25, 750],
    ] as const) {
      const { runId, name } = await host.dispatch('run.continue', {
        runId: first.runId,
        ...(time === undefined ? {} : { time }),
        tEnd: 1,
      });
      expect(name).toContain(`from ${time ?? 0.5} s`);
      const done = await runWhen(host, runId, isOver);
      expect(done).toMatchObject({ state: 'done', t0: time ?? 0.5, tEnd: 1, statistics: { steps } });
      const rows = await rowsOf(runId);
      expect(rows).toEqual(all.map((column) => column.slice(column.length - steps - 1)));
    }
  });

  it('has the bits of 3D bodies, whose contacts and archive come back from the worker', async () => {
    const { text } = await host.dispatch('examples.read', { name: 'bouncing-box' });
    const { document } = await host.dispatch('document.read', { text });
    if (document === null) throw new Error('the example cannot be opened');
    const whole = await host.dispatch('run.start', { document, tEnd: 0.8, measure: false });
    const first = await host.dispatch('run.start', { document, tEnd: 0.6, measure: false });
    await runWhen(host, whole.runId, isOver);
    await runWhen(host, first.runId, isOver);
    const { runId } = await host.dispatch('run.continue', { runId: first.runId, tEnd: 0.8 });
    const { statistics } = await runWhen(host, runId, isOver);
    const all = await runWhen(host, whole.runId, isOver);
    const signals = all.signals.slice(0, 10).map(({ name }) => name);
    const count = statistics.rows;
    const firstRow = all.statistics.rows - count;
    const part = await host.dispatch('run.rows', { runId, signals, firstRow: 0, count });
    const rows = await host.dispatch('run.rows', { runId: whole.runId, signals, firstRow, count });
    expect(statistics.rows).toBeGreaterThan(10);
    expect(part.columns).toEqual(rows.columns);
  });

  it('is refused with a reason', async () => {
    const { runId } = await host.dispatch('run.start', { document: bouncingBall({ tEnd: 0.5 }) });
    await runWhen(host, runId, isOver);
    const outside = await failure(host.dispatch('run.continue', { runId, time: 0.7 }));
    expect(outside).toMatchObject({ code: 'state-time-outside' });
    expect(outside.message).toContain('from 0 s to 0.5 s');
    const unknown = await failure(host.dispatch('run.continue', { runId, set: { nothing: 1 } }));
    expect(unknown.message).toContain('nothing');
  });
});

describe('the state of a run', () => {
  it('is known while it is paused, and starts a model from there', async () => {
    const runId = await startPaused();
    await host.dispatch('run.step', { runId, count: 300 });
    const state = await host.dispatch('run.state', { runId });
    expect(state).toMatchObject({ missing: [], systems: [{ id: 'ball' }] });
    const { document } = await host.dispatch('run.momentDocument', { runId });
    expect(document.simulation.t0).toBe(state.time);
    const on = await host.dispatch('run.start', { document, paused: true });
    expect((await host.dispatch('run.state', { runId: on.runId })).systems).toEqual(state.systems);
  });

  it('of a run that failed is a model whose first step fails', async () => {
    const force = ['if (t > 0.5) out[0] = NaN; else out[0] = -9.81;'];
    const { runId } = await host.dispatch('run.start', { document: bouncingBall({ force }) });
    const failed = await runWhen(host, runId, isOver);
    expect(failed.state).toBe('failed');
    const { document } = await host.dispatch('run.momentDocument', { runId });
    const again = await host.dispatch('run.start', { document }).then(
      ({ runId: id }) => runWhen(host, id, isOver),
      (error: unknown) => ({ error: (error as MoreauError).details, statistics: { steps: 0 } }),
    );
    expect(again.error).toMatchObject({ code: failed.error?.code });
    expect(again.statistics.steps).toBeLessThanOrEqual(1);
  });

  it('is not known of a run that computes', async () => {
    const { runId } = await host.dispatch('run.start', { document: bouncingBall({ tEnd: 1e6 }) });
    expect((await failure(host.dispatch('run.state', { runId }))).code).toBe('no-state');
  });
});

describe('the name of a run', () => {
  it('can be changed, to one that says something', async () => {
    const runId = await startPaused();
    expect((await host.dispatch('run.rename', { runId, name: ' reference ' })).name).toBe('reference');
    expect((await failure(host.dispatch('run.rename', { runId, name: '  ' }))).code).toBe('invalid-params');
  });
});

describe('the profile of a run', () => {
  it('goes through parts from all over its recording', async () => {
    const document = bouncingBall({ force: ['out[0] = -p.g * Math.cos(t);'] });
    const { runId } = await host.dispatch('run.start', { document, tEnd: 0.2 });
    const { statistics } = await runWhen(host, runId, isOver);
    const { steps, functions } = await host.dispatch('run.profile', { runId });
    expect(functions).toMatchObject([{ function: 'weight', isDerivative: false }]);
    expect(steps).toBeGreaterThan(statistics.steps);
  });
});
