/** The certificate of the motion between events objects to motions that are not those of the forces. */
import { EventDriven } from '@engine/event-driven/event-driven';
import { MotionCheck } from '@engine/event-driven/certificate/motion-check';
import type { LagrangianForm } from '@engine/model/forms';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { placeState } from '@engine/model/state-places';
import { describe, expect, it } from 'vitest';
import { linearFirstOrder, linearLagrangian, system } from '../support/forms';
import { ball, G, simulateEvents } from './support';

interface Motion {
  /** q | v, or x, at time t */
  readonly state: (t: number) => readonly number[];
  /** multipliers */
  readonly lambda?: readonly number[];
}

/** Worst defect of a motion over [start, start + length]. */
const defect = (
  model: NonSmoothDynamicalSystem,
  motion: Motion,
  { start = 0, length = 0.5, resolution = Infinity } = {},
): number => worstDefect(model, motion, [[start, length]], resolution);

/** The same over several stretches. @param grid start of the simulation and step of its grid, s */
function worstDefect(
  model: NonSmoothDynamicalSystem,
  { state, lambda = [] }: Motion,
  stretches: readonly (readonly [number, number])[],
  resolution: number,
  grid?: { t0: number; h: number },
): number {
  const places = placeState(model);
  let worst = 0;
  const stretch = new Float64Array(2);
  const check = new MotionCheck(
    model,
    places,
    {
      stretch,
      x: Float64Array.from(state(0)),
      sample: (place, out) => {
        out.set(state(stretch[0] + place[0]));
      },
    },
    Float64Array.of(resolution),
    {
      write: (clock, x, row) => {
        row[0] = clock[0];
        const { ndof } = places;
        for (let k = 0; k < ndof; k++) {
          row[places.q + k] = x[k];
          if (x.length > ndof) row[places.v + k] = x[ndof + k];
        }
        lambda.forEach((value, r) => (row[places.lambda + r] = value));
      },
    },
    { motion: (value) => (worst = Number.isNaN(value) ? NaN : Math.max(worst, value)) },
    null,
    grid,
  );
  for (const next of stretches) {
    stretch.set(next);
    check.judge();
  }
  return worst;
}

describe('a fall', () => {
  const model = ball(0.9, 0.5);
  const fall =
    (a: number) =>
    (t: number): readonly number[] => [1 - (a / 2) * t * t, -a * t];

  it('must be that of the forces, multipliers included', () => {
    expect(defect(model, { state: fall(G) })).toBeLessThan(1e-15);
    expect(defect(model, { state: fall(G - 2), lambda: [2] })).toBeLessThan(1e-15);
    // ∫ (G − 2) dt is missing 2 of the G + 2 that act
    expect(defect(model, { state: fall(G), lambda: [2] })).toBeCloseTo(2 / (G + 2), 10);
    expect(defect(model, { state: fall(G - 2) })).toBeGreaterThan(0.1);
  });

  it('is measured by a whole step of the grid while that lasts, and not afterwards', () => {
    const grid = { t0: 0, h: 0.1 };
    const wrong = { state: fall(G - 2) };
    const measured = (...stretches: [number, number][]): number =>
      worstDefect(model, wrong, stretches, Infinity, grid);
    // ∫ 2 dt is missing of G, for a hundredth of the step
    expect(measured([0, 1e-3])).toBeCloseTo((2 * 1e-3) / (G * 0.1), 10);
    const later = (t: number): readonly number[] => (t < 5 ? fall(G)(t) : fall(G - 2)(t - 10));
    const after = worstDefect(
      model,
      { state: later },
      [
        [0, 1e-3],
        [10, 0.5],
      ],
      Infinity,
      { t0: 0, h: 5 },
    );
    expect(after).toBeCloseTo(2 / G, 10);
  });

  it('must have a velocity that is the derivative of its position', () => {
    const state = (t: number): readonly number[] => [-G * t * t, -G * t];
    // ∫ v dt is half of the way
    expect(defect(model, { state })).toBeCloseTo(0.5, 10);
  });

  it('that is not a number is not passed over', () => {
    expect(defect(model, { state: (t) => [NaN, -G * t] })).toBeNaN();
  });

  it('of no duration says nothing', () => {
    expect(defect(model, { state: () => [NaN, NaN] }, { length: 0 })).toBe(0);
  });
});

