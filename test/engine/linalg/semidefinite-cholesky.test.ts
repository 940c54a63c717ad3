import { describe, expect, it } from 'vitest';
import { SemidefiniteCholesky } from '@engine/linalg/cholesky';
import { seeded } from '../support/random';

/** Numbers in [−1, 1). */
function entries(seed: number): () => number {
  const { uniform } = seeded(seed);
  return () => uniform(-1, 1);
}

/** X ᵗX with X n × rank. */
function gram(n: number, rank: number, random: () => number): Float64Array {
  const x = Float64Array.from({ length: n * rank }, random);
  return Float64Array.from({ length: n * n }, (_, e) => {
    let sum = 0;
    for (let k = 0; k < rank; k++) sum += x[Math.floor(e / n) * rank + k] * x[(e % n) * rank + k];
    return sum;
  });
}

const product = (a: Float64Array, x: Float64Array): Float64Array =>
  x.map((_, i) => x.reduce((sum, value, j) => sum + a[i * x.length + j] * value, 0));

describe('a semidefinite matrix', () => {
  it.each([
    [1, 1],
    [7, 7],
    [9, 4],
    [12, 6],
    [5, 0],
  ])('of %i rows has its rank %i, and systems that have solutions are solved', (n, rank) => {
    const random = entries(3 + n);
    const a = gram(n, rank, random);
    const cholesky = new SemidefiniteCholesky(n);
    cholesky.factor(a, n);
    expect(cholesky.rank).toBe(rank);
    const b = product(a, Float64Array.from({ length: n }, random));
    const x = b.slice();
    cholesky.solve(x);
    product(a, x).forEach((value, i) => expect(value).toBeCloseTo(b[i], 11));
    expect(x.filter((value) => value === 0)).toHaveLength(n - rank);
  });

  it('smaller than the capacity is factorised after a larger one', () => {
    const random = entries(1);
    const cholesky = new SemidefiniteCholesky(6);
    cholesky.factor(gram(6, 6, random), 6);
    const a = gram(3, 2, random);
    cholesky.factor(a, 3);
    expect(cholesky.rank).toBe(2);
    const b = product(a, Float64Array.of(1, 2, 3));
    const x = Float64Array.of(9, ...b);
    cholesky.solve(x, 1);
    product(a, x.slice(1)).forEach((value, i) => expect(value).toBeCloseTo(b[i], 12));
    expect(x[0]).toBe(9);
  });
});
