/** Solvers of one contact as a Gauss–Seidel sweep calls them. */
import { describe, expect, it } from 'vitest';
import type { LocalSolver, LocalStatus } from '@engine/solvers/one-contact/local-solver';
import {
  type OneContactProblem,
  solveOneContact,
  contactResidual,
} from '@engine/solvers/one-contact/one-contact';
import { ProjectionSolver } from '@engine/solvers/one-contact/projection-solver';
import { createLocalSolver, localSolvers } from '@engine/solvers/one-contact/registry';
import { UniqueContact } from '@engine/solvers/one-contact/exact-solver';
import { type Random, seeded } from '../../support/random';
import { acrossAxis, alongAxis, ambiguous, arbitrary, bodily, coupled, definite } from './support/contacts';

interface Answer {
  status: LocalStatus;
  r: number[];
  residual: number;
}

/** Runs a solver on a block that stands among others, as in block rows. */
function solveAt(solver: LocalSolver, { M, q, mu }: OneContactProblem, guess: readonly number[]): Answer {
  const size = solver.size;
  const before = 7;
  const values = new Float64Array(before + size * size + 3).fill(NaN);
  values.set(M.flat(), before);
  const r = Float64Array.from(guess);
  const free = Float64Array.from(q);
  const status = solver.solve(values, before, free, mu, r);
  expect([...free]).toEqual([...q]);
  return { status, r: [...r], residual: contactResidual(size, values, before, free, mu, r) };
}

const spatial = localSolvers.filter(({ size }) => size === 3).map(({ name }) => name);
const exactOnes = spatial.filter((name) => name !== 'projection');
const NOTHING = [0, 0, 0];

const isNear = (a: readonly number[], b: readonly number[], tolerance: number): boolean =>
  Math.hypot(...a.map((x, i) => x - b[i])) <= tolerance * (1 + Math.hypot(...b));

describe.each(exactOnes)('%s', (name) => {
  it.each([
    ['coupled', coupled],
    ['alongAxis', alongAxis],
    ['acrossAxis', acrossAxis],
  ])('solves the contact of the source: %s', (_, problem) => {
    const [known] = solveOneContact(problem).solutions;
    for (const guess of [NOTHING, known.r, [1, 2, -3], [0.1, -4, 0.2]]) {
      const { status, r, residual } = solveAt(createLocalSolver(name), problem, guess);
      expect(status).toBe('converged');
      expect(residual).toBeLessThan(1e-13);
      expect(isNear(r, known.r, 1e-12)).toBe(true);
    }
  });

  it.each([
    ['of bodies with inertia', bodily, 50],
    ['positive definite', definite, 51],
  ] as const)('solves five thousand contacts %s from random guesses', (_, make, seed) => {
    const random = seeded(seed);
    const solver = createLocalSolver(name);
    for (let k = 0; k < 5000; k++) {
      const problem = make(random);
      const guess = random.chance(0.3) ? NOTHING : [0, 1, 2].map(() => random.uniform(-1, 1));
      const { status, r, residual } = solveAt(solver, problem, guess);
      const isSolved = (status === 'converged' || status === 'several') && residual <= 1e-12;
      if (!isSolved || !solveOneContact(problem).solutions.some((known) => isNear(r, known.r, 1e-6)))
        expect({ problem, guess, status, r, residual }).toBeNull();
    }
  });

  it('never calls an answer a solution that is none, whatever the operator', () => {
    const random = seeded(52);
    const solver = createLocalSolver(name);
    const seen = new Set<LocalStatus>();
    for (let k = 0; k < 5000; k++) {
      const problem = arbitrary(random);
      const guess = [0, 1, 2].map(() => random.uniform(-1, 1));
      const { status, r, residual } = solveAt(solver, problem, guess);
      seen.add(status);
      const isHonest =
        status === 'noSolution'
          ? solveOneContact(problem).outcome === 'none' && r.every((entry, i) => entry === guess[i])
          : residual <= 1e-12;
      if (!isHonest) expect({ problem, guess, status, r, residual }).toBeNull();
    }
    expect([...seen].sort()).toEqual(['converged', 'noSolution', 'several']);
  });

  it('takes off, sticks and slides without friction', () => {
    const M = [
      [2, 0.1, 0.2],
      [0.1, 3, 0],
      [0.2, 0, 3],
    ];
    const answer = (q: number[], mu: number): number[] =>
      solveAt(createLocalSolver(name), { M, q, mu }, [1, 1, 1]).r;
    expect(answer([1, 5, 5], 0.3)).toEqual([0, 0, 0]);
    expect(answer([0, 0, 0], 0.3)).toEqual([0, 0, 0]);
    expect(isNear(answer([-1, 5, 5], 0), [0.5, 0, 0], 1e-14)).toBe(true);
    expect(isNear(answer([-2, -0.1, -0.2], 0.3), [1, 0, 0], 1e-14)).toBe(true);
  });

  it('says that a contact without mobility has no solution, and does not run off to one', () => {
    const locked = { M: [[0, 0, 0], [0, 1, 0], [0, 0, 1]], q: [-1, 0.5, 0], mu: 0.5 }; // prettier-ignore
    expect(solveAt(createLocalSolver(name), locked, [1, 0, 0])).toMatchObject({
      status: 'noSolution',
      r: [1, 0, 0],
    });
    // Along (1, 1, 0), which friction admits, nothing moves.
    const jammed = { M: [[1, -1, 0], [-1, 1, 0], [0, 0, 1]], q: [-1, -0.5, 0], mu: 2 }; // prettier-ignore
    expect(solveAt(createLocalSolver(name), jammed, [1, 0, 0]).status).toBe('noSolution');
  });

  it('powers of two as units change no bit', () => {
    const random = seeded(53);
    const solver = createLocalSolver(name);
    for (let k = 0; k < 500; k++) {
      const { M, q, mu } = random.chance(0.5) ? definite(random) : bodily(random);
      const guess = [0, 1, 2].map(() => random.uniform(-1, 1));
      const [force, speed] = [2 ** random.integer(-40, 40), 2 ** random.integer(-40, 40)];
      const scaled = {
        M: M.map((row) => row.map((entry) => (entry * speed) / force)),
        q: q.map((entry) => entry * speed),
        mu,
      };
      const plain = solveAt(solver, { M, q, mu }, guess);
      const other = solveAt(
        solver,
        scaled,
        guess.map((entry) => entry * force),
      );
      expect(other.status).toBe(plain.status);
      expect(other.r).toEqual(plain.r.map((entry) => entry * force));
    }
  });
});

