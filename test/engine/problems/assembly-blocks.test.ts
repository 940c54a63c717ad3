/**
 * Assembly of the one-step matrix block by block and by sparse products, against a dense solve:
 * Siconos developer's notes §2.1.1–2.1.2, §2.2 and §2.3.
 */
import { describe, expect, it } from 'vitest';
import type { SparseRows } from '@engine/linalg/sparse';
import {
  assembleByBlocks,
  assembleByProduct,
  type AssemblyInteraction,
  type AssemblySystem,
  blockRows,
  freeOutput,
} from '../oracles/assembly';
import {
  combine,
  flat,
  identity,
  type Matrix,
  multiply,
  randomGram,
  randomMatrix,
  solve,
  solveMany,
  times,
  transpose,
  zeros,
} from '../support/dense';
import { enumerateLcp } from '../support/lcp-oracle';
import { type Random, seeded } from '../support/random';

const TOPOLOGIES = 200;
const EXACT = 1e-12;

/** A model as dense matrices, by system and interaction. */
interface Problem {
  h: number;
  /** iteration matrices Ŵ_i */
  W: Matrix[];
  links: number[][];
  /** C_α^i and B_α^i by place in links[α] */
  C: Matrix[][];
  B: Matrix[][];
  D: Matrix[];
}

function randomProblem(random: Random): Problem {
  const h = 10 ** random.uniform(-3, -0.5);
  const W = Array.from({ length: random.integer(1, 6) }, () => {
    const n = random.integer(1, 4);
    // Ŵ = I − hθA
    return combine([1, identity(n)], [-0.7 * h, randomMatrix(random, n, n)]);
  });
  const links = Array.from({ length: random.integer(1, 7) }, () =>
    random.sample(random.integer(1, Math.min(3, W.length)), W.length),
  );
  const sizes = links.map(() => random.integer(1, 3));
  return {
    h,
    W,
    links,
    C: links.map((systems, a) => systems.map((i) => randomMatrix(random, sizes[a], W[i].length))),
    B: links.map((systems, a) => systems.map((i) => randomMatrix(random, W[i].length, sizes[a]))),
    D: sizes.map((m) => randomMatrix(random, m, m)),
  };
}

const systemsOf = ({ W }: Problem): AssemblySystem[] =>
  W.map((iteration) => ({ size: iteration.length, iteration: flat(iteration) }));

const interactionsOf = ({ links, C, B, D }: Problem): AssemblyInteraction[] =>
  links.map((systems, a) => ({
    systems,
    size: C[a][0].length,
    C: flat(C[a][0].map((_, row) => C[a].flatMap((block) => block[row]))),
    B: flat(B[a].flat()),
    D: flat(D[a]),
  }));

const offsets = (sizes: number[]): number[] =>
  sizes.map((_, k) => sizes.slice(0, k).reduce((a, b) => a + b, 0));

/** The whole model in one piece: C, D, B and block-diagonal Ŵ. */
function whole({ W, links, C, B, D }: Problem): { W: Matrix; C: Matrix; B: Matrix; D: Matrix } {
  const states = offsets(W.map((w) => w.length));
  const rows = offsets(D.map((d) => d.length));
  const [n, m] = [W.reduce((sum, w) => sum + w.length, 0), D.reduce((sum, d) => sum + d.length, 0)];
  const place = (target: Matrix, block: Matrix, row: number, column: number): void =>
    block.forEach((line, i) => line.forEach((x, j) => (target[row + i][column + j] = x)));
  const result = { W: zeros(n, n), C: zeros(m, n), B: zeros(n, m), D: zeros(m, m) };
  W.forEach((w, i) => place(result.W, w, states[i], states[i]));
  links.forEach((systems, a) => {
    systems.forEach((i, k) => {
      place(result.C, C[a][k], rows[a], states[i]);
      place(result.B, B[a][k], states[i], rows[a]);
    });
    place(result.D, D[a], rows[a], rows[a]);
  });
  return result;
}

/** D + γ C Ŵ⁻¹ B in one piece. */
function denseMatrix(problem: Problem, gamma = problem.h): Matrix {
  const { W, C, B, D } = whole(problem);
  return combine([1, D], [gamma, multiply(C, solveMany(W, B))]);
}

