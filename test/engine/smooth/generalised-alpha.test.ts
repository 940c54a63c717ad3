/**
 * Steps of generalised-α against the method's equations in matrices, formed here from the papers, and against
 * what is known of it: its spectral radius, its order, its dissipation and its period.
 */
import { GeneralisedAlpha } from '@engine/smooth/generalised-alpha';
import type { OdeSystem } from '@engine/smooth/ode-system';
import type { SmoothIntegrator } from '@engine/smooth/smooth-integrator';
import { describe, expect, it } from 'vitest';
import { integrator, system } from './support';

/** Radii with what they make of the weights, by hand. */
const RADII = [
  { rho: 1, alphaM: 1 / 2, alphaF: 1 / 2, gamma: 1 / 2, beta: 1 / 4 },
  { rho: 0.5, alphaM: 0, alphaF: 1 / 3, gamma: 5 / 6, beta: 4 / 9 },
  { rho: 0, alphaM: -1, alphaF: 0, gamma: 3 / 2, beta: 1 },
];
const SAME_PLACE = { velocity: Int32Array.of(0), position: Int32Array.of(0) };
const SECOND_ORDER = { velocity: Int32Array.of(1), position: Int32Array.of(0) };

const stepped = (ode: OdeSystem, start: readonly number[], spectralRadius: number): SmoothIntegrator =>
  integrator(ode, start, 1e-10, {
    stepped: (data) =>
      new GeneralisedAlpha(data, {
        places: start.length === 1 ? SAME_PLACE : SECOND_ORDER,
        spectralRadius,
      }),
  });

/** q̈ + 2ζω q̇ + ω² q = f(t) */
const oscillator = (omega: number, zeta = 0, force: (t: number) => number = () => 0): OdeSystem =>
  system(2, (t, x, out) => {
    out[0] = x[1];
    out[1] = force(t) - 2 * zeta * omega * x[1] - omega * omega * x[0];
  });

/** Solves A x = b of three rows by Cramer's rule. */
function solve3(A: readonly number[][], b: readonly number[]): number[] {
  const det = (m: readonly number[][]): number =>
    m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
    m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
    m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  const whole = det(A);
  return [0, 1, 2].map(
    (j) => det(A.map((row, i) => row.map((entry, k) => (k === j ? b[i] : entry)))) / whole,
  );
}

/**
 * One step of a linear oscillator in its own unknowns q₁, h v₁, h² a₁, from the equations as Chung and
 * Hulbert print them: the equation of motion once, at t_{n+1−α_f}, with no acceleration but the algorithmic
 * one.
 */
function printedStep(
  { alphaM, alphaF, gamma, beta }: (typeof RADII)[number],
  { omega, zeta, h }: { omega: number; zeta: number; h: number },
  [q, hv, hha]: readonly number[],
  force: number,
): number[] {
  const w = (omega * h) ** 2;
  const c = 2 * zeta * omega * h;
  const A = [
    [1, 0, -beta],
    [0, 1, -gamma],
    [(1 - alphaF) * w, (1 - alphaF) * c, 1 - alphaM],
  ];
  const b = [
    q + hv + (0.5 - beta) * hha,
    hv + (1 - gamma) * hha,
    h * h * force - alphaM * hha - alphaF * (c * hv + w * q),
  ];
  return solve3(A, b);
}

describe('a linear oscillator', () => {
  it.each(RADII)('is advanced as the printed equations say, ρ = $rho', (weights) => {
    const { rho, alphaF } = weights;
    const [omega, zeta, h] = [3, 0.1, 0.05];
    const force = (t: number): number => Math.cos(2 * t);
    const made = stepped(oscillator(omega, zeta, force), [0.7, -0.3], rho);
    let state = [0.7, h * -0.3, h * h * (force(0) - 2 * zeta * omega * -0.3 - omega * omega * 0.7)];
    for (let k = 0; k < 400; k++) {
      const forces = (1 - alphaF) * force(h * (k + 1)) + alphaF * force(h * k);
      state = printedStep(weights, { omega, zeta, h }, state, forces);
      expect(made.advance(h * (k + 1))).toBe('reached');
      expect(Math.abs(made.x[0] - state[0])).toBeLessThan(1e-13);
      expect(Math.abs(made.x[1] - state[1] / h)).toBeLessThan(1e-12);
    }
  });

  it('keeps its energy for ρ = 1, and loses it for less', () => {
    const energy = (x: Float64Array): number => 0.5 * (x[1] * x[1] + 9 * x[0] * x[0]);
    const drift = (rho: number): number => {
      const made = stepped(oscillator(3), [1, 0], rho);
      for (let k = 1; k <= 10_000; k++) made.advance(0.1 * k);
      return energy(made.x) / 4.5 - 1;
    };
    expect(Math.abs(drift(1))).toBeLessThan(1e-11);
    expect(drift(0.8)).toBeLessThan(-0.1);
  });

  it('has the period of the average acceleration for ρ = 1: tan ω̄h/2 = ωh/2', () => {
    const [omega, h] = [3, 0.1];
    const phase = 2 * Math.atan((omega * h) / 2);
    const made = stepped(oscillator(omega), [1, 0], 1);
    for (let k = 1; k <= 1000; k++) {
      made.advance(h * k);
      expect(Math.abs(made.x[0] - Math.cos(k * phase))).toBeLessThan(1e-11);
    }
    // (T̄ − T)/T = (ωh)²/12 + O(h⁴)
    expect((omega * h) / phase - 1).toBeCloseTo((omega * h) ** 2 / 12, 4);
  });
});

/**
 * Coefficients of the characteristic polynomial of what a step does to q, h v and h² a, or to x and h a:
 * −trace, second-order minors, −determinant.
 */
