/** Contact dynamics of small models, and steps of it that are all certified. */
import { expect } from 'vitest';
import {
  ContactDynamicsCertificate,
  CONTACT_RESIDUALS,
} from '@engine/contact-dynamics/certificate/certificate';
import { ContactDynamics, type ContactDynamicsSettings } from '@engine/contact-dynamics/contact-dynamics';
import type { ContactMaterial } from '@engine/model/contact-laws/registry';
import type { ContactSource } from '@engine/contact-dynamics/contacts/contact-list';
import { NonsmoothGaussSeidel } from '@engine/solvers/friction/gauss-seidel/nsgs';
import { compileSpatial, type SpatialModel } from '@engine/spatial/compile';
import { ContactDetection, GROUND } from '@engine/collision/contact-detection';
import { plane } from '@engine/model/shapes/plane';
import type { Shape } from '@engine/collision/shapes/shape';
import { DetectedContacts } from '@engine/contact-dynamics/contacts/detected-contacts';
import type { FrictionSolver } from '@engine/solvers/friction/solver';
import { GivenContacts } from './sources';

export const G = 9.81;

export const weight = (x: number, y: number, z: number): SpatialModel['loads'][number] => ({
  type: 'gravity',
  id: 'weight',
  acceleration: [x, y, z],
});

export const dry = (friction: number, restitution = 0): ContactMaterial => ({
  kind: 'impact',
  friction,
  restitution,
  tangentialRestitution: 0,
});

export const gaussSeidel = (): NonsmoothGaussSeidel =>
  new NonsmoothGaussSeidel({ maxIterations: 20_000, relaxation: 1, depth: 5 });

export function simulate(
  model: Partial<SpatialModel>,
  settings: Partial<ContactDynamicsSettings> = {},
  contacts: ContactSource = new GivenContacts([]),
  material: ContactMaterial = dry(0),
  solver: FrictionSolver = gaussSeidel(),
): ContactDynamics {
  const system = compileSpatial({ bodies: [], joints: [], loads: [], ...model });
  return new ContactDynamics(system, contacts, [material], solver, {
    t0: 0,
    h: 1e-3,
    motion: { gyroscopic: 'conserving' },
    tolerance: 1e-12,
    projects: true,
    ...settings,
  });
}

/** Contacts of one shape for each body with one another and with a plane through the origin. */
export function detected(
  shapes: readonly Shape[],
  normal: readonly [number, number, number] = [0, 0, 1],
): DetectedContacts {
  const detection = new ContactDetection({ dimension: 3, margin: 0.01 });
  detection.add(GROUND, plane(normal));
  shapes.forEach((shape, k) => detection.add(k, shape));
  return new DetectedContacts(detection, { materialOf: () => 0 });
}

/** Steps that the certificate has nothing to say of. @param each called after each of them */
export function certified(
  dynamics: ContactDynamics,
  steps: number,
  material: ContactMaterial = dry(0),
  each: () => void = () => undefined,
): void {
  const certificate = new ContactDynamicsCertificate(dynamics, [material]);
  for (let k = 0; k < steps; k++) {
    const status = dynamics.advance();
    if (status !== 'ok') expect(`step ${k}: ${status}`).toBe('ok');
    certificate.judge();
    each();
  }
  expect(CONTACT_RESIDUALS.filter((_, k) => !(certificate.worst[k] < 1e-10))).toEqual([]);
}
