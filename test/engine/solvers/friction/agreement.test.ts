/**
 * Every solver of friction-contact problems on the same problems, judged by the law itself, condition by
 * condition.
 */
import { describe, expect, it } from 'vitest';
import { spherePile } from '@cli/bench/sphere-pile';
import { solveOneContact } from '@engine/solvers/one-contact/one-contact';
import { createFrictionSolver, frictionSolvers } from '@engine/solvers/friction/registry';
import { createSolverResult } from '@engine/solvers/solver';
import { seeded } from '../../support/random';
import { denseProblem, randomContacts, violation } from './support/problems';

const TOLERANCE = 1e-9;
/** What a natural map below the tolerance leaves of each condition, in problems whose numbers are near 1. */
const EXACT = 1e-6;
const NAMES = frictionSolvers.map(({ name }) => name);

function solve(name: string, problem: ReturnType<typeof denseProblem>, tolerance = TOLERANCE) {
  const result = createSolverResult();
  createFrictionSolver(name).solve(problem, tolerance, result);
  return result;
}

describe.each(NAMES)('%s', (name) => {
  it('opens, sticks and slides as the formulas for one contact say', () => {
    const W = [
      [2, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ];
    const opens = denseProblem(3, W, [0.5, 1, -2], [0.3]);
    expect(solve(name, opens).status).toBe('converged');
    opens.r.forEach((x) => expect(x).toBeCloseTo(0, 8));

    const sticks = denseProblem(3, W, [-4, 0.3, -0.4], [0.3]);
    expect(solve(name, sticks).status).toBe('converged');
    [2, -0.3, 0.4].forEach((x, k) => expect(sticks.r[k]).toBeCloseTo(x, 7));

    // r_N = 2, and friction 0.3 · 2 against the slip (3, −4).
    const slides = denseProblem(3, W, [-4, 3, -4], [0.3]);
    if (name === 'Faceted') {
      // No corner of the polygon is opposite to (3, −4): the answer is another problem's, and is not passed
      // off as this one's.
      expect(solve(name, slides).status).toBe('stalled');
      return;
    }
    expect(solve(name, slides).status).toBe('converged');
    [2, -0.36, 0.48].forEach((x, k) => expect(slides.r[k]).toBeCloseTo(x, 7));
  });

  it.each([2, 3] as const)('solves random contacts in dimension %i, redundant ones included', (dimension) => {
    const random = seeded(50 + dimension);
    for (let trial = 0; trial < 20; trial++) {
      const contacts = random.integer(1, 5);
      const rank = random.integer(2, dimension * contacts + 2);
      const problem = randomContacts(random, { dimension, contacts, rank, mu: random.uniform(0, 0.6) });
      const result = solve(name, problem);
      // Not every method solves every problem; none may say that it did when it did not.
      if (name === 'auto') expect(result.status, `trial ${trial}`).toBe('converged');
      if (result.status === 'converged') expect(violation(problem), `trial ${trial}`).toBeLessThan(EXACT);
      else expect(result.residual).toBeGreaterThan(TOLERANCE);
    }
  });

  it('finds the impulses that enumeration finds for a single contact with coupling', () => {
    const random = seeded(7);
    for (let trial = 0; trial < 30; trial++) {
      const problem = randomContacts(random, {
        dimension: 3,
        contacts: 1,
        rank: 5,
        mu: random.uniform(0, 0.5),
      });
      const M = [0, 3, 6].map((at) => Array.from(problem.W.values.subarray(at, at + 3)));
      const all = solveOneContact({ M, q: [...problem.q], mu: problem.mu[0] });
      const result = solve(name, problem, 1e-10);
      if (name === 'auto') expect(result.status).toBe('converged');
      if (result.status !== 'converged') continue;
      const distance = Math.min(
        ...all.solutions.map(({ r }) => Math.hypot(...r.map((x, k) => x - problem.r[k]))),
      );
      expect(distance, `trial ${trial}`).toBeLessThan(1e-6 * Math.max(1, Math.hypot(...problem.r)));
    }
  });

  it('gives the same bits for the same problem, also after others', () => {
    const solver = createFrictionSolver(name);
    const result = createSolverResult();
    const problem = spherePile(30, 0.3);
    solver.solve(problem, TOLERANCE, result);
    const first = problem.r.slice();
    solver.solve(
      randomContacts(seeded(3), { dimension: 2, contacts: 60, rank: 70, mu: 0.2 }),
      TOLERANCE,
      result,
    );
    problem.r.fill(0);
    solver.solve(problem, TOLERANCE, result);
    expect(problem.r).toEqual(first);
  });

  it('takes a problem without contacts', () => {
    expect(solve(name, denseProblem(3, [], [], [])).status).toBe('converged');
  });

  it('does not call numbers that are not finite solved', () => {
    const problem = denseProblem(
      2,
      [
        [1, 0],
        [0, 1],
      ],
      [-1, Number.NaN],
      [0.5],
    );
    expect(solve(name, problem).status).not.toBe('converged');
  });
});

describe('a pile of spheres', () => {
  it.each([10, 100, 300])('of %i contacts is solved by the automatic choice', (contacts) => {
    const problem = spherePile(contacts, 0.3);
    expect(solve('auto', problem).status).toBe('converged');
    expect(violation(problem)).toBeLessThan(EXACT);
  });
});

describe('units', () => {
  it('of force and velocity change the impulses in proportion', () => {
    const problem = spherePile(60, 0.3);
    solve('auto', problem, 1e-12);
    const scaled = spherePile(60, 0.3);
    // Forces in units 1000 times smaller, velocities in units 10 times smaller: powers of two, so that
    // nothing rounds.
    scaled.W.values.forEach((x, k) => (scaled.W.values[k] = x * 2 ** -7));
    scaled.q.forEach((x, k) => (scaled.q[k] = x * 2 ** 3));
    expect(solve('auto', scaled, 1e-12).status).toBe('converged');
    // The impulses of a redundant pile are not unique, the velocities of its bodies nearly always are.
    scaled.u.forEach((x, k) => expect(x / 2 ** 3).toBeCloseTo(problem.u[k], 8));
  });
});
