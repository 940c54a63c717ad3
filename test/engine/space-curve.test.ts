/** Trajectories in space, as few rows as a picture needs. */
import { describe, expect, it } from 'vitest';
import { MemoryChunks } from '@engine/recording/chunks';
import { Recorder } from '@engine/recording/recorder';
import { spaceCurve } from '@engine/recording/space-curve';

/** A recording of t, x, y, z. */
function recorded(count: number, at: (k: number) => [number, number, number]): MemoryChunks {
  const sink = new MemoryChunks();
  const recorder = new Recorder(sink, Int32Array.of(0, 1, 2, 3));
  for (let k = 0; k < count; k++) recorder.record(Float64Array.of(k, ...at(k)));
  recorder.publish();
  return sink;
}
const torus = (k: number): [number, number, number] => {
  const [u, v] = [0.01 * k, 0.01 * k * Math.SQRT2];
  return [(2 + Math.cos(v)) * Math.cos(u), (2 + Math.cos(v)) * Math.sin(u), Math.sin(v)];
};

describe('a trajectory in space', () => {
  it('is every row while they are few', () => {
    const { rows, cells, t, x, y, z } = spaceCurve(
      recorded(1000, torus),
      [1, 2, 3],
      undefined,
      undefined,
      1000,
    );
    expect([rows, cells, t.length]).toEqual([1000, 0, 1000]);
    expect([x[7], y[7], z[7]]).toEqual(torus(7));
    const part = spaceCurve(recorded(1000, torus), [1, 2, 3], 100, 200, 1000);
    expect([part.t[0], part.t.at(-1)]).toEqual([99, 201]);
  });

  it('of many rows passes through every cell that they pass through', () => {
    const count = 200_000;
    const { rows, cells, t, x, y, z } = spaceCurve(
      recorded(count, torus),
      [1, 2, 3],
      undefined,
      undefined,
      60_000,
    );
    expect(rows).toBe(count);
    expect(t.length).toBeLessThanOrEqual(60_002);
    expect(cells).toBeGreaterThan(32);
    const cellOf = (p: readonly number[], n: number): string =>
      p
        .map((value, k) => Math.min(n - 1, Math.floor(((value + (k < 2 ? 3 : 1)) / (k < 2 ? 6 : 2)) * n)))
        .join();
    // Bounds of the torus are not quite those of its rows: neighbours of a cell may differ, coarser ones do
    // not.
    const coarse = 16;
    const all = new Set(Array.from({ length: count }, (_, k) => cellOf(torus(k), coarse)));
    const drawn = new Set(Array.from(t, (_, i) => cellOf([x[i], y[i], z[i]], coarse)));
    drawn.delete(cellOf([NaN, NaN, NaN], coarse));
    expect([...all].filter((cell) => !drawn.has(cell))).toEqual([]);
    // Pieces are of neighbouring rows.
    for (let i = 1; i < t.length; i++)
      if (Number.isFinite(t[i]) && Number.isFinite(t[i - 1])) expect(t[i]).toBe(t[i - 1] + 1);
    expect(t.at(-1)).toBe(count - 1);
  });

  it('leaves out what is no number, and does not fail on a constant', () => {
    const gap = recorded(5000, (k) => (k === 10 ? [NaN, 0, 0] : [k, 1, 1]));
    const { t, y } = spaceCurve(gap, [1, 2, 3], undefined, undefined, 1000);
    expect(t.length).toBeLessThan(1100);
    expect(y.every((value) => value === 1 || Number.isNaN(value))).toBe(true);
    expect(spaceCurve(new MemoryChunks(), [1, 2, 3], undefined, undefined, 10).rows).toBe(0);
  });
});
