/**
 * What every solver must do with a linear complementarity problem: degenerate data, units, guesses, limits.
 */
import { describe, expect, it } from 'vitest';
import { solverDefinitions } from '@engine/model/registry';
import { AffineVariationalInequality } from '@engine/problems/avi';
import { createSolver } from '@engine/solvers/registry';
import { identity, type Matrix, randomGram, zeros } from '../support/dense';
import { enumerateLcp } from '../support/lcp-oracle';
import { type Random, seeded } from '../support/random';
import { randomVector, spd } from './support/families';
import {
  distance,
  emptyResult,
  type Solved,
  type SolveOptions,
  solveWith as solveBox,
} from './support/solve';

const SOLVERS = solverDefinitions.map(({ type }) => type);
const TOLERANCE = 1e-10;
/** Where a test compares answers, not residuals, solvers that approach theirs go on further. */
const TIGHT: SolveOptions = { tolerance: 1e-14 };
const APPROACHING = ['PGS', 'CPG'];
const exactly = (name: string): SolveOptions => (APPROACHING.includes(name) ? TIGHT : {});

const solveWith = (name: string, W: Matrix, q: readonly number[], options: SolveOptions = {}): Solved =>
  solveBox(
    name,
    { W, q: [...q], lower: q.map(() => 0), upper: q.map(() => Number.POSITIVE_INFINITY) },
    { ...exactly(name), ...options },
  );

