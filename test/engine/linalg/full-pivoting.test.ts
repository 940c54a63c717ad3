/** Gaussian elimination with full pivoting: the worked examples and tables of S2, and random matrices. */
import { describe, expect, it } from 'vitest';
import { FullPivoting, type LastRow } from '@engine/linalg/full-pivoting';
import { SingularValues } from '@engine/linalg/singular-values';
import { flat, type Matrix, randomMatrix, solve, times } from '../support/dense';
import { seeded } from '../support/random';
import * as printed from '../multibody/support/web-cutter-tables';

const oneBased = (order: Int32Array): number[] => [...order].map((k) => k + 1);

function eliminate(matrix: Matrix, right: readonly number[], lastRow: LastRow): FullPivoting {
  const elimination = new FullPivoting(matrix.length, matrix[0].length);
  expect(elimination.eliminate(flat(matrix), Float64Array.from(right), lastRow)).toBe('ok');
  return elimination;
}

/** Largest difference of flat arrays. */
const distance = (x: ArrayLike<number>, y: ArrayLike<number>): number => {
  expect(x).toHaveLength(y.length);
  return Math.max(...Array.from(x, (value, i) => Math.abs(value - y[i])));
};

describe('the 3 × 3 example of the notes', () => {
  const a = [
    [4, 2, -2],
    [1, 3, 4],
    [2, 1, 5],
  ];
  const b = [6, -1, 2];

  it.each(['asPrinted', 'full'] as const)('has the printed solution and order (%s)', (lastRow) => {
    const elimination = eliminate(a, b, lastRow);
    const x = new Float64Array(3);
    elimination.backSubstitute(x);
    expect(distance(x, [53 / 30, -0.7, -1 / 6])).toBeLessThan(1e-15);
    expect(oneBased(elimination.columnOrder)).toEqual([3, 1, 2]);
    // Rows 1 and 3 are exchanged at the first pivot; at the second 2 and 3, where the text says 1 and 3.
    expect(oneBased(elimination.rowOrder)).toEqual([3, 1, 2]);
  });
});

describe('the web cutter of S2', () => {
  const reduced = printed.JACOBIAN.slice(0, 8);
  const reducedGamma = printed.GAMMA.slice(0, 8);

  it('has the printed 9 × 9 tables', () => {
    const elimination = eliminate(printed.JACOBIAN, printed.GAMMA, 'asPrinted');
    expect(distance(elimination.a, printed.FULL_A.flat())).toBeLessThan(5e-5);
    expect(distance(elimination.b, printed.FULL_B)).toBeLessThan(5e-5);
    expect(oneBased(elimination.columnOrder)).toEqual([9, 6, 3, 7, 1, 5, 8, 2, 4]);
    const accelerations = new Float64Array(9);
    elimination.backSubstitute(accelerations);
    expect(distance(accelerations, printed.ACCELERATIONS)).toBeLessThan(5e-5);
  });

  it('has the printed 8 × 9 tables when the last row is only normalised', () => {
    const elimination = eliminate(reduced, reducedGamma, 'asPrinted');
    expect(distance(elimination.a, printed.REDUCED_A.flat())).toBeLessThan(5e-5);
    // printed in thousands
    expect(
      distance(
        elimination.b.map((x) => x / 1000),
        printed.REDUCED_B,
      ),
    ).toBeLessThan(5e-5);
    expect(oneBased(elimination.columnOrder)).toEqual([9, 6, 3, 7, 1, 5, 8, 4, 2]);
  });

  it('leaves coordinate 4 independent when the last row is pivoted as well', () => {
    const elimination = eliminate(reduced, reducedGamma, 'full');
    expect(oneBased(elimination.columnOrder)).toEqual([9, 6, 3, 7, 1, 5, 8, 2, 4]);
    expect(elimination.a[7 * 9 + 8]).toBeCloseTo(0.0623, 4);
    expect(elimination.b[7]).toBeCloseTo(-87.9252, 4);
  });

  it('has a dependent block of condition 379.7 as printed and 34.2 with full pivoting, the best of all nine', () => {
    const conditions = Array.from({ length: 9 }, (_, independent) => {
      const dependent = Int32Array.from([...Array(9).keys()].filter((k) => k !== independent));
      const values = new SingularValues(72);
      values.measure(flat(reduced), 8, 9, dependent);
      return values.extremes[0] / values.extremes[1];
    });
    const independent = (lastRow: LastRow): number =>
      eliminate(reduced, reducedGamma, lastRow).columnOrder[8];
    expect(conditions[independent('asPrinted')]).toBeCloseTo(379.7, 1);
    expect(conditions[independent('full')]).toBeCloseTo(34.2, 1);
    expect(Math.min(...conditions)).toBe(conditions[independent('full')]);
  });
});

