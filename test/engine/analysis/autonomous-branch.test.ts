/** Branches of limit cycles, whose period is unknown, against closed forms and published periods. */
import type { Branch, ForcedMotion } from '@engine/analysis/continuation/branch';
import { followBranch } from '@engine/analysis/continuation/continuation';
import { MotionModel } from '@engine/analysis/stability/motion-model';
import { findOrbit } from '@engine/analysis/stability/periodic-orbit';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { placeState } from '@engine/model/state-places';
import { describe, expect, it } from 'vitest';
import {
  interaction,
  linearFirstOrder,
  linearRelation,
  nonlinearFirstOrder,
  relay,
  system,
} from '../support/forms';

type ModelAt = (p: number) => NonSmoothDynamicalSystem;

/** Residuals are below those of Newton's method. */
const FINE = { relativeTolerance: 1e-12, absoluteTolerance: 1e-12 };

function branchOf(
  modelAt: ModelAt,
  start: { readonly p: number; readonly period: number; readonly settle: number },
  range: {
    readonly from: number;
    readonly to: number;
    readonly direction: 1 | -1;
    readonly maxPoints?: number;
  },
  h = 0.1,
): Branch {
  const at = (p: number): ForcedMotion => {
    const model = modelAt(p);
    return { motion: new MotionModel(model, placeState(model), { h, ...FINE }), period: start.period, t0: 0 };
  };
  const { motion } = at(start.p);
  const before = motion.simulate(0, start.settle, motion.initialState);
  before.run();
  const guess = before.x.slice(0, motion.size);
  const orbit = findOrbit(motion, guess, { t0: 0, period: start.period, isAutonomous: true });
  if (orbit.status !== 'converged') throw new Error(orbit.status);
  return followBranch(
    at,
    { p: start.p, x: orbit.x, period: orbit.period },
    { ...range, isAutonomous: true, longestStep: 0.05 },
  );
}

/**
 * 1/((s + 1)(s + 2)(s + p)) under relay feedback. With its partial fractions c_i/(s + a_i), and half the
 * period h,
 *
 *     z_i(0) = −tanh(a_i h/2)/a_i   where the relay switches,     Σ c_i z_i(0) = 0;
 *
 * the saltation matrices have the determinant 1, so that the product of the multipliers is e^(−(3 + p) T).
 */
describe('the limit cycle of a relay', () => {
  const feedback: ModelAt = (p) => ({
    systems: [
      system(
        'plant',
        linearFirstOrder(
          [
            [0, 1, 0],
            [0, 0, 1],
            [-2 * p, -2 - 3 * p, -3 - p],
          ],
          [0.1, 0, 0],
        ),
      ),
    ],
    interactions: [interaction('relay', [0], linearRelation([[1, 0, 0]], [[0], [0], [1]]), relay(-1, 1))],
  });
  const condition = (p: number, h: number): number =>
    Math.tanh(h / 2) / (p - 1) -
    Math.tanh(h) / (2 * (p - 2)) +
    Math.tanh((p * h) / 2) / (p * (1 - p) * (2 - p));
  const periodAt = (p: number): number => {
    let [low, high] = [0.3, 20];
    for (let k = 0; k < 100; k++) {
      const h = (low + high) / 2;
      if (condition(p, h) > 0 === condition(p, 20) > 0) high = h;
      else low = h;
    }
    return 2 * low;
  };

  it.each([1, -1] as const)(
    'has the periods and multipliers of the closed form, direction %i',
    (direction) => {
      const start = { p: 3, period: periodAt(3) * 1.02, settle: 60 };
      const branch = branchOf(feedback, start, { from: 2.2, to: 6, direction });
      expect(branch.end).toBe('range');
      expect(branch.special).toEqual([]);
      expect(branch.points.length).toBeGreaterThan(5);
      for (const { p, period, multipliers, isStable, events } of branch.points) {
        expect(Math.abs(period - periodAt(p))).toBeLessThan(1e-8);
        const { real, imaginary } = multipliers;
        expect(real.length).toBe(2);
        const product = imaginary[0] === 0 ? real[0] * real[1] : real[0] ** 2 + imaginary[0] ** 2;
        expect(Math.abs(product - Math.exp(-(3 + p) * period))).toBeLessThan(1e-10);
        expect(isStable).toBe(true);
        expect(events.map(({ kind }) => kind)).toEqual(['switch', 'switch']);
        // No event comes near the start, however the period changes.
        expect(events[0].time).toBeGreaterThan(0.01 * period);
        expect(events[1].time).toBeLessThan(0.99 * period);
      }
    },
  );
});

describe('the limit cycle of van der Pol', () => {
  const vanDerPol: ModelAt = (mu) => ({
    systems: [
      system(
        'circuit',
        nonlinearFirstOrder(
          [2, 0],
          (_t, [x, v], out) => {
            out[0] = v;
            out[1] = mu * (1 - x * x) * v - x;
          },
          (_t, [x, v], out) => {
            out.set([0, 1, -2 * mu * x * v - 1, mu * (1 - x * x)]);
          },
        ),
      ),
    ],
    interactions: [],
  });
  /** Andersen and Geer 1982, table of periods. */
  const PERIODS = [
    [1, 6.66328686],
    [2, 7.62987448],
    [3, 8.8590955],
  ] as const;

  it('has the published periods along its branch', () => {
    const branch = branchOf(vanDerPol, { p: 1, period: 6.7, settle: 60 }, { from: 0.5, to: 3, direction: 1 });
    expect(branch.end).toBe('range');
    expect(branch.points.every(({ isStable }) => isStable)).toBe(true);
    for (const [mu, period] of PERIODS) {
      // Cubic through the four nearest points of the branch, which are some hundredths apart.
      const near = [...branch.points].sort((a, b) => Math.abs(a.p - mu) - Math.abs(b.p - mu)).slice(0, 6);
      const value = near.reduce((sum, one) => {
        const weight = near.reduce(
          (w, other) => (other === one ? w : (w * (mu - other.p)) / (one.p - other.p)),
          1,
        );
        return sum + weight * one.period;
      }, 0);
      expect(Math.abs(value - period)).toBeLessThan(1e-5);
      const model = vanDerPol(near[0].p);
      const motion = new MotionModel(model, placeState(model), { h: 0.1, ...FINE });
      const run = motion.simulate(0, near[0].period, near[0].x);
      run.run();
      expect(Math.abs(run.x[0] - near[0].x[0])).toBeLessThan(1e-8);
    }
  });
});
