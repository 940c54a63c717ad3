/** Sparse LU factors against the matrices they are of, also where diagonal entries are nothing. */
import { describe, expect, it } from 'vitest';
import { sparseFromEntries, type MatrixEntry, type SparseRows } from '@engine/linalg/sparse';
import { SparseLU } from '@engine/linalg/sparse-lu';
import { sample } from '../../support/prove';
import { type Random, seeded } from '../support/random';

/** A dominant part, and rows of a saddle behind it whose own entries are nothing. */
function saddle(random: Random, n: number, m: number): SparseRows {
  const entries: MatrixEntry[] = [];
  for (let i = 0; i < n; i++) {
    entries.push([i, i, random.uniform(4, 8)]);
    for (let k = 0; k < 2; k++)
      entries.push([i, random.integer(Math.max(0, i - 4), i), random.uniform(-1, 1)]);
  }
  for (let row = 0; row < m; row++) {
    const at = Math.floor((row * n) / m);
    entries.push([n + row, at, 1], [at, n + row, -random.uniform(0.1, 2)], [n + row, n + row, 0]);
  }
  return sparseFromEntries(n + m, entries);
}

function residual({ rows, rowStart, columns, values }: SparseRows, x: Float64Array, b: Float64Array): number {
  let worst = 0;
  for (let i = 0; i < rows; i++) {
    let sum = -b[i];
    for (let k = rowStart[i]; k < rowStart[i + 1]; k++) sum += values[k] * x[columns[k]];
    worst = Math.max(worst, Math.abs(sum));
  }
  return worst;
}

describe('sparse LU factors', () => {
  it('solve systems whose last rows have nothing on the diagonal', () => {
    const random = seeded(3);
    for (let k = 0; k < sample(100, 2000); k++) {
      const n = random.integer(1, 60);
      const m = random.integer(0, n);
      const matrix = saddle(random, n, m);
      const late = Uint8Array.from({ length: n + m }, (_, i) => (i < n ? 0 : 1));
      const lu = new SparseLU(matrix, late);
      const b = Float64Array.from({ length: n + m }, () => random.uniform(-1, 1));
      const x = new Float64Array(n + m);
      for (let round = 0; round < 2; round++) {
        lu.factor();
        expect(lu.replaced).toBe(0);
        lu.solve(b, x);
        expect(residual(matrix, x, b), `case ${k}`).toBeLessThan(1e-10);
        for (let i = 0; i < n; i++) matrix.values[i] *= 1 + 0.01 * random.uniform(0, 1);
      }
    }
  });

  it('of a chain are as many as its entries', () => {
    const entries: MatrixEntry[] = [];
    for (let i = 0; i < 1000; i++) {
      entries.push([i, i, 4]);
      if (i > 0) entries.push([i, i - 1, -1], [i - 1, i, -1]);
    }
    const matrix = sparseFromEntries(1000, entries);
    expect(new SparseLU(matrix).entries).toBe(matrix.columns.length);
  });

  it('replace a pivot that is nothing, and say so', () => {
    const lu = new SparseLU(
      sparseFromEntries(2, [
        [0, 0, 0],
        [0, 1, 1],
        [1, 0, -1],
        [1, 1, 0],
      ]),
    );
    lu.factor();
    expect(lu.replaced).toBe(1);
    const x = new Float64Array(2);
    lu.solve(Float64Array.of(1, 2), x);
    expect(x[0]).toBeCloseTo(-2, 6);
    expect(x[1]).toBeCloseTo(1, 6);
  });
});
