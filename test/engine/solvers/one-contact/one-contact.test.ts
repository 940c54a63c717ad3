/** One contact as a question: contacts of the sources with known answers, and all that may degenerate. */
import { describe, expect, it } from 'vitest';
import { FrictionContactProblem } from '@engine/problems/friction-contact';
import {
  type OneContactProblem,
  type OneContactSolution,
  solveOneContact,
} from '@engine/solvers/one-contact/one-contact';
import { seeded } from '../../support/random';
import { acrossAxis, alongAxis, ambiguous, arbitrary, coupled, definite } from './support/contacts';

const only = (problem: OneContactProblem): OneContactSolution => {
  const { outcome, solutions } = solveOneContact(problem);
  expect(outcome).toBe('one');
  return solutions[0];
};

const near = (found: readonly number[], expected: readonly number[], tolerance: number): void => {
  expect(found.length).toBe(expected.length);
  for (const [k, x] of expected.entries()) expect(Math.abs(found[k] - x)).toBeLessThanOrEqual(tolerance);
};

const kinds = (problem: OneContactProblem): string[] =>
  solveOneContact(problem).solutions.map(({ kind }) => kind);

/** Residual of the engine's friction-contact problem, which knows nothing of modes. */
function certified({ M, q, mu }: OneContactProblem, r: readonly number[]): number {
  const size = q.length === 3 ? 3 : 2;
  const problem = new FrictionContactProblem(size, 1, 1);
  problem.count = 1;
  problem.W.rows = 1;
  problem.W.rowStart.set([0, 1]);
  problem.W.values.set(M.flat());
  problem.q.set(q);
  problem.mu[0] = mu;
  problem.r.set(r);
  return problem.certify();
}

const diagonal = (...entries: number[]): number[][] =>
  entries.map((entry, i) => entries.map((_, j) => (i === j ? entry : 0)));

// Forces and α to 16 digits, from Newton's method on (12.1) in 40 digits.
describe('contacts of the Siconos developer’s notes §12', () => {
  it('coupled axes: the printed slide', () => {
    const { kind, r, alpha, residual } = only(coupled);
    expect(kind).toBe('slide');
    near(r, [0.06569568, -0.00367861, -0.00544307], 1e-6);
    near(r, [0.06569568289773831, -0.00367861490680676, -0.005443070813559287], 1e-15);
    expect(Math.abs(alpha! / 510.3444326612215 - 1)).toBeLessThan(1e-12);
    expect(residual).toBeLessThan(1e-15);
  });

  it('friction along θ = π', () => {
    const { kind, r, alpha } = only(alongAxis);
    expect(kind).toBe('slide');
    near(r, [1, -0.3, 0], 1e-15);
    expect(Math.abs(alpha! - 19 / 6)).toBeLessThan(1e-14);
  });

  it('a component of the friction that vanishes with its row', () => {
    const { kind, r, alpha } = only(acrossAxis);
    expect(kind).toBe('slide');
    near(r, [0.5319148936170213, 0, -0.2127659574468085], 1e-15);
    expect(Math.abs(alpha! - 6.15)).toBeLessThan(1e-13);
  });

  it('three solutions of a definite operator', () => {
    const { outcome, solutions } = solveOneContact(ambiguous);
    expect(outcome).toBe('several');
    expect(solutions.map(({ kind }) => kind)).toEqual(['take-off', 'stick', 'slide']);
    near(solutions[0].r, [0, 0, 0], 0);
    near(solutions[1].r, [3.176353454471022, 2.2222462015614258, -1.8434035433552633], 1e-13);
    near(solutions[2].r, [0.7198760052177663, 0.932888257506054, -0.2723565955162934], 1e-12);
    expect(Math.abs(solutions[2].alpha! - 0.6494875455672183)).toBeLessThan(1e-12);
    for (const { r, residual } of solutions) {
      expect(residual).toBeLessThan(1e-14);
      expect(certified(ambiguous, r)).toBeLessThan(1e-14);
    }
  });
});

