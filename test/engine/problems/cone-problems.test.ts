/**
 * Rows with contacts in space, each with a frame of its own, among joints, walls, brakes and contacts in the
 * plane: reduced to a friction-contact problem and solved, against projections row by row that know nothing
 * of blocks and elimination.
 */
import { describe, expect, it } from 'vitest';
import { sparseFromDense } from '@engine/linalg/sparse';
import type { LawRow } from '@engine/model/forms';
import { needsCones } from '@engine/model/nsds';
import { ConeReduction } from '@engine/problems/cone-reduction';
import { NaturalUnits } from '@engine/solvers/friction/equilibrated';
import { createFrictionSolver } from '@engine/solvers/friction/registry';
import { createSolverResult, type SolverStatus } from '@engine/solvers/solver';
import { sample } from '../../support/prove';
import { flat, multiply, randomMatrix, times, transpose } from '../support/dense';
import { type Random, seeded } from '../support/random';

const INFINITE = Number.POSITIVE_INFINITY;

interface ConeProblem {
  readonly W: number[][];
  readonly q: number[];
  readonly laws: readonly LawRow[];
}

const friction = (coefficient: number): LawRow => ({ kind: 'friction', coefficient, restitution: 0 });
const box = (lower: number, upper: number): LawRow => ({ kind: 'box', lower, upper });

/** Laws of a contact in space, and of up to two others. */
function randomLaws(random: Random, mu: number): LawRow[] {
  const disc = (): LawRow[] => {
    const coefficient = random.uniform(0, mu);
    return [box(0, INFINITE), friction(coefficient), friction(coefficient)];
  };
  const others: readonly (() => LawRow[])[] = [
    disc,
    () => [box(-INFINITE, INFINITE)],
    () => [box(random.uniform(-1, 1), INFINITE)],
    () => [box(-INFINITE, random.uniform(-1, 1))],
    () => {
      const lower = random.uniform(-1, 1);
      return [box(lower, lower + random.uniform(0, 1))];
    },
    () => [box(0, INFINITE), friction(random.uniform(0, mu))],
  ];
  const laws = Array.from({ length: random.integer(0, 2) }, () => others[random.integer(0, 5)]());
  laws.splice(random.integer(0, laws.length), 0, disc());
  return laws.flat();
}

/** The rows of a contact are a frame of its own: orthonormal, turned at random, through a mass matrix. */
function randomProblem(random: Random, mu: number): ConeProblem {
  const laws = randomLaws(random, mu);
  const n = laws.length;
  const G = randomMatrix(random, n, n + 2);
  const product = multiply(G, transpose(G));
  return {
    W: product.map((row, i) =>
      row.map((_, j) => product[Math.max(i, j)][Math.min(i, j)] + (i === j ? 0.1 : 0)),
    ),
    q: Array.from({ length: n }, () => random.uniform(-1, 1)),
    laws,
  };
}

function solve({ W, q, laws }: ConeProblem, solver: string): { status: SolverStatus; lambda: number[] } {
  const reduction = new ConeReduction(laws, sparseFromDense(flat(W), q.length, q.length));
  reduction.restrict(new Uint8Array(q.length).fill(1));
  reduction.pose(Float64Array.from(q), new Float64Array(q.length));
  const result = createSolverResult();
  new NaturalUnits(createFrictionSolver(solver)).solve(
    reduction.problem,
    solver === 'auto' ? 1e-12 : 1e-9,
    result,
  );
  const lambda = new Float64Array(q.length);
  reduction.recover(lambda);
  return { status: result.status, lambda: [...lambda] };
}

/** λ ← the projection of λ − ρ y of each row, or tangent plane, onto what its law allows. */
function project({ laws }: ConeProblem, moved: readonly number[]): number[] {
  const lambda = [...moved];
  for (let row = 0; row < laws.length; row++) {
    const law = laws[row];
    if (law.kind === 'box') lambda[row] = Math.max(law.lower, Math.min(law.upper, moved[row]));
    if (law.kind !== 'friction') continue;
    const isDisc = laws.at(row + 1)?.kind === 'friction';
    const bound = law.coefficient * Math.max(0, lambda[row - 1]);
    const length = isDisc ? Math.hypot(moved[row], moved[row + 1]) : Math.abs(moved[row]);
    const factor = length > bound ? bound / length : 1;
    lambda[row] = factor * moved[row];
    if (!isDisc) continue;
    lambda[row + 1] = factor * moved[row + 1];
    row++;
  }
  return lambda;
}

