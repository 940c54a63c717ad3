/** Eigenvalues against matrices built from known ones, and against what determines them. */
import { eigenvalues } from '@engine/linalg/eigenvalues';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const sorted = (real: ArrayLike<number>, imaginary: ArrayLike<number>): [number, number][] =>
  Array.from({ length: real.length }, (_, k): [number, number] => [real[k], imaginary[k]]).sort(
    (a, b) => a[0] - b[0] || a[1] - b[1],
  );

/** |det(A − z)| by elimination over complex numbers, relative to the product of its column sums. */
function residual(matrix: Float64Array, n: number, z: readonly [number, number]): number {
  const re = matrix.slice();
  const im = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    re[i * n + i] -= z[0];
    im[i * n + i] -= z[1];
  }
  let smallest = Infinity;
  let largest = 0;
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k; i < n; i++)
      if (Math.hypot(re[i * n + k], im[i * n + k]) > Math.hypot(re[pivot * n + k], im[pivot * n + k]))
        pivot = i;
    for (let j = 0; j < n; j++) {
      [re[k * n + j], re[pivot * n + j]] = [re[pivot * n + j], re[k * n + j]];
      [im[k * n + j], im[pivot * n + j]] = [im[pivot * n + j], im[k * n + j]];
    }
    const [a, b] = [re[k * n + k], im[k * n + k]];
    const size = a * a + b * b;
    smallest = Math.min(smallest, Math.sqrt(size));
    largest = Math.max(largest, Math.sqrt(size));
    if (size === 0) return 0;
    for (let i = k + 1; i < n; i++) {
      const [c, d] = [re[i * n + k], im[i * n + k]];
      const [f, g] = [(c * a + d * b) / size, (d * a - c * b) / size];
      for (let j = k; j < n; j++) {
        const [x, y] = [re[k * n + j], im[k * n + j]];
        re[i * n + j] -= f * x - g * y;
        im[i * n + j] -= f * y + g * x;
      }
    }
  }
  return smallest / Math.max(largest, 1);
}

describe('eigenvalues of a real matrix', () => {
  it('make A − z singular, and sum and multiply to trace and determinant, in 2000 random cases', () => {
    fc.assert(
      fc.property(
        fc
          .integer({ min: 1, max: 9 })
          .chain((n) =>
            fc.tuple(
              fc.constant(n),
              fc.array(fc.double({ min: -10, max: 10, noNaN: true }), { minLength: n * n, maxLength: n * n }),
            ),
          ),
        ([n, entries]) => {
          const matrix = Float64Array.from(entries, (value) => Math.round(value * 64) / 64);
          const { real, imaginary, isComplete } = eigenvalues(matrix, n);
          expect(isComplete).toBe(true);
          let trace = 0;
          for (let i = 0; i < n; i++) trace += matrix[i * n + i];
          expect(Math.abs(real.reduce((sum, value) => sum + value, 0) - trace)).toBeLessThan(1e-9);
          expect(Math.abs(imaginary.reduce((sum, value) => sum + value, 0))).toBeLessThan(1e-9);
          // A defective eigenvalue of multiplicity m is known to the m-th root of rounding.
          for (let k = 0; k < n; k++) expect(residual(matrix, n, [real[k], imaginary[k]])).toBeLessThan(1e-4);
        },
      ),
      { numRuns: 2000, seed: 7 },
    );
  });

  it.each([
    [
      'a rotation and a contraction',
      [0, -2, 0, 2, 0, 0, 0, 0, 0.5],
      [
        [0, -2],
        [0, 2],
        [0.5, 0],
      ],
    ],
    [
      'a companion of (x − 1)(x − 2)(x − 3)(x − 4)',
      [10, -35, 50, -24, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0],
      [
        [1, 0],
        [2, 0],
        [3, 0],
        [4, 0],
      ],
    ],
    [
      'a cycle of four',
      [0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0],
      [
        [-1, 0],
        [0, -1],
        [0, 1],
        [1, 0],
      ],
    ],
    [
      'nothing',
      [0, 0, 0, 0],
      [
        [0, 0],
        [0, 0],
      ],
    ],
    [
      'units that differ by 10¹²',
      [1, 1e12, 1e-12, 3],
      [
        [2 - Math.SQRT2, 0],
        [2 + Math.SQRT2, 0],
      ],
    ],
  ] as const)('are those of %s', (_name, entries, expected) => {
    const n = Math.sqrt(entries.length);
    const { real, imaginary } = eigenvalues(Float64Array.from(entries), n);
    sorted(
      real.map((x) => (Math.abs(x) < 1e-13 ? 0 : x)),
      imaginary,
    ).forEach(([re, im], k) => {
      expect(Math.abs(re - expected[k][0])).toBeLessThan(1e-11);
      expect(Math.abs(im - expected[k][1])).toBeLessThan(1e-11);
    });
  });

  it('of a matrix that is not finite are none', () => {
    expect(eigenvalues(Float64Array.of(1, NaN, 0, 1), 2).isComplete).toBe(false);
  });
});