describe('modes that need no quartic', () => {
  const M = coupled.M;
  it('takes off when it separates or touches without approach', () => {
    expect(kinds({ M, q: [1, 2, 3], mu: 0.1 })).toEqual(['take-off']);
    expect(kinds({ M, q: [0, 2, 3], mu: 0.1 })).toEqual(['take-off']);
    expect(kinds({ M, q: [0, 0, 0], mu: 0.1 })).toEqual(['take-off']);
  });

  it('sticks when friction suffices', () => {
    const { kind, r, u, alpha } = only({ M, q: [-1, 2, 3], mu: 100 });
    expect(kind).toBe('stick');
    expect(alpha).toBeNull();
    near(u, [0, 0, 0], 1e-15);
    expect(Math.hypot(r[1], r[2])).toBeLessThan(100 * r[0]);
  });

  it('sticks when nothing slips, without tangential force', () => {
    const { kind, r } = only({ M: diagonal(2, 3, 4), q: [-1, 0, 0], mu: 0.5 });
    expect(kind).toBe('stick');
    near(r, [0.5, 0, 0], 0);
  });

  it('q without tangential part slides when the operator couples', () => {
    const problem = { M: coupled.M, q: [-1, 0, 0], mu: 0.01 };
    const { kind, r } = only(problem);
    expect(kind).toBe('slide');
    expect(certified(problem, r)).toBeLessThan(1e-15);
  });
});

describe('without friction', () => {
  it('pushes along the normal only and slips where it likes', () => {
    const { kind, r, u, alpha } = only({ ...coupled, mu: 0 });
    expect(kind).toBe('slide');
    expect(alpha).toBe(Infinity);
    near(r, [1 / 15, 0, 0], 1e-17);
    near(u, [0, 2 - 1 / 15, 3 - 2 / 15], 1e-15);
    expect(certified({ ...coupled, mu: 0 }, r)).toBeLessThan(1e-15);
  });

  it('sticks where nothing slips', () =>
    expect(kinds({ M: diagonal(1, 1, 1), q: [-1, 0, 0], mu: 0 })).toEqual(['stick']));

  it('takes off, and the residual of no force is zero', () => {
    const { kind, residual } = only({ M: diagonal(1, 1, 1), q: [4, 0, 0], mu: 0 });
    expect(kind).toBe('take-off');
    expect(residual).toBe(0);
    expect(certified({ M: diagonal(1, 1, 1), q: [4, 0, 0], mu: 0 }, [0, 0, 0])).toBe(0);
  });
});

describe('equal tangential mobilities', () => {
  // Nothing couples: the friction is against the free slip, r_N = 1/w, α = |q_T|/|r_T| − w.
  it('opposes the free slip in every direction, at the eight origins of θ and between', () => {
    for (let k = 0; k < 48; k++) {
      const theta = (k * Math.PI) / 24;
      const q = [-1, 2 * Math.cos(theta), 2 * Math.sin(theta)];
      const { kind, r, alpha } = only({ M: diagonal(4, 4, 4), q, mu: 0.5 });
      expect(kind).toBe('slide');
      near(r, [0.25, -0.125 * Math.cos(theta), -0.125 * Math.sin(theta)], 1e-16);
      expect(Math.abs(alpha! - 12)).toBeLessThan(1e-13);
    }
  });

  it('with coupling to the normal', () => {
    const M = [
      [2, 0.5, 0.3],
      [0.5, 3, 0],
      [0.3, 0, 3],
    ];
    for (let k = 0; k < 24; k++) {
      const q = [-1, Math.cos(k), Math.sin(k)];
      const { r, residual } = only({ M, q, mu: 0.4 });
      expect(residual).toBeLessThan(1e-15);
      expect(certified({ M, q, mu: 0.4 }, r)).toBeLessThan(1e-15);
    }
  });
});

