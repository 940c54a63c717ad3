/** Orders and coefficients of the two methods, one step at a time. */
import { describe, expect, it } from 'vitest';
import { ExplicitMethod } from '@engine/smooth/explicit-method';
import { ImplicitMethod } from '@engine/smooth/implicit-method';
import {
  ALPHA,
  BACK,
  BETA,
  COEFFICIENTS,
  ComplexShifted,
  ERROR_WEIGHTS,
  GAMMA,
  INVERSE,
  NODES,
  RealShifted,
  TRANSFORM,
} from '@engine/smooth/radau-newton';
import type { OdeSystem } from '@engine/smooth/ode-system';
import type { StepData } from '@engine/smooth/step-method';
import { maximum, observedOrder } from '../support/order';
import { seeded } from '../support/random';
import { oneStep } from './one-step';
import { logistic, system } from './support';

const explicit = (data: StepData): ExplicitMethod => new ExplicitMethod(data);
const implicit = (data: StepData): ImplicitMethod => new ImplicitMethod(data, false);

/** Neither autonomous nor linear. */
const crooked = system(1, (t, x, out) => {
  out[0] = x[0] * Math.cos(t) + 0.25 * x[0] * x[0];
});

type Make = (data: StepData) => ExplicitMethod | ImplicitMethod;

/**
 * Local errors of steps of these lengths against a solution of time since the start: at the end and at the
 * worst inner place.
 */
function localErrors(
  make: Make,
  ode: OdeSystem,
  exact: (t: number) => number,
  lengths: readonly number[],
): { end: number[]; inside: number[] } {
  const steps = lengths.map((h) => oneStep(make, ode, [exact(0)], h, 1e-4));
  return {
    end: steps.map((step, k) => Math.abs(step.end[0] - exact(lengths[k]))),
    inside: steps.map((step, k) =>
      maximum([0.15, 0.3, 0.45, 0.6, 0.75, 0.9].map((u) => step.at(u)[0] - exact(u * lengths[k]))),
    ),
  };
}

describe('the explicit pair', () => {
  it('has local errors of order 9 at the end and 8 inside the step', () => {
    const lengths = [0.5, 0.7, 1];
    const errors = localErrors(explicit, logistic, (t) => 1 / (1 + (3 / 7) * Math.exp(-t)), lengths);
    expect(observedOrder(lengths, errors.end)).toBeGreaterThan(8.5);
    expect(observedOrder(lengths, errors.end)).toBeLessThan(10.5);
    expect(observedOrder(lengths, errors.inside)).toBeGreaterThan(7.5);
    expect(observedOrder(lengths, errors.inside)).toBeLessThan(9.5);
  });

  it('integrates ẋ = t^k exactly up to k = 7, and its extension up to k = 6', () => {
    for (let k = 0; k <= 7; k++) {
      const power = system(1, (t, _x, out) => {
        out[0] = (k + 1) * (t - 0.3) ** k;
      });
      const step = oneStep(explicit, power, [2], 1.5);
      expect(step.end[0] - 2).toBeCloseTo(1.5 ** (k + 1), 12);
      if (k > 6) continue;
      for (const u of [0.1, 0.35, 0.5, 0.8]) expect(step.at(u)[0] - 2).toBeCloseTo((1.5 * u) ** (k + 1), 11);
    }
  });

  it('has an extension that meets states and rates at both ends', () => {
    const step = oneStep(explicit, crooked, [0.8], 0.6);
    expect(step.at(0)[0]).toBe(0.8);
    expect(step.at(1)[0]).toBeCloseTo(step.end[0], 15);
    const d = 1e-5;
    expect((step.at(d)[0] - step.at(0)[0]) / (0.6 * d)).toBeCloseTo(step.data.rate0[0], 4);
    expect((step.at(1)[0] - step.at(1 - d)[0]) / (0.6 * d)).toBeCloseTo(step.data.rate1[0], 4);
  });
});

