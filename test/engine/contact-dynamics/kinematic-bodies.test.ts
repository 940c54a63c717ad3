/**
 * Kinematic bodies with a prescribed motion: their velocities in the laws, their work in the ledger, and no
 * rest on what moves.
 */
import { describe, expect, it } from 'vitest';
import { ContactDetection } from '@engine/collision/contact-detection';
import { box } from '@engine/model/shapes/box';
import { plane } from '@engine/model/shapes/plane';
import type { Shape } from '@engine/collision/shapes/shape';
import { sphere } from '@engine/model/shapes/sphere';
import type { ContactDynamics, ContactDynamicsSettings } from '@engine/contact-dynamics/contact-dynamics';
import type { ContactMaterial } from '@engine/model/contact-laws/registry';
import { DetectedContacts } from '@engine/contact-dynamics/contacts/detected-contacts';
import { ENERGIES, ENERGY } from '@engine/contact-dynamics/energy-terms';
import {
  type KinematicMotion,
  numberOfKinematicBody,
  kinematicBodyOf,
} from '@engine/contact-dynamics/contacts/kinematic-bodies';
import type { GalerkinSettings } from '@engine/contact-dynamics/schemes/galerkin-steps';
import type { SpatialBodyDescription } from '@engine/spatial/compile';
import { certified, dry, G, simulate, weight } from './worlds';

const slab = box(0.1, 0.1, 0.05);
const block = (rest: Partial<SpatialBodyDescription> = {}): SpatialBodyDescription => ({
  id: 'block',
  mass: 2,
  inertia: [0.01, 0.01, 0.015],
  position: [0, 0, 0.05],
  ...rest,
});

/** Height z(t), and a turn with ω about z. */
const lifted = (
  z: (t: number) => number,
  rate: (t: number) => number,
  omega = 0,
  surface: number[] = [0, 0, 0],
): KinematicMotion => ({
  slide: (_clock, out, at) => out.set(surface, at),
  pose: ([t], out, at) => {
    out.set([0, 0, z(t), Math.cos(0.5 * omega * t), 0, 0, Math.sin(0.5 * omega * t)], at);
  },
  velocity: ([t], out, at) => {
    out.set([0, 0, rate(t), 0, 0, omega], at);
  },
});
const still = (surface: number[] = [0, 0, 0], omega = 0): KinematicMotion =>
  lifted(
    () => 0,
    () => 0,
    omega,
    surface,
  );

function on(
  motion: KinematicMotion,
  body: SpatialBodyDescription,
  material: ContactMaterial,
  settings: Partial<ContactDynamicsSettings> = {},
  shape: Shape = slab,
): ContactDynamics {
  const detection = new ContactDetection({ dimension: 3, margin: 0.01, kinematicBodies: 1 });
  detection.add(0, shape);
  detection.add(1, plane([0, 0, 1]));
  const contacts = new DetectedContacts(detection, { materialOf: () => 0 });
  return simulate(
    { bodies: [body], loads: [weight(0, 0, -G)] },
    { kinematicBodies: [motion], ...settings },
    contacts,
    material,
  );
}

/** What a step leaves of gaps over a table that is shaken is closed. */
const galerkin = (level: GalerkinSettings['level']): GalerkinSettings => ({
  ...{ level, closedGap: 1e-5, restingRate: 1e-8, kept: 0.01, direction: 'start', besideImpacts: 'kept' },
});
const motions: (readonly [string, ContactDynamicsSettings['motion']])[] = [
  ['half steps', { gyroscopic: 'conserving' }],
  ['Moreau–Jean', { theta: 0.5, forecast: 0.5, gyroscopic: 'implicit' }],
  ['Moreau–Jean, θ = 1', { theta: 1, forecast: 0.5, gyroscopic: 'implicit' }],
  ['forces from velocities', galerkin('velocity')],
  ['forces from accelerations', galerkin('acceleration')],
];

it('are numbered below what does not move', () => {
  expect([0, 1, 5].map((k) => kinematicBodyOf(numberOfKinematicBody(k)))).toEqual([0, 1, 5]);
  for (const body of [-1, 0, 3]) expect(kinematicBodyOf(body)).toBeLessThan(0);
});

