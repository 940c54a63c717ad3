/** Frémond's law of impact against closed solutions, an enumeration, and its energy. */
import { describe, expect, it } from 'vitest';
import {
  ContactDynamicsCertificate,
  CONTACT_RESIDUALS,
} from '@engine/contact-dynamics/certificate/certificate';
import type { ContactDynamics } from '@engine/contact-dynamics/contact-dynamics';
import type { ContactMaterial } from '@engine/model/contact-laws/registry';
import type { PercussionMaterial } from '@engine/model/contact-laws/fremond-impact';
import { ENERGY } from '@engine/contact-dynamics/energy-terms';
import { AutomaticFriction } from '@engine/solvers/friction/automatic';
import type { SpatialModel } from '@engine/spatial/compile';
import { seeded } from '../support/random';
import { GivenContacts, type PointAbovePlane } from './sources';
import { certified, dry, G, simulate, weight } from './worlds';

const MASS = 2;
const RADIUS = 0.1;
const INERTIA = 0.4 * MASS * RADIUS * RADIUS;
const viscous = (viscosity: number, friction = 0): PercussionMaterial => ({
  kind: 'percussion',
  friction,
  viscosity,
});
const ball = (id: string, z: number, motion = {}): SpatialModel['bodies'][number] => ({
  id,
  mass: MASS,
  inertia: [INERTIA, INERTIA, INERTIA],
  position: [0, 0, z],
  ...motion,
});
const onFloor = (body: number): PointAbovePlane => ({
  body,
  point: [0, 0, 0],
  radius: RADIUS,
  normal: [0, 0, 1],
  offset: 0,
});

/** Velocities after one step in which a ball meets the floor. */
function strike(material: ContactMaterial, motion: object): ContactDynamics {
  const model = { bodies: [ball('ball', RADIUS, motion)] };
  // Half a step before, the arm of the contact is that of the ball.
  const dynamics = simulate(model, { h: 1e-14 }, new GivenContacts([onFloor(0)]), material);
  certified(dynamics, 1, material);
  return dynamics;
}

describe('a ball without friction', () => {
  it.each([0.2, 0.5, 1, 2, 3, 100])(
    'springs back as by Newton with max(0, (k − m)/(k + m)), k = %f m',
    (part) => {
      const { u } = strike(viscous(part * MASS), { velocity: [0, 0, -1.5] });
      expect(u[2]).toBeCloseTo(1.5 * Math.max(0, (part - 1) / (part + 1)), 12);
    },
  );

  it('that leaves the floor already is let go', () => {
    const { u, impulses } = strike(viscous(5), { velocity: [0, 0, 0.1] });
    expect([u[2], impulses[0]]).toEqual([0.1, 0]);
  });

  it('that leaves more slowly than its weight pulls in a step is held by the reaction alone', () => {
    const material = viscous(5);
    const model = { bodies: [ball('ball', RADIUS, { velocity: [0, 0, 1e-3] })], loads: [weight(0, 0, -G)] };
    const dynamics = simulate(model, {}, new GivenContacts([{ ...onFloor(0), offset: 1e-3 }]), material);
    certified(dynamics, 1, material);
    expect(dynamics.u[2]).toBeCloseTo(0, 15);
    expect(dynamics.impulses[0]).toBeCloseTo(MASS * (G * 1e-3 - 1e-3), 14);
  });
});

describe('a ball with friction', () => {
  const [mu, v] = [0.3, 1.5];
  const material = viscous(3 * MASS, mu);
  const normal = 1.5 * MASS * v;

  it('that sticks on average leaves with its slip reversed', () => {
    const { u, impulses } = strike(material, { velocity: [0.4, 0, -v] });
    expect(u[0] - RADIUS * u[4]).toBeCloseTo(-0.4, 12);
    expect(Math.hypot(impulses[1], impulses[2])).toBeCloseTo((2 * 0.4 * MASS) / 3.5, 12);
    expect(u[2]).toBeCloseTo(0.5 * v, 12);
  });

  it('that slides has the largest friction, against the mean slip, and loses the work of it', () => {
    const dynamics = strike(material, { velocity: [4, 3, -v] });
    const { u, impulses, energy } = dynamics;
    expect(impulses[0]).toBeCloseTo(normal, 12);
    const slip = 5 - (3.5 * mu * normal) / MASS;
    expect(u[0] - RADIUS * u[4]).toBeCloseTo(0.8 * slip, 12);
    expect(u[1] + RADIUS * u[3]).toBeCloseTo(0.6 * slip, 12);
    expect(energy[ENERGY.contactTangent]).toBeCloseTo(-0.5 * (5 + slip) * mu * normal, 12);
  });
});

