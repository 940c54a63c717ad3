/**
 * Random contacts in space: each answer is certified, and a part of them compared with a scan of all
 * directions.
 */
import { describe, expect, it } from 'vitest';
import { type OneContactProblem, solveOneContact } from '@engine/solvers/one-contact/one-contact';
import { type Random, seeded } from '../../support/random';
import { arbitrary, bodily, definite, semidefinite } from './support/contacts';
import { scan } from './support/scan';

const RESIDUAL = 1e-12;

/** Certifies all answers. @returns how many had no solution and how many several */
function count(make: () => OneContactProblem, problems: number): { none: number; several: number } {
  let [none, several] = [0, 0];
  for (let k = 0; k < problems; k++) {
    const problem = make();
    const { outcome, solutions } = solveOneContact(problem);
    if (outcome === 'none') none++;
    else if (outcome === 'several') several++;
    // Expectations are slow; one is made only where it would fail.
    const isWrong = ({ residual, r }: (typeof solutions)[number]): boolean =>
      !(residual <= RESIDUAL) || !(Math.hypot(r[1], r[2]) <= problem.mu * r[0] * (1 + 1e-14));
    if (outcome === 'invalid' || solutions.some(isWrong)) expect({ problem, outcome, solutions }).toBeNull();
  }
  return { none, several };
}

/** Any operator with μ |c| < M₁₁, for which a solution is proved to exist. */
function gentle(random: Random): OneContactProblem {
  for (;;) {
    const problem = arbitrary(random);
    const [push, c1, c2] = problem.M[0];
    if (problem.mu * Math.hypot(c1, c2) < push) return problem;
  }
}

const MANY = 5000;

// Of each family twenty thousand.
describe.each([20, 21, 22, 23])('five thousand contacts of each family, seed %i', (seed) => {
  const of = (make: (random: Random) => OneContactProblem): { none: number; several: number } => {
    const random = seeded(seed);
    return count(() => make(random), MANY);
  };

  it('positive definite: none is unsolvable, some have several solutions', () => {
    const { none, several } = of(definite);
    expect(none).toBe(0);
    expect(several).toBeGreaterThan(10);
  });

  it('of bodies with inertia: each has exactly one solution', () =>
    expect(of(bodily)).toEqual({ none: 0, several: 0 }));

  it('semidefinite with a q that a force stops: none is unsolvable', () => {
    const { none, several } = of(semidefinite);
    expect(none).toBe(0);
    expect(several).toBeGreaterThan(250);
  });

  it('of any operator: each is solved, or named unsolvable', () => {
    const { none, several } = of(arbitrary);
    expect(none).toBeGreaterThan(250);
    expect(several).toBeGreaterThan(250);
  });

  it('of any operator with μ |c| < M₁₁: none is unsolvable', () => expect(of(gentle).none).toBe(0));
});

/** A scan that misses two roots between neighbouring directions is repeated with more of them. */
const SCANS = [600, 60_000];
const PORTION = 250;
const families = [
  ['positive definite', definite, 6],
  ['of bodies with inertia', bodily, 2],
  ['of any operator', arbitrary, 6],
] as const;
const portions = families.flatMap(([name, make, count]) =>
  Array.from({ length: count }, (_, k) => [name, k + 1, make] as const),
);

describe('solutions are those of a scan, all of them and no others', () => {
  it.each(portions)('%s, portion %i', (_, portion, make) => {
    const random = seeded(30 + portion);
    for (let k = 0; k < PORTION; k++) {
      const problem = make(random);
      const found = solveOneContact(problem).solutions.map(({ r }) => r);
      const matches = (scanned: readonly number[][]): boolean =>
        scanned.length === found.length &&
        scanned.every((r) =>
          found.some(
            (other) => Math.hypot(...other.map((x, i) => x - r[i])) <= 1e-9 * (1 + Math.hypot(...r)),
          ),
        );
      if (SCANS.some((directions) => matches(scan(problem, directions)))) continue;
      expect({ problem, found, scanned: scan(problem, SCANS[1]) }).toBeNull();
    }
  });
});
