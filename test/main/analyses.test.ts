/**
 * Analyses through the host: computed in threads, kept by what they depend on, gone on with after an
 * interruption.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { analysisJob } from '@engine/analysis/jobs/job';
import { analysedMotion } from '@engine/analysis/jobs/motion-of';
import { createSandbox } from '@engine/script/sandbox';
import { AnalysisStore } from '@main/analysis/analysis-store';
import type { AnalysisOutcome } from '@contract/methods';
import { readDocument } from '@engine/document/read';
import type { AnalysisDocument, ModelDocument } from '@engine/document/types';
import type { EngineHost } from '@main/host/host';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compute, outcome, withAnalyses } from './analyses-support';
import { bouncingBall } from './models';
import { createHost, failure, nextEvent, ROOT, temporaryFolder } from './support';

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

function follower(rpm: number): ModelDocument {
  const path = join(ROOT, 'resources/examples/cam-follower-event-driven-660.moreau.json');
  const { document } = readDocument(readFileSync(path, 'utf8'));
  if (document === null) throw new Error('the example cannot be opened');
  const parameters = document.parameters.map((one) => (one.name === 'rpm' ? { ...one, value: rpm } : one));
  return { ...document, parameters };
}

const BOUNCES: AnalysisDocument = {
  id: 'bounces',
  type: 'sweep',
  axes: [{ type: 'range', parameter: 'g', from: 5, to: 10, count: 40 }],
  measures: 'events, max ball.v',
  start: 'both',
};

describe('a sweep', () => {
  it('is computed in both directions, known again in another session, and gone when it is forgotten', async () => {
    const document = withAnalyses(bouncingBall({ tEnd: 1 }), BOUNCES);
    const host = open();
    expect(await host.dispatch('analysis.find', { document })).toEqual([null]);
    const info = await compute(host, document, 'bounces');
    expect(info).toMatchObject({ kind: 'sweep', state: 'done', part: 1, done: 80, of: 80 });
    const found = await outcome(host, info, 'sweep');
    expect(found.parameters).toEqual([{ name: 'g', unit: 'm/s^2' }]);
    expect(found.measures.map(({ name }) => name)).toEqual(['events', 'max ball.v']);
    expect(found.axes[0]).toHaveLength(40);
    expect(found.directions.map(({ start }) => start)).toEqual(['up', 'down']);
    for (const { measures, failures } of found.directions) {
      expect(failures).toEqual([]);
      expect(measures.every(Number.isFinite)).toBe(true);
    }
    await host.dispose();
    const other = open();
    // What is looked at is no part of the question.
    const seen = {
      ...document,
      title: document.title,
      views: [{ type: 'table' as const, id: 't', signals: [] }],
    };
    expect(await other.dispatch('analysis.find', { document: seen })).toMatchObject([{ state: 'done' }]);
    expect(await outcome(other, info, 'sweep')).toEqual(found);
    await other.dispatch('analysis.forget', { job: info.job });
    expect(await other.dispatch('analysis.find', { document })).toEqual([null]);
    expect(readdirSync(join(folder.path, 'analyses'))).toEqual([]);
    expect(await failure(other.dispatch('analysis.outcome', { job: info.job }))).toMatchObject({
      code: 'no-outcome',
    });
  });

  it('is not said to be there when what it has found has gone from the disk', async () => {
    const document = withAnalyses(bouncingBall({ tEnd: 0.6 }), {
      ...BOUNCES,
      axes: [{ type: 'values', parameter: 'g', values: [9] }],
      start: 'initial',
    });
    const host = open();
    await compute(host, document, 'bounces');
    expect(await host.dispatch('analysis.find', { document })).toMatchObject([{ state: 'done' }]);
    rmSync(join(folder.path, 'analyses'), { recursive: true });
    expect(await host.dispatch('analysis.find', { document })).toEqual([null]);
    const again = await compute(host, document, 'bounces');
    expect((await outcome(host, again, 'sweep')).directions).toHaveLength(1);
  });

  it('is exported with the model that was asked, and not of a model that has changed', async () => {
    const document = withAnalyses(bouncingBall({ tEnd: 0.6 }), {
      ...BOUNCES,
      axes: [{ type: 'values', parameter: 'g', values: [9, 10] }],
      start: 'initial',
    });
    const host = open();
    await compute(host, document, 'bounces');
    const choice = { analysis: 'bounces', format: '.json' as const };
    const exportId = randomUUID();
    const written = await host.dispatch('analysis.export', { ...choice, document, exportId });
    expect(written).toMatchObject({ rows: 2 });
    const content = JSON.parse(readFileSync(host.exportedFile(written.ticket) ?? '', 'utf8')) as {
      run: string;
      startedAt: string;
      signals: { name: string }[];
      model: ModelDocument;
      rows: number[][];
    };
    expect(content).toMatchObject({ run: 'bounces', model: { analyses: [{ id: 'bounces' }] } });
    expect(Math.abs(Date.parse(content.startedAt) - Date.now())).toBeLessThan(3_600_000);
    const names = ['g', 'events', 'max ball.v', 'solved', 'complete'];
    expect(content.signals.map(({ name }) => name)).toEqual(names);
    expect(content.rows.map(([g]) => g)).toEqual([9, 10]);
    expect(content.rows.every((row) => row.length === names.length && row[1] > 0)).toBe(true);
    expect(content.rows.map((row) => row.slice(3))).toEqual([
      [1, 1],
      [1, 1],
    ]);
    const parameters = document.parameters.map((one) => ({ ...one, value: 12 }));
    const changed = { ...document, parameters };
    expect(
      await failure(host.dispatch('analysis.export', { ...choice, document: changed, exportId })),
    ).toMatchObject({ code: 'no-outcome' });
    expect(
      await failure(host.dispatch('analysis.export', { ...choice, analysis: 'bounce', document, exportId })),
    ).toMatchObject({ where: expect.stringContaining('bounce') as string });
  });

  it('that is cancelled goes on where it was, to the same numbers', async () => {
    const document = withAnalyses(bouncingBall({ tEnd: 3, h: 2e-4 }), BOUNCES);
    const host = open();
    const begun = nextEvent(
      host,
      (event) => event.event === 'analysis.progress' && (event.data.analysis.done ?? 0) >= 2,
    );
    const { job } = await host.dispatch('analysis.start', { document, analysis: 'bounces' });
    await begun;
    expect(await host.dispatch('analysis.cancel', { job })).toMatchObject({ state: 'cancelled' });
    await host.dispose();
    const other = open();
    expect(await other.dispatch('analysis.find', { document })).toMatchObject([{ state: 'interrupted' }]);
    const resumed = await outcome(other, await compute(other, document, 'bounces'), 'sweep');
    await other.dispatch('analysis.forget', { job });
    const fresh = await outcome(other, await compute(other, document, 'bounces'), 'sweep');
    expect(resumed).toEqual(fresh);
  });
});

describe('what is kept', () => {
  const exponents = (value: number): AnalysisOutcome => ({
    kind: 'lyapunov',
    status: 'done',
    exponents: Float64Array.of(value),
    errors: Float64Array.of(0),
    times: new Float64Array(500),
    history: new Float64Array(500),
    dimension: null,
  });

  it('comes back bit by bit, and goes at the limit, the longest unused first', async () => {
    const store = new AnalysisStore(join(folder.path, 'kept'), '1', 20_000);
    const [first, second, third] = ['a', 'b', 'c'].map((letter) => letter.repeat(64));
    await store.write(first, exponents(0.1));
    await store.write(second, exponents(0.2));
    // Times of files are coarse on some disks; what was read last is newer by far.
    const path = join(folder.path, 'kept', `${second}.result`);
    utimesSync(path, new Date(0), new Date(0));
    expect(await store.read(first)).toEqual(exponents(0.1));
    await store.write(third, exponents(0.3));
    expect(await store.read(second)).toBeNull();
    expect(await store.read(first)).toEqual(exponents(0.1));
    expect(await store.read(third)).toEqual(exponents(0.3));
  });

  it('is not what another version has found', () => {
    const job = analysisJob(withAnalyses(bouncingBall(), BOUNCES), 'bounces');
    const nameBy = (version: string): string => new AnalysisStore(folder.path, version).nameOf(job);
    expect(nameBy('1')).toBe(nameBy('1'));
    expect(nameBy('1')).not.toBe(nameBy('2'));
  });
});

describe('a model that nothing drives', () => {
  it('has its limit cycle found with its period, from a guess that is far off', async () => {
    const host = open();
    const path = join(ROOT, 'resources/examples/relay-oscillator.moreau.json');
    const { document } = readDocument(readFileSync(path, 'utf8'));
    if (document === null) throw new Error('the example cannot be opened');
    const asked = withAnalyses(document, {
      id: 'cycle',
      type: 'orbit',
      forcing: 'none',
      period: 3,
      settle: 40,
    });
    const orbit = await outcome(host, await compute(host, asked, 'cycle'), 'orbit');
    expect(orbit.isAutonomous).toBe(true);
    expect(orbit.residual).toBeLessThan(1e-10);
    // One multiplier is 1: along the orbit nothing changes.
    expect(
      Math.min(...Array.from(orbit.real, (re, k) => Math.hypot(re - 1, orbit.imaginary[k]))),
    ).toBeLessThan(1e-6);
    expect(orbit.isStable).toBe(true);
  });
});

describe('a branch of limit cycles', () => {
  it('has the period of each, and the largest states', async () => {
    const host = open();
    const path = join(ROOT, 'resources/examples/relay-oscillator.moreau.json');
    const { document } = readDocument(readFileSync(path, 'utf8'));
    if (document === null) throw new Error('the example cannot be opened');
    const branch = {
      id: 'cycles',
      type: 'branch',
      parameter: 'gain',
      from: 0.5,
      to: 2,
      forcing: 'none',
      period: 6,
      settle: 40,
      longestStep: 0.2,
      maxPoints: 6,
    };
    const found = await outcome(
      host,
      await compute(host, withAnalyses(document, branch), 'cycles'),
      'branch',
    );
    expect(found.ends).toEqual(['maxPoints', 'maxPoints']);
    expect(found.p.length).toBe(11);
    expect(found.isAutonomous).toBe(true);
    expect(found.special).toEqual([]);
    // The gain is the unit of the states and of nothing else: the period and the multipliers do not depend on
    // it.
    const at = found.p.findIndex((p) => Math.abs(p - 1) < 1e-9);
    found.p.forEach((p, k) => {
      expect(Math.abs(found.period[k] - found.period[at])).toBeLessThan(1e-8);
      expect(Math.abs(found.largest[k] - found.largest[at])).toBeLessThan(1e-7);
      for (let i = 0; i < 3; i++)
        expect(Math.abs(found.x[3 * k + i] / found.x[3 * at + i] / p - 1)).toBeLessThan(1e-5);
    });
  });
});

describe('the cam-follower', () => {
  const T = '60/rpm';

  it('has at 358 rpm the orbit of 3 revolutions that the sources know, found by itself', async () => {
    const host = open();
    const document = withAnalyses(follower(358), { id: 'orbit', type: 'orbit', period: T });
    const orbit = await outcome(host, await compute(host, document, 'orbit'), 'orbit');
    expect(orbit.multiple).toBe(3);
    expect(orbit.isStable).toBe(true);
    expect(orbit.events.map(({ kind }) => kind)).toEqual(new Array(8).fill('impact'));
    expect(orbit.real[0]).toBeCloseTo(0.2752697, 6);
    expect(orbit.real[1]).toBeCloseTo(0.1022543, 6);
    // A run that starts in it comes back to it.
    expect(orbit.start.systems).toEqual([{ id: 'follower', fields: { q0: [orbit.x[0]], v0: [orbit.x[1]] } }]);
    const [first, last] = [orbit.curve.slice(0, 3), orbit.curve.slice(-3)];
    expect(last[0] - first[0]).toBeCloseTo(orbit.period, 12);
    expect(Math.abs(last[1] - first[1])).toBeLessThan(1e-9);
  });

  it('does not repeat at 660 rpm, and says so; λ₁ is positive, and its dimension is between 1 and 2', async () => {
    const host = open();
    const document = withAnalyses(
      follower(660),
      { id: 'orbit', type: 'orbit', period: T },
      { id: 'exponents', type: 'lyapunov', transient: '50*60/rpm', duration: '2000*60/rpm', interval: T },
    );
    const failed = await compute(host, document, 'orbit');
    expect(failed).toMatchObject({ state: 'failed', error: { code: 'not-periodic' } });
    const found = await outcome(host, await compute(host, document, 'exponents'), 'lyapunov');
    expect(Math.abs(found.exponents[0] - 4.15)).toBeLessThan(4 * found.errors[0]);
    expect(found.dimension ?? NaN).toBeGreaterThan(1);
    expect(found.dimension ?? NaN).toBeLessThan(2);
    expect(found.history).toHaveLength(2 * found.times.length);
  });

  it('has a branch with a fold and a period doubling, both with their places', async () => {
    const host = open();
    const document = withAnalyses(follower(358), {
      id: 'branch',
      type: 'branch',
      parameter: 'rpm',
      from: 357,
      to: 359,
      period: T,
      longestStep: 0.2,
    });
    const branch = await outcome(host, await compute(host, document, 'branch'), 'branch');
    expect(branch.parameter).toEqual({ name: 'rpm', unit: '1/min' });
    const [fold] = branch.special;
    expect(fold).toMatchObject({ kind: 'fold' });
    expect(fold.p).toBeCloseTo(357.798306, 5);
    // The fold parts the stable orbits from those that are not.
    expect(new Set(branch.isStable)).toEqual(new Set([0, 1]));
    expect(Math.min(...branch.p)).toBeGreaterThan(357.79);
    // The orbit has three section points: a period of the forcing leads from each to the next, and from the
    // last to the first.
    expect(branch.multiple).toBe(3);
    expect(branch.others.length).toBe(4 * branch.p.length);
    expect(fold.others.length).toBe(4);
    for (let k = 0; k < branch.p.length; k += 7) {
      const rpm = branch.p[k];
      const { motion } = analysedMotion(document, { rpm }, { sandbox: createSandbox });
      const orbit = [branch.x.subarray(2 * k, 2 * k + 2), branch.others.subarray(4 * k, 4 * k + 4)];
      const points = orbit.flatMap((part) => [...part]);
      for (let pass = 0; pass < 3; pass++) {
        const start = Float64Array.from(points.slice(2 * pass, 2 * pass + 2));
        const run = motion.simulate(0, 60 / rpm, start);
        run.run();
        const next = (2 * pass + 2) % 6;
        expect(Math.abs(run.x[0] - points[next])).toBeLessThan(1e-6);
        expect(Math.abs(run.x[1] / points[next + 1] - 1)).toBeLessThan(1e-6);
        expect(Math.abs(points[next] - start[0])).toBeGreaterThan(1e-3);
      }
    }
  });
});

describe('a sweep over initial values', () => {
  it('stands in the model and names what is varied', async () => {
    const host = open();
    const axes = [
      { type: 'initialRange', state: 'ball.q', from: 1, to: 2, count: 3 },
      { type: 'values', parameter: 'g', values: [5, 10] },
    ];
    const heights = { id: 'heights', type: 'sweep', axes, measures: 'max ball.q' };
    const document = withAnalyses(bouncingBall(), heights);
    const found = await outcome(host, await compute(host, document, 'heights'), 'sweep');
    expect(found.parameters).toEqual([
      { name: 'initial ball.q', unit: 'm' },
      { name: 'g', unit: 'm/s^2' },
    ]);
    // Without a speed at the start the ball is highest there.
    expect([...found.directions[0].measures]).toEqual([1, 1, 1.5, 1.5, 2, 2]);
    const unknown = { ...heights, axes: [{ ...axes[0], state: 'balloon.q' }] };
    const other = withAnalyses(bouncingBall(), unknown);
    expect(await compute(host, other, 'heights')).toMatchObject({
      state: 'failed',
      error: { code: 'unknown-state', where: 'balloon.q' },
    });
  });
});

/** Basins of which nothing is varied yet. */
const PLANE = { id: 'a', type: 'basins', xFrom: 0, xTo: 1, yFrom: 0, yTo: 1, period: 1 };

