/** Order of the scheme with joints. */
import { describe, expect, it } from 'vitest';
import { ContactDynamics } from '@engine/contact-dynamics/contact-dynamics';
import type { SpatialSystem } from '@engine/spatial/system';
import { observedOrder } from '../support/order';
import { compile, pendulum } from '../spatial/support/models';
import { RungeKutta } from '../spatial/support/motion';
import { GivenContacts } from './sources';
import { gaussSeidel } from './worlds';

const END = 1;
const STEPS = [8e-3, 4e-3, 2e-3, 1e-3];

interface Swing {
  place: Float64Array;
  /** the largest violation, and the largest change of the energy */
  drift: number;
  energy: number;
}

/** How joints are kept. */
const KEPT = {
  projected: { projects: true },
  'projected, velocities too': { projects: true, combined: true },
  'not projected': { projects: false },
} as const;
const WAYS = Object.keys(KEPT) as (keyof typeof KEPT)[];

function swing(system: SpatialSystem, h: number, way: keyof typeof KEPT): Swing {
  const dynamics = new ContactDynamics(system, new GivenContacts([]), [], gaussSeidel(), {
    t0: 0,
    h,
    motion: { gyroscopic: 'conserving' },
    tolerance: 1e-12,
    ...KEPT[way],
  });
  const energy = (): number =>
    system.kineticEnergy(dynamics.u) + system.potentialEnergy(dynamics.clock, dynamics.q);
  const start = energy();
  const violation = new Float64Array(system.equations.count);
  let drift = 0;
  let change = 0;
  for (let k = 0; k < Math.round(END / h); k++) {
    expect(dynamics.advance()).toBe('ok');
    system.equations.position(dynamics.q, violation);
    drift = violation.reduce((most, value) => Math.max(most, Math.abs(value)), drift);
    change = Math.max(change, Math.abs(energy() - start));
  }
  return { place: dynamics.q, drift, energy: change };
}

/** Largest difference of positions. */
const distance = (a: Float64Array, b: Float64Array): number =>
  a.reduce((most, value, k) => Math.max(most, Math.abs(value - b[k])), 0);

const systems: readonly (readonly [string, () => SpatialSystem])[] = [
  [
    'a hinged pendulum',
    () => pendulum({ mass: 1, inertia: 0.24, arm: 0.4, angle: 1.5, gravity: Math.PI ** 2 }),
  ],
  [
    'two bodies on ball joints that turn in space',
    () =>
      compile(
        [
          {
            id: 'a',
            mass: 1,
            inertia: [0.1, 0.2, 0.15],
            position: [0.5, 0, 0],
            velocity: [0, 0.5, 0],
            spin: [0, 0, 1],
          },
          {
            id: 'b',
            mass: 2,
            inertia: [0.3, 0.2, 0.4],
            position: [1.4, 0, 0],
            velocity: [0, 1, 0],
            spin: [2, 0, 0],
          },
        ],
        [
          { type: 'ball', id: 'p', first: { body: 'ground' }, second: { body: 'a', point: [-0.5, 0, 0] } },
          {
            type: 'ball',
            id: 's',
            first: { body: 'a', point: [0.5, 0, 0] },
            second: { body: 'b', point: [-0.4, 0, 0] },
          },
        ],
        [{ type: 'gravity', id: 'weight', acceleration: [0, 0, -9.81] }],
      ),
  ],
];

describe.each(systems)('%s', (_, build) => {
  it.each(WAYS)('is followed with order 2, %s', (way) => {
    const reference = new RungeKutta(build());
    for (let k = 0; k < 4000; k++) reference.step(END / 4000);
    const swung = STEPS.map((h) => swing(build(), h, way));
    const order = (values: number[]): number => observedOrder(STEPS, values);
    expect(order(swung.map(({ place }) => distance(place, reference.state.q)))).toBeGreaterThan(1.93);
    expect(order(swung.map(({ energy }) => energy))).toBeGreaterThan(1.8);
    if (way === 'not projected') expect(order(swung.map(({ drift }) => drift))).toBeCloseTo(2, 1);
  });
});

describe('loads that depend on velocities', () => {
  /** Places of a body on a ball joint, with weight and a drag that differs by direction. */
  function dragged(h: number, loads: 'start' | 'predicted'): Float64Array {
    const system = compile(
      [
        {
          id: 'bob',
          mass: 1,
          inertia: [0.1, 0.2, 0.15],
          position: [0.5, 0, 0],
          velocity: [0, 1, 0],
          spin: [0.5, 0, 2],
        },
      ],
      [{ type: 'ball', id: 'pin', first: { body: 'ground' }, second: { body: 'bob', point: [-0.5, 0, 0] } }],
      [
        { type: 'gravity', id: 'weight', acceleration: [0, 0, -9.81] },
        {
          type: 'bodyForce',
          id: 'drag',
          on: 'bob',
          value: (_, __, v, out) => {
            for (let i = 0; i < 6; i++) out[i] = -(0.3 + 0.2 * i) * v[i];
          },
        },
      ],
    );
    const dynamics = new ContactDynamics(system, new GivenContacts([]), [], gaussSeidel(), {
      t0: 0,
      h,
      motion: { gyroscopic: 'conserving', loads },
      tolerance: 1e-12,
      projects: true,
    });
    for (let k = 0; k < Math.round(END / h); k++) expect(dynamics.advance()).toBe('ok');
    return dynamics.q;
  }

  it.each([
    ['start', 1],
    ['predicted', 2],
  ] as const)('at the velocity of the %s are of order %i on a joint', (loads, order) => {
    const exact = dragged(1.25e-4, 'predicted');
    const errors = STEPS.map((h) => distance(dragged(h, loads), exact));
    const observed = observedOrder(STEPS, errors);
    expect(observed).toBeGreaterThan(order - 0.2);
    expect(observed).toBeLessThan(order + 0.3);
  });
});