describe('random matrices', () => {
  it('are solved as the dense elimination solves them', () => {
    const random = seeded(1);
    for (let k = 0; k < 100; k++) {
      const n = random.integer(1, 12);
      const a = randomMatrix(random, n, n);
      const b = Array.from({ length: n }, () => random.uniform(-1, 1));
      const elimination = eliminate(a, b, 'full');
      const x = new Float64Array(n);
      elimination.backSubstitute(x);
      const reference = solve(a, b);
      expect(distance(x, reference)).toBeLessThan(1e-10 * Math.max(1, ...reference.map(Math.abs)));
    }
  });

  it('of fewer rows give the dependent unknowns for any values of the independent ones', () => {
    const random = seeded(2);
    for (let k = 0; k < 100; k++) {
      const rows = random.integer(1, 8);
      const columns = rows + random.integer(1, 5);
      const a = randomMatrix(random, rows, columns);
      const b = Array.from({ length: rows }, () => random.uniform(-1, 1));
      for (const lastRow of ['asPrinted', 'full'] as const) {
        const elimination = eliminate(a, b, lastRow);
        const x = Float64Array.from({ length: columns }, () => random.uniform(-1, 1));
        const given = x.slice();
        elimination.backSubstitute(x);
        const size = Math.max(1, ...x.map(Math.abs));
        expect(distance(times(a, [...x]), b)).toBeLessThan(1e-13 * size);
        for (const i of elimination.columnOrder.subarray(rows)) expect(x[i]).toBe(given[i]);
        // Unit upper triangle, and with every row pivoted nothing above 1 right of the diagonal.
        for (let i = 0; i < rows; i++) {
          for (let j = 0; j < columns; j++) {
            const entry = Math.abs(elimination.a[i * columns + j]);
            if (j <= i) expect(entry).toBe(j === i ? 1 : 0);
            else if (lastRow === 'full') expect(entry).toBeLessThanOrEqual(1);
          }
        }
      }
    }
  });

  it('of equal entries are pivoted in the order of columns, then rows', () => {
    const elimination = eliminate(
      [
        [1, -2, 2],
        [0, 2, 1],
      ],
      [0, 0],
      'full',
    );
    expect([...elimination.columnOrder]).toEqual([1, 2, 0]);
    expect([...elimination.rowOrder]).toEqual([0, 1]);
  });
});

describe('what cannot be eliminated', () => {
  it('is singular, with its rank', () => {
    const elimination = new FullPivoting(3, 4);
    const a = flat([
      [1, 2, 3, 4],
      [2, 0, 1, 1],
      [3, 2, 4, 5],
    ]);
    expect(elimination.eliminate(a, null, 'full')).toBe('singular');
    expect(elimination.rank).toBe(2);
  });

  it('as printed is also a last row with a zero below its own pivot, where full pivoting finds another', () => {
    const a = flat([
      [2, 0, 0],
      [0, 0, 1],
    ]);
    const elimination = new FullPivoting(2, 3);
    expect(elimination.eliminate(a, null, 'asPrinted')).toBe('singular');
    expect(elimination.eliminate(a, null, 'full')).toBe('ok');
    expect([...elimination.columnOrder]).toEqual([0, 2, 1]);
  });

  it('is a matrix with NaN', () => {
    expect(new FullPivoting(1, 2).eliminate(Float64Array.of(1, Number.NaN), null, 'full')).toBe('notFinite');
  });
});

describe('singular values', () => {
  it('are those that a matrix was made with, however small', () => {
    // Reflections on both sides of a diagonal keep its entries as singular values.
    const random = seeded(3);
    for (let k = 0; k < 50; k++) {
      const rows = random.integer(1, 8);
      const columns = rows + random.integer(0, 4);
      const sigma = Array.from({ length: rows }, (_, i) => 10 ** -(i * random.uniform(0.5, 1)));
      const reflect = (n: number): Matrix => {
        const w = Array.from({ length: n }, () => random.uniform(-1, 1));
        const square = w.reduce((sum, x) => sum + x * x, 0);
        return w.map((x, i) => w.map((y, j) => (i === j ? 1 : 0) - (2 * x * y) / square));
      };
      const [left, right] = [reflect(rows), reflect(columns)];
      const a = left.map((row) =>
        right.map((_, j) => row.reduce((sum, x, i) => sum + x * sigma[i] * right[i][j], 0)),
      );
      const values = new SingularValues(rows * columns);
      values.measure(flat(a), rows, columns, null);
      expect(values.extremes[0] / Math.max(...sigma)).toBeCloseTo(1, 12);
      expect(values.extremes[1] / Math.min(...sigma)).toBeCloseTo(1, 6);
    }
  });

  it('of dependent columns are zero', () => {
    const values = new SingularValues(4);
    values.measure(Float64Array.of(1, 2, 2, 4), 2, 2, null);
    expect(values.extremes[0]).toBeCloseTo(5, 12);
    expect(values.extremes[1]).toBeLessThan(1e-15);
  });
});
