/**
 * The automatic choice on the problems that `moreau bench friction` generates, and on those of a folder that
 * `MOREAU_FRICTION_PROBLEMS` names, in the form that benchmark reads:
 *
 *     MOREAU_FRICTION_PROBLEMS=folder npx vitest run --project engine piles-and-files
 */
import { describe, expect, it } from 'vitest';
import { bodyPile, FAMILIES } from '@cli/bench/body-piles';
import { readFrictionProblems } from '@cli/bench/friction-data';
import type { FrictionContactProblem } from '@engine/problems/friction-contact';
import { AutomaticFriction } from '@engine/solvers/friction/automatic';
import { createSolverResult } from '@engine/solvers/solver';
import { allowed, violation } from './support/problems';

const TOLERANCE = 1e-8;
/** ms, for a machine with much else to do */
const TIMEOUT = 120_000;

/** Solves, and looks at the answer with a measure that shares nothing with the solvers. */
function expectSolved(problem: FrictionContactProblem): void {
  const result = createSolverResult();
  new AutomaticFriction().solve(problem, TOLERANCE, result);
  expect(result.status).toBe('converged');
  expect(result.residual).toBeLessThanOrEqual(TOLERANCE);
  expect(violation(problem)).toBeLessThan(allowed(problem));
}

/** A thousand blocks at random take longer than all the others together. */
const sizesOf = (family: (typeof FAMILIES)[number]): number[] =>
  family === 'blocks' ? [10, 100] : [10, 100, 1000];

describe.each(FAMILIES)('%s', (family) => {
  it.each(sizesOf(family))(
    'of about %i contacts are solved',
    (contacts) => {
      const problem = bodyPile(family, contacts, 0.5);
      expect(problem.count).toBeGreaterThan(0.7 * contacts);
      expectSolved(problem);
    },
    TIMEOUT,
  );
});

interface Problem {
  name: string;
  problem: FrictionContactProblem | null;
}
const folder = process.env.MOREAU_FRICTION_PROBLEMS;
const files: Problem[] =
  folder === undefined
    ? [{ name: 'no folder is named by MOREAU_FRICTION_PROBLEMS', problem: null }]
    : readFrictionProblems(folder);

describe('a problem of a file', () => {
  it.skipIf(folder === undefined).each(files)(
    'is solved: $name',
    ({ problem }) => {
      if (problem !== null) expectSolved(problem);
    },
    TIMEOUT,
  );
});
