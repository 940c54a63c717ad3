/** Reading a recorded run, against the plain definition over all rows. */
import { describe, expect, it } from 'vitest';
import type { ChunkLayout, ChunkSource } from '@engine/recording/chunks';
import { type Portrait, type Series, TrajectoryReader } from '@engine/recording/reading';
import { type Random, seeded } from './support/random';

/** A table of columns, column 0 time, that can grow and hands out one buffer for everything. */
class TableSource implements ChunkSource {
  readonly layout: ChunkLayout;
  readonly #buffer: Float64Array;
  visible: number;

  constructor(
    readonly columns: Float64Array[],
    rowsPerChunk: number,
  ) {
    this.layout = { columns: columns.length, rowsPerChunk };
    this.visible = columns[0].length;
    this.#buffer = new Float64Array(rowsPerChunk);
  }

  rows(): number {
    return this.visible;
  }

  column(chunk: number, column: number): Float64Array {
    const first = chunk * this.layout.rowsPerChunk;
    // What has not been published yet is rubbish, not to be read.
    this.#buffer.fill(1e99);
    this.#buffer.set(
      this.columns[column].subarray(first, Math.min(this.visible, first + this.layout.rowsPerChunk)),
    );
    return this.#buffer;
  }
}

/** Uneven but increasing times, a noisy signal with rare spikes, and a smooth one. */
function table(random: Random, rows: number): Float64Array[] {
  const t = new Float64Array(rows);
  for (let k = 1; k < rows; k++) t[k] = t[k - 1] + random.uniform(0.5e-3, 1.5e-3);
  const noise = t.map(() => (random.chance(1e-3) ? random.uniform(-100, 100) : random.uniform(-1, 1)));
  const smooth = t.map((time) => Math.sin(3 * time) * Math.exp(-time));
  return [t, noise, smooth];
}

const ROWS = 30_000;
/** Many columns make chunks of 64 rows, shorter than a block of the pyramid; few make long ones. */
const CHUNKS = [64, 256, 4096, 65_536];

const source = (rowsPerChunk: number): TableSource => new TableSource(table(seeded(1), ROWS), rowsPerChunk);

/** Rows of a time window, one more on each side. */
function windowRows(t: Float64Array, from: number, to: number): { first: number; end: number } {
  let first = t.findIndex((time) => time >= from);
  if (first < 0) first = t.length;
  let end = t.findIndex((time) => time > to);
  if (end < 0) end = t.length;
  return { first: Math.max(0, first - 1), end: Math.min(t.length, end + 1) };
}

/**
 * Place in the series, and how it is wrong there; null when every point is a recorded row and they come in
 * time order.
 */
function defectOf({ t, y }: Series, rowOf: ReadonlyMap<number, number>, values: Float64Array): string | null {
  if (y.length !== t.length) return `${y.length} values at ${t.length} times`;
  let last = -1;
  for (let i = 0; i < t.length; i++) {
    const row = rowOf.get(t[i]) ?? -1;
    if (row <= last) return `row ${row} after row ${last}`;
    if (y[i] !== values[row]) return `${y[i]} instead of ${values[row]} in row ${row}`;
    last = row;
  }
  return null;
}

const minimum = (values: Float64Array): number =>
  values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
const maximum = (values: Float64Array): number =>
  values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);

