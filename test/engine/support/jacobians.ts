/** Comparison of vectors and of Jacobians with their differences. */
import { expect } from 'vitest';

/** Central differences of functions of size 1 keep ten digits; the rest is for their third derivatives. */
const DIFFERENCES = 1e-6;

/** Entry by entry, relative to values above 1 and absolute below. */
export function expectClose(
  actual: Float64Array,
  expected: ArrayLike<number>,
  tolerance: number = DIFFERENCES,
): void {
  expect(actual).toHaveLength(expected.length);
  actual.forEach((value, i) => {
    expect(Math.abs(value - expected[i])).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(expected[i])));
  });
}
