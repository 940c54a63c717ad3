/**
 * Factors of pivot blocks whose eigenvalues span many magnitudes, against products with what is known, and
 * against explicit inverses.
 */
import { describe, expect, it } from 'vitest';
import { invertGradedBlock } from '@engine/linalg/small-blocks';
import { divideLU, factorLU, solveLU } from '@engine/linalg/lu';
import { seeded } from '../support/random';

/** 1 + g g ᵗ for columns of size 1e6: stiff in three directions, soft in the others. */
function stiff(size: number, seed: number): { a: Float64Array; g: number[][] } {
  const random = seeded(seed);
  const g = Array.from({ length: 3 }, () => Array.from({ length: size }, () => 1e6 * random.uniform(-1, 1)));
  const a = new Float64Array(size * size);
  for (let i = 0; i < size; i++)
    for (let j = 0; j < size; j++)
      a[size * i + j] = g.reduce((sum, column) => sum + column[i] * column[j], i === j ? 1 : 0);
  return { a, g };
}

describe.each([2, 3, 6])('a graded block of %i rows', (size) => {
  const random = seeded(70 + size);
  const regular = Float64Array.from(
    { length: size * size },
    (_, k) => random.uniform(-1, 1) + (k % (size + 1) === 0 ? 0.1 : 0),
  );
  const factors = regular.slice();
  const order = new Int32Array(size);
  const isFactored = factorLU(factors, 0, size, order, 0, 0);

  it('is divided by from the left', () => {
    expect(isFactored).toBe(true);
    const x = Float64Array.from({ length: size }, () => random.uniform(-1, 1));
    const y = x.map((_, i) => x.reduce((sum, value, j) => sum + regular[size * i + j] * value, 0));
    solveLU(factors, 0, size, order, 0, y, 0);
    y.forEach((value, i) => expect(value).toBeCloseTo(x[i], 10));
  });

  it('is divided by from the right', () => {
    const b = Float64Array.from({ length: size * size }, () => random.uniform(-1, 1));
    const product = b.map((_, k) => {
      let sum = 0;
      for (let j = 0; j < size; j++) sum += b[k - (k % size) + j] * regular[size * j + (k % size)];
      return sum;
    });
    divideLU(factors, 0, size, order, 0, product, 0);
    product.forEach((value, k) => expect(value).toBeCloseTo(b[k], 10));
  });

  it('is refused where a pivot is zero or not a number', () => {
    expect(factorLU(new Float64Array(size * size), 0, size, order, 0, 0)).toBe(false);
    expect(factorLU(new Float64Array(size * size).fill(Number.NaN), 0, size, order, 0, 0)).toBe(false);
  });
});

describe('a block that is stiff in three of six directions', () => {
  it('keeps what an explicit inverse loses: C A⁻¹ C for C as stiff as A', () => {
    const worst = [0, 0];
    for (let seed = 1; seed <= 20; seed++) {
      const { a, g } = stiff(6, seed);
      const order = new Int32Array(6);
      const factors = a.slice();
      expect(factorLU(factors, 0, 6, order, 0, 0)).toBe(true);
      const inverse = new Float64Array(36);
      expect(invertGradedBlock(6, a, 0, inverse, 0, new Float64Array(72))).toBe(true);
      // ᵗg A⁻¹ g < 1 for each column, and close to it.
      for (const column of g) {
        const x = Float64Array.from(column);
        solveLU(factors, 0, 6, order, 0, x, 0);
        const dot = (y: ArrayLike<number>): number => column.reduce((sum, value, i) => sum + value * y[i], 0);
        const y = column.map((_, i) => column.reduce((sum, value, j) => sum + inverse[6 * i + j] * value, 0));
        worst[0] = Math.max(worst[0], Math.abs(dot(x) - 1));
        worst[1] = Math.max(worst[1], Math.abs(dot(y) - 1));
      }
    }
    expect(worst[0]).toBeLessThan(1e-2);
    expect(worst[1]).toBeGreaterThan(10 * worst[0]);
  });
});
