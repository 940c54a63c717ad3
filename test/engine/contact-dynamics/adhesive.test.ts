/**
 * Bonds with an intensity: pulled off along the normal and sheared against closed solutions, with friction,
 * and what their damage takes.
 */
import { describe, expect, it } from 'vitest';
import { ContactDetection } from '@engine/collision/contact-detection';
import { plane } from '@engine/model/shapes/plane';
import { sphere } from '@engine/model/shapes/sphere';
import {
  ContactDynamicsCertificate,
  CONTACT_RESIDUALS,
} from '@engine/contact-dynamics/certificate/certificate';
import type { ContactDynamics } from '@engine/contact-dynamics/contact-dynamics';
import type { AdhesiveMaterial } from '@engine/model/contact-laws/adhesive';
import { DetectedContacts } from '@engine/contact-dynamics/contacts/detected-contacts';
import { ENERGY } from '@engine/contact-dynamics/energy-terms';
import type { KinematicMotion } from '@engine/contact-dynamics/contacts/kinematic-bodies';
import type { SpatialModel } from '@engine/spatial/compile';
import { frameAlong } from '@engine/spatial/joints/joint';
import { GivenContacts } from './sources';
import { certified, G, simulate, weight } from './worlds';

const [MASS, RADIUS] = [2, 0.1];
const [C, WORK] = [4e4, 0.02];
/** Stretch at which damage begins, √(w/C). */
const ONSET = Math.sqrt(WORK / C);

const glue = (rest: Partial<AdhesiveMaterial> = {}): AdhesiveMaterial => ({
  kind: 'adhesive',
  friction: 0,
  normal: C,
  tangential: C,
  work: WORK,
  viscosity: 0,
  intensity: 1,
  ...rest,
});
const floor = (): GivenContacts =>
  new GivenContacts([{ body: 0, point: [0, 0, 0], radius: RADIUS, normal: [0, 0, 1], offset: 0 }]);
const ball = (
  z: number,
  rest: Partial<SpatialModel['bodies'][number]> = {},
): SpatialModel['bodies'][number] => ({
  id: 'ball',
  mass: MASS,
  inertia: [0.01, 0.01, 0.01],
  position: [0, 0, z],
  ...rest,
});

/**
 * A ball on a slide that is moved with a speed, up or along the floor; its middle of the first step is
 * closed, without a stretch.
 */
function pulled(
  material: AdhesiveMaterial,
  speed: number,
  h: number,
  axis: readonly [number, number, number],
): ContactDynamics {
  const z = RADIUS - h * speed * axis[2];
  const frame = frameAlong(axis);
  const joint: SpatialModel['joints'][number] = {
    type: 'prismatic',
    id: 'slide',
    first: { body: 'ground', frame, point: [0, 0, z] },
    second: { body: 'ball', frame },
    motors: { displacement: { speed, limit: Number.POSITIVE_INFINITY } },
  };
  const velocity = axis.map((x) => speed * x);
  return simulate({ bodies: [ball(z, { velocity })], joints: [joint] }, { h }, floor(), material);
}

/** Force of a bond that is stretched slowly. */
const quasiStatic = (stretch: number): number =>
  stretch <= ONSET ? C * stretch : (WORK * WORK) / (C * stretch ** 3);

describe('a bond without viscosity', () => {
  it('is pulled off along the curve C u, then w²/(C u³), and takes the work of it', () => {
    const [speed, h] = [0.05, 1e-4];
    const material = glue();
    const dynamics = pulled(material, speed, h, [0, 0, 1]);
    let stretch = -0.5 * h * speed;
    let worst = 0;
    certified(dynamics, 1200, material, () => {
      worst = Math.max(worst, Math.abs(dynamics.impulses[0] / h + quasiStatic(Math.max(0, stretch))));
      stretch += h * speed;
    });
    expect(stretch).toBeGreaterThan(8 * ONSET);
    expect(worst).toBeLessThan(1e-7);
    const behind = (WORK * WORK) / (2 * C * stretch * stretch);
    expect(-dynamics.totalEnergy[ENERGY.contactNormal] / (WORK - behind)).toBeCloseTo(1, 4);
  });

  it('is sheared along the same curve', () => {
    const [speed, h] = [0.05, 1e-4];
    const material = glue();
    const dynamics = pulled(material, speed, h, [1, 0, 0]);
    let stretch = 0;
    let worst = 0;
    certified(dynamics, 600, material, () => {
      const force = Math.hypot(dynamics.impulses[1], dynamics.impulses[2]) / h;
      worst = Math.max(worst, Math.abs(force - quasiStatic(stretch)));
      stretch += h * speed;
    });
    expect(worst).toBeLessThan(1e-7);
    expect(dynamics.impulses[0]).toBe(0);
    expect(dynamics.totalEnergy[ENERGY.contactTangent]).toBeLessThan(-0.9 * WORK);
  });

  it('of less intensity at the start follows β₀² C u until the curve is reached', () => {
    const [speed, h, intensity] = [0.05, 1e-4, 0.5];
    const material = glue({ intensity });
    const dynamics = pulled(material, speed, h, [0, 0, 1]);
    let stretch = -0.5 * h * speed;
    certified(dynamics, 600, material, () => {
      const open = Math.max(0, stretch);
      const energy = C * open * open;
      const exact = intensity * energy <= WORK ? intensity ** 2 * C * open : quasiStatic(open);
      expect(-dynamics.impulses[0] / h).toBeCloseTo(exact, 7);
      stretch += h * speed;
    });
  });
});

