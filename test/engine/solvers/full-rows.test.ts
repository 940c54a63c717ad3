/**
 * Problems stored in full rows: what is done without an index, or faster where nothing is peculiar, is the
 * same.
 */
import { describe, expect, it } from 'vitest';
import { sparseFromPattern } from '@engine/linalg/sparse';
import { factorCholesky, solveCholesky } from '@engine/linalg/cholesky';
import { solverDefinitions } from '@engine/model/registry';
import { AffineVariationalInequality } from '@engine/problems/avi';
import { LemkeLcp } from '@engine/solvers/pivoting/lemke';
import { createSolver } from '@engine/solvers/registry';
import { flat, identity, randomGram, randomMatrix, solve, times } from '../support/dense';
import { seeded } from '../support/random';
import { violation } from './support/box-oracle';
import { type Bounds, type Family, randomProblem, randomVector, skewed, spd } from './support/families';
import { distance, emptyResult, toProblem } from './support/solve';

const families: readonly [string, Family][] = [
  ['symmetric', spd],
  ['unsymmetric', skewed],
];
const TOLERANCE = 1e-10;

describe('w = W z + q', () => {
  it('is the same bit by bit whether rows are known to be full or not', () => {
    const random = seeded(1);
    for (let n = 1; n <= 13; n++) {
      const problem = toProblem(randomProblem(random, n, skewed, 'box'));
      problem.z.set(randomVector(random, n));
      problem.certify();
      const full = [...problem.w, ...problem.measure];
      problem.multiply();
      expect([...problem.w]).toEqual(full.slice(0, n));
      problem.isFull = false;
      problem.w.fill(7);
      problem.certify();
      expect([...problem.w, ...problem.measure]).toEqual(full);
    }
  });

  it('knows of a selection of rows whether it is full', () => {
    const random = seeded(2);
    const everywhere = sparseFromPattern([0, 1, 2].map(() => [0, 1, 2]));
    everywhere.values.set(randomVector(random, 9));
    // Row 2 does not meet row 0.
    const gap = sparseFromPattern(
      [
        [0, 1],
        [0, 1, 2],
        [1, 2],
      ].map((columns) => columns),
    );
    const problem = new AffineVariationalInequality(3, 9, false);
    const restrict = (W: typeof gap, active: number[]): boolean => {
      const position = Int32Array.from([0, 1, 2], (row) => active.indexOf(row));
      problem.restrict(W, Int32Array.from(active), active.length, position);
      return problem.isFull;
    };
    expect(restrict(everywhere, [0, 1, 2])).toBe(true);
    expect(restrict(everywhere, [0, 2])).toBe(true);
    expect(restrict(gap, [0, 1, 2])).toBe(false);
    expect(restrict(gap, [1, 2])).toBe(true);
    expect(restrict(gap, [0, 2])).toBe(false);
    // In another order, the columns of a row do not stand in theirs.
    expect(restrict(everywhere, [2, 0])).toBe(false);
  });
});

describe.each(solverDefinitions.map(({ type }) => type))('%s', (name) => {
  const SIZES = name === 'Enumeration' ? [3, 6] : [3, 10, 20, 40, 70];

  it.each(families)('solves %s problems of every size, stored in full or not, alike', (_, family) => {
    const random = seeded(3);
    for (const n of SIZES) {
      const box = randomProblem(random, n, family, 'LCP');
      const answers = [true, false].map((isFull) => {
        const problem = toProblem(box);
        problem.isFull = isFull;
        const result = emptyResult();
        createSolver(name, n).solve(problem, TOLERANCE, result);
        return { status: result.status, z: [...problem.z] };
      });
      expect(answers[0].status).toBe(answers[1].status);
      if (answers[0].status !== 'converged') continue;
      expect(violation(box, answers[0].z)).toBeLessThan(2 * TOLERANCE);
      expect(distance(answers[0].z, answers[1].z)).toBeLessThan(1e-7);
    }
  });
});