function characteristic(rho: number, omega: number, order: 1 | 2): number[] {
  const h = 1;
  const ode =
    order === 2
      ? oscillator(omega)
      : system(1, (_t, x, out) => {
          out[0] = -omega * x[0];
        });
  const size = order + 1;
  const columns = Array.from({ length: size }, (_, j) => {
    const unit = Array.from({ length: size }, (__, i) => (i === j ? 1 : 0));
    const made = stepped(ode, unit.slice(0, order), rho);
    made.start(0);
    const acceleration = (x: Float64Array): number => (order === 2 ? -omega * omega * x[0] : -omega * x[0]);
    made.memory!.set([h, unit[order] - acceleration(made.x)]);
    expect(made.advance(h)).toBe('reached');
    return [...made.x, made.memory![1] + acceleration(made.x)];
  });
  const a = (i: number, j: number): number => columns[j][i];
  if (size === 2) return [-(a(0, 0) + a(1, 1)), a(0, 0) * a(1, 1) - a(0, 1) * a(1, 0)];
  const minor = (i: number, j: number): number => a(i, i) * a(j, j) - a(i, j) * a(j, i);
  const det =
    a(0, 0) * (a(1, 1) * a(2, 2) - a(1, 2) * a(2, 1)) -
    a(0, 1) * (a(1, 0) * a(2, 2) - a(1, 2) * a(2, 0)) +
    a(0, 2) * (a(1, 0) * a(2, 1) - a(1, 1) * a(2, 0));
  return [-(a(0, 0) + a(1, 1) + a(2, 2)), minor(0, 1) + minor(0, 2) + minor(1, 2), -det];
}

describe('a step far longer than the period', () => {
  it.each([0, 0.2, 0.5, 0.8, 1])('has all its eigenvalues at −ρ, ρ = %f', (rho) => {
    const [trace, minors, determinant] = characteristic(rho, 1e4, 2);
    // (λ + ρ)³ up to (ωh)⁻²
    expect(trace).toBeCloseTo(3 * rho, 6);
    expect(minors).toBeCloseTo(3 * rho * rho, 6);
    expect(determinant).toBeCloseTo(rho ** 3, 6);
  });

  it.each([0, 0.2, 0.5, 0.8, 1])('and of first order as well, ρ = %f', (rho) => {
    const [trace, determinant] = characteristic(rho, 1e8, 1);
    expect(trace).toBeCloseTo(2 * rho, 6);
    expect(determinant).toBeCloseTo(rho * rho, 6);
  });
});

describe('order', () => {
  /** θ̈ = −sin θ from rest at 2 rad; state at t = 3 s by a method of order 8. */
  const pendulum = system(2, (_t, x, out) => {
    out[0] = x[1];
    out[1] = -Math.sin(x[0]);
  });
  const exact = integrator(pendulum, [2, 0], 1e-13);
  exact.advance(3);
  const logistic = system(1, (t, x, out) => {
    out[0] = x[0] * (1 - x[0]) * Math.cos(t);
  });

  it.each([1, 0.8, 0.5, 0])('is 2 for a pendulum, ρ = %f', (rho) => {
    const error = (steps: number): number => {
      const made = stepped(pendulum, [2, 0], rho);
      for (let k = 1; k <= steps; k++) made.advance((3 * k) / steps);
      return Math.hypot(made.x[0] - exact.x[0], made.x[1] - exact.x[1]);
    };
    const slope = Math.log2(error(400) / error(800));
    expect(Math.abs(slope - 2)).toBeLessThan(0.05);
  });

  it.each([1, 0.8, 0.5, 0])('is 2 for a state of first order, ρ = %f', (rho) => {
    const solution = 1 / (1 + Math.exp(-Math.sin(3)));
    const error = (steps: number): number => {
      const made = stepped(logistic, [0.5], rho);
      for (let k = 1; k <= steps; k++) made.advance((3 * k) / steps);
      return Math.abs(made.x[0] - solution);
    };
    const slope = Math.log2(error(800) / error(1600));
    expect(Math.abs(slope - 2)).toBeLessThan(0.05);
  });
});

describe('a step of another length', () => {
  it('takes the offset of the algorithmic acceleration along in proportion, so that the order stays', () => {
    // Steps of two lengths by turns: without the offset they would be of order 1.
    const pendulum = system(2, (_t, x, out) => {
      out[0] = x[1];
      out[1] = -Math.sin(x[0]);
    });
    const exact = integrator(pendulum, [2, 0], 1e-13);
    exact.advance(3);
    const error = (pairs: number, forgets: boolean): number => {
      const made = stepped(pendulum, [2, 0], 0.5);
      for (let k = 0; k < pairs; k++) {
        for (const part of [0.6, 1]) {
          made.advance((3 * (k + part)) / pairs);
          if (forgets) made.restart(new Uint8Array(0));
          else made.restart();
        }
      }
      return Math.hypot(made.x[0] - exact.x[0], made.x[1] - exact.x[1]);
    };
    expect(Math.log2(error(400, false) / error(800, false))).toBeGreaterThan(1.9);
    expect(Math.log2(error(400, true) / error(800, true))).toBeLessThan(1.1);
  });
});

it('equations that Newton’s method does not solve end the integration with the component', () => {
  // v₁ = v₀ − h a(v₁) with a that turns round: no solution within reach of Newton's method
  const stuck = system(2, (_t, x, out) => {
    out[0] = x[1];
    out[1] = x[1] > 0 ? -1e3 : 1e3;
  });
  const made = stepped(stuck, [0, 0.1], 0.8);
  expect(made.advance(0.1)).toBe('notSolved');
  expect(made.failure.index).toBe(1);
});
