/** Every solver against enumeration of all faces, on random problems of every kind it is made for. */
import { describe, expect, it } from 'vitest';
import { solverDefinitions } from '@engine/model/registry';
import { enumerateSolutions } from '@engine/solvers/pivoting/enumeration';
import { type Random, seeded } from '../support/random';
import { type BoxProblem, enumerateBox, violation } from './support/box-oracle';
import {
  arbitrary,
  type Bounds,
  type Family,
  randomProblem,
  redundant,
  skewed,
  spd,
  triangular,
} from './support/families';
import { distance, solveWith, toProblem } from './support/solve';

const SOLVERS = solverDefinitions.map(({ type }) => type);
const BOUNDS: readonly Bounds[] = ['LCP', 'MLCP', 'box'];
const SYMMETRIC = ['ConvexQP', 'CPG'];
/** Iterative solvers come as near as their tolerance; the others end in an exact face. */
const TIGHT = 1e-13;

/** The tolerance that lets a solver be compared to 1e-10. */
const tolerance = (name: string): number => (name === 'PGS' || name === 'CPG' ? TIGHT : 1e-10);

function expectAgreement(name: string, problem: BoxProblem, reference: number[]): void {
  const { status, z } = solveWith(name, problem, { tolerance: tolerance(name) });
  // Expectations are slow; one is made only where it would fail.
  if (status === 'converged' && distance(z, reference) < 1e-10) return;
  expect({ name, problem, status, z }).toEqual({ name, problem, status: 'converged', z: reference });
}

interface Case {
  name: string;
  family: Family;
  solvers: readonly string[];
  count: number;
}

const unsymmetric = SOLVERS.filter((name) => !SYMMETRIC.includes(name));
// 10 000 problems in all, each with one solution.
const cases: readonly Case[] = [
  { name: 'symmetric positive definite', family: spd, solvers: SOLVERS, count: 1400 },
  {
    name: 'positive definite with a skew part',
    family: skewed,
    // Sweeps converge on these only if the skew part is small.
    solvers: unsymmetric.filter((name) => name !== 'PGS'),
    count: 1200,
  },
  {
    name: 'P-matrices that are not definite',
    family: triangular,
    // The central path needs monotony.
    solvers: unsymmetric.filter((name) => name !== 'InteriorPoint'),
    count: 734,
  },
];

describe.each(cases)('$name', ({ family, solvers, count }) => {
  it.each(BOUNDS)('%s: the solvers agree with enumeration', (bounds) => {
    const random = seeded(11);
    for (let k = 0; k < count; k++) {
      const n = random.integer(1, bounds === 'box' ? 5 : 8);
      const problem = randomProblem(random, n, family, bounds);
      const [reference] = enumerateBox(problem, 1);
      for (const name of solvers) expectAgreement(name, problem, reference);
    }
  });
});

describe('redundant rows', () => {
  /** What each solver may say of a problem without solution. */
  const denials: Readonly<Record<string, readonly string[]>> = {
    auto: ['infeasible'],
    Lemke: ['infeasible'],
    Enumeration: ['noSolution'],
    InteriorPoint: ['infeasible', 'stalled', 'maxIterations'],
    ConvexQP: ['infeasible', 'stalled', 'maxIterations'],
    CPG: ['stalled', 'maxIterations'],
    PGS: ['stalled', 'maxIterations'],
    PrincipalPivoting: ['singular', 'stalled', 'maxIterations'],
    LeastIndex: ['singular', 'stalled', 'maxIterations'],
    NewtonFischerBurmeister: ['stalled', 'maxIterations'],
    NewtonMin: ['stalled', 'maxIterations'],
  };
  /** These solve whatever can be solved. */
  const reliable = ['auto', 'Lemke', 'Enumeration', 'InteriorPoint'];

  it.each(BOUNDS)('%s: solved where that is possible, denied where not', (bounds) => {
    const random = seeded(21);
    const seen = { solvable: 0, unsolvable: 0 };
    for (let k = 0; k < 300; k++) {
      const problem = randomProblem(random, random.integer(2, 5), redundant, bounds);
      const [solution] = enumerateBox(problem, 1);
      const isSolvable = solution !== undefined;
      // Nearly singular by chance: the residual itself is then rounding.
      if (isSolvable && Math.max(...solution.map(Math.abs)) > 1e4) continue;
      seen[isSolvable ? 'solvable' : 'unsolvable']++;
      for (const name of SOLVERS) {
        const { status, z } = solveWith(name, problem, { settings: { maxIterations: 300 } });
        const isHonest = status === 'converged' ? isSolvable && violation(problem, z) < 1e-9 : true;
        const isDue = isSolvable
          ? status === 'converged' || !reliable.includes(name)
          : denials[name].includes(status);
        if (!isHonest || !isDue) expect({ name, k, problem, status, z }).toEqual({ isSolvable });
      }
    }
    expect(seen.solvable).toBeGreaterThan(50);
    expect(seen.unsolvable).toBeGreaterThan(3);
  });
});

