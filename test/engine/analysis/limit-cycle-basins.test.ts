/** Limit cycles as attractors of models that nothing drives. */
import {
  Attractors,
  type BasinSettings,
  UNSETTLED,
  motionKindOf,
  settledKind,
} from '@engine/analysis/basins/attractors';
import { ClosedCurve, findLimitCycle } from '@engine/analysis/basins/limit-cycles';
import { type BasinGrid, findAttractors, gridValue, settlePart } from '@engine/analysis/basins/grid';
import { MotionModel } from '@engine/analysis/stability/motion-model';
import type { RelationForm } from '@engine/model/forms';
import { placeState } from '@engine/model/state-places';
import { describe, expect, it } from 'vitest';
import { curved, dryFriction, forced } from '../event-driven/friction-support';
import { impact, interaction, lagrangianRelation, nonlinearFirstOrder, system } from '../support/forms';

const INTEGRATION = { h: 1, relativeTolerance: 1e-9, absoluteTolerance: 1e-10 };

/**
 * ẍ + ε (a x⁴ − b x² + c) ẋ + x = 0. By averaging, x = r cos t with
 *
 *     ṙ = −ε r/2 (c − b r²/4 + a r⁴/8),
 *
 * which with a = 8, b = 20, c = 4 is 0 at r² = 1 and r² = 4: (r² − 1)(r² − 4) = r⁴ − 5 r² + 4. The inner
 * cycle is unstable. With z = r² − 4 the outer one has ż = −ε z · 12, a multiplier of exp(−24 π ε) to first
 * order in ε.
 */
const EPSILON = 0.01;
function hardOscillator(): MotionModel {
  const form = forced([0], [0], [[1]], (_t, [x], [v], out) => {
    out[0] = -EPSILON * (8 * x ** 4 - 20 * x ** 2 + 4) * v - x;
  });
  const jacobians: typeof form.forceJacobians = (_clock, [x], [v], outQ, outV) => {
    outQ[0] = -EPSILON * (32 * x ** 3 - 40 * x) * v - 1;
    outV[0] = -EPSILON * (8 * x ** 4 - 20 * x ** 2 + 4);
  };
  const model = { systems: [system('mass', { ...form, forceJacobians: jacobians })], interactions: [] };
  return new MotionModel(model, placeState(model), INTEGRATION);
}

const settings: BasinSettings = {
  period: 5,
  isAutonomous: true,
  t0: 0,
  maxPeriods: 2000,
  longestCycle: 4,
  tolerance: 1e-3,
  confirm: 4,
};

describe('an oscillator with hard excitation', () => {
  const motion = hardOscillator();
  const count = 25;
  const grid: BasinGrid = {
    start: Float64Array.of(0, 0),
    x: { place: 0, from: -2.5, to: 2.5, count },
    y: { place: 1, from: -2.5, to: 2.5, count },
  };
  const known = findAttractors(motion, settings, grid, 6);
  const whole = settlePart(motion, settings, grid, known, 0, count * count);
  const rest = known.list.findIndex(({ ownPeriod }) => ownPeriod === 0);
  const cycle = 1 - rest;

  it('has the rest and the outer cycle as attractors, with the radius, period and multiplier of averaging', () => {
    expect(known.list.length).toBe(2);
    expect(Math.hypot(...known.list[rest].points)).toBeLessThan(1e-9);
    expect(known.list[rest].largest).toBeCloseTo(Math.exp(-2 * EPSILON * settings.period), 9);
    const { points, ownPeriod, largest } = known.list[cycle];
    expect(ownPeriod / (2 * Math.PI)).toBeCloseTo(1, 3);
    for (let k = 0; k < points.length; k += 2)
      expect(Math.abs(Math.hypot(points[k], points[k + 1]) - 2)).toBeLessThan(4 * EPSILON);
    expect(Math.abs(Math.log(largest) / (-24 * Math.PI * EPSILON) - 1)).toBeLessThan(0.01);
  });

  it('has the unstable cycle for the border of their basins', () => {
    expect(new Set(whole.attractor)).toEqual(new Set([rest, cycle]));
    whole.attractor.forEach((attractor, k) => {
      const r = Math.hypot(gridValue(grid.x, k % count), gridValue(grid.y, Math.floor(k / count)));
      if (Math.abs(r - 1) > 0.03) expect(attractor).toBe(r < 1 ? rest : cycle);
    });
  });

  it('has the same numbers however it is cut, whatever other motions were followed before', () => {
    const apart = Int32Array.from({ length: count * count }, (_, k) => {
      const back = count * count - 1 - k;
      return settlePart(motion, settings, grid, structuredClone(known), back, back + 1).attractor[0];
    });
    expect(apart.reverse()).toEqual(whole.attractor);
  });

  it.each([0.9, 2, 6.289045])(
    'knows the cycle when it is looked at once in %d s, from anywhere on it',
    (period) => {
      const often = { ...settings, period, longestCycle: 8 };
      const attractors = new Attractors(motion, often, known);
      const { points } = known.list[cycle];
      for (let k = 0; k < points.length; k += 26)
        expect(attractors.settle(points.slice(k, k + 2), false)).toEqual({
          attractor: cycle,
          // A whole turn, and five periods at least.
          periods: Math.max(5, Math.ceil(6.289 / period)),
        });
      const fresh = new Attractors(motion, often);
      expect(fresh.settle(Float64Array.of(1.5, 0), true).attractor).toBe(0);
      expect(fresh.list[0].ownPeriod).toBeCloseTo(known.list[cycle].ownPeriod, 8);
      // One that is looked at with the period of the cycle itself is no point of rest.
      expect(fresh.list[0].points.length).toBeGreaterThan(100);
    },
  );

  it('has two kinds of attractors where each start is judged by itself', () => {
    const kind = (x: number): unknown =>
      motionKindOf(settledKind(motion, settings, Float64Array.of(x, 0)).kind);
    expect(kind(0.9)).toEqual({ cycle: 0, events: 0 });
    expect(kind(1.1)).toEqual({ cycle: 1, events: 0 });
  });

  it('has no cycle within the time of the search, nor where a motion spirals inwards', () => {
    const sizes = Float64Array.of(2, 2);
    const on = known.list[cycle].points.slice(0, 2);
    expect(findLimitCycle(motion, on, { ...settings, period: 1 }, sizes)).toBeNull();
    expect(findLimitCycle(motion, on, settings, sizes)?.period).toBeCloseTo(known.list[cycle].ownPeriod, 9);
    expect(findLimitCycle(motion, Float64Array.of(1e-3, 0), settings, sizes)).toBeNull();
    expect(findLimitCycle(motion, Float64Array.of(0.9, 0), settings, sizes)).toBeNull();
  });
});

