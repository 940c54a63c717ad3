/**
 * Impacts by laws other than Newton's in steps of contact dynamics: what the certificate objects to, and
 * which contacts they concern.
 */
import { sphere } from '@engine/model/shapes/sphere';
import {
  ContactDynamicsCertificate,
  CONTACT_RESIDUALS,
} from '@engine/contact-dynamics/certificate/certificate';
import type { ContactDynamics } from '@engine/contact-dynamics/contact-dynamics';
import type { ImpactChoice } from '@engine/impacts/registry';
import { AutomaticFriction } from '@engine/solvers/friction/automatic';
import { describe, expect, it } from 'vitest';
import { boxContacts, hardBox, softBox } from './soft';
import { certified, detected, dry, simulate, weight } from './worlds';

const ENERGETIC: ImpactChoice = { type: 'Energetic', exponent: 1.5, tolerance: 1e-11, maxSteps: 1e6 };
const SEQUENTIAL: ImpactChoice = { type: 'Sequential', maxImpacts: 1e5 };
const POISSON: ImpactChoice = { type: 'Poisson' };
const RADIUS = 0.5;

interface Ball {
  place: readonly [number, number, number];
  velocity: readonly [number, number, number];
}

/** Balls of 1 kg above the plane through the origin. */
function balls(list: readonly Ball[], impacts: ImpactChoice, mu: number, gravity = 0): ContactDynamics {
  const bodies = list.map(({ place, velocity }, k) => ({
    id: `ball${k}`,
    mass: 1,
    inertia: [0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1],
    position: [...place],
    velocity: [...velocity],
  }));
  const contacts = detected(list.map(() => sphere(RADIUS)));
  const loads = gravity === 0 ? [] : [weight(0, 0, -gravity)];
  return simulate({ bodies, loads }, { impacts, h: 1e-2 }, contacts, dry(mu, 0.8));
}

/** A ball on the floor that another one hits obliquely: a cluster of two contacts. */
const struck = (impacts: ImpactChoice, mu = 0.2): ContactDynamics =>
  balls(
    [
      { place: [0, 0, RADIUS], velocity: [0, 0, 0] },
      { place: [0.1, 0, 3 * RADIUS - 0.011], velocity: [0.4, 0, -2] },
    ],
    impacts,
    mu,
  );

describe.each([POISSON, SEQUENTIAL, ENERGETIC])('an impact of $type', (impacts) => {
  it.each([0, 0.2, 2])('over two contacts with μ = %s passes', (mu) => {
    const dynamics = struck(impacts, mu);
    certified(dynamics, 1, dry(mu, 0.8));
    expect(dynamics.impacts?.hasImpact).toBe(true);
    expect([...(dynamics.impacts?.isInvolved ?? [])].filter((flag) => flag === 1)).toHaveLength(2);
    certified(dynamics, 20, dry(mu, 0.8));
  });

  it.each<[string, (dynamics: ContactDynamics) => void, (typeof CONTACT_RESIDUALS)[number]]>([
    ['another impulse of the impact', ({ impacts: phase }) => (phase!.normal[0] *= 1.01), 'law'],
    ['an impulse that pulls', ({ impacts: phase }) => (phase!.normal[0] *= -1), 'law'],
    ['another impulse', ({ impulses }) => (impulses[0] *= 1.01), 'momentum'],
    ['friction outside the cone', ({ impulses }) => (impulses[1] += 10), 'cone'],
  ])('does not with %s', (_, change, figure) => {
    const dynamics = struck(impacts);
    const certificate = new ContactDynamicsCertificate(dynamics, [dry(0.2, 0.8)]);
    expect(dynamics.advance()).toBe('ok');
    change(dynamics);
    certificate.judge();
    expect(certificate.worst[CONTACT_RESIDUALS.indexOf(figure)]).toBeGreaterThan(1e-3);
  });

  it('concerns contacts that couple with what closes, and others not', () => {
    const dynamics = balls(
      [
        { place: [0, 0, RADIUS], velocity: [0, 0, 0] },
        { place: [0, 0, 3 * RADIUS - 0.011], velocity: [0, 0, -2] },
        { place: [5, 0, RADIUS], velocity: [0, 0, 0] },
      ],
      impacts,
      0.2,
    );
    certified(dynamics, 1, dry(0.2, 0.8));
    const { active, activeCount, contacts } = dynamics;
    expect(activeCount).toBe(3);
    for (let row = 0; row < 3; row++) {
      const isFar = contacts?.bodies.subarray(2 * active[row], 2 * active[row] + 2).includes(2) === true;
      expect(dynamics.impacts?.isInvolved[row]).toBe(isFar ? 0 : 1);
    }
  });

  it('is not what loads do to a contact at rest: a ball on the floor stays there, and a bounce comes to an end', () => {
    const dynamics = balls([{ place: [0, 0, RADIUS + 0.05], velocity: [0, 0, 0] }], impacts, 0.2, 9.81);
    let hits = 0;
    certified(dynamics, 300, dry(0.2, 0.8), () => {
      if (dynamics.impacts?.hasImpact === true) hits++;
    });
    // The floor takes 0.2 of a speed, and the step of the impact its weight: 0.98, 0.69, 0.45, 0.25, … m/s
    // until a step explains them, g h = 0.098 m/s.
    expect(hits).toBeGreaterThan(3);
    expect(hits).toBeLessThan(10);
    expect(dynamics.u.every((value) => Math.abs(value) < 1e-9)).toBe(true);
  });
});

