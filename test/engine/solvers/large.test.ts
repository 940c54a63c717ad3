/** Problems of mechanics at their natural size: chains and bars with 200 unknowns, and longer ones. */
import { describe, expect, it } from 'vitest';
import type { AffineVariationalInequality } from '@engine/problems/avi';
import { createSolver } from '@engine/solvers/registry';
import { createSolverResult } from '@engine/solvers/solver';
import { type Random, seeded } from '../support/random';
import { barBetweenStops, barOnObstacle, beadColumn, diodeLadder, doubledColumn } from './support/mechanics';

const N = 200;
const TOLERANCE = 1e-10;

/**
 * Largest violation of the conditions relative to the data, by definition and not by the engine's measure.
 */
function violation({
  size,
  rowStart,
  columns,
  values,
  q,
  z,
  lower,
  upper,
}: AffineVariationalInequality): number {
  let worst = 0;
  let scale = 0;
  for (let i = 0; i < size; i++) {
    let w = q[i];
    let diagonal = 0;
    for (let k = rowStart[i]; k < rowStart[i + 1]; k++) {
      w += values[k] * z[columns[k]];
      if (columns[k] === i) diagonal = values[k];
    }
    const room = (w > 0 ? z[i] - lower[i] : upper[i] - z[i]) * diagonal;
    worst = Math.max(
      worst,
      Math.min(Math.abs(w), room),
      (lower[i] - z[i]) * diagonal,
      (z[i] - upper[i]) * diagonal,
    );
    scale = Math.max(scale, Math.abs(q[i]));
    if (Number.isFinite(lower[i])) scale = Math.max(scale, Math.abs(lower[i]) * diagonal);
  }
  return worst / scale;
}

type Build = (random: Random, n: number) => AffineVariationalInequality;

const families: readonly [string, Build][] = [
  ['columns of beads', beadColumn],
  ['bars on an obstacle', barOnObstacle],
  ['bars between stops', barBetweenStops],
];

/** How many of 1000 problems a solver gets: all of them, unless it takes long by nature. */
const solvers: readonly [string, number][] = [
  ['auto', 1000],
  ['PrincipalPivoting', 1000],
  ['InteriorPoint', 200],
  ['NewtonMin', 100],
  ['NewtonFischerBurmeister', 100],
  ['ConvexQP', 100],
  ['Lemke', 60],
  ['LeastIndex', 6],
  ['CPG', 6],
];

describe.each(families)('%s with 200 rows', (_, build) => {
  it.each(solvers)('%s solves %i of them', (name, count) => {
    const random = seeded(50);
    const result = createSolverResult();
    const solver = createSolver(name, N);
    for (let k = 0; k < count / 3; k++) {
      const problem = build(random, N);
      solver.solve(problem, TOLERANCE, result);
      if (result.status === 'converged' && violation(problem) < TOLERANCE) continue;
      expect({ k, status: result.status, violation: violation(problem) }).toEqual({ status: 'converged' });
    }
  });
});

describe('redundant contacts in large numbers', () => {
  it.each(['auto', 'Lemke', 'InteriorPoint', 'ConvexQP', 'CPG'])('%s', (name) => {
    const random = seeded(60);
    const result = createSolverResult();
    for (let k = 0; k < 5; k++) {
      const problem = doubledColumn(random, 60);
      createSolver(name, 120).solve(problem, TOLERANCE, result);
      expect(result.status).toBe('converged');
      expect(violation(problem)).toBeLessThan(TOLERANCE);
    }
  });
});

describe('ladders of diodes with controlled sources, unsymmetric', () => {
  it.each(['auto', 'PrincipalPivoting', 'Lemke', 'PGS', 'NewtonMin'])('%s solves them', (name) => {
    const random = seeded(65);
    const result = createSolverResult();
    for (let k = 0; k < 10; k++) {
      const problem = diodeLadder(random, 100);
      createSolver(name, 100).solve(problem, TOLERANCE, result);
      expect(result.status).toBe('converged');
      expect(violation(problem)).toBeLessThan(TOLERANCE);
    }
  });

  it('auto solves one with 20 000 rows on banded factors', () => {
    const problem = diodeLadder(seeded(66), 20_000);
    const result = createSolverResult();
    createSolver('auto', 20_000).solve(problem, TOLERANCE, result);
    expect(result).toMatchObject({ status: 'converged', solver: 'PrincipalPivoting' });
    expect(violation(problem)).toBeLessThan(TOLERANCE);
  });
});

describe('a column of 10 000 beads at rest', () => {
  it('is solved from nothing, and again from the last answer on one face', () => {
    const problem = beadColumn(seeded(70), 10_000);
    // Only the lowest contact is pressed; the weight of the others follows.
    problem.q.fill(0);
    problem.q[0] = -1;
    const solver = createSolver('auto', 10_000);
    const result = createSolverResult();
    solver.solve(problem, TOLERANCE, result);
    expect(result).toMatchObject({ status: 'converged', solver: 'PrincipalPivoting' });
    problem.q[0] = -1.5;
    solver.solve(problem, TOLERANCE, result);
    expect(result).toMatchObject({ status: 'converged', iterations: 1 });
    expect(violation(problem)).toBeLessThan(TOLERANCE);
  });
});