function dense(rows: SparseRows): Matrix {
  const result = zeros(rows.rows, rows.rows);
  result.forEach((line, i) => {
    for (let k = rows.rowStart[i]; k < rows.rowStart[i + 1]; k++) line[rows.columns[k]] = rows.values[k];
  });
  return result;
}

function byBlocks(problem: Problem, gamma = problem.h): Matrix {
  const result = assembleByBlocks(systemsOf(problem), interactionsOf(problem), gamma);
  if (result.status !== 'assembled') throw new Error(result.status);
  return dense(blockRows(result.matrix));
}

function byProduct(problem: Problem, gamma = problem.h): Matrix {
  const result = assembleByProduct(systemsOf(problem), interactionsOf(problem), gamma);
  if (result.status !== 'assembled') throw new Error(result.status);
  return dense(result.matrix);
}

/** Largest difference relative to the largest entry. */
function distance(a: Matrix, b: Matrix): number {
  const largest = Math.max(...b.flat().map(Math.abs), 1e-300);
  return Math.max(...combine([1, a], [-1, b]).flat().map(Math.abs)) / largest;
}

const problems = Array.from({ length: TOPOLOGIES }, (_, k) => randomProblem(seeded(700 + k)));

describe(`${TOPOLOGIES} random topologies`, () => {
  it('block by block equal the dense solve', () => {
    for (const problem of problems)
      expect(distance(byBlocks(problem), denseMatrix(problem))).toBeLessThan(EXACT);
  });

  it('by product equal the dense solve', () => {
    for (const problem of problems)
      expect(distance(byProduct(problem), denseMatrix(problem))).toBeLessThan(EXACT);
  });

  it('are the same in both ways', () => {
    for (const problem of problems)
      expect(distance(byBlocks(problem), byProduct(problem))).toBeLessThan(EXACT);
  });

  it('have blocks exactly where interactions share a system', () => {
    let absent = 0;
    for (const problem of problems) {
      const result = assembleByBlocks(systemsOf(problem), interactionsOf(problem), problem.h);
      if (result.status !== 'assembled') throw new Error(result.status);
      const { rowStart, columns } = result.matrix.pattern;
      problem.links.forEach((systems, a) => {
        const expected = problem.links.flatMap((others, b) =>
          others.some((i) => systems.includes(i)) ? [b] : [],
        );
        expect([...columns.subarray(rowStart[a], rowStart[a + 1])]).toEqual(expected);
        absent += problem.links.length - expected.length;
      });
    }
    expect(absent).toBeGreaterThan(500);
  });

  it('have the outputs C x of any states', () => {
    const random = seeded(3);
    for (const problem of problems) {
      const x = problem.W.map((w) => w.map(() => random.uniform(-1, 1)));
      const output = freeOutput(
        interactionsOf(problem),
        x.map((values) => Float64Array.from(values)),
      );
      const expected = times(whole(problem).C, x.flat());
      expected.forEach((y, row) => expect(output[row]).toBeCloseTo(y, 12));
    }
  });
});

/** (2.14) as printed: in its last row the diagonal runs over DS_m ∩ DS_{m−1} and the others over DS_m. */
function printed(problem: Problem): Matrix {
  const { links, W, C, B, D, h } = problem;
  const last = links.length - 1;
  const rows = offsets(D.map((d) => d.length));
  const result = whole(problem).D;
  links.forEach((mine, a) => {
    links.forEach((theirs, b) => {
      const common = mine.filter((i) => theirs.includes(i));
      const withPrevious = mine.filter((i) => links[last - 1].includes(i));
      const set = a !== last ? common : b === last ? withPrevious : mine;
      for (const i of set) {
        const other = theirs.indexOf(i);
        // B_b^i of a system that b does not link is zero.
        if (other < 0) continue;
        const block = multiply(C[a][mine.indexOf(i)], solveMany(W[i], B[b][other]));
        block.forEach((line, r) => line.forEach((x, c) => (result[rows[a] + r][rows[b] + c] += h * x)));
      }
    });
  });
  return result;
}