describe('an oscillation', () => {
  const model: NonSmoothDynamicalSystem = {
    systems: [system('mass', linearLagrangian([1], [0], [[2]], { stiffness: [[18]], damping: [[0.4]] }))],
    interactions: [],
  };
  // q̈ + 0.2 q̇ + 9 q = 0
  const omega = Math.sqrt(9 - 0.01);
  const state = (t: number): readonly number[] => {
    const decay = Math.exp(-0.1 * t);
    const [c, s] = [Math.cos(omega * t), Math.sin(omega * t)];
    return [decay * (c + (0.1 / omega) * s), -decay * (omega + 0.01 / omega) * s];
  };

  it('is judged to rounding over an arc of 1.5 reciprocal rates', () => {
    expect(defect(model, { state }, { start: 3, length: 0.5 })).toBeLessThan(1e-14);
  });

  it('that is wrong by 1e-9 is noted', () => {
    const wrong = (t: number): readonly number[] => {
      const [q, v] = state(t);
      return [q, v + 1e-9 * t * t];
    };
    expect(defect(model, { state: wrong }, { length: 0.5 })).toBeGreaterThan(1e-11);
  });

  it('is judged over the last part of a stretch that is too long for the formula', () => {
    expect(defect(model, { state }, { length: 500 })).toBeGreaterThan(1e-3);
    expect(defect(model, { state }, { length: 500, resolution: 0.5 })).toBeLessThan(1e-13);
  });
});

describe('other systems', () => {
  it('first order with a mass: M ẋ = A x', () => {
    const model: NonSmoothDynamicalSystem = {
      systems: [system('circuit', linearFirstOrder([[-6]], [1], { mass: [[3]] }))],
      interactions: [],
    };
    expect(defect(model, { state: (t) => [Math.exp(-2 * t)] })).toBeLessThan(1e-14);
    expect(defect(model, { state: (t) => [Math.exp(-2.001 * t)] })).toBeGreaterThan(1e-5);
  });

  it('a mass that depends on q: (1 + q²) q̈ = −q q̇², which keeps (1 + q²) q̇²', () => {
    const form: LagrangianForm = {
      order: 2,
      size: 1,
      q0: Float64Array.of(0),
      v0: Float64Array.of(1),
      constantMass: null,
      mass: (q, out) => (out[0] = 1 + q[0] * q[0]),
      linear: null,
      force: (_clock, q, v, out) => (out[0] = -q[0] * v[0] * v[0]),
      forceJacobians: (_clock, q, v, outQ, outV) => {
        outQ[0] = -v[0] * v[0];
        outV[0] = -2 * q[0] * v[0];
      },
    };
    const simulation = simulateEvents(
      { systems: [system('s', form)], interactions: [] },
      { tEnd: 1, h: 0.25 },
    );
    simulation.run();
    expect(simulation.flight).toBe('integrated');
    expect(simulation.certificate.worst.motion).toBeLessThan(1e-11);
    expect(simulation.certificate.worst.motion).toBeGreaterThan(0);
  });
});

describe('a whole simulation', () => {
  it('is judged without being changed, integrated and exact', () => {
    const model = ball(0.9, 0.9);
    for (const flights of ['integrated', 'exact'] as const) {
      const [plain, certified] = [false, true].map((certify) => {
        const places = placeState(model);
        const simulation = new EventDriven(model, places, { t0: 0, tEnd: 9, h: 0.005, flights, certify });
        const rows: number[] = [];
        while (simulation.hasNextEvent) {
          simulation.computeOneStep();
          rows.push(...simulation.state);
        }
        return { rows, motion: simulation.certificate.worst.motion };
      });
      expect(certified.rows).toEqual(plain.rows);
      expect(plain.motion).toBe(0);
      expect(certified.motion).toBeGreaterThan(0);
      expect(certified.motion).toBeLessThan(flights === 'exact' ? 1e-14 : 1e-11);
    }
  });
});
