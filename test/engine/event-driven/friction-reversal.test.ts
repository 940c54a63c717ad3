/**
 * Dry friction of constant size: turning points, sticking, reversal, with both laws that can say it (S2,
 * friction reversal).
 */
import type { EventDriven } from '@engine/event-driven/event-driven';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { describe, expect, it } from 'vitest';
import type { Matrix } from '../support/dense';
import { interaction, lagrangianRelation, linearLagrangian, system } from '../support/forms';
import { coulomb, dryFriction, expectCertified, forced, ran } from './friction-support';
import { G, kinds, simulateEvents } from './support';

const UNIT: Matrix = [
  [1, 0],
  [0, 1],
];
/** gap y, slip x of q = (x, y) */
const FLOOR = lagrangianRelation([
  [0, 1],
  [1, 0],
]);

/** A motion in a straight line against friction of at most `limit`: as a relay on the velocity … */
type Line = (
  limit: number,
  x0: number,
  stiffness: number,
  push: (t: number) => number,
) => NonSmoothDynamicalSystem;
const withRelay: Line = (limit, x0, stiffness, push) => ({
  systems: [
    system(
      'mass',
      forced([x0], [0], [[1]], (t, q, _v, out) => (out[0] = push(t) - stiffness * q[0])),
    ),
  ],
  interactions: [interaction('ground', [0], lagrangianRelation([[1]]), dryFriction(limit))],
});
/** … and as a body of weight on a rough plane. */
const onPlane: Line = (limit, x0, stiffness, push) => ({
  systems: [
    system(
      'mass',
      forced([x0, 0], [0, 0], UNIT, (t, q, _v, out) => {
        out[0] = push(t) - stiffness * q[0];
        out[1] = -G;
      }),
    ),
  ],
  interactions: [interaction('ground', [0], FLOOR, coulomb(limit / G))],
});
const variants = [
  ['a relay on the velocity', withRelay],
  ['a body of weight on a plane', onPlane],
] as const;

/** Times and places at non-smooth events. */
function eventPoints(simulation: EventDriven): [number, number][] {
  const points: [number, number][] = [];
  while (simulation.hasNextEvent) {
    simulation.computeOneStep();
    if (simulation.rowsAtEvent === 2) points.push([simulation.state[0], simulation.state[1]]);
  }
  return points;
}

describe.each(variants)('an oscillator with m = 1, k = 100 and friction 1, as %s', (_name, line) => {
  const run = (x0: number): [EventDriven, [number, number][]] => {
    const simulation = simulateEvents(
      line(1, x0, 100, () => 0),
      { tEnd: 2, h: 0.01 },
    );
    return [simulation, eventPoints(simulation)];
  };

  it('turns at −0.08, 0.06, −0.04, 0.02 and stops at 0, at multiples of π/10', () => {
    const [simulation, points] = run(0.1);
    expect(points).toHaveLength(5);
    [-0.08, 0.06, -0.04, 0.02, 0].forEach((x, k) => {
      expect(Math.abs(points[k][0] - ((k + 1) * Math.PI) / 10)).toBeLessThan(1e-10);
      expect(Math.abs(points[k][1] - x)).toBeLessThan(1e-10);
    });
    expectCertified(simulation, G);
  });

  it('from 0.105 sticks at −0.005, where the spring pulls by half the friction', () => {
    const [simulation, points] = run(0.105);
    expect(points).toHaveLength(5);
    expect(Math.abs(simulation.state[1] + 0.005)).toBeLessThan(1e-10);
    const { state } = simulation;
    // The multiplier of friction is the last but one: λ, energy.
    const friction = state[state.length - 2];
    expect(Math.abs(friction + 0.5)).toBeLessThan(1e-8);
    expect(points[4][1]).toBe(state[1]);
  });

  it('takes no more steps than 1.2 times those of a viscous damper', () => {
    const viscous = ran(
      {
        systems: [
          system('mass', linearLagrangian([0.1], [0], [[1]], { stiffness: [[100]], damping: [[2]] })),
        ],
        interactions: [],
      },
      { tEnd: 1.6, h: 0.1, flights: 'integrated' },
    );
    const dry = simulateEvents(
      line(1, 0.1, 100, () => 0),
      { tEnd: 1.6, h: 0.1, flights: 'integrated' },
    );
    dry.run();
    expect(dry.counters.steps).toBeLessThanOrEqual(1.2 * viscous.counters.steps);
  });
});

