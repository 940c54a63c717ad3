/** Journals and results on a disk that loses bits: damage costs time, and never makes a wrong value. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PointResult } from '@engine/analysis/sweep/compute-point';
import { type SweepJob, sweepChains } from '@engine/analysis/sweep/job';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AnalysisStore } from '@main/analysis/analysis-store';
import { BasinsJournal, type KnownPart } from '@main/analysis/basins-journal';
import type { SweepExecutor } from '@main/sweep/executor';
import { SweepJournal } from '@main/sweep/journal';
import { encodePoint } from '@main/sweep/point-text';
import { computeSweep } from '@main/sweep/sweep';
import { jobName } from '@main/sweep/job-text';
import { sample } from '../support/prove';
import { bouncingBall } from './models';
import { temporaryFolder } from './support';

const trials = (): number => sample(80, 20_000);
const POINTS = 12;

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** Whole numbers below `most`, the same ones each time. */
function numbers(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (1103515245 * state + 12345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * most);
  };
}

/** Flips bits, cuts, repeats and takes out lines, once to four times. */
function damaged(bytes: Buffer, below: (most: number) => number): Buffer {
  let result = Buffer.from(bytes);
  for (let k = below(4); k >= 0; k--) {
    const lines = result.toString('latin1').split('\n');
    const line = below(lines.length);
    switch (below(5)) {
      case 0:
        result = result.subarray(0, below(result.length + 1));
        break;
      case 1:
        lines.splice(below(lines.length), 0, lines[line]);
        result = Buffer.from(lines.join('\n'), 'latin1');
        break;
      case 2:
        lines.splice(line, 1);
        result = Buffer.from(lines.join('\n'), 'latin1');
        break;
      default:
        if (result.length > 0) result[below(result.length)] ^= 1 << below(8);
    }
  }
  return result;
}

const job = (start: 'initial' | 'up'): SweepJob => ({
  document: bouncingBall(),
  plan: { kind: 'grid', axes: [{ parameter: 'g', from: 9, to: 10, count: POINTS }] },
  start,
  measures: ['max ball.q'],
});

/** Any values that follow from the number of a point, its neighbour's end and nothing else. */
const resultOf = (k: number, start: Float64Array | null): PointResult => ({
  status: 'done',
  measures: Float64Array.of(Math.sin(k + 1) + (start?.[0] ?? 0)),
  section: Float64Array.of(k, -0, NaN),
  end: Float64Array.of(Math.cos(k + 1) * 0.5 + (start?.[0] ?? 0)),
});

class Executor implements SweepExecutor {
  computed = 0;

  run(...[, tasks, onResult]: Parameters<SweepExecutor['run']>): Promise<void> {
    for (const { points, start } of tasks) {
      let before = start;
      for (const index of points) {
        const result = resultOf(index, before);
        this.computed++;
        onResult(index, result);
        before = result.end;
      }
    }
    return Promise.resolve();
  }

  cancel(): Promise<void> {
    return Promise.resolve();
  }
}

const textOf = (results: ReadonlyMap<number, PointResult>): string[] =>
  [...results].sort(([a], [b]) => a - b).map(([k, result]) => JSON.stringify(encodePoint(k, result)));