describe('two balls on the floor that a third one strikes', () => {
  /** Of R_1, R_2 with D and S: all modes of both contacts, without friction. */
  function enumerate(q: number[], W: number[][], before: number[], k: number): number[] {
    for (let mode = 0; mode < 9; mode++) {
      const kinds = [mode % 3, Math.floor(mode / 3)];
      // Open: R = 0. Dissipating: U⁺ + R/k = −U⁻. Shut: U⁺ = 0.
      const rows = kinds.map((kind, i) =>
        kind === 0
          ? [0, 1].map((j) => (i === j ? 1 : 0))
          : [0, 1].map((j) => W[i][j] + (kind === 1 && i === j ? 1 / k : 0)),
      );
      const right = kinds.map((kind, i) => (kind === 0 ? 0 : kind === 1 ? -before[i] - q[i] : -q[i]));
      const det = rows[0][0] * rows[1][1] - rows[0][1] * rows[1][0];
      const r = [
        (right[0] * rows[1][1] - rows[0][1] * right[1]) / det,
        (rows[0][0] * right[1] - right[0] * rows[1][0]) / det,
      ];
      const u = [0, 1].map((i) => q[i] + W[i][0] * r[0] + W[i][1] * r[1]);
      const holds = [0, 1].every((i) => {
        const dissipated = k * Math.max(0, -(u[i] + before[i]));
        const reaction = r[i] - dissipated;
        const tiny = 1e-9;
        return u[i] > -tiny && reaction > -tiny && Math.abs(Math.min(u[i], reaction)) < tiny;
      });
      if (holds) return r;
    }
    return [Number.NaN, Number.NaN];
  }

  it.each([0.3, 1, 2.5, 8])('share the percussion as an enumeration of all modes says, k = %f m', (part) => {
    const k = part * MASS;
    const material = viscous(k);
    for (const [lower, upper] of [
      [0, -2],
      [-1, -1],
      [-0.5, -3],
      [0.4, -2],
    ]) {
      const bodies = [
        ball('a', RADIUS, { velocity: [0, 0, lower] }),
        ball('b', 3 * RADIUS, { velocity: [0, 0, upper] }),
      ];
      // Where the lower one leaves, the forecast of half a step would open its contact.
      const floor = { ...onFloor(0), offset: 1e-3 };
      const contacts = new GivenContacts([floor], [{ first: 0, second: 1, radius: RADIUS + 1e-3 }]);
      const dynamics = simulate({ bodies }, {}, contacts, material);
      certified(dynamics, 1, material);
      const before = [lower, upper - lower];
      const W = [
        [1 / MASS, -1 / MASS],
        [-1 / MASS, 2 / MASS],
      ];
      const exact = enumerate(before, W, before, k);
      expect(dynamics.impulses[0]).toBeCloseTo(exact[0], 10);
      expect(dynamics.impulses[3]).toBeCloseTo(exact[1], 10);
    }
  });
});

