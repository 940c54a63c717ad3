/** Stops, friction and limited motors of joints of 3D bodies by steps with contact forces. */
import { describe, expect, it } from 'vitest';
import { ContactDynamicsCertificate } from '@engine/contact-dynamics/certificate/certificate';
import type { GalerkinSettings, SpatialGalerkinSteps } from '@engine/contact-dynamics/schemes/galerkin-steps';
import { frameAlong } from '@engine/spatial/joints/joint';
import { createSandbox } from '@engine/script/sandbox';
import type { ModelDocument } from '@engine/document/types';
import { simulate, weight } from '../contact-dynamics/worlds';
import { observedOrder } from '../support/order';
import { withFunctions } from '../support/models';
import { run } from '../support/run';
import { G, joint, rigid, spaceModel } from '../support/space';
import { byGalerkin, endOf, errorsOf, fromRest, last, PLACE, STEPS, worstOf } from './galerkin-models';

const SETTINGS: GalerkinSettings = {
  ...{
    level: 'velocity',
    closedGap: 1e-8,
    restingRate: 1e-8,
    kept: 0.01,
    direction: 'start',
    besideImpacts: 'kept',
  },
};

/** m g ½L about the pin of a rod whose mass centre is 0.5 m away from it; kg m² about the pin. */
const [MASS, ARM, OWN] = [2, 0.5, 0.1];
const INERTIA = OWN + MASS * ARM ** 2;

/** A rod on a hinge about y that begins horizontal. */
const hinged = (fields: object, h: number, tEnd = 1, choices = {}, gravity = G): ModelDocument => {
  const rod = rigid('rod', [ARM, 0, 0], {
    ...{ mass: MASS, inertia: [OWN, OWN, OWN], gravity: [0, 0, -gravity] },
  });
  const relation = { type: 'RevoluteJoint', point: [0, 0, 0], axis: [0, 1, 0], ...fields };
  return byGalerkin(spaceModel([rod], [joint('pin', ['rod'], relation)], { h, tEnd }), choices);
};

describe('a stop', () => {
  it('carries a rod at rest with the moment of its weight', () => {
    for (const choices of [{}, { direction: 'predicted' }, { besideImpacts: 'dropped' }]) {
      const found = run(hinged({ angleMin: -1, angleMax: 0, e: 0.5 }, 1e-3, 0.2, choices));
      expect(worstOf(found)).toBeLessThan(1e-12);
      for (const moment of found.column('pin.momentY').subarray(1))
        expect(Math.abs(moment)).toBeCloseTo(MASS * G * ARM, 9);
      expect(Math.abs(last(found.column('pin.angle')))).toBeLessThan(1e-14);
    }
  });

  it('throws a rod back with e times what it comes with, and brings it to rest', () => {
    const found = run(hinged({ angleMax: 1, e: 0.5 }, 5e-4, 6));
    const { column } = found;
    expect(worstOf(found)).toBeLessThan(1e-10);
    const rate = column('pin.angleRate');
    const first = rate.findIndex((value, k) => k > 0 && value < 0);
    // ½ J ω² = m g ½L sin 1, up to the way of a step.
    const speed = Math.sqrt((2 * MASS * G * ARM * Math.sin(1)) / INERTIA);
    expect(rate[first - 1]).toBeCloseTo(speed, 2);
    expect(rate[first]).toBeCloseTo(-0.5 * speed, 2);
    expect(Math.abs(last(rate))).toBeLessThan(1e-12);
    expect(Math.abs(last(column('pin.momentY')))).toBeCloseTo(MASS * G * ARM * Math.cos(1), 3);
    // As much as the rod loses that swings freely, of the order h².
    expect(found.session.energyDrift).toBeLessThan(1e-6);
  });
});

