/** Basins of attraction through the host: by any number of threads, gone on with after an interruption. */
import { appendFileSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { analysisJob } from '@engine/analysis/jobs/job';
import { analysedMotion } from '@engine/analysis/jobs/motion-of';
import { createSandbox } from '@engine/script/sandbox';
import type { FoundBasins } from '@contract/analyses';
import { BasinsJournal, type KnownPart } from '@main/analysis/basins-journal';
import { computeBasins } from '@main/analysis/basins-threads';
import { analysisTable } from '@main/export/analysis-table';
import { readDocument } from '@engine/document/read';
import type { AnalysisDocument, ModelDocument } from '@engine/document/types';
import type { EngineHost } from '@main/host/host';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compute, outcome, withAnalyses } from './analyses-support';
import { createHost, nextEvent, PLACE, ROOT, temporaryFolder } from './support';

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

describe('basins of attraction', () => {
  const plane = (count: number): AnalysisDocument => ({
    id: 'basins',
    type: 'basins',
    xState: 'oscillator.q',
    xFrom: -2.4,
    xTo: 0.6,
    xCount: count,
    yState: 'oscillator.v',
    yFrom: -3,
    yTo: 3,
    yCount: count,
    period: '2*pi/omega',
    stride: 4,
  });

  function oscillator(): ModelDocument {
    const path = join(ROOT, 'resources/examples/impact-oscillator-basins.moreau.json');
    const { document } = readDocument(readFileSync(path, 'utf8'));
    if (document === null) throw new Error('the example cannot be opened');
    return document;
  }

  it('of two coexisting motions are those of their own long runs, with the same bytes by any number of threads', async () => {
    const count = 20;
    const document = withAnalyses(oscillator(), plane(count));
    const host = open();
    const found = await outcome(host, await compute(host, document, 'basins'), 'basins');
    expect(found.attractors.map(({ cycle }) => cycle).sort()).toEqual([1, 2]);
    expect(found.codes.every((code) => code < 2)).toBe(true);
    // The motion that never touches loses what damping takes in a period; that with impacts settles faster.
    const [free] = found.attractors.filter(({ cycle }) => cycle === 1);
    expect(free.largest ?? NaN).toBeCloseTo(Math.exp((-0.02 * 2 * Math.PI) / 2.8), 9);
    expect(found.attractors.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12);
    const job = analysisJob(document, 'basins');
    if (job.kind !== 'basins') throw new Error(job.kind);
    for (const workers of [1, 3]) {
      const { signal } = new AbortController();
      const url = PLACE.analysisWorkerUrl;
      expect(await computeBasins(url, job, workers, () => undefined, signal)).toEqual(found);
    }
    // By plain long runs: after 400 periods, how many more bring the motion back?
    const { motion } = analysedMotion(job.document, {}, { sandbox: createSandbox });
    const period = (2 * Math.PI) / 2.8;
    for (let k = 0; k < found.codes.length; k += 23) {
      const start = Float64Array.of(found.xValues[k % count], found.yValues[Math.floor(k / count)]);
      const run = motion.simulate(0, 406 * period, start, 406);
      const seen: number[] = [];
      while (run.hasNextEvent) {
        run.computeOneStep();
        // Ticks count from a point of the discretisation, one a period.
        const [step, ticks] = run.manager.current;
        if (ticks === 0) seen[step] = run.x[0];
      }
      const repeats = (cycle: number): boolean => Math.abs(seen[406] - seen[406 - cycle]) < 1e-6;
      expect(repeats(found.attractors[found.codes[k]].cycle)).toBe(true);
      expect(repeats(1)).toBe(found.attractors[found.codes[k]].cycle === 1);
    }
  });

  it('that are cancelled go on where they were, also after a kill that cut a line, to the same bytes', async () => {
    const document = withAnalyses(oscillator(), plane(30));
    const host = open();
    const begun = nextEvent(
      host,
      (event) => event.event === 'analysis.progress' && (event.data.analysis.done ?? 0) > 100,
    );
    const { job } = await host.dispatch('analysis.start', { document, analysis: 'basins' });
    await begun;
    const { state, done: known = NaN } = await host.dispatch('analysis.cancel', { job });
    expect(state).toBe('cancelled');
    expect(known).toBeLessThan(900);
    await host.dispose();
    appendFileSync(join(folder.path, 'analyses', `${job}-0.sweep`), '{"first":890,"attractor":"AAAA');
    const other = open();
    expect(await other.dispatch('analysis.find', { document })).toMatchObject([{ state: 'interrupted' }]);
    const first = nextEvent(
      other,
      (event) => event.event === 'analysis.progress' && event.data.analysis.done !== undefined,
    );
    const info = await compute(other, document, 'basins');
    expect(await first).toMatchObject({ data: { analysis: { done: known, of: 900 } } });
    const resumed = await outcome(other, info, 'basins');
    expect(readdirSync(join(folder.path, 'analyses'))).toEqual([`${job}.result`]);
    await other.dispatch('analysis.forget', { job });
    const fresh = await outcome(other, await compute(other, document, 'basins'), 'basins');
    expect(resumed).toEqual(fresh);
  });

  it('do not go on with the journal of another plane, or with one that is none', async () => {
    const path = join(folder.path, 'plane.sweep');
    const settled = { attractor: Int32Array.of(0, 1), periods: Int32Array.of(3, 4), failure: null };
    const journal = await BasinsJournal.open(path, 'one');
    expect(existsSync(path)).toBe(false);
    journal.add({ first: 5, settled });
    await journal.flush();
    expect((await BasinsJournal.open(path, 'one')).known).toEqual([{ first: 5, settled }]);
    expect((await BasinsJournal.open(path, 'other')).known).toEqual([]);
    expect(existsSync(path)).toBe(false);
    writeFileSync(path, 'nothing\n');
    expect((await BasinsJournal.open(path, 'one')).known).toEqual([]);
  });

  it('say which state there is not, and stop when they are cancelled', async () => {
    const host = open();
    const wrong = withAnalyses(oscillator(), { ...plane(4), xState: 'absent.q' });
    expect(await compute(host, wrong, 'basins')).toMatchObject({
      state: 'failed',
      error: { code: 'unknown-signal' },
    });
    const document = withAnalyses(oscillator(), plane(300));
    const begun = nextEvent(
      host,
      (event) => event.event === 'analysis.progress' && (event.data.analysis.done ?? 0) > 0,
    );
    const { job } = await host.dispatch('analysis.start', { document, analysis: 'basins' });
    await begun;
    expect(await host.dispatch('analysis.cancel', { job })).toMatchObject({ state: 'cancelled' });
  });
});