/**
 * A block on a belt of speed u, which dry friction of at most F drags:  ẍ + c₁ ẋ − c₃ ẋ³ + x = λ,  |λ| ≤ F.
 *
 * While it slides λ = F and the disturbance of x = F is a hard oscillator: it dies out where the amplitude of
 * the velocity is below √(4 c₁/(3 c₃)), and grows above, until the block is as fast as the belt and sticks.
 * The belt lets it go where friction reaches F, so that it slips again: a cycle with sticking around the
 * point of rest.
 */
const [BELT, C1, C3, F] = [1, 0.03, 0.16, 1];
function blockOnBelt(): MotionModel {
  const form = forced([0], [0], [[1]], (_t, [x], [v], out) => {
    out[0] = -C1 * v + C3 * v ** 3 - x;
  });
  const jacobians: typeof form.forceJacobians = (_clock, _q, [v], outQ, outV) => {
    outQ[0] = -1;
    outV[0] = -C1 + 3 * C3 * v * v;
  };
  const slip = curved(
    1,
    1,
    ([q], out) => (out[0] = q),
    (_q, out) => (out[0] = 1),
  );
  const onBelt: RelationForm = {
    ...slip,
    isTimeDependent: true,
    output: (clock, [q], _lambda, out) => {
      out[0] = q - BELT * clock[0];
    },
    timeDerivative: (_clock, _q, out) => {
      out[0] = -BELT;
    },
  };
  const model = {
    systems: [system('block', { ...form, forceJacobians: jacobians })],
    interactions: [interaction('belt', [0], onBelt, dryFriction(F))],
  };
  return new MotionModel(model, placeState(model), INTEGRATION);
}

describe('a block on a belt', () => {
  const motion = blockOnBelt();
  const grid: BasinGrid = {
    start: Float64Array.of(0, 0),
    x: { place: 0, from: 0.05, to: 1.95, count: 16 },
    y: { place: 1, from: -0.9, to: 0.9, count: 16 },
  };
  const known = findAttractors(motion, settings, grid, 3);
  const { attractor } = settlePart(motion, settings, grid, known, 0, 256);

  it('comes to rest or to a cycle with sticking, whose border is that of averaging', () => {
    expect(known.list.length).toBe(2);
    const rest = known.list.findIndex(({ ownPeriod }) => ownPeriod === 0);
    expect([...known.list[rest].points]).toEqual([1, 0].map((value): unknown => expect.closeTo(value, 8)));
    const [cycle] = known.list.filter(({ ownPeriod }) => ownPeriod > 0);
    // Sticking forgets where the block was.
    expect(cycle.largest).toBeLessThan(1e-12);
    expect(Math.max(...cycle.points.filter((_, k) => k % 2 === 1))).toBeCloseTo(BELT, 9);
    const border = Math.sqrt((4 * C1) / (3 * C3));
    attractor.forEach((number, k) => {
      const r = Math.hypot(gridValue(grid.x, k % 16) - F, gridValue(grid.y, Math.floor(k / 16)));
      if (Math.abs(r - border) > 0.05) expect(number).toBe(r < border ? rest : 1 - rest);
    });
    // By plain long runs: does the block still stick after 400 s?
    for (let k = 0; k < 256; k += 11) {
      const start = Float64Array.of(gridValue(grid.x, k % 16), gridValue(grid.y, Math.floor(k / 16)));
      const run = motion.simulate(0, 420, start, 420);
      run.run();
      expect(run.events.some(({ time }) => time > 400)).toBe(attractor[k] !== rest);
    }
  });

  it('sticks and slips once a turn on the cycle, and does neither at rest', () => {
    const kind = (x: number): unknown =>
      motionKindOf(settledKind(motion, settings, Float64Array.of(x, 0)).kind);
    expect(kind(1.8)).toEqual({ cycle: 1, events: 2 });
    expect(kind(1.2)).toEqual({ cycle: 0, events: 0 });
  });
});