describe.each(variants)('the drag sled, 8 cos t against 7.848, as %s', (_name, line) => {
  const model = line(7.848, 0, 0, (t) => 8 * Math.cos(t));

  it('slips by 0.004348570, and back by 0.013045737', () => {
    const simulation = simulateEvents(model, { tEnd: 5, h: 0.05 });
    const points = eventPoints(simulation);
    expect(points.map(([t]) => t.toFixed(6))).toEqual(['0.338608', '2.946347', '3.532835']);
    expect(Math.abs(points[0][1] - 0.00434857)).toBeLessThan(1e-9);
    expect(points[1][1]).toBeCloseTo(points[0][1], 14);
    expect(Math.abs(points[2][1] - points[1][1] + 0.013045737)).toBeLessThan(1e-9);
    // the equation of the first stop, v = 8 sin t − 7.848 t = 0, and of the start, 8 cos t = −7.848
    const [stop, start] = points.map(([t]) => t);
    expect(Math.abs(8 * Math.sin(stop) - 7.848 * stop)).toBeLessThan(1e-11);
    expect(Math.abs(start - Math.acos(-0.981))).toBeLessThan(1e-11);
    expectCertified(simulation, G);
  });

  it('has the velocity 0.01830506 at t = 0.15 and rests at t = 2', () => {
    const simulation = simulateEvents(model, { tEnd: 2, h: 0.05 });
    const n = model.systems[0].form.size;
    for (let k = 0; k < 3; k++) simulation.computeOneStep();
    expect(simulation.state[0]).toBeCloseTo(0.15, 15);
    expect(Math.abs(simulation.state[1 + n] - (8 * Math.sin(0.15) - 7.848 * 0.15))).toBeLessThan(1e-12);
    expect(simulation.state[1 + n]).toBeCloseTo(0.01830506, 8);
    simulation.run();
    expect(Math.abs(simulation.state[1 + n])).toBeLessThan(1e-14);
    expect(Math.abs(simulation.state[1] - 0.00434857)).toBeLessThan(1e-9);
  });
});

describe('an oscillator on a moving belt', () => {
  /** ω = 10, belt speed 0.2, μ g/ω² = 0.03 */
  const [speed, stiffness, centre] = [0.2, 100, 0.03];
  const belt = {
    ...FLOOR,
    isTimeDependent: true,
    output: (clock: Float64Array, q: Float64Array, _lambda: Float64Array, out: Float64Array) => {
      out[0] = q[1];
      out[1] = q[0] - speed * clock[0];
    },
    timeDerivative: (_clock: Float64Array, _q: Float64Array, out: Float64Array) => {
      out[0] = 0;
      out[1] = -speed;
    },
  };
  const oscillator = (x0: number, v0: number): NonSmoothDynamicalSystem => ({
    systems: [
      system(
        'mass',
        linearLagrangian([x0, 0], [v0, 0], UNIT, {
          stiffness: [
            [stiffness, 0],
            [0, 0],
          ],
          force: [0, -G],
        }),
      ),
    ],
    interactions: [interaction('belt', [0], belt, coulomb((centre * stiffness) / G))],
  });

  it('slips, is caught by the belt, carried along, and slips again where the spring outweighs friction', () => {
    // Slipping back: x = c + A cos ωt; caught where v = −A ω sin ωt = 0.2; carried to x = c.
    const A = 0.05;
    const caught = (2 * Math.PI - Math.asin(speed / (10 * A))) / 10;
    // The branch with x below c, where friction can hold the spring: ωt = π + arcsin(v/(A ω)).
    const stick = (Math.PI + Math.asin(speed / (10 * A))) / 10;
    expect(stick).toBeLessThan(caught);
    const x1 = centre + A * Math.cos(10 * stick);
    const slip = stick + (centre - x1) / speed;
    const simulation = simulateEvents(oscillator(centre + A, 0), { tEnd: slip + 0.3, h: 0.01 });
    const points = eventPoints(simulation);
    expect(kinds(simulation.events).slice(0, 2)).toEqual(['stick', 'slip']);
    expect(Math.abs(points[0][0] - stick)).toBeLessThan(1e-10);
    expect(Math.abs(points[0][1] - x1)).toBeLessThan(1e-10);
    expect(Math.abs(points[1][0] - slip)).toBeLessThan(1e-9);
    expect(Math.abs(points[1][1] - centre)).toBeLessThan(1e-10);
    // From there it swings about c with the speed of the belt.
    const [t, x] = simulation.state;
    expect(Math.abs(x - centre - (speed / 10) * Math.sin(10 * (t - slip)))).toBeLessThan(1e-9);
    expectCertified(simulation, G);
  });

  it('that starts on the belt is carried at its speed, to rounding', () => {
    const simulation = simulateEvents(oscillator(0, speed), { tEnd: 0.14, h: 0.01 });
    simulation.run();
    expect(simulation.events).toEqual([]);
    expect(Math.abs(simulation.state[1] - 0.14 * speed)).toBeLessThan(1e-16);
  });
});
