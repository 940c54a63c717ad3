/** Envelope Cholesky, LU and the ordering that serves them, each against dense references. */
import { describe, expect, it } from 'vitest';
import { sparseFromPattern } from '@engine/linalg/sparse';
import { EnvelopeCholesky } from '@engine/linalg/cholesky';
import { factorLU, solveLU } from '@engine/linalg/lu';
import { reverseCuthillMcKee } from '@engine/linalg/ordering';
import { flat, identity, type Matrix, randomGram, randomMatrix, solve, times } from './support/dense';
import { type Random, seeded } from './support/random';

const vector = (random: Random, n: number): number[] =>
  Array.from({ length: n }, () => random.uniform(-1, 1));

/** Largest difference relative to the largest entry. */
const distance = (x: ArrayLike<number>, reference: readonly number[]): number =>
  Math.max(0, ...reference.map((value, i) => Math.abs(x[i] - value))) /
  Math.max(1e-300, ...reference.map(Math.abs));

function fill(cholesky: EnvelopeCholesky, a: Matrix): void {
  cholesky.begin(a.length);
  a.forEach((row, i) => {
    const first = Math.min(
      i,
      row.findIndex((x) => x !== 0),
    );
    cholesky.beginRow(i, first);
    for (let j = first; j <= i; j++) cholesky.set(i, j, row[j]);
  });
}

describe('envelope Cholesky', () => {
  it('solves random sparse systems as the dense elimination does', () => {
    const random = seeded(1);
    const cholesky = new EnvelopeCholesky(2);
    for (let k = 0; k < 200; k++) {
      const n = random.integer(1, 20);
      const a = identity(n).map((row) => row.map((x) => 4 * x));
      for (let entries = 0; entries < 2 * n; entries++) {
        const [i, j] = [random.integer(0, n - 1), random.integer(0, n - 1)];
        if (i === j) continue;
        const value = random.uniform(-1, 1);
        a[i][j] += value;
        a[j][i] += value;
        a[i][i] += Math.abs(value);
        a[j][j] += Math.abs(value);
      }
      const b = vector(random, n);
      fill(cholesky, a);
      expect(cholesky.factor()).toBe(true);
      const x = Float64Array.from(b);
      cholesky.solve(x);
      expect(distance(x, solve(a, b))).toBeLessThan(1e-12);
    }
  });

  it('keeps what its workspace held when it grows within a matrix', () => {
    const n = 60;
    const random = seeded(2);
    const a = randomGram(random, n, n, 1);
    const b = vector(random, n);
    const cholesky = new EnvelopeCholesky(1);
    fill(cholesky, a);
    expect(cholesky.factor()).toBe(true);
    const x = Float64Array.from(b);
    cholesky.solve(x);
    expect(distance(x, solve(a, b))).toBeLessThan(1e-11);
  });

  it.each([
    ['of less than full rank', randomGram(seeded(3), 5, 3, 0)],
    [
      'with a negative pivot',
      [
        [1, 2],
        [2, 1],
      ],
    ],
    [
      'with a zero on the diagonal',
      [
        [0, 0],
        [0, 1],
      ],
    ],
    [
      'with NaN',
      [
        [1, 0],
        [0, Number.NaN],
      ],
    ],
  ])('refuses a matrix %s', (_, a) => {
    const cholesky = new EnvelopeCholesky(a.length);
    fill(cholesky, a);
    expect(cholesky.factor()).toBe(false);
  });
});

describe('LU with partial pivoting', () => {
  it('solves random blocks in place, wherever they stand', () => {
    const random = seeded(4);
    for (let k = 0; k < 200; k++) {
      const n = random.integer(1, 12);
      const a = randomMatrix(random, n, n);
      const b = vector(random, n);
      const [offset, at] = [random.integer(0, 5), random.integer(0, 5)];
      const storage = new Float64Array(offset + n * n + 1).fill(7);
      storage.set(flat(a), offset);
      const pivots = new Int32Array(at + n);
      expect(factorLU(storage, offset, n, pivots, at)).toBe(true);
      const x = new Float64Array(at + n + 1).fill(7);
      x.set(b, at);
      solveLU(storage, offset, n, pivots, at, x, at);
      // The residual is small whatever the condition of the matrix.
      const residual = times(a, [...x.subarray(at, at + n)]).map((value, i) => Math.abs(value - b[i]));
      const size = Math.max(1, ...x.subarray(at, at + n).map(Math.abs));
      expect(Math.max(...residual) / size).toBeLessThan(1e-13);
      expect(x[at + n]).toBe(7);
      expect(storage[offset + n * n]).toBe(7);
    }
  });

  it('exchanges rows where the first pivot is zero', () => {
    const a = Float64Array.of(0, 1, 1, 0);
    const pivots = new Int32Array(2);
    expect(factorLU(a, 0, 2, pivots, 0)).toBe(true);
    const x = Float64Array.of(3, 5);
    solveLU(a, 0, 2, pivots, 0, x, 0);
    expect([...x]).toEqual([5, 3]);
  });

  it.each([
    [
      'zero',
      [
        [0, 0],
        [0, 0],
      ],
    ],
    [
      'of rank one',
      [
        [1, 2],
        [2, 4],
      ],
    ],
    [
      'with NaN',
      [
        [Number.NaN, 0],
        [0, 1],
      ],
    ],
  ])('refuses a matrix that is %s', (_, a) => {
    expect(factorLU(flat(a), 0, 2, new Int32Array(2), 0)).toBe(false);
  });
});

describe('reverse Cuthill–McKee', () => {
  /** Largest distance of an entry from the diagonal when the rows come in `order`. */
  function bandwidth(pattern: readonly number[][], order: Int32Array): number {
    const place = new Map([...order].map((row, k) => [row, k]));
    return Math.max(
      ...pattern.flatMap((columns, i) =>
        columns.map((j) => Math.abs((place.get(i) ?? 0) - (place.get(j) ?? 0))),
      ),
    );
  }

  it('is a permutation of the rows, also of graphs in several pieces', () => {
    const random = seeded(5);
    for (let k = 0; k < 100; k++) {
      const n = random.integer(1, 30);
      const neighbours = Array.from({ length: n }, (_, i) => new Set([i]));
      for (let edges = random.integer(0, n); edges > 0; edges--) {
        const [i, j] = [random.integer(0, n - 1), random.integer(0, n - 1)];
        neighbours[i].add(j);
        neighbours[j].add(i);
      }
      const order = reverseCuthillMcKee(
        sparseFromPattern(neighbours.map((set) => [...set].sort((a, b) => a - b))),
      );
      expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: n }, (_, i) => i));
    }
  });

  it('recovers the band of a chain whose rows were shuffled', () => {
    const n = 50;
    const label = seeded(6).sample(n, n);
    const pattern: number[][] = Array.from({ length: n }, () => []);
    for (let k = 0; k < n; k++) {
      for (const other of [k - 1, k, k + 1])
        if (other >= 0 && other < n) pattern[label[k]].push(label[other]);
    }
    const natural = Int32Array.from({ length: n }, (_, i) => i);
    expect(bandwidth(pattern, natural)).toBeGreaterThan(10);
    expect(bandwidth(pattern, reverseCuthillMcKee(sparseFromPattern(pattern)))).toBe(1);
  });

  it('orders nothing', () => {
    expect(reverseCuthillMcKee(sparseFromPattern([]))).toHaveLength(0);
  });
});
