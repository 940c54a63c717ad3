/** Contact dynamics as a program uses it, through the exports of the library. */
import { expect, it } from 'vitest';
import {
  box,
  compileSpatial,
  ContactDetection,
  ContactDynamics,
  ContactDynamicsCertificate,
  createFrictionSolver,
  DetectedContacts,
  ENERGY,
  GROUND,
  plane,
  solveOneContact,
} from '@engine/index';

it('drops a box onto a floor', () => {
  const system = compileSpatial({
    bodies: [
      {
        id: 'box',
        mass: 2,
        inertia: [0.0134, 0.0134, 0.0134],
        position: [0, 0, 0.5],
        orientation: [1, 0.2, 0.1, 0],
      },
    ],
    joints: [],
    loads: [{ type: 'gravity', id: 'weight', acceleration: [0, 0, -9.81] }],
  });
  const detection = new ContactDetection({ dimension: 3, margin: 0.01 });
  detection.add(GROUND, plane([0, 0, 1]));
  detection.add(0, box(0.1, 0.1, 0.1));
  const material = { kind: 'impact', friction: 0.5, restitution: 0, tangentialRestitution: 0 } as const;
  const dynamics = new ContactDynamics(
    system,
    new DetectedContacts(detection, { materialOf: () => 0 }),
    [material],
    createFrictionSolver('auto'),
    { t0: 0, h: 1e-3, motion: { gyroscopic: 'conserving' }, tolerance: 1e-8, projects: false },
  );
  const certificate = new ContactDynamicsCertificate(dynamics, [material]);
  for (let k = 0; k < 2000; k++) {
    expect(dynamics.advance()).toBe('ok');
    certificate.judge();
  }
  expect(dynamics.q[2]).toBeCloseTo(0.1, 2);
  expect([...dynamics.u]).toEqual([0, 0, 0, 0, 0, 0]);
  // Three corners carry it, or four.
  expect(dynamics.activeCount).toBeGreaterThanOrEqual(3);
  expect(dynamics.totalEnergy[ENERGY.contactNormal]).toBeLessThan(-2);
  expect(Math.max(...certificate.worst)).toBeLessThan(1e-6);
});

it('asks a contact for all its solutions', () => {
  const M = [
    [1, 2],
    [2, 5],
  ];
  expect(solveOneContact({ M, q: [0.1, -1], mu: 1 }).outcome).not.toBe('invalid');
});
