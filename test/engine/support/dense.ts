/** Dense linear algebra by the book, the independent reference for the engine's sparse and factored forms. */
import type { Random } from './random';

/** rows of numbers */
export type Matrix = number[][];

export const zeros = (rows: number, columns: number): Matrix =>
  Array.from({ length: rows }, () => new Array<number>(columns).fill(0));

export const identity = (n: number): Matrix =>
  zeros(n, n).map((row, i) => row.map((_, j) => (i === j ? 1 : 0)));

export const transpose = (a: Matrix): Matrix =>
  a.length === 0 ? [] : a[0].map((_, j) => a.map((row) => row[j]));

export const multiply = (a: Matrix, b: Matrix): Matrix => {
  const columns = transpose(b);
  return a.map((row) => columns.map((column) => dot(row, column)));
};

export const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, x, i) => sum + x * b[i], 0);

export const times = (a: Matrix, x: readonly number[]): number[] => a.map((row) => dot(row, x));

/** Σ s_k A_k of matrices of one size. */
export const combine = (...terms: [number, Matrix][]): Matrix =>
  terms[0][1].map((row, i) => row.map((_, j) => terms.reduce((sum, [s, a]) => sum + s * a[i][j], 0)));

/** Solves A X = B by Gaussian elimination with full pivoting. @throws when A is singular */
export function solveMany(a: Matrix, b: Matrix): Matrix {
  const n = a.length;
  const work = a.map((row, i) => [...row, ...b[i]]);
  const order = Array.from({ length: n }, (_, i) => i);
  for (let k = 0; k < n; k++) {
    let [row, column] = [k, k];
    for (let i = k; i < n; i++) {
      for (let j = k; j < n; j++)
        if (Math.abs(work[i][j]) > Math.abs(work[row][column])) [row, column] = [i, j];
    }
    if (work[row][column] === 0) throw new Error('singular matrix');
    [work[k], work[row]] = [work[row], work[k]];
    for (const line of work) [line[k], line[column]] = [line[column], line[k]];
    [order[k], order[column]] = [order[column], order[k]];
    for (let i = k + 1; i < n; i++) {
      const factor = work[i][k] / work[k][k];
      for (let j = k; j < work[i].length; j++) work[i][j] -= factor * work[k][j];
    }
  }
  const solution = zeros(n, b[0]?.length ?? 0);
  for (let i = n - 1; i >= 0; i--) {
    for (let c = 0; c < solution[0].length; c++) {
      let sum = work[i][n + c];
      for (let j = i + 1; j < n; j++) sum -= work[i][j] * solution[order[j]][c];
      solution[order[i]][c] = sum / work[i][i];
    }
  }
  return solution;
}

/** Solves A x = b. @throws when A is singular */
export const solve = (a: Matrix, b: readonly number[]): number[] =>
  solveMany(
    a,
    b.map((x) => [x]),
  ).map(([x]) => x);

/** Row-major copy. */
export const flat = (a: Matrix): Float64Array => Float64Array.from(a.flat());

/** n × m matrix with entries in [−1, 1). */
export const randomMatrix = (random: Random, n: number, m: number): Matrix =>
  zeros(n, m).map((row) => row.map(() => random.uniform(-1, 1)));

/** Exactly symmetric A ᵗA of rank ≤ `rank`, plus `shift` on the diagonal. */
export function randomGram(random: Random, n: number, rank: number, shift: number): Matrix {
  const factor = randomMatrix(random, n, rank);
  const gram = multiply(factor, transpose(factor));
  return gram.map((row, i) =>
    row.map((_, j) => gram[Math.max(i, j)][Math.min(i, j)] + (i === j ? shift : 0)),
  );
}
