/**
 * Multipliers and exponents of motions with impacts against closed forms, and of smooth ones against
 * published figures.
 */
import { followFlow } from '@engine/analysis/stability/flow-map';
import { lyapunovSpectrum } from '@engine/analysis/stability/lyapunov';
import { MotionModel } from '@engine/analysis/stability/motion-model';
import { findOrbit, type PeriodicOrbit } from '@engine/analysis/stability/periodic-orbit';
import type { RelationForm } from '@engine/model/forms';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { placeState } from '@engine/model/state-places';
import { describe, expect, it } from 'vitest';
import { prepareExample } from '../event-driven/gallery';
import {
  impact,
  interaction,
  lagrangianRelation,
  linearFirstOrder,
  linearLagrangian,
  linearRelation,
  nonlinearFirstOrder,
  relay,
  system,
} from '../support/forms';
import { sample } from '../../support/prove';

/**
 * λ₁ at 660 rpm, 1/s, by a program that shares nothing with the engine: flights A cos ω_n t + B sin ω_n t,
 * impacts by bisection, and the product of the saltation matrices. 250 000 revolutions,
 * standard error 0.011; three starts of 40 000 each: 4.247, 4.259, 4.265.
 */
const LAMBDA_660 = 4.2585;

/** Some ten thousand revolutions of a chaotic motion, three times. */
const LONG_MS = 180_000;

const motionOf = (model: NonSmoothDynamicalSystem, h: number): MotionModel =>
  new MotionModel(model, placeState(model), { h });

function orbitOf(result: ReturnType<typeof findOrbit>): PeriodicOrbit {
  if (result.status !== 'converged') throw new Error(`no orbit: ${result.status}`);
  return result;
}

/** The follower on its cam after as many revolutions. */
function follower(rpm: number, revolutions: number): { motion: MotionModel; x: Float64Array; T: number } {
  const { model, layout } = prepareExample('cam-follower-event-driven-660', { rpm });
  const motion = new MotionModel(model, layout, { h: 1e-3 });
  const T = 60 / rpm;
  const before = motion.simulate(0, revolutions * T, motion.initialState);
  before.run();
  return { motion, x: before.x.slice(0, 2), T };
}

describe('the cam-follower of the Siconos developer’s notes §11', () => {
  it('at 358 rpm repeats after 3 revolutions with 8 impacts, with multipliers .27527, .10225 and product 0.8¹⁶', () => {
    const { motion, x, T } = follower(358, 60);
    const orbit = orbitOf(findOrbit(motion, x, { t0: 60 * T, period: 3 * T, isAutonomous: false }));
    expect(orbit.events.map(({ kind }) => kind)).toEqual(new Array(8).fill('impact'));
    const [small, large] = [...orbit.multipliers.real].sort((a, b) => a - b);
    expect(large).toBeCloseTo(0.27527, 5);
    expect(small).toBeCloseTo(0.10225, 5);
    expect(Math.abs(large * small - 0.8 ** 16)).toBeLessThan(1e-11);
    expect([...orbit.multipliers.imaginary]).toEqual([0, 0]);
    expect(Math.log(large) / orbit.period).toBeCloseTo(-2.566, 3);
  });

  it('at 700 rpm repeats each revolution, with multipliers .301361 ± .741068 i', () => {
    const { motion, x, T } = follower(700, 60);
    const orbit = orbitOf(findOrbit(motion, x, { t0: 60 * T, period: T, isAutonomous: false }));
    expect(orbit.multipliers.real[0]).toBeCloseTo(0.301361, 6);
    expect(Math.abs(orbit.multipliers.imaginary[0])).toBeCloseTo(0.741068, 6);
    const [hit] = orbit.events;
    expect(hit.before).toBeCloseTo(-90.948596, 6);
    expect(hit.time / T - 60).toBeCloseTo(0.1813991, 7);
    const modulus = Math.hypot(orbit.multipliers.real[0], orbit.multipliers.imaginary[0]);
    expect(modulus).toBeCloseTo(0.8, 10);
    expect(Math.log(modulus) / T).toBeCloseTo(-2.6033, 4);
  });

  it.each([
    [358, -2.566, 0.01],
    [700, -2.6033, 0.002],
  ] as const)(
    'at %i rpm has λ₁ = %d /s, also where it is taken along the motion',
    (rpm, expected, tolerance) => {
      const { motion, x, T } = follower(rpm, 120);
      const result = lyapunovSpectrum(motion, x, {
        t0: 0,
        transient: 0,
        duration: 3000 * T,
        interval: 3 * T,
      });
      if (result.status !== 'done') throw new Error(result.status);
      expect(Math.abs(result.exponents[0] - expected)).toBeLessThan(tolerance);
    },
  );

  it(
    'at 660 rpm is chaotic with the λ₁ of a reference of its own, 4.258 /s, from three starts, unless it comes to rest on the cam',
    () => {
      const revolutions = sample(4000, 12_000);
      const all = [400, 561, 874].map((before) => {
        const { motion, x, T } = follower(660, before);
        const result = lyapunovSpectrum(motion, x, {
          t0: 0,
          transient: 0,
          duration: revolutions * T,
          interval: T,
        });
        if (result.status !== 'done') throw new Error(result.status);
        return { value: result.exponents[0], error: result.errors[0] };
      });
      // One that has been at rest on its way, for some milliseconds, has forgotten where it came from: that
      // is no chaos.
      const found = all.filter(({ value }) => value !== -Infinity);
      expect(found.length).toBeGreaterThan(1);
      const mean = found.reduce((sum, { value }) => sum + value, 0) / found.length;
      const error = Math.hypot(...found.map((one) => one.error)) / found.length;
      // The mean over starts agrees within the stated error.
      expect(Math.abs(mean - LAMBDA_660)).toBeLessThan(3 * error);
      // It falls with the root of the length.
      expect(error).toBeLessThan(0.06 * Math.sqrt(12_000 / revolutions));
      expect(Math.abs(mean - 4.15)).toBeLessThan(0.1 + error);
    },
    LONG_MS,
  );
});

