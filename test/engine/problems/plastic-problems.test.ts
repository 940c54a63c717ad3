/**
 * Plasticity by Mohr and Coulomb, at random friction, dilatancy and cohesion, against projections that know
 * nothing of the solvers; and its closed forms at one point.
 */
import { describe, expect, it } from 'vitest';
import { plasticDistance } from '@engine/certificate/law-distances';
import { sparseFromDense } from '@engine/linalg/sparse';
import type { LawRow, PlasticCone } from '@engine/model/forms';
import { ConeReduction } from '@engine/problems/cone-reduction';
import { Dilatant } from '@engine/solvers/friction/dilatant';
import { NaturalUnits } from '@engine/solvers/friction/equilibrated';
import { createFrictionSolver } from '@engine/solvers/friction/registry';
import { createSolverResult, type SolverStatus } from '@engine/solvers/solver';
import { sample } from '../../support/prove';
import { flat, multiply, randomMatrix, times, transpose } from '../support/dense';
import { type Random, seeded } from '../support/random';

interface PlasticProblem {
  readonly W: number[][];
  readonly q: number[];
  readonly cones: readonly PlasticCone[];
}

function randomCone(random: Random): PlasticCone {
  const phi = random.uniform(0.1, 0.8);
  const psi = [0, phi, random.uniform(0, phi)][random.integer(0, 2)];
  const cohesion = random.chance(0.5) ? 0 : random.uniform(0, 1);
  return { friction: Math.sin(phi), dilatancy: Math.sin(psi), apex: cohesion / Math.tan(phi) };
}

/** Points that share their material, as those of a body do. @param stretch of the mobility of pressures */
function randomProblem(random: Random, stretch: number): PlasticProblem {
  const cones = Array.from({ length: random.integer(1, 3) }, () => randomCone(random));
  const n = 3 * cones.length;
  const G = randomMatrix(random, n, n + 2);
  const product = multiply(G, transpose(G));
  const unit = (i: number): number => (i % 3 === 0 ? stretch : 1);
  return {
    W: product.map((row, i) =>
      row.map((_, j) => unit(i) * unit(j) * (product[Math.max(i, j)][Math.min(i, j)] + (i === j ? 0.2 : 0))),
    ),
    q: Array.from({ length: n }, (_, i) => unit(i) * random.uniform(-1, 1)),
    cones,
  };
}

function solve({ W, q, cones }: PlasticProblem, solver: string): { status: SolverStatus; lambda: number[] } {
  const laws = cones.flatMap((cone) =>
    [0, 1, 2].map((component): LawRow => ({ kind: 'cone', cone, component })),
  );
  const reduction = new ConeReduction(laws, sparseFromDense(flat(W), q.length, q.length));
  reduction.restrict(new Uint8Array(q.length).fill(1));
  reduction.pose(Float64Array.from(q), new Float64Array(q.length));
  const result = createSolverResult();
  const tolerance = solver === 'auto' ? 1e-11 : 1e-9;
  new NaturalUnits(new Dilatant(createFrictionSolver(solver))).solve(reduction.problem, tolerance, result);
  const lambda = new Float64Array(q.length);
  reduction.recover(lambda);
  return { status: result.status, lambda: [...lambda] };
}

const outputs = ({ W, q }: PlasticProblem, lambda: readonly number[]): number[] =>
  times(W, [...lambda]).map((value, i) => value + q[i]);

/** Distance from the law, y per λ counted as 1. */
function distance(problem: PlasticProblem, lambda: readonly number[]): number {
  const y = outputs(problem, lambda);
  return Math.max(
    ...problem.cones.map((cone, k) =>
      plasticDistance(
        cone,
        Float64Array.from(lambda.slice(3 * k, 3 * k + 3)),
        Float64Array.from(y.slice(3 * k, 3 * k + 3)),
        1,
      ),
    ),
  );
}

/** The nearest stress of the cone, by its meridian plane. */
function nearest({ friction: mu, apex }: PlasticCone, [n, t1, t2]: readonly number[]): number[] {
  const shear = Math.hypot(t1, t2);
  const above = n + apex;
  if (shear <= mu * above) return [n, t1, t2];
  // Along the ray (1, μ) of length √(1 + μ²).
  const along = Math.max(0, (above + mu * shear) / (1 + mu * mu));
  return [along - apex, (mu * along * t1) / shear, (mu * along * t2) / shear];
}