describe('projected Gauss–Seidel in full rows', () => {
  /** The textbook's sweeps, row by row. */
  function sweeps(W: readonly number[][], q: readonly number[], count: number): number[] {
    const z = q.map(() => 0);
    for (let k = 0; k < count; k++) {
      W.forEach((row, i) => {
        const w = row.reduce((sum, x, j) => sum + x * z[j], q[i]);
        z[i] = Math.max(0, z[i] - w / row[i]);
      });
    }
    return z;
  }

  it.each([9, 63, 90])('goes the way of the textbook with %i rows', (n) => {
    const random = seeded(4);
    for (const count of [1, 2, 3, 5, 8, 13]) {
      const { W, q, lower, upper } = randomProblem(random, n, spd, 'LCP');
      const problem = toProblem({ W, q, lower, upper });
      const result = emptyResult();
      createSolver('PGS', n, { maxIterations: count }).solve(problem, 1e-300, result);
      expect(result.iterations).toBe(count);
      expect(result.status).toBe('maxIterations');
      expect(distance([...problem.z], sweeps(W, q, count))).toBeLessThan(1e-12);
    }
  });

  it('wakes rows that slept where the operator is not semidefinite', () => {
    // |W_ij| = 3 √W_ii √W_jj from the last row to all others: more than a sleeping row reckons with.
    const n = 72;
    const W = identity(n);
    for (let i = 0; i < n - 2; i++) W[i][n - 1] = W[n - 1][i] = -3;
    W[n - 2][n - 1] = W[n - 1][n - 2] = -0.5;
    const q = W.map((_, i) => (i < n - 2 ? 1 : -0.2));
    const problem = toProblem({ W, q, lower: q.map(() => 0), upper: q.map(() => 0.35) });
    const result = emptyResult();
    createSolver('PGS', n).solve(problem, 1e-8, result);
    expect(result.status).toBe('converged');
    expect(problem.z[0]).toBeGreaterThan(0);
  });

  it('solves unsymmetric H-matrices, and says when it does not converge', () => {
    const random = seeded(5);
    const n = 70;
    const W = randomMatrix(random, n, n).map((row, i) => row.map((x, j) => (i === j ? 2 * n : x)));
    const box = { W, q: randomVector(random, n), lower: W.map(() => 0), upper: W.map(() => Infinity) };
    const problem = toProblem(box);
    const result = emptyResult();
    createSolver('PGS', n).solve(problem, TOLERANCE, result);
    expect(result.status).toBe('converged');
    expect(violation(box, [...problem.z])).toBeLessThan(2 * TOLERANCE);
    const growing = W.map((row, i) => row.map((_, j) => (i === j ? 1 : -1)));
    const diverging = toProblem({ ...box, W: growing, q: W.map(() => -1) });
    createSolver('PGS', n).solve(diverging, TOLERANCE, result);
    expect(result.status).not.toBe('converged');
  });
});

describe("Lemke's method in the plain case", () => {
  it.each(families)('pivots as the general method does on %s problems', (_, family) => {
    const random = seeded(6);
    const plain = new LemkeLcp();
    let answered = 0;
    for (let k = 0; k < 300; k++) {
      const n = random.integer(1, 30);
      const box = randomProblem(random, n, family, 'LCP');
      const problem = toProblem(box);
      const isAnswered = plain.solve(problem);
      if (!isAnswered) continue;
      answered++;
      expect(violation(box, [...problem.z])).toBeLessThan(1e-12);
      const general = toProblem(box);
      general.isFull = false;
      const result = emptyResult();
      createSolver('Lemke', n).solve(general, TOLERANCE, result);
      expect(result.iterations).toBe(plain.iterations);
      expect(distance([...problem.z], [...general.z])).toBeLessThan(1e-9);
    }
    expect(answered).toBeGreaterThan(200);
  });

  it.each<[string, (problem: AffineVariationalInequality) => void]>([
    ['two rows that block at once', (problem) => problem.q.fill(-1)],
    ['another bound', (problem) => (problem.lower[1] = -1)],
    ['an upper bound', (problem) => (problem.upper[0] = 1)],
    ['rows of very different mobility', (problem) => (problem.values[0] = 1e9)],
    ['a row without diagonal', (problem) => (problem.values[0] = 0)],
    ['rows that are not full', (problem) => (problem.isFull = false)],
    ['more rows than it has room for', (problem) => (problem.size = 65)],
    ['data that are no numbers', (problem) => (problem.q[0] = Number.NaN)],
    ['infinite data', (problem) => (problem.q[0] = Number.NEGATIVE_INFINITY)],
    ['nothing to do', (problem) => problem.q.fill(1)],
  ])('leaves %s to the general method', (_, change) => {
    const problem = AffineVariationalInequality.dense(Float64Array.of(2, 1, 1, 2), Float64Array.of(-1, -1.5));
    const plain = new LemkeLcp();
    expect(plain.solve(problem)).toBe(true);
    change(problem);
    expect(plain.solve(problem)).toBe(false);
  });

  it('leaves a path to infinity to the general method, which proves what it means', () => {
    const problem = AffineVariationalInequality.dense(
      Float64Array.of(1, -1, -1, 1),
      Float64Array.of(-1, -1.5),
    );
    expect(new LemkeLcp().solve(problem)).toBe(false);
    const result = emptyResult();
    createSolver('Lemke', 2).solve(problem, TOLERANCE, result);
    expect(result.status).toBe('infeasible');
  });
});