describe('a ball on a vibrating table', () => {
  const G = 9.81;
  const OMEGA = 20;
  const E = 0.5;
  const model = (gamma: number, x: readonly number[]): NonSmoothDynamicalSystem => {
    const A = (gamma * G) / OMEGA ** 2;
    const table: RelationForm = {
      ...lagrangianRelation([[1]]),
      isTimeDependent: true,
      output: (clock, q, _lambda, out) => (out[0] = q[0] - A * Math.sin(OMEGA * clock[0])),
      timeDerivative: (clock, _q, out) => (out[0] = -A * OMEGA * Math.cos(OMEGA * clock[0])),
      curvature: (clock, _q, _v, out) => (out[0] = A * OMEGA ** 2 * Math.sin(OMEGA * clock[0])),
    };
    return {
      systems: [system('ball', linearLagrangian([x[0]], [x[1]], [[1]], { force: [-G] }))],
      interactions: [interaction('table', [0], table, impact(E))],
    };
  };
  const T = (2 * Math.PI) / OMEGA;

  it('has multipliers −1 and −e² of its orbit of one impact where that doubles, at Γ = 1.526824', () => {
    const gamma = Math.sqrt(((Math.PI * (1 - E)) / (1 + E)) ** 2 + 4 * ((1 + E ** 2) / (1 + E) ** 2) ** 2);
    expect(gamma).toBeCloseTo(1.526824, 6);
    // The impact is where Γ cos φ = π (1 − e)/(1 + e), with speed g T/2 relative to the mean after it.
    const phase = Math.acos((Math.PI * (1 - E)) / (1 + E) / gamma);
    const A = (gamma * G) / OMEGA ** 2;
    const hit = phase / OMEGA;
    const t0 = hit + 0.4 * T;
    const [height, up] = [A * Math.sin(phase), (G * T) / 2];
    const x = [height + up * 0.4 * T - (G / 2) * (0.4 * T) ** 2, up - G * 0.4 * T];
    const motion = motionOf(model(gamma, x), 1e-3);
    const image = followFlow(motion, t0, T, Float64Array.from(x));
    if (!image.ok) throw new Error(image.error.message);
    expect(image.events.map(({ kind }) => kind)).toEqual(['impact']);
    expect(Math.abs(image.x[0] - x[0])).toBeLessThan(1e-12);
    const [a, b, c, d] = image.matrix;
    expect(Math.abs(a * d - b * c - E ** 2)).toBeLessThan(1e-12);
    // λ² − tr λ + det has the root −1
    expect(Math.abs(1 + (a + d) + (a * d - b * c))).toBeLessThan(1e-11);
  });

  it('has the orbit that Newton finds from nearby', () => {
    const gamma = 1.2;
    const phase = Math.acos((Math.PI * (1 - E)) / (1 + E) / gamma);
    const A = (gamma * G) / OMEGA ** 2;
    const up = (G * T) / 2;
    const t0 = phase / OMEGA + 0.4 * T;
    const exact = [A * Math.sin(phase) + up * 0.4 * T - (G / 2) * (0.4 * T) ** 2, up - G * 0.4 * T];
    const motion = motionOf(model(gamma, exact), 1e-3);
    const guess = Float64Array.of(exact[0] * 1.02, exact[1] + 0.02);
    const orbit = orbitOf(findOrbit(motion, guess, { t0, period: T, isAutonomous: false }));
    expect(Math.abs(orbit.x[0] - exact[0])).toBeLessThan(1e-10);
    expect(Math.abs(orbit.x[1] - exact[1])).toBeLessThan(1e-9);
    expect(orbit.iterations).toBeLessThan(8);
  });
});

