/**
 * The kinematic levels of S1 as the library gives them. Of a row with the output y(t, q): y[0] = y and y[1] =
 * ẏ in the state, λ[2] the force between events in the state, λ[1] the impulse of an event in `impulses`; to
 * each multiplier belongs what it does to the coordinates, p[i] = ᵗH λ[i].
 */
import { describe, expect, it } from 'vitest';
import {
  EventDriven,
  type KinematicLevel,
  KinematicLevels,
  type NonSmoothDynamicalSystem,
  placeState,
} from '@engine/index';
import { body, joint } from '../support/bodies';
import { buildSound } from '../support/built';
import * as forms from '../support/forms';
import { model as document } from '../support/models';

const G = 9.81;
const MASSES = [2, 0.5];
const RESTITUTION = 0.5;
/** The lower body above the floor, and the upper one above the lower one. */
const H = [
  [1, 0],
  [-1, 1],
];
const OFFSET = [0, -0.2];

/** The lower body lies on the floor, and the upper one falls onto it from half a metre. */
function stacked(): NonSmoothDynamicalSystem {
  const force = MASSES.map((mass) => -mass * G);
  const [[below], above] = H;
  return {
    systems: [
      forms.system('lower', forms.linearLagrangian([0], [0], [[MASSES[0]]], { force: [force[0]] })),
      forms.system('upper', forms.linearLagrangian([0.7], [0], [[MASSES[1]]], { force: [force[1]] })),
    ],
    interactions: [
      forms.interaction(
        'floor',
        [0],
        forms.lagrangianRelation([[below]], [OFFSET[0]]),
        forms.impact(RESTITUTION),
      ),
      forms.interaction(
        'between',
        [0, 1],
        forms.lagrangianRelation([above], [OFFSET[1]]),
        forms.impact(RESTITUTION),
      ),
    ],
  };
}

const times = (matrix: readonly number[][], x: readonly number[]): number[] =>
  matrix.map((row) => row.reduce((sum, value, k) => sum + value * x[k], 0));
/** p[i] = ᵗH λ[i] */
const p = (lambda: readonly number[]): number[] =>
  [0, 1].map((k) => lambda.reduce((sum, value, row) => sum + H[row][k] * value, 0));

describe('kinematic levels', () => {
  const model = stacked();
  const places = placeState(model);
  const pair = (row: Float64Array, at: number): [number, number] => [row[at], row[at + 1]];
  const simulation = new EventDriven(model, places, { t0: 0, tEnd: 3, h: 0.01 });
  const rows: Float64Array[] = [simulation.state.slice()];
  const jumps: { before: Float64Array; after: Float64Array; impulses: [number, number] }[] = [];
  while (simulation.hasNextEvent) {
    simulation.computeOneStep();
    const { before, state, impulses } = simulation;
    if (simulation.rowsAtEvent === 2)
      jumps.push({ before: before.slice(), after: state.slice(), impulses: pair(impulses, 0) });
    rows.push(state.slice());
  }

  it('y[0] and y[1] are the outputs of the coordinates and their rates', () => {
    for (const row of rows) {
      const gap = times(H, pair(row, places.q)).map((value, i) => value + OFFSET[i]);
      const speed = times(H, pair(row, places.v));
      for (const i of [0, 1]) {
        expect(Math.abs(row[places.y + i] - gap[i])).toBeLessThan(1e-14);
        expect(Math.abs(row[places.yDot + i] - speed[i])).toBeLessThan(1e-14);
      }
    }
  });

  it('λ[1] is the impulse of the jump: M (v⁺ − v⁻) = p[1], 0 ≤ y[1]⁺ + e y[1]⁻ ⊥ λ[1] ≥ 0', () => {
    expect(jumps.filter(({ impulses }) => impulses[1] > 0).length).toBeGreaterThan(5);
    // At the first one the lower body is pressed onto the floor: both have an impulse.
    expect(Math.min(...jumps[0].impulses)).toBeGreaterThan(1);
    for (const { before, after, impulses } of jumps.slice(0, 6)) {
      p(impulses).forEach((value, k) => {
        const momentum = MASSES[k] * (after[places.v + k] - before[places.v + k]);
        expect(Math.abs(momentum - value)).toBeLessThan(1e-13);
      });
      impulses.forEach((impulse, i) => {
        const w = after[places.yDot + i] + RESTITUTION * before[places.yDot + i];
        expect(impulse).toBeGreaterThanOrEqual(0);
        if (impulse > 0) expect(Math.abs(w)).toBeLessThan(1e-13);
        else expect(w).toBeGreaterThan(-1e-13);
      });
    }
  });

  it('λ[2] is the force between events: M v̇ = F + p[2], 0 ≤ y[0] ⊥ λ[2] ≥ 0', () => {
    let flights = 0;
    for (let k = 1; k < rows.length; k++) {
      const [from, to] = [rows[k - 1], rows[k]];
      const duration = to[0] - from[0];
      const hasJumped = jumps.some(({ after }) => after[0] > from[0] && after[0] <= to[0]);
      if (hasJumped || duration < 1e-3) continue;
      flights++;
      const lambda = pair(from, places.lambda);
      // The forces are constant here, and so is the acceleration.
      p(lambda).forEach((value, i) => {
        const acceleration = (to[places.v + i] - from[places.v + i]) / duration;
        expect(Math.abs(MASSES[i] * (acceleration + G) - value)).toBeLessThan(1e-9);
      });
      lambda.forEach((force, i) => {
        expect(force).toBeGreaterThanOrEqual(0);
        if (from[places.y + i] > 1e-9) expect(force).toBe(0);
      });
    }
    expect(flights).toBeGreaterThan(200);
    const rest = rows[rows.length - 1];
    expect(rest[places.lambda]).toBeCloseTo((MASSES[0] + MASSES[1]) * G, 12);
    expect(rest[places.lambda + 1]).toBeCloseTo(MASSES[1] * G, 12);
  });
});