describe('Rössler’s flow, whose cycle doubles', () => {
  const flow = (c: number): MotionModel => {
    const form = nonlinearFirstOrder(
      [1, 1, 0],
      (_t, [x, y, z], out) => {
        out.set([-y - z, x + 0.2 * y, 0.2 + z * (x - c)]);
      },
      (_t, [x, , z], out) => {
        out.set([0, -1, -1, 1, 0.2, 0, z, 0, x - c]);
      },
    );
    const model = { systems: [system('flow', form)], interactions: [] };
    return new MotionModel(model, placeState(model), INTEGRATION);
  };
  const starts = [1, 2, 3].map((x) => Float64Array.of(x, 1, 0.1));

  it.each([
    [2.5, 1],
    [3.5, 2],
    [4, 4],
  ])('has for c = %d one cycle that goes round %d times, whenever it is looked at', (c, loops) => {
    const motion = flow(c);
    const periods = [3, 5, 12].map((period) => {
      const attractors = new Attractors(motion, { ...settings, period, longestCycle: 16 });
      for (const start of starts) expect(attractors.settle(start, true).attractor).toBe(0);
      const { points, ownPeriod } = attractors.list[0];
      const y = points.filter((_, k) => k % 3 === 1);
      expect(y.filter((value, k) => value < 0 && (y.at(k + 1 - y.length) ?? 0) >= 0).length).toBe(loops);
      return ownPeriod;
    });
    for (const period of periods) expect(period).toBeCloseTo(periods[0], 7);
  });

  it('has none where it is chaotic', () => {
    const attractors = new Attractors(flow(5.7), { ...settings, longestCycle: 16, maxPeriods: 200 });
    expect(attractors.settle(starts[0], true)).toEqual({ attractor: UNSETTLED, periods: 200 });
    expect(attractors.list).toEqual([]);
  });
});

describe('an oscillator that winds up by itself and hits a wall', () => {
  /** q̈ = −q + 0.2 q̇ with q ≤ 1 and e = 0.5. */
  const form = forced([0.5], [0], [[1]], (_t, [q], [v], out) => (out[0] = -q + 0.2 * v));
  const jacobians: typeof form.forceJacobians = (_clock, _q, _v, outQ, outV) => {
    outQ[0] = -1;
    outV[0] = 0.2;
  };
  const model = {
    systems: [system('mass', { ...form, forceJacobians: jacobians })],
    interactions: [interaction('wall', [0], lagrangianRelation([[-1]], [1]), impact(0.5))],
  };
  const motion = new MotionModel(model, placeState(model), INTEGRATION);

  it('has a cycle with a jump, that of its long runs', () => {
    const attractors = new Attractors(motion, settings);
    for (const q of [0.1, 0.5, 0.9])
      expect(attractors.settle(Float64Array.of(q, 0.3), true).attractor).toBe(0);
    const [{ points, ownPeriod }] = attractors.list;
    const run = motion.simulate(0, 300, Float64Array.of(0.5, 0), 300);
    run.run();
    const [last, before] = [run.events.at(-1)?.time ?? NaN, run.events.at(-2)?.time ?? NaN];
    expect(ownPeriod).toBeCloseTo(last - before, 7);
    // Before and after the impact the block is at the wall, half as fast after it.
    const atWall = Array.from(points, (q, k) => (k % 2 === 0 && q > 1 - 1e-9 ? points[k + 1] : NaN)).filter(
      (v) => !Number.isNaN(v),
    );
    expect(atWall).toHaveLength(2);
    expect(atWall[1]).toBeCloseTo(-0.5 * atWall[0], 8);
    expect(motionKindOf(settledKind(motion, settings, Float64Array.of(0.5, 0)).kind)).toEqual({
      cycle: 1,
      events: 1,
    });
  });
});

describe('a closed curve', () => {
  const square = new ClosedCurve(Float64Array.of(0, 0, 1, 0, 1, 2, 0, 2), 2);
  const sizes = Float64Array.of(1, 2);
  const isNear = (...x: readonly number[]): boolean => square.isNear(Float64Array.from(x), 0, sizes, 0.01);

  it('has what is within the tolerance of a side, the last one included, and nothing inside', () => {
    expect(isNear(0.5, 0.019)).toBe(true);
    expect(isNear(0.5, 0.021)).toBe(false);
    expect(isNear(0.009, 1)).toBe(true);
    expect(isNear(-0.011, 1)).toBe(false);
    expect(isNear(0.5, 1)).toBe(false);
    expect(isNear(1.009, 2.019)).toBe(true);
    expect(square.extent(sizes)).toBe(1);
  });
});
