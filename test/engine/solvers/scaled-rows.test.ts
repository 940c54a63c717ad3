/**
 * Rows of very different size: a solver that says “converged” has the answer in every row, in whatever units
 * rows are given.
 */
import { describe, expect, it } from 'vitest';
import { enumerateSolutions } from '@engine/solvers/pivoting/enumeration';
import { dot } from '../support/dense';
import { type Random, seeded } from '../support/random';
import { sample } from '../../support/prove';
import type { BoxProblem } from './support/box-oracle';
import { emptyResult, type Solved, type SolveOptions, toProblem } from './support/solve';
import { createSolver } from '@engine/solvers/registry';
import { EquilibratedSolver } from '@engine/solvers/equilibrated';

/** As the time loop solves. */
function solveWith(name: string, box: BoxProblem, { tolerance = 1e-10 }: SolveOptions = {}): Solved {
  const problem = toProblem(box);
  const result = emptyResult();
  new EquilibratedSolver(createSolver(name, box.q.length)).solve(problem, tolerance, result);
  return { ...result, z: [...problem.z] };
}

const INF = Number.POSITIVE_INFINITY;

/** Contacts, equations and relays on a monotone operator, made so that a solution is known to exist. */
function randomProblem(random: Random, isSymmetric: boolean): BoxProblem {
  const n = random.integer(1, 6);
  const rows = Array.from({ length: n }, (_, i) => i);
  const entries = rows.map(() => rows.map(() => random.uniform(-1, 1)));
  const W = rows.map((i) => rows.map((j) => dot(entries[i], entries[j]) + (i === j ? 0.1 : 0)));
  if (!isSymmetric)
    for (const i of rows)
      for (let j = 0; j < i; j++) {
        const skew = random.uniform(-1, 1);
        W[i][j] += skew;
        W[j][i] -= skew;
      }
  const kinds = rows.map(() => random.integer(0, 2));
  const lower = kinds.map((kind) => [0, -INF, -1][kind]);
  const upper = kinds.map((kind) => (kind === 2 ? 1 : INF));
  const z = rows.map((i) => {
    if (kinds[i] !== 1 && random.chance(0.4)) return random.chance(0.5) && kinds[i] === 2 ? 1 : lower[i];
    return kinds[i] === 0 ? random.uniform(0.1, 1) : random.uniform(-0.9, 0.9);
  });
  const w = rows.map((i) =>
    z[i] === lower[i] ? random.uniform(0.1, 1) : z[i] === upper[i] ? -random.uniform(0.1, 1) : 0,
  );
  return { W, q: rows.map((i) => w[i] - dot(W[i], z)), lower, upper };
}

/** The same with w_i counted in units 1/r_i and z_j in units 1/c_j. */
const scaled = ({ W, q, lower, upper }: BoxProblem, r: number[], c: number[]): BoxProblem => ({
  W: W.map((row, i) => row.map((x, j) => r[i] * x * c[j])),
  q: q.map((x, i) => r[i] * x),
  lower: lower.map((x, i) => x / c[i]),
  upper: upper.map((x, i) => x / c[i]),
});

const SOLVERS = ['auto', 'PrincipalPivoting', 'Lemke', 'Enumeration', 'NewtonFischerBurmeister', 'NewtonMin'];

