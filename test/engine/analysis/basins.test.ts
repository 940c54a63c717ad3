/** Which attractor motions come to, of an oscillator that hits a wall: two orbits that coexist. */
import { Attractors, FAILED, UNSETTLED } from '@engine/analysis/basins/attractors';
import { MotionModel } from '@engine/analysis/stability/motion-model';
import { findOrbit } from '@engine/analysis/stability/periodic-orbit';
import { placeState } from '@engine/simulation/layout';
import { describe, expect, it } from 'vitest';
import { forced } from '../event-driven/friction-support';
import { impact, interaction, lagrangianRelation, system } from '../support/forms';

const OMEGA = 2.6;
const T = (2 * Math.PI) / OMEGA;

/** q̈ + 0.1 q̇ + q = cos ωt, a wall at q = 0 with e = 0.8. */
function oscillator(): MotionModel {
  const form = forced([1], [0], [[1]], (t, q, v, out) => (out[0] = Math.cos(OMEGA * t) - q[0] - 0.1 * v[0]));
  const jacobians: typeof form.forceJacobians = (_clock, _q, _v, outQ, outV) => {
    outQ[0] = -1;
    outV[0] = -0.1;
  };
  const model = {
    systems: [system('mass', { ...form, forceJacobians: jacobians })],
    interactions: [interaction('wall', [0], lagrangianRelation([[1]]), impact(0.8))],
  };
  return new MotionModel(model, placeState(model), {
    h: T,
    relativeTolerance: 1e-9,
    absoluteTolerance: 1e-10,
  });
}

const settings = { period: T, t0: 0, maxPeriods: 400, longestCycle: 6, tolerance: 1e-4, confirm: 3 };

describe('the attractors of an oscillator with a wall', () => {
  const motion = oscillator();
  const attractors = new Attractors(motion, settings);
  const starts = Array.from({ length: 25 }, (_, k) =>
    Float64Array.of(0.01 + 0.6 * (k % 5), -2.5 + Math.floor(k / 5) * 1.25),
  );
  const settled = starts.map((start) => attractors.settle(start, true));

  it('are found once each, and are orbits that shooting finds and that are stable', () => {
    expect(attractors.list.map(({ cycle }) => cycle).sort()).toEqual([1, 3]);
    for (const { points, cycle } of attractors.list) {
      const guess = points.slice(0, 2);
      const orbit = findOrbit(motion, guess, { t0: 0, period: cycle * T, isAutonomous: false });
      if (orbit.status !== 'converged') throw new Error(orbit.status);
      expect(Math.abs(orbit.x[0] - guess[0])).toBeLessThan(1e-4);
      const { real, imaginary } = orbit.multipliers;
      expect(Math.max(...real.map((re, k) => Math.hypot(re, imaginary[k])))).toBeLessThan(1);
    }
  });

  it('are both reached, by the same starts each time', () => {
    expect(new Set(settled.map(({ attractor }) => attractor))).toEqual(new Set([0, 1]));
    const again = new Attractors(motion, settings);
    expect(starts.map((start) => again.settle(start, true))).toEqual(settled);
  });

  it('are those of motions that start on them; others are not claimed', () => {
    attractors.list.forEach(({ points }, number) => {
      const { attractor, periods } = attractors.settle(points.slice(0, 2), false);
      expect(attractor).toBe(number);
      expect(periods).toBeLessThan(6);
    });
    const none = new Attractors(motion, { ...settings, maxPeriods: 5 });
    expect(none.settle(starts[7], true).attractor).toBe(UNSETTLED);
    expect(none.settle(Float64Array.of(-1, 0), true).attractor).toBe(FAILED);
  });
});