describe('a bond with viscosity', () => {
  /** Work until the bond has lost all but a thousandth, and the largest difference of β from its equation. */
  function separate(viscosity: number, speed: number, h: number): { work: number; error: number } {
    const material = glue({ viscosity });
    const dynamics = pulled(material, speed, h, [0, 0, 1]);
    let [beta, t, error] = [1, 0, 0];
    certified(dynamics, Math.round((30 * ONSET) / (speed * h)), material, () => {
      // 50 steps of the midpoint rule for b β̇ = min(0, w − β C v² t²), from one stretch to the next.
      const from = Math.max(0, t - 1.5 * h);
      const to = Math.max(0, t - 0.5 * h);
      for (let k = 0; k < 50; k++) {
        const dt = (to - from) / 50;
        const rate = (b: number, at: number): number =>
          Math.min(0, WORK - b * C * (speed * at) ** 2) / viscosity;
        const at = from + k * dt;
        beta += dt * rate(beta + 0.5 * dt * rate(beta, at), at + 0.5 * dt);
      }
      error = Math.max(error, Math.abs(beta - (dynamics.intensities?.[0] ?? Number.NaN)));
      t += h;
    });
    return { work: -dynamics.totalEnergy[ENERGY.contactNormal], error };
  }

  it('has the intensity of its equation, with an error of order 1', () => {
    const [coarse, fine] = [separate(2e-4, 0.2, 4e-5), separate(2e-4, 0.2, 2e-5)];
    expect(fine.error).toBeLessThan(0.02);
    expect(coarse.error / fine.error).toBeGreaterThan(1.7);
    expect(coarse.error / fine.error).toBeLessThan(2.4);
  });

  it('takes more work the faster it is pulled, and w slowly', () => {
    const works = [0.8, 0.2, 0.05].map((speed) => separate(2e-6, speed, 1e-5 / speed).work / WORK);
    expect(works[0]).toBeGreaterThan(works[1]);
    expect(works[1]).toBeGreaterThan(works[2]);
    expect(works[2]).toBeGreaterThan(0.99);
    expect(works[2]).toBeLessThan(1.1);
  });
});

describe('a bond with weight', () => {
  it('on friction is dragged by what friction and the bond allow', () => {
    const [speed, h, mu] = [0.05, 1e-4, 0.3];
    const material = glue({ friction: mu });
    const joint: SpatialModel['joints'][number] = {
      type: 'planar',
      id: 'table',
      first: { body: 'ground', frame: frameAlong([0, 1, 0]), point: [0, 0, RADIUS] },
      second: { body: 'ball', frame: frameAlong([0, 1, 0]) },
    };
    const model = {
      bodies: [ball(RADIUS, { velocity: [speed, 0, 0], inertia: [1e9, 1e9, 1e9] })],
      joints: [joint],
      loads: [weight(0, 0, -G)],
    };
    const dynamics = simulate(model, { h }, floor(), material);
    let slip = 0;
    certified(dynamics, 20, material, () => {
      const force = Math.hypot(dynamics.impulses[1], dynamics.impulses[2]) / h;
      if (dynamics.u[0] > 0) expect(force).toBeCloseTo(mu * MASS * G + C * slip, 6);
      slip += h * dynamics.u[0];
    });
    expect(slip).toBeGreaterThan(1e-6);
  });

  it('swings about m g/C where it hangs, to the order 2, and its spring keeps what it takes', () => {
    const stiff = 10 * C;
    const rest = (MASS * G) / stiff;
    const omega = Math.sqrt(stiff / MASS);
    // Less than a period: when it comes back to the ceiling it touches it.
    const errors = [2e-4, 1e-4].map((h) => {
      const material = glue({ normal: stiff });
      const under = [{ body: 0, point: [0, 0, 0], radius: RADIUS, normal: [0, 0, -1], offset: 0 }];
      const model = { bodies: [ball(-RADIUS)], loads: [weight(0, 0, -G)] };
      const dynamics = simulate(model, { h }, new GivenContacts(under), material);
      let worst = 0;
      certified(dynamics, Math.round(0.012 / h), material, () => {
        const exact = -RADIUS - rest * (1 - Math.cos(omega * dynamics.time));
        worst = Math.max(worst, Math.abs(dynamics.q[2] - exact) / rest);
      });
      expect(dynamics.intensities?.[0]).toBe(1);
      // The work of the bond is that of its spring, ½ C u², to the order of the step.
      const stretch = -RADIUS - dynamics.q[2];
      const stored = 0.5 * stiff * stretch * stretch;
      const largest = 0.5 * stiff * (2 * rest) ** 2;
      expect(Math.abs(dynamics.totalEnergy[ENERGY.contactNormal] + stored) / largest).toBeLessThan(0.02);
      return worst;
    });
    expect(errors[1]).toBeLessThan(0.02);
    expect(errors[0] / errors[1]).toBeGreaterThan(3);
  });
});