describe.each(CHUNKS)('windows over chunks of %i rows', (rowsPerChunk) => {
  const table = source(rowsPerChunk);
  const { columns } = table;
  const [t] = columns;
  const reader = new TrajectoryReader(table);
  const end = t[ROWS - 1];
  const rowOf = new Map([...t].map((time, k) => [time, k]));

  it('keep every extremum of every bucket', () => {
    const random = seeded(2);
    for (let k = 0; k < 60; k++) {
      const from = random.uniform(-0.1, end);
      const to = from + random.uniform(0, random.chance(0.5) ? end : 1);
      const buckets = random.integer(1, 400);
      const { first, end: stop } = windowRows(t, from, to);
      const count = stop - first;
      const { rows, rowsPerBucket, series } = reader.window([1, 2], from, to, buckets);
      expect(rows).toBe(count);
      series.forEach((one, s) => {
        expect(defectOf(one, rowOf, columns[s + 1])).toBeNull();
        expect(one.t.length).toBeLessThanOrEqual(4 * buckets + 2);
        // The smooth signal has no jump, and needs no more than its extrema.
        if (s === 1 && count >= 5 * buckets) expect(one.t.length).toBeLessThanOrEqual(2 * buckets + 2);
        if (count <= 2 * buckets) {
          expect(rowsPerBucket).toBe(1);
          expect(one.t).toEqual(t.slice(first, stop));
          return;
        }
        expect(rowsPerBucket).toBe(count / buckets);
        const kept = new Set(one.y);
        const values = columns[s + 1];
        // A curve reaches both ends of its window.
        expect([one.t[0], one.t.at(-1)]).toEqual([t[first], t[stop - 1]]);
        expect([one.y[0], one.y.at(-1)]).toEqual([values[first], values[stop - 1]]);
        expect(kept.has(minimum(values.subarray(first, stop)))).toBe(true);
        expect(kept.has(maximum(values.subarray(first, stop)))).toBe(true);
        // With wide buckets the pyramid may shift a border by less than a block of 256 rows; narrower ones
        // are exact.
        if (rowsPerBucket >= 4 * 256) return;
        const missing: number[] = [];
        for (let b = 0; b < buckets; b++) {
          const begin = first + Math.floor((b * count) / buckets);
          const after = first + Math.floor(((b + 1) * count) / buckets);
          const bucket = values.subarray(begin, after);
          if (!kept.has(minimum(bucket)) || !kept.has(maximum(bucket))) missing.push(b);
        }
        expect(missing).toEqual([]);
      });
    }
  });

  it('lose no spike, wherever it stands', () => {
    const random = seeded(3);
    const spiked = new TableSource([t, new Float64Array(ROWS)], rowsPerChunk);
    for (let k = 0; k < 200; k++) {
      const row = [0, ROWS - 1, 255, 256, 257][k] ?? random.integer(0, ROWS - 1);
      const height = random.chance(0.5) ? 1 : -1;
      spiked.columns[1].fill(0);
      spiked.columns[1][row] = height;
      const { series } = new TrajectoryReader(spiked).window(
        [1],
        undefined,
        undefined,
        random.integer(5, 300),
      );
      const at = series[0].y.indexOf(height);
      expect(at).toBeGreaterThanOrEqual(0);
      expect(series[0].t[at]).toBe(t[row]);
    }
  });

  it('draw a jump between two levels upright, wherever it stands', () => {
    const random = seeded(5);
    for (let k = 0; k < 60; k++) {
      const row = [1, ROWS - 1, 256, 257, 4096][k] ?? random.integer(1, ROWS - 1);
      // Levels as computed ones are: the same up to rounding, extremal anywhere.
      const levels = Float64Array.from(
        { length: ROWS },
        (_, i) => (i < row ? 9 : 7) * (1 + random.uniform(-1, 1) * 2 ** -50),
      );
      const stepped = new TrajectoryReader(new TableSource([t, levels], rowsPerChunk));
      const { series } = stepped.window([1], undefined, undefined, random.integer(5, 300));
      const at = series[0].y.findIndex((value) => value < 8);
      expect([series[0].t[at - 1], series[0].t[at]]).toEqual([t[row - 1], t[row]]);
    }
  });

  it('show what is there around values that are not numbers', () => {
    const holed = new TableSource([t, columns[2].slice()], rowsPerChunk);
    // Whole stretches, single rows, and the first row of blocks and chunks.
    for (let row = 0; row < ROWS; row += 64) holed.columns[1][row] = Number.NaN;
    holed.columns[1].fill(Number.NaN, 1000, 3000);
    holed.columns[1][7777] = 5;
    const finite = holed.columns[1].filter((value) => !Number.isNaN(value));
    for (const buckets of [10, 100, 1000]) {
      const { series } = new TrajectoryReader(holed).window([1], undefined, undefined, buckets);
      const seen = series[0].y.filter((value) => !Number.isNaN(value));
      expect(Math.max(...seen)).toBe(5);
      expect(Math.min(...seen)).toBe(Math.min(...finite));
      expect(seen.length).toBeGreaterThan(buckets);
    }
  });

  it('reach one row beyond their edges', () => {
    const { series } = reader.window([2], t[100] + 1e-9, t[110] - 1e-9, 100);
    expect(series[0].t).toEqual(t.slice(100, 111));
    expect(reader.window([2], t[100], t[110], 100).series[0].t).toEqual(t.slice(99, 112));
  });

  it('outside the record hold at most its edge', () => {
    expect(reader.window([1], end + 1, end + 2, 10).rows).toBeLessThanOrEqual(1);
    expect(reader.window([1], -2, -1, 10).rows).toBeLessThanOrEqual(1);
    expect(reader.window([1], 2, 1, 10).series).toHaveLength(1);
  });

  it('tell the extent of the record', () => {
    expect(reader.window([1], 1, 2, 10)).toMatchObject({ recordedFrom: 0, recordedTo: end });
  });

  it('grow with the run', () => {
    const growing = source(rowsPerChunk);
    const live = new TrajectoryReader(growing);
    for (const visible of [1, 2, 63, 64, 65, 255, 256, 257, 1000, 4096, 5000, 20_000, 29_999, ROWS]) {
      growing.visible = visible;
      const { rows, series, recordedTo } = live.window([1], undefined, undefined, 4);
      expect(rows).toBe(visible);
      expect(recordedTo).toBe(t[visible - 1]);
      const values = columns[1].subarray(0, visible);
      expect(series[0].y).toContain(Math.max(...values));
      expect(series[0].y).toContain(Math.min(...values));
      expect(Math.max(...series[0].t)).toBeLessThanOrEqual(recordedTo);
    }
  });

  it('agree with those of a fresh reader after any history', () => {
    const random = seeded(4);
    const growing = source(rowsPerChunk);
    const live = new TrajectoryReader(growing);
    for (let visible = 100; visible < ROWS; visible += random.integer(1, 3000)) {
      growing.visible = visible;
      const buckets = random.integer(1, 12);
      const got = live.window([1, 2], undefined, undefined, buckets);
      expect(got).toEqual(new TrajectoryReader(growing).window([1, 2], undefined, undefined, buckets));
    }
  });

  it('make portraits of every point, or of visits that add up', () => {
    const points = reader.portrait(1, 2, 1, 2, 200_000, 64, 32);
    const { first, end: stop } = windowRows(t, 1, 2);
    expect(points).toEqual({
      kind: 'points',
      rows: stop - first,
      x: columns[1].slice(first, stop),
      y: columns[2].slice(first, stop),
    });

    const density = reader.portrait(2, 1, undefined, undefined, 1000, 64, 32) as Extract<
      Portrait,
      { kind: 'density' }
    >;
    expect(density).toMatchObject({ kind: 'density', rows: ROWS, width: 64, height: 32 });
    expect(density.xMin).toBe(Math.min(...columns[2]));
    expect(density.xMax).toBe(Math.max(...columns[2]));
    expect(density.yMin).toBe(Math.min(...columns[1]));
    expect(density.yMax).toBe(Math.max(...columns[1]));
    expect(density.counts.reduce((a, b) => a + b, 0)).toBe(ROWS);
    const expected = new Uint32Array(64 * 32);
    for (let k = 0; k < ROWS; k++) {
      const cell = (value: number, low: number, high: number, cells: number): number =>
        Math.min(cells - 1, Math.floor((value - low) * (cells / (high - low))));
      const column = cell(columns[2][k], density.xMin, density.xMax, 64);
      const line = cell(columns[1][k], density.yMin, density.yMax, 32);
      expected[line * 64 + column]++;
    }
    expect(density.counts).toEqual(expected);
  });

  it('give plain rows, as many as there are', () => {
    const rows = reader.rows([0, 2], 250, 1000);
    expect(rows).toEqual({ firstRow: 250, columns: [t.slice(250, 1250), columns[2].slice(250, 1250)] });
    expect(reader.rows([1], ROWS - 3, 100).columns[0]).toEqual(columns[1].slice(ROWS - 3));
    expect(reader.rows([1], ROWS + 5, 100)).toEqual({ firstRow: ROWS, columns: [new Float64Array(0)] });
  });

  it('give means of groups of rows where there are too many', () => {
    const t = Float64Array.from({ length: 1003 }, (_, k) => k);
    const reader = new TrajectoryReader(new TableSource([t, t.map((k) => 2 * k)], 64));
    expect(reader.means(1, undefined, undefined, 2000)).toMatchObject({ mean: 1, y: t.map((k) => 2 * k) });
    const { t: times, y, mean } = reader.means(1, undefined, undefined, 300);
    expect(mean).toBe(4);
    expect(times).toHaveLength(250);
    times.forEach((time, k) => expect(time).toBeCloseTo(4 * k + 1.5, 9));
    y.forEach((value, k) => expect(value).toBeCloseTo(2 * (4 * k + 1.5), 9));
  });

  it('give every n-th row, the first included, within as many rows as were asked for', () => {
    for (const [first, count, every] of [
      [250, 1000, 7],
      [0, ROWS, 1000],
      [3, 15, 5],
      [3, 16, 5],
      [ROWS - 3, 100, 2],
      [5, 10, 100],
    ]) {
      const wanted = columns[2].filter(
        (_, row) => row >= first && row < first + count && (row - first) % every === 0,
      );
      expect(reader.rows([2], first, count, every).columns[0]).toEqual(wanted);
    }
  });
});

