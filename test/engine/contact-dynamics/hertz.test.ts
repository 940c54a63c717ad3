/** Hertzian contacts with the dissipation of Hunt and Crossley, against closed solutions. */
import { describe, expect, it } from 'vitest';
import { CheckedContact } from '@engine/model/contact-laws/contact-law';
import type { HertzMaterial } from '@engine/model/contact-laws/hertz';
import { createContactLaw } from '@engine/model/contact-laws/registry';
import { ENERGY } from '@engine/contact-dynamics/energy-terms';
import type { SpatialModel } from '@engine/spatial/compile';
import type { ModelDocument, TypedElement } from '@engine/document/types';
import { reportDocument } from '@engine/preparation/report';
import { expectComplete } from '../support/issues';
import { run } from '../support/run';
import * as space from '../support/space';
import { GivenContacts } from './sources';
import { certified, G, simulate, weight } from './worlds';

const MASS = 2;
const RADIUS = 0.5;
const hertz = (modulus: number, dissipation = 0, friction = 0): HertzMaterial => ({
  kind: 'hertz',
  friction,
  modulus,
  radius: RADIUS,
  dissipation,
});
/** k of that, N/m^{3/2} */
const stiffness = (modulus: number): number => (4 / 3) * modulus * Math.sqrt(RADIUS);

const ball = (z: number, velocity: [number, number, number]): SpatialModel['bodies'][number] => ({
  id: 'ball',
  mass: MASS,
  inertia: [0.2, 0.2, 0.2],
  position: [0, 0, z],
  velocity,
});
const floor = (): GivenContacts =>
  new GivenContacts([{ body: 0, point: [0, 0, 0], radius: RADIUS, normal: [0, 0, 1], offset: 0 }]);

/** An impact without weight: speed after it, how long the floor has pushed, and how deep the ball was. */
function bounce(
  material: HertzMaterial,
  speed: number,
  h: number,
  duration: number,
): { speed: number; pushed: number; depth: number } {
  const dynamics = simulate(
    { bodies: [ball(RADIUS + 1e-3, [0, 0, -speed])], loads: [] },
    { h },
    floor(),
    material,
  );
  let pushed = 0;
  let depth = 0;
  certified(dynamics, Math.round((2 * duration + 1e-3 / speed) / h), material, () => {
    if (dynamics.activeCount > 0 && dynamics.impulses[0] > 0) pushed += h;
    depth = Math.max(depth, RADIUS - dynamics.q[2]);
  });
  return { speed: dynamics.u[2], pushed, depth };
}

/** Root of a function that rises from below zero to above it. */
function root(f: (x: number) => number, low: number, high: number): number {
  let [a, b] = [low, high];
  for (let k = 0; k < 100; k++) {
    const middle = (a + b) / 2;
    if (f(middle) < 0) a = middle;
    else b = middle;
  }
  return (a + b) / 2;
}

/**
 * Speed after an impact at speed v. m v dv/(1 − 3/2 α U) = −k δ^{3/2} dδ, and the right side has no integral
 * over an impact: β v − ln(1 + β v) = −β w − ln(1 − β w) with β = 3/2 α and w the speed after it, whatever k
 * and m.
 */
function rebound(alpha: number, v: number): number {
  const beta = 1.5 * alpha;
  const before = beta * v - Math.log1p(beta * v);
  return root((w) => -beta * w - Math.log1p(-beta * w) - before, 0, Math.min(v, (1 - 1e-12) / beta));
}