describe.each([true, false])('rows scaled by 1e-9 … 1e9, symmetric: %s', (isSymmetric) => {
  it('have the answer of the enumeration of the problem as it was', () => {
    const random = seeded(isSymmetric ? 11 : 12);
    let compared = 0;
    for (let k = 0; k < sample(150, 5000); k++) {
      const problem = randomProblem(random, isSymmetric);
      const { solutions, hasContinuum } = enumerateSolutions(toProblem(problem));
      if (solutions.length !== 1 || hasContinuum) continue;
      const units = (): number[] => problem.q.map(() => 10 ** random.integer(-9, 9));
      const r = units();
      const c = isSymmetric ? r : units();
      for (const name of SOLVERS) {
        const { status, z } = solveWith(name, scaled(problem, r, c), { tolerance: 1e-12 });
        if (name === 'auto' || name === 'Enumeration')
          expect(status, `problem ${k} by ${name}`).toBe('converged');
        if (status !== 'converged') continue;
        compared++;
        solutions[0].z.forEach((exact, i) =>
          expect(Math.abs(z[i] * c[i] - exact), `problem ${k} by ${name}`).toBeLessThan(1e-9),
        );
      }
    }
    expect(compared).toBeGreaterThan(500);
  });

  it('have the same bits where units are powers of two', () => {
    const random = seeded(21);
    for (let k = 0; k < 100; k++) {
      const problem = randomProblem(random, isSymmetric);
      // Powers of four, so that the root of a diagonal is one of two.
      const r = problem.q.map(() => 4 ** random.integer(-12, 12));
      const whole = solveWith('auto', problem);
      const other = solveWith('auto', scaled(problem, r, r));
      expect(other.status).toBe(whole.status);
      expect(other.z.map((x, i) => x * r[i])).toEqual(whole.z);
    }
  });
});

describe('rows of one size beside masses that differ by 26 orders', () => {
  it.each(SOLVERS)('are each solved by %s', (name) => {
    const W = [
      [1e13, 1e-15],
      [1e-15, 1e-13],
    ];
    const { status, z } = solveWith(name, { W, q: [-1, -1], lower: [0, 0], upper: [INF, INF] });
    if (status !== 'converged') return;
    expect(z[0] / 9.9e-14).toBeCloseTo(1, 9);
    expect(z[1] / 1e13).toBeCloseTo(1, 9);
  });
});

describe('rows that cancel', () => {
  /** Two equations that differ by one part in 10⁹, as of a light pulley between heavy weights. */
  const nearlyDependent = (light: number): BoxProblem => ({
    W: [
      [1 + 4 / light, 2 / light],
      [2 / light, 1 / light + 1 / 3],
    ],
    q: [-0.03, 0.01],
    lower: [-INF, -INF],
    upper: [INF, INF],
  });

  it('are solved where their residual is rounding of their terms', () => {
    const { status, z, residual } = solveWith('auto', nearlyDependent(1e-9), { tolerance: 1e-12 });
    expect(status).toBe('converged');
    expect(residual).toBeLessThan(1e-6);
    // z₂ = −2 z₁ up to the light mass, so that z₁ + 4/3 z₁ = 0.03 + 2 · 0.01.
    expect(z[0] / (0.05 / (1 + 4 / 3))).toBeCloseTo(1, 5);
    expect(z[1] / z[0]).toBeCloseTo(-2, 7);
  });

  it('are reported as unresolved, and not as without a solution, where the answer is beyond the digits', () => {
    // Two stores that have to jump, 10⁻¹¹ beside the resistor between them: z₁ − z₂ = 2.1 of 2·10¹⁰.
    for (const name of ['auto', 'Enumeration']) {
      const { status, residual, z } = solveWith(name, {
        W: [
          [0.5421816608932583, -0.5421816608932583],
          [-0.5421816608932583, 0.5421816609046661],
        ],
        q: [-1.143135585754967, 0.9007351167911746],
        lower: [0, 0],
        upper: [INF, INF],
      });
      expect(status, name).toBe('unresolved');
      expect(residual, name).toBeLessThan(1e-4);
      expect(z[0], name).toBeGreaterThan(1e10);
    }
  });

  it('do not make an answer of cancellation at infinity', () => {
    const { status } = solveWith('auto', {
      W: [
        [1, -1],
        [-1, 1 + 1e-14],
      ],
      q: [-1, -1],
      lower: [-INF, -INF],
      upper: [INF, INF],
    });
    expect(status).not.toBe('converged');
  });
});