it('what the law says of the energy is judged, and of Poisson’s law the compression', () => {
  const worstLaw = (impacts: ImpactChoice, change: (dynamics: ContactDynamics) => void): number => {
    const dynamics = struck(impacts);
    const certificate = new ContactDynamicsCertificate(dynamics, [dry(0.2, 0.8)]);
    dynamics.advance();
    change(dynamics);
    certificate.judge();
    return certificate.worst[CONTACT_RESIDUALS.indexOf('law')];
  };
  for (const impacts of [SEQUENTIAL, ENERGETIC])
    expect(worstLaw(impacts, ({ impacts: phase }) => (phase!.energyChange[0] *= 0.9))).toBeGreaterThan(1e-3);
  expect(worstLaw(POISSON, ({ impacts: phase }) => (phase!.compression[0] *= 0.9))).toBeGreaterThan(1e-3);
});

it('bounds friction by the normal impulses of the impact, and judges it where it slides', () => {
  const thrown = (mu: number): ContactDynamics =>
    balls([{ place: [0, 0, RADIUS - 1e-3], velocity: [1, 0, -1] }], ENERGETIC, mu);
  const sliding = thrown(0.1);
  certified(sliding, 1, dry(0.1, 0.8));
  expect(sliding.u[0]).toBeCloseTo(1 - 0.1 * 1.8, 10);
  const rolling = thrown(0.5);
  certified(rolling, 1, dry(0.5, 0.8));
  const arm = rolling.middle[2] - rolling.frames.axes[2];
  expect(rolling.u[0]).toBeCloseTo(1 - 1 / (1 + arm ** 2 / 0.1), 10);
  const { impulses } = sliding;
  const certificate = new ContactDynamicsCertificate(sliding, [dry(0.1, 0.8)]);
  for (const k of [1, 2]) impulses[k] *= -1;
  certificate.judge();
  expect(certificate.worst[CONTACT_RESIDUALS.indexOf('law')]).toBeGreaterThan(1e-3);
  expect(certificate.worst[CONTACT_RESIDUALS.indexOf('cone')]).toBeLessThan(1e-10);
});

it.each([POISSON, SEQUENTIAL, ENERGETIC])(
  '$type goes through bodies that deform, with rigid ones',
  (impacts) => {
    const sides = [0.2, 0.2, 0.2] as const;
    const bodies = [
      softBox(
        'soft',
        { sides, density: 1000, young: 1e6, poisson: 0.3 },
        { position: [0, 0, 0.1], velocity: [0, 0, 0] },
      ),
      hardBox('hard', { sides, density: 1000 }, { position: [0.03, 0, 0.3], velocity: [0.3, 0, -1] }),
    ];
    const dynamics = simulate(
      { bodies, loads: [weight(0, 0, -9.81)] },
      { impacts, h: 2e-4, tolerance: 1e-11 },
      boxContacts(bodies, [sides, sides]),
      dry(0.3, 0.5),
      new AutomaticFriction(),
    );
    let hits = 0;
    certified(dynamics, 300, dry(0.3, 0.5), () => {
      if (dynamics.impacts?.hasImpact === true) hits++;
    });
    expect(hits).toBeGreaterThan(0);
  },
);