describe('a force that sticks on the cone', () => {
  it('is one solution, not two', () => {
    const random = seeded(12);
    for (let k = 0; k < 3000; k++) {
      const { M } = definite(random);
      const [mu, push, theta] = [0.4, random.uniform(0.1, 2), random.uniform(0, 7)];
      const r = [push, mu * push * Math.cos(theta), mu * push * Math.sin(theta)];
      const q = M.map((row) => -row.reduce((sum, entry, j) => sum + entry * r[j], 0));
      const close = solveOneContact({ M, q, mu }).solutions.filter(
        (solution) => Math.hypot(...solution.r.map((entry, i) => entry - r[i])) < 1e-6 * push,
      );
      expect(close.length).toBe(1);
    }
  });

  it('is found where F has a triple root there', () => {
    const M = [
      [12, -4, -10],
      [-4, 2, 3],
      [-10, 3, 9],
    ];
    const { kind, r } = only({ M, q: [-4, 2, 2], mu: 1 });
    expect(kind).toBe('stick');
    near(r, [2, 0, 2], 1e-13);
  });
});

describe('operators without full rank', () => {
  it('a body that moves along the normal only, on a belt: friction against the belt, one solution', () => {
    const { kind, r } = only({ M: diagonal(2, 0, 0), q: [-1, 3, 4], mu: 0.5 });
    expect(kind).toBe('slide');
    near(r, [0.5, -0.15, -0.2], 1e-16);
  });

  it('the same on a floor at rest: any friction will do, which is said', () => {
    const { outcome, solutions } = solveOneContact({ M: diagonal(2, 0, 0), q: [-1, 0, 0], mu: 0.5 });
    expect(outcome).toBe('several');
    expect(solutions.map(({ kind, isIsolated }) => [kind, isIsolated])).toEqual([['stick', false]]);
    near(solutions[0].u, [0, 0, 0], 0);
  });

  it('one tangent that is locked', () => {
    const { outcome, solutions } = solveOneContact({ M: diagonal(2, 4, 0), q: [-1, 0.4, 0], mu: 0.5 });
    expect(outcome).toBe('several');
    near(solutions[0].r, [0.5, -0.1, 0], 1e-16);
  });

  it('a normal that is locked and approaches: nothing helps', () => {
    expect(solveOneContact({ M: diagonal(0, 1, 1), q: [-1, 0, 0], mu: 0.5 }).outcome).toBe('none');
    expect(solveOneContact({ M: diagonal(0, 0, 0), q: [-1, 0, 0], mu: 0.5 }).outcome).toBe('none');
  });

  it('nothing moves, nothing is at rest: every force of the cone', () => {
    const { outcome, solutions } = solveOneContact({ M: diagonal(0, 0, 0), q: [0, 0, 0], mu: 0.5 });
    expect(outcome).toBe('several');
    expect(solutions.map(({ kind, isIsolated }) => [kind, isIsolated])).toEqual([['take-off', false]]);
  });

  it('a line or plane of forces that meets the cone in one point is no continuum', () => {
    // Only the second tangent is locked, and nothing pushes.
    expect(solveOneContact({ M: diagonal(1, 1, 0), q: [0, 0, 0], mu: 0.5 }).outcome).toBe('one');
    // r_N = 1 and r₁ = 1 touch the cone of μ = 1 where r₂ = 0.
    const { outcome, solutions } = solveOneContact({ M: diagonal(1, 1, 0), q: [-1, -1, 0], mu: 1 });
    expect(outcome).toBe('one');
    near(solutions[0].r, [1, 1, 0], 1e-15);
    // Without friction the cone is a ray.
    expect(solveOneContact({ M: diagonal(1, 0, 0), q: [-1, 0, 0], mu: 0 }).outcome).toBe('one');
    expect(solveOneContact({ M: diagonal(0, 1, 1), q: [0, 0, 0], mu: 0 }).outcome).toBe('several');
  });

  it('a force along which nothing moves is not taken for a solution, however large', () => {
    const M = [
      [6, 6, 2],
      [6, 9, -2],
      [2, -2, 6],
    ];
    const { outcome, solutions } = solveOneContact({ M, q: [-1, -5, 5], mu: 1 });
    expect(outcome).toBe('one');
    near(solutions[0].r, [0.125, 0.075, -0.1], 1e-15);
  });
});