describe('a bond to an obstacle that moves', () => {
  it.each([
    ['slides along', [1, 0, 0], 0],
    ['sinks', [0, 0, -1], 0],
    ['stays, its surface sliding', [0, 0, 0], 1],
  ] as const)('which %s is stretched by it, along C u and then w²/(C u³)', (_, axis, sliding) => {
    const [speed, h] = [0.05, 1e-4];
    const detection = new ContactDetection({ dimension: 3, margin: 0.01, kinematicBodies: 1 });
    detection.add(0, sphere(RADIUS));
    detection.add(1, plane([0, 0, 1]));
    const kinematicBody: KinematicMotion = {
      slide: (_clock, out, at) => out.set([speed * sliding, 0, 0], at),
      // Half a step late, so that it closes the contact where the first step looks for it.
      pose: ([t], out, at) => out.set([...axis.map((x) => x * speed * (t - 0.5 * h)), 1, 0, 0, 0], at),
      velocity: (_clock, out, at) => out.set([...axis.map((x) => x * speed), 0, 0, 0], at),
    };
    const body = ball(RADIUS, { inertia: [1e9, 1e9, 1e9], mass: 1e9 });
    const material = glue();
    const dynamics = simulate(
      { bodies: [body] },
      { h, kinematicBodies: [kinematicBody] },
      new DetectedContacts(detection, { materialOf: () => 0 }),
      material,
    );
    let stretch = 0;
    let worst = 0;
    certified(dynamics, 600, material, () => {
      const force = Math.hypot(...dynamics.impulses.subarray(0, 3)) / h;
      worst = Math.max(worst, Math.abs(force - quasiStatic(stretch)));
      stretch += h * speed;
    });
    expect(stretch).toBeGreaterThan(4 * ONSET);
    expect(worst).toBeLessThan(1e-5);
  });
});

describe('a bond whose spring is stiff for the step', () => {
  it.each([
    [0.98, 10],
    [1.02, 1e6],
  ])('swings with h² C β² = %f of 4 m, up to %f times the first displacement', (part, largest) => {
    const [h, intensity, speed] = [1e-3, 0.5, 1e-9];
    const stiffness = (part * 4 * MASS) / (h * intensity) ** 2;
    const material = glue({ tangential: stiffness, normal: stiffness, work: 1e9, intensity });
    const body = ball(RADIUS, { inertia: [1e9, 1e9, 1e9], velocity: [speed, 0, 0] });
    const dynamics = simulate({ bodies: [body] }, { h }, floor(), material);
    let most = 0;
    for (let k = 0; k < 60; k++) {
      expect(dynamics.advance()).toBe('ok');
      most = Math.max(most, Math.abs(dynamics.q[0]) / (h * speed));
    }
    expect(dynamics.intensities?.[0]).toBe(intensity);
    if (part < 1) expect(most).toBeLessThan(largest);
    else expect(most).toBeGreaterThan(largest);
  });
});

describe('a contact that closes later', () => {
  it('has no bond', () => {
    const material = glue();
    const dynamics = simulate(
      { bodies: [ball(RADIUS + 1e-3, { velocity: [0, 0, -0.5] })] },
      {},
      floor(),
      material,
    );
    certified(dynamics, 20, material);
    expect(dynamics.activeCount).toBe(1);
    expect(dynamics.intensities?.[0]).toBe(0);
    dynamics.u[2] = 0.1;
    certified(dynamics, 1, material);
    expect(dynamics.u[2]).toBe(0.1);
  });
});

describe('the certificate', () => {
  it.each([
    ['work of separation', glue({ work: 1.01 * WORK })],
    ['stiffness', glue({ normal: 1.01 * C })],
    ['intensity', glue({ intensity: 0.99 })],
  ])('objects to another %s', (_, judged) => {
    const dynamics = pulled(glue(), 0.05, 1e-4, [0, 0, 1]);
    const certificate = new ContactDynamicsCertificate(dynamics, [judged]);
    for (let k = 0; k < 300; k++) {
      expect(dynamics.advance()).toBe('ok');
      certificate.judge();
    }
    expect(certificate.worst[CONTACT_RESIDUALS.indexOf('law')]).toBeGreaterThan(1e-5);
  });
});
