/** Solvers whose linear algebra is made wrong on purpose: none may call a wrong answer converged. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { solverDefinitions } from '@engine/model/registry';
import type { AffineVariationalInequality } from '@engine/problems/avi';
import { seeded } from '../support/random';
import { violation } from './support/box-oracle';
import { randomProblem, spd } from './support/families';
import { solveWith } from './support/solve';

/** Relative error that every solution of a linear system is given. */
const sabotage = vi.hoisted(() => ({ error: 0 }));

vi.mock('@engine/linalg/lu', async (original) => {
  type Solve = (a: Float64Array, at: number, n: number, p: Int32Array, pAt: number, x: Float64Array) => void;
  const lu = await original<{ solveDense: Solve }>();
  const solveDense: Solve = (a, at, n, pivots, pivotsAt, x) => {
    lu.solveDense(a, at, n, pivots, pivotsAt, x);
    for (let i = 0; i < n; i++) x[i] *= 1 + sabotage.error * (i + 1);
  };
  return { ...lu, solveDense };
});

vi.mock('@engine/solvers/small-factors', async (original) => {
  interface Factors {
    substitute(problem: AffineVariationalInequality, isShifted: boolean): void;
  }
  const small = await original<{ SmallFactors: new () => Factors }>();
  class WrongFactors extends small.SmallFactors {
    override substitute(problem: AffineVariationalInequality, isShifted: boolean): void {
      // Bounds are given, and are not touched.
      const bound = [...problem.z];
      super.substitute(problem, isShifted);
      bound.forEach((x, i) => problem.z[i] !== x && (problem.z[i] *= 1 + sabotage.error * (i + 1)));
    }
  }
  return { ...small, SmallFactors: WrongFactors };
});

vi.mock('@engine/linalg/product-form', async (original) => {
  interface Product {
    apply(x: Float64Array): void;
  }
  const form = await original<{ ProductForm: new () => Product }>();
  class WrongProductForm extends form.ProductForm {
    override apply(x: Float64Array): void {
      super.apply(x);
      for (let i = 0; i < x.length; i++) x[i] *= 1 + sabotage.error * (i + 1);
    }
  }
  return { ...form, ProductForm: WrongProductForm };
});

afterEach(() => {
  sabotage.error = 0;
});

const SOLVERS = solverDefinitions.map(({ type }) => type);
const TOLERANCE = 1e-10;

describe('wrong linear algebra', () => {
  it.each(SOLVERS)('%s is honest about it', (name) => {
    const random = seeded(80);
    let denied = 0;
    for (let k = 0; k < 100; k++) {
      const problem = randomProblem(random, 5, spd, 'box');
      sabotage.error = 0;
      expect(solveWith(name, problem).status).toBe('converged');
      sabotage.error = 1e-5;
      const { status, z } = solveWith(name, problem, { settings: { maxIterations: 500 } });
      if (status === 'converged') expect(violation(problem, z)).toBeLessThan(2 * TOLERANCE);
      else denied++;
    }
    // Those that solve linear systems once, without a loop that corrects them, must have noticed.
    if (['PrincipalPivoting', 'LeastIndex', 'Enumeration'].includes(name)) expect(denied).toBeGreaterThan(50);
  });
});

describe('a wrong answer', () => {
  it('is not concluded to be converged, however small the error', async () => {
    const { conclude } = await import('@engine/solvers/solver');
    const { toProblem, emptyResult } = await import('./support/solve');
    const random = seeded(81);
    for (let k = 0; k < 200; k++) {
      const box = randomProblem(random, 4, spd, 'LCP');
      const problem: AffineVariationalInequality = toProblem(box);
      problem.z.set(solveWith('auto', box).z);
      const result = emptyResult();
      conclude(problem, TOLERANCE, result, 'converged');
      expect(result.status).toBe('converged');
      const row = problem.z.findIndex((x) => x > 1e-3);
      if (row < 0) continue;
      problem.z[row] *= 1 + 1e-4;
      conclude(problem, TOLERANCE, result, 'converged');
      expect(result.status).toBe('stalled');
    }
  });

  it('is not trusted when z is so large that w is cancellation', async () => {
    const { conclude } = await import('@engine/solvers/solver');
    const { toProblem, emptyResult } = await import('./support/solve');
    // w = z₁ − z₂ − 1 and its opposite: no solution, but at z = 10¹⁷ both come out as 0.
    const problem = toProblem({
      W: [
        [1, -1],
        [-1, 1],
      ],
      q: [-1, -1],
      lower: [0, 0],
      upper: [Infinity, Infinity],
    });
    problem.z.fill(1e17);
    const result = emptyResult();
    conclude(problem, 1, result, 'converged');
    expect(result.status).toBe('stalled');
  });
});
