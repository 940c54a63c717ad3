/** Runs a solver of the registry on a problem of plain numbers. */
import { AffineVariationalInequality } from '@engine/problems/avi';
import { createSolver } from '@engine/solvers/registry';
import type { SolverResult, SolverSettings } from '@engine/solvers/solver';
import { flat } from '../../support/dense';
import type { BoxProblem } from './box-oracle';

export interface Solved extends SolverResult {
  z: number[];
}

export interface SolveOptions {
  guess?: readonly number[];
  tolerance?: number;
  settings?: SolverSettings;
}

export const emptyResult = (): SolverResult => ({
  status: 'maxIterations',
  iterations: -1,
  residual: Number.NaN,
  solver: '',
});

export const toProblem = ({ W, q, lower, upper }: BoxProblem): AffineVariationalInequality =>
  AffineVariationalInequality.dense(
    flat(W),
    Float64Array.from(q),
    Float64Array.from(lower),
    Float64Array.from(upper),
  );

export function solveWith(name: string, box: BoxProblem, options: SolveOptions = {}): Solved {
  const { guess, tolerance = 1e-10, settings = {} } = options;
  const problem = toProblem(box);
  if (guess !== undefined) problem.z.set(guess);
  const result = emptyResult();
  createSolver(name, box.q.length, settings).solve(problem, tolerance, result);
  return { ...result, z: [...problem.z] };
}

/** Largest difference relative to the largest entry of the reference. */
export function distance(z: readonly number[], reference: readonly number[]): number {
  const scale = Math.max(...reference.map(Math.abs), 1e-300);
  return z.reduce((most, x, i) => Math.max(most, Math.abs(x - reference[i])), 0) / scale;
}
