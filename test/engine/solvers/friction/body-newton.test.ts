/** Proximal steps in the velocities of bodies: random contacts with another solver as oracle, and piles. */
import { describe, expect, it } from 'vitest';
import { bodyPile } from '@cli/bench/body-piles';
import { fallingBodies } from '@cli/bench/falling-bodies';
import { rollingPile } from '@cli/bench/rolling-pile';
import {
  type ContactFactors,
  FREEDOMS,
  type FrictionContactProblem,
} from '@engine/problems/friction-contact';
import { box } from '@engine/model/shapes/box';
import { AutomaticFriction } from '@engine/solvers/friction/automatic';
import { BodyNewton } from '@engine/solvers/friction/body-newton';
import { FrictionInteriorPoint } from '@engine/solvers/friction/interior-point';
import { createFrictionSolver } from '@engine/solvers/friction/registry';
import { createSolverResult } from '@engine/solvers/solver';
import { seeded, type Random } from '../../support/random';
import { allowed, denseProblem, violation } from './support/problems';

/** ms, for a machine with much else to do */
const TIMEOUT = 120_000;
const TOLERANCE = 1e-9;

/** Contacts of random rows B between two of some bodies, or one and the ground; W = s (B ᵗB + E). */
function randomBodies(
  random: Random,
  {
    bodies,
    contacts,
    mu,
    softness,
    scale,
  }: Record<'bodies' | 'contacts' | 'mu' | 'softness' | 'scale', number>,
): FrictionContactProblem {
  const pairs = Array.from({ length: contacts }, (_, c) => {
    const first = Math.floor(random.uniform(0, bodies));
    const second = Math.floor(random.uniform(0, bodies));
    return c % 3 === 0 || first === second ? [first] : [first, second];
  });
  const rowStart = Int32Array.of(0, ...pairs.map((_, c) => pairs.slice(0, c + 1).flat().length));
  const blockColumns = Int32Array.from(pairs.flat());
  const values = Float64Array.from({ length: 3 * FREEDOMS * blockColumns.length }, () =>
    random.uniform(-1, 1),
  );
  const diagonal = Float64Array.from({ length: 3 * contacts }, () => softness * random.uniform(0.5, 1));
  const dense = Array.from({ length: 3 * contacts }, (_, i) => {
    const row = new Float64Array(FREEDOMS * bodies);
    const c = Math.floor(i / 3);
    for (let k = rowStart[c]; k < rowStart[c + 1]; k++)
      row.set(
        values.subarray(FREEDOMS * (3 * k + (i % 3)), FREEDOMS * (3 * k + (i % 3) + 1)),
        FREEDOMS * blockColumns[k],
      );
    return row;
  });
  const v = Float64Array.from({ length: FREEDOMS * bodies }, () => random.uniform(-1, 1));
  const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, x, k) => sum + x * b[k], 0);
  const problem = denseProblem(
    3,
    dense.map((a, i) => dense.map((b, j) => scale * (dot(a, b) + (i === j ? diagonal[i] : 0)))),
    dense.map((a) => dot(a, v)),
    pairs.map(() => mu),
  );
  const factors: ContactFactors = {
    columns: bodies,
    rowStart,
    blockColumns,
    values,
    diagonal,
    pressedBy: null,
    scale,
    form: () => true,
  };
  problem.factors = factors;
  return problem;
}

/** More than two bodies’ freedoms for the contacts, so that a solution is unique for little friction. */
const CASES = [
  { bodies: 6, contacts: 8, mu: 0.1, softness: 0, scale: 1 },
  { bodies: 6, contacts: 8, mu: 0, softness: 0, scale: 1 },
  { bodies: 5, contacts: 14, mu: 0.1, softness: 0.5, scale: 1 },
  { bodies: 5, contacts: 14, mu: 0.1, softness: 0.5, scale: 1 / 1024 },
];

