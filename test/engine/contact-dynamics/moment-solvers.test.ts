/** Blocks of rolling friction against the law in five rows, and which solvers take them. */
import { describe, expect, it } from 'vitest';
import { SYMMETRIC_ONLY } from '@engine/model/settings/friction-solvers';
import { FrictionContactProblem } from '@engine/problems/friction-contact';
import { AutomaticFriction } from '@engine/solvers/friction/automatic';
import { BodyNewton } from '@engine/solvers/friction/body-newton';
import { createFrictionSolver, frictionSolvers } from '@engine/solvers/friction/registry';
import { createSolverResult } from '@engine/solvers/solver';
import { fromBlocks, inBlocks, inBlocksOfBodies, randomRolling, rollingDefect } from './rolling-problems';

/** Pyramids are not the cones: what they give is near the solution, and is not accepted. */
const FACETED = 'Faceted';
const exact = frictionSolvers
  .map(({ name }) => name)
  .filter((name) => !SYMMETRIC_ONLY.has(name) && name !== FACETED);

describe('blocks of rolling friction', () => {
  it.each(exact)('solved by %s are the law in five rows', (name) => {
    const solver = createFrictionSolver(name);
    for (let seed = 1; seed <= 40; seed++) {
      const full = randomRolling(seed, 1 + (seed % 4), 7);
      const problem = inBlocks(full);
      const result = createSolverResult();
      solver.solve(problem, 1e-10, result);
      expect(result.status).toBe('converged');
      expect(rollingDefect(full, fromBlocks(problem, full.count))).toBeLessThan(1e-8);
    }
  });

  it('solved by bodies are the law in five rows', () => {
    const solver = new BodyNewton(300);
    for (let seed = 1; seed <= 40; seed++) {
      const full = randomRolling(seed, 1 + (seed % 6), 7);
      const problem = inBlocksOfBodies(full);
      const result = createSolverResult();
      solver.solve(problem, 1e-10, result);
      expect(result.status, `seed ${seed}`).toBe('converged');
      expect(rollingDefect(full, fromBlocks(problem, full.count))).toBeLessThan(1e-8);
    }
  });

  it('with pyramids for cones come nearer to it with their facets', () => {
    const worst = [6, 24].map((facets) => {
      let residual = 0;
      for (let seed = 1; seed <= 10; seed++) {
        const result = createSolverResult();
        const problem = inBlocks(randomRolling(seed, 1 + (seed % 4), 7));
        createFrictionSolver(FACETED, { facets }).solve(problem, 1e-10, result);
        residual = Math.max(residual, result.residual);
      }
      return residual;
    });
    expect(worst[0] / worst[1]).toBeGreaterThan(3);
    expect(worst[1]).toBeLessThan(0.02);
  });

  it.each([...SYMMETRIC_ONLY])('are refused by %s, which takes them without moments', (name) => {
    const problem = inBlocks(randomRolling(3, 2, 7));
    const result = createSolverResult();
    const solver = createFrictionSolver(name);
    solver.solve(problem, 1e-10, result);
    expect(result).toMatchObject({ status: 'unsuitable', solver: name, iterations: 0 });
    const alone = new FrictionContactProblem(3, 1, 1);
    alone.count = alone.W.rows = alone.W.rowStart[1] = 1;
    alone.W.values.set([1, 0, 0, 0, 1, 0, 0, 0, 1]);
    alone.q.set([-1, 0.2, 0]);
    alone.mu[0] = 0.5;
    solver.solve(alone, 1e-10, result);
    expect(result.status).toBe('converged');
    expect(alone.r[1]).toBeCloseTo(-0.2, 9);
  });
});

describe('the automatic choice', () => {
  it('goes on with solvers that take them where sweeps fail, and says so', () => {
    // No tolerance is met by rounding: all that there are are tried.
    const problem = inBlocks(randomRolling(5, 3, 7));
    const result = createSolverResult();
    const solver = new AutomaticFriction();
    solver.solve(problem, 1e-300, result);
    expect(solver.reason).toMatch(
      /^W is not symmetric, only solvers that take it: NSGS: .*Proximal.*SemiSmoothNewton/,
    );
    expect(solver.reason).not.toMatch(/InteriorPoint|ADMM|Tresca/);
    expect(result.residual).toBeLessThan(1e-12);
  });
});
