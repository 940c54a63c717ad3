/** The path of compliant contacts: random contacts and piles, from no guess at all. */
import { describe, expect, it } from 'vitest';
import { bodyPile } from '@cli/bench/body-piles';
import { rollingPile } from '@cli/bench/rolling-pile';
import { AutomaticFriction } from '@engine/solvers/friction/automatic';
import { CompliancePath } from '@engine/solvers/friction/compliance-path';
import { createSolverResult } from '@engine/solvers/solver';
import { isProving, sample } from '../../../support/prove';
import { allowed, denseProblem, violation } from './support/problems';

/** ms, for a machine with much else to do */
const TIMEOUT = isProving ? 3_600_000 : 120_000;
const TOLERANCE = 1e-8;
const STEPS = 3000;
/** Of about 5000 contacts, pushed about by these. */
const LARGE_LOADS = [1, 2, 3, 4, 5, 6];

describe('piles', () => {
  it('of blocks at random are solved from nothing, whatever pushes them', { timeout: TIMEOUT }, () => {
    const loads = sample(3, 12);
    const [solver, result] = [new CompliancePath(STEPS), createSolverResult()];
    for (let load = 1; load <= loads; load++) {
      const problem = bodyPile('blocks', sample(300, 900), 0.5, load);
      solver.solve(problem, TOLERANCE, result);
      expect([result.status, result.solver], `load ${load}`).toEqual(['converged', 'CompliancePath']);
      expect(result.residual).toBe(problem.certify());
      expect(violation(problem), `load ${load}`).toBeLessThan(allowed(problem));
    }
  });

  it.each(['stack', 'wall', 'columns'] as const)('of a %s are solved', { timeout: TIMEOUT }, (family) => {
    const problem = bodyPile(family, 100, 0.5);
    const result = createSolverResult();
    new CompliancePath(STEPS).solve(problem, TOLERANCE, result);
    expect(result.status).toBe('converged');
    expect(violation(problem)).toBeLessThan(allowed(problem));
  });

  it('with rolling friction are solved from nothing', { timeout: TIMEOUT }, () => {
    const dynamics = rollingPile(0.1, 3, 3);
    for (let k = 0; k < 25; k++) dynamics.advance();
    const { problem } = dynamics;
    problem.r.fill(0);
    const result = createSolverResult();
    new CompliancePath(STEPS).solve(problem, TOLERANCE, result);
    expect(result.status).toBe('converged');
    expect(violation(problem)).toBeLessThan(allowed(problem));
  });

  it('of blocks at random are solved by the automatic choice', { timeout: TIMEOUT }, () => {
    const result = createSolverResult();
    const loads = LARGE_LOADS.slice(0, sample(1, LARGE_LOADS.length));
    for (const load of loads) {
      const problem = bodyPile('blocks', sample(100, 5000), 0.5, load);
      new AutomaticFriction().solve(problem, TOLERANCE, result);
      expect(result.status, `load ${load}`).toBe('converged');
      expect(violation(problem), `load ${load}`).toBeLessThan(allowed(problem));
    }
  });
});

describe('what it says of itself', () => {
  it('is unsuitable where only W is known', () => {
    const identity = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ];
    const result = createSolverResult();
    new CompliancePath(100).solve(denseProblem(3, identity, [-1, 0.5, 0], [0.3]), TOLERANCE, result);
    expect([result.status, result.iterations]).toEqual(['unsuitable', 0]);
  });

  it('is the best answer that it came across, with its residual, where steps do not do', () => {
    const problem = bodyPile('blocks', 100, 0.5);
    const before = problem.certify();
    const result = createSolverResult();
    new CompliancePath(30).solve(problem, TOLERANCE, result);
    expect(result.status).toBe('maxIterations');
    expect(result.residual).toBe(problem.certify());
    expect(result.residual).toBeLessThanOrEqual(before);
  });

  it('depends on nothing that it has solved before', () => {
    const [used, fresh] = [new CompliancePath(STEPS), new CompliancePath(STEPS)];
    const [first, again] = [bodyPile('wall', 100, 0.5), bodyPile('wall', 100, 0.5)];
    const result = createSolverResult();
    used.solve(bodyPile('blocks', 100, 0.5), TOLERANCE, result);
    used.solve(first, TOLERANCE, result);
    fresh.solve(again, TOLERANCE, result);
    expect(first.r).toEqual(again.r);
  });
});