describe('energy', () => {
  const corners = [-0.1, 0.1].flatMap((x) =>
    [-0.15, 0.15].map((y) => ({ body: 0, point: [x, y, -0.05], radius: 0, normal: [0, 0, 1], offset: 0 })),
  );

  /**
   * Kinetic energy of a plate after an impact on its corners over that before, at random velocities with
   * which all corners come down.
   */
  function ratios(material: ContactMaterial): number[] {
    const { uniform } = seeded(7);
    return Array.from({ length: 60 }, () => {
      const body = {
        id: 'plate',
        mass: MASS,
        inertia: [0.02, 0.01, 0.03],
        position: [0, 0, 0.05],
        velocity: [uniform(-3, 3), uniform(-3, 3), -2],
        spin: [uniform(-5, 5), uniform(-5, 5), uniform(-9, 9)],
      };
      const settings = { h: 1e-6, tolerance: 1e-10 };
      const solver = new AutomaticFriction();
      const dynamics = simulate({ bodies: [body] }, settings, new GivenContacts(corners), material, solver);
      const start = dynamics.system.kineticEnergy(dynamics.u);
      const certificate = new ContactDynamicsCertificate(dynamics, [material]);
      expect(dynamics.advance()).toBe('ok');
      certificate.judge();
      expect(Math.max(...certificate.worst)).toBeLessThan(1e-8);
      expect(dynamics.activeCount).toBe(4);
      return dynamics.system.kineticEnergy(dynamics.u) / start;
    });
  }

  it.each([0.5, 2, 20])('is never gained at four corners with friction, k = %f kg', (viscosity) => {
    const found = ratios(viscous(viscosity, 0.7));
    expect(Math.max(...found)).toBeLessThan(1 + 1e-9);
    expect(Math.min(...found)).toBeLessThan(0.9);
  });

  it('is all kept without friction by a viscosity without limit', () => {
    ratios(viscous(1e7)).forEach((ratio) => expect(Math.abs(ratio - 1)).toBeLessThan(1e-5));
  });
});

describe('a rod that strikes the floor with its end', () => {
  /** Kinetic energies after over before, of random velocities with which the end comes down. */
  const ratios = (material: ContactMaterial): number[] => {
    const { uniform } = seeded(3);
    const end: PointAbovePlane = {
      body: 0,
      point: [0.6, 0, -0.8],
      radius: 0,
      normal: [0, 0, 1],
      offset: 1e-3,
    };
    return Array.from({ length: 300 }, () => {
      const [v, spin] = [uniform(-2, 2), uniform(-3, 3)];
      const body = {
        id: 'rod',
        mass: 1,
        inertia: [0.3, 0.3, 0.3],
        position: [0, 0, 0.8],
        velocity: [v, 0, 0.6 * spin - uniform(0.1, 1)],
        spin: [0, spin, 0],
      };
      const dynamics = simulate({ bodies: [body] }, { h: 1e-9 }, new GivenContacts([end]), material);
      const start = dynamics.system.kineticEnergy(dynamics.u);
      certified(dynamics, 1, material);
      return dynamics.system.kineticEnergy(dynamics.u) / start;
    });
  };

  it('gains energy by Newton with friction, T. R. Kane has found, and none by Frémond', () => {
    expect(Math.max(...ratios(dry(0.5, 0.9)))).toBeGreaterThan(1.2);
    expect(Math.max(...ratios(viscous(10, 0.5)))).toBeLessThan(1 + 1e-12);
  });
});

describe('what bounces and slides', () => {
  it('comes to rest exactly', () => {
    const corners = [-0.1, 0.1].flatMap((x) =>
      [-0.1, 0.1].map((y) => ({ body: 0, point: [x, y, -0.05], radius: 0, normal: [0, 0, 1], offset: 0 })),
    );
    const body = {
      id: 'brick',
      mass: MASS,
      inertia: [0.01, 0.01, 0.02],
      position: [0, 0, 0.06],
      velocity: [0.6, 0, 0],
    };
    const material = viscous(2, 0.5);
    const model = { bodies: [body], loads: [weight(0, 0, -G)] };
    const dynamics = simulate(
      model,
      { tolerance: 1e-10 },
      new GivenContacts(corners),
      material,
      new AutomaticFriction(),
    );
    for (let k = 0; k < 600; k++) expect(dynamics.advance()).toBe('ok');
    expect([...dynamics.u]).toEqual([0, 0, 0, 0, 0, 0]);
    const place = dynamics.q.slice();
    certified(dynamics, 100, material);
    expect(dynamics.q).toEqual(place);
  });
});

describe('the certificate', () => {
  it.each([
    ['viscosity', viscous(6.06, 0.3)],
    ['friction', viscous(6, 0.303)],
  ])('objects to another %s', (_, judged) => {
    const model = { bodies: [ball('ball', RADIUS, { velocity: [4, 3, -1.5] })] };
    const dynamics = simulate(model, {}, new GivenContacts([onFloor(0)]), viscous(6, 0.3));
    const certificate = new ContactDynamicsCertificate(dynamics, [judged]);
    expect(dynamics.advance()).toBe('ok');
    certificate.judge();
    expect(certificate.worst[CONTACT_RESIDUALS.indexOf('law')]).toBeGreaterThan(1e-3);
  });
});