describe('an analysis with a defect', () => {
  it.each([
    [{ id: 'a', type: 'sweep', axes: [], measures: 'events' }, '/analyses/0/axes'],
    [
      {
        id: 'a',
        type: 'sweep',
        axes: [{ type: 'range', parameter: 'absent', from: 1, to: 2 }],
        measures: 'events',
      },
      '/analyses/0/axes/0/parameter',
    ],
    [
      { id: 'a', type: 'sweep', axes: [{ type: 'values', parameter: 'g', values: [1] }], section: 'none' },
      '/analyses/0/section',
    ],
    [
      {
        id: 'a',
        type: 'sweep',
        axes: [{ type: 'initialValues', state: 'ball', values: [1] }],
        measures: 'events',
      },
      '/analyses/0/axes/0/state',
    ],
    [
      {
        id: 'a',
        type: 'sweep',
        axes: [{ type: 'initialRange', state: 'ball.q', from: 1, to: 2 }],
        measures: 'events',
        start: 'both',
      },
      '/analyses/0/start',
    ],
    [{ id: 'a', type: 'orbit', period: 'unknown' }, '/analyses/0/period'],
    [{ id: 'a', type: 'orbit', period: 1, section: 'none' }, '/analyses/0/section'],
    [{ id: 'a', type: 'orbit', period: 1, section: 'strobe' }, '/analyses/0/section'],
    [
      {
        id: 'a',
        type: 'basins',
        xState: 'a.q',
        xFrom: 1,
        xTo: 0,
        yState: 'a.v',
        yFrom: 0,
        yTo: 1,
        period: 1,
      },
      '/analyses/0/xTo',
    ],
    [{ ...PLANE, xState: 'ball.q', xParameter: 'g', yState: 'ball.v' }, '/analyses/0/xParameter'],
    [{ ...PLANE, xState: 'ball.q' }, '/analyses/0/yState'],
    [{ ...PLANE, xParameter: 'absent', yState: 'ball.v' }, '/analyses/0/xParameter'],
    [{ ...PLANE, xParameter: 'g', yParameter: 'g' }, '/analyses/0/yParameter'],
    [{ id: 'a', type: 'branch', parameter: 'g', from: 2, to: 1, period: 1 }, '/analyses/0/to'],
  ] as const)('is refused at its place: %j', async (analysis, where) => {
    const host = open();
    const ball = bouncingBall();
    const sections = [{ id: 'strobe', type: 'stroboscopic', period: 1 }];
    const model = { ...ball, simulation: { ...ball.simulation, sections } };
    const document = withAnalyses(model, analysis as unknown as AnalysisDocument);
    expect(await failure(host.dispatch('analysis.start', { document, analysis: 'a' }))).toMatchObject({
      where,
    });
    // The model runs all the same: its report warns.
    const { issues } = await host.dispatch('document.report', { document });
    expect(issues).toContainEqual(expect.objectContaining({ pointer: where, severity: 'warning' }));
    expect(issues.every(({ severity }) => severity === 'warning')).toBe(true);
  });

  it('is refused where it is not there, and where its measure names no signal', async () => {
    const host = open();
    const document = withAnalyses(bouncingBall(), {
      ...BOUNCES,
      measures: 'max absent.q',
    });
    expect(await failure(host.dispatch('analysis.start', { document, analysis: 'other' }))).toMatchObject({
      code: 'unknown-analysis',
    });
    expect(await compute(host, document, 'bounces')).toMatchObject({
      state: 'failed',
      error: { code: 'unknown-signal' },
    });
  });
});
