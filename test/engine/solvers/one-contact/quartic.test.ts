/** Real roots of quartics that are built from their roots. */
import { describe, expect, it } from 'vitest';
import { Quartic } from '@engine/solvers/one-contact/slip-directions';
import { seeded } from '../../support/random';

/** Coefficients of factor · Π (t − root) · rest. */
function polynomial(roots: readonly number[], factor = 1, rest: readonly number[] = [1]): number[] {
  let p = rest.map((entry) => entry * factor);
  for (const root of roots)
    p = [...p, 0].map((_, k) => (k > 0 ? p[k - 1] : 0) - root * (k < p.length ? p[k] : 0));
  return p;
}

function rootsOf(p: readonly number[], limit = 10): number[] {
  const quartic = new Quartic();
  quartic.p.set(p);
  quartic.find(limit);
  return [...quartic.roots.slice(0, quartic.count)];
}

const near = (found: readonly number[], expected: readonly number[], tolerance: number): void => {
  expect(found.length).toBe(expected.length);
  for (const [k, root] of expected.entries())
    expect(Math.abs(found[k] - root)).toBeLessThanOrEqual(tolerance);
};

describe('simple roots', () => {
  it('are found to rounding, two or four of them', () => {
    const random = seeded(3);
    for (let k = 0; k < 3000; k++) {
      const roots = [-4, -1.5, 0.5, 3].map((place) => place + random.uniform(-0.8, 0.8));
      near(rootsOf(polynomial(roots, random.uniform(-3, 3) || 1)), roots, 1e-12);
      // t² + 2bt + b² + c has no real root.
      const b = random.uniform(-3, 3);
      const two = [roots[0], roots[2]];
      near(rootsOf(polynomial(two, 1, [b * b + random.uniform(0.5, 4), 2 * b, 1])), two, 1e-12);
    }
  });

  it('at zero are found, too', () => near(rootsOf(polynomial([-1, 0, 1, 2])), [-1, 0, 1, 2], 1e-15));

  it('outside the interval are left out', () => near(rootsOf(polynomial([-20, 1, 2, 11])), [1, 2], 1e-12));

  it('are none where there are none', () => near(rootsOf([1, 0, 1, 0, 1]), [], 0));
});

describe('a degree that drops', () => {
  it('leaves the roots of the cubic, the quadratic and the line', () => {
    near(rootsOf(polynomial([-2, 0.25, 5])), [-2, 0.25, 5], 1e-14);
    near(rootsOf(polynomial([-2, 5])), [-2, 5], 1e-14);
    near(rootsOf(polynomial([3])), [3], 1e-15);
    near(rootsOf([7]), [], 0);
  });

  it('or nearly drops, sends roots far away and keeps the others', () =>
    near(rootsOf(polynomial([-2, 0.25, 5], 1, [1, -1e-15])), [-2, 0.25, 5], 1e-13));
});

describe('multiple roots', () => {
  it('count once: double', () => near(rootsOf(polynomial([1, 1, 4])), [1, 4], 1e-7));
  it('count once: two double', () => near(rootsOf(polynomial([-2, -2, 3, 3])), [-2, 3], 1e-7));
  it('count once: triple', () => near(rootsOf(polynomial([1, 1, 1, 4])), [1, 4], 1e-4));
  it('count once: fourfold', () => near(rootsOf(polynomial([1, 1, 1, 1])), [1], 1e-3));

  it('are found when p touches zero in a random place', () => {
    const random = seeded(4);
    for (let k = 0; k < 2000; k++) {
      const root = random.uniform(-5, 5);
      // No other real root: the extremum alone can tell.
      near(rootsOf(polynomial([root, root], 1, [random.uniform(1, 4), 0, 1])), [root], 1e-6);
    }
  });

  it('are distinguished from misses and pairs that exceed rounding', () => {
    near(rootsOf([1 + 1e-12, -2, 1]), [], 0);
    near(rootsOf([1 - 1e-12, -2, 1]), [1 - 1e-6, 1 + 1e-6], 1e-9);
  });
});

it('what the coefficients may be wrong by widens rounding', () => {
  const quartic = new Quartic();
  quartic.p.set([1 + 1e-9, -2, 1]);
  quartic.find(5);
  expect(quartic.count).toBe(0);
  quartic.error[0] = 1e-9;
  quartic.find(5);
  expect(quartic.count).toBe(1);
  expect(Math.abs(quartic.roots[0] - 1)).toBeLessThan(1e-7);
});

it('units of p do not matter', () => {
  const p = polynomial([-3, -0.1, 0.2, 4]);
  for (const power of [-300, -40, 40, 250])
    expect(rootsOf(p.map((entry) => entry * 2 ** power))).toEqual(rootsOf(p));
});
