/**
 * Vectors that a polytope confines, reduced to complementarity and solved, against enumeration of the facets
 * they may be at.
 */
import { describe, expect, it } from 'vitest';
import { PolytopeDistance } from '@engine/certificate/law-distances';
import { PolytopeProjection } from '@engine/linalg/polytope-projection';
import { sparseFromDense } from '@engine/linalg/sparse';
import type { LawRow, Polytope } from '@engine/model/forms';
import { AffineVariationalInequality } from '@engine/problems/avi';
import { LawReduction } from '@engine/problems/law-reduction';
import { createSolver } from '@engine/solvers/registry';
import { createSolverResult, type SolverStatus } from '@engine/solvers/solver';
import { sample } from '../../support/prove';
import { flat, multiply, randomMatrix, times, transpose } from '../support/dense';
import { type Random, seeded } from '../support/random';

const TOLERANCE = 1e-10;

interface PolytopeProblem {
  readonly W: number[][];
  readonly q: number[];
  readonly polytopes: readonly Polytope[];
}

/** Facets about a point within, in random directions; some stand twice, some touch in one corner. */
function randomPolytope(random: Random, confines: Polytope['confines']): Polytope {
  const size = random.integer(1, 3);
  const inside = Array.from({ length: size }, () => random.uniform(-1, 1));
  const A: number[] = [];
  const b: number[] = [];
  for (let i = random.integer(1, 5); i > 0; i--) {
    const normal = Array.from({ length: size }, () => random.uniform(-1, 1));
    A.push(...normal);
    b.push(
      normal.reduce(
        (sum, a, k) => sum + a * inside[k],
        random.integer(0, 3) === 0 ? 0 : random.uniform(0, 1),
      ),
    );
    if (random.integer(0, 5) > 0) continue;
    A.push(...normal.map((a) => 2 * a));
    b.push(2 * b[b.length - 1]);
  }
  return { size, A: Float64Array.from(A), b: Float64Array.from(b), confines };
}

/** @param deficit by which the rank of W is below its rows */
function randomProblem(random: Random, confines: Polytope['confines'], deficit: number): PolytopeProblem {
  const polytopes = Array.from({ length: random.integer(1, 2) }, () => randomPolytope(random, confines));
  const rows = polytopes.reduce((sum, { size }) => sum + size, 0);
  const G = randomMatrix(random, rows, Math.max(1, rows - deficit));
  const product = multiply(G, transpose(G));
  return {
    W: product.map((row, i) =>
      row.map((_, j) => product[Math.max(i, j)][Math.min(i, j)] + (i === j && deficit === 0 ? 0.05 : 0)),
    ),
    q: Array.from({ length: rows }, () => random.uniform(-3, 3)),
    polytopes,
  };
}

const lawsOf = ({ polytopes }: PolytopeProblem): LawRow[] =>
  polytopes.flatMap((polytope) =>
    Array.from({ length: polytope.size }, (_, component): LawRow => ({
      kind: 'polytope',
      polytope,
      component,
    })),
  );

function solve(given: PolytopeProblem, solver: string): { status: SolverStatus; lambda: number[] } {
  const { W, q } = given;
  const reduction = new LawReduction(lawsOf(given), sparseFromDense(flat(W), q.length, q.length));
  const { operator, count } = reduction;
  const problem = new AffineVariationalInequality(count, operator.columns.length, reduction.isSymmetric);
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

/** Distance from the laws, y per λ counted as 1. */
function distance({ W, q, polytopes }: PolytopeProblem, lambda: readonly number[]): number {
  const y = times(W, [...lambda]).map((value, i) => value + q[i]);
  let first = 0;
  let worst = 0;
  for (const polytope of polytopes) {
    const check = new PolytopeDistance(polytope);
    check.measure(first, Float64Array.from(y), Float64Array.from(lambda), 1);
    worst = Math.max(worst, check.distance, check.outside);
    first += polytope.size;
  }
  return worst;
}

/** x of A x = b by elimination with full pivoting; null where A is singular. */
function eliminate(A: readonly (readonly number[])[], b: readonly number[]): number[] | null {
  const rows = A.map((row, i) => [...row, b[i]]);
  const n = b.length;
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k; i < n; i++) if (Math.abs(rows[i][k]) > Math.abs(rows[pivot][k])) pivot = i;
    if (Math.abs(rows[pivot][k]) < 1e-11) return null;
    [rows[k], rows[pivot]] = [rows[pivot], rows[k]];
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      const factor = rows[i][k] / rows[k][k];
      for (let j = k; j <= n; j++) rows[i][j] -= factor * rows[k][j];
    }
  }
  return rows.map((row, i) => row[n] / row[i]);
}

