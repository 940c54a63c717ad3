/** Derivatives by differences, and the comparison of a Jacobian with the derived one. */
import { describe, expect, it } from 'vitest';
import {
  DIFFERENCE_TOLERANCE,
  RELATIVE_STEP,
  centralDifferences,
  compareJacobians,
  describeDifference,
} from '@engine/script/differentiate/finite-differences';

const force = (t: number, q: Float64Array, v: Float64Array, out: Float64Array, p: { k: number }): void => {
  out[0] += p.k * Math.sin(q[0]) * v[1] + t;
  out[1] += q[0] * q[1] * v[0];
};

describe('central differences', () => {
  const q = Float64Array.of(0.7, 300);
  const v = Float64Array.of(-2, 0.5);
  const p = { k: 3 };

  it('have the calling convention of a derivative, and compute the function too', () => {
    const jacobian = centralDifferences(force as never, {
      arguments: 5,
      argument: 1,
      shape: 'vector',
      result: 3,
    });
    const out = new Float64Array(2);
    const matrix = new Float64Array(4);
    jacobian(0.25, q, v, out, p, matrix);
    expect(matrix[0]).toBeCloseTo(3 * Math.cos(0.7) * 0.5, 8);
    expect(matrix[1]).toBe(0);
    expect(matrix[2]).toBeCloseTo(-600, 5);
    expect(matrix[3]).toBeCloseTo(-1.4, 8);
    const own = new Float64Array(2);
    force(0.25, q, v, own, p);
    expect([...out]).toEqual([...own]);
    expect([...q]).toEqual([0.7, 300]);
  });

  it('by time, of a function that returns a number', () => {
    const energy = (t: number, x: Float64Array): number => t ** 3 * x[0];
    const jacobian = centralDifferences(energy as never, {
      arguments: 2,
      argument: 0,
      shape: 'scalar',
      result: 'return',
    });
    const matrix = new Float64Array(1);
    jacobian(2, Float64Array.of(5), matrix);
    expect(matrix[0]).toBeCloseTo(60, 7);
  });

  it('of a function that spoils its argument', () => {
    const spoil = (x: Float64Array, out: Float64Array): void => {
      x[0] *= x[1];
      out[0] = x[0];
    };
    const jacobian = centralDifferences(spoil as never, {
      arguments: 2,
      argument: 0,
      shape: 'vector',
      result: 1,
    });
    const matrix = new Float64Array(2);
    jacobian(Float64Array.of(2, 3), new Float64Array(1), matrix);
    expect(matrix[0]).toBeCloseTo(3, 8);
    expect(matrix[1]).toBeCloseTo(2, 8);
  });

  it('have an error of the second order in the step', () => {
    const jacobian = centralDifferences(
      ((x: Float64Array, out: Float64Array) => {
        out[0] = Math.exp(x[0]);
      }) as never,
      { arguments: 2, argument: 0, shape: 'vector', result: 1 },
    );
    const matrix = new Float64Array(1);
    jacobian(Float64Array.of(0), new Float64Array(1), matrix);
    // h² f‴/6 and ε/h are of the same size: both below h².
    expect(Math.abs(matrix[0] - 1)).toBeLessThan(RELATIVE_STEP ** 2);
  });

  it('are not there for more arguments than a plug-in has', () => {
    expect(() =>
      centralDifferences(() => 0, { arguments: 6, argument: 0, shape: 'vector', result: 1 }),
    ).toThrow(RangeError);
  });
});

describe('a Jacobian of the user', () => {
  const derived = Float64Array.of(1, 2, 3, 4, 5, 6);

  it('that is right passes', () => {
    expect(
      compareJacobians(
        derived.map((e) => e * (1 + 1e-14)),
        derived,
        3,
      ),
    ).toBeNull();
  });

  it('that is wrong is reported its worst entry', () => {
    const given = Float64Array.of(1, 2.1, 3, 4, 5, -6);
    const difference = compareJacobians(given, derived, 3);
    expect(difference).toEqual({ row: 1, column: 2, given: -6, derived: 6 });
    expect(describeDifference(difference!)).toContain('entry (1, 2): -6 instead of 6, a difference of -12');
  });

  it('that is nowhere defined, or zero where it should be, too', () => {
    expect(compareJacobians(Float64Array.of(1, Number.NaN), Float64Array.of(1, 1), 2)).toMatchObject({
      row: 0,
      column: 1,
    });
    expect(compareJacobians(Float64Array.of(1e-3), Float64Array.of(0), 1)).not.toBeNull();
    expect(compareJacobians(Float64Array.of(0), Float64Array.of(0), 1)).toBeNull();
  });

  it('may be compared with differences', () => {
    const given = derived.map((e) => e + 1e-6);
    expect(compareJacobians(given, derived, 3)).not.toBeNull();
    expect(compareJacobians(given, derived, 3, DIFFERENCE_TOLERANCE)).toBeNull();
  });
});
