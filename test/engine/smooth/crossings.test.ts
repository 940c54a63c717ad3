/** Roots of functions that may jump: which side they are on, and whether they are jumps. */
import { refineCrossing, type ScalarFunction } from '@engine/smooth/bracketing';
import { describe, expect, it } from 'vitest';
import { seeded } from '../support/random';

const made = (g: (place: number) => number): ScalarFunction => {
  const place = new Float64Array(1);
  const result = new Float64Array(1);
  return { place, result, evaluate: () => (result[0] = g(place[0])) };
};

function crossing(
  g: (place: number) => number,
  from: number,
  to: number,
): { place: number; isJump: boolean } {
  const bracket = Float64Array.of(from, to);
  const isJump = refineCrossing(made(g), bracket, Float64Array.of(2 ** -52), Float64Array.of(1e-16), 1);
  return { place: bracket[0], isJump };
}

describe('a crossing of zero', () => {
  it('is no jump of a smooth function, however steep and wherever the bracket comes to', () => {
    const random = seeded(3);
    for (let k = 0; k < 500; k++) {
      const root = random.uniform(0.1, 0.9);
      const slope = 10 ** random.uniform(-3, 6) * (random.chance(0.5) ? 1 : -1);
      const width = 10 ** random.uniform(-9, -1.2);
      const { place, isJump } = crossing(
        (s) => slope * (s - root) * (1 + (s - root)),
        root - width * random.uniform(0.1, 1),
        root + width,
      );
      expect(isJump).toBe(false);
      expect(Math.abs(place - root)).toBeLessThan(1e-15);
    }
    // Zeros that are hit exactly leave the bracket wide.
    expect(crossing((s) => s - 0.5, 0.25, 0.75)).toEqual({ place: 0.5, isJump: false });
    expect(crossing((s) => s - 0.5, 0.5, 0.75)).toEqual({ place: 0.5, isJump: false });
  });

  it('is a jump where the function jumps, and its place is behind the jump', () => {
    const random = seeded(4);
    for (let k = 0; k < 500; k++) {
      const at = random.uniform(0.1, 0.9);
      const [left, right] = [random.uniform(0.01, 5), -random.uniform(0.01, 5)];
      const g = (s: number): number => (s < at ? left : right) + random.uniform(-1e-3, 1e-3) * (s - at);
      const { place, isJump } = crossing(g, at - random.uniform(0.01, 0.1), at + random.uniform(0.01, 0.1));
      expect(isJump).toBe(true);
      expect(place >= at).toBe(true);
      expect(place - at).toBeLessThan(1e-15);
    }
  });
});