/**
 * The multipliers of the problem by trial: for each set of facets whose normals are independent, the vector
 * at all of them, if its forces push and nothing is beyond another facet. Null where no set does.
 */
function enumerate({ W, q, polytopes }: PolytopeProblem): number[] | null {
  const n = q.length;
  const normals: number[][] = [];
  const sides: number[] = [];
  let first = 0;
  for (const { size, A, b } of polytopes) {
    b.forEach((side, i) => {
      const normal = new Array<number>(n).fill(0);
      for (let k = 0; k < size; k++) normal[first + k] = A[i * size + k];
      normals.push(normal);
      sides.push(side);
    });
    first += size;
  }
  const isOutput = polytopes[0].confines === 'output';
  for (let set = 0; set < 1 << normals.length; set++) {
    const taken = normals.flatMap((_, i) => (((set >> i) & 1) === 1 ? [i] : []));
    if (taken.length > n) continue;
    const m = taken.length;
    // y = W λ + q with λ = −ᵗN μ, N y = s; or W λ + q + ᵗN μ = 0, N λ = s.
    const zero = new Array<number>(n).fill(0);
    const system = isOutput
      ? [
          ...zero.map((_, i) => [
            ...zero.map((__, j) => (i === j ? 1 : 0)),
            ...taken.map((t) => normals[t][i]),
          ]),
          ...taken.map((t) => [
            ...zero.map((_, j) => normals[t].reduce((sum, a, k) => sum + a * W[k][j], 0)),
            ...new Array<number>(m).fill(0),
          ]),
        ]
      : [
          ...zero.map((_, i) => [...W[i], ...taken.map((t) => normals[t][i])]),
          ...taken.map((t) => [...normals[t], ...new Array<number>(m).fill(0)]),
        ];
    const right = isOutput
      ? [...zero, ...taken.map((t) => sides[t] - normals[t].reduce((sum, a, k) => sum + a * q[k], 0))]
      : [...q.map((value) => -value), ...taken.map((t) => sides[t])];
    const found = eliminate(system, right);
    if (found === null || found.slice(n).some((mu) => mu < -1e-9)) continue;
    const lambda = found.slice(0, n);
    const confined = isOutput ? times(W, lambda).map((value, i) => value + q[i]) : lambda;
    if (
      normals.every((normal, i) => normal.reduce((sum, a, k) => sum + a * confined[k], 0) <= sides[i] + 1e-9)
    )
      return lambda;
  }
  return null;
}

const worstOf = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((worst, value, i) => Math.max(worst, Math.abs(value - b[i])), 0);

