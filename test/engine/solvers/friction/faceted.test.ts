/**
 * Faceted cones: exact where the polygon is, honest where it is not, and nearer to the round cone with every
 * facet.
 */
import { describe, expect, it } from 'vitest';
import { spherePile } from '@cli/bench/sphere-pile';
import { createFrictionSolver } from '@engine/solvers/friction/registry';
import { createSolverResult } from '@engine/solvers/solver';
import { seeded } from '../../support/random';
import { denseProblem, randomContacts, violation } from './support/problems';

const TOLERANCE = 1e-8;

describe('faceted cones', () => {
  it('are the law itself in the plane', () => {
    const random = seeded(31);
    const result = createSolverResult();
    for (let trial = 0; trial < 10; trial++) {
      const contacts = random.integer(1, 6);
      const problem = randomContacts(random, { dimension: 2, contacts, rank: 14, mu: 0.3 });
      createFrictionSolver('Faceted').solve(problem, TOLERANCE, result);
      expect(result.status, `trial ${trial}`).toBe('converged');
      expect(violation(problem)).toBeLessThan(1e-8);
    }
  });

  it('are the law itself in space where a corner is opposite to the slip', () => {
    const problem = denseProblem(
      3,
      [
        [2, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ],
      [-4, 0, 5],
      [0.3],
    );
    const result = createSolverResult();
    createFrictionSolver('Faceted', { facets: 4 }).solve(problem, TOLERANCE, result);
    expect(result.status).toBe('converged');
    [2, 0, -0.6].forEach((x, k) => expect(problem.r[k]).toBeCloseTo(x, 12));
  });

  it('leave an error that falls with the square of their number, and never call it solved', () => {
    const residuals = [4, 8, 16, 32].map((facets) => {
      const random = seeded(4);
      let sum = 0;
      for (let trial = 0; trial < 10; trial++) {
        const problem = randomContacts(random, { dimension: 3, contacts: 4, rank: 14, mu: 0.3 });
        const result = createSolverResult();
        createFrictionSolver('Faceted', { facets }).solve(problem, TOLERANCE, result);
        expect(result.residual).toBe(problem.certify());
        expect(result.status).toBe(result.residual <= TOLERANCE ? 'converged' : 'stalled');
        sum += result.residual;
      }
      return sum;
    });
    residuals.slice(1).forEach((residual, k) => expect(residual).toBeLessThan(0.6 * residuals[k]));
    expect(residuals[3]).toBeLessThan(0.1 * residuals[0]);
    expect(residuals[3]).toBeGreaterThan(TOLERANCE);
  });

  it('keep every reaction inside the round cone', () => {
    const problem = spherePile(20, 0.1);
    createFrictionSolver('Faceted', { facets: 16 }).solve(problem, TOLERANCE, createSolverResult());
    for (let c = 0; c < problem.count; c++) {
      const [normal, ...tangents] = problem.r.subarray(3 * c, 3 * c + 3);
      expect(Math.hypot(...tangents)).toBeLessThanOrEqual(0.1 * normal + 1e-12);
    }
  });

  it('refuse problems whose matrix would not fit', () => {
    const result = createSolverResult();
    createFrictionSolver('Faceted', { facets: 64 }).solve(spherePile(40), TOLERANCE, result);
    expect(result.status).toBe('unsuitable');
    expect(result.iterations).toBe(0);
  });
});
