/** Rolling and spinning friction of contacts against closed solutions. */
import { describe, expect, it } from 'vitest';
import type { ContactDynamics } from '@engine/contact-dynamics/contact-dynamics';
import type { ContactMaterial } from '@engine/model/contact-laws/registry';
import {
  ContactDynamicsCertificate,
  CONTACT_RESIDUALS,
} from '@engine/contact-dynamics/certificate/certificate';
import { ENERGY } from '@engine/contact-dynamics/energy-terms';
import type { SpatialModel } from '@engine/spatial/compile';
import { sphere } from '@engine/model/shapes/sphere';
import { GivenContacts } from './sources';
import { certified, detected, dry, G, simulate, weight } from './worlds';

const MASS = 2;
const RADIUS = 0.1;
const INERTIA = 0.4 * MASS * RADIUS * RADIUS;

const rough = (rolling: number, spinning = 0, friction = 0.6): ContactMaterial => ({
  ...dry(friction),
  rolling,
  spinning,
});

/** A ball that touches the plane through the origin. */
function ball(
  material: ContactMaterial,
  motion: Partial<SpatialModel['bodies'][number]>,
  h = 1e-3,
  slope = 0,
): ContactDynamics {
  const normal = [Math.sin(slope), 0, Math.cos(slope)];
  const model: Partial<SpatialModel> = {
    bodies: [
      {
        id: 'ball',
        mass: MASS,
        inertia: [INERTIA, INERTIA, INERTIA],
        position: normal.map((x) => RADIUS * x),
        ...motion,
      },
    ],
    loads: [weight(0, 0, -G)],
  };
  const plane = new GivenContacts([{ body: 0, point: [0, 0, 0], radius: RADIUS, normal, offset: 0 }]);
  return simulate(model, { h, tolerance: 1e-13 }, plane, material);
}

const rolling = (v: number): Partial<SpatialModel['bodies'][number]> => ({
  velocity: [v, 0, 0],
  spin: [0, v / RADIUS, 0],
});

describe('a ball that rolls', () => {
  const [v, length] = [0.3, 0.01];
  const a = ((5 / 7) * length * G) / RADIUS;
  const material = rough(length);

  it('is slowed by (5/7) μ_r g/r in every step, and is at rest exactly from the one on that takes the last of it', () => {
    const h = 2e-3;
    const dynamics = ball(material, rolling(v), h);
    let worst = 0;
    certified(dynamics, 300, material, () => {
      const speed = Math.max(0, v - a * dynamics.time);
      worst = Math.max(worst, Math.abs(dynamics.u[0] - speed), Math.abs(RADIUS * dynamics.u[4] - speed));
    });
    expect(worst).toBeLessThan(1e-12);
    expect([...dynamics.u]).toEqual([0, 0, 0, 0, 0, 0]);
    expect(Math.abs(dynamics.q[0] - (v * v) / (2 * a))).toBeLessThan(0.5 * a * h * h);
  });

  it('loses the work of the moment along the angle that it has rolled', () => {
    const dynamics = ball(material, rolling(v));
    certified(dynamics, 500, material);
    const energy = 0.5 * MASS * v * v + 0.5 * INERTIA * (v / RADIUS) ** 2;
    expect(dynamics.totalEnergy[ENERGY.contactMoments]).toBeCloseTo(-energy, 12);
    expect(dynamics.totalEnergy[ENERGY.contactMoments]).toBeCloseTo(
      (-length * MASS * G * dynamics.q[0]) / RADIUS,
      5,
    );
    expect(Math.abs(dynamics.totalEnergy[ENERGY.contactTangent])).toBeLessThan(1e-12);
  });

  it('that has slid before rolls from when both velocities meet', () => {
    const mu = 0.2;
    const own = rough(length, 0, mu);
    const turning = ((mu * RADIUS - length) * MASS * G) / INERTIA;
    const start = v / (mu * G + RADIUS * turning);
    const speed = v - mu * G * start;
    const errors = [4e-3, 2e-3, 1e-3].map((h) => {
      const dynamics = ball(own, { velocity: [v, 0, 0] }, h);
      certified(dynamics, Math.round(0.12 / h), own);
      return Math.abs(dynamics.u[0] - (speed - a * (0.12 - start)));
    });
    // Both phases are followed exactly, and so is what friction does in the step between them.
    errors.forEach((error) => expect(error).toBeLessThan(1e-12));
  });
});