describe('an autonomous model', () => {
  it('with a relay has a limit cycle with the multiplier 1, whose period is known', () => {
    const model: NonSmoothDynamicalSystem = {
      systems: [
        system(
          'plant',
          linearFirstOrder(
            [
              [0, 1, 0],
              [0, 0, 1],
              [-2, -3, -1.2],
            ],
            [0.6, 0, 0],
          ),
        ),
      ],
      interactions: [interaction('relay', [0], linearRelation([[1, 0, 0]], [[0], [0], [4]]), relay(-1, 1))],
    };
    const motion = motionOf(model, 0.01);
    const before = motion.simulate(0, 300, motion.initialState);
    before.run();
    const switches = before.events.filter(({ kind }) => kind === 'switch').map(({ time }) => time);
    const period = switches[switches.length - 1] - switches[switches.length - 3];
    const x = before.x.slice(0, 3);
    const orbit = orbitOf(findOrbit(motion, x, { t0: 0, period: period * 1.01, isAutonomous: true }));
    expect(Math.abs(orbit.period - period)).toBeLessThan(1e-6);
    const nearest = Math.min(
      ...[...orbit.multipliers.real].map((re, k) => Math.hypot(re - 1, orbit.multipliers.imaginary[k])),
    );
    expect(nearest).toBeLessThan(1e-8);
  });

  it('that is smooth has the exponents of the literature: Lorenz, 0.9056, 0, −14.572', () => {
    const lorenz = (x: readonly number[]): NonSmoothDynamicalSystem => ({
      systems: [
        system(
          'convection',
          nonlinearFirstOrder(
            x,
            (_t, [a, b, c], out) => {
              out[0] = 10 * (b - a);
              out[1] = 28 * a - b - a * c;
              out[2] = a * b - (8 / 3) * c;
            },
            (_t, [a, b, c], out) => {
              out.set([-10, 10, 0, 28 - c, -1, -a, b, a, -8 / 3]);
            },
          ),
        ),
      ],
      interactions: [],
    });
    const motion = new MotionModel(lorenz([1, 2, 20]), placeState(lorenz([1, 2, 20])), {
      h: 0.1,
      relativeTolerance: 1e-8,
      absoluteTolerance: 1e-8,
    });
    const result = lyapunovSpectrum(motion, motion.initialState, {
      t0: 0,
      transient: 50,
      duration: 8000,
      interval: 0.5,
    });
    if (result.status !== 'done') throw new Error(result.status);
    const sum = result.exponents.reduce((total, value) => total + value, 0);
    expect(Math.abs(sum + 41 / 3)).toBeLessThan(1e-6);
    expect(Math.abs(result.exponents[0] - 0.9056)).toBeLessThan(0.005);
    expect(Math.abs(result.exponents[1])).toBeLessThan(0.001);
  });
});
