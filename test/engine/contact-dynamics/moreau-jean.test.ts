/** The θ-method for 3D bodies: orders, what it keeps, contacts, rest, ledger and certificate. */
import { describe, expect, it } from 'vitest';
import { box } from '@engine/model/shapes/box';
import { sphere } from '@engine/model/shapes/sphere';
import { ContactDynamics, type ContactDynamicsSettings } from '@engine/contact-dynamics/contact-dynamics';
import { ENERGIES, ENERGY } from '@engine/contact-dynamics/energy-terms';
import type { MoreauJeanSettings } from '@engine/contact-dynamics/schemes/moreau-jean';
import type { SpatialModel } from '@engine/spatial/compile';
import type { SpatialSystem } from '@engine/spatial/system';
import { observedOrder } from '../support/order';
import { compile, freeBody, pendulum } from '../spatial/support/models';
import { RungeKutta } from '../spatial/support/motion';
import { GivenContacts } from './sources';
import { certified, detected, dry, G, gaussSeidel, simulate, weight } from './worlds';

const theta = (value: number, settings: Partial<MoreauJeanSettings> = {}): MoreauJeanSettings => ({
  theta: value,
  forecast: 0.5,
  gyroscopic: 'implicit',
  ...settings,
});

const steps = (dynamics: ContactDynamics, count: number): ContactDynamics => {
  for (let k = 0; k < count; k++) expect(dynamics.advance()).toBe('ok');
  return dynamics;
};

const free = (system: SpatialSystem, motion: ContactDynamicsSettings['motion'], h: number): ContactDynamics =>
  new ContactDynamics(system, new GivenContacts([]), [], gaussSeidel(), {
    t0: 0,
    h,
    motion,
    tolerance: 1e-12,
    projects: false,
  });

/** Largest difference of positions. */
const distance = (a: Float64Array, b: Float64Array): number =>
  a.reduce((most, value, k) => Math.max(most, Math.abs(value - b[k])), 0);

/** A body on a spring, with drag, and with a moment that depends on time and spin. */
const driven = (): SpatialSystem =>
  compile(
    [
      {
        id: 'body',
        mass: 2,
        inertia: [0.1, 0.2, 0.25],
        position: [1, 0, 0],
        velocity: [0, 1, 0],
        spin: [1, 2, 0.5],
      },
    ],
    [],
    [
      {
        type: 'bodyForce',
        id: 'load',
        on: 'body',
        value: (clock, q, v, out) => {
          for (let i = 0; i < 3; i++) {
            out[i] = -8 * q[i] - 0.5 * v[i];
            out[3 + i] = 0.1 * Math.cos(clock[0] + i) - 0.05 * v[3 + i];
          }
        },
      },
    ],
  );

const swing = (): SpatialSystem =>
  pendulum({ mass: 1, inertia: 0.24, arm: 0.4, angle: 1.5, gravity: Math.PI ** 2 });

describe('the order', () => {
  const STEPS = [1 / 64, 1 / 128, 1 / 256];
  /** Errors of positions at 1 s. */
  const errors = (system: () => SpatialSystem, motion: ContactDynamicsSettings['motion']): number[] => {
    const exact = new RungeKutta(system());
    for (let k = 0; k < 1000; k++) exact.step(1e-3);
    return STEPS.map((h) => distance(steps(free(system(), motion, h), 1 / h).q, exact.state.q));
  };

  it.each([
    ['implicit', 0.5, 2],
    ['conserving', 0.5, 2],
    ['explicit', 0.5, 1],
    ['implicit', 1, 1],
    ['conserving', 1, 1],
    ['implicit', 0, 1],
  ] as const)('of smooth motion, gyroscopic term %s and θ = %d, is %d', (gyroscopic, value, expected) => {
    const found = errors(driven, theta(value, { gyroscopic }));
    expect(Math.abs(observedOrder(STEPS, found) - expected)).toBeLessThan(0.1);
    expect(found[2]).toBeLessThan(expected === 2 ? 1e-4 : 3e-2);
  });

  it.each([0.5, 1])('with joints and θ = %d is 1; by half steps it is 2', (value) => {
    const found = errors(swing, theta(value));
    expect(Math.abs(observedOrder(STEPS, found) - 1)).toBeLessThan(0.15);
    const halves = errors(swing, { gyroscopic: 'conserving' });
    expect(observedOrder(STEPS, halves)).toBeGreaterThan(1.9);
    expect(halves[2]).toBeLessThan(0.1 * found[2]);
  });
});