/** λ ← the nearest stress to λ − ρ û, until nothing moves; null where that takes too long. */
function byProjection(problem: PlasticProblem): number[] | null {
  const { W, cones } = problem;
  const step = 0.7 / Math.max(...W.map((row) => row.reduce((sum, value) => sum + Math.abs(value), 0)));
  let lambda = problem.q.map(() => 0);
  for (let k = 0; k < 20_000; k++) {
    const y = outputs(problem, lambda);
    const next = cones.flatMap((cone, c) => {
      const own = y.slice(3 * c, 3 * c + 3);
      own[0] += (cone.friction - cone.dilatancy) * Math.hypot(own[1], own[2]);
      return nearest(
        cone,
        own.map((value, i) => lambda[3 * c + i] - step * value),
      );
    });
    const moved = Math.max(...next.map((value, i) => Math.abs(value - lambda[i])));
    lambda = next;
    if (moved < 1e-13) return lambda;
  }
  return null;
}

describe('stresses within cones of Mohr and Coulomb', () => {
  it('are those that projections find', () => {
    const random = seeded(51);
    const cases = sample(120, 10_000);
    let compared = 0;
    for (let k = 0; k < cases; k++) {
      const problem = randomProblem(random, 1);
      const { status, lambda } = solve(problem, 'auto');
      expect(status).toBe('converged');
      expect(distance(problem, lambda)).toBeLessThan(1e-8 * Math.max(1, ...lambda.map(Math.abs)));
      const expected = byProjection(problem);
      if (expected === null) continue;
      compared++;
      lambda.forEach((value, i) => {
        expect(Math.abs(value - expected[i])).toBeLessThan(1e-7 * Math.max(1, ...expected.map(Math.abs)));
      });
    }
    expect(compared).toBeGreaterThan(0.85 * cases);
  });

  it.each([0.3, 3])('are found where pressures move %d times as much as shears', (stretch) => {
    const random = seeded(52);
    const cases = sample(100, 3000);
    for (let k = 0; k < cases; k++) {
      const problem = randomProblem(random, stretch);
      const { status, lambda } = solve(problem, 'auto');
      expect(status).toBe('converged');
      expect(distance(problem, lambda)).toBeLessThan(1e-7 * Math.max(1, ...lambda.map(Math.abs)));
    }
  });

  it.each(['NSGS', 'SemiSmoothNewton', 'ADMM', 'FrictionInteriorPoint', 'Proximal', 'DeSaxce', 'Tresca'])(
    'are found by %s, or it says that they are not',
    (solver) => {
      const random = seeded(53);
      const cases = sample(30, 300);
      let solved = 0;
      for (let k = 0; k < cases; k++) {
        const problem = randomProblem(random, 1);
        const { status, lambda } = solve(problem, solver);
        if (status !== 'converged') continue;
        solved++;
        expect(distance(problem, lambda)).toBeLessThan(1e-6 * Math.max(1, ...lambda.map(Math.abs)));
      }
      expect(solved).toBeGreaterThan(0.85 * cases);
    },
  );

  it('that are off are seen', () => {
    const random = seeded(54);
    for (let k = 0; k < 100; k++) {
      const problem = randomProblem(random, 1);
      const { lambda } = solve(problem, 'auto');
      const place = random.integer(0, lambda.length - 1);
      expect(
        distance(
          problem,
          lambda.map((value, i) => (i === place ? value + 0.1 : value)),
        ),
      ).toBeGreaterThan(1e-5);
    }
  });

  it('dissipate most where the flow is associated, and dilate by their angle', () => {
    const cone = { friction: 0.5, dilatancy: 0.2, apex: 0.4 };
    const diagonal = [2, 3, 3].map((w, i) => [0, 1, 2].map((j) => (i === j ? w : 0)));
    const problem = { W: diagonal, q: [-2, 6, -8], cones: [cone] };
    const { lambda } = solve(problem, 'auto');
    const y = outputs(problem, lambda);
    const slip = Math.hypot(y[1], y[2]);
    expect(y[0]).toBeCloseTo(0.2 * slip, 8);
    expect(Math.hypot(lambda[1], lambda[2])).toBeCloseTo(0.5 * (lambda[0] + 0.4), 8);
    // q_t = (6, −8) has the direction of the slip.
    expect(y[1] / slip).toBeCloseTo(0.6, 8);
    // 2 λ_n − 2 = ν s,  10 − 3 · ½ (λ_n + 0.4) = s.
    expect(lambda[0]).toBeCloseTo((2 + 0.2 * 9.4) / (2 + 0.2 * 1.5), 8);
  });
});