describe('a ball with a Hertzian contact', () => {
  it('has in a step the force of the law at the next middle, to first order', () => {
    const [modulus, alpha, h, v] = [1e5, 0.4, 1e-3, -0.3];
    const k = stiffness(modulus);
    const dynamics = simulate(
      { bodies: [ball(RADIUS - 0.01, [0, 0, v])], loads: [] },
      { h },
      floor(),
      hertz(modulus, alpha),
    );
    expect(dynamics.advance()).toBe('ok');
    const depth = 0.01 - 0.5 * h * v;
    const force = (u: number): number => k * (depth - h * u) ** 1.5 * (1 - 1.5 * alpha * u);
    const slope = (force(1e-6) - force(-1e-6)) / 2e-6;
    const after = (MASS * v + h * force(0)) / (MASS - h * slope);
    expect(dynamics.u[2]).toBeCloseTo(after, 9);
    expect(dynamics.impulses[0]).toBeCloseTo(h * (force(0) + slope * after), 9);
  });

  it('springs back after 2.9433 δ/v from the depth δ = (5 m v²/4 k)^{2/5}, to the order of the scheme', () => {
    // Johnson 1985 (11.23) and (11.24): ∫ 2 dx/√(1 − x^{5/2}) over 0 … 1 is 2.9433.
    const [modulus, v] = [1e6, 0.5];
    const deepest = ((5 * MASS * v * v) / (4 * stiffness(modulus))) ** 0.4;
    const duration = (2.9433 * deepest) / v;
    const steps = [400, 800, 1600].map((parts) => duration / parts);
    const found = steps.map((h) => bounce(hertz(modulus), v, h, duration));
    const lost = found.map(({ speed }) => 1 - speed / v);
    expect(lost[2]).toBeGreaterThan(0);
    expect(lost[2]).toBeLessThan(5e-3);
    expect(lost[0] / lost[1]).toBeCloseTo(2, 1);
    expect(lost[1] / lost[2]).toBeCloseTo(2, 1);
    found.forEach(({ pushed, depth }, n) => {
      expect(Math.abs(pushed - duration)).toBeLessThan(4 * steps[n]);
      expect(Math.abs(depth - deepest)).toBeLessThan(v * steps[n]);
    });
  });

  it.each([
    [0.1, 0.5],
    [0.5, 1],
    [2, 1],
  ])('has with α = %f at %f m/s the restitution of Hunt and Crossley, whatever its modulus', (alpha, v) => {
    const exact = rebound(alpha, v);
    for (const modulus of [1e5, 1e7]) {
      const deepest = ((5 * MASS * v * v) / (4 * stiffness(modulus))) ** 0.4;
      const duration = (2.9433 * deepest) / v;
      // The slower it leaves, the longer it takes.
      const time = (3 * duration * v) / exact;
      const errors = [400, 800].map(
        (parts) => bounce(hertz(modulus, alpha), v, duration / parts, time).speed / exact - 1,
      );
      expect(Math.abs(errors[1])).toBeLessThan(0.01);
      expect(errors[0] / errors[1]).toBeCloseTo(2, 0);
    }
  });

  it('has the restitution 1 − α v where that is near to 1', () => {
    for (const alpha of [1e-2, 1e-3]) expect(rebound(alpha, 1)).toBeCloseTo(1 - alpha, 3);
  });

  it('comes to rest at (m g/k)^{2/3}, and pushes with its weight', () => {
    const material = hertz(1e5, 20);
    const dynamics = simulate(
      { bodies: [ball(RADIUS, [0, 0, 0])], loads: [weight(0, 0, -G)] },
      {},
      floor(),
      material,
    );
    certified(dynamics, 20_000, material);
    const depth = ((MASS * G) / stiffness(1e5)) ** (2 / 3);
    expect((RADIUS - dynamics.q[2]) / depth).toBeCloseTo(1, 8);
    expect(dynamics.impulses[0]).toBeCloseTo(1e-3 * MASS * G, 9);
  });

  it('slides with μ times what the contact pushes', () => {
    const material = hertz(1e5, 5, 0.3);
    const depth = ((MASS * G) / stiffness(1e5)) ** (2 / 3);
    const dynamics = simulate(
      { bodies: [ball(RADIUS - depth, [2, 0, 0])], loads: [weight(0, 0, -G)] },
      {},
      floor(),
      material,
    );
    certified(dynamics, 50, material, () => {
      const [normal, first, second] = dynamics.impulses;
      expect(Math.hypot(first, second)).toBeCloseTo(0.3 * normal, 10);
    });
    expect(dynamics.u[0]).toBeCloseTo(2 - 0.3 * G * 0.05, 6);
  });

  it('never pulls, and does not leave faster than it came where steps are longer than the impact', () => {
    const v = 3;
    for (const [modulus, alpha] of [
      [1e12, 0],
      [1e15, 0],
      [1e12, 10],
    ]) {
      const material = hertz(modulus, alpha);
      const dynamics = simulate(
        { bodies: [ball(RADIUS + 2e-3, [0, 0, -v])], loads: [] },
        { h: 1e-3 },
        floor(),
        material,
      );
      certified(dynamics, 50, material, () => {
        expect(dynamics.activeCount > 0 ? dynamics.impulses[0] : 0).toBeGreaterThanOrEqual(0);
        expect(dynamics.u[2]).toBeLessThan(v);
      });
      expect(dynamics.u[2]).toBeGreaterThan(0);
      expect(dynamics.energy[ENERGY.kinetic]).toBeLessThan(0.5 * MASS * v * v);
    }
  });
});

