/**
 * Frémond's impacts, reduced to complementarity and solved, against enumeration of what each contact may do.
 */
import { describe, expect, it } from 'vitest';
import { sparseFromDense } from '@engine/linalg/sparse';
import type { LawRow } from '@engine/model/forms';
import { AffineVariationalInequality } from '@engine/problems/avi';
import { LawReduction } from '@engine/problems/law-reduction';
import { createSolver } from '@engine/solvers/registry';
import { createSolverResult } from '@engine/solvers/solver';
import { sample } from '../../support/prove';
import { flat, multiply, randomMatrix, times, transpose } from '../support/dense';
import { type Random, seeded } from '../support/random';

const TOLERANCE = 1e-10;

/** u⁺ = W λ + free, with u⁻; k and μ of each contact, whose rows are normal and tangent. */
interface Percussions {
  readonly W: number[][];
  readonly free: number[];
  readonly before: number[];
  readonly k: number[];
  readonly mu: number[];
}

/** Impacts of bodies at rest or coming, with a load between: W = G ᵗG, u⁻ = G v, free = u⁻ + G w. */
function randomPercussions(random: Random, contacts: number, mu: number): Percussions {
  const rows = 2 * contacts;
  const G = randomMatrix(random, rows, rows);
  const velocity = (size: number): number[] =>
    Array.from({ length: rows }, () => random.uniform(-size, size));
  const before = times(G, velocity(1));
  const load = times(G, velocity(random.integer(0, 1) * 0.3));
  const W = multiply(G, transpose(G));
  return {
    W: W.map((row, i) => row.map((_, j) => W[Math.max(i, j)][Math.min(i, j)])),
    before,
    free: before.map((u, i) => u + load[i]),
    k: Array.from({ length: contacts }, () => 10 ** random.uniform(-1, 1)),
    mu: Array.from({ length: contacts }, () => random.uniform(0, mu)),
  };
}

const sum = (p: Percussions): number[] => p.free.map((u, i) => u + p.before[i]);

function solve(problem: Percussions): { status: string; lambda: number[] } {
  const { W, before, k, mu } = problem;
  const laws = k.flatMap((viscosity, c): LawRow[] => [
    { kind: 'percussion', viscosity },
    { kind: 'friction', coefficient: mu[c], restitution: 1, isOfPercussion: true },
  ]);
  const reduction = new LawReduction(laws, sparseFromDense(flat(W), before.length, before.length));
  const { operator, count } = reduction;
  const affine = new AffineVariationalInequality(count, operator.columns.length, false);
  const all = Int32Array.from({ length: count }, (_, i) => i);
  affine.restrict(operator, all, count, all);
  affine.lower.set(reduction.lower);
  affine.upper.set(reduction.upper);
  reduction.offsets(Float64Array.from(sum(problem)), Float64Array.from(before), affine.q);
  const result = createSolverResult();
  createSolver('auto', count).solve(affine, TOLERANCE, result);
  const lambda = new Float64Array(before.length);
  reduction.recover(affine.z, lambda);
  return { status: result.status, lambda: [...lambda] };
}

/** How far impulses are from the law as it is written, not as it is reduced. */
function residual({ W, free, before, k, mu }: Percussions, lambda: number[]): number {
  const after = times(W, lambda).map((u, i) => u + free[i]);
  let worst = 0;
  k.forEach((viscosity, c) => {
    const [n, t] = [2 * c, 2 * c + 1];
    const S = lambda[n] - viscosity * Math.max(0, -(after[n] + before[n]));
    const bound = mu[c] * lambda[n];
    const mean = after[t] + before[t];
    worst = Math.max(
      worst,
      -after[n],
      Math.abs(Math.min(S, after[n])) / (1 + viscosity),
      Math.abs(lambda[t]) - bound,
      // λ_t is what is nearest to λ_t − mean within its bound.
      Math.abs(lambda[t] - Math.max(-bound, Math.min(bound, lambda[t] - mean))),
    );
  });
  return worst;
}