describe.each(motions)('by %s', (_, motion) => {
  it('a belt pulls a block with μ g up to its speed, and then carries it', () => {
    const rough = dry(0.3);
    const dynamics = on(still([1, 0, 0.5]), block(), rough, { motion });
    // Sliding ends after 1/(0.3 g) = 0.34 s.
    certified(dynamics, 300, rough, () => {
      expect(dynamics.u[0]).toBeCloseTo(0.3 * G * dynamics.time, 9);
    });
    const { contactTangent, kinematicBodies, motors } = ENERGY;
    certified(dynamics, 100, rough);
    certified(dynamics, 100, rough, () => {
      expect(dynamics.u[0]).toBeCloseTo(1, 10);
      expect(dynamics.energy[kinematicBodies]).toBeCloseTo(0, 10);
    });
    // ½ m v² is lost in sliding, as much as the block has got.
    expect(dynamics.totalEnergy[contactTangent]).toBeCloseTo(-1, 3);
    expect(dynamics.totalEnergy[kinematicBodies]).toBeCloseTo(2, 3);
    expect(dynamics.totalEnergy[motors]).toBe(0);
    expect(dynamics.resting.isAtRest[0]).toBe(0);
  });

  it('a table that is shaken gently carries a block along, with its velocity, and never loses it', () => {
    const [a, w] = [0.004, 40];
    const rough = dry(0.3);
    const dynamics = on(
      lifted(
        (t) => a * Math.sin(w * t),
        (t) => a * w * Math.cos(w * t),
      ),
      block({ velocity: [0, 0, a * w] }),
      rough,
      { motion },
    );
    let lost = 0;
    const isAdded = 'level' in motion && motion.level === 'acceleration';
    certified(dynamics, 1000, rough, () => {
      const t = dynamics.time;
      if (dynamics.activeCount !== 4) lost++;
      // Accelerations are added up to velocities.
      else expect(dynamics.u[2]).toBeCloseTo(a * w * Math.cos(w * t), isAdded ? 4 : 8);
      const error = dynamics.q[2] - 0.05 - a * Math.sin(w * t);
      expect(Math.abs(error)).toBeLessThan(
        'theta' in motion && motion.gyroscopic === 'implicit' && motion.theta === 1 ? 2e-4 : 2e-5,
      );
    });
    expect(lost).toBeLessThan(3);
  });

  it('a turntable carries a block on its circle while ω² r < μ g, and no further', () => {
    const omega = 3;
    const rough = dry(0.3);
    const at = (r: number): ContactDynamics =>
      on(
        still([0, 0, 0], omega),
        block({ position: [r, 0, 0.05], velocity: [0, omega * r, 0], spin: [0, 0, omega] }),
        rough,
        {
          motion,
        },
      );
    const inner = at(0.9 * ((0.3 * G) / omega ** 2));
    const outer = at(1.1 * ((0.3 * G) / omega ** 2));
    const radius = ({ q }: ContactDynamics): number => Math.hypot(q[0], q[1]);
    const [r, R] = [radius(inner), radius(outer)];
    certified(inner, 1000, rough);
    certified(outer, 1000, rough);
    expect(Math.abs(radius(inner) - r)).toBeLessThan(0.01 * r);
    expect(Math.hypot(inner.u[0], inner.u[1])).toBeCloseTo(omega * r, 1);
    expect(inner.u[5]).toBeCloseTo(omega, 8);
    expect(radius(outer)).toBeGreaterThan(1.1 * R);
  });

  it('the ledger closes in every step', () => {
    const dynamics = on(
      lifted(
        (t) => 0.01 * Math.sin(30 * t),
        (t) => 0.3 * Math.cos(30 * t),
        2,
        [0.5, 0.2, 0],
      ),
      block({ position: [0.3, 0, 0.2], spin: [1, 2, 3] }),
      dry(0.4, 0.3),
      { motion },
    );
    let before =
      dynamics.system.kineticEnergy(dynamics.u) + dynamics.system.potentialEnergy(dynamics.clock, dynamics.q);
    let pushed = 0;
    for (let k = 0; k < 1000; k++) {
      expect(dynamics.advance()).toBe('ok');
      const { energy } = dynamics;
      let defect = before;
      for (let entry = ENERGY.loads; entry < ENERGIES; entry++) defect += energy[entry];
      before = energy[ENERGY.kinetic] + energy[ENERGY.potential];
      expect(Math.abs(defect - before)).toBeLessThan(1e-12);
      pushed = Math.max(pushed, energy[ENERGY.kinematicBodies]);
    }
    expect(pushed).toBeGreaterThan(1e-4);
    expect(dynamics.totalEnergy[ENERGY.contactTangent]).toBeLessThan(-1e-2);
  });
});

