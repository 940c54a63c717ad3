/**
 * What the solutions of one contact must satisfy and a slip must break: each check throws when it does not
 * hold.
 */
import { type OneContactProblem, solveOneContact } from '@engine/solvers/one-contact/one-contact';
import { seeded } from '../../support/random';
import { acrossAxis, alongAxis, ambiguous, coupled, definite } from './support/contacts';

/** Of what the source prints. */
const PRINTED = 1e-6;

/** The kinds and forces of all solutions are those given. */
function demand(problem: OneContactProblem, expected: readonly (readonly [string, ...number[]])[]): void {
  const { solutions } = solveOneContact(problem);
  const isSame =
    solutions.length === expected.length &&
    expected.every(
      ([kind, ...r], k) =>
        solutions[k].kind === kind && r.every((x, i) => Math.abs(solutions[k].r[i] - x) <= PRINTED),
    );
  if (!isSame) throw new Error(`solutions are ${JSON.stringify(solutions)}`);
}

/** No solution pulls, and none of a definite operator is missing. */
function pushesOnly(): void {
  const random = seeded(90);
  for (let k = 0; k < 300; k++) {
    const { solutions } = solveOneContact(definite(random));
    if (solutions.length === 0 || solutions.some(({ r }) => !(r[0] >= 0)))
      throw new Error(`solutions are ${JSON.stringify(solutions)}`);
  }
}

export const checks = {
  coupledSlide: () => demand(coupled, [['slide', 0.06569568, -0.00367861, -0.00544307]]),
  slipAlongAxis: () => demand(alongAxis, [['slide', 1, -0.3, 0]]),
  slipAcrossAxis: () => demand(acrossAxis, [['slide', 0.531915, 0, -0.212766]]),
  threeSolutions: () =>
    demand(ambiguous, [
      ['take-off', 0, 0, 0],
      ['stick', 3.176353, 2.222246, -1.843404],
      ['slide', 0.719876, 0.932888, -0.272357],
    ]),
  pushesOnly,
} as const;