/** A system A x = b by elimination with pivots; null where it is singular. */
function linear(A: number[][], b: number[]): number[] | null {
  const rows = A.map((row, i) => [...row, b[i]]);
  const n = b.length;
  for (let c = 0; c < n; c++) {
    const pivot = rows
      .slice(c)
      .reduce((best, row, i) => (Math.abs(row[c]) > Math.abs(rows[best][c]) ? c + i : best), c);
    [rows[c], rows[pivot]] = [rows[pivot], rows[c]];
    if (Math.abs(rows[c][c]) < 1e-12) return null;
    for (let r = 0; r < n; r++) {
      if (r === c) continue;
      const factor = rows[r][c] / rows[c][c];
      for (let j = c; j <= n; j++) rows[r][j] -= factor * rows[c][j];
    }
  }
  return rows.map((row, i) => row[n] / row[i]);
}

/**
 * All impulses that obey the law: every contact parts, dissipates alone or stays closed, sticks or slides.
 */
function enumerate(problem: Percussions): number[][] {
  const { W, free, before, k, mu } = problem;
  const found: number[][] = [];
  const n = 2 * k.length;
  const modes = [0, 1, 2].flatMap((normal) => [-1, 0, 1].map((slide) => ({ normal, slide })));
  const visit = (chosen: { normal: number; slide: number }[]): void => {
    if (chosen.length < k.length) {
      for (const mode of modes) visit([...chosen, mode]);
      return;
    }
    const A: number[][] = [];
    const b: number[] = [];
    chosen.forEach(({ normal, slide }, c) => {
      const [i, t] = [2 * c, 2 * c + 1];
      const unit = (row: number): number[] => Array.from({ length: n }, (_, j) => (j === row ? 1 : 0));
      // λ = 0; λ = −k (u⁺ + u⁻); u⁺ = 0
      if (normal === 0) A.push(unit(i));
      else if (normal === 1) A.push(W[i].map((w, j) => k[c] * w + (j === i ? 1 : 0)));
      else A.push(W[i]);
      b.push(normal === 0 ? 0 : normal === 1 ? -k[c] * (free[i] + before[i]) : -free[i]);
      if (slide === 0 && normal > 0) A.push(W[t]);
      else A.push(unit(t).map((one, j) => one - (j === i ? slide * mu[c] : 0)));
      b.push(slide === 0 && normal > 0 ? -free[t] - before[t] : 0);
    });
    const lambda = linear(A, b);
    if (lambda === null || residual(problem, lambda) > 1e-9) return;
    if (found.every((other) => other.some((x, i) => Math.abs(x - lambda[i]) > 1e-7))) found.push(lambda);
  };
  visit([]);
  return found;
}

describe('impacts by Frémond', () => {
  it.each([
    ['one contact', 1, sample(500, 5000)],
    ['two contacts', 2, sample(60, 5000)],
  ] as const)('%s: the solution is one of an enumeration, and no energy is gained', (_, contacts, count) => {
    const random = seeded(3);
    let unique = 0;
    for (let trial = 0; trial < count; trial++) {
      const problem = randomPercussions(random, contacts, 1);
      const all = enumerate(problem);
      const { status, lambda } = solve(problem);
      const distance = residual(problem, lambda);
      if (status !== 'converged' || distance > 1e-8) expect({ problem, status, distance }).toBeNull();
      const size = Math.max(...lambda.map(Math.abs), 1e-6);
      const nearest = Math.min(...all.map((one) => Math.max(...one.map((x, i) => Math.abs(x - lambda[i])))));
      if (nearest / size > 1e-7) expect({ problem, all, lambda }).toBeNull();
      if (all.length === 1) unique++;
      const after = times(problem.W, lambda).map((u, i) => u + problem.free[i]);
      problem.k.forEach((__, c) => {
        if (problem.before[2 * c] > 0) return;
        const work = [0, 1].reduce((w, r) => {
          const i = 2 * c + r;
          return w + (0.5 * (after[i] + problem.before[i]) * lambda[i]) / size;
        }, 0);
        expect(work).toBeLessThan(1e-9);
      });
    }
    expect(unique).toBeGreaterThan(0.8 * count);
  });

  it('of bodies that part without an impulse leave them alone', () => {
    const W = [
      [1, 0.2],
      [0.2, 1],
    ];
    const { lambda } = solve({ W, free: [0.5, 1], before: [0.5, 1], k: [2], mu: [0.3] });
    expect(lambda).toEqual([0, 0]);
  });
});
