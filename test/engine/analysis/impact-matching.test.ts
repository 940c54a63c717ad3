import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  JumpZones,
  matchImpacts,
  nearest,
  timeDifferences,
} from '@engine/analysis/comparison/impact-matching';

const times = (...values: number[]): Float64Array => Float64Array.from(values);

describe('the nearest time', () => {
  it('is that of plain search', () => {
    const number = fc.double({ min: -5, max: 5, noNaN: true });
    fc.assert(
      fc.property(fc.array(number, { minLength: 1, maxLength: 30 }), number, (values, t) => {
        const sorted = Float64Array.from(values).sort();
        const found = nearest(sorted, t);
        expect(Math.abs(sorted[found] - t)).toBe(Math.min(...values.map((value) => Math.abs(value - t))));
      }),
    );
  });

  it('does not exist among none', () => expect(nearest(times(), 1)).toBe(-1));
});

describe('impacts', () => {
  it('are matched with their nearest, each once', () => {
    const { pairs, isolated, extra } = matchImpacts(times(1, 2, 3), times(1.01, 2.02, 3.05), 0.01);
    expect(isolated).toBe(3);
    expect(extra).toBe(0);
    const { matched, largest, largestTime, mean } = timeDifferences(pairs);
    expect(matched).toBe(3);
    expect(largest).toBeCloseTo(0.05, 12);
    expect(largestTime).toBe(3);
    expect(mean).toBeCloseTo(0.08 / 3, 12);
  });

  it('are missed when the nearest belongs to another, and extra when they have no counterpart', () => {
    const { pairs, isolated, extra } = matchImpacts(times(1, 2, 3), times(1.01, 2.9, 5), 0.01);
    expect(isolated).toBe(3);
    expect([...pairs.reference]).toEqual([1, 3]);
    expect([...pairs.other]).toEqual([1.01, 2.9]);
    expect(extra).toBe(1);
  });

  it('that time-stepping cannot tell apart are neither missed nor extra', () => {
    // Four steps are 0.04: the last four of the reference are too close, and what the other run has near them
    // is no more.
    const { pairs, isolated, extra } = matchImpacts(
      times(1, 2, 2.5, 2.52, 2.53, 2.535),
      times(1.01, 2.01, 2.51, 2.56),
      0.01,
    );
    expect(isolated).toBe(2);
    expect([...pairs.reference]).toEqual([1, 2]);
    expect(extra).toBe(0);
  });

  it('all count where both runs have events at their own times', () => {
    const { pairs, isolated } = matchImpacts(times(1, 1.0001, 1.0002), times(1, 1.0001, 1.0002), 0);
    expect(isolated).toBe(3);
    expect(timeDifferences(pairs)).toMatchObject({ matched: 3, largest: 0, mean: 0 });
  });

  it('of one run only leave nothing to compare', () => {
    expect(matchImpacts(times(), times(1), 0.1)).toMatchObject({ isolated: 0, extra: 1 });
    const { pairs, isolated } = matchImpacts(times(1), times(), 0.1);
    expect(isolated).toBe(1);
    expect(timeDifferences(pairs)).toMatchObject({
      matched: 0,
      largest: null,
      largestTime: null,
      mean: null,
    });
  });
});

describe('zones of jumps', () => {
  it('hold what plain search in all intervals finds', () => {
    const number = fc.integer({ min: 0, max: 200 });
    fc.assert(
      fc.property(fc.array(fc.tuple(number, number), { maxLength: 20 }), fc.array(number), (pairs, asked) => {
        const reference = Float64Array.from(pairs, ([a]) => a);
        const other = Float64Array.from(pairs, ([, b]) => b);
        const zones = new JumpZones([reference], [{ reference, other }], 1);
        for (const t of asked.sort((a, b) => a - b)) {
          const isInside = pairs.some(([a, b]) => t >= Math.min(a, b) - 2 && t <= Math.max(a, b) + 2);
          expect(zones.contains(t)).toBe(isInside);
        }
      }),
    );
  });
});
