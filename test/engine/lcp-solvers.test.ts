/** Every LCP solver of the registry against enumeration. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { solverDefinitions } from '@engine/model/registry';
import { LinearComplementarityProblem } from '@engine/problems/lcp';
import { createLcpSolver } from '@engine/solvers/registry';
import type { SolverResult } from '@engine/solvers/status';
import { flat, identity, type Matrix, randomGram, randomMatrix, zeros } from './support/dense';
import { enumerateLcp } from './support/lcp-oracle';
import { type Random, seeded } from './support/random';

const SOLVERS = solverDefinitions.map(({ type }) => type);
const TOLERANCE = 1e-10;

interface Solved extends SolverResult {
  z: number[];
}

interface Guess {
  guess?: readonly number[];
  tolerance?: number;
}

function solveWith(
  name: string,
  W: Matrix,
  q: readonly number[],
  { guess, tolerance = TOLERANCE }: Guess = {},
): Solved {
  const problem = LinearComplementarityProblem.dense(flat(W), Float64Array.from(q));
  problem.z.set(guess ?? new Array<number>(q.length).fill(0));
  const result: SolverResult = { status: 'maxIterations', iterations: -1, residual: Number.NaN };
  createLcpSolver(name, q.length).solve(problem, tolerance, result);
  return { ...result, z: [...problem.z] };
}

const applies = (name: string, symmetric: boolean): boolean => symmetric || name !== 'PrincipalPivoting';

/** Largest difference relative to the largest entry of the reference. */
function distance(z: readonly number[], reference: readonly number[]): number {
  const scale = Math.max(...reference.map(Math.abs), 1e-300);
  return Math.max(0, ...z.map((x, i) => Math.abs(x - reference[i]))) / scale;
}

const randomVector = (random: Random, n: number): number[] =>
  Array.from({ length: n }, () => random.uniform(-1, 1));

type Family = (random: Random, n: number) => Matrix;

/** Symmetric positive definite. */
const spd: Family = (random, n) => randomGram(random, n, n, 0.05);

/** Positive definite but not symmetric: a symmetric part as above and any skew part. */
const skewed: Family = (random, n) => {
  const a = spd(random, n);
  const b = randomMatrix(random, n, n);
  return a.map((row, i) => row.map((x, j) => x + b[i][j] - b[j][i]));
};

/** P-matrices whose symmetric part is not definite: triangular with positive diagonal, rows and columns permuted alike. */
const triangular: Family = (random, n) => {
  const order = random.sample(n, n);
  const a = zeros(n, n);
  for (let i = 0; i < n; i++) {
    a[order[i]][order[i]] = random.uniform(0.2, 1);
    for (let j = 0; j < i; j++) a[order[i]][order[j]] = random.uniform(-2, 2);
  }
  return a;
};