describe('random contacts of bodies', () => {
  it.each(CASES)(
    'have the reactions that the interior point by contacts gives: $contacts contacts of $bodies bodies, μ = $mu, softness $softness, scale $scale',
    { timeout: TIMEOUT },
    (given) => {
      const random = seeded(71);
      const solver = new BodyNewton(300);
      const result = createSolverResult();
      for (let trial = 0; trial < 20; trial++) {
        const problem = randomBodies(random, given);
        solver.solve(problem, TOLERANCE, result);
        expect(result.status, `trial ${trial}`).toBe('converged');
        expect(result.residual).toBe(problem.certify());
        expect(violation(problem), `trial ${trial}`).toBeLessThan(allowed(problem));
        const found = problem.r.slice();
        problem.factors = null;
        problem.r.fill(0);
        createFrictionSolver('FrictionInteriorPoint').solve(problem, TOLERANCE, result);
        expect(result.status, `oracle of trial ${trial}`).toBe('converged');
        const size = Math.hypot(...found);
        found.forEach((x, i) => expect(Math.abs(x - problem.r[i])).toBeLessThan(1e-5 * (size + 1)));
      }
    },
  );

  it('are no longer soft at the end, whatever the steps were: those that stick do not move', () => {
    const random = seeded(5);
    const solver = new BodyNewton(300);
    const result = createSolverResult();
    let stuck = 0;
    for (let trial = 0; trial < 12; trial++) {
      const problem = randomBodies(random, { bodies: 6, contacts: 8, mu: 1, softness: 0, scale: 1 });
      solver.solve(problem, 1e-11, result);
      if (result.status !== 'converged') continue;
      const { r, u } = problem;
      for (let at = 0; at < 24; at += 3) {
        if (!(r[at] > 1e-6 && Math.hypot(r[at + 1], r[at + 2]) < 0.99 * r[at])) continue;
        stuck++;
        expect(Math.hypot(...u.subarray(at, at + 3))).toBeLessThan(1e-9);
      }
    }
    expect(stuck).toBeGreaterThan(10);
  });
});

describe('piles', () => {
  it.each([
    ['wall', 100],
    ['blocks', 100],
    ['blocks', 300],
    ['columns', 100],
  ] as const)(
    'are solved from where the interior point is near: %s of about %i contacts',
    { timeout: TIMEOUT },
    (family, contacts) => {
      for (const seed of [1, 2, 3]) {
        const problem = bodyPile(family, contacts, 0.5, seed);
        const result = createSolverResult();
        new FrictionInteriorPoint(12).solve(problem, 1e-8, result);
        new BodyNewton(200).solve(problem, 1e-8, result);
        expect(result.status, `load ${seed}`).toBe('converged');
        expect(violation(problem)).toBeLessThan(allowed(problem));
      }
    },
  );

  it('are finished in fewer steps on the way of the interior point', { timeout: TIMEOUT }, () => {
    const [alone, finished] = [createSolverResult(), createSolverResult()];
    new FrictionInteriorPoint(500).solve(bodyPile('blocks', 300, 0.5, 2), 1e-8, alone);
    new FrictionInteriorPoint(500, 0.9, new BodyNewton(30, 2)).solve(
      bodyPile('blocks', 300, 0.5, 2),
      1e-8,
      finished,
    );
    expect([alone.status, finished.status]).toEqual(['converged', 'converged']);
    expect(alone.solver).toBe('FrictionInteriorPoint');
    expect(finished.solver).toBe('FrictionInteriorPoint+BodyNewton');
  });

  it(
    'are taken over from sweeps by the automatic choice where the guess is near',
    { timeout: TIMEOUT },
    () => {
      const problem = bodyPile('stack', 100, 0.5);
      const solver = new AutomaticFriction();
      const result = createSolverResult();
      solver.solve(problem, 1e-8, result);
      // A load that has changed by little, as from step to step.
      for (let i = 0; i < 3 * problem.count; i++) problem.q[i] += 1e-6 * Math.sin(i);
      solver.solve(problem, 1e-8, result);
      expect(result.status).toBe('converged');
      expect(solver.reason).toMatch(/^NSGS: residual \S+ after \d+; BodyNewton: /);
      expect(violation(problem)).toBeLessThan(allowed(problem));
    },
  );
});

describe('a stack of boxes that fall onto one another', () => {
  it('is solved from the reactions of the last step by the automatic choice, without sweeps before', () => {
    const solver = new AutomaticFriction();
    const gap = 1e-3;
    const pile = fallingBodies(
      box(0.1, 0.1, 0.1),
      Array.from({ length: 30 }, (_, k) => [0, 0, 0.1 + gap + k * (0.2 + gap)] as const),
    );
    let fromGuess = 0;
    for (let k = 0; k < 60; k++) {
      expect(pile.advance(), `step ${k}`).toBe('ok');
      const { problem } = pile;
      if (pile.result.solver !== 'BodyNewton' || problem.count <= 40) continue;
      fromGuess++;
      expect(violation(problem)).toBeLessThan(allowed(problem));
      // What it found is a solution, so that nothing is left to do.
      const result = createSolverResult();
      solver.solve(problem, 1e-8, result);
      expect([result.status, solver.attempts]).toEqual(['converged', 1]);
      expect(result.iterations).toBeLessThanOrEqual(1);
    }
    expect(fromGuess).toBeGreaterThan(10);
  });
});

