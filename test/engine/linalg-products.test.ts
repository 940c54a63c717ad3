/** Products with sparse matrices of every shape against the dense product, and the solves of chains. */
import { describe, expect, it } from 'vitest';
import { EnvelopeCholesky } from '@engine/linalg/cholesky';
import { SparseProduct, sparseFromDense } from '@engine/linalg/sparse';
import { CheckedProduct } from '@engine/certificate/checked-product';
import { type Random, seeded } from './support/random';

const N = 7;

/** A matrix whose entries are at most `width` from the diagonal, some of them zero. */
function banded(width: number, random: Random): Float64Array {
  const a = new Float64Array(N * N);
  for (let i = 0; i < N; i++)
    for (let j = 0; j < N; j++)
      if (Math.abs(i - j) <= width && random.chance(0.8)) a[i * N + j] = random.uniform(-0.5, 0.5);
  return a;
}

describe.each([0, 1, 2, N])('products with a matrix of half-bandwidth %i', (width) => {
  const random = seeded(width + 1);
  const dense = banded(width, random);
  const x = Float64Array.from({ length: N }, () => random.uniform(-0.5, 0.5));
  const sparse = sparseFromDense(dense, N, N);
  const rows = Array.from({ length: N }, (_, i) =>
    Array.from({ length: N }, (_u, j) => dense[i * N + j] * x[j]),
  );

  it('are those of the dense matrix, in the range asked for', () => {
    const out = new Float64Array(N).fill(-1);
    new SparseProduct(sparse).multiply(x, out, 1, N - 1);
    for (let i = 1; i < N - 1; i++) expect(out[i] + 0).toBe(rows[i].reduce((sum, term) => sum + term, 0));
    expect([out[0], out[N - 1]]).toEqual([-1, -1]);
    new SparseProduct(sparse).multiply(x, out, 0, N);
    expect(out[0] + 0).toBe(rows[0].reduce((sum, term) => sum + term, 0));
  });

  it('come with the magnitudes of their terms in the certificate', () => {
    const out = new Float64Array(N);
    const size = new Float64Array(N);
    const product = new CheckedProduct(sparse);
    product.multiply(x, out, size, 0, N);
    rows.forEach((terms, i) => {
      expect(out[i] + 0).toBe(terms.reduce((sum, term) => sum + term, 0));
      expect(size[i]).toBe(terms.reduce((sum, term) => sum + Math.abs(term), 0));
    });
    expect(product.isZero).toBe(sparse.columns.length === 0);
  });
});

describe('an envelope factor', () => {
  it.each([
    ['a chain', [1, 1, 1, 1]],
    ['a chain in pieces', [1, 0, 1, 0]],
    ['single rows', [0, 0, 0, 0]],
    ['a wider one', [1, 2, 1, 3]],
  ])('solves with %s', (_name, reach) => {
    const n = reach.length + 1;
    const random = seeded(n + reach[1]);
    const a = Array.from({ length: n }, () => new Array<number>(n).fill(0));
    const cholesky = new EnvelopeCholesky(n);
    cholesky.begin(n);
    for (let i = 0; i < n; i++) {
      const first = i === 0 ? 0 : i - reach[i - 1];
      cholesky.beginRow(i, first);
      for (let j = first; j < i; j++) a[i][j] = a[j][i] = random.uniform(-0.5, 0.5);
      a[i][i] = random.uniform(4, 5);
      for (let j = first; j <= i; j++) cholesky.set(i, j, a[i][j]);
    }
    expect(cholesky.factor()).toBe(true);
    const exact = Array.from({ length: n }, () => random.uniform(-0.5, 0.5));
    const x = Float64Array.from(a, (row) => row.reduce((sum, value, j) => sum + value * exact[j], 0));
    cholesky.solve(x);
    exact.forEach((value, i) => expect(x[i]).toBeCloseTo(value, 14));
  });
});
