/** Quaternions: that they turn, that T_q is tangent, and that its rate is that of the rotation. */
import { describe, expect, it } from 'vitest';
import {
  addRotationGradient,
  exponential,
  logarithm,
  multiplyQuaternions,
  normaliseQuaternion,
  quaternionRate,
  rotate,
  rotateBack,
  rotateByVector,
  rotationMatrix,
  squaredNorm,
  transposedRate,
  turn,
} from '@engine/spatial/quaternion';
import { maximum } from '../support/order';
import { seeded } from '../support/random';
import { unitQuaternion, vector } from './support/models';

const rotated = (q: Float64Array, s: Float64Array): Float64Array => {
  const out = new Float64Array(3);
  rotate(q, 0, s, 0, out, 0);
  return out;
};
const matrixOf = (q: Float64Array): Float64Array => {
  const out = new Float64Array(9);
  rotationMatrix(q, 0, out, 0);
  return out;
};
const exponentialOf = (theta: Float64Array): Float64Array => {
  const out = new Float64Array(4);
  exponential(theta, 0, 1, out, 0);
  return out;
};
const skew = ([x, y, z]: Float64Array): number[] => [0, -z, y, z, 0, -x, -y, x, 0];
const product = (a: ArrayLike<number>, b: ArrayLike<number>): number[] =>
  Array.from({ length: 9 }, (_, k) => {
    const [i, j] = [Math.floor(k / 3), k % 3];
    return a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
  });
const difference = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  maximum(Array.from(a, (x, i) => x - b[i]));
const rateOf = (q: Float64Array, omega: Float64Array): Float64Array => {
  const out = new Float64Array(4);
  quaternionRate(q, 0, omega, 0, out, 0);
  return out;
};

describe('a unit quaternion', () => {
  it('turns e_x to e_y by a quarter turn about z, and back', () => {
    const q = Float64Array.of(Math.SQRT1_2, 0, 0, Math.SQRT1_2);
    expect(difference(rotated(q, Float64Array.of(1, 0, 0)), [0, 1, 0])).toBeLessThan(1e-15);
    const back = Float64Array.of(0, 1, 0);
    rotateBack(q, 0, back, 0, back, 0);
    expect(difference(back, [1, 0, 0])).toBeLessThan(1e-15);
  });

  it('is Q ∘ (0, s) ∘ Q*, the matrix R and the product of two turns', () => {
    const random = seeded(1);
    for (let n = 0; n < 50; n++) {
      const [p, q, s] = [unitQuaternion(random), unitQuaternion(random), vector(random, 3)];
      const sandwich = Float64Array.of(0, ...s);
      multiplyQuaternions(q, 0, sandwich, 0, sandwich, 0);
      multiplyQuaternions(sandwich, 0, Float64Array.of(q[0], -q[1], -q[2], -q[3]), 0, sandwich, 0);
      expect(Math.abs(sandwich[0])).toBeLessThan(1e-15);
      expect(difference(rotated(q, s), sandwich.subarray(1))).toBeLessThan(1e-15);
      const r = matrixOf(q);
      const byMatrix = [0, 3, 6].map((i) => r[i] * s[0] + r[i + 1] * s[1] + r[i + 2] * s[2]);
      expect(difference(rotated(q, s), byMatrix)).toBeLessThan(1e-15);
      const both = new Float64Array(4);
      multiplyQuaternions(p, 0, q, 0, both, 0);
      expect(difference(rotated(both, s), rotated(p, rotated(q, s)))).toBeLessThan(1e-15);
      const returned = rotated(q, s);
      rotateBack(q, 0, returned, 0, returned, 0);
      expect(difference(returned, s)).toBeLessThan(2e-15);
    }
  });

  it('of zero length or with infinite entries cannot be normalised and is left alone', () => {
    const zero = new Float64Array(4);
    expect(normaliseQuaternion(zero, 0)).toBe(false);
    const infinite = Float64Array.of(1, Number.POSITIVE_INFINITY, 0, 0);
    expect(normaliseQuaternion(infinite, 0)).toBe(false);
    expect([...infinite]).toEqual([1, Number.POSITIVE_INFINITY, 0, 0]);
    expect(normaliseQuaternion(Float64Array.of(Number.NaN, 0, 0, 1), 0)).toBe(false);
    const long = Float64Array.of(0, 3, 0, 4);
    expect(normaliseQuaternion(long, 0)).toBe(true);
    expect([...long]).toEqual([0, 0.6, 0, 0.8]);
  });
});

