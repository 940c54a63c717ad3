/** Sparse one-step problems of mechanics, assembled row by row. */
import { AffineVariationalInequality } from '@engine/problems/avi';
import type { Random } from '../../support/random';

/** A problem with a tridiagonal symmetric matrix. */
function tridiagonal(diagonal: readonly number[], beside: readonly number[]): AffineVariationalInequality {
  const n = diagonal.length;
  const problem = new AffineVariationalInequality(n, 3 * n, true);
  let entry = 0;
  const put = (column: number, value: number): void => {
    problem.columns[entry] = column;
    problem.values[entry++] = value;
  };
  diagonal.forEach((value, i) => {
    if (i > 0) put(i - 1, beside[i - 1]);
    put(i, value);
    if (i < n - 1) put(i + 1, beside[i]);
    problem.rowStart[i + 1] = entry;
  });
  problem.size = n;
  problem.revision = 1;
  return problem;
}

/**
 * A column of n beads of random masses with some pairs pressed together and some drawing apart: contact i is
 * between beads i − 1 and i, contact 0 with the floor. W_ii = 1/m_{i−1} + 1/m_i, W_{i,i+1} = −1/m_i.
 */
export function beadColumn(random: Random, n: number): AffineVariationalInequality {
  const masses = Array.from({ length: n }, () => 10 ** random.uniform(-0.5, 0.5));
  const problem = tridiagonal(
    masses.map((mass, i) => 1 / mass + (i > 0 ? 1 / masses[i - 1] : 0)),
    masses.slice(0, -1).map((mass) => -1 / mass),
  );
  const velocity = masses.map(() => random.uniform(-1, 1));
  for (let i = 0; i < n; i++) problem.q[i] = velocity[i] - (i > 0 ? velocity[i - 1] : 0);
  return problem;
}

/**
 * A bar of n linear finite elements, clamped at one end, against an obstacle along its length: stiffness
 * 1/ℓ · tridiag(−1, 2, −1), load and obstacle random but smooth. Unknown are the forces' duals, the
 * displacements above the obstacle.
 */
export function barOnObstacle(random: Random, n: number): AffineVariationalInequality {
  const length = 1 / n;
  const stiffness = Array.from({ length: n }, (_, i) => (i < n - 1 ? 2 : 1) / length);
  const problem = tridiagonal(stiffness, new Array<number>(n - 1).fill(-1 / length));
  const [a, b, c] = [random.uniform(1, 6), random.uniform(0, 6), random.uniform(-0.5, 0.5)];
  for (let i = 0; i < n; i++) problem.q[i] = -(Math.sin(a * (i / n) * Math.PI + b) + c) * length;
  return problem;
}

/** A bar whose nodes carry both displacement limits: a box on every row. */
export function barBetweenStops(random: Random, n: number): AffineVariationalInequality {
  const problem = barOnObstacle(random, n);
  const width = 10 ** random.uniform(-2.5, -1);
  problem.lower.fill(-width);
  problem.upper.fill(width);
  return problem;
}

/** n contacts of which every two are the same: W = [1 1; 1 1] ⊗ column. */
export function doubledColumn(random: Random, n: number): AffineVariationalInequality {
  const single = beadColumn(random, n);
  const problem = new AffineVariationalInequality(2 * n, 12 * n, true);
  let entry = 0;
  for (let row = 0; row < 2 * n; row++) {
    const i = row >> 1;
    for (let k = single.rowStart[i]; k < single.rowStart[i + 1]; k++) {
      for (const copy of [0, 1]) {
        problem.columns[entry] = 2 * single.columns[k] + copy;
        problem.values[entry++] = single.values[k];
      }
    }
    problem.rowStart[row + 1] = entry;
    problem.q[row] = single.q[i];
  }
  problem.size = 2 * n;
  problem.revision = 1;
  return problem;
}

/**
 * A ladder of n diodes with controlled sources, which make W unsymmetric: tridiagonal and diagonally
 * dominant, its rows of very different size.
 */
export function diodeLadder(random: Random, n: number): AffineVariationalInequality {
  const problem = new AffineVariationalInequality(n, 3 * n, false);
  let entry = 0;
  for (let i = 0; i < n; i++) {
    const unit = 10 ** random.uniform(-1, 1);
    for (let j = Math.max(0, i - 1); j <= Math.min(n - 1, i + 1); j++) {
      problem.columns[entry] = j;
      problem.values[entry++] = unit * (i === j ? 1 : random.uniform(-0.6, 0.3));
    }
    problem.rowStart[i + 1] = entry;
    problem.q[i] = random.uniform(-1, 1);
  }
  problem.size = n;
  problem.revision = 1;
  return problem;
}