describe.each(SOLVERS)('%s', (name) => {
  it('solves a problem without unknowns', () => {
    const { status, residual } = solveWith(name, [], []);
    expect(status).toBe('converged');
    expect(residual).toBe(0);
  });

  it('leaves everything open where no velocity closes a gap', () => {
    const { status, z } = solveWith(name, spd(seeded(1), 6), [0, 1, 0, 2, 3, 0.5]);
    expect(status).toBe('converged');
    expect(z).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('solves degenerate problems, with zeros in q and in w', () => {
    const random = seeded(3);
    for (let k = 0; k < 300; k++) {
      const n = random.integer(2, 6);
      const W = spd(random, n);
      // Contacts with z = w = 0: q is −W z of a z with zeros.
      const z = Array.from({ length: n }, () => (random.chance(0.5) ? random.uniform(0, 1) : 0));
      const q = W.map((row) => -row.reduce((sum, x, j) => sum + x * z[j], 0)).map((x, i) =>
        z[i] === 0 && random.chance(0.5) ? x + 1 : x,
      );
      const solved = solveWith(name, W, q);
      expect(solved.status).toBe('converged');
      expect(distance(solved.z, z)).toBeLessThan(1e-9);
    }
  });

  it('solves problems with zero components of q', () => {
    const random = seeded(4);
    for (let k = 0; k < 300; k++) {
      const n = random.integer(2, 6);
      const W = spd(random, n);
      const q = randomVector(random, n).map((x) => (random.chance(0.4) ? 0 : x));
      const [reference] = enumerateLcp(W, q, 1);
      const solved = solveWith(name, W, q);
      expect(solved.status).toBe('converged');
      expect(Math.max(...solved.z.map((x, i) => Math.abs(x - reference[i])))).toBeLessThan(1e-10);
    }
  });

  it('finds the solution from every wrong guess', () => {
    const random = seeded(5);
    for (let k = 0; k < 20; k++) {
      const n = 6;
      const W = spd(random, n);
      const q = randomVector(random, n);
      const [reference] = enumerateLcp(W, q, 1);
      for (let bits = 0; bits < 2 ** n; bits++) {
        const guess = Array.from({ length: n }, (_, i) => (bits >> i) & 1);
        const solved = solveWith(name, W, q, { guess });
        expect(solved.status).toBe('converged');
        expect(distance(solved.z, reference)).toBeLessThan(1e-10);
      }
    }
  });

  it('gives the same bits twice', () => {
    const random = seeded(6);
    for (let k = 0; k < 50; k++) {
      const W = spd(random, 8);
      const q = randomVector(random, 8);
      expect(solveWith(name, W, q)).toEqual(solveWith(name, W, q));
    }
  });

  it('does not depend on the units of mass', () => {
    const random = seeded(8);
    for (const scale of [1e-14, 1e-9, 1e9, 1e14]) {
      const W = spd(random, 5);
      const q = randomVector(random, 5);
      const [reference] = enumerateLcp(W, q, 1);
      const scaled = W.map((row) => row.map((x) => x * scale));
      const solved = solveWith(name, scaled, q);
      expect(solved.status).toBe('converged');
      expect(
        distance(
          solved.z.map((x) => x * scale),
          reference,
        ),
      ).toBeLessThan(1e-9);
    }
  });

  it('bears a light body beside a heavy one', () => {
    const W = [
      [1e13, 1e-15],
      [1e-15, 1e-13],
    ];
    const { status, z } = solveWith(name, W, [-1, -1]);
    expect(status).toBe('converged');
    // Cramer's rule; the determinant is 1 to rounding.
    expect(z[0] / 9.9e-14).toBeCloseTo(1, 10);
    expect(z[1] / 1e13).toBeCloseTo(1, 10);
  });

  it('takes velocities that have decayed to the smallest numbers for zero', () => {
    const { status, residual } = solveWith(name, spd(seeded(12), 3), [-5e-324, -3e-320, 2e-318]);
    expect(status).toBe('converged');
    expect(residual).toBeLessThan(1e-300);
  });

  it('does not call a residual above the tolerance converged', () => {
    // Rounding leaves about 1e-16; a tolerance below that cannot be met by any answer that is not exact.
    const random = seeded(9);
    const statuses = Array.from({ length: 40 }, () => {
      const solved = solveWith(name, spd(random, 8), randomVector(random, 8), { tolerance: 1e-30 });
      return solved.status === 'converged' ? solved.residual <= 1e-30 : solved.residual > 1e-30;
    });
    expect(statuses).not.toContain(false);
  });

  it('does not call an answer with NaN converged', () => {
    for (const n of [1, 3]) {
      const q = new Array<number>(n).fill(Number.NaN);
      expect(solveWith(name, identity(n), q).status).not.toBe('converged');
    }
  });

  it('serves one problem after another', () => {
    const solver = createSolver(name, 2);
    const result = emptyResult();
    for (const mass of [1, 2, 5]) {
      const W = Float64Array.of(1 / mass, 0, 0, 1 / mass);
      const problem = AffineVariationalInequality.dense(W, Float64Array.of(-1, -1));
      problem.z.fill(1);
      solver.solve(problem, TOLERANCE, result);
      expect(result.status).toBe('converged');
      expect(problem.z[0]).toBeCloseTo(mass, 12);
      expect(problem.z[1]).toBeCloseTo(mass, 12);
    }
  });
});

describe('block principal pivoting', () => {
  it('ends where exchanging all wrong signs at once would go round in circles', () => {
    // Nearly redundant contacts of very different mobility, from any guess: plain block exchanges cycle on
    // about one problem in a hundred of these.
    const random = seeded(31);
    for (let k = 0; k < 3000; k++) {
      const n = random.integer(5, 8);
      const scale = Array.from({ length: n }, () => 10 ** random.uniform(-1, 1));
      const gram = randomGram(random, n, 3, 0);
      const W = gram.map((row, i) => row.map((x, j) => scale[i] * scale[j] * x + (i === j ? 1e-3 : 0)));
      const symmetric = W.map((row, i) => row.map((_, j) => W[Math.max(i, j)][Math.min(i, j)]));
      const q = Array.from({ length: n }, () => random.uniform(-3, 1));
      const guess = Array.from({ length: n }, () => random.integer(0, 1));
      const { status, residual } = solveWith('PrincipalPivoting', symmetric, q, { guess });
      expect(status).toBe('converged');
      expect(residual).toBeLessThan(TOLERANCE);
    }
  });
});

describe('Lemke', () => {
  /**
   * Monotone with small whole numbers: ties at nearly every pivot, often singular, sometimes without a
   * solution.
   */
  function tied(random: Random): { W: Matrix; q: number[] } {
    const n = random.integer(2, 6);
    const rank = random.integer(1, n);
    const H = zeros(n, rank).map((row) => row.map(() => random.integer(-1, 1)));
    const W = H.map((a) => H.map((b) => a.reduce((sum, x, i) => sum + x * b[i], 0)));
    if (random.chance(0.5)) {
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < i; j++) {
          const skew = random.integer(-1, 1);
          W[i][j] += skew;
          W[j][i] -= skew;
        }
      }
    }
    return { W, q: Array.from({ length: n }, () => random.integer(-1, 1)) };
  }

  it('proves exactly those monotone problems infeasible that have no solution, through ties of every kind', () => {
    const random = seeded(32);
    const seen = { converged: 0, infeasible: 0 };
    for (let k = 0; k < 5000; k++) {
      const { W, q } = tied(random);
      const { status, residual } = solveWith('Lemke', W, q);
      const expected = enumerateLcp(W, q, 1).length > 0 ? 'converged' : 'infeasible';
      if (status !== expected) expect({ status, W, q }).toEqual({ status: expected, W, q });
      if (status === 'converged') expect(residual).toBeLessThan(TOLERANCE);
      seen[expected]++;
    }
    expect(seen.converged).toBeGreaterThan(1000);
    expect(seen.infeasible).toBeGreaterThan(500);
  });

  it('comes to an end on problems of small whole numbers, where ties are the rule', () => {
    // Without the lexicographic rule some of these go round in circles.
    const random = seeded(7);
    const seen = new Set<string>();
    for (let k = 0; k < 10_000; k++) {
      const n = random.integer(3, 5);
      const W = zeros(n, n).map((row, i) =>
        row.map((_, j) => (i === j ? random.integer(0, 3) : random.integer(-2, 3))),
      );
      seen.add(
        solveWith(
          'Lemke',
          W,
          Array.from({ length: n }, () => random.integer(-1, 1)),
        ).status,
      );
    }
    expect([...seen].sort()).toEqual(['converged', 'infeasible', 'ray']);
  });

  it.each<[string, Matrix, number[]]>([
    [
      'goes round in circles unless ties are broken by the rows of the basis',
      [
        [1, -1, 2, 2],
        [-1, 1, 0, 3],
        [1, -2, 1, 0],
        [2, 3, -2, 1],
      ],
      [-1, -1, -1, -1],
    ],
    [
      'ends on a ray unless t leaves as soon as it may',
      [
        [1, 0, 0, 0],
        [1, 3, -1, 3],
        [-2, 3, 3, -2],
        [0, 0, -2, 1],
      ],
      [1, -1, -1, 0],
    ],
  ])('solves a problem that %s', (_, W, q) => {
    const { status, residual } = solveWith('Lemke', W, q);
    expect(status).toBe('converged');
    expect(residual).toBeLessThan(TOLERANCE);
  });
});