describe('a ball on a table that vibrates with Γ = A ω²/g', () => {
  const [e, omega] = [0.5, 40];
  const period = (2 * Math.PI) / omega;
  const steps = 800;
  const h = period / steps;
  /** Bounces once a period, started on the orbit: the table meets it with g T/2 · (1−e)/(1+e). */
  const bounce = (
    gamma: number,
  ): { dynamics: ContactDynamics; height: (t: number) => number; rate: (t: number) => number } => {
    const a = (gamma * G) / omega ** 2;
    const sine = Math.min(1, (Math.PI * (1 - e)) / (1 + e) / gamma);
    const phase = -Math.asin(sine);
    const height = (t: number): number => a * Math.cos(omega * t + phase);
    const rate = (t: number): number => -a * omega * Math.sin(omega * t + phase);
    const ball: SpatialBodyDescription = {
      id: 'ball',
      mass: 1,
      inertia: [0.004, 0.004, 0.004],
      position: [0, 0, 0.1 + height(0) + 1e-9],
      velocity: [0, 0, 0.5 * G * period],
    };
    return { dynamics: on(lifted(height, rate), ball, dry(0, e), { h }, sphere(0.1)), height, rate };
  };

  it('stays on the orbit of period 1 above 1.047198', () => {
    const { dynamics } = bounce(1.2);
    const impacts: number[] = [];
    certified(dynamics, 20 * steps + 10, dry(0, e), () => {
      if (dynamics.activeCount > 0 && dynamics.impulses[0] > 0) impacts.push(dynamics.time);
    });
    expect(impacts).toHaveLength(20);
    impacts.forEach((time, k) => expect(Math.abs(time - (k + 1) * period)).toBeLessThan(0.01 * period));
  });

  it('loses it below', () => {
    const { dynamics } = bounce(0.9);
    let last = 0;
    for (let k = 0; k < 20 * steps; k++) {
      if (dynamics.advance() !== 'ok') break;
      if (dynamics.activeCount > 0 && dynamics.impulses[0] > 0) last = dynamics.time;
    }
    // It comes to rest on the table, which carries it in every step.
    expect(dynamics.steps).toBe(20 * steps);
    expect(dynamics.time - last).toBeLessThan(2 * h);
    expect(dynamics.activeCount).toBe(1);
  });

  it('is what the scheme says for one coordinate', () => {
    const { dynamics, height, rate } = bounce(1.2);
    let z = dynamics.q[2] - 0.1;
    let v = dynamics.u[2];
    for (let k = 0; k < 3 * steps; k++) {
      expect(dynamics.advance()).toBe('ok');
      const middle = z + 0.5 * h * v;
      let next = v - h * G;
      const bound = rate((k + 1) * h) - e * (v - rate(k * h));
      if (middle - height((k + 0.5) * h) <= 0 && next < bound) next = bound;
      z = middle + 0.5 * h * next;
      v = next;
    }
    expect(dynamics.q[2] - 0.1).toBeCloseTo(z, 9);
    expect(dynamics.u[2]).toBeCloseTo(v, 9);
  });
});

it('a law of impacts sees how an obstacle comes: Poisson’s of one contact is Newton’s for h → 0', () => {
  const run = (settings: Partial<ContactDynamicsSettings>, steps: number): ContactDynamics => {
    const material = dry(0, 0.5);
    const dynamics = on(
      lifted(
        (t) => 0.02 * Math.sin(30 * t),
        (t) => 0.6 * Math.cos(30 * t),
      ),
      block({ position: [0, 0, 0.3] }),
      material,
      settings,
      sphere(0.1),
    );
    certified(dynamics, steps, material);
    return dynamics;
  };
  // In the step of the impact the one has h g and the change of the kinematic body after it, the other
  // within.
  const apart = [1e-3, 2.5e-4].map((h) => {
    const newton = run({ h }, 0.4 / h);
    const poisson = run({ h, impacts: { type: 'Poisson' } }, 0.4 / h);
    expect(newton.closings).toBeGreaterThan(0);
    return Math.abs(poisson.q[2] - newton.q[2]);
  });
  expect(apart[0]).toBeLessThan(5e-3);
  expect(apart[1]).toBeLessThan(0.5 * apart[0]);
});

describe('rest', () => {
  it('is found on an obstacle that has stopped, and not while it moves', () => {
    const rough = dry(0.5);
    const stops = lifted(
      (t) => (t < 0.3 ? 0.01 * Math.sin(Math.PI * (t / 0.3)) ** 2 : 0),
      (t) => (t < 0.3 ? ((0.01 * Math.PI) / 0.3) * Math.sin((2 * Math.PI * t) / 0.3) : 0),
    );
    const dynamics = on(stops, block(), rough);
    certified(dynamics, 290, rough, () => {
      expect(dynamics.resting.isAtRest[0]).toBe(0);
    });
    certified(dynamics, 100, rough);
    expect(dynamics.resting.isAtRest[0]).toBe(1);
    expect(dynamics.u.every((x) => x === 0)).toBe(true);
  });
});
