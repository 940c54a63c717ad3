/** Curves without the points that cannot be told apart on the screen. */
import { describe, expect, it } from 'vitest';
import { thinned } from '@figures/thinned';

const pairs = (flat: Float64Array): number[][] =>
  Array.from({ length: flat.length / 2 }, (_, i) => [...flat.subarray(2 * i, 2 * i + 2)]);

/**
 * Distance of a point from a segment where one unit of each axis is one reach, in the larger of both
 * directions.
 */
function distance([x, y]: number[], [ax, ay]: number[], [bx, by]: number[]): number {
  let best = Infinity;
  for (let k = 0; k <= 200; k++) {
    const s = k / 200;
    best = Math.min(best, Math.max(Math.abs(x - ax - s * (bx - ax)), Math.abs(y - ay - s * (by - ay))));
  }
  return best;
}

describe('a thinned curve', () => {
  const n = 20_000;
  const x = Float64Array.from({ length: n }, (_, i) => 100 * Math.cos(i / 500));
  const y = Float64Array.from({ length: n }, (_, i) => 60 * Math.sin(i / 333) + (i % 4000 === 17 ? 40 : 0));

  it('has far fewer points, in their order, and its ends', () => {
    const drawn = pairs(thinned(x, y, 0.5, 0.5));
    expect(drawn.length).toBeLessThan(n / 2);
    expect(drawn[0]).toEqual([x[0], y[0]]);
    expect(drawn.at(-1)).toEqual([x[n - 1], y[n - 1]]);
    let from = 0;
    for (const [px, py] of drawn) {
      while (from < n && (x[from] !== px || y[from] !== py)) from++;
      expect(from).toBeLessThan(n);
    }
  });

  it('passes every point of the curve within its reach, spikes included', () => {
    const drawn = pairs(thinned(x, y, 0.5, 0.25));
    const scaled = drawn.map(([px, py]) => [px / 0.5, py / 0.25]);
    let at = 0;
    for (let i = 0; i < n; i++) {
      // The piece of the drawn curve that this point belongs to.
      while (at + 1 < drawn.length - 1 && drawn[at + 1]?.[0] === x[i] && drawn[at + 1]?.[1] === y[i]) at++;
      const nearest = distance([x[i] / 0.5, y[i] / 0.25], scaled[at], scaled[at + 1]);
      expect(nearest).toBeLessThanOrEqual(1);
    }
  });

  it('has all points where the reach is none', () => {
    expect(thinned(x, y, 0, 0)).toHaveLength(2 * n);
  });

  it('keeps points that are not numbers, so that the curve stays interrupted', () => {
    const broken = thinned(
      Float64Array.of(0, 0.1, NaN, 0.1, 0.2, 0.3),
      Float64Array.of(0, 0, 0, 0, 0, 0),
      1,
      1,
    );
    expect(pairs(broken)).toEqual([
      [0, 0],
      [NaN, 0],
      [0.1, 0],
      [0.3, 0],
    ]);
  });

  it('of nothing is nothing', () => {
    expect(thinned(new Float64Array(0), new Float64Array(0), 1, 1)).toHaveLength(0);
  });
});