describe.each(['output', 'multiplier'] as const)('of a confined %s', (confines) => {
  it('problems with a regular operator are solved as enumeration does', () => {
    const random = seeded(confines === 'output' ? 31 : 32);
    const cases = sample(400, 10_000);
    for (let k = 0; k < cases; k++) {
      const problem = randomProblem(random, confines, 0);
      const expected = enumerate(problem);
      expect(expected).not.toBeNull();
      const { status, lambda } = solve(problem, 'auto');
      expect(status).toBe('converged');
      expect(distance(problem, lambda)).toBeLessThan(1e-8);
      const scale = Math.max(1, ...(expected ?? []).map(Math.abs));
      expect(worstOf(lambda, expected ?? [])).toBeLessThan(1e-7 * scale);
    }
  });

  it('problems with a singular operator are solved where enumeration finds a solution', () => {
    const random = seeded(confines === 'output' ? 33 : 34);
    const cases = sample(300, 10_000);
    let solvable = 0;
    for (let k = 0; k < cases; k++) {
      const problem = randomProblem(random, confines, 1 + (k % 2));
      const expected = enumerate(problem);
      const { status, lambda } = solve(problem, 'auto');
      if (expected === null) {
        if (status === 'converged') expect(distance(problem, lambda)).toBeLessThan(1e-7);
        continue;
      }
      solvable++;
      expect(status).toBe('converged');
      expect(distance(problem, lambda)).toBeLessThan(1e-7 * Math.max(1, ...lambda.map(Math.abs)));
    }
    expect(solvable).toBeGreaterThan(cases / 4);
  });

  it.each(['Lemke', 'Enumeration', 'InteriorPoint', 'NewtonFischerBurmeister', 'NewtonMin'])(
    '%s solves it, or says that it does not',
    (solver) => {
      const random = seeded(35);
      const cases = sample(60, 600);
      let solved = 0;
      for (let k = 0; k < cases; k++) {
        const problem = randomProblem(random, confines, 0);
        const { status, lambda } = solve(problem, solver);
        if (status !== 'converged') continue;
        solved++;
        expect(distance(problem, lambda)).toBeLessThan(1e-7);
      }
      expect(solved).toBeGreaterThan(0.9 * cases);
    },
  );

  it('a multiplier that is off is seen', () => {
    const random = seeded(36);
    for (let k = 0; k < 100; k++) {
      const problem = randomProblem(random, confines, 0);
      const { lambda } = solve(problem, 'auto');
      const place = random.integer(0, lambda.length - 1);
      const wrong = lambda.map((value, i) => (i === place ? value + 0.1 : value));
      expect(distance(problem, wrong)).toBeGreaterThan(1e-6);
    }
  });
});

describe('the nearest point of a polytope', () => {
  it('is that of the facet, edge or corner that enumeration finds', () => {
    const random = seeded(37);
    const cases = sample(500, 10_000);
    for (let k = 0; k < cases; k++) {
      const polytope = randomPolytope(random, 'output');
      const { size, A, b } = polytope;
      const p = Array.from({ length: size }, () => random.uniform(-5, 5));
      const identity = p.map((_, i) => p.map((__, j) => (i === j ? 1 : 0)));
      const expected = enumerate({ W: identity, q: p, polytopes: [polytope] });
      const projection = new PolytopeProjection(A, b);
      expect(projection.project(Float64Array.from(p))).toBe(true);
      expect(
        worstOf(
          [...projection.point],
          (expected ?? []).map((lambda, i) => lambda + p[i]),
        ),
      ).toBeLessThan(1e-8);
      expect(projection.excess(projection.point)).toBeLessThan(1e-9);
    }
  });

  it('is a corner that three facets miss by rounding', () => {
    const corner = new PolytopeProjection(
      Float64Array.of(
        ...[-0.34477650513872504, 0.0929858130402863, 0.6825937940739095, 0.6704297489486635],
        ...[1.365187588147819, 1.340859497897327, -0.8735307967290282, -0.9284507357515395],
        ...[0.4584969454444945, 0.1449069040827453],
      ),
      Float64Array.of(
        ...[0.07649188603595661, -0.7431447119045527, -1.4862894238091053, 0.9998267183712086],
        -0.21940589349019535,
      ),
    );
    expect(corner.project(Float64Array.of(-1.6459384886547923, -4.489807076752186))).toBe(true);
    expect(corner.excess(corner.point)).toBeLessThan(1e-12);
  });

  it('is none where the facets leave no room', () => {
    const empty = new PolytopeProjection(Float64Array.of(1, 0, -1, 0, 0, 1), Float64Array.of(-1, -1, 5));
    expect(empty.project(Float64Array.of(3, 9))).toBe(false);
  });

  it('is none of what is not finite', () => {
    const square = new PolytopeProjection(Float64Array.of(1, 0, 0, 1), Float64Array.of(1, 1));
    expect(square.project(Float64Array.of(Number.NaN, 0))).toBe(false);
  });
});
