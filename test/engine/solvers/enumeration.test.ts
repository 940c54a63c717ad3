/** Enumeration: all solutions, continua, limits. Comparison on random problems is in `agreement.test.ts`. */
import { describe, expect, it } from 'vitest';
import type { AffineVariationalInequality } from '@engine/problems/avi';
import { enumerateSolutions } from '@engine/solvers/pivoting/enumeration';
import { AT_LOWER, BETWEEN } from '@engine/solvers/scaling';
import { identity } from '../support/dense';
import { seeded } from '../support/random';
import { spd } from './support/families';
import { solveWith, toProblem } from './support/solve';

const INF = Number.POSITIVE_INFINITY;

const lcp = (W: number[][], q: number[]): AffineVariationalInequality =>
  toProblem({ W, q, lower: q.map(() => 0), upper: q.map(() => INF) });

const points = (problem: AffineVariationalInequality): number[][] =>
  enumerateSolutions(problem).solutions.map(({ z }) => [...z]);

describe('enumeration', () => {
  it('finds the 2ⁿ solutions of w = q − z with q > 0', () => {
    const W = identity(4).map((row) => row.map((x) => -x));
    const found = points(lcp(W, [1, 2, 3, 4]));
    expect(found).toHaveLength(16);
    for (const z of found) z.forEach((x, i) => expect([0, i + 1]).toContain(x));
    expect(new Set(found.map(String)).size).toBe(16);
  });

  it('finds the three solutions of two rows that hinder each other', () => {
    // w₁ = z₁ + 2 z₂ − 1, w₂ = 2 z₁ + z₂ − 1: either one of them, or both alike.
    const found = points(
      lcp(
        [
          [1, 2],
          [2, 1],
        ],
        [-1, -1],
      ),
    );
    expect(found).toHaveLength(3);
    expect(found).toContainEqual([1, 0]);
    expect(found).toContainEqual([0, 1]);
    const both = found.find(([a, b]) => a > 0 && b > 0) ?? [];
    expect(both[0]).toBeCloseTo(1 / 3, 14);
    expect(both[1]).toBeCloseTo(1 / 3, 14);
  });

  it('finds the three positions of a relay with a negative slope', () => {
    // w = −2 z + 0.5 on [−1, 1]: w > 0 at −1, w < 0 at +1, w = 0 at 0.25.
    const relay = toProblem({ W: [[-2]], q: [0.5], lower: [-1], upper: [1] });
    expect(points(relay).sort(([a], [b]) => a - b)).toEqual([[-1], [0.25], [1]]);
  });

  it('takes y > 0 for λ at its lower bound', () => {
    expect(points(toProblem({ W: [[1]], q: [5], lower: [-1], upper: [1] }))).toEqual([[-1]]);
    expect(points(toProblem({ W: [[1]], q: [-5], lower: [-1], upper: [1] }))).toEqual([[1]]);
  });

  it('returns one point of a continuum and says so', () => {
    // Two contacts that are the same share an impulse in any way.
    const twice = lcp(
      [
        [1, 1],
        [1, 1],
      ],
      [-1, -1],
    );
    const { solutions, hasContinuum, isExhaustive } = enumerateSolutions(twice);
    expect(hasContinuum).toBe(true);
    expect(isExhaustive).toBe(true);
    expect(solutions.length).toBeGreaterThan(0);
    for (const { z, isIsolated } of solutions) {
      expect(isIsolated).toBe(false);
      expect(z[0] + z[1]).toBeCloseTo(1, 12);
    }
  });

  it('tells an isolated solution from a continuum beside it', () => {
    // Row 3 is w = 1 − z: 0 and 1. The first two rows are a continuum for either.
    const { solutions, hasContinuum } = enumerateSolutions(
      lcp(
        [
          [0, 0, 0],
          [0, 1, 0],
          [0, 0, -1],
        ],
        [1, -1, 1],
      ),
    );
    expect(hasContinuum).toBe(false);
    expect(solutions.map(({ z }) => [...z])).toEqual([
      [0, 1, 0],
      [0, 1, 1],
    ]);
    const free = enumerateSolutions(lcp([[0]], [0]));
    expect(free.hasContinuum).toBe(true);
  });

  it('does not take a singular face that its bounds cut down to a point for a continuum', () => {
    // w = 0 for every z: all of [0, 0.5] if it is free to move; with z₂ ≥ 1 − z₁ pressing only z₁ = 1 is
    // left.
    const problem = toProblem({
      W: [
        [0, 0],
        [1, 0],
      ],
      q: [0, -1],
      lower: [0, 0],
      upper: [1, INF],
    });
    const { solutions } = enumerateSolutions(problem);
    expect(solutions.map(({ z }) => z[0])).toContain(1);
    for (const { z } of solutions) expect(z[0]).toBe(1);
  });

  it('reports the face of a solution', () => {
    const [{ states }] = enumerateSolutions(lcp(identity(2), [-1, 1])).solutions;
    expect([...states]).toEqual([BETWEEN, AT_LOWER]);
  });

  it('stops at its limits and says that it did', () => {
    const W = identity(6).map((row) => row.map((x) => -x));
    const q = [1, 1, 1, 1, 1, 1];
    const few = enumerateSolutions(lcp(W, q), { maxSolutions: 5 });
    expect(few.solutions).toHaveLength(5);
    expect(few.isExhaustive).toBe(false);
    const cut = enumerateSolutions(lcp(W, q), { maxNodes: 20 });
    expect(cut.isExhaustive).toBe(false);
    expect(cut.nodes).toBeLessThanOrEqual(21);
    const large = lcp(identity(49), new Array<number>(49).fill(-1));
    expect(enumerateSolutions(large)).toMatchObject({ solutions: [], isExhaustive: false });
  });

  it('prunes: a definite problem of 20 rows needs a small part of its 2²¹ nodes', () => {
    const random = seeded(3);
    const problem = lcp(
      spd(random, 20),
      Array.from({ length: 20 }, () => random.uniform(-1, 1)),
    );
    const { solutions, isExhaustive, nodes } = enumerateSolutions(problem);
    expect(isExhaustive).toBe(true);
    expect(solutions).toHaveLength(1);
    expect(nodes).toBeLessThan(2 ** 19);
  });

  it('as a solver says noSolution when every combination is ruled out', () => {
    const problem = { W: [[-1]], q: [-1], lower: [0], upper: [INF] };
    expect(solveWith('Enumeration', problem).status).toBe('noSolution');
    expect(solveWith('Enumeration', problem, { settings: { maxIterations: 1 } }).status).toBe(
      'maxIterations',
    );
  });
});
