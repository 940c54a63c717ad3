/**
 * Projection of positions and velocities together: both satisfy the joints after each step, and the step is
 * certified as ever.
 */
import { describe, expect, it } from 'vitest';
import { sphere } from '@engine/model/shapes/sphere';
import type { ContactDynamics, ContactDynamicsSettings } from '@engine/contact-dynamics/contact-dynamics';
import { ENERGIES, ENERGY } from '@engine/contact-dynamics/energy-terms';
import type { SpatialModel } from '@engine/spatial/compile';
import { turnAbout } from '../spatial/support/models';
import { certified, detected, dry, G, simulate, weight } from './worlds';

type Side = SpatialModel['joints'][number]['first'];
type Point = readonly [number, number];

const HELD = 1e-10;
/** About y. */
const HINGE = turnAbout([1, 0, 0], -Math.PI / 2);
/** A, B, C, D: bearing and pin of the crank, pin and bearing of the rocker, in the plane of x and z. */
const CORNERS: readonly Point[] = [
  [0, 1],
  [0, 1.3],
  [0.9, 1.7],
  [1, 1],
];
const NAMES = ['crank', 'coupler', 'rocker'] as const;

const lengthOf = (k: number): number =>
  Math.hypot(CORNERS[k + 1][0] - CORNERS[k][0], CORNERS[k + 1][1] - CORNERS[k][1]);

const ground = ([x, z]: Point): Side => ({ body: 'ground', point: [x, 0, z], frame: HINGE });
/** @param end −1 or 1 */
const tip = (k: number, end: number): Side => ({
  body: NAMES[k],
  point: [0.5 * end * lengthOf(k), 0, 0],
  frame: HINGE,
});

/**
 * Three bars in a closed loop with the ground: of the rows of four hinges three follow from the others.
 * @param speed of a motor of the crank, rad/s
 */
function fourBar(speed?: number): Partial<SpatialModel> {
  const bodies = NAMES.map((id, k) => {
    const [[x, z], [X, Z]] = [CORNERS[k], CORNERS[k + 1]];
    const mass = lengthOf(k);
    return {
      id,
      mass,
      inertia: [1e-3, mass ** 3 / 12, mass ** 3 / 12],
      position: [0.5 * (x + X), 0, 0.5 * (z + Z)],
      orientation: turnAbout([0, 1, 0], -Math.atan2(Z - z, X - x)),
    };
  });
  const sides: readonly (readonly [Side, Side])[] = [
    [ground(CORNERS[0]), tip(0, -1)],
    [tip(0, 1), tip(1, -1)],
    [tip(1, 1), tip(2, -1)],
    [tip(2, 1), ground(CORNERS[3])],
  ];
  const joints = sides.map(([first, second], k) => ({
    type: 'revolute' as const,
    id: `hinge${k}`,
    first,
    second,
    ...(k === 0 && speed !== undefined ? { motors: { angle: { speed, limit: Infinity } } } : {}),
  }));
  return { bodies, joints, loads: [weight(0, 0, -G)] };
}

/** Largest |h(q)| and |G(q) u − ω| now. */
function defects({ system, q, u }: ContactDynamics): readonly [number, number] {
  const { equations, drives, driveSpeeds, velocities } = system;
  const rows = equations.count + drives.count;
  const h = new Float64Array(equations.count);
  const jacobian = new Float64Array(rows * velocities);
  equations.position(q, h);
  equations.jacobian(q, jacobian, velocities, 'velocity');
  drives.jacobian(q, jacobian, velocities, 'velocity', equations.count);
  const rates = Array.from({ length: rows }, (_, r) => {
    const rate = u.reduce((sum, value, c) => sum + jacobian[r * velocities + c] * value, 0);
    return Math.abs(rate - (r < equations.count ? 0 : driveSpeeds[r - equations.count]));
  });
  return [Math.max(...h.map(Math.abs)), Math.max(...rates)];
}