const outputs = ({ W, q }: ConeProblem, lambda: readonly number[]): number[] =>
  times(W, [...lambda]).map((value, i) => value + q[i]);

/** How far λ is from all laws, with y and λ counted alike. */
function defect(problem: ConeProblem, lambda: readonly number[]): number {
  const y = outputs(problem, lambda);
  const image = project(
    problem,
    lambda.map((value, i) => value - y[i]),
  );
  return Math.max(...image.map((value, i) => Math.abs(value - lambda[i])));
}

/** Projections until nothing moves; null where that takes too long. */
function byProjection(problem: ConeProblem): number[] | null {
  const step =
    1 /
    problem.W.reduce(
      (worst, row) =>
        Math.max(
          worst,
          row.reduce((sum, value) => sum + Math.abs(value), 0),
        ),
      0,
    );
  let lambda = problem.q.map(() => 0);
  for (let k = 0; k < 20_000; k++) {
    const y = outputs(problem, lambda);
    const next = project(
      problem,
      lambda.map((value, i) => value - step * y[i]),
    );
    const moved = Math.max(...next.map((value, i) => Math.abs(value - lambda[i])));
    lambda = next;
    if (moved < 1e-13) return lambda;
  }
  return null;
}

describe('contacts with frames of their own, among other rows', () => {
  it('are solved as projections do where friction is small, so that the solution is one', () => {
    const random = seeded(41);
    const cases = sample(150, 10_000);
    let compared = 0;
    for (let k = 0; k < cases; k++) {
      const problem = randomProblem(random, 0.2);
      expect(needsCones(problem.laws)).toBe(true);
      const { status, lambda } = solve(problem, 'auto');
      expect(status).toBe('converged');
      expect(defect(problem, lambda)).toBeLessThan(1e-9);
      const expected = byProjection(problem);
      if (expected === null) continue;
      compared++;
      lambda.forEach((value, i) => {
        expect(Math.abs(value - expected[i])).toBeLessThan(1e-8 * Math.max(1, Math.abs(expected[i])));
      });
    }
    expect(compared).toBeGreaterThan(0.9 * cases);
  });

  it('are solved for any friction', () => {
    const random = seeded(42);
    const cases = sample(300, 6000);
    for (let k = 0; k < cases; k++) {
      const problem = randomProblem(random, 1.5);
      const { status, lambda } = solve(problem, 'auto');
      expect(status).toBe('converged');
      expect(defect(problem, lambda)).toBeLessThan(1e-9 * Math.max(1, ...lambda.map(Math.abs)));
    }
  });

  it.each([
    'NSGS',
    'ExtrapolatedNSGS',
    'SemiSmoothNewton',
    'ADMM',
    'FrictionInteriorPoint',
    'Proximal',
    'DeSaxce',
    'Tresca',
  ])('%s solves them, or says that it does not', (solver) => {
    const random = seeded(43);
    const cases = sample(40, 400);
    let solved = 0;
    for (let k = 0; k < cases; k++) {
      const problem = randomProblem(random, 0.5);
      const { status, lambda } = solve(problem, solver);
      if (status !== 'converged') continue;
      solved++;
      expect(defect(problem, lambda)).toBeLessThan(1e-6 * Math.max(1, ...lambda.map(Math.abs)));
    }
    expect(solved).toBeGreaterThan(0.9 * cases);
  });

  it('with joints that say the same share what they hold in some way', () => {
    for (let k = 0; k < 100; k++) {
      const laws = [box(-INFINITE, INFINITE), box(0, INFINITE), friction(0.4), friction(0.4)];
      const { W, q } = randomProblem(seeded(100 + k), 0.3);
      const n = Math.min(4, q.length);
      if (n < 4) continue;
      // A fifth row is the first once more.
      const rows = [0, 1, 2, 3, 0];
      const double = rows.map((i) => rows.map((j) => W[i][j]));
      const problem = { W: double, q: rows.map((i) => q[i]), laws: [...laws, box(-INFINITE, INFINITE)] };
      const { status, lambda } = solve(problem, 'auto');
      expect(status).toBe('converged');
      expect(defect(problem, lambda)).toBeLessThan(1e-8 * Math.max(1, ...lambda.map(Math.abs)));
    }
  });
});
