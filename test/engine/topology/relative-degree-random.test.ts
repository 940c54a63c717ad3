/**
 * Relative degrees and zeros at infinity of random systems, against their Markov parameters and in other
 * units.
 */
import { describe, expect, it } from 'vitest';
import { identity, type Matrix, multiply, solveMany, zeros } from '../support/dense';
import { type Random, seeded } from '../support/random';
import { degrees, single, undefinedVector } from './degrees';

/** Rank by elimination with full pivoting, of matrices whose entries are small whole numbers. */
function rankOf(matrix: Matrix): number {
  const work = matrix.map((row) => [...row]);
  let rank = 0;
  const columns = work[0]?.length ?? 0;
  while (rank < Math.min(work.length, columns)) {
    let [row, column] = [rank, rank];
    for (let i = rank; i < work.length; i++)
      for (let j = rank; j < columns; j++)
        if (Math.abs(work[i][j]) > Math.abs(work[row][column])) [row, column] = [i, j];
    if (Math.abs(work[row][column]) < 1e-9) break;
    [work[rank], work[row]] = [work[row], work[rank]];
    for (const line of work) [line[rank], line[column]] = [line[column], line[rank]];
    for (let i = rank + 1; i < work.length; i++) {
      const factor = work[i][rank] / work[rank][rank];
      for (let j = rank; j < columns; j++) work[i][j] -= factor * work[rank][j];
    }
    rank++;
  }
  return rank;
}

interface Quadruple {
  A: Matrix;
  B: Matrix;
  C: Matrix;
  D: Matrix;
}

/** Sparse matrices of −1, 0, 1, so that degrees differ and decoupling matrices are often singular. */
function randomQuadruple(random: Random): Quadruple {
  const n = random.integer(1, 6);
  const m = random.integer(1, 4);
  const matrix = (rows: number, columns: number, density: number): Matrix =>
    zeros(rows, columns).map((row) =>
      row.map(() => (random.chance(density) ? (random.chance(0.5) ? 1 : -1) : 0)),
    );
  return {
    A: matrix(n, n, 0.3),
    B: matrix(n, m, 0.35),
    C: matrix(m, n, 0.35),
    D: matrix(m, m, random.chance(0.5) ? 0 : 0.2),
  };
}

/** D, CB, CAB, … */
function markovParameters({ A, B, C, D }: Quadruple, count: number): Matrix[] {
  const parameters = [D];
  for (let product = B; parameters.length < count; product = multiply(A, product))
    parameters.push(multiply(C, product));
  return parameters;
}

/**
 * Number of zeros at infinity of order ≤ k is rank T_k − rank T_{k−1}, T_k the block Toeplitz matrix of the
 * first Markov parameters (Sain and Massey 1969).
 */
function toeplitzRanks(parameters: readonly Matrix[]): number[] {
  const m = parameters[0].length;
  const ranks = parameters.map((_, k) => {
    const toeplitz = zeros((k + 1) * m, (k + 1) * m);
    for (let i = 0; i <= k; i++)
      for (let j = 0; j <= i; j++)
        parameters[i - j].forEach((row, a) =>
          row.forEach((value, b) => (toeplitz[i * m + a][j * m + b] = value)),
        );
    return rankOf(toeplitz);
  });
  return ranks.map((rank, k) => rank - (ranks[k - 1] ?? 0));
}

