/** Matrix exponentials with closed forms. */
import { describe, expect, it } from 'vitest';
import { expm } from '@engine/linalg/expm';
import { flat, type Matrix, multiply, randomMatrix } from './support/dense';
import { seeded } from './support/random';

const exponential = (a: Matrix): number[] => [...expm(flat(a), a.length)];

describe('the matrix exponential', () => {
  it('of a rotation is the rotation', () => {
    for (const angle of [0.1, 3, 40]) {
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      const found = exponential([
        [0, -angle],
        [angle, 0],
      ]);
      [c, -s, s, c].forEach((value, k) => {
        expect(found[k]).toBeCloseTo(value, 12);
      });
    }
  });

  it('of a nilpotent matrix is a polynomial', () => {
    const found = exponential([
      [0, 2, 3],
      [0, 0, 4],
      [0, 0, 0],
    ]);
    [1, 2, 7, 0, 1, 4, 0, 0, 1].forEach((value, k) => {
      expect(found[k]).toBeCloseTo(value, 14);
    });
  });

  it('of a stiff diagonal keeps its small entries', () => {
    const found = exponential([
      [-50, 0],
      [0, 0.001],
    ]);
    expect(found[0] / Math.exp(-50)).toBeCloseTo(1, 11);
    expect(found[3]).toBeCloseTo(Math.exp(0.001), 14);
  });

  it('of 2A is the square of that of A', () => {
    const random = seeded(8);
    for (let k = 0; k < 20; k++) {
      const n = random.integer(1, 6);
      const a = randomMatrix(random, n, n).map((row) => row.map((x) => 3 * x));
      const half = expm(flat(a), n);
      const rows = Array.from({ length: n }, (_, i) => [...half.subarray(i * n, (i + 1) * n)]);
      const square = multiply(rows, rows).flat();
      const scale = Math.max(...square.map(Math.abs));
      exponential(a.map((row) => row.map((x) => 2 * x))).forEach((value, i) => {
        expect(Math.abs(value - square[i]) / scale).toBeLessThan(1e-12);
      });
    }
  });

  it('of what is not finite, or has no finite norm, is no number', () => {
    for (const entry of [Infinity, NaN, 1e308]) {
      const row = [entry, entry];
      expect(exponential([row, row])).toEqual([NaN, NaN, NaN, NaN]);
    }
  });

  it('of zero is the identity', () => {
    expect(exponential([[0]])).toEqual([1]);
  });
});
