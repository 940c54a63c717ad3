/** Poincaré sections of runs, through the host. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import type { RunInfo } from '@contract/methods';
import type { EngineHost } from '@main/host/host';
import { bouncingBall } from './models';
import { createHost, failure, isOver, runWhen, temporaryFolder } from './support';

const PERIOD = 0.25;

function sectioned(change: Partial<ModelDocument['simulation']> = {}): ModelDocument {
  const ball = bouncingBall({ h: 1e-3, tEnd: 3 });
  return {
    ...ball,
    simulation: {
      ...ball.simulation,
      scheme: 'event-driven',
      sections: [
        { id: 'clock', title: 'Once a quarter', type: 'stroboscopic', period: PERIOD },
        { id: 'table_hits', type: 'impact', contact: 'table', state: 'before' },
        { id: 'never', type: 'surface', g: 'ball.q - 10' },
      ],
      ...change,
    },
  };
}

let folder: ReturnType<typeof temporaryFolder>;
const hosts: EngineHost[] = [];
function open(): EngineHost {
  const host = createHost({ stateDirectory: folder.path });
  hosts.push(host);
  return host;
}
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.dispose()));
  await folder.remove();
});

async function run(host: EngineHost, document = sectioned()): Promise<RunInfo> {
  const { runId } = await host.dispatch('run.start', { document, belongsTo: ['file:ball'] });
  return runWhen(host, runId, isOver);
}
const VIEW = { maxPoints: 1000, width: 64, height: 32 };
const AXES = { x: 'ball.q', y: 'ball.v' };

describe('sections of a run', () => {
  it('are read while it is there and after a restart, and go with it', async () => {
    const first = open();
    const info = await run(first);
    const { runId } = info;
    expect(info.sections.map(({ id, title, kind }) => [id, title, kind])).toEqual([
      ['clock', 'Once a quarter', 'stroboscopic'],
      ['table_hits', 'table_hits', 'impact'],
      ['never', 'never', 'surface'],
    ]);
    const [clock, hits, never] = info.sections.map(({ points }) => points);
    expect([clock, never]).toEqual([13, 0]);
    expect(hits).toBeGreaterThan(3);
    const read = (host: EngineHost) =>
      host.dispatch('run.section', { runId, section: 'clock', ...AXES, ...VIEW });
    const points = await read(first);
    if (points.kind !== 'points') throw new Error('a density of 13 points');
    expect(points.x[0]).toBeCloseTo(1, 12);
    expect(points.x[1]).toBeCloseTo(1 - (9.81 * PERIOD ** 2) / 2, 12);
    expect(await first.dispatch('run.section', { runId, section: 'never', ...AXES, ...VIEW })).toMatchObject({
      rows: 0,
      bounds: null,
    });
    await first.dispose();
    const second = open();
    const { runs } = await second.dispatch('run.attend', {
      page: '00000000-0000-4000-8000-00000000000b',
      documents: ['file:ball'],
    });
    expect(runs[0].sections).toEqual(info.sections);
    expect(await read(second)).toEqual(points);
    const place = join(folder.path, 'kept-runs', runId);
    expect(readdirSync(place).filter((name) => /section-\d\.rows$/.test(name))).toHaveLength(3);
    await second.dispatch('run.delete', { runId, forGood: true });
    expect(existsSync(place)).toBe(false);
  });

  it('come as counts of cells where there are many points, and as points of the part that is looked at', async () => {
    const host = open();
    const { runId } = await run(host);
    const ask = { runId, section: 'clock', ...AXES, width: 16, height: 16 };
    const all = await host.dispatch('run.section', { ...ask, maxPoints: 5 });
    if (all.kind !== 'density') throw new Error('points');
    expect(all.counts.reduce((a, b) => a + b, 0)).toBe(13);
    const view = { xMin: 0.9, xMax: 1.1, yMin: -1, yMax: 1 };
    // A span of time has the points of its own, both ends in it.
    const span = await host.dispatch('run.section', {
      ...ask,
      maxPoints: 1000,
      from: 2 * PERIOD,
      to: 5 * PERIOD,
    });
    expect(span).toMatchObject({ kind: 'points', inView: 4 });
    const rest = await host.dispatch('run.section', { ...ask, maxPoints: 1000, from: 100 });
    expect(rest).toMatchObject({ kind: 'points', inView: 0, bounds: null });
    const part = await host.dispatch('run.section', { ...ask, maxPoints: 5, view });
    expect(part).toMatchObject({ kind: 'points', rows: 13, inView: 1 });
  });

  it('have points from which the model starts again, with what was chosen in place of what was recorded', async () => {
    const host = open();
    const { runId } = await run(host);
    const { point } = await host.dispatch('run.sectionPoint', {
      runId,
      section: 'clock',
      ...AXES,
      at: [1 - (9.81 * PERIOD ** 2) / 2, -9.81 * PERIOD],
      scale: [1, 1],
    });
    expect(point?.index).toBe(1);
    const { document, missing } = await host.dispatch('run.sectionDocument', {
      runId,
      section: 'clock',
      index: 1,
      set: { 'ball.v': 0.5 },
    });
    expect(missing).toEqual([]);
    expect(document.simulation).toMatchObject({ t0: PERIOD, tEnd: PERIOD + 3 });
    expect(document.systems[0].v0).toEqual([0.5]);
    expect((document.systems[0].q0 as number[])[0]).toBeCloseTo(1 - (9.81 * PERIOD ** 2) / 2, 12);
    const again = await run(host, document);
    // The phase is that of the clock, not of the start.
    expect(again.sections[0].points).toBe(13);
    const rows = await host.dispatch('run.sectionRows', {
      runId: again.runId,
      section: 'clock',
      signals: ['t', 'ball.v'],
      firstRow: 0,
      count: 2,
    });
    expect([...rows.columns[0]]).toEqual([PERIOD, 2 * PERIOD]);
    expect(rows.columns[1][0]).toBe(0.5);
    const same = await host.dispatch('run.sectionDistance', {
      first: { runId, section: 'clock' },
      second: { runId, section: 'clock' },
      ...AXES,
    });
    expect(same.distance).toBe(0);
    const other = await host.dispatch('run.sectionDistance', {
      first: { runId, section: 'clock' },
      second: { runId: again.runId, section: 'clock' },
      ...AXES,
    });
    expect(other.distance).toBeGreaterThan(0);
  });

  it('stand beside spectra of the run', async () => {
    const host = open();
    const { runId } = await run(host);
    const ask = { runId, signal: 'ball.q', window: 'hann', quantity: 'amplitude', buckets: 100 } as const;
    const { spectrum } = await host.dispatch('run.spectrum', { ...ask, from: 0, to: 0.4 });
    // A fall without an event: its rows are equally far from each other.
    expect(spectrum).toMatchObject({ isResampled: false, mean: 1 });
    expect(spectrum?.values[0]).toBeGreaterThan(0.3);
    const whole = await host.dispatch('run.spectrum', ask);
    expect(whole.spectrum?.isResampled).toBe(true);
    expect(whole.spectrum?.f.length).toBeLessThanOrEqual(200);
    const none = await host.dispatch('run.spectrum', { ...ask, from: 100, to: 101 });
    expect(none.spectrum).toBeNull();
    expect(await failure(host.dispatch('run.spectrum', { ...ask, signal: 'boll' }))).toMatchObject({
      code: 'unknown-signal',
    });
  });

  it('say what is wrong', async () => {
    const host = open();
    const { runId } = await run(host, sectioned({ recording: { signals: ['t', 'ball.q'] } }));
    const ask = { runId, ...AXES, ...VIEW };
    expect(await failure(host.dispatch('run.section', { ...ask, section: 'other' }))).toMatchObject({
      code: 'unknown-section',
      remedy: expect.stringContaining('table_hits') as string,
    });
    expect(await failure(host.dispatch('run.section', { ...ask, section: 'clock' }))).toMatchObject({
      code: 'unknown-signal',
    });
    const start = (index: number) => host.dispatch('run.sectionDocument', { runId, section: 'clock', index });
    expect(await failure(start(0))).toMatchObject({
      code: 'state-not-recorded',
      message: expect.stringContaining('ball.v') as string,
    });
    expect(await failure(start(13))).toMatchObject({ code: 'no-point' });
    const never = { runId, section: 'never' };
    expect(
      await failure(
        host.dispatch('run.sectionDistance', { first: never, second: never, x: 'ball.q', y: 'ball.q' }),
      ),
    ).toMatchObject({ code: 'no-points' });
  });
});