describe('operators that are not definite', () => {
  it('pulls the bodies together: no solution', () =>
    expect(solveOneContact({ M: diagonal(-1, -1, -1), q: [-1, 1, 0], mu: 0.4 }).outcome).toBe('none'));

  // The slip along e₁ meets friction along −e₁, which presses down: u_N = q_N + (1 − 2 μ) r_N.
  const pressed = (tangential: number): number[][] => [
    [1, 2, 0],
    [0, tangential, 0],
    [0, 0, tangential],
  ];

  it('Painlevé, with a slip that nothing stops: none on approach, two when it parts', () => {
    expect(solveOneContact({ M: pressed(0), q: [-1, 10, 0], mu: 1 }).outcome).toBe('none');
    const { outcome, solutions } = solveOneContact({ M: pressed(0), q: [1, 10, 0], mu: 1 });
    expect(outcome).toBe('several');
    expect(solutions.map(({ kind }) => kind)).toEqual(['take-off', 'slide']);
    near(solutions[1].r, [1, -1, 0], 1e-15);
  });

  it('Painlevé, with a slip that can be stopped: jams', () => {
    const { kind, r } = only({ M: pressed(1e-6), q: [-1, 10, 0], mu: 1 });
    expect(kind).toBe('stick');
    near(r, [2e7 + 1, -1e7, 0], 1e-7);
  });
});

describe('invariance', () => {
  it('units of force and velocity by powers of two change no bit', () => {
    const random = seeded(13);
    for (let k = 0; k < 500; k++) {
      const { M, q, mu } = random.chance(0.5) ? definite(random) : arbitrary(random);
      const [force, speed] = [2 ** random.integer(-60, 60), 2 ** random.integer(-60, 60)];
      const scaled = solveOneContact({
        M: M.map((row) => row.map((entry) => (entry * speed) / force)),
        q: q.map((entry) => entry * speed),
        mu,
      });
      const plain = solveOneContact({ M, q, mu });
      expect(scaled.outcome).toBe(plain.outcome);
      expect(scaled.solutions.map(({ r }) => r)).toEqual(
        plain.solutions.map(({ r }) => r.map((entry) => entry * force)),
      );
    }
  });

  it('turned tangents turn the solutions', () => {
    const random = seeded(14);
    for (let k = 0; k < 500; k++) {
      const { M, q, mu } = random.chance(0.5) ? definite(random) : arbitrary(random);
      const angle = random.uniform(0, 2 * Math.PI);
      const Q = [
        [1, 0, 0],
        [0, Math.cos(angle), -Math.sin(angle)],
        [0, Math.sin(angle), Math.cos(angle)],
      ];
      const turn = (x: readonly number[]): number[] =>
        Q.map((row) => row.reduce((sum, entry, j) => sum + entry * x[j], 0));
      const half = M.map((row) => turn(row));
      const turned = solveOneContact({
        M: Q.map((row) => [0, 1, 2].map((j) => row.reduce((sum, entry, i) => sum + entry * half[i][j], 0))),
        q: turn(q),
        mu,
      }).solutions;
      const plain = solveOneContact({ M, q, mu }).solutions.map(({ r }) => turn(r));
      expect(turned.length).toBe(plain.length);
      for (const r of plain) {
        const distances = turned.map((other) => Math.hypot(...other.r.map((x, i) => x - r[i])));
        expect(Math.min(...distances)).toBeLessThan(1e-9 * (1 + Math.hypot(...r)));
      }
    }
  });
});

describe('data that are no contact', () => {
  it.each([
    ['μ < 0', { ...coupled, mu: -0.1 }],
    ['μ is no number', { ...coupled, mu: NaN }],
    ['q is not finite', { ...coupled, q: [-1, Infinity, 0] }],
    ['M is no number', { ...coupled, M: diagonal(1, NaN, 1) }],
    ['M is not square', { ...coupled, M: [[1, 0, 0]] }],
    ['four components', { M: diagonal(1, 1, 1, 1), q: [1, 1, 1, 1], mu: 0 }],
  ])('%s', (_, problem) => expect(solveOneContact(problem)).toEqual({ outcome: 'invalid', solutions: [] }));
});