describe('operators without any property', () => {
  it.each(BOUNDS)('%s: no solver calls anything but a solution converged', (bounds) => {
    const random = seeded(31);
    const seen = { solved: 0, denied: 0 };
    for (let k = 0; k < 250; k++) {
      const problem = randomProblem(random, random.integer(1, 5), arbitrary, bounds);
      const solutions = enumerateBox(problem);
      for (const name of SOLVERS) {
        const { status, z } = solveWith(name, problem, { settings: { maxIterations: 300 } });
        if (status === 'converged') {
          if (!solutions.some((solution) => distance(z, solution) < 1e-7))
            expect({ name, k, problem, z }).toEqual({ solutions });
          seen.solved++;
        } else if (name === 'auto' || name === 'Enumeration') {
          if (solutions.length > 0) expect({ name, k, problem, status }).toEqual({ solutions });
          expect(['noSolution', 'infeasible']).toContain(status);
          seen.denied++;
        } else if (status === 'infeasible' || status === 'noSolution') expect(solutions).toEqual([]);
      }
    }
    expect(seen.solved).toBeGreaterThan(500);
    expect(seen.denied).toBeGreaterThan(50);
  });

  it.each(BOUNDS)('%s: enumeration with pruning finds what enumeration of all faces finds', (bounds) => {
    const random = seeded(41);
    let several = 0;
    for (let k = 0; k < 400; k++) {
      const problem = randomProblem(random, random.integer(1, 5), arbitrary, bounds);
      const expected = enumerateBox(problem);
      const { solutions, isExhaustive, hasContinuum } = enumerateSolutions(toProblem(problem));
      expect(isExhaustive).toBe(true);
      expect(hasContinuum).toBe(false);
      expect(solutions).toHaveLength(expected.length);
      for (const { z, isIsolated } of solutions) {
        expect(isIsolated).toBe(true);
        expect(Math.min(...expected.map((other) => distance([...z], other)))).toBeLessThan(1e-8);
      }
      if (expected.length > 1) several++;
    }
    expect(several).toBeGreaterThan(50);
  });
});

describe('what Lemke’s method always solves', () => {
  const solvers = ['Lemke', 'auto', 'Enumeration'];

  function expectSolved(problem: BoxProblem): void {
    for (const name of solvers) {
      const { status, z } = solveWith(name, problem);
      if (status === 'converged' && violation(problem, z) < 1e-9) continue;
      expect({ name, problem, status, z }).toEqual({ status: 'converged' });
    }
  }

  it('strictly copositive operators: no negative entries, positive diagonal', () => {
    const random = seeded(51);
    for (let k = 0; k < 500; k++) {
      const problem = randomProblem(random, random.integer(1, 7), arbitrary, 'LCP');
      const W = problem.W.map((row, i) => row.map((x, j) => (i === j ? 0.01 + Math.abs(x) : Math.max(0, x))));
      expectSolved({ ...problem, W });
    }
  });

  it('any operator on a bounded box', () => {
    const random = seeded(52);
    for (let k = 0; k < 500; k++) {
      const problem = randomProblem(random, random.integer(1, 6), arbitrary, 'LCP');
      const lower = problem.q.map(() => random.uniform(-1, 0));
      const upper = lower.map((l) => l + random.uniform(0, 2));
      expectSolved({ ...problem, lower, upper });
    }
  });

  it('any operator on a bounded box with whole numbers, where ties are the rule', () => {
    const random = seeded(53);
    for (let k = 0; k < 500; k++) {
      const n = random.integer(2, 5);
      const whole = (): number => random.integer(-1, 1);
      const W = Array.from({ length: n }, () => Array.from({ length: n }, whole));
      const q = Array.from({ length: n }, whole);
      expectSolved({ W, q, lower: q.map(() => -1), upper: q.map(() => random.integer(0, 1)) });
    }
  });

  it('constraints without compliance: saddle points with redundant equations', () => {
    // [A −Jᵀ; J 0] with free multipliers of J, of which the last row repeats the first.
    const random = seeded(54);
    for (let k = 0; k < 300; k++) {
      const n = random.integer(3, 5);
      const A = spd(random, n);
      const J = redundantRows(random, n);
      const x = Array.from({ length: n }, () => random.uniform(0, 1));
      const W = [
        ...A.map((row, i) => [...row, ...J.map((constraint) => -constraint[i])]),
        ...J.map((row) => [...row, 0, 0]),
      ];
      const q = [
        ...A.map(() => random.uniform(-1, 1)),
        // x satisfies the constraints, so that they do not contradict each other.
        ...J.map((row) => -row.reduce((sum, value, j) => sum + value * x[j], 0)),
      ];
      const infinite = Number.POSITIVE_INFINITY;
      const lower = [...A.map(() => 0), -infinite, -infinite];
      expectSolved({ W, q, lower, upper: q.map(() => infinite) });
    }
  });
});

/** Two equal rows. */
function redundantRows(random: Random, n: number): number[][] {
  const row = Array.from({ length: n }, () => random.uniform(-1, 1));
  return [row, [...row]];
}
