/**
 * Contacts that yield: spring and damper along the normal against closed solutions, and the rigid law as
 * their limit.
 */
import { describe, expect, it } from 'vitest';
import { ContactDynamicsCertificate } from '@engine/contact-dynamics/certificate/certificate';
import type { ContactDynamics } from '@engine/contact-dynamics/contact-dynamics';
import type { CompliantMaterial } from '@engine/model/contact-laws/compliant';
import { ENERGY } from '@engine/contact-dynamics/energy-terms';
import type { SpatialModel } from '@engine/spatial/compile';
import { GivenContacts } from './sources';
import { certified, dry, G, simulate, weight } from './worlds';

const MASS = 2;
const RADIUS = 0.5;
const soft = (stiffness: number, damping = 0, friction = 0): CompliantMaterial => ({
  kind: 'compliant',
  friction,
  stiffness,
  damping,
});

const ballAt = (id: string, z: number, v = 0): SpatialModel['bodies'][number] => ({
  id,
  mass: MASS,
  inertia: [0.2, 0.2, 0.2],
  position: [0, 0, z],
  velocity: [0, 0, v],
});
const floor = (): GivenContacts =>
  new GivenContacts([{ body: 0, point: [0, 0, 0], radius: RADIUS, normal: [0, 0, 1], offset: 0 }]);

/** A ball that meets the floor, with its velocity and without weight. */
function shot(material: CompliantMaterial, h: number, gap = 0.01): ContactDynamics {
  const model = { bodies: [ballAt('ball', RADIUS + gap, -1)], loads: [] };
  return simulate(model, { h }, floor(), material);
}

/** Velocity after the contact and how long the contact has pushed. */
function bounce(material: CompliantMaterial, h: number): { speed: number; duration: number } {
  const dynamics = shot(material, h);
  let pushing = 0;
  certified(dynamics, Math.round(0.2 / h), material, () => {
    if (dynamics.activeCount > 0 && dynamics.impulses[0] > 0) pushing++;
  });
  return { speed: dynamics.u[2], duration: pushing * h };
}

