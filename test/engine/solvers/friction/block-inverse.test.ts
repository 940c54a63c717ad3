/** Inverses of graded blocks: eigenvalues of any magnitude, and only zero is singular. */
import { describe, expect, it } from 'vitest';
import { invertGradedBlock } from '@engine/linalg/small-blocks';
import { seeded } from '../../support/random';

describe.each([2, 3])('a block of %i rows', (size) => {
  const s = size * size;

  it('times its inverse is the identity', () => {
    const random = seeded(70 + size);
    for (let trial = 0; trial < 50; trial++) {
      const a = Float64Array.from({ length: s + 1 }, () => random.uniform(-1, 1));
      const b = new Float64Array(s + 2);
      expect(invertGradedBlock(size, a, 1, b, 2, new Float64Array(2 * s))).toBe(true);
      const largest = Math.max(...b.map(Math.abs));
      for (let i = 0; i < size; i++)
        for (let j = 0; j < size; j++) {
          let sum = i === j ? -1 : 0;
          for (let k = 0; k < size; k++) sum += a[1 + size * i + k] * b[2 + size * k + j];
          expect(Math.abs(sum)).toBeLessThan(1e-13 * (1 + largest));
        }
    }
  });

  it('whose entries span forty magnitudes is regular', () => {
    const a = new Float64Array(s);
    for (let i = 0; i < size; i++) a[size * i + ((i + 1) % size)] = 10 ** (20 - 20 * i);
    const b = new Float64Array(s);
    expect(invertGradedBlock(size, a, 0, b, 0, new Float64Array(2 * s))).toBe(true);
    for (let i = 0; i < size; i++)
      expect(b[size * ((i + 1) % size) + i] * 10 ** (20 - 20 * i)).toBeCloseTo(1, 14);
  });

  it('of zeros, of dependent rows and of what is no number is refused', () => {
    const work = new Float64Array(2 * s);
    const b = new Float64Array(s);
    expect(invertGradedBlock(size, new Float64Array(s), 0, b, 0, work)).toBe(false);
    expect(invertGradedBlock(size, new Float64Array(s).fill(1), 0, b, 0, work)).toBe(false);
    expect(invertGradedBlock(size, new Float64Array(s).fill(Number.NaN), 0, b, 0, work)).toBe(false);
  });
});
