/** Sparse block factors against dense elimination, and the ordering that keeps them sparse. */
import { describe, expect, it } from 'vitest';
import { spherePile } from '@cli/bench/sphere-pile';
import { BlockLu, BlockLuPlan } from '@engine/linalg/block-lu';
import { sparseFromPattern } from '@engine/linalg/sparse';
import { minimumDegree } from '@engine/linalg/ordering';
import { seeded } from '../../support/random';
import { randomContacts } from './support/problems';

/** (D + B W) x for blocks D, B of the diagonal */
function multiply(
  problem: ReturnType<typeof spherePile>,
  D: Float64Array,
  B: Float64Array,
  x: Float64Array,
): Float64Array {
  const { W, dimension: d, count } = problem;
  const Wx = new Float64Array(d * count);
  const y = new Float64Array(d * count);
  for (let i = 0; i < count; i++) {
    for (let k = W.rowStart[i]; k < W.rowStart[i + 1]; k++) {
      for (let e = 0; e < d * d; e++) {
        Wx[d * i + Math.floor(e / d)] += W.values[d * d * k + e] * x[d * W.columns[k] + (e % d)];
      }
    }
  }
  for (let i = 0; i < count; i++) {
    for (let e = 0; e < d * d; e++) {
      const [row, column] = [d * i + Math.floor(e / d), d * i + (e % d)];
      y[row] += D[d * d * i + e] * x[column] + B[d * d * i + e] * Wx[column];
    }
  }
  return y;
}

describe('block LU', () => {
  it.each([
    ['a pile in space', spherePile(80)],
    ['full blocks in the plane', randomContacts(seeded(2), { dimension: 2, contacts: 7, rank: 9, mu: 0.2 })],
  ])('solves D + B W of %s', (_, problem) => {
    const random = seeded(9);
    const s = problem.dimension ** 2;
    const n = problem.dimension * problem.count;
    const B = Float64Array.from({ length: s * problem.count }, () => random.uniform(-0.2, 0.2));
    const D = Float64Array.from({ length: s * problem.count }, () => random.uniform(-0.2, 0.2));
    for (let c = 0; c < problem.count; c++) {
      for (let k = 0; k < problem.dimension; k++) {
        B[s * c + (problem.dimension + 1) * k] += 1;
        D[s * c + (problem.dimension + 1) * k] += 2;
      }
    }
    const x = Float64Array.from({ length: n }, () => random.uniform(-1, 1));
    const y = multiply(problem, D, B, x);
    const factors = new BlockLu();
    expect(factors.factor(problem.W, D, B)).toBe(true);
    factors.solve(y);
    y.forEach((value, i) => expect(value).toBeCloseTo(x[i], 9));
  });

  it('plans again for another pattern', () => {
    const one = spherePile(20);
    const other = spherePile(21);
    const plan = new BlockLuPlan(one.W);
    expect(plan.fits(one.W)).toBe(true);
    expect(plan.fits(other.W)).toBe(false);
    one.W.columns[1] = 19;
    expect(plan.fits(one.W)).toBe(false);
  });

  it('fails on what is not a number', () => {
    const problem = spherePile(5);
    const ones = new Float64Array(45).fill(Number.NaN);
    expect(new BlockLu().factor(problem.W, ones, ones)).toBe(false);
  });
});

describe('minimum degree', () => {
  it('orders all rows once', () => {
    const { W } = spherePile(200);
    const order = new BlockLuPlan(W).order;
    expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, i) => i));
  });

  it('leaves a chain and a star without fill', () => {
    // Row 0 is coupled to all others: eliminated first it would couple them all.
    const star = Array.from({ length: 9 }, (_, i) => (i === 0 ? [1, 2, 3, 4, 5, 6, 7, 8] : [0]));
    const order = [...minimumDegree(sparseFromPattern(star))];
    expect(order.indexOf(0)).toBeGreaterThanOrEqual(7);
  });

  it('fills a grid of contacts less than their natural order, layer by layer', () => {
    const { W } = spherePile(400);
    // Fill of the natural order by symbolic elimination.
    const rows = Array.from({ length: 400 }, () => new Set<number>());
    for (let i = 0; i < 400; i++) {
      for (let k = W.rowStart[i]; k < W.rowStart[i + 1]; k++) if (W.columns[k] > i) rows[i].add(W.columns[k]);
    }
    let fill = 0;
    for (let i = 0; i < 400; i++) {
      fill += rows[i].size;
      const first = Math.min(...rows[i]);
      if (!Number.isFinite(first)) continue;
      for (const j of rows[i]) if (j > first) rows[first].add(j);
    }
    expect(new BlockLuPlan(W).upperColumns.length).toBeLessThan(fill);
  });
});
