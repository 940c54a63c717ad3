/** Random one-step problems by the properties of their operators and bounds. */
import { type Matrix, randomGram, randomMatrix, zeros } from '../../support/dense';
import type { Random } from '../../support/random';
import type { BoxProblem } from './box-oracle';

export type Family = (random: Random, n: number) => Matrix;
export type Bounds = 'LCP' | 'MLCP' | 'box';

/** Symmetric positive definite, condition up to some hundred. */
export const spd: Family = (random, n) => randomGram(random, n, n, 0.05);

/** Positive definite but not symmetric: a symmetric part as above and any skew part. */
export const skewed: Family = (random, n) => {
  const a = spd(random, n);
  const b = randomMatrix(random, n, n);
  return a.map((row, i) => row.map((x, j) => x + b[i][j] - b[j][i]));
};

/**
 * P-matrices whose symmetric part is not definite: triangular with positive diagonal, rows and columns
 * permuted alike.
 */
export const triangular: Family = (random, n) => {
  const order = random.sample(n, n);
  const a = zeros(n, n);
  for (let i = 0; i < n; i++) {
    a[order[i]][order[i]] = random.uniform(0.2, 1);
    for (let j = 0; j < i; j++) a[order[i]][order[j]] = random.uniform(-2, 2);
  }
  return a;
};

/** Symmetric positive semidefinite and singular: redundant contacts. */
export const redundant: Family = (random, n) =>
  randomGram(random, n, Math.max(1, n - random.integer(1, 2)), 0);

/** No property at all. */
export const arbitrary: Family = (random, n) => randomMatrix(random, n, n);

export const randomVector = (random: Random, n: number): number[] =>
  Array.from({ length: n }, () => random.uniform(-1, 1));

/** Bounds of one row: every kind there is, for a box. */
function rowBounds(random: Random, bounds: Bounds): [number, number] {
  const kind = random.uniform(0, 1);
  if (bounds === 'LCP' || (bounds === 'MLCP' && kind > 0.4)) return [0, Number.POSITIVE_INFINITY];
  if (bounds === 'MLCP' || kind < 0.15) return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const lower = random.uniform(-1, 0.5);
  if (kind < 0.3) return [Number.NEGATIVE_INFINITY, lower];
  if (kind < 0.4) return [lower, lower];
  return [lower, kind < 0.85 ? lower + random.uniform(0, 1) : Number.POSITIVE_INFINITY];
}

export function randomProblem(random: Random, n: number, family: Family, bounds: Bounds): BoxProblem {
  const W = family(random, n);
  const rows = Array.from({ length: n }, () => rowBounds(random, bounds));
  return { W, q: randomVector(random, n), lower: rows.map(([l]) => l), upper: rows.map(([, u]) => u) };
}
