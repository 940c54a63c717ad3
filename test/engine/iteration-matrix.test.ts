/** Iteration matrices of every shape against dense elimination. */
import { describe, expect, it } from 'vitest';
import { IterationMatrix } from '@engine/integrators/iteration-matrix';
import { sparseFromDense } from '@engine/linalg/sparse';
import { flat, type Matrix, randomMatrix, solve, zeros } from './support/dense';
import { type Random, seeded } from './support/random';

/** Non-zero within `band` of a diagonal that is scattered by a permutation. */
function scattered(random: Random, n: number, band: number, symmetric: boolean): Matrix {
  const a = zeros(n, n);
  const places = random.sample(n, n);
  for (let i = 0; i < n; i++) {
    for (let j = Math.max(0, i - band); j <= Math.min(n - 1, i + band); j++) {
      const value = i === j ? 4 * band + 2 : random.uniform(-1, 1);
      if (symmetric && j > i) continue;
      a[places[i]][places[j]] = value;
      if (symmetric) a[places[j]][places[i]] = value;
    }
  }
  return a;
}

function distance(a: Matrix, symmetric: boolean): number {
  const n = a.length;
  const matrix = new IterationMatrix(sparseFromDense(flat(a), n, n), symmetric);
  expect(matrix.factor()).toBe(true);
  const b = Array.from({ length: n }, (_, i) => Math.sin(i + 1));
  const x = Float64Array.from([9, ...b, 9]);
  matrix.solve(x, 1);
  expect([x[0], x[n + 1]]).toEqual([9, 9]);
  const exact = solve(a, b);
  return Math.max(...exact.map((value, i) => Math.abs(value - x[i + 1])));
}

describe('an iteration matrix', () => {
  it.each([
    ['diagonal', 12, 0, true],
    ['small and full', 5, 4, false],
    ['thin and symmetric', 60, 2, true],
    ['thin and not symmetric', 60, 2, false],
    ['wide', 40, 30, false],
    ['wide and symmetric', 40, 30, true],
  ] as const)('that is %s solves as dense elimination does', (_, n, band, symmetric) => {
    const random = seeded(n + band);
    for (let k = 0; k < 10; k++)
      expect(distance(scattered(random, n, band, symmetric), symmetric)).toBeLessThan(1e-12);
  });

  it('that is symmetric and not positive definite falls back to LU', () => {
    const n = 30;
    const a = scattered(seeded(5), n, 1, true).map((row, i) =>
      row.map((x, j) => (i === j ? (i % 3 === 0 ? -x : x) : x)),
    );
    expect(distance(a, true)).toBeLessThan(1e-12);
  });

  it.each([4, 30])('of size %i that is singular says so', (n) => {
    const a = randomMatrix(seeded(n), n, n);
    a[n - 1] = [...a[0]];
    expect(new IterationMatrix(sparseFromDense(flat(a), n, n), false).factor()).toBe(false);
  });
});
