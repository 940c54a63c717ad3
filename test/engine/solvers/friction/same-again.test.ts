/** A problem that comes again has the answer that it had. */
import { expect, it } from 'vitest';
import { bodyPile } from '@cli/bench/body-piles';
import { worldOf } from '@cli/bench/falling-bodies';
import type { FrictionContactProblem } from '@engine/problems/friction-contact';
import { box } from '@engine/model/shapes/box';
import { AutomaticFriction } from '@engine/solvers/friction/automatic';
import { SameAgain } from '@engine/solvers/friction/same-again';
import type { FrictionSolver } from '@engine/solvers/friction/solver';
import { createSolverResult } from '@engine/solvers/solver';

const TOLERANCE = 1e-8;

class Counted implements FrictionSolver {
  solves = 0;
  readonly #solver = new AutomaticFriction();

  solve(...given: Parameters<FrictionSolver['solve']>): void {
    this.solves++;
    this.#solver.solve(...given);
  }
}

function solved(solver: FrictionSolver, problem: FrictionContactProblem): unknown {
  problem.r.fill(0);
  problem.u.fill(Number.NaN);
  const result = createSolverResult();
  solver.solve(problem, TOLERANCE, result);
  return { result, r: [...problem.r], u: [...problem.u], measure: [...problem.measure] };
}

it('is not solved again, whatever comes in between', () => {
  const counted = new Counted();
  const solver = new SameAgain(counted);
  const [problem, other] = [bodyPile('wall', 60, 0.5), bodyPile('stack', 20, 0.3)];
  const answer = solved(solver, problem);
  expect(counted.solves).toBe(1);
  solved(solver, other);
  solved(solver, other);
  expect(counted.solves).toBe(3);
  expect(solved(solver, problem)).toEqual(answer);
  expect(counted.solves).toBe(3);
});

it.each([
  ['velocities', (problem: FrictionContactProblem) => (problem.q[4] += 1e-15)],
  ['friction', (problem: FrictionContactProblem) => (problem.mu[2] = 0.25)],
  ['W', (problem: FrictionContactProblem) => problem.revision++],
])('is solved anew with other %s', (_, change) => {
  const counted = new Counted();
  const solver = new SameAgain(counted);
  const problem = bodyPile('wall', 60, 0.5);
  solved(solver, problem);
  change(problem);
  const answer = solved(solver, problem);
  expect(counted.solves).toBe(2);
  expect(solved(new AutomaticFriction(), problem)).toEqual(answer);
});

it('is that of a stack at rest, whose reactions stay as they are to the last bit', () => {
  const { dynamics } = worldOf(
    Array.from({ length: 20 }, (_, k) => ({
      shape: box(0.1, 0.1, 0.1),
      position: [0, 0, 0.1 + 0.2 * k] as const,
    })),
  );
  for (let k = 0; k < 3; k++) expect(dynamics.advance()).toBe('ok');
  const [r, q] = [dynamics.impulses.slice(), dynamics.q.slice()];
  for (let k = 0; k < 100; k++) expect(dynamics.advance()).toBe('ok');
  expect(dynamics.iterations).toBe(0);
  expect(dynamics.impulses).toEqual(r);
  expect(dynamics.q).toEqual(q);
});
