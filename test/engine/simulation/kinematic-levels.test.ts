/**
 * The kinematic levels of S1 as the library gives them. Of a row with the output y(t, q): y[0] = y and y[1] = ẏ in the state,
 * λ[2] the force between events in the state, λ[1] the impulse of an event in `impulses`; to each multiplier belongs what it does
 * to the coordinates, p[i] = ᵗH λ[i].
 */
import { describe, expect, it } from 'vitest';
import { EventDriven, placeState } from '@engine/index';
import type { NonSmoothDynamicalSystem } from '@engine/index';
import * as forms from '../support/forms';

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
