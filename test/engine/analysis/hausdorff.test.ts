/** Hausdorff distances against all pairs. */
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { hausdorffDistance, type PlaneSet } from '@engine/analysis/comparison/hausdorff';

function byPairs(a: PlaneSet, b: PlaneSet, [sx, sy]: [number, number]): number {
  const from = (p: PlaneSet, q: PlaneSet): number => {
    let most = 0;
    p.x.forEach((x, i) => {
      let least = Infinity;
      q.x.forEach((u, k) => {
        least = Math.min(least, Math.hypot((x - u) / sx, (p.y[i] - q.y[k]) / sy));
      });
      most = Math.max(most, least);
    });
    return most;
  };
  return Math.max(from(a, b), from(b, a));
}

const coordinate = fc.oneof(fc.double({ min: -3, max: 3, noNaN: true }), fc.constantFrom(0, 1, 1e-9, 50));
const set = fc.array(fc.tuple(coordinate, coordinate), { minLength: 1, maxLength: 60 }).map((points) => ({
  x: Float64Array.from(points, ([x]) => x),
  y: Float64Array.from(points, ([, y]) => y),
}));
const scale = fc.tuple(fc.constantFrom(1, 0.1, 7), fc.constantFrom(1, 20));

describe('the Hausdorff distance', () => {
  it('is that of all pairs', () => {
    fc.assert(
      fc.property(set, set, scale, (a, b, s) => {
        expect(hausdorffDistance(a, b, s).distance).toBeCloseTo(byPairs(a, b, s), 10);
      }),
      { numRuns: 300 },
    );
  });

  it('tells from which set, and where', () => {
    const line = { x: Float64Array.of(0, 1, 2), y: Float64Array.of(0, 0, 0) };
    const more = { x: Float64Array.of(0, 1, 2, 2), y: Float64Array.of(0, 0, 0, 3) };
    expect(hausdorffDistance(line, more)).toEqual({
      distance: 3,
      fromA: { distance: 0, at: 0 },
      fromB: { distance: 3, at: 3 },
    });
  });

  it('of nothing and something is infinite, of nothing and nothing zero', () => {
    const none = { x: new Float64Array(0), y: new Float64Array(0) };
    const one = { x: Float64Array.of(1), y: Float64Array.of(1) };
    expect(hausdorffDistance(none, one).distance).toBe(Infinity);
    expect(hausdorffDistance(none, none).distance).toBe(0);
  });
});
