/** Problems that do not couple, in one: each is solved as if the others were not there. */
import { describe, expect, it } from 'vitest';
import { bodyPile } from '@cli/bench/body-piles';
import { rollingPile } from '@cli/bench/rolling-pile';
import { type ContactFactors, FREEDOMS, FrictionContactProblem } from '@engine/problems/friction-contact';
import { AutomaticFriction } from '@engine/solvers/friction/automatic';
import { NonsmoothGaussSeidel } from '@engine/solvers/friction/gauss-seidel/nsgs';
import { ByIslands } from '@engine/solvers/friction/islands';
import { createSolverResult } from '@engine/solvers/solver';
import { allowed, violation } from './support/problems';

const TOLERANCE = 1e-8;
const automatic = (): ByIslands => new ByIslands(() => new AutomaticFriction());

/** Problems side by side, their contacts shuffled together like cards; `rows[p]` are those of problem p. */
function together(problems: readonly FrictionContactProblem[]): {
  problem: FrictionContactProblem;
  rows: number[][];
} {
  const count = problems.reduce((sum, one) => sum + one.count, 0);
  const rows: number[][] = problems.map(() => []);
  const order: { p: number; c: number }[] = [];
  for (let c = 0; order.length < count; c++)
    problems.forEach((one, p) => {
      if (c >= one.count) return;
      rows[p].push(order.length);
      order.push({ p, c });
    });
  const blocks = problems.reduce((sum, { W, count: own }) => sum + W.rowStart[own], 0);
  const problem = new FrictionContactProblem(3, count, blocks);
  problem.count = problem.W.rows = count;
  problem.revision = 1;
  problem.isSymmetric = problems.every(({ isSymmetric }) => isSymmetric);
  const firsts: number[] = [];
  let columns = 0;
  for (const { factors } of problems) {
    if (factors?.form() !== true) throw new Error('bodies of piles are known');
    firsts.push(columns);
    columns += factors.columns;
  }
  const [rowStart, blockColumns, values, diagonal, pressedBy]: number[][] = [[0], [], [], [], []];
  let block = 0;
  order.forEach(({ p, c }, row) => {
    const { W, q, r, mu, factors } = problems[p];
    if (factors === null) return;
    problem.mu[row] = mu[c];
    problem.q.set(q.subarray(3 * c, 3 * c + 3), 3 * row);
    problem.r.set(r.subarray(3 * c, 3 * c + 3), 3 * row);
    for (let k = W.rowStart[c]; k < W.rowStart[c + 1]; k++, block++) {
      if (k === W.diagonal[c]) problem.W.diagonal[row] = block;
      problem.W.columns[block] = rows[p][W.columns[k]];
      problem.W.values.set(W.values.subarray(9 * k, 9 * k + 9), 9 * block);
    }
    problem.W.rowStart[row + 1] = block;
    for (let k = factors.rowStart[c]; k < factors.rowStart[c + 1]; k++) {
      blockColumns.push(firsts[p] + factors.blockColumns[k]);
      values.push(...factors.values.subarray(3 * FREEDOMS * k, 3 * FREEDOMS * (k + 1)));
    }
    rowStart.push(blockColumns.length);
    diagonal.push(...factors.diagonal.subarray(3 * c, 3 * c + 3));
    const presses = factors.pressedBy?.[c] ?? -1;
    pressedBy.push(presses < 0 ? -1 : rows[p][presses]);
  });
  const factors: ContactFactors = {
    columns,
    rowStart: Int32Array.from(rowStart),
    blockColumns: Int32Array.from(blockColumns),
    values: Float64Array.from(values),
    diagonal: Float64Array.from(diagonal),
    pressedBy: problem.isSymmetric ? null : Int32Array.from(pressedBy),
    scale: 1,
    form: () => true,
  };
  problem.factors = factors;
  return { problem, rows };
}

/** r of one of them. */
const own = ({ r }: FrictionContactProblem, rows: readonly number[]): number[] =>
  rows.flatMap((row) => [...r.subarray(3 * row, 3 * row + 3)]);

/** The problem of a pile of balls with rolling friction after some steps. */
function rolling(steps: number): FrictionContactProblem {
  const pile = rollingPile(0.1, 3, 2);
  for (let k = 0; k < steps; k++) expect(pile.advance()).toBe('ok');
  pile.problem.r.fill(0);
  return pile.problem;
}

const PILES = {
  stack: () => bodyPile('stack', 60, 0.5),
  wall: () => bodyPile('wall', 80, 0.4),
  blocks: () => bodyPile('blocks', 90, 0.6, 3),
  columns: () => bodyPile('columns', 50, 0.3),
  rolling: () => rolling(40),
};

describe('islands', () => {
  it.each([
    ['stack', 'wall'],
    ['stack', 'blocks'],
    ['columns', 'blocks', 'wall'],
    ['rolling', 'stack'],
    ['columns', 'rolling'],
  ] as const)('are solved together: %s, %s', (...names) => {
    const { problem, rows } = together(names.map((name) => PILES[name]()));
    const result = createSolverResult();
    automatic().solve(problem, TOLERANCE, result);
    expect(result.status).toBe('converged');
    expect(result.residual).toBeLessThanOrEqual(TOLERANCE);
    if (problem.isSymmetric) expect(violation(problem)).toBeLessThan(allowed(problem));
    // And to the same tolerance by themselves, however small beside the others.
    names.forEach((name, p) => {
      const alone = PILES[name]();
      alone.r.set(own(problem, rows[p]));
      expect(alone.certify()).toBeLessThanOrEqual(1.001 * TOLERANCE);
    });
  });

  it('know nothing of each other', () => {
    const solver = automatic();
    const reactions = [['stack', 'wall'] as const, ['stack', 'blocks'] as const].map((names) => {
      const { problem, rows } = together(names.map((name) => PILES[name]()));
      solver.solve(problem, TOLERANCE, createSolverResult());
      return own(problem, rows[0]);
    });
    expect(reactions[0]).toEqual(reactions[1]);
  });

  it('leave what is connected as it is', () => {
    const [one, other] = [PILES.wall(), PILES.wall()];
    const [whole, divided] = [createSolverResult(), createSolverResult()];
    new AutomaticFriction().solve(one, TOLERANCE, whole);
    automatic().solve(other, TOLERANCE, divided);
    expect([...other.r]).toEqual([...one.r]);
    expect(divided).toEqual(whole);
  });

  it('that are not solved are left to the whole, which says how far it came', () => {
    const { problem } = together([PILES.wall(), PILES.blocks()]);
    const result = createSolverResult();
    new ByIslands(() => new NonsmoothGaussSeidel({ maxIterations: 4, relaxation: 1, depth: 0 })).solve(
      problem,
      TOLERANCE,
      result,
    );
    expect(result.status).toBe('maxIterations');
    expect(result.residual).toBeGreaterThan(TOLERANCE);
  });

  it('of which one is hard say what was tried on it', () => {
    const hard = bodyPile('wall', 300, 0.5, 2);
    const { problem } = together([hard, PILES.columns()]);
    const solver = automatic();
    const result = createSolverResult();
    solver.solve(problem, TOLERANCE, result);
    expect(result.status).toBe('converged');
    expect(solver.attempts).toBeGreaterThan(1);
    expect(solver.reason).toContain(`${hard.count} of ${problem.count} contacts: NSGS`);
  });
});
