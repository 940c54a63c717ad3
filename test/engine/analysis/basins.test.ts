/** Which attractor motions come to, of an oscillator that hits a wall: two orbits that coexist. */
import { Attractors, FAILED_START, UNSETTLED } from '@engine/analysis/basins/attractors';
import { type BasinGrid, findAttractors, settlePart, startAt } from '@engine/analysis/basins/grid';
import { MotionModel } from '@engine/analysis/stability/motion-model';
import { findOrbit } from '@engine/analysis/stability/periodic-orbit';
import { placeState } from '@engine/model/state-places';
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

const settings = {
  period: T,
  isAutonomous: false,
  t0: 0,
  maxPeriods: 400,
  longestCycle: 6,
  tolerance: 1e-4,
  confirm: 3,
};

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
    expect(none.settle(Float64Array.of(-1, 0), true).attractor).toBe(FAILED_START);
  });
});

describe('a grid of starts', () => {
  const motion = oscillator();
  const grid: BasinGrid = {
    start: Float64Array.of(0, 0),
    x: { place: 0, from: 0.01, to: 2.5, count: 8 },
    y: { place: 1, from: -2.5, to: 2.5, count: 8 },
  };
  const known = findAttractors(motion, settings, grid, 3);
  const whole = settlePart(motion, settings, grid, known, 0, 64);

  it('goes row by row from the lower ends of its axes to the upper ones', () => {
    expect([...startAt(grid, 0)]).toEqual([0.01, -2.5]);
    expect([...startAt(grid, 7)]).toEqual([2.5, -2.5]);
    expect([...startAt(grid, 63)]).toEqual([2.5, 2.5]);
    const line: BasinGrid = { ...grid, x: { ...grid.x, count: 1 } };
    expect([...startAt(line, 7)]).toEqual([0.01, 2.5]);
  });

  it('has the same numbers however it is cut and in whatever order the parts are done', () => {
    const parts = [40, 13, 0, 63].map((first) => {
      const end = { 0: 13, 13: 40, 40: 63, 63: 64 }[first]!;
      return { first, part: settlePart(motion, settings, grid, structuredClone(known), first, end) };
    });
    const joined = new Int32Array(64);
    const periods = new Int32Array(64);
    for (const { first, part } of parts) {
      joined.set(part.attractor, first);
      periods.set(part.periods, first);
    }
    expect(joined).toEqual(whole.attractor);
    expect(periods).toEqual(whole.periods);
    expect(new Set(joined)).toEqual(new Set([0, 1]));
  });

  it('keeps its distances when a motion comes from far away', () => {
    const attractors = new Attractors(motion, settings, known);
    expect(attractors.settle(Float64Array.of(50, 0), false).attractor).not.toBe(FAILED_START);
    expect(attractors.known.sizes).toEqual(known.sizes);
  });

  it('has the attractors on which the motions still are long after they were recognised', () => {
    const { list } = known;
    const periods = 300;
    for (let number = 0; number < 64; number += 5) {
      const simulation = motion.simulate(0, periods * T, startAt(grid, number), periods);
      while (simulation.hasNextEvent) simulation.computeOneStep();
      const { x } = simulation;
      const distances = list.map(({ points, cycle }) =>
        Math.min(
          ...Array.from({ length: cycle }, (_, k) =>
            Math.hypot(x[0] - points[2 * k], x[1] - points[2 * k + 1]),
          ),
        ),
      );
      expect(distances[whole.attractor[number]]).toBeLessThan(1e-3);
      expect(Math.max(...distances)).toBeGreaterThan(1e-2);
    }
  });
});