describe('a plane with a parameter', () => {
  const STEP: AnalysisDocument = {
    id: 'chart',
    type: 'basins',
    xParameter: 'omega',
    xFrom: 2.6,
    xTo: 3,
    xCount: 3,
    yState: 'oscillator.q',
    yFrom: -2.4,
    yTo: 0.5,
    yCount: 8,
    period: '2*pi/omega',
    longestCycle: 6,
  };

  function oscillator(...analyses: AnalysisDocument[]): ModelDocument {
    const path = join(ROOT, 'resources/examples/impact-oscillator-basins.moreau.json');
    const { document } = readDocument(readFileSync(path, 'utf8'));
    if (document === null) throw new Error('the example cannot be opened');
    return withAnalyses(document, ...analyses);
  }

  /** Computed apart from the host. */
  async function computed(
    document: ModelDocument,
    workers: number,
    known: Parameters<typeof computeBasins>[5] = { known: [], add: () => undefined },
  ): Promise<FoundBasins> {
    const job = analysisJob(document, 'chart');
    if (job.kind !== 'basins') throw new Error(job.kind);
    const { signal } = new AbortController();
    const found = await computeBasins(PLACE.analysisWorkerUrl, job, workers, () => undefined, signal, known);
    if (found === null) throw new Error('it was given up');
    return found;
  }

  it('and a state has the kinds of its own long runs, with the same bytes by any number of threads and after an interruption', async () => {
    const document = oscillator(STEP);
    const parts: KnownPart[] = [];
    const found = await computed(document, 1, { known: [], add: (part) => parts.push(part) });
    expect(await computed(document, 3)).toEqual(found);
    const kept = parts.filter((_, k) => k % 2 === 0);
    expect(await computed(document, 2, { known: kept, add: () => undefined })).toEqual(found);
    expect(found.x).toEqual({ name: 'omega', unit: 'rad/s' });
    expect(found.places[0]).toBe(-1);
    expect(found.t0).toBeNull();
    // Each start is judged on what it comes to, and a start that fails there is reported by its number.
    const expected = Array.from(found.codes, (code) => (code === found.notSimulated ? NaN : 1));
    expect([...(found.verdicts?.solved ?? [])]).toEqual(expected);
    const failing = parts.map(({ first, settled }) => ({
      first,
      settled: {
        ...settled,
        solved: Float64Array.from(settled.attractor, (_, k) => Number(first + k !== 5)),
      },
    }));
    const judged = await computed(document, 1, { known: failing, add: () => undefined });
    expect([...(judged.verdicts?.solved ?? [])].indexOf(0)).toBe(5);
    expect(found.attractors[0]).toMatchObject({ cycle: 1, events: 0 });
    expect(found.attractors.length).toBeGreaterThan(1);
    expect(found.attractors.slice(1).every(({ events }) => (events ?? 0) > 0)).toBe(true);
    found.codes.forEach((code, k) => {
      if (k % 5 !== 0 || code >= found.undecided) return;
      const omega = found.xValues[k % 3];
      const { motion } = analysedMotion(document, { omega }, { sandbox: createSandbox });
      const { cycle, events } = found.attractors[code];
      const period = (2 * Math.PI) / omega;
      const start = Float64Array.of(found.yValues[Math.floor(k / 3)], 0);
      const run = motion.simulate(0, 600 * period, start, 600);
      run.run();
      const state = run.x.slice(0, 2);
      const once = motion.simulate(0, cycle * period, state, cycle);
      once.run();
      expect(Math.hypot(once.x[0] - state[0], once.x[1] - state[1])).toBeLessThan(1e-5);
      expect(once.events.length).toBe(events);
    });
  });

  it('and another is a chart of what the initial state comes to; values without a model are not simulated', async () => {
    const { yState: _, ...rest } = STEP;
    const chart = { ...rest, yParameter: 'r', yFrom: 0.5, yTo: 1.5, yCount: 3 };
    const document = oscillator(chart);
    const found = await computed(document, 2);
    expect(await computed(document, 1)).toEqual(found);
    expect(found.y).toEqual({ name: 'r', unit: '' });
    // A restitution of 1.5 is none.
    expect([...found.codes].slice(6)).toEqual([255, 255, 255]);
    expect(found.failure).not.toBe('');
    expect([...found.codes].slice(0, 3).every((code) => code < 250)).toBe(true);
  });

  it('is written as a table with the kinds of its attractors', async () => {
    const document = oscillator({ ...STEP, xCount: 2, yCount: 2 });
    const host = open();
    const found = await outcome(host, await compute(host, document, 'chart'), 'basins');
    const table = await analysisTable(host, document, 'chart', found, {});
    expect(table.columns.map(({ name, description }) => `${name}: ${description}`)).toEqual([
      'omega: Parameter',
      'oscillator.q: Initial value',
      'attractor: Number of the attractor from 1; 0 undecided, -1 not simulated',
      'cycle: Periods after which it repeats',
      'events: Events while it repeats once; Infinity where impacts accumulate',
      'periods: Periods until it was there',
      'solved: 1 where the equations of the scheme hold, 0 where they do not, NaN where that is not known',
      'complete: 1 where no event was missed, 0 where one was, NaN where that is not known',
    ]);
    const [attractor, cycle] = await table.read([2, 3], 0, 4);
    attractor.forEach((number, k) => expect(cycle[k]).toBe(found.attractors[number - 1]?.cycle ?? NaN));
  });
});