/** Levels at all rows of a simulation, with the impulses of those behind an event. */
function* levelsOf(
  model: NonSmoothDynamicalSystem,
  settings: { tEnd: number; h: number },
): Generator<{ row: Float64Array; impulses: Float64Array; at: Level }> {
  const places = placeState(model);
  const simulation = new EventDriven(model, places, { t0: 0, ...settings });
  const levels = new KinematicLevels(model, places);
  while (simulation.hasNextEvent) {
    simulation.computeOneStep();
    const { state: row, impulses } = simulation;
    const at: Level = (quantity, level) => {
      const out = new Float64Array(quantity === 'p' ? places.ndof : places.rows).fill(NaN);
      if (quantity === 'y') levels.outputs(level, row, out);
      else if (quantity === 'lambda') levels.multipliers(level, row, impulses, out);
      else levels.inputs(level, row, impulses, out);
      return [...out];
    };
    yield { row, impulses, at };
  }
}
type Level = (quantity: 'y' | 'lambda' | 'p', level: KinematicLevel) => number[];

const expectNear = (found: readonly number[], wanted: readonly number[], bound = 1e-12): void => {
  expect(found).toHaveLength(wanted.length);
  found.forEach((value, k) => {
    expect(Math.abs(value - wanted[k])).toBeLessThan(bound);
  });
};

describe('the levels of a row of the result', () => {
  it('of bodies that fall onto each other: y[i] = dⁱy/dtⁱ, p[i] = ᵗH λ[i], and y[2] ⊥ λ[2]', () => {
    const places = placeState(stacked());
    let [impacts, contacts] = [0, 0];
    for (const { row, impulses, at } of levelsOf(stacked(), { tEnd: 3, h: 0.01 })) {
      const pair = (place: number): [number, number] => [row[place], row[place + 1]];
      const force = pair(places.lambda);
      expect(at('y', 0)).toEqual(pair(places.y));
      expectNear(at('y', 1), times(H, pair(places.v)));
      expect(at('lambda', 0)).toEqual([0, 0]);
      expect(at('lambda', 1)).toEqual([...impulses]);
      expect(at('lambda', 2)).toEqual(force);
      expect(at('p', 0)).toEqual([0, 0]);
      expectNear(at('p', 1), p([...impulses]));
      expectNear(at('p', 2), p(force));
      const accelerations = p(force).map((value, k) => value / MASSES[k] - G);
      expectNear(at('y', 2), times(H, accelerations));
      at('y', 2).forEach((acceleration, i) => {
        if (force[i] > 0) expect(Math.abs(acceleration)).toBeLessThan(1e-12);
        contacts += force[i] > 0 ? 1 : 0;
      });
      impacts += impulses.some((P) => P > 0) ? 1 : 0;
    }
    expect(impacts).toBeGreaterThan(5);
    expect(contacts).toBeGreaterThan(100);
  });

  it('of a joint whose direction turns: y[2] = C v̇ + γ stays zero, and p[2] is the force of the rod', () => {
    const rod = joint('rod', ['bob'], { type: 'Distance', length: 1 });
    const { model } = buildSound(document([body('bob', [1, 0, 0])], [rod]));
    for (const { row, at } of levelsOf(model, { tEnd: 1, h: 0.05 })) {
      const [, x, y, , vx, vy] = row;
      expectNear([...at('y', 0), ...at('y', 1), ...at('y', 2)], [0, 0, 0], 1e-9);
      // m (g cos φ + φ̇²), towards the pin
      const pull = -9.81 * y + vx * vx + vy * vy;
      expectNear(at('p', 2), [-pull * x, -pull * y, 0], 1e-9);
      expect(at('lambda', 1)).toEqual([0]);
    }
  });

  it('of a first-order relation: λ[0] and p[0] = B λ[0], and nothing beyond', () => {
    // ẋ = −1 + 2 λ, 0 ≤ y = x ⊥ λ ≥ 0: it comes down to zero at t = 0.5 and stays, with λ = ½
    const model: NonSmoothDynamicalSystem = {
      systems: [forms.system('s', forms.linearFirstOrder([[0]], [0.5], { b: [-1] }))],
      interactions: [
        forms.interaction('i', [0], forms.linearRelation([[1]], [[2]]), forms.complementarity()),
      ],
    };
    for (const { row, at } of levelsOf(model, { tEnd: 1, h: 0.1 })) {
      const lambda = row[0] < 0.5 - 1e-9 ? 0 : 0.5;
      expectNear(at('y', 0), [Math.max(0, 0.5 - row[0])]);
      expectNear(at('lambda', 0), [lambda]);
      expectNear(at('p', 0), [2 * lambda]);
      for (const quantity of ['y', 'lambda', 'p'] as const)
        for (const level of [1, 2] as const) expect(at(quantity, level)).toEqual([0]);
    }
  });

  it('of a mass that is singular is refused at level 2', () => {
    const [q, v, lambda] = [[1], [0], new Float64Array(0)];
    const massless = forms.system('dust', forms.linearLagrangian(q, v, [[0]]));
    const model: NonSmoothDynamicalSystem = { systems: [massless], interactions: [] };
    const places = placeState(model);
    const levels = new KinematicLevels(model, places);
    const row = new Float64Array(places.size);
    levels.outputs(0, row, lambda);
    expect(() => {
      levels.outputs(2, row, lambda);
    }).toThrow(/mass matrix of “dust” is singular/);
  });
});