describe('the certificate of a Hertzian contact', () => {
  const judged = (impulse: readonly number[], velocity: readonly number[], gap: number): Float64Array => {
    const contact = new CheckedContact();
    contact.impulse.set(impulse);
    contact.velocity.set(velocity);
    contact.numbers[CheckedContact.GAP] = gap;
    contact.numbers[CheckedContact.MASS] = MASS;
    contact.numbers[CheckedContact.STEP] = 1e-3;
    createContactLaw(hertz(1e5, 0.4, 0.3)).judge(contact);
    return contact.defects;
  };
  const gap = -0.01;
  const force = stiffness(1e5) * 0.01 ** 1.5;
  // d U, the tangent of the force in the step: 3/2 k √δ (h + α δ) U
  const resistance = 1.5 * stiffness(1e5) * Math.sqrt(0.01) * (1e-3 + 0.4 * 0.01);
  const normal = 1e-3 * (force - resistance * -0.2);

  it('agrees with the force of the law, and with friction that slides', () => {
    const defects = judged([normal, -0.3 * normal, 0], [-0.2, 1, 0], gap);
    expect(Math.max(...defects)).toBeLessThan(1e-12);
  });

  it.each<[string, number[], number[], number]>([
    ['the force of a straight spring', [normal * 1.5, 0, 0], [-0.2, 0, 0], gap],
    ['a force without dissipation', [1e-3 * (force + 150 * 0.2), 0, 0], [-0.2, 0, 0], gap],
    ['a force that pulls', [-0.1, 0, 0], [5, 0, 0], gap],
    ['a force above an open gap', [0.1, 0, 0], [0, 0, 0], 0.01],
    ['friction along the slip', [normal, 0.3 * normal, 0], [-0.2, 1, 0], gap],
    ['more friction than the cone has', [normal, -0.5 * normal, 0], [-0.2, 1, 0], gap],
  ])('objects to %s', (_, impulse, velocity, at) => {
    expect(Math.max(...judged(impulse, velocity, at))).toBeGreaterThan(1e-3);
  });
});

describe('the law in a document', () => {
  function box(law: Partial<TypedElement>): ModelDocument {
    const document = space.spaceModel(
      [space.floor('floor'), space.rigid('box', [0, 0, 0.1])],
      [space.touch('contact', ['floor', 'box'])],
      { tEnd: 1 },
    );
    document.interactions[0].law = { type: 'HertzFriction3D', modulus: 1e6, radius: 0.1, mu: 0.5, ...law };
    return document;
  }

  it('carries a box of 8 kg on four corners', () => {
    const { column, session } = run(box({ alpha: 20 }));
    const depth = ((8 * G) / (4 * (4 / 3) * 1e6 * Math.sqrt(0.1))) ** (2 / 3);
    expect(0.1 - (column('box.q[2]').at(-1) ?? NaN)).toBeCloseTo(depth, 8);
    expect(column('contact.normalImpulse').at(-1)).toBeCloseTo(1e-3 * 8 * G, 6);
    expect(session.certificate.complementarity).toBeLessThan(1e-6);
  });

  it.each([
    [{ modulus: 0 }, 'modulus'],
    [{ radius: 0 }, 'radius'],
    [{ alpha: -1 }, 'alpha'],
    [{ mu: -0.1 }, 'mu'],
  ])('is refused with %j', (law, key) => {
    const { issues } = reportDocument(box(law));
    expectComplete(issues);
    expect(issues).toMatchObject([{ code: 'out-of-range', pointer: `/interactions/0/law/${key}` }]);
  });
});
