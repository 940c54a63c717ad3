/** Units in which masses are near one: the answer of heavy and light bodies is as good as that of others. */
import { expect, it } from 'vitest';
import { NaturalUnits } from '@engine/solvers/friction/equilibrated';
import { createFrictionSolver } from '@engine/solvers/friction/registry';
import { createSolverResult } from '@engine/solvers/solver';
import { spherePile } from '@cli/bench/sphere-pile';

it.each([1, 1e-6, 1e6])('W times %d', (factor) => {
  const reference = spherePile(25, 0.4);
  const result = createSolverResult();
  createFrictionSolver('NSGS').solve(reference, 1e-13, result);
  expect(result.status).toBe('converged');
  const problem = spherePile(25, 0.4);
  const entries = 9 * problem.W.rowStart[problem.count];
  // Powers of two, as a change of the unit of mass would have it.
  const unit = 2 ** Math.round(Math.log2(factor));
  for (let k = 0; k < entries; k++) problem.W.values[k] *= unit;
  const before = problem.W.values.slice(0, entries);
  new NaturalUnits(createFrictionSolver('NSGS')).solve(problem, 1e-10, result);
  expect(result.status).toBe('converged');
  // W comes back bit for bit, and reactions are those of the other unit.
  expect(problem.W.values.slice(0, entries)).toEqual(before);
  const largest = reference.r.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  for (let i = 0; i < 3 * problem.count; i++)
    expect(Math.abs(problem.u[i] - reference.u[i])).toBeLessThan(1e-8 * largest);
});