describe('the constants of Radau IIA', () => {
  const entry = (m: readonly number[], i: number, j: number): number => m[3 * i + j];
  const product = (a: readonly number[], b: readonly number[]): number[] =>
    [0, 1, 2].flatMap((i) =>
      [0, 1, 2].map((j) => [0, 1, 2].reduce((sum, k) => sum + entry(a, i, k) * entry(b, k, j), 0)),
    );

  it('satisfy the collocation conditions Σ a_ij c_j^k = c_i^{k+1}/(k + 1)', () => {
    for (let i = 0; i < 3; i++) {
      for (let k = 0; k < 3; k++) {
        const sum = NODES.reduce((total, c, j) => total + entry(COEFFICIENTS, i, j) * c ** k, 0);
        expect(sum).toBeCloseTo(NODES[i] ** (k + 1) / (k + 1), 15);
      }
    }
  });

  it('integrate up to degree 4 with the weights of the last row, and no further', () => {
    const quadrature = (k: number): number =>
      NODES.reduce((total, c, j) => total + entry(COEFFICIENTS, 2, j) * c ** k, 0);
    for (let k = 0; k <= 4; k++) expect(quadrature(k)).toBeCloseTo(1 / (k + 1), 15);
    expect(Math.abs(quadrature(5) - 1 / 6)).toBeGreaterThan(1e-3);
  });

  it('block-diagonalise the inverse of A', () => {
    const blocks = product(BACK, product(INVERSE, TRANSFORM));
    [GAMMA, 0, 0, 0, ALPHA, -BETA, 0, BETA, ALPHA].forEach((value, k) => {
      expect(blocks[k]).toBeCloseTo(value, 12);
    });
    expect(TRANSFORM.slice(6)).toEqual([1, 1, 0]);
  });

  it('weigh the error as the difference to a formula of order 3', () => {
    // δ = ᵗA (γ e)/γ must satisfy Σ δ_i c_i^k = −1/γ for k = 0 and 0 for k = 1, 2.
    const delta = [0, 1, 2].map((j) =>
      [0, 1, 2].reduce((sum, i) => sum + (entry(COEFFICIENTS, i, j) * ERROR_WEIGHTS[i]) / GAMMA, 0),
    );
    for (let k = 0; k < 3; k++) {
      const sum = NODES.reduce((total, c, i) => total + delta[i] * c ** k, 0);
      expect(sum).toBeCloseTo(k === 0 ? -1 / GAMMA : 0, 14);
    }
  });
});

describe('the implicit method', () => {
  it('has local errors of order 6 at the end and 4 inside the step', () => {
    const lengths = [0.15, 0.2, 0.3];
    // Linear, so that Newton's method leaves no error of its own; steps start at t = 0.3.
    const forced = system(1, (t, x, out) => {
      out[0] = Math.cos(t) - x[0];
    });
    const exact = (t: number): number => (Math.cos(t + 0.3) + Math.sin(t + 0.3)) / 2 + 0.4 * Math.exp(-t);
    const errors = localErrors(implicit, forced, exact, lengths);
    expect(observedOrder(lengths, errors.end)).toBeGreaterThan(5.6);
    expect(observedOrder(lengths, errors.end)).toBeLessThan(6.6);
    expect(observedOrder(lengths, errors.inside)).toBeGreaterThan(3.7);
    expect(observedOrder(lengths, errors.inside)).toBeLessThan(4.5);
  });

  it('solves ẋ = λx with its stability function, for any λ', () => {
    for (const z of [-1e-3, -1, -50, -1e6]) {
      const decay = system(1, (_t, x, out) => {
        out[0] = z * x[0];
      });
      const { end } = oneStep(implicit, decay, [1], 1, 1e3);
      const exact = (1 + (2 / 5) * z + z ** 2 / 20) / (1 - (3 / 5) * z + (3 / 20) * z ** 2 - z ** 3 / 60);
      expect(Math.abs(end[0] - exact)).toBeLessThan(1e-7 * Math.max(1e-3, Math.abs(exact)));
    }
  });
});

describe('factors of shifted matrices', () => {
  it('solve real and complex systems to rounding', () => {
    const random = seeded(31);
    for (let trial = 0; trial < 50; trial++) {
      const n = random.integer(1, 7);
      const jacobian = Float64Array.from({ length: n * n }, () => random.uniform(-1, 1));
      const shift = Float64Array.of(random.uniform(-2, 2), random.uniform(0.1, 2));
      const [x, y] = [0, 1].map(() => Float64Array.from({ length: n }, () => random.uniform(-1, 1)));
      const times = (re: Float64Array, im: Float64Array, i: number): [number, number] => {
        let [p, q] = [shift[0] * re[i] - shift[1] * im[i], shift[0] * im[i] + shift[1] * re[i]];
        for (let j = 0; j < n; j++) {
          p -= jacobian[i + n * j] * re[j];
          q -= jacobian[i + n * j] * im[j];
        }
        return [p, q];
      };
      const b = Array.from({ length: n }, (_, i) => times(x, y, i));
      const [re, im] = [Float64Array.from(b, (v) => v[0]), Float64Array.from(b, (v) => v[1])];
      const complex = new ComplexShifted(n);
      expect(complex.factor(jacobian, shift)).toBe(true);
      complex.solve(re, im);
      expect(maximum(re.map((value, i) => value - x[i]))).toBeLessThan(1e-11);
      expect(maximum(im.map((value, i) => value - y[i]))).toBeLessThan(1e-11);
      const real = new RealShifted(n);
      const rhs = Float64Array.from({ length: n }, (_, i) => {
        let sum = shift[0] * x[i];
        for (let j = 0; j < n; j++) sum -= jacobian[i + n * j] * x[j];
        return sum;
      });
      expect(real.factor(jacobian, shift)).toBe(true);
      real.solve(rhs);
      expect(maximum(rhs.map((value, i) => value - x[i]))).toBeLessThan(1e-9);
    }
  });

  it('are refused when the matrix is singular', () => {
    expect(new RealShifted(2).factor(Float64Array.of(1, 0, 0, 1), Float64Array.of(1))).toBe(false);
    expect(new ComplexShifted(2).factor(Float64Array.of(0, -1, 1, 0), Float64Array.of(0, 1))).toBe(false);
  });
});
