/** States of contacts, the energy they take, and other figures of a run, asked of a host. */
import { afterEach, expect, it } from 'vitest';
import type { EngineHost } from '@main/host/host';
import { bouncingBall } from './models';
import { createHost, failure, isOver, runWhen } from './support';

let host: EngineHost | null = null;
afterEach(async () => {
  await host?.dispose();
  host = null;
});

async function finished(document: object): Promise<{ host: EngineHost; runId: string }> {
  host = createHost();
  const { runId } = await host.dispatch('run.start', { document: document as never });
  await runWhen(host, runId, isOver);
  return { host, runId };
}

it('are given for a run that has ended, in all of its time and in a part', async () => {
  const { host, runId } = await finished(bouncingBall({ tEnd: 2 }));
  const all = await host.dispatch('run.lanes', { runId, buckets: 500 });
  expect(all).toMatchObject({ runId, known: ['table'], missing: [] });
  const [lane] = all.lanes;
  expect(lane).toMatchObject({ name: 'table', element: 'table', stateNames: ['open', 'closed'] });
  expect(lane.seconds.reduce((sum, value) => sum + value, 0)).toBeCloseTo(2, 9);
  const part = await host.dispatch('run.lanes', {
    runId,
    buckets: 500,
    from: 0,
    to: 0.1,
    constraints: ['table'],
  });
  expect([...part.lanes[0].states]).toEqual([1]);
  const lost = await host.dispatch('run.losses', { runId, buckets: 500 });
  expect(lost.every).toBe(1);
  expect(lost.energies.map(({ name }) => name)).toEqual(['energy.kinetic', 'energy.potential']);
  expect(lost.energies[0].values).toHaveLength(lost.t.length);
  expect(lost.lost[0].parts).toEqual(['normal']);
  expect(lost.lost[0].normal.at(-1)).toBeGreaterThan(0);
  const sizes = lost.lost[0].largest.map(({ normal }) => normal);
  expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
  expect((await host.dispatch('run.lanes', { runId, buckets: 500, constraints: ['absent'] })).lanes).toEqual(
    [],
  );
});

it('are missing where their signals are not recorded, and sums are partial where steps are not', async () => {
  const ball = bouncingBall({ tEnd: 1 });
  const recording = { signals: ['ball.q', 'energy.kinetic'], every: 4 };
  const { host, runId } = await finished({ ...ball, simulation: { ...ball.simulation, recording } });
  expect(await host.dispatch('run.lanes', { runId, buckets: 100 })).toMatchObject({
    missing: ['table'],
    lanes: [],
  });
  const lost = await host.dispatch('run.losses', { runId, buckets: 100 });
  expect(lost).toMatchObject({ missing: ['table'], lost: [], every: 4 });
  expect(lost.energies.map(({ name }) => name)).toEqual(['energy.kinetic']);
  const unknown = await host.dispatch('run.problem', { runId, time: 1 });
  expect(unknown).toEqual({ problem: null, reason: 'notRecorded', names: ['ball.v'] });
});

it('come with the numbers of signals in a span of time', async () => {
  const { host, runId } = await finished(bouncingBall({ tEnd: 1 }));
  const { signals } = await host.dispatch('run.get', { runId });
  const [height] = signals.filter(({ kind }) => kind === 'position');
  const span = { runId, from: 0.1, to: 0.3 };
  const found = await host.dispatch('run.statistics', { ...span, signals: [height.name] });
  const read = await host.dispatch('run.read', { ...span, signals: [height.name], buckets: 4000 });
  // A window has one row more on each side.
  const y = read.signals[0].y.slice(1, -1);
  expect(found).toMatchObject({ rows: y.length, signals: [{ first: y[0], last: y.at(-1) }] });
  expect(found.signals[0].least).toBe(Math.min(...y));
  expect(found.signals[0].greatest).toBe(Math.max(...y));
  const details = await failure(host.dispatch('run.statistics', { ...span, signals: ['absent'] }));
  expect(details.code).toBe('unknown-signal');
});

it('come with the certificate of every stretch of the run, the worst among them', async () => {
  const { host, runId } = await finished(bouncingBall({ tEnd: 1 }));
  const found = await host.dispatch('run.certificate', { runId });
  const { statistics } = await host.dispatch('run.get', { runId });
  expect(found.t.at(-1)).toBeCloseTo(1, 9);
  expect(Math.max(...found.dynamics)).toBe(statistics.certificate.dynamics);
  expect(found.energyDrift.at(-1)).toBe(statistics.energyDrift);
});

it('come with the one-step problem of any moment', async () => {
  const { host, runId } = await finished(bouncingBall({ tEnd: 12 }));
  const { signals } = await host.dispatch('run.get', { runId });
  const name = signals.find(({ kind }) => kind === 'impulse')?.name ?? '';
  const read = await host.dispatch('run.read', { runId, signals: [name], from: 12, to: 12, buckets: 16 });
  const { problem } = await host.dispatch('run.problem', { runId, time: 12 });
  expect(problem?.rows.map(({ element }) => element)).toEqual(['table']);
  expect(problem?.z[0]).toBe(read.signals[0].y.at(-1));
  const early = await host.dispatch('run.problem', { runId, time: 0.05 });
  expect(early.problem).toMatchObject({ rows: [], allRows: 1 });
});

it('come with the moment at which the run came nearest to a state', async () => {
  const { host, runId } = await finished(bouncingBall({ tEnd: 1 }));
  const read = await host.dispatch('run.rows', {
    runId,
    signals: ['t', 'ball.q', 'ball.v'],
    firstRow: 300,
    count: 1,
  });
  const [t, q, v] = read.columns.map(([value]) => value);
  const question = { runId, x: 'ball.q', y: 'ball.v', scale: [0.001, 0.01] as [number, number] };
  const { time, distance } = await host.dispatch('run.nearest', { ...question, at: [q + 1e-9, v] });
  expect(time).toBe(t);
  expect(distance).toBeCloseTo(1e-6, 12);
});
