/**
 * Duffing's oscillator in two wells, q̈ + δ q̇ − q + q³ = γ cos ωt: without contacts the multipliers and
 * exponents are those of the smooth flow. They are compared with an integration of the variational equations
 * of its own, and with the divergence −δ.
 */
import { lyapunovSpectrum } from '@engine/analysis/stability/lyapunov';
import { MotionModel } from '@engine/analysis/stability/motion-model';
import { findOrbit } from '@engine/analysis/stability/periodic-orbit';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { placeState } from '@engine/model/state-places';
import { describe, expect, it } from 'vitest';
import { nonlinearFirstOrder, system } from '../support/forms';

const DELTA = 0.3;
const OMEGA = 1.2;
const PERIOD = (2 * Math.PI) / OMEGA;

function duffing(gamma: number, start: readonly number[]): MotionModel {
  const model: NonSmoothDynamicalSystem = {
    systems: [
      system(
        'beam',
        nonlinearFirstOrder(
          start,
          (t, [q, v], out) => {
            out[0] = v;
            out[1] = -DELTA * v + q - q ** 3 + gamma * Math.cos(OMEGA * t);
          },
          (_t, [q], out) => {
            out.set([0, 1, 1 - 3 * q * q, -DELTA]);
          },
        ),
      ),
    ],
    interactions: [],
  };
  const tolerances = { relativeTolerance: 1e-11, absoluteTolerance: 1e-11 };
  return new MotionModel(model, placeState(model), { h: 0.05, ...tolerances });
}

/**
 * State and its two derivatives by the initial state, column by column, after a time: Runge and Kutta's
 * fourth order.
 */
function variational(gamma: number, y: number[], t0: number, duration: number, steps: number): number[] {
  const rate = (t: number, [q, v, a, b, c, d]: readonly number[]): number[] => {
    const slope = 1 - 3 * q * q;
    const force = -DELTA * v + q - q ** 3 + gamma * Math.cos(OMEGA * t);
    return [v, force, b, slope * a - DELTA * b, d, slope * c - DELTA * d];
  };
  const h = duration / steps;
  let now = y;
  const moved = (k: readonly number[], by: number): number[] => now.map((value, i) => value + by * k[i]);
  for (let n = 0; n < steps; n++) {
    const t = t0 + n * h;
    const k1 = rate(t, now);
    const k2 = rate(t + h / 2, moved(k1, h / 2));
    const k3 = rate(t + h / 2, moved(k2, h / 2));
    const k4 = rate(t + h, moved(k3, h));
    now = now.map((value, i) => value + (h / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]));
  }
  return now;
}

describe('Duffing’s oscillator', () => {
  it('in one of its wells has the multipliers of its variational equations, with product exp(−δ T)', () => {
    const gamma = 0.1;
    const motion = duffing(gamma, [1, 0]);
    const settling = motion.simulate(0, 40 * PERIOD, motion.initialState);
    settling.run();
    const result = findOrbit(motion, settling.x.slice(0, 2), {
      t0: 40 * PERIOD,
      period: PERIOD,
      isAutonomous: false,
    });
    if (result.status !== 'converged') throw new Error(result.status);
    const { real, imaginary } = result.multipliers;
    const product = real[0] * real[1] - imaginary[0] * imaginary[1];
    expect(Math.abs(product - Math.exp(-DELTA * PERIOD))).toBeLessThan(1e-9);
    const [q, v] = result.x;
    const [q1, v1, a, b, c, d] = variational(gamma, [q, v, 1, 0, 0, 1], 0, PERIOD, 4000);
    expect(q1).toBeCloseTo(q, 8);
    expect(v1).toBeCloseTo(v, 8);
    // Trace and determinant of the monodromy matrix (a c; b d).
    expect(real[0] + real[1]).toBeCloseTo(a + d, 8);
    expect(product).toBeCloseTo(a * d - b * c, 8);
  });

  it('in both wells is chaotic, with exponents that add up to −δ', () => {
    const gamma = 0.5;
    const motion = duffing(gamma, [0.5, 0]);
    const result = lyapunovSpectrum(motion, motion.initialState, {
      t0: 0,
      transient: 50 * PERIOD,
      duration: 500 * PERIOD,
      interval: PERIOD,
    });
    if (result.status !== 'done') throw new Error(result.status);
    const [most, least] = result.exponents;
    expect(Math.abs(most + least + DELTA)).toBeLessThan(1e-6);
    let y = [0.5, 0, 1, 0, 0, 1];
    let grown = 0;
    const periods = 3000;
    for (let n = 0; n < periods; n++) {
      y = variational(gamma, y, n * PERIOD, PERIOD, 200);
      const length = Math.hypot(y[2], y[3]);
      grown += Math.log(length);
      y = [y[0], y[1], y[2] / length, y[3] / length, 0, 0];
    }
    const expected = grown / (periods * PERIOD);
    expect(expected).toBeGreaterThan(0.1);
    expect(Math.abs(most - expected)).toBeLessThan(0.015);
  });
});