describe('dense Cholesky', () => {
  it('solves definite systems of every size', () => {
    const random = seeded(7);
    for (let n = 1; n <= 25; n++) {
      const a = randomGram(random, n, n, 0.1);
      const b = randomVector(random, n);
      const factor = flat(a);
      expect(factorCholesky(factor, n)).toBe(true);
      const x = Float64Array.from(b);
      solveCholesky(factor, n, x);
      expect(distance([...x], solve(a, b))).toBeLessThan(1e-9);
      expect(distance(times(a, [...x]), b)).toBeLessThan(1e-11);
    }
  });

  it('refuses semidefinite, indefinite and undefined matrices', () => {
    const random = seeded(8);
    for (let n = 2; n <= 12; n++) {
      expect(factorCholesky(flat(randomGram(random, n, n - 1, 0)), n)).toBe(false);
      const indefinite = flat(randomGram(random, n, n, 0.1));
      indefinite[n * n - 1] = -1;
      expect(factorCholesky(indefinite, n)).toBe(false);
    }
    expect(factorCholesky(Float64Array.of(Number.NaN), 1)).toBe(false);
  });
});

const bounds: readonly Bounds[] = ['LCP', 'MLCP', 'box'];

describe('the last face once more', () => {
  it.each(bounds)('gives the bits of the general way, measures included: %s', (kind) => {
    const random = seeded(9);
    for (let k = 0; k < 300; k++) {
      const n = random.integer(2, 16);
      const box = randomProblem(random, n, random.chance(0.5) ? spd : skewed, kind);
      const problem = toProblem(box);
      problem.isFull = random.chance(0.5);
      const result = emptyResult();
      const kept = createSolver('PrincipalPivoting', n);
      kept.solve(problem, TOLERANCE, result);
      expect(result.status).toBe('converged');
      const guess = [...problem.z];
      const once = [...problem.z, ...problem.w, ...problem.measure, result.residual];
      // Data that move a little, mostly on the same face.
      const q = problem.q.map((x) => x * (1 + 1e-3 * random.uniform(-1, 1)));
      for (const data of [problem.q.slice(), q, Float64Array.from(randomVector(random, n))]) {
        const answers = [kept, createSolver('PrincipalPivoting', n)].map((solver) => {
          problem.z.set(guess);
          problem.q.set(data);
          solver.solve(problem, TOLERANCE, result);
          const measured = [...problem.measure];
          problem.certify();
          expect([...problem.measure]).toEqual(measured);
          return [...problem.z, ...problem.w, ...measured, result.residual, result.iterations, result.status];
        });
        expect(answers[0]).toEqual(answers[1]);
        if (data.every((x, i) => x === box.q[i]))
          expect(answers[0].slice(0, 2 * n)).toEqual(once.slice(0, 2 * n));
      }
    }
  });

  it.each(bounds)('is not the answer where a sign has changed: %s', (kind) => {
    const random = seeded(10);
    let changed = 0;
    for (let k = 0; k < 300; k++) {
      const n = random.integer(2, 8);
      const box = randomProblem(random, n, spd, kind);
      const problem = toProblem(box);
      const solver = createSolver('auto', n);
      const result = emptyResult();
      solver.solve(problem, TOLERANCE, result);
      const q = randomVector(random, n);
      problem.q.set(q);
      solver.solve(problem, TOLERANCE, result);
      expect(result.status).toBe('converged');
      expect(violation({ ...box, q }, [...problem.z])).toBeLessThan(2 * TOLERANCE);
      if (result.iterations > 1) changed++;
    }
    expect(changed).toBeGreaterThan(100);
  });

  it('is not the answer to data that are no numbers', () => {
    for (const place of ['q', 'z'] as const) {
      const problem = AffineVariationalInequality.dense(Float64Array.of(2, 1, 1, 2), Float64Array.of(-1, -1));
      const solver = createSolver('PrincipalPivoting', 2);
      const result = emptyResult();
      solver.solve(problem, TOLERANCE, result);
      expect(result.status).toBe('converged');
      problem[place][0] = Number.NaN;
      solver.solve(problem, TOLERANCE, result);
      // A guess is only that; data are not.
      expect(result.status === 'converged').toBe(place === 'z');
    }
  });
});