describe('singular operators', () => {
  /** Redundant contacts: rows of ∇h repeated, W = ∇h ᵗ∇h of less than full rank. */
  function redundant(random: Random): { W: Matrix; q: number[]; solvable: boolean } {
    const n = random.integer(3, 6);
    const rank = random.integer(1, n - 1);
    const gram = randomGram(random, n, rank, 0);
    const free = randomVector(random, n);
    return { W: gram, q: free, solvable: enumerateLcp(gram, free, 1).length > 0 };
  }

  it.each(['Lemke', 'auto'])('%s solves what can be solved and proves that the rest cannot', (name) => {
    const random = seeded(21);
    const seen = { solvable: 0, infeasible: 0 };
    for (let k = 0; k < 400; k++) {
      const { W, q, solvable } = redundant(random);
      const { status, residual } = solveWith(name, W, q);
      if (solvable) {
        seen.solvable++;
        expect(status).toBe('converged');
        expect(residual).toBeLessThan(TOLERANCE);
      } else {
        seen.infeasible++;
        expect(status).toBe('infeasible');
      }
    }
    expect(seen.solvable).toBeGreaterThan(50);
    expect(seen.infeasible).toBeGreaterThan(50);
  });

  const twice = [
    [1, 1],
    [1, 1],
  ];

  it.each(SOLVERS)('%s shares an impulse between two contacts that are the same', (name) => {
    const { status, z } = solveWith(name, twice, [-1, -1], { tolerance: TOLERANCE });
    expect(status).toBe('converged');
    expect(z[0] + z[1]).toBeCloseTo(1, 9);
    expect(Math.min(...z)).toBeGreaterThanOrEqual(0);
  });

  it('two contacts that close against each other without room have no solution', () => {
    const squeezed = [
      [1, -1],
      [-1, 1],
    ];
    expect(solveWith('Lemke', squeezed, [-1, -1]).status).toBe('infeasible');
    expect(solveWith('auto', squeezed, [-1, -1]).status).toBe('infeasible');
    expect(solveWith('Enumeration', squeezed, [-1, -1]).status).toBe('noSolution');
    expect(solveWith('PrincipalPivoting', squeezed, [-1, -1]).status).toBe('singular');
    for (const name of SOLVERS) expect(solveWith(name, squeezed, [-1, -1]).status).not.toBe('converged');
  });

  it('a zero operator is solved by nothing but an open gap', () => {
    expect(solveWith('Lemke', zeros(2, 2), [1, 0]).status).toBe('converged');
    expect(solveWith('Lemke', zeros(2, 2), [1, -1]).status).toBe('infeasible');
  });
});

describe('the registry', () => {
  it('has a solver for every definition and no other', () => {
    for (const name of SOLVERS) expect(() => createSolver(name, 1)).not.toThrow();
    expect(() => createSolver('constructor', 1)).toThrow('constructor');
    expect(() => createSolver('Bard', 1)).toThrow('Bard');
  });
});