/** The worst of both over steps. */
function worst(dynamics: ContactDynamics, steps: number): readonly [number, number] {
  let [position, velocity] = [0, 0];
  for (let k = 0; k < steps; k++) {
    expect(dynamics.advance()).toBe('ok');
    const [a, b] = defects(dynamics);
    position = Math.max(position, a);
    velocity = Math.max(velocity, b);
  }
  return [position, velocity];
}

const SCHEMES: readonly (readonly [string, ContactDynamicsSettings['motion']])[] = [
  ['half steps', { gyroscopic: 'conserving' }],
  ['Moreau–Jean', { theta: 0.5, forecast: 0.5, gyroscopic: 'implicit' }],
];

describe.each(SCHEMES)('a closed loop of four bars by %s', (_, motion) => {
  it('satisfies its joints in positions and velocities after each step', () => {
    const settings = { h: 4e-3, motion };
    const [direct, drift] = worst(simulate(fourBar(), settings), 500);
    const [position, velocity] = worst(simulate(fourBar(), { ...settings, combined: true }), 500);
    expect(direct).toBeLessThan(HELD);
    expect(drift).toBeGreaterThan(1e-5);
    expect(position).toBeLessThan(HELD);
    expect(velocity).toBeLessThan(HELD);
  });

  it('turns at the speed its motor prescribes where a step ends', () => {
    const [position, velocity] = worst(simulate(fourBar(3), { h: 4e-3, motion, combined: true }), 500);
    expect(position).toBeLessThan(HELD);
    expect(velocity).toBeLessThan(HELD);
  });

  it.each(['mass', 'velocity', 'euclidean'] as const)('does in the metric %s', (metric) => {
    const [position, velocity] = worst(simulate(fourBar(), { h: 4e-3, motion, metric, combined: true }), 100);
    expect(position).toBeLessThan(HELD);
    expect(velocity).toBeLessThan(HELD);
  });
});

describe('with contacts', () => {
  /** A ball of friction and restitution on the end of a rod that falls on the floor. */
  const flail = (): Partial<SpatialModel> => ({
    bodies: [
      { id: 'rod', mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0.8], spin: [0.3, 0, 0.5] },
      { id: 'ball', mass: 2, inertia: [0.02, 0.02, 0.02], position: [1, 0, 0.8] },
    ],
    joints: [
      {
        type: 'ball',
        id: 'post',
        first: { body: 'ground', point: [0, 0, 0.8] },
        second: { body: 'rod', point: [-0.5, 0, 0] },
      },
      {
        type: 'universal',
        id: 'cross',
        first: { body: 'rod', point: [0.5, 0, 0] },
        second: { body: 'ball' },
      },
    ],
    loads: [weight(0, 0, -G)],
  });

  it('a step is certified, its energy closed, and its joints hold', () => {
    const surface = dry(0.4, 0.3);
    const dynamics = simulate(flail(), { combined: true }, detected([sphere(0.05), sphere(0.1)]), surface);
    certified(dynamics, 1500, surface, () => {
      const [position, velocity] = defects(dynamics);
      expect(position).toBeLessThan(HELD);
      expect(velocity).toBeLessThan(HELD);
    });
    expect(dynamics.closings).toBeGreaterThan(1);
    const works = dynamics.totalEnergy.subarray(ENERGY.loads, ENERGIES).reduce((sum, work) => sum + work, 0);
    const { kinetic, potential } = ENERGY;
    const start = 1 * G * 0.8 + 2 * G * 0.8 + 0.5 * (0.01 * 0.3 ** 2 + 0.1 * 0.5 ** 2);
    expect(dynamics.totalEnergy[kinetic] + dynamics.totalEnergy[potential] - works).toBeCloseTo(start, 9);
  });
});

it('a motor too fast for the step ends with a word for it', () => {
  const dynamics = simulate(fourBar(3), { h: 2, combined: true });
  const status = dynamics.advance();
  expect(['velocitiesNotConverged', 'projectionNotConverged', 'projectionUnsolved']).toContain(status);
});