describe('the journal of a sweep', () => {
  it.each(['initial', 'up'] as const)(
    `whose bits, lines and end are lost gives the undisturbed bytes after going on, with starts %s (${trials()} times)`,
    async (start) => {
      const sweep = job(start);
      const path = join(folder.path, 'out.csv.sweep');
      const journal = await SweepJournal.begin(path, sweep, POINTS);
      const undisturbed = textOf(
        await computeSweep(sweep, new Executor(), new Map(), journal, () => undefined),
      );
      const bytes = readFileSync(path);
      const below = numbers(start === 'up' ? 7 : 8);
      const chains = sweepChains(sweep).length;
      let [saved, refused] = [0, 0];
      for (let trial = 0; trial < trials(); trial++) {
        writeFileSync(path, damaged(bytes, below));
        const resumed = await SweepJournal.resume(path, sweep).catch(() => null);
        if (resumed === null) refused++;
        const executor = new Executor();
        const { journal: further, results } = resumed ?? {
          journal: await SweepJournal.begin(path, sweep, POINTS),
          results: new Map<number, PointResult>(),
        };
        const all = await computeSweep(sweep, executor, results, further, () => undefined);
        expect(textOf(all)).toEqual(undisturbed);
        if (executor.computed < POINTS / 2) saved++;
        // What was computed again is there the next time.
        const known = await SweepJournal.read(path, sweep);
        expect(textOf(known?.results ?? new Map<number, PointResult>())).toEqual(undisturbed);
      }
      expect(chains).toBe(start === 'up' ? 1 : POINTS);
      // Little is lost of most: a cut takes half on average. A chain is computed again from the damage on.
      expect(saved).toBeGreaterThan((start === 'up' ? 0.2 : 0.4) * trials());
      expect(refused).toBeLessThan(0.25 * trials());
    },
    sample(30_000, 600_000),
  );

  it('with one changed byte loses one point, wherever that byte is', async () => {
    const sweep = job('initial');
    const path = join(folder.path, 'out.csv.sweep');
    const journal = await SweepJournal.begin(path, sweep, POINTS);
    const whole = await computeSweep(sweep, new Executor(), new Map(), journal, () => undefined);
    const undisturbed = textOf(whole);
    const bytes = readFileSync(path);
    for (let at = 0; at < bytes.length; at += 23) {
      const changed = Buffer.from(bytes);
      changed[at] ^= 4;
      writeFileSync(path, changed);
      const reading = await SweepJournal.read(path, sweep);
      const found = textOf(reading?.results ?? new Map<number, PointResult>());
      expect(undisturbed).toEqual(expect.arrayContaining(found));
      // A line break that has gone joins two lines.
      expect(found.length).toBeGreaterThanOrEqual(POINTS - 2);
    }
  });

  it('of an older version, without checksums, is gone on with', async () => {
    const sweep = job('initial');
    const path = join(folder.path, 'out.csv.sweep');
    const head = JSON.stringify({ sweep: 1, job: jobName(sweep), points: POINTS });
    const lines = [0, 1, 2].map((k) => JSON.stringify(encodePoint(k, resultOf(k, null))));
    writeFileSync(path, [head, ...lines, '{"k":3,"s":"do', ''].join('\n'));
    const resumed = await SweepJournal.resume(path, sweep);
    expect(resumed).toMatchObject({ damaged: 1 });
    expect([...(resumed?.results.keys() ?? [])]).toEqual([0, 1, 2]);
    resumed?.journal.add(3, resultOf(3, null));
    await resumed?.journal.flush();
    expect([...((await SweepJournal.read(path, sweep))?.results.keys() ?? [])]).toEqual([0, 1, 2, 3]);
  });
});

describe('the journal of basins', () => {
  it(`whose bits, lines and end are lost has no part that was not written (${trials()} times)`, async () => {
    const path = join(folder.path, 'plane.sweep');
    const parts = Array.from({ length: POINTS }, (_, k): KnownPart => {
      const settled = { attractor: Int32Array.of(k, 1), periods: Int32Array.of(3, 4), failure: null };
      return { first: 2 * k, settled };
    });
    const journal = await BasinsJournal.open(path, 'one');
    for (const part of parts) journal.add(part);
    await journal.flush();
    const bytes = readFileSync(path);
    const below = numbers(9);
    let kept = 0;
    for (let trial = 0; trial < trials(); trial++) {
      writeFileSync(path, damaged(bytes, below));
      const { known } = await BasinsJournal.open(path, 'one');
      for (const part of known) expect(part).toEqual(parts[part.first / 2]);
      if (new Set(known.map(({ first }) => first)).size >= POINTS / 2) kept++;
    }
    expect(kept).toBeGreaterThan(0.5 * trials());
  });
});

describe('the result of an analysis', () => {
  it('of which a bit has changed is not known any more', async () => {
    const store = new AnalysisStore(folder.path, '1');
    const name = 'a'.repeat(64);
    const outcome = { status: 'failed', error: { code: 'x', message: 'Some words and 0.125' } } as never;
    await store.write(name, outcome);
    expect(await store.read(name)).toEqual(outcome);
    const path = join(folder.path, `${name}.result`);
    const bytes = readFileSync(path);
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] ^= 1;
      writeFileSync(path, changed);
      expect(await store.read(name)).toBeNull();
    }
  });
});