describe('a ball that spins about the normal', () => {
  it('stops after I ω/(μ_s m g), to the step', () => {
    const [omega, length, h] = [3, 2e-3, 1e-3];
    const material = rough(0, length);
    const rate = (length * MASS * G) / INERTIA;
    const dynamics = ball(material, { spin: [0, 0, omega] }, h);
    let worst = 0;
    certified(dynamics, 800, material, () => {
      const exact = Math.max(0, omega - rate * dynamics.time);
      worst = Math.max(worst, Math.abs(dynamics.u[5] - exact));
    });
    expect(worst).toBeLessThan(1e-11);
  });

  it('goes on where nothing but rolling friction acts', () => {
    const material = rough(0.01);
    const dynamics = ball(material, { spin: [0, 0, 3] });
    certified(dynamics, 400, material);
    expect(dynamics.u[5]).toBeCloseTo(3, 12);
  });
});

describe('a ball on a slope', () => {
  const length = 0.02;
  const steepest = Math.atan(length / RADIUS);
  it.each([0, 0.5, 0.999])('is at rest exactly at %f of the angle atan(μ_r/r)', (part) => {
    const material = rough(length);
    const dynamics = ball(material, {}, 1e-3, part * steepest);
    const start = dynamics.q.slice();
    certified(dynamics, 200, material, () => expect(dynamics.u.every((x) => x === 0)).toBe(true));
    expect(dynamics.q).toEqual(start);
  });

  it('rolls above it', () => {
    const material = rough(length);
    const slope = 1.5 * steepest;
    const dynamics = ball(material, {}, 1e-3, slope);
    certified(dynamics, 200, material);
    const a = (5 / 7) * G * (Math.sin(slope) - (length / RADIUS) * Math.cos(slope));
    expect(dynamics.u[0] / Math.cos(slope)).toBeCloseTo(a * dynamics.time, 10);
  });

  it('that rolls up comes to rest there', () => {
    const material = rough(length);
    const slope = 0.8 * steepest;
    const dynamics = ball(
      material,
      { velocity: [-0.3 * Math.cos(slope), 0, 0.3 * Math.sin(slope)], spin: [0, -3, 0] },
      1e-3,
      slope,
    );
    certified(dynamics, 400, material);
    expect(dynamics.u.every((x) => x === 0)).toBe(true);
  });

  it('that yields is held by the moment of what pushes it, up to the same angle', () => {
    const material: ContactMaterial = {
      kind: 'compliant',
      friction: 0.6,
      stiffness: 1e5,
      damping: 300,
      rolling: length,
    };
    const [below, above] = [0.95, 1.05].map((part) => {
      const dynamics = ball(material, {}, 1e-3, part * steepest);
      certified(dynamics, 1500, material);
      return Math.hypot(dynamics.u[0], dynamics.u[2]);
    });
    expect(below).toBeLessThan(1e-9);
    const lack = Math.sin(1.05 * steepest) - (length / RADIUS) * Math.cos(1.05 * steepest);
    expect(above).toBeCloseTo((5 / 7) * G * lack * 1.5, 2);
  });

  it('that it sticks to with the force C rests up to the moment of weight and C', () => {
    const pull = MASS * G;
    const material: ContactMaterial = {
      kind: 'cohesive',
      friction: 0.6,
      restitution: 0,
      pull,
      range: 1e-4,
      breaks: false,
      rolling: length,
    };
    // μ_r (m g cos α + C) = r m g sin α
    const moments = (angle: number): number =>
      length * (MASS * G * Math.cos(angle) + pull) - RADIUS * MASS * G * Math.sin(angle);
    const [below, above] = [0.39, 0.4].map((angle) => {
      const dynamics = ball(material, {}, 1e-3, angle);
      certified(dynamics, 100, material);
      return Math.abs(dynamics.u[0]);
    });
    expect(moments(0.39)).toBeGreaterThan(0);
    expect(moments(0.4)).toBeLessThan(0);
    expect(below).toBe(0);
    expect(above).toBeGreaterThan(0);
  });
});

