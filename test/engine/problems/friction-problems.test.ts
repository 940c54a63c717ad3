/**
 * Contacts with Coulomb friction, reduced to complementarity and solved, against enumeration of what each may
 * do.
 */
import { describe, expect, it } from 'vitest';
import { sparseFromDense } from '@engine/linalg/sparse';
import type { LawRow } from '@engine/model/forms';
import { AffineVariationalInequality } from '@engine/problems/avi';
import { LawReduction } from '@engine/problems/law-reduction';
import { solverDefinitions } from '@engine/model/registry';
import { createSolver } from '@engine/solvers/registry';
import { createSolverResult, type SolverStatus } from '@engine/solvers/solver';
import { flat, multiply, randomMatrix, times, transpose } from '../support/dense';
import { enumerateFriction, frictionResidual, type FrictionProblem } from '../support/friction-oracle';
import { type Random, seeded } from '../support/random';

const TOLERANCE = 1e-10;

interface Options {
  /** of the factor of W: below the number of rows contacts are redundant */
  readonly rank: (random: Random, rows: number) => number;
  readonly mu: number;
  /** size of 1/mass */
  readonly mobility?: number;
  /** part of q that comes from no velocity, as restitution does */
  readonly extra?: number;
}

/** W = G ᵗG and q = G v, as bodies have them. */
function randomFriction(random: Random, options: Options): FrictionProblem {
  const { rank, mu, mobility = 1, extra = 0 } = options;
  const contacts = random.integer(1, 3);
  const columns = rank(random, 2 * contacts);
  const G = randomMatrix(random, 2 * contacts, columns);
  const product = multiply(G, transpose(G));
  const W = product.map((row, i) => row.map((_, j) => mobility * product[Math.max(i, j)][Math.min(i, j)]));
  const v = Array.from({ length: columns }, () => random.uniform(-1, 1));
  return {
    W,
    q: times(G, v).map((x) => x + extra * random.uniform(-1, 1)),
    mu: Array.from({ length: contacts }, () => random.uniform(0, mu)),
  };
}

function solve({ W, q, mu }: FrictionProblem, solver: string): { status: SolverStatus; lambda: number[] } {
  const laws = mu.flatMap((coefficient): LawRow[] => [
    { kind: 'box', lower: 0, upper: Number.POSITIVE_INFINITY },
    { kind: 'friction', coefficient, restitution: 0 },
  ]);
  const reduction = new LawReduction(laws, sparseFromDense(flat(W), q.length, q.length));
  const { operator, count } = reduction;
  const problem = new AffineVariationalInequality(count, operator.columns.length, false);
  const all = Int32Array.from({ length: count }, (_, i) => i);
  problem.restrict(operator, all, count, all);
  problem.lower.set(reduction.lower);
  problem.upper.set(reduction.upper);
  reduction.offsets(Float64Array.from(q), new Float64Array(q.length), problem.q);
  const result = createSolverResult();
  createSolver(solver, count).solve(problem, TOLERANCE, result);
  const lambda = new Float64Array(q.length);
  reduction.recover(problem.z, lambda);
  return { status: result.status, lambda: [...lambda] };
}

const full = (_: Random, rows: number): number => rows;
const some = (random: Random, rows: number): number => random.integer(1, rows);

const families: readonly (readonly [string, Options, number])[] = [
  ['regular operators', { rank: full, mu: 1 }, 6],
  ['regular operators of heavy bodies', { rank: full, mu: 1, mobility: 1e-6 }, 2],
  ['regular operators of light bodies', { rank: full, mu: 1, mobility: 1e6 }, 2],
  ['redundant contacts', { rank: some, mu: 1 }, 6],
  ['large coefficients of friction', { rank: full, mu: 4 }, 4],
];
const PORTION = 500;
const portions = families.flatMap(([name, options, count]) =>
  Array.from({ length: count }, (_, k) => [name, k + 1, options] as const),
);

describe('ten thousand problems without restitution have a solution, which is found', () => {
  it.each(portions)('%s, portion %i', (_, portion, options) => {
    const random = seeded(portion);
    for (let k = 0; k < PORTION; k++) {
      const problem = randomFriction(random, options);
      // Expectations are slow; one is made only where it would fail.
      if (enumerateFriction(problem).length === 0) expect(problem).toBeNull();
      for (const solver of ['auto', 'Lemke']) {
        const { status, lambda } = solve(problem, solver);
        const residual = frictionResidual(problem, lambda);
        if (status === 'converged' && residual <= TOLERANCE) continue;
        expect({ solver, problem, status, residual }).toBeNull();
      }
    }
  });

  it('is the one there is, where there is one', () => {
    const random = seeded(8);
    let unique = 0;
    for (let k = 0; k < 500; k++) {
      const problem = randomFriction(random, { rank: full, mu: 0.2 });
      const solutions = enumerateFriction(problem);
      if (solutions.length > 1) continue;
      unique++;
      const { lambda } = solve(problem, 'auto');
      const size = Math.max(...lambda.map(Math.abs), 1e-300);
      const worst = Math.max(...lambda.map((x, i) => Math.abs(x - solutions[0].lambda[i])));
      expect(worst / size).toBeLessThan(1e-8);
    }
    expect(unique).toBeGreaterThan(400);
  });
});