describe('special records', () => {
  it('an empty one gives empty answers', () => {
    const empty = source(64);
    empty.visible = 0;
    const reader = new TrajectoryReader(empty);
    expect(reader.window([1], 0, 1, 10)).toMatchObject({ rows: 0, rowsPerBucket: 1 });
    expect(reader.portrait(1, 2, undefined, undefined, 10, 16, 16)).toMatchObject({
      kind: 'points',
      rows: 0,
    });
    expect(reader.rows([1], 0, 10).columns[0]).toHaveLength(0);
  });

  it('a portrait of visits shows the line between the two rows of an event', () => {
    const n = 500;
    const t = Float64Array.from({ length: n }, (_, i) => (i < n / 2 ? i : i - 1));
    const x = Float64Array.from({ length: n }, (_, i) => (i < n / 2 ? 0 : 3));
    const y = Float64Array.from({ length: n }, (_, i) => (i < n / 2 ? 0 : 1));
    const visits = (time: Float64Array): number[] => {
      const reader = new TrajectoryReader(new TableSource([time, x, y], 64));
      const portrait = reader.portrait(1, 2, undefined, undefined, 10, 4, 2);
      return [...(portrait as Extract<Portrait, { kind: 'density' }>).counts];
    };
    expect(visits(t)).toEqual([n / 2, 1, 0, 0, 0, 0, 1, n / 2]);
    const apart = Float64Array.from({ length: n }, (_, i) => i);
    expect(visits(apart)).toEqual([n / 2, 0, 0, 0, 0, 0, 0, n / 2]);
  });

  it('a part of a portrait counts again what lies in it, and tells of all of it', () => {
    const columns = table(seeded(3), 5000);
    const reader = new TrajectoryReader(new TableSource(columns, 256));
    const view = { xMin: 0.1, xMax: 0.2, yMin: -0.5, yMax: 0.25 };
    const part = reader.portrait(2, 1, undefined, undefined, 1000, 32, 16, view);
    if (part.kind !== 'density') throw new Error('expected a density');
    expect(part).toMatchObject({ rows: 5000, ...view });
    expect(part.bounds).toEqual({
      xMin: Math.min(...columns[2]),
      xMax: Math.max(...columns[2]),
      yMin: Math.min(...columns[1]),
      yMax: Math.max(...columns[1]),
    });
    const expected = new Uint32Array(32 * 16);
    columns[2].forEach((x, k) => {
      const y = columns[1][k];
      if (x < view.xMin || x > view.xMax || y < view.yMin || y > view.yMax) return;
      const column = Math.min(31, Math.floor((x - view.xMin) * (32 / (view.xMax - view.xMin))));
      const line = Math.min(15, Math.floor((y - view.yMin) * (16 / (view.yMax - view.yMin))));
      expected[32 * line + column]++;
    });
    expect(part.counts).toEqual(expected);
    expect(expected.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(20);
  });

  it('a part of a portrait shows the jump that goes through it from one side to the other, however far it zooms', () => {
    const n = 500;
    const t = Float64Array.from({ length: n }, (_, i) => (i < n / 2 ? i : i - 1));
    const x = Float64Array.from({ length: n }, (_, i) => (i < n / 2 ? 0 : 3));
    const y = Float64Array.from({ length: n }, (_, i) => (i < n / 2 ? 0.5 : 0.5 + 1e-13));
    const reader = new TrajectoryReader(new TableSource([t, x, y], 64));
    for (const side of [1, 1e-3, 1e-9]) {
      const view = { xMin: 1.5 - side / 2, xMax: 1.5 + side / 2, yMin: 0, yMax: 1 };
      const part = reader.portrait(1, 2, undefined, undefined, 10, 4, 2, view);
      expect([...(part as Extract<Portrait, { kind: 'density' }>).counts]).toEqual([0, 0, 0, 0, 1, 1, 1, 1]);
    }
  });

  it('a signal that does not change is one cell of a portrait', () => {
    const constant = new TableSource(
      [Float64Array.from({ length: 500 }, (_, i) => i), new Float64Array(500).fill(3)],
      64,
    );
    const portrait = new TrajectoryReader(constant).portrait(1, 1, undefined, undefined, 100, 16, 16);
    expect(portrait).toMatchObject({ kind: 'density', xMin: 3, xMax: 3 });
    expect((portrait as Extract<Portrait, { kind: 'density' }>).counts[0]).toBe(500);
  });
});