describe('a pile of balls with rolling friction', () => {
  const dynamics = rollingPile(0.1, 3, 3);
  for (let k = 0; k < 25; k++) dynamics.advance();
  const { problem } = dynamics;

  it('has what W is made of, but for the first components of moments', () => {
    const { factors, W, count } = problem;
    if (factors?.form() !== true) throw new Error('bodies are known');
    const { rowStart, blockColumns, values, diagonal, scale, pressedBy } = factors;
    if (pressedBy === null) throw new Error('there are moments');
    const moments = Array.from({ length: count }, (_, c) => c).filter((c) => pressedBy[c] >= 0);
    expect(moments.length).toBeGreaterThan(10);
    const rowOf = (c: number, a: number): Float64Array => {
      const row = new Float64Array(FREEDOMS * factors.columns);
      for (let k = rowStart[c]; k < rowStart[c + 1]; k++)
        for (let j = 0; j < FREEDOMS; j++)
          row[FREEDOMS * blockColumns[k] + j] = values[FREEDOMS * (3 * k + a) + j];
      return row;
    };
    for (let c = 0; c < count; c++)
      for (let block = W.rowStart[c]; block < W.rowStart[c + 1]; block++)
        for (let e = 0; e < 9; e++) {
          const [other, a, b] = [W.columns[block], Math.floor(e / 3), e % 3];
          if ((pressedBy[c] >= 0 && a === 0) || (pressedBy[other] >= 0 && b === 0)) continue;
          const [x, y] = [rowOf(c, a), rowOf(other, b)];
          const added = c === other && a === b ? diagonal[3 * c + a] : 0;
          const product = scale * (x.reduce((sum, value, k) => sum + value * y[k], 0) + added);
          expect(Math.abs(product - W.values[9 * block + e])).toBeLessThan(
            1e-9 * W.values[9 * W.diagonal[c]],
          );
        }
  });

  it('is solved from nothing, by the law and not by its own measure', () => {
    const result = createSolverResult();
    problem.r.fill(0);
    new BodyNewton(400).solve(problem, 1e-9, result);
    expect(result.status).toBe('converged');
    expect(violation(problem)).toBeLessThan(allowed(problem));
  });

  it('is advanced where sweeps circle', { timeout: TIMEOUT }, () => {
    const pile = rollingPile(0.1, 4, 3);
    let taken = 0;
    for (let k = 0; k < 40; k++) {
      expect(pile.advance(), `step ${k}`).toBe('ok');
      if (pile.result.solver === 'BodyNewton') taken++;
    }
    expect(taken).toBeGreaterThan(2);
  });
});

describe('what it says of itself', () => {
  it('is unsuitable where only W is known, or in the plane', () => {
    const result = createSolverResult();
    const known = randomBodies(seeded(2), CASES[0]);
    known.factors = null;
    const planar = denseProblem(
      2,
      [
        [1, 0],
        [0, 1],
      ],
      [-1, 0.5],
      [0.3],
    );
    for (const problem of [known, planar]) {
      new BodyNewton(100).solve(problem, TOLERANCE, result);
      expect(result.status).toBe('unsuitable');
      expect(result.iterations).toBe(0);
    }
  });

  it('is the best answer that it came across, with its residual, where steps do not do', () => {
    const problem = bodyPile('stack', 100, 0.5);
    const before = problem.certify();
    const result = createSolverResult();
    new BodyNewton(7).solve(problem, 1e-8, result);
    expect(result.status).toBe('maxIterations');
    expect(result.iterations).toBe(7);
    expect(result.residual).toBe(problem.certify());
    expect(result.residual).toBeLessThanOrEqual(before);
  });

  it('depends on nothing that it has solved before', () => {
    const [used, fresh] = [new BodyNewton(200), new BodyNewton(200)];
    const [first, again] = [bodyPile('wall', 100, 0.5), bodyPile('wall', 100, 0.5)];
    const result = createSolverResult();
    used.solve(bodyPile('blocks', 100, 0.5), 1e-8, result);
    used.solve(first, 1e-8, result);
    fresh.solve(again, 1e-8, result);
    expect(first.r).toEqual(again.r);
  });
});