describe('1000 random small systems', () => {
  const random = seeded(21);
  const cases = Array.from({ length: 1000 }, () => {
    const quadruple = randomQuadruple(random);
    const { A, B, C, D } = quadruple;
    const { interactions, components } = degrees(single(A, B, C, D));
    return {
      quadruple,
      rows: interactions[0]!.rows,
      block: interactions[0]!.block,
      component: components[0],
    };
  });

  it('have the degrees of their Markov parameters', () => {
    for (const { quadruple, rows, block } of cases) {
      const parameters = markovParameters(quadruple, quadruple.A.length + 1);
      rows.forEach(({ degree, scalar }, j) => {
        const first = parameters.findIndex((parameter) => parameter[j].some((x) => x !== 0));
        expect(degree).toBe(first < 0 ? 'none' : first);
        if (first >= 0) expect(scalar).toBe(parameters[first][j][j] === 0 ? 'undefined' : first);
      });
      const first = parameters.findIndex((parameter) => parameter.flat().some((x) => x !== 0));
      expect(block.degree).toBe(first < 0 ? 'none' : first);
      expect(block.rank).toBe(first < 0 ? 0 : rankOf(parameters[first]));
    }
  });

  it('have a vector degree exactly when their decoupling matrix is non-singular', () => {
    let exist = 0;
    for (const { quadruple, rows, component } of cases) {
      const m = quadruple.C.length;
      const parameters = markovParameters(quadruple, quadruple.A.length + 1);
      const decoupling = rows.map(({ degree }, j) =>
        typeof degree === 'number' ? parameters[degree][j] : new Array<number>(m).fill(0),
      );
      const rank = rankOf(decoupling);
      if (rank === m) {
        exist++;
        expect(component.vector).toEqual({ status: 'exists' });
        continue;
      }
      const vector = undefinedVector(component);
      expect(vector.rank).toBe(rank);
      // Without any one of the named rows the others lose rank by the same amount or none: each is in a
      // dependence.
      for (let j = 0; j < m; j++) {
        const without = rankOf(decoupling.filter((_, k) => k !== j));
        expect(vector.rows.some(({ row }) => row === j)).toBe(without === rank);
      }
    }
    expect(exist).toBeGreaterThan(100);
    expect(exist).toBeLessThan(900);
  });

  it('have the zeros at infinity of their Toeplitz matrices where it is singular', () => {
    const seen = new Set<string>();
    for (const { quadruple, component } of cases) {
      if (!('status' in component.vector) || component.vector.status !== 'undefined') continue;
      const { structure } = component.vector;
      const n = quadruple.A.length;
      const upTo = toeplitzRanks(markovParameters(quadruple, n + 1));
      const zeros = upTo
        .map((count, order) => ({ order, count: count - (upTo[order - 1] ?? 0) }))
        .filter(({ count }) => count > 0);
      expect(structure?.zeros).toEqual(zeros);
      expect(structure?.rank).toBe(upTo[n]);
      expect(structure?.invertible).toBe(upTo[n] === quadruple.C.length);
      expect(structure?.limited).toBe(false);
      seen.add(JSON.stringify(structure?.zeros));
    }
    expect(seen.size).toBeGreaterThan(8);
  });
});

describe('changes of units', () => {
  it('change no degree, rank or zero at infinity', () => {
    const random = seeded(31);
    for (let k = 0; k < 300; k++) {
      const { A, B, C, D } = randomQuadruple(random);
      const units = (n: number): number[] => Array.from({ length: n }, () => 10 ** random.uniform(-6, 6));
      const [x, y, lambda] = [units(A.length), units(C.length), units(C.length)];
      const scale = (matrix: Matrix, rows: number[], columns: number[]): Matrix =>
        matrix.map((row, i) => row.map((value, j) => (value * rows[i]) / columns[j]));
      const scaled = single(scale(A, x, x), scale(B, x, lambda), scale(C, y, x), scale(D, y, lambda));
      expect(degrees(scaled)).toEqual(degrees(single(A, B, C, D)));
    }
  });

  it('nor do changes of the coordinates', () => {
    const random = seeded(32);
    let compared = 0;
    for (let k = 0; k < 300; k++) {
      const { A, B, C, D } = randomQuadruple(random);
      const n = A.length;
      const T = identity(n).map((row) => row.map((x) => x + random.uniform(-0.4, 0.4)));
      const inverse = solveMany(T, identity(n));
      const turned = single(multiply(multiply(T, A), inverse), multiply(T, B), multiply(C, inverse), D);
      expect(degrees(turned)).toEqual(degrees(single(A, B, C, D)));
      compared++;
    }
    expect(compared).toBe(300);
  });
});