describe('T_q', () => {
  it('is tangent: ᵗQ T_q = 0 and ᵗT_q T_q = ¼ |Q|², for any Q', () => {
    const random = seeded(2);
    for (let n = 0; n < 50; n++) {
      const [q, omega] = [vector(random, 4), vector(random, 3)];
      const rate = rateOf(q, omega);
      expect(Math.abs(q.reduce((sum, x, i) => sum + x * rate[i], 0))).toBeLessThan(1e-15);
      const back = new Float64Array(3);
      transposedRate(q, 0, rate, 0, back, 0);
      expect(
        difference(
          back,
          omega.map((x) => 0.25 * squaredNorm(q, 0) * x),
        ),
      ).toBeLessThan(1e-15);
    }
  });

  it('gives the rate of the rotation, dR/dt = R skew(Ω), to 1e-9', () => {
    const random = seeded(3);
    const step = 1e-5;
    for (let n = 0; n < 50; n++) {
      const [q, omega] = [unitQuaternion(random), vector(random, 3)];
      const rate = rateOf(q, omega);
      const along = (s: number): Float64Array => matrixOf(q.map((x, i) => x + s * rate[i]));
      const [after, before] = [along(step), along(-step)];
      const numeric = after.map((x, k) => (x - before[k]) / (2 * step));
      expect(difference(numeric, product(matrixOf(q), skew(omega)))).toBeLessThan(1e-9);
    }
  });

  it('is half the product with (0, Ω), and its transpose the adjoint', () => {
    const random = seeded(4);
    const [q, omega, g] = [vector(random, 4), vector(random, 3), vector(random, 4)];
    const half = new Float64Array(4);
    multiplyQuaternions(q, 0, Float64Array.of(0, ...omega), 0, half, 0);
    const rate = rateOf(q, omega);
    expect(
      difference(
        rate,
        half.map((x) => x / 2),
      ),
    ).toBeLessThan(1e-16);
    const pulled = new Float64Array(3);
    transposedRate(q, 0, g, 0, pulled, 0);
    const left = g.reduce((sum, x, i) => sum + x * rate[i], 0);
    const right = pulled.reduce((sum, x, i) => sum + x * omega[i], 0);
    expect(Math.abs(left - right)).toBeLessThan(1e-15);
  });
});

it('the gradient of g·R(Q) s agrees with differences, on the sphere and off it', () => {
  const random = seeded(5);
  const step = 1e-5;
  for (let n = 0; n < 50; n++) {
    const [q, s, g] = [vector(random, 4), vector(random, 3), vector(random, 3)];
    const gradient = new Float64Array(4);
    addRotationGradient(q, 0, s, 0, g, 0, 1.5, gradient, 0);
    const value = (p: Float64Array): number => rotated(p, s).reduce((sum, x, i) => sum + 1.5 * x * g[i], 0);
    for (let i = 0; i < 4; i++) {
      const moved = (d: number): Float64Array => q.map((x, j) => (j === i ? x + d : x));
      const numeric = (value(moved(step)) - value(moved(-step))) / (2 * step);
      expect(Math.abs(gradient[i] - numeric)).toBeLessThan(1e-9);
    }
  }
});

describe('rotation vectors', () => {
  it('exponential of the quaternion, Rodrigues and the series of the matrix agree', () => {
    const random = seeded(6);
    for (const scale of [1e-9, 1e-5, 1e-3, 0.1, 1, 3]) {
      const theta = vector(random, 3, scale);
      // Σ skew(ϑ)ⁿ/n!
      let term: number[] = [1, 0, 0, 0, 1, 0, 0, 0, 1];
      const series = [...term];
      for (let n = 1; n < 60; n++) {
        term = product(term, skew(theta)).map((x) => x / n);
        term.forEach((x, k) => (series[k] += x));
      }
      expect(difference(matrixOf(exponentialOf(theta)), series)).toBeLessThan(1e-14);
      for (let j = 0; j < 3; j++) {
        const unit = Float64Array.from({ length: 3 }, (_, i) => (i === j ? 1 : 0));
        rotateByVector(theta, 0, 1, unit, 0, unit, 0);
        expect(difference(unit, [series[j], series[3 + j], series[6 + j]])).toBeLessThan(1e-14);
      }
    }
  });

  it('Log undoes Exp up to half a turn, and takes the shorter way', () => {
    const random = seeded(7);
    for (const angle of [0, 1e-12, 1e-6, 1e-3, 1, 3, 3.14159]) {
      const axis = unitQuaternion(random).subarray(1);
      const length = Math.hypot(...axis);
      const theta = axis.map((x) => (x / length) * angle);
      const q = exponentialOf(theta);
      const back = new Float64Array(3);
      logarithm(q, 0, back, 0);
      expect(difference(back, theta)).toBeLessThan(1e-15 + 4e-15 * angle);
      logarithm(
        q.map((x) => -2 * x),
        0,
        back,
        0,
      );
      expect(difference(back, theta)).toBeLessThan(1e-15 + 4e-15 * angle);
    }
    const long = new Float64Array(3);
    logarithm(exponentialOf(Float64Array.of(0, 0, 4)), 0, long, 0);
    expect(difference(long, [0, 0, 4 - 2 * Math.PI])).toBeLessThan(1e-14);
  });

  it('turns in the frame of the body', () => {
    const random = seeded(8);
    const [q, theta] = [unitQuaternion(random), vector(random, 3)];
    const turned = q.slice();
    turn(turned, 0, theta, 0, 1, new Float64Array(4));
    const expected = product(matrixOf(q), matrixOf(exponentialOf(theta)));
    expect(difference(matrixOf(turned), expected)).toBeLessThan(1e-15);
  });
});