describe('the order', () => {
  it('is 2 of a body that goes round inside a pipe on a stop by a script', () => {
    const [radius, speed] = [0.8, 1.5];
    const at = (h: number): number[] => {
      const body = rigid('b', [radius, 0, 0], {
        ...{ mass: MASS, inertia: [OWN, OWN, OWN], gravity: [0, 0, 0], velocity: [0, speed, 0] },
      });
      const stop = {
        ...{ id: 'stop', systems: ['b'], law: { type: 'NewtonImpact3D', e: 0.4 } },
        relation: { type: 'NewtonEulerRelation', h: { function: 'h' } },
      };
      const document = withFunctions(
        byGalerkin(spaceModel([body], [stop], { h, tEnd: 0.48 }), { closedGap: 1e-4 }),
        `export const h = (q: Float64Array, out: Float64Array) => {
           out[0] = ${radius} - Math.sqrt(q[0] * q[0] + q[1] * q[1]);
         };`,
      );
      const found = run(document, { sandbox: createSandbox });
      expect(worstOf(found)).toBeLessThan(1e-10);
      const force = found.column('stop.lambda');
      for (const value of force.subarray(2)) expect(value / ((MASS * speed ** 2) / radius)).toBeCloseTo(1, 3);
      return endOf(found, PLACE('b'));
    };
    const angle = (0.48 * speed) / radius;
    const errors = errorsOf(at, [radius * Math.cos(angle), radius * Math.sin(angle), 0]);
    expect(observedOrder(STEPS, errors)).toBeGreaterThan(1.9);
  });

  it('is 2 of a rod that dry friction of its hinge slows down, or a motor drives, as it swings', () => {
    for (const fields of [{ angleFriction: 0.8 }, { angleSpeed: 50, angleLimit: 1.2 }]) {
      const at = (h: number): number[] => {
        const found = run(hinged(fields, h, 0.48));
        expect(worstOf(found)).toBeLessThan(1e-8);
        return endOf(found, PLACE('rod'));
      };
      const moment = 'angleFriction' in fields ? -0.8 : 1.2;
      const angle = swung(0.48, moment);
      const errors = errorsOf(at, [ARM * Math.cos(angle), 0, -ARM * Math.sin(angle)]);
      expect(observedOrder(STEPS, errors)).toBeGreaterThan(1.9);
    }
  });
});

/** Angle of the rod after a time under a constant moment besides its weight. */
const swung = (time: number, moment: number): number =>
  fromRest(0, (x) => (MASS * G * ARM * Math.cos(x) + moment) / INERTIA, time);

it('friction of a hinge brings a rod to rest without weight, and a motor reaches its speed and keeps it', () => {
  const still = run({
    ...hinged({ angleFriction: 1 }, 1e-3, 1, {}, 0),
  });
  expect(Math.abs(last(still.column('pin.angleRate')))).toBe(0);
  const driven = run(hinged({ angleSpeed: 2, angleLimit: 3 }, 1e-3, 1, {}, 0));
  expect(worstOf(driven)).toBeLessThan(1e-8);
  // From rest with 3 N m, then 2 rad/s.
  const reached = (2 * INERTIA) / 3;
  expect(last(driven.column('pin.angle'))).toBeCloseTo(2 - reached, 3);
  expect(last(driven.column('pin.angleRate'))).toBeCloseTo(2, 9);
});

it('records the force of equations that a script gives, which contact forces hold', () => {
  const body = rigid('b', [0, 0, 1], { mass: MASS, inertia: [OWN, OWN, OWN] });
  const link = {
    ...{ id: 'link', systems: ['b'], law: { type: 'Equality' } },
    relation: { type: 'NewtonEulerRelation', h: { function: 'h' } },
  };
  const document = withFunctions(
    byGalerkin(spaceModel([body], [link])),
    'export const h = (q: Float64Array, out: Float64Array) => { out[0] = q[2] - 1; };',
  );
  const { column } = run(document, { sandbox: createSandbox });
  expect(last(column('link.lambda'))).toBeCloseTo(MASS * G, 10);
});

describe('the certificate', () => {
  /** A weight on a rail that falls onto its stop against friction, with every later step spoiled. */
  const planted = (spoil: (stages: SpatialGalerkinSteps) => void): number => {
    const up = frameAlong([0, 0, 1]);
    const dynamics = simulate(
      {
        bodies: [{ id: 'block', mass: 2, inertia: [0.1, 0.2, 0.3], position: [0, 0, 0.05] }],
        joints: [
          {
            ...{ type: 'prismatic', id: 'rail', restitution: 0.2 },
            first: { body: 'ground', frame: up },
            second: { body: 'block', frame: up },
            friction: { displacement: 3 },
            limits: { displacement: [-0.02, Number.POSITIVE_INFINITY] },
          },
        ],
        loads: [weight(0, 0, -G)],
      },
      { h: 2e-3, motion: SETTINGS, projects: false },
    );
    const certificate = new ContactDynamicsCertificate(dynamics, []);
    for (let k = 0; k < 150; k++) {
      expect(dynamics.advance()).toBe('ok');
      const { stages } = dynamics;
      if (stages === null) throw new Error('no stages');
      if (k > 120) spoil(stages);
      certificate.judge();
    }
    expect(dynamics.events).toBeGreaterThan(0);
    return Math.max(...certificate.worst);
  };

  it('is that of rounding', () => {
    expect(planted(() => undefined)).toBeLessThan(1e-10);
  });

  it.each<[string, (stages: SpatialGalerkinSteps) => void]>([
    ['forces of a stop at the start', ({ left }) => (left.rows[0] *= 1.001)],
    ['forces of a stop at the end', ({ right }) => (right.rows[0] *= 1.001)],
    ['friction', ({ left }) => (left.rows[1] += 1e-5)],
    ['a stop that does not push', ({ right }) => (right.rows[0] = 0)],
  ])('finds other %s', (_name, spoil) => {
    expect(planted(spoil)).toBeGreaterThan(1e-8);
  });
});