describe('limit cycles', () => {
  const analysis: AnalysisDocument = {
    id: 'plane',
    type: 'basins',
    forcing: 'none',
    xState: 'mass.q',
    xFrom: -1,
    xTo: 3,
    xCount: 12,
    yState: 'mass.v',
    yFrom: -0.9,
    yTo: 0.15,
    yCount: 12,
    period: 5,
    stride: 5,
  };

  function belt(more: Partial<AnalysisDocument> = {}): ModelDocument {
    const path = join(ROOT, 'resources/examples/friction-belt.moreau.json');
    const { document } = readDocument(readFileSync(path, 'utf8'));
    if (document === null) throw new Error('the example cannot be opened');
    return withAnalyses(document, { ...analysis, ...more });
  }

  async function byThreads(document: ModelDocument, workers: number): Promise<FoundBasins | null> {
    const job = analysisJob(document, 'plane');
    if (job.kind !== 'basins') throw new Error(job.kind);
    const { signal } = new AbortController();
    return computeBasins(PLACE.analysisWorkerUrl, job, workers, () => undefined, signal);
  }

  it('of a block on a belt are what all starts come to, with the same bytes by any number of threads', async () => {
    const document = belt();
    const host = open();
    const found = await outcome(host, await compute(host, document, 'plane'), 'basins');
    expect(found.attractors).toHaveLength(1);
    const [{ limit, period = NaN, largest, share, points }] = found.attractors;
    expect({ limit, share }).toEqual({ limit: 'cycle', share: 1 });
    expect(largest).toBeLessThan(1e-12);
    expect(Math.max(...points.filter((_, k) => k % 2 === 1))).toBeCloseTo(0.2, 9);
    const { motion } = analysedMotion(document, {}, { sandbox: createSandbox });
    const run = motion.simulate(0, 100, motion.initialState, 100);
    run.run();
    const starts = run.events.filter(({ time }) => time > 50).map(({ time }) => time);
    // It sticks and slips in turn: every second event is a period later.
    expect(starts[2] - starts[0]).toBeCloseTo(period, 7);
    for (const workers of [1, 3]) expect(await byThreads(document, workers)).toEqual(found);
    const table = await analysisTable(host, document, 'plane', found, {});
    expect(table.columns.map(({ name }) => name)).toEqual([
      'mass.q',
      'mass.v',
      'attractor',
      'limitCycle',
      'periods',
      'solved',
      'complete',
    ]);
    const [isCycle] = await table.read([3], 0, 144);
    expect(new Set(isCycle)).toEqual(new Set([1]));
  });

  it('and rest are the kinds over a parameter: friction that does not fall lets the block come to rest', async () => {
    const { xState: _, ...rest } = analysis;
    const more = { xParameter: 'fall', xFrom: -0.1, xTo: 0.1, xCount: 2, yCount: 3 };
    const path = join(ROOT, 'resources/examples/friction-belt.moreau.json');
    const { document: plain } = readDocument(readFileSync(path, 'utf8'));
    const document = withAnalyses(plain!, { ...rest, ...more });
    const found = await byThreads(document, 2);
    expect(found?.attractors).toMatchObject([
      { cycle: 1, limit: 'rest', events: 0, share: 0.5 },
      { cycle: 1, limit: 'cycle', events: 2, share: 0.5 },
    ]);
    expect([...found!.codes]).toEqual([0, 1, 0, 1, 0, 1]);
    expect(await byThreads(document, 1)).toEqual(found);
  });

  it('are not looked for in a model that is driven', async () => {
    const host = open();
    const path = join(ROOT, 'resources/examples/impact-oscillator-basins.moreau.json');
    const { document } = readDocument(readFileSync(path, 'utf8'));
    const states = { xState: 'oscillator.q', yState: 'oscillator.v' };
    const driven = withAnalyses(document!, { ...analysis, ...states });
    expect(await compute(host, driven, 'plane')).toMatchObject({
      state: 'failed',
      error: { code: 'driven-model', remedy: expect.stringContaining('periodic forcing') as string },
    });
  });
});
