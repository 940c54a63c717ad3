/** Random contacts, degenerate ones among them: what is called converged is, what is not is said. */
import { describe, expect, it } from 'vitest';
import { AutomaticFriction } from '@engine/solvers/friction/automatic';
import { createFrictionSolver, frictionSolvers } from '@engine/solvers/friction/registry';
import { createSolverResult } from '@engine/solvers/solver';
import { seeded } from '../../support/random';
import { allowed, violation } from './support/problems';
import { stackOfFamily } from './support/stacks';

const TOLERANCE = 1e-8;
/** ms, for a machine with much else to do */
const TIMEOUT = 60_000;
/** Sizes of problems: Lemke's matrices grow with the square. */
const LARGEST: Readonly<Record<string, number>> = { Faceted: 12 };

describe('random stacks', () => {
  it.each(frictionSolvers)(
    '$name certifies its answer or says that it has none',
    { timeout: TIMEOUT },
    ({ name }) => {
      const random = seeded(601);
      const solver = createFrictionSolver(name);
      const result = createSolverResult();
      let solved = 0;
      for (let trial = 0; trial < 15; trial++) {
        const problem = stackOfFamily(random, LARGEST[name] ?? 40);
        solver.solve(problem, TOLERANCE, result);
        expect(result.residual, `trial ${trial}`).toBe(problem.certify());
        if (result.status === 'converged') {
          solved++;
          expect(result.residual).toBeLessThanOrEqual(TOLERANCE);
          expect(violation(problem), `trial ${trial}`).toBeLessThan(allowed(problem));
        } else {
          expect(result.residual).toBeGreaterThan(TOLERANCE);
        }
      }
      // The faceted cones solve what is in the plane, what opens and what sticks.
      expect(solved).toBeGreaterThan(name === 'Faceted' ? 2 : 9);
    },
  );

  it('are all solved by the automatic choice, with the solver named', { timeout: TIMEOUT }, () => {
    const random = seeded(602);
    const solver = new AutomaticFriction();
    const result = createSolverResult();
    for (let trial = 0; trial < 60; trial++) {
      solver.solve(stackOfFamily(random, 60), TOLERANCE, result);
      expect(result.status, `trial ${trial}: ${solver.reason}`).toBe('converged');
      expect(solver.reason).toContain(`${result.solver}: residual`);
    }
  });
});