describe('a ball on a floor that yields', () => {
  it('has the step that its force at the next middle gives', () => {
    const [k, c, h, v] = [3e3, 7, 1e-2, -0.4];
    const model = { bodies: [ballAt('ball', RADIUS - 0.02, v)], loads: [weight(0, 0, -G)] };
    const dynamics = simulate(model, { h }, floor(), soft(k, c));
    expect(dynamics.advance()).toBe('ok');
    const gap = -0.02 + 0.5 * h * v;
    const after = (MASS * (v - h * G) - h * k * gap) / (MASS + h * (h * k + c));
    expect(dynamics.u[2]).toBeCloseTo(after, 13);
    expect(dynamics.impulses[0]).toBeCloseTo(h * (-k * (gap + h * after) - c * after), 13);
  });

  it('bounces after π/ω with the velocity it came with, to the order of the scheme', () => {
    const k = 1e4;
    const period = Math.PI / Math.sqrt(k / MASS);
    const steps = [4e-4, 2e-4, 1e-4];
    const found = steps.map((h) => bounce(soft(k), h));
    const lost = found.map(({ speed }) => 1 - speed);
    expect(lost[2]).toBeLessThan(0.02);
    // Halved with the step, and no energy is won.
    expect(lost[0] / lost[1]).toBeCloseTo(2, 1);
    expect(lost[1] / lost[2]).toBeCloseTo(2, 1);
    found.forEach(({ duration }, n) => expect(Math.abs(duration - period)).toBeLessThan(2 * steps[n]));
  });

  it('with a damper leaves when the force is zero, not when the gap is', () => {
    // Schwager and Pöschel 2007
    const [k, c] = [1e4, 60];
    const beta = c / (2 * MASS);
    const omega = Math.sqrt(k / MASS - beta * beta);
    const time = (Math.PI - Math.atan((2 * beta * omega) / (omega * omega - beta * beta))) / omega;
    const restitution = Math.exp(-beta * time);
    const errors = [2e-4, 1e-4, 5e-5].map((h) => Math.abs(bounce(soft(k, c), h).speed - restitution));
    expect(errors[2]).toBeLessThan(5e-3);
    expect(errors[0] / errors[2]).toBeGreaterThan(3);
    expect(Math.abs(bounce(soft(k, c), 5e-5).duration - time)).toBeLessThan(1.5e-4);
  });

  it('oscillates about m g/k as the equation says, with an error of order 1', () => {
    const k = 2e3;
    const omega = Math.sqrt(k / MASS);
    const rest = (MASS * G) / k;
    const error = (h: number): number => {
      const model = { bodies: [ballAt('ball', RADIUS - 1.5 * rest)], loads: [weight(0, 0, -G)] };
      const dynamics = simulate(model, { h }, floor(), soft(k));
      let worst = 0;
      certified(dynamics, Math.round(0.3 / h), soft(k), () => {
        const exact = RADIUS - rest - 0.5 * rest * Math.cos(omega * dynamics.time);
        worst = Math.max(worst, Math.abs(dynamics.q[2] - exact));
      });
      return worst / rest;
    };
    const [coarse, fine] = [error(1e-4), error(5e-5)];
    expect(coarse).toBeLessThan(0.02);
    expect(coarse / fine).toBeCloseTo(2, 1);
  });

  it('comes to rest m g/k deep, and pushes with its weight', () => {
    const material = soft(2e3, 120);
    const model = { bodies: [ballAt('ball', RADIUS + 0.05)], loads: [weight(0, 0, -G)] };
    const dynamics = simulate(model, {}, floor(), material);
    certified(dynamics, 4000, material);
    expect(dynamics.q[2] - RADIUS).toBeCloseTo((-MASS * G) / 2e3, 12);
    expect(dynamics.impulses[0]).toBeCloseTo(1e-3 * MASS * G, 12);
  });

  it('keeps its depth where overlaps are removed', () => {
    const material = soft(2e3, 120);
    const model = { bodies: [ballAt('ball', RADIUS + 0.05)], loads: [weight(0, 0, -G)] };
    const dynamics = simulate(model, { overlap: 1e-4 }, floor(), material);
    certified(dynamics, 4000, material);
    expect(dynamics.q[2] - RADIUS).toBeCloseTo((-MASS * G) / 2e3, 12);
    expect(dynamics.totalEnergy[ENERGY.corrections]).toBe(0);
  });

  it('never pulls', () => {
    const model = { bodies: [ballAt('ball', RADIUS - 0.01, 1)], loads: [] };
    const dynamics = simulate(model, {}, floor(), soft(1e3, 500));
    // The damper alone would hold it back with 500 N, more than the spring pushes.
    certified(dynamics, 50, soft(1e3, 500));
    expect(dynamics.u[2]).toBe(1);
  });
});

describe('energy with a spring', () => {
  it('that has no damper is lost with the step only, and its balance is that of all works', () => {
    const k = 1e4;
    const losses = [2e-4, 1e-4].map((h) => {
      const dynamics = shot(soft(k), h);
      const start = 0.5 * MASS;
      let worst = 0;
      certified(dynamics, Math.round(0.03 / h), soft(k), () => {
        const gap = Math.min(0, dynamics.q[2] - RADIUS);
        const energy = dynamics.energy[ENERGY.kinetic] + 0.5 * k * gap * gap;
        worst = Math.max(worst, Math.abs(energy - start) / start);
        const balance =
          dynamics.totalEnergy[ENERGY.kinetic] - start - dynamics.totalEnergy[ENERGY.contactNormal];
        expect(Math.abs(balance)).toBeLessThan(1e-13);
      });
      return worst;
    });
    expect(losses[1]).toBeLessThan(0.03);
    expect(losses[0] / losses[1]).toBeCloseTo(2, 0);
  });
});

