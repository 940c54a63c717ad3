/** Factorisations of the solvers, against Gaussian elimination with full pivoting. */
import { describe, expect, it } from 'vitest';
import { BandLU, factorDense, solveDense } from '@engine/linalg/lu';
import { EnvelopeCholesky } from '@engine/linalg/cholesky';
import { ProductForm } from '@engine/linalg/product-form';
import { identity, type Matrix, randomGram, randomMatrix, solve, times, transpose } from '../support/dense';
import { seeded } from '../support/random';
import { randomVector } from './support/families';

const byColumns = (a: Matrix): Float64Array => Float64Array.from(transpose(a).flat());
const largest = (x: readonly number[]): number =>
  x.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

describe('dense LU', () => {
  it('solves random systems of every size, anywhere in an array', () => {
    const random = seeded(1);
    for (let n = 1; n <= 20; n++) {
      const a = randomMatrix(random, n, n);
      const b = randomVector(random, n);
      const offset = random.integer(0, 5);
      const factors = new Float64Array(offset + n * n + 3).fill(7);
      factors.set(byColumns(a), offset);
      const pivots = new Int32Array(n + 2);
      expect(factorDense(factors, offset, n, pivots, 2)).toBe(-1);
      const x = Float64Array.from(b);
      solveDense(factors, offset, n, pivots, 2, x);
      const reference = solve(a, b);
      expect(largest(reference.map((value, i) => value - x[i]))).toBeLessThan(
        1e-10 * (1 + largest(reference)),
      );
      // What lies around the block is not touched.
      expect([...factors.subarray(0, offset), ...factors.subarray(offset + n * n)]).toEqual(
        new Array<number>(offset + 3).fill(7),
      );
    }
  });

  it('names the first column that depends on those before it', () => {
    const a = [
      [1, 2, 3, 1],
      [2, 1, 3, 0],
      [0, 5, 5, 1],
      [1, 1, 2, 9],
    ];
    expect(factorDense(byColumns(a), 0, 4, new Int32Array(4), 0)).toBe(2);
    expect(factorDense(new Float64Array(9), 0, 3, new Int32Array(3), 0)).toBe(0);
  });
});

describe('banded LU', () => {
  it('solves bands of every width, one after another in the same workspace', () => {
    const random = seeded(4);
    const lu = new BandLU();
    for (let k = 0; k < 60; k++) {
      const n = random.integer(1, 12);
      const lower = random.integer(0, n - 1);
      const upper = random.integer(0, n - 1);
      const a = randomMatrix(random, n, n).map((row, i) =>
        row.map((x, j) => (i - j > lower || j - i > upper ? 0 : x)),
      );
      lu.begin(n, lower, upper);
      a.forEach((row, i) => row.forEach((x, j) => x !== 0 && lu.set(i, j, x)));
      const b = randomVector(random, n);
      const x = Float64Array.from(b);
      if (!lu.factor()) continue;
      lu.solve(x);
      const back = times(a, [...x]);
      expect(largest(back.map((value, i) => value - b[i]))).toBeLessThan(1e-11 * (1 + largest([...x])));
    }
  });

  it('pivots over a zero on the diagonal, and says when there is nothing to pivot on', () => {
    const lu = new BandLU();
    lu.begin(2, 1, 1);
    lu.set(0, 1, 2);
    lu.set(1, 0, 4);
    expect(lu.factor()).toBe(true);
    const x = Float64Array.of(2, 4);
    lu.solve(x);
    expect([...x]).toEqual([1, 1]);
    lu.begin(2, 1, 1);
    lu.set(0, 1, 2);
    expect(lu.factor()).toBe(false);
  });
});

describe('product form', () => {
  it.each([6, 40])('follows the exchanges of a basis of %i columns', (n) => {
    const random = seeded(2);
    const form = new ProductForm();
    form.reset(n);
    const basis = identity(n);
    for (let step = 0; step < 3 * n; step++) {
      const entering = randomVector(random, n);
      // Half of the columns are sparse, as those of slack variables.
      if (random.chance(0.5)) entering.fill(0, 0, n - 2);
      const column = Float64Array.from(entering);
      form.apply(column);
      // A row of the largest entry keeps the basis well conditioned.
      const row = [...column.keys()].reduce(
        (best, i) => (Math.abs(column[i]) > Math.abs(column[best]) ? i : best),
        0,
      );
      form.append(column, row);
      for (let i = 0; i < n; i++) basis[i][row] = entering[i];
      const b = randomVector(random, n);
      const x = Float64Array.from(b);
      form.apply(x);
      const back = times(basis, [...x]);
      expect(largest(back.map((value, i) => value - b[i]))).toBeLessThan(1e-8 * (1 + largest([...x])));
    }
    expect(form.count).toBe(3 * n);
  });
});

describe('envelope Cholesky of semidefinite matrices', () => {
  it('leaves dependent rows out and solves for the others', () => {
    const random = seeded(3);
    for (let k = 0; k < 50; k++) {
      const n = random.integer(3, 12);
      const rank = random.integer(1, n - 1);
      const a = randomGram(random, n, rank, 0);
      const cholesky = new EnvelopeCholesky(n);
      cholesky.begin(n);
      for (let i = 0; i < n; i++) {
        cholesky.beginRow(i, 0);
        for (let j = 0; j <= i; j++) cholesky.set(i, j, a[i][j]);
      }
      const skipped = new Uint8Array(n);
      expect(cholesky.factor(skipped)).toBe(true);
      expect(skipped.reduce((sum, x) => sum + x, 0)).toBe(n - rank);
      // A right side in the range is met in all rows, those left out included.
      const b = times(a, randomVector(random, n));
      const x = Float64Array.from(b);
      cholesky.solve(x);
      skipped.forEach((isSkipped, i) => isSkipped === 1 && expect(Math.abs(x[i])).toBe(0));
      const back = times(a, [...x]);
      expect(largest(back.map((value, i) => value - b[i]))).toBeLessThan(1e-9 * (1 + largest([...x])));
    }
  });

  it('says so when a matrix is indefinite', () => {
    const cholesky = new EnvelopeCholesky(2);
    cholesky.begin(2);
    cholesky.beginRow(0, 0);
    cholesky.set(0, 0, 1);
    cholesky.beginRow(1, 0);
    cholesky.set(1, 0, 2);
    cholesky.set(1, 1, 1);
    expect(cholesky.factor(new Uint8Array(2))).toBe(false);
  });
});
