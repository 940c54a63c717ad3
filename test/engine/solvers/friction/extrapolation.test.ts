/** Extrapolation of sweeps: it solves what plain sweeps circle around. */
import { describe, expect, it } from 'vitest';
import { spherePile } from '@cli/bench/sphere-pile';
import { createFrictionSolver } from '@engine/solvers/friction/registry';
import { createSolverResult } from '@engine/solvers/solver';
import { violation } from './support/problems';

describe('extrapolated sweeps', () => {
  it('solve a pile with much friction in a part of the plain sweeps', () => {
    const plain = spherePile(300, 1);
    const problem = spherePile(300, 1);
    const result = createSolverResult();
    createFrictionSolver('ExtrapolatedNSGS').solve(problem, 1e-8, result);
    expect(result.status).toBe('converged');
    expect(violation(problem)).toBeLessThan(1e-6);
    const sweeps = result.iterations;
    createFrictionSolver('NSGS', { depth: 0, maxIterations: sweeps }).solve(plain, 1e-8, result);
    expect(result.status).toBe('maxIterations');
  });

  it('count every sweep, those of a window that was cut short included', () => {
    const result = createSolverResult();
    createFrictionSolver('ExtrapolatedNSGS', { maxIterations: 777 }).solve(spherePile(300, 1), 1e-14, result);
    expect(result.status).toBe('maxIterations');
    expect(result.iterations).toBe(777);
  });

  it('begin from the reactions they are given', () => {
    const problem = spherePile(100, 0.5);
    const result = createSolverResult();
    const solver = createFrictionSolver('ExtrapolatedNSGS');
    solver.solve(problem, 1e-8, result);
    const solved = problem.r.slice();
    solver.solve(problem, 1e-8, result);
    expect(result.status).toBe('converged');
    expect(result.iterations).toBe(0);
    expect(problem.r).toEqual(solved);
  });
});