describe('exact: of several solutions', () => {
  const { solutions } = solveOneContact(ambiguous);

  it.each([0, 1, 2])('the one nearest to the guess is taken: %i', (k) => {
    const random = seeded(60 + k);
    for (let trial = 0; trial < 20; trial++) {
      const guess = solutions[k].r.map((entry) => entry + random.uniform(-0.2, 0.2));
      const { status, r } = solveAt(createLocalSolver('exact'), ambiguous, guess);
      expect(status).toBe('several');
      expect(r).toEqual(solutions[k].r);
    }
  });

  it('of a continuum one near the guess, and it is said', () => {
    const belt = { M: [[2, 0, 0], [0, 0, 0], [0, 0, 0]], q: [-1, 0, 0], mu: 0.5 }; // prettier-ignore
    const { status, r } = solveAt(createLocalSolver('exact'), belt, [0.4, 0.1, -0.05]);
    expect(status).toBe('several');
    expect(isNear(r, [0.5, 0.1, -0.05], 1e-15)).toBe(true);
    const outside = solveAt(createLocalSolver('exact'), belt, [0.4, 3, 4]);
    expect(outside.status).toBe('several');
    expect(isNear(outside.r, [0.5, 0.15, 0.2], 1e-15)).toBe(true);
  });
});

describe('contacts with one solution for certain', () => {
  const unique = (problem: OneContactProblem, guess: readonly number[]): number[] | null => {
    const r = Float64Array.from(guess);
    const isUnique = new UniqueContact().solve(
      Float64Array.from(problem.M.flat()),
      0,
      Float64Array.from(problem.q),
      problem.mu,
      r,
    );
    return isUnique ? [...r] : null;
  };

  it.each([
    ['positive definite', definite, 70, 0.3],
    ['of bodies with inertia', bodily, 71, 0.9],
    ['of any operator', arbitrary, 72, 0.02],
  ] as const)('%s: listing all finds no other', (_, make, seed, share) => {
    const random = seeded(seed);
    let known = 0;
    for (let k = 0; k < 5000; k++) {
      const problem = make(random);
      const r = unique(problem, [0, random.uniform(-1, 1), random.uniform(-1, 1)]);
      if (r === null) continue;
      known++;
      const { outcome, solutions } = solveOneContact(problem);
      if (outcome !== 'one' || !isNear(r, solutions[0].r, 1e-9)) expect({ problem, r, solutions }).toBeNull();
    }
    expect(known).toBeGreaterThan(share * 5000);
  });

  it('the contact with three solutions is not one of them', () =>
    expect(unique(ambiguous, NOTHING)).toBeNull());

  it('leaves the guess alone where it does not know', () => {
    const r = Float64Array.from([1, 2, 3]);
    expect(
      new UniqueContact().solve(
        Float64Array.from(ambiguous.M.flat()),
        0,
        Float64Array.from(ambiguous.q),
        1.35,
        r,
      ),
    ).toBe(false);
    expect([...r]).toEqual([1, 2, 3]);
  });
});