describe('free rotation', () => {
  const turn = (motion: MoreauJeanSettings): { energy: number; momentum: number } => {
    const system = freeBody([1, 2, 3], [0.1, 2, 0.1]);
    const dynamics = free(system, motion, 1e-2);
    const momentum = (): Float64Array => {
      const out = new Float64Array(3);
      system.bodies[0].angularMomentum(dynamics.q, 0, dynamics.u, 0, out);
      return out;
    };
    const before = momentum();
    const energy = system.kineticEnergy(dynamics.u);
    steps(dynamics, 1000);
    return {
      energy: Math.abs(system.kineticEnergy(dynamics.u) / energy - 1),
      momentum: distance(momentum(), before),
    };
  };

  it('keeps its moment of momentum with the conserving treatment, whatever θ', () => {
    for (const value of [0, 0.5, 1])
      expect(turn(theta(value, { gyroscopic: 'conserving' })).momentum).toBeLessThan(1e-11);
    expect(turn(theta(0.5)).momentum).toBeGreaterThan(1e-5);
  });

  it('has no drift of energy at θ = ½; it loses energy at θ = 1 and gains by the explicit treatment', () => {
    expect(turn(theta(0.5)).energy).toBeLessThan(1e-4);
    expect(turn(theta(0.5, { gyroscopic: 'conserving' })).energy).toBeLessThan(1e-3);
    for (const motion of [theta(1), theta(0.5, { gyroscopic: 'explicit' })])
      expect(turn(motion).energy).toBeGreaterThan(5e-3);
  });
});

const ball: SpatialModel['bodies'][number] = {
  id: 'ball',
  mass: 2,
  inertia: [0.008, 0.008, 0.008],
  position: [0, 0, 1],
};
const slab = box(0.5, 0.5, 0.1);
const brick: SpatialModel['bodies'][number] = {
  id: 'brick',
  mass: 1,
  inertia: [1.04 / 12, 1.04 / 12, 1 / 6],
  position: [0, 0, 0.1],
};

describe('contacts', () => {
  it.each([0.5, 1])('of a bouncing ball obey the method written out for one coordinate, θ = %d', (value) => {
    const h = 1e-3;
    const e = 0.7;
    const dynamics = simulate(
      { bodies: [ball], loads: [weight(0, 0, -G)] },
      { motion: theta(value), h },
      detected([sphere(0.1)]),
      dry(0, e),
    );
    let gap = 0.9;
    let v = 0;
    let impacts = 0;
    let worst = 0;
    for (let k = 0; k < 1500; k++) {
      expect(dynamics.advance()).toBe('ok');
      let next = v - h * G;
      if (gap + 0.5 * h * v <= 0 && next < -e * v) {
        next = -e * v;
        impacts++;
      }
      gap += h * (value * next + (1 - value) * v);
      v = next;
      worst = Math.max(worst, Math.abs(dynamics.q[2] - 0.1 - gap), Math.abs(dynamics.u[2] - v));
    }
    expect(impacts).toBeGreaterThanOrEqual(2);
    expect(worst).toBeLessThan(1e-12);
  });

  it('at θ = γ = ½ are those of half steps where nothing turns: the same impulses over a step', () => {
    const run = (motion: ContactDynamicsSettings['motion']): { states: number[]; impulses: number[] } => {
      const dynamics = simulate(
        { bodies: [{ ...ball, velocity: [0.3, 0, 0] }], loads: [weight(0, 0, -G)] },
        { motion },
        detected([sphere(0.1)]),
        dry(0, 0.6),
      );
      const states: number[] = [];
      const impulses: number[] = [];
      for (let k = 0; k < 1500; k++) {
        expect(dynamics.advance()).toBe('ok');
        states.push(...dynamics.q, ...dynamics.u);
        impulses.push(dynamics.activeCount > 0 ? dynamics.impulses[0] : 0);
      }
      return { states, impulses };
    };
    const one = run(theta(0.5));
    const other = run({ gyroscopic: 'conserving' });
    expect(one.impulses.filter((r) => r > 0).length).toBeGreaterThan(2);
    expect(distance(Float64Array.from(one.impulses), Float64Array.from(other.impulses))).toBeLessThan(1e-11);
    expect(distance(Float64Array.from(one.states), Float64Array.from(other.states))).toBeLessThan(1e-11);
  });

  it.each([0.5, 1])('hold a brick on a slope at rest to the last bit, with its weight, θ = %d', (value) => {
    const rough = dry(1.02 * Math.tan(0.3));
    const dynamics = simulate(
      {
        bodies: [{ ...brick, position: [0, 0, 0.101], velocity: [-0.3, 0.2, 0], spin: [0, 0, 0.4] }],
        loads: [weight(G * Math.sin(0.3), 0, -G * Math.cos(0.3))],
      },
      { motion: theta(value) },
      detected([slab]),
      rough,
    );
    certified(dynamics, 1500, rough);
    const place = dynamics.q.slice();
    steps(dynamics, 1000);
    expect(dynamics.q).toEqual(place);
    expect(dynamics.u.every((x) => x === 0)).toBe(true);
    // Impulses are those over the step: divided by h they carry the weight.
    let normal = 0;
    for (let row = 0; row < dynamics.activeCount; row++) normal += dynamics.impulses[3 * row];
    expect(normal / dynamics.h).toBeCloseTo(G * Math.cos(0.3), 9);
  });

  it('let it slide with g (sin α − μ cos α) when friction is less', () => {
    const smooth = dry(0.2);
    const dynamics = simulate(
      { bodies: [brick], loads: [weight(G * Math.sin(0.3), 0, -G * Math.cos(0.3))] },
      { motion: theta(0.5) },
      detected([slab]),
      smooth,
    );
    certified(dynamics, 500, smooth);
    expect(dynamics.u[0]).toBeCloseTo(0.5 * G * (Math.sin(0.3) - 0.2 * Math.cos(0.3)), 10);
  });

  it('are certified with loads that depend on velocities, spin and friction', () => {
    const material = dry(0.4, 0.5);
    const dynamics = simulate(
      {
        bodies: [{ ...brick, position: [0, 0, 0.6], spin: [2, 5, 1], velocity: [1, 0, 0] }],
        loads: [
          weight(0, 0, -G),
          { type: 'drag', id: 'air', on: { body: 'brick' }, translational: 0.4, rotational: 0.05 },
        ],
      },
      { motion: theta(0.5), tolerance: 1e-13 },
      detected([slab]),
      material,
    );
    certified(dynamics, 1200, material);
    expect(dynamics.closings).toBeGreaterThan(3);
  });
});