describe('mutants that the comparison must catch', () => {
  it('the printed (2.14), index sets of its last row exchanged', () => {
    const concerned = problems.filter(
      ({ links }) => links.length > 1 && links.at(-1)!.some((i) => !links.at(-2)!.includes(i)),
    );
    expect(concerned.length).toBeGreaterThan(80);
    for (const problem of concerned)
      expect(distance(printed(problem), byBlocks(problem))).toBeGreaterThan(1e-5);
  });

  it('the printed (2.14) only in its last row: elsewhere it is right', () => {
    for (const problem of problems.filter(({ links }) => links.length > 1)) {
      const rows = denseMatrix(problem).length - problem.D.at(-1)!.length;
      expect(distance(printed(problem).slice(0, rows), byBlocks(problem).slice(0, rows))).toBeLessThan(EXACT);
    }
  });

  it('CWB alone, as §2.3.3 prints it', () => {
    for (const problem of problems) {
      const { W, C, B } = whole(problem);
      const mutant = multiply(C, solveMany(W, B));
      expect(distance(mutant, byProduct(problem))).toBeGreaterThan(0.01);
    }
  });

  it('hCWB without D, and D + CWB without h', () => {
    for (const problem of problems) {
      const { D } = whole(problem);
      const without = combine([1, denseMatrix(problem)], [-1, D]);
      expect(distance(without, byProduct(problem))).toBeGreaterThan(0.01);
      expect(distance(denseMatrix(problem, 1), byProduct(problem))).toBeGreaterThan(0.01);
    }
  });
});

describe('the worked example of the Siconos developer’s notes §2.1.2', () => {
  // I_μ links DS1 and DS3 with 3 rows, I_θ links DS2 and DS3 with 1.
  const random = seeded(22);
  const sizes = [2, 3, 2];
  const h = 0.05;
  const W = sizes.map((n) => combine([1, identity(n)], [-h, randomMatrix(random, n, n)]));
  const block = (rows: number, columns: number): Matrix => randomMatrix(random, rows, columns);
  const [C11, C13, C22, C23] = [block(3, 2), block(3, 2), block(1, 3), block(1, 2)];
  const [B11, B31, B22, B32] = [block(2, 3), block(2, 3), block(3, 1), block(2, 1)];
  const [D1, D2] = [block(3, 3), block(1, 1)];
  const problem: Problem = {
    h,
    W,
    links: [
      [0, 2],
      [1, 2],
    ],
    C: [
      [C11, C13],
      [C22, C23],
    ],
    B: [
      [B11, B31],
      [B22, B32],
    ],
    D: [D1, D2],
  };

  it('has the 4 × 4 matrix (2.22)', () => {
    const term = (C: Matrix, i: number, B: Matrix): Matrix => multiply(C, solveMany(W[i], B));
    const diagonalMu = combine([1, D1], [h, term(C11, 0, B11)], [h, term(C13, 2, B31)]);
    const diagonalTheta = combine([1, D2], [h, term(C22, 1, B22)], [h, term(C23, 2, B32)]);
    const upper = combine([h, term(C13, 2, B32)]);
    const lower = combine([h, term(C23, 2, B31)]);
    const expected = [
      ...diagonalMu.map((row, i) => [...row, ...upper[i]]),
      ...lower.map((row, i) => [...row, ...diagonalTheta[i]]),
    ];
    expect(expected).toHaveLength(4);
    expect(distance(byBlocks(problem), expected)).toBeLessThan(EXACT);
    expect(distance(byProduct(problem), expected)).toBeLessThan(EXACT);
  });
});

/** Lagrangian systems with W_i = M + hθC + h²θ²K, relations y = H q. */
function lagrangianProblem(random: Random, theta: number): Problem {
  const first = randomProblem(random);
  const { h } = first;
  const W = first.W.map(({ length: n }) =>
    combine(
      [1, randomGram(random, n, n, 0.5)],
      [h * theta, randomGram(random, n, n, 0)],
      [h * h * theta * theta, randomGram(random, n, n, 0)],
    ),
  );
  const D = first.D.map(({ length: m }) => zeros(m, m));
  return { ...first, W, B: first.C.map((blocks) => blocks.map(transpose)), D };
}