describe('projection', () => {
  it('comes near, and nearer with more steps', () => {
    const random = seeded(80);
    const errors = [5, 20, 2000].map(() => 0);
    for (let k = 0; k < 300; k++) {
      const problem = bodily(random);
      for (const [i, steps] of [5, 20, 2000].entries())
        errors[i] = Math.max(errors[i], solveAt(new ProjectionSolver(steps), problem, NOTHING).residual);
    }
    expect(errors[1]).toBeLessThan(0.3 * errors[0]);
    expect(errors[2]).toBeLessThan(1e-12);
  });

  it('says when it has not settled, with its last iterate', () => {
    const { status, r, residual } = solveAt(new ProjectionSolver(3), coupled, NOTHING);
    expect(status).toBe('maxIterations');
    expect(r[0]).toBeGreaterThan(0);
    expect(residual).toBeGreaterThan(1e-10);
  });

  it('is settled at a solution', () => {
    const [{ r }] = solveOneContact(alongAxis).solutions;
    expect(solveAt(new ProjectionSolver(), alongAxis, r).status).toBe('converged');
    expect(solveAt(new ProjectionSolver(), { ...coupled, q: [1, 2, 3] }, [0.1, 0, 0])).toMatchObject({
      status: 'converged',
      r: [0, 0, 0],
    });
  });

  it('never calls an answer a solution that is none, whatever the operator', () => {
    const random: Random = seeded(81);
    for (let k = 0; k < 5000; k++) {
      const problem = arbitrary(random);
      const answer = solveAt(new ProjectionSolver(), problem, [0, 1, 2].map(() => random.uniform(-1, 1))); // prettier-ignore
      if (answer.status !== 'maxIterations' && !(answer.status === 'converged' && answer.residual <= 1e-12))
        expect({ problem, answer }).toBeNull();
    }
  });
});

describe('in the plane', () => {
  const M = [
    [1, 2],
    [0, 0],
  ];
  const solver = createLocalSolver('exact-plane');

  it('solves, takes the nearest of several, and says when there is none', () => {
    const diagonal = [
      [2, 0],
      [0, 4],
    ];
    expect(solveAt(solver, { M: diagonal, q: [-2, 8], mu: 0.5 }, [0, 0])).toMatchObject({
      status: 'converged',
      r: [1, -0.5],
    });
    expect(solveAt(solver, { M, q: [1, 10], mu: 1 }, [0.2, 0])).toMatchObject({
      status: 'several',
      r: [0, 0],
    });
    expect(solveAt(solver, { M, q: [1, 10], mu: 1 }, [0.8, -0.5])).toMatchObject({
      status: 'several',
      r: [1, -1],
    });
    expect(solveAt(solver, { M, q: [-1, 10], mu: 1 }, [3, 4])).toMatchObject({
      status: 'noSolution',
      r: [3, 4],
    });
  });
});

describe('the registry', () => {
  it('names each solver once, and creates what it names', () => {
    expect(new Set(localSolvers.map(({ name }) => name)).size).toBe(localSolvers.length);
    for (const { name, size } of localSolvers) expect(createLocalSolver(name).size).toBe(size);
    expect(() => createLocalSolver('none')).toThrow('no solver of one contact is called none');
  });

  it.each(localSolvers)(
    '$name refuses data that are no numbers, and leaves the guess alone',
    ({ create, size }) => {
      const M = [[2, 0, 0], [0, 2, 0], [0, 0, 2]].slice(0, size).map((row) => row.slice(0, size)); // prettier-ignore
      const q = [-1, 0, 0].slice(0, size);
      const guess = [1, 0.5, 0].slice(0, size);
      const bad: OneContactProblem[] = [
        { M, q, mu: -0.1 },
        { M, q, mu: NaN },
        { M, q: q.map((entry, k) => (k === 1 ? Infinity : entry)), mu: 0.5 },
        { M: M.map((row) => row.map((entry) => (entry > 0 ? NaN : entry))), q, mu: 0.5 },
      ];
      for (const problem of bad)
        expect(solveAt(create(), problem, guess)).toMatchObject({ status: 'unsuitable', r: guess });
    },
  );
});