describe('random P-matrices', () => {
  // 10 000 problems in all, each with one solution, which enumeration finds.
  it.each([
    { name: 'symmetric', family: spd, count: 5000, symmetric: true },
    { name: 'with a skew part', family: skewed, count: 3000, symmetric: false },
    { name: 'not definite', family: triangular, count: 2000, symmetric: false },
  ])('$name: all solvers agree with enumeration', ({ family, count, symmetric }) => {
    const random = seeded(11);
    for (let k = 0; k < count; k++) {
      const n = random.integer(1, 8);
      const W = family(random, n);
      const q = randomVector(random, n);
      const [reference] = enumerateLcp(W, q, 1);
      for (const name of SOLVERS.filter((solver) => applies(solver, symmetric || n === 1))) {
        const { status, z, residual } = solveWith(name, W, q);
        if (status !== 'converged' || !(distance(z, reference) < 1e-10) || !(residual < TOLERANCE)) {
          expect({ name, k, W, q, status, z }).toEqual({ name, k, W, q, status: 'converged', z: reference });
        }
      }
    }
  });

  it('are solved by every solver that applies for any data (property)', () => {
    const entry = fc.integer({ min: -1000, max: 1000 }).map((k) => k / 1000);
    const problem = fc
      .integer({ min: 1, max: 5 })
      .chain((n) =>
        fc.tuple(
          fc.array(fc.array(entry, { minLength: n, maxLength: n }), { minLength: n, maxLength: n }),
          fc.array(entry, { minLength: n, maxLength: n }),
        ),
      );
    fc.assert(
      fc.property(problem, ([factor, q]) => {
        const W = factor.map((a, i) =>
          factor.map((b, j) => {
            const [low, high] = i < j ? [a, b] : [b, a];
            return low.reduce((sum, x, k) => sum + x * high[k], 0) + (i === j ? 0.1 : 0);
          }),
        );
        const [reference] = enumerateLcp(W, q, 1);
        for (const name of SOLVERS) {
          const { status, z } = solveWith(name, W, q);
          expect(status).toBe('converged');
          expect(Math.max(...z.map((x, i) => Math.abs(x - reference[i])))).toBeLessThan(1e-9);
        }
      }),
      { seed: 7, numRuns: 300 },
    );
  });
});

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
      return solved.status === 'converged' ? solved.residual <= 1e-30 : solved.status === 'maxIterations';
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
    const solver = createLcpSolver(name, 2);
    const result: SolverResult = { status: 'maxIterations', iterations: -1, residual: Number.NaN };
    for (const mass of [1, 2, 5]) {
      const W = Float64Array.of(1 / mass, 0, 0, 1 / mass);
      const problem = LinearComplementarityProblem.dense(W, Float64Array.of(-1, -1));
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
    // Nearly redundant contacts of very different mobility, from any guess: plain block exchanges cycle on about one
    // problem in a hundred of these.
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
  /** Monotone with small whole numbers: ties at nearly every pivot, often singular, sometimes without a solution. */
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

  it('says ray exactly where a monotone problem has no solution, through ties of every kind', () => {
    const random = seeded(32);
    const seen = { converged: 0, ray: 0 };
    for (let k = 0; k < 5000; k++) {
      const { W, q } = tied(random);
      const { status, residual } = solveWith('Lemke', W, q);
      const expected = enumerateLcp(W, q, 1).length > 0 ? 'converged' : 'ray';
      if (status !== expected) expect({ status, W, q }).toEqual({ status: expected, W, q });
      if (status === 'converged') expect(residual).toBeLessThan(TOLERANCE);
      seen[expected]++;
    }
    expect(seen.converged).toBeGreaterThan(1000);
    expect(seen.ray).toBeGreaterThan(500);
  });

  it.each<[string, Matrix, number[]]>([
    [
      'goes round in circles unless ties are broken by the rows of the basis',
      [
        [1, -2, -2, -2, 0],
        [0, 1, 2, 2, 0],
        [0, 0, 1, 1, 2],
        [0, 0, 1, 1, 2],
        [-2, 2, 0, 0, 1],
      ],
      [1, -1, -1, 1, -1],
    ],
    [
      'ends on a ray unless z₀ leaves as soon as it may',
      [
        [2, -2, 3, 1, -2],
        [-2, 2, -2, -2, 1],
        [1, -2, 2, 2, -1],
        [1, 0, 0, 1, 0],
        [-2, 3, -3, -2, 2],
      ],
      [0, 0, 0, 1, -1],
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

  it.each(['Lemke', 'auto'])('%s solves what can be solved and says ray otherwise', (name) => {
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
        expect(status).toBe('ray');
      }
    }
    expect(seen.solvable).toBeGreaterThan(50);
    expect(seen.infeasible).toBeGreaterThan(50);
  });

  const twice = [
    [1, 1],
    [1, 1],
  ];

  it('principal pivoting says singular where two contacts are the same', () => {
    expect(solveWith('PrincipalPivoting', twice, [-1, -1]).status).toBe('singular');
  });

  it('auto falls back where principal pivoting cannot go on', () => {
    const { status, z } = solveWith('auto', twice, [-1, -1]);
    expect(status).toBe('converged');
    expect(z[0] + z[1]).toBeCloseTo(1, 14);
    expect(Math.min(...z)).toBeGreaterThanOrEqual(0);
  });

  it('two contacts that close against each other without room have no solution', () => {
    const squeezed = [
      [1, -1],
      [-1, 1],
    ];
    expect(solveWith('Lemke', squeezed, [-1, -1]).status).toBe('ray');
    expect(solveWith('auto', squeezed, [-1, -1]).status).toBe('ray');
    expect(solveWith('PrincipalPivoting', squeezed, [-1, -1]).status).toBe('singular');
  });

  it('a zero operator is solved by nothing but an open gap', () => {
    expect(solveWith('Lemke', zeros(2, 2), [1, 0]).status).toBe('converged');
    expect(solveWith('Lemke', zeros(2, 2), [1, -1]).status).toBe('ray');
  });
});

describe('the registry', () => {
  it('has a solver for every definition and no other', () => {
    for (const name of SOLVERS) expect(() => createLcpSolver(name, 1)).not.toThrow();
    expect(() => createLcpSolver('constructor', 1)).toThrow('constructor');
    expect(() => createLcpSolver('Bard', 1)).toThrow('Bard');
  });
});