describe('two balls', () => {
  it('that one rolls over keep all certified, and lose what their moments take', () => {
    const material = rough(0.01, 0.005);
    const bodies: SpatialModel['bodies'] = [
      { id: 'a', mass: MASS, inertia: [INERTIA, INERTIA, INERTIA], position: [0, 0, RADIUS] },
      {
        id: 'b',
        mass: 0.5,
        inertia: [2e-3, 2e-3, 2e-3],
        position: [0.06, 0.02, 3 * RADIUS],
        spin: [1, 2, 9],
      },
    ];
    const shapes = [sphere(RADIUS), sphere(RADIUS)];
    const dynamics = simulate({ bodies, loads: [weight(0, 0, -G)] }, {}, detected(shapes), material);
    let both = 0;
    certified(dynamics, 600, material, () => {
      if (dynamics.activeCount === 2) both++;
      expect(dynamics.energy[ENERGY.contactMoments]).toBeLessThan(1e-12);
    });
    expect(both).toBeGreaterThan(20);
    expect(dynamics.totalEnergy[ENERGY.contactMoments]).toBeLessThan(-1e-4);
  });
});

describe('a body on a joint that a wall presses with its spring', () => {
  const [stiffness, overlap, length] = [1e4, 1e-3, 0.02];
  const material: ContactMaterial = {
    kind: 'compliant',
    friction: 0,
    stiffness,
    damping: 0,
    rolling: length,
    spinning: length,
  };
  const inertia = [0.02, 0.03, 0.04];
  const pressed = (type: 'revolute' | 'prismatic', motion: object): ContactDynamics => {
    const body = { id: 'body', mass: MASS, inertia, position: [RADIUS - overlap, 0, 0], ...motion };
    const joint: SpatialModel['joints'][number] = {
      type,
      id: 'joint',
      first: { body: 'ground', point: body.position },
      second: { body: 'body' },
    };
    const wall = [{ body: 0, point: [0, 0, 0], radius: RADIUS, normal: [1, 0, 0], offset: 0 }];
    return simulate({ bodies: [body], joints: [joint] }, {}, new GivenContacts(wall), material);
  };

  it('stops turning about the only axis that the joint leaves after I ω/(μ_r k d)', () => {
    const omega = 2;
    const dynamics = pressed('revolute', { spin: [0, 0, omega] });
    const rate = (length * stiffness * overlap) / inertia[2];
    let worst = 0;
    certified(dynamics, 500, material, () => {
      worst = Math.max(worst, Math.abs(dynamics.u[5] - Math.max(0, omega - rate * dynamics.time)));
    });
    expect(omega / rate).toBeCloseTo(0.4, 12);
    expect(worst).toBeLessThan(1e-11);
  });

  it('has no moments where it cannot turn', () => {
    const dynamics = pressed('prismatic', { velocity: [0, 0, 0.5] });
    certified(dynamics, 50, material);
    expect(dynamics.u[2]).toBeCloseTo(0.5, 13);
    expect(dynamics.impulses[0]).toBeCloseTo(1e-3 * stiffness * overlap, 12);
    const moments = dynamics.momentRows?.moments.subarray(0, 3) ?? [];
    expect(Math.hypot(...moments)).toBeLessThan(1e-15);
  });
});

describe('the certificate', () => {
  it.each([
    ['rolling', rough(0.0101, 0.004), rolling(0.3)],
    ['spinning', rough(0.01, 0.00404), { spin: [0, 0, 3] }],
  ] as const)('objects to another law of %s', (_, judged, motion) => {
    const dynamics = ball(rough(0.01, 0.004), motion);
    const certificate = new ContactDynamicsCertificate(dynamics, [judged]);
    for (let k = 0; k < 20; k++) {
      expect(dynamics.advance()).toBe('ok');
      certificate.judge();
    }
    expect(certificate.worst[CONTACT_RESIDUALS.indexOf('moments')]).toBeGreaterThan(1e-5);
    expect(
      Math.max(...certificate.worst.filter((_value, k) => CONTACT_RESIDUALS[k] !== 'moments')),
    ).toBeLessThan(1e-10);
  });
});

describe('without moments', () => {
  it('there are no rows for them, and W is symmetric', () => {
    const dynamics = ball(dry(0.5), rolling(0.3));
    certified(dynamics, 5, dry(0.5));
    expect(dynamics.momentRows).toBeNull();
    expect(dynamics.problem.count).toBe(1);
    expect(dynamics.problem.isSymmetric).toBe(true);
    const rolls = ball(rough(0.01, 0.01), rolling(0.3));
    certified(rolls, 5, rough(0.01, 0.01));
    expect(rolls.problem.count).toBe(3);
    expect(rolls.problem.isSymmetric).toBe(false);
  });
});