describe('Lagrangian systems', () => {
  const lagrangian = Array.from({ length: 100 }, (_, k) => lagrangianProblem(seeded(900 + k), 0.5));

  it('have the operator H (M + hθC + h²θ²K)⁻¹ ᵗH, with impulses as unknowns', () => {
    for (const problem of lagrangian) {
      const matrix = denseMatrix(problem, 1);
      expect(distance(byBlocks(problem, 1), matrix)).toBeLessThan(EXACT);
      expect(distance(byProduct(problem, 1), matrix)).toBeLessThan(EXACT);
      expect(distance(matrix, transpose(matrix))).toBeLessThan(EXACT);
    }
  });

  it('move alike whether λ is an impulse (no h before W) or a force (one h)', () => {
    const random = seeded(8);
    let pushed = 0;
    for (const problem of lagrangian) {
      const free = problem.W.map((w) => w.map(() => random.uniform(-1, 1)));
      const q = [
        ...freeOutput(
          interactionsOf(problem),
          free.map((v) => Float64Array.from(v)),
        ),
      ];
      if (q.length > 8) continue;
      const velocity = (gamma: number): number[] | null => {
        const [lambda] = enumerateLcp(byBlocks(problem, gamma), q, 1);
        if (lambda === undefined) return null;
        if (lambda.some((x) => x > 0)) pushed++;
        const { W, B } = whole(problem);
        const response = solve(W, times(B, lambda));
        return free.flat().map((v, i) => v + gamma * response[i]);
      };
      const asImpulse = velocity(1);
      const asForce = velocity(problem.h);
      // Opposed rows may have no solution; then in neither convention.
      expect(asForce === null).toBe(asImpulse === null);
      if (asImpulse === null || asForce === null) continue;
      const scale = Math.max(1, ...asImpulse.map(Math.abs));
      asImpulse.forEach((v, i) => expect(Math.abs(v - asForce[i]) / scale).toBeLessThan(1e-8));
    }
    expect(pushed).toBeGreaterThan(50);
  });

  it('two beads and a floor: the hand computation', () => {
    // Masses 2 and 3; the floor under the first, the contact between: W = H M⁻¹ ᵗH.
    const problem: Problem = {
      h: 1e-2,
      W: [[[2]], [[3]]],
      links: [[0], [0, 1]],
      C: [[[[1]]], [[[-1]], [[1]]]],
      B: [[[[1]]], [[[-1]], [[1]]]],
      D: [[[0]], [[0]]],
    };
    const expected = [
      [1 / 2, -1 / 2],
      [-1 / 2, 1 / 2 + 1 / 3],
    ];
    expect(distance(byBlocks(problem, 1), expected)).toBeLessThan(1e-15);
    expect(distance(byProduct(problem, 1), expected)).toBeLessThan(1e-15);
    // Both fall with 1 m/s: the floor takes the momentum 5, the contact 3.
    const q = freeOutput(interactionsOf(problem), [Float64Array.of(-1), Float64Array.of(-1)]);
    expect([...q]).toEqual([-1, 0]);
    const impulses = solve(byBlocks(problem, 1), [...q]).map((p) => -p);
    expect(impulses[0]).toBeCloseTo(5, 12);
    expect(impulses[1]).toBeCloseTo(3, 12);
  });
});

describe('an iteration matrix that is singular', () => {
  it('is reported with its system, in both ways', () => {
    const problem = randomProblem(seeded(4));
    const W = [
      [[1]],
      [
        [1, 2],
        [2, 4],
      ],
    ];
    const links = [[0, 1]];
    const singular: Problem = {
      ...problem,
      W,
      links,
      C: [[[[1]], [[1, 0]]]],
      B: [[[[1]], [[1], [0]]]],
      D: [[[0]]],
    };
    for (const assemble of [assembleByBlocks, assembleByProduct])
      expect(assemble(systemsOf(singular), interactionsOf(singular), 1)).toEqual({
        status: 'singular',
        system: 1,
      });
  });
});