describe('a stop of a joint', () => {
  it('takes part by forecast, as contacts do', () => {
    const dynamics = simulate(
      {
        bodies: [{ ...ball, position: [0, 0, 0.5] }],
        joints: [
          {
            type: 'pointPlane',
            id: 'stop',
            first: { body: 'ground' },
            second: { body: 'ball' },
            restitution: 0.5,
            limits: { gap: [0, Number.POSITIVE_INFINITY] },
          },
        ],
        loads: [weight(0, 0, -G)],
      },
      { motion: theta(0.5) },
    );
    certified(dynamics, 600);
    let z = 0.5;
    let v = 0;
    let impacts = 0;
    for (let k = 0; k < 600; k++) {
      let next = v - 1e-3 * G;
      if (z + 0.5e-3 * v <= 0 && next < -0.5 * v) {
        next = -0.5 * v;
        impacts++;
      }
      z += 0.5e-3 * (v + next);
      v = next;
    }
    expect(dynamics.q[2]).toBeCloseTo(z, 12);
    expect(impacts).toBe(1);
  });
});

describe('the ledger', () => {
  it.each([0.5, 1])('closes in every step, θ = %d; what θ takes is the work of the scheme', (value) => {
    const material = dry(0.3, 0.4);
    const dynamics = simulate(
      {
        bodies: [{ ...brick, position: [0, 0, 0.4], spin: [1, 3, 0], velocity: [2, 0, 0] }],
        loads: [
          weight(0, 0, -G),
          { type: 'drag', id: 'air', on: { body: 'brick' }, translational: 0.4, rotational: 0.05 },
        ],
      },
      { motion: theta(value), overlap: 1e-4 },
      detected([slab]),
      material,
    );
    let before =
      dynamics.system.kineticEnergy(dynamics.u) + dynamics.system.potentialEnergy(dynamics.clock, dynamics.q);
    const scale = before;
    for (let k = 0; k < 800; k++) {
      expect(dynamics.advance()).toBe('ok');
      const { energy } = dynamics;
      let after = before;
      for (let entry = ENERGY.loads; entry < ENERGIES; entry++) after += energy[entry];
      before = energy[ENERGY.kinetic] + energy[ENERGY.potential];
      expect(Math.abs(after - before)).toBeLessThan(1e-13 * scale);
      // h ū is what a force works on, h u_θ what bodies move by.
      const taken = (0.5 - value) * dynamics.h * -G * dynamics.u[2];
      expect(Math.abs(dynamics.totalEnergy[ENERGY.potentialDefect] - taken)).toBeLessThan(1e-12);
    }
  });
});

describe('failures', () => {
  it('says that loads were not found where they change velocities too much in a step', () => {
    const stiff = simulate(
      {
        bodies: [{ ...ball, velocity: [1, 0, 0] }],
        loads: [{ type: 'drag', id: 'syrup', on: { body: 'ball' }, translational: 1e4 }],
      },
      { motion: theta(1) },
    );
    expect(stiff.advance()).toBe('loadsNotConverged');
  });

  it('is not finite when a load is not', () => {
    const broken = simulate(
      {
        bodies: [ball],
        loads: [
          { type: 'bodyForce', id: 'nan', on: 'ball', value: (_, __, ___, out) => out.fill(Number.NaN) },
        ],
      },
      { motion: theta(0.5) },
    );
    expect(broken.advance()).toBe('notFinite');
  });
});