describe('a solver that is chosen by name', () => {
  it.each(solverDefinitions.map(({ type }) => type))('%s solves friction or says that it has not', (name) => {
    const random = seeded(21);
    let solved = 0;
    for (let k = 0; k < 60; k++) {
      const problem = randomFriction(random, { rank: some, mu: 1 });
      const { status, lambda } = solve(problem, name);
      // There is a solution: a proof of the contrary would be wrong.
      expect(['infeasible', 'noSolution']).not.toContain(status);
      if (status !== 'converged') continue;
      solved++;
      expect(frictionResidual(problem, lambda)).toBeLessThan(1e-9);
    }
    const takesAll = ['auto', 'Lemke', 'Enumeration'].includes(name);
    if (takesAll) expect(solved).toBe(60);
  });
});

describe('with restitution', () => {
  it('an answer that is called converged is one, and a problem called unsolvable has none', () => {
    const random = seeded(13);
    let denied = 0;
    for (let k = 0; k < 1000; k++) {
      const problem = randomFriction(random, { rank: some, mu: 1, extra: 1 });
      const { status, lambda } = solve(problem, 'auto');
      if (status === 'converged') expect(frictionResidual(problem, lambda)).toBeLessThan(TOLERANCE);
      else {
        denied++;
        expect(['infeasible', 'noSolution']).toContain(status);
        expect(enumerateFriction(problem)).toEqual([]);
      }
    }
    // Redundant contacts that are asked to open at different speeds contradict each other.
    expect(denied).toBeGreaterThan(0);
  });
});

describe('one contact', () => {
  const W = [
    [1, 0.2],
    [0.2, 0.5],
  ];
  const one = (q: number[], mu: number): number[] => solve({ W, q, mu: [mu] }, 'auto').lambda;

  it('opens', () => {
    expect(one([1, -3], 0.5)).toEqual([0, 0]);
  });

  it('sticks within the cone', () => {
    // W λ = (1, 0.1)
    const [n, t] = one([-1, -0.1], 0.5);
    expect(n).toBeCloseTo(0.48 / 0.46, 14);
    expect(t).toBeCloseTo(-0.1 / 0.46, 14);
  });

  it.each([
    ['to the right', 3, -1],
    ['to the left', -3, 1],
  ])('slides %s against friction', (_, speed, sign) => {
    const [n, t] = one([-1, speed], 0.5);
    // y_n = 0 with λ_t = ± λ_n / 2
    expect(n).toBeCloseTo(1 / (1 + sign * 0.1), 14);
    expect(t).toBeCloseTo((sign * n) / 2, 14);
  });

  it('without friction has no tangential impulse', () => {
    expect(one([-1, 3], 0)).toEqual([1, 0]);
  });
});

describe('rows of laws', () => {
  it('of friction need a contact before them', () => {
    const friction: LawRow = { kind: 'friction', coefficient: 0.3, restitution: 0 };
    expect(() => new LawReduction([friction], sparseFromDense(Float64Array.of(1), 1, 1))).toThrow(/contact/);
  });

  it('of different kinds stand beside each other', () => {
    const laws: LawRow[] = [
      { kind: 'box', lower: -1, upper: 1 },
      { kind: 'box', lower: 0, upper: Number.POSITIVE_INFINITY },
      { kind: 'friction', coefficient: 0.3, restitution: 0 },
      {
        kind: 'graph',
        graph: {
          y: Float64Array.of(-1, 1),
          lambda: Float64Array.of(2, -2),
          startDirection: [-1, 0],
          endDirection: [1, 0],
        },
      },
    ];
    const W = randomMatrix(seeded(2), 4, 4);
    const reduction = new LawReduction(laws, sparseFromDense(flat(W), 4, 4));
    expect([...reduction.first]).toEqual([0, 1, 2, 5, 8]);
    const x = Float64Array.of(0.1, 2, 0.5, 0.2, 9, 0.3, 0.3, 0);
    const lambda = new Float64Array(4);
    reduction.recover(x, lambda);
    // The graph is run through from λ = −2 (y > 1) upwards, four units of λ while y falls by two.
    expect([...lambda]).toEqual([0.1, 2, 0.3, -2 + 4 * 0.3]);
    const free = Float64Array.of(0.3, -0.4, 0.5, 0.6);
    const q = new Float64Array(8);
    reduction.offsets(free, new Float64Array(free.length), q);
    const problem = new AffineVariationalInequality(8, reduction.operator.columns.length, false);
    const all = Int32Array.from({ length: 8 }, (_, i) => i);
    problem.restrict(reduction.operator, all, 8, all);
    problem.q.set(q);
    problem.z.set(x);
    problem.multiply();
    const y = times(W, [...lambda]).map((value, i) => value + free[i]);
    const d = W[1][1] + W[2][2];
    const yOfGraph = 1 - 2 * 0.3;
    const expected = [
      y[0],
      y[1],
      y[2] + 9,
      -y[2] + 9,
      d * (0.3 * 2 - 0.5 - 0.2),
      y[3] - yOfGraph,
      0,
      1 - 0.3,
    ];
    expected.forEach((value, i) => {
      expect(problem.w[i]).toBeCloseTo(value, 12);
    });
  });
});