describe('a spring without limit is the rigid law', () => {
  it('of a ball that falls: it touches from above, stays there, and pushes as if it were rigid', () => {
    const [h, k] = [1e-3, 1e13];
    const model = { bodies: [ballAt('ball', RADIUS + 0.1)], loads: [weight(0, 0, -G)] };
    const stiff = simulate(model, { h }, floor(), soft(k));
    const rigid = simulate(model, { h }, floor(), dry(0));
    let deepest = 0;
    let [ofStiff, ofRigid] = [0, 0];
    certified(stiff, 500, soft(k), () => {
      expect(rigid.advance()).toBe('ok');
      deepest = Math.min(deepest, stiff.q[2] - RADIUS);
      if (stiff.activeCount > 0) ofStiff += stiff.impulses[0];
      if (rigid.activeCount > 0) ofRigid += rigid.impulses[0];
    });
    // The rigid one overlaps by what a step moves it; the other takes part before it closes, and is as deep
    // as the impulse needs, m v/(h k).
    expect(deepest).toBeGreaterThan((-MASS * Math.sqrt(2 * G * 0.1)) / (h * k));
    expect(Math.abs(stiff.u[2])).toBeLessThan(1e-12);
    expect(ofStiff).toBeCloseTo(ofRigid, 11);
    expect(stiff.impulses[0]).toBeCloseTo(rigid.impulses[0], 12);
  });

  it('of a brick that slides on the flat: it stops after v²/2μg', () => {
    const corners = [-0.5, 0.5].flatMap((x) =>
      [-0.5, 0.5].map((y) => ({ body: 0, point: [x, y, -0.1], radius: 0, normal: [0, 0, 1], offset: 0 })),
    );
    const model: Partial<SpatialModel> = {
      bodies: [
        { id: 'brick', mass: 1, inertia: [0.1, 0.1, 0.2], position: [0, 0, 0.1], velocity: [1, 0, 0] },
      ],
      loads: [weight(0, 0, -G)],
    };
    const material = soft(1e9, 1e4, 0.4);
    // Impulses are 10⁻³ of the velocities that the tolerance is relative to.
    const settings = { h: 1e-3, tolerance: 1e-13 };
    const dynamics = simulate(model, settings, new GivenContacts(corners), material);
    certified(dynamics, 400, material);
    expect(Math.abs(dynamics.u[0])).toBeLessThan(1e-9);
    expect(dynamics.q[0]).toBeCloseTo(1 / (2 * 0.4 * G), 4);
  });
});

describe('two balls on one another', () => {
  it('are as deep in each other and in the floor as springs in a row are short', () => {
    const [k, c] = [5e3, 150];
    const material = soft(k, c);
    const contacts = new GivenContacts(
      [{ body: 0, point: [0, 0, 0], radius: RADIUS, normal: [0, 0, 1], offset: 0 }],
      [{ first: 0, second: 1, radius: RADIUS }],
    );
    const model = { bodies: [ballAt('a', RADIUS), ballAt('b', 3 * RADIUS)], loads: [weight(0, 0, -G)] };
    const dynamics = simulate(model, {}, contacts, material);
    certified(dynamics, 5000, material);
    const depth = (MASS * G) / k;
    expect(dynamics.q[2]).toBeCloseTo(RADIUS - 2 * depth, 10);
    expect(dynamics.q[9]).toBeCloseTo(3 * RADIUS - 3 * depth, 10);
  });
});

describe('the certificate', () => {
  const worstOf = (judged: CompliantMaterial): Float64Array => {
    const dynamics = shot(soft(1e4, 20, 0.3), 1e-3);
    const certificate = new ContactDynamicsCertificate(dynamics, [judged]);
    for (let k = 0; k < 40; k++) {
      expect(dynamics.advance()).toBe('ok');
      certificate.judge();
    }
    return certificate.worst;
  };

  it('says nothing of the right law', () => {
    expect(Math.max(...worstOf(soft(1e4, 20, 0.3)))).toBeLessThan(1e-11);
  });

  it('objects to another stiffness and to another damping', () => {
    expect(worstOf(soft(1.001e4, 20, 0.3))[1]).toBeGreaterThan(1e-5);
    expect(worstOf(soft(1e4, 20.1, 0.3))[1]).toBeGreaterThan(1e-5);
  });

  it('objects to friction beyond the coefficient, which the cone does too', () => {
    const model = { bodies: [{ ...ballAt('ball', RADIUS), velocity: [1, 0, -1] }], loads: [] };
    const dynamics = simulate(model, {}, floor(), soft(1e4, 20, 0.3));
    const certificate = new ContactDynamicsCertificate(dynamics, [soft(1e4, 20, 0.2)]);
    for (let k = 0; k < 5; k++) {
      expect(dynamics.advance()).toBe('ok');
      certificate.judge();
    }
    expect(certificate.worst[0]).toBeGreaterThan(1e-3);
    expect(certificate.worst[1]).toBeGreaterThan(1e-3);
  });
});
