/**
 * Whether y = q + D λ has one point on graphs of straight pieces, one in each row, for every q. With a
 * direction d = (dy, dλ) of each graph, the matrix with columns dy_r e_r − D_r dλ_r says how q follows from
 * the way along them. Where its determinant has one sign for all directions, that is a bijection; where it
 * may vanish but never has the other sign, as of falling graphs with a D that is only semidefinite, a point
 * is there or λ is not the only one, as of relays (Fujisawa and Kuh, SIAM J. Appl. Math. 22, 1972, 307-328;
 * van Bokhoven 1981).
 *
 * The determinant is linear in each direction, so that the two between which all others of a row lie say it
 * for all. Rows of D that are zero say y without λ; they are left out.
 */
import { factorCholesky } from '../../linalg/cholesky';
import { factorDense } from '../../linalg/lu';
import type { LawRow, PiecewiseLinearGraph } from '../forms';
import { directions, isMonotone } from './piecewise-linear';

/**
 * The graph of a law of one row; null of laws that several rows have together.
 * @param comesAndGoes whether the row may be absent, where λ is zero whatever y is
 */
export function graphOf(row: LawRow, comesAndGoes = false): PiecewiseLinearGraph | null {
  if (row.kind === 'graph') return row.graph;
  if (row.kind !== 'box') return null;
  const [up, down] = [Number.isFinite(row.upper), Number.isFinite(row.lower) || comesAndGoes];
  const ends = [row.upper, row.lower].filter(Number.isFinite);
  const lambda = ends.length === 0 || row.upper === row.lower ? ends.slice(0, 1) : ends;
  return {
    y: new Float64Array(Math.max(1, lambda.length)),
    lambda: Float64Array.from(lambda.length === 0 ? [0] : lambda),
    startDirection: up ? [1, 0] : [0, -1],
    endDirection: down ? [1, 0] : [0, -1],
  };
}

type Direction = readonly [number, number];

/** Rows of graphs beyond which 2ⁿ determinants are not formed. */
const MOST_ROWS = 10;

/** The two directions of a row between which all are; null where they go more than half around. */
function extremes(graph: PiecewiseLinearGraph): readonly [Direction, Direction] | null {
  const all = directions(graph);
  const turn = ([a, b]: Direction, [c, d]: Direction): number => a * d - b * c;
  const isBack = all.some(([a, b]) => all.some(([c, d]) => a * d === b * c && a * c + b * d < 0));
  if (isBack) return null;
  const first = all.find((one) => all.every((other) => turn(one, other) >= 0));
  const last = all.find((one) => all.every((other) => turn(one, other) <= 0));
  return first === undefined || last === undefined ? null : [first, last];
}

/** What is added to a diagonal to have a semidefinite matrix definite. */
const SHIFT = 1e-7;

/** Whether ᵗλ D λ is nowhere negative. */
function isSemidefinite(D: Float64Array, size: number): boolean {
  const own = (r: number, s: number): number => D[r * size + s] + D[s * size + r];
  const rows = Array.from({ length: size }, (_, r) => r);
  const used = rows.filter((r) => rows.some((s) => own(r, s) !== 0));
  const matrix = Float64Array.from(
    used.flatMap((r) => used.map((s) => own(r, s) * (r === s ? 1 + SHIFT : 1))),
  );
  return factorCholesky(matrix, used.length);
}

/** Sign of the determinant of a full matrix, zero within rounding; its columns are scaled. */
function signOfDeterminant(matrix: Float64Array, size: number, pivots: Int32Array): number {
  for (let c = 0; c < size; c++) {
    let sum = 0;
    for (let i = 0; i < size; i++) sum += Math.abs(matrix[i * size + c]);
    if (sum === 0) return 0;
    for (let i = 0; i < size; i++) matrix[i * size + c] /= sum;
  }
  // It takes columns for rows, of which determinants know nothing.
  if (factorDense(matrix, 0, size, pivots, 0) >= 0) return 0;
  let sign = 1;
  for (let r = 0; r < size; r++) sign *= (pivots[r] === r ? 1 : -1) * Math.sign(matrix[r * size + r]);
  return sign;
}

/**
 * @param D of the relation, row by row
 * @param graphs of its rows
 * @returns `no` where q may have no point or several that differ in y, `yes` where it has one, `nearly` where
 *   λ may not be the only one; of more rows than are tried only falling graphs with a D ≥ 0 are `nearly`
 */
export function determination(
  D: Float64Array,
  size: number,
  graphs: readonly PiecewiseLinearGraph[],
): 'yes' | 'nearly' | 'no' {
  if (size > MOST_ROWS) return graphs.every(isMonotone) && isSemidefinite(D, size) ? 'nearly' : 'no';
  const choices: (readonly [Direction, Direction])[] = [];
  for (let r = 0; r < size; r++) {
    const isFree = D.subarray(r * size, (r + 1) * size).every((entry) => entry === 0);
    const own = isFree
      ? ([
          [1, 0],
          [1, 0],
        ] as const)
      : extremes(graphs[r]);
    if (own === null) return 'no';
    choices.push(own);
  }
  const matrix = new Float64Array(size * size);
  const pivots = new Int32Array(size);
  let common = 0;
  let vanishes = false;
  for (let choice = 0; choice < 2 ** size; choice++) {
    for (let r = 0; r < size; r++) {
      const [dy, dLambda] = choices[r][(choice >> r) & 1];
      for (let i = 0; i < size; i++) matrix[i * size + r] = (i === r ? dy : 0) - D[i * size + r] * dLambda;
    }
    const sign = signOfDeterminant(matrix, size, pivots);
    if (sign === 0) vanishes = true;
    else if (common !== 0 && sign !== common) return 'no';
    else common = sign;
  }
  if (common === 0) return 'no';
  return vanishes ? 'nearly' : 'yes';
}
