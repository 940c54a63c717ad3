import { describe, expect, it } from 'vitest';
import { ContactDetection, GROUND } from '@engine/collision/contact-detection';
import { box } from '@engine/model/shapes/box';
import { plane } from '@engine/model/shapes/plane';
import type { Shape } from '@engine/collision/shapes/shape';
import { sphere } from '@engine/model/shapes/sphere';
import { ContactDynamicsCertificate } from '@engine/contact-dynamics/certificate/certificate';
import { ContactDynamics } from '@engine/contact-dynamics/contact-dynamics';
import type { ContactMaterial } from '@engine/model/contact-laws/registry';
import { DetectedContacts } from '@engine/contact-dynamics/contacts/detected-contacts';
import { NonsmoothGaussSeidel } from '@engine/solvers/friction/gauss-seidel/nsgs';
import { compileSpatial, type SpatialBodyDescription } from '@engine/spatial/compile';

const G = 9.81;

interface World {
  dynamics: ContactDynamics;
  contacts: DetectedContacts;
  certificate: ContactDynamicsCertificate;
}

/** Bodies of one shape each, the same for all or by number, on the plane z = 0. */
function world(
  bodies: readonly SpatialBodyDescription[],
  shape: Shape | readonly Shape[],
  material: ContactMaterial,
  h = 2e-3,
): World {
  const system = compileSpatial({
    bodies,
    joints: [],
    loads: [{ type: 'gravity', id: 'gravity', acceleration: [0, 0, -G] }],
  });
  const detection = new ContactDetection({ dimension: 3, margin: 0.01 });
  detection.add(GROUND, plane([0, 0, 1]));
  bodies.forEach((_, k) => detection.add(k, 'length' in shape ? shape[k] : shape));
  const contacts = new DetectedContacts(detection, { materialOf: () => 0 });
  const solver = new NonsmoothGaussSeidel({ maxIterations: 20_000, relaxation: 1, depth: 5 });
  const dynamics = new ContactDynamics(system, contacts, [material], solver, {
    t0: 0,
    h,
    motion: { gyroscopic: 'conserving' },
    tolerance: 1e-10,
    projects: false,
  });
  return { dynamics, contacts, certificate: new ContactDynamicsCertificate(dynamics, [material]) };
}

const rough: ContactMaterial = { kind: 'impact', friction: 0.5, restitution: 0, tangentialRestitution: 0 };
const cube = (id: string, z: number, rest: Partial<SpatialBodyDescription> = {}): SpatialBodyDescription => ({
  id,
  mass: 1,
  inertia: [1 / 6, 1 / 6, 1 / 6],
  position: [0, 0, z],
  ...rest,
});

describe('contacts that detection finds', () => {
  it('carry a stack of boxes, and keep their places and impulses from step to step', () => {
    const { dynamics, contacts, certificate } = world(
      [0.5, 1.5, 2.5].map((z, k) => cube(`box${k}`, z)),
      // Corners stand on faces, so that it is clear what touches.
      [0.5, 0.45, 0.4].map((a) => box(a, a, 0.5)),
      rough,
    );
    expect(dynamics.advance()).toBe('ok');
    const places = [...contacts.places.subarray(0, contacts.count)];
    expect(contacts.count).toBe(12);
    expect(new Set(places).size).toBe(12);
    for (let k = 0; k < 200; k++) {
      expect(dynamics.advance()).toBe('ok');
      certificate.judge();
    }
    expect([...contacts.places.subarray(0, contacts.count)]).toEqual(places);
    expect(contacts.isNew.subarray(0, contacts.count)).toEqual(new Uint8Array(12));
    expect(dynamics.result.iterations).toBeLessThan(5);
    expect(Math.max(...certificate.worst)).toBeLessThan(1e-7);
    [0.5, 1.5, 2.5].forEach((z, k) => {
      expect(dynamics.q[7 * k]).toBeCloseTo(0, 7);
      expect(Math.abs(dynamics.q[7 * k + 2] - z)).toBeLessThan(1e-3);
    });
  });

  it('of one face lie in one plane, so that what sticks can spring back: a tilted box is solved in few sweeps', () => {
    const { dynamics, contacts } = world(
      [cube('box', 0.4999, { orientation: [1, 1e-4, 2e-4, 0], velocity: [0, 0, -0.1], spin: [0.1, 0.2, 0] })],
      box(0.5, 0.5, 0.5),
      { ...rough, restitution: 0.3 },
    );
    expect(dynamics.advance()).toBe('ok');
    expect(contacts.count).toBeGreaterThan(2);
    const gaps = Array.from({ length: contacts.count }, (_, k) => contacts.geometry[7 * k + 6]);
    expect(Math.max(...gaps) - Math.min(...gaps)).toBeGreaterThan(1e-4);
    for (let k = 1; k < contacts.count; k++)
      expect(contacts.geometry[7 * k + 2]).toBeCloseTo(contacts.geometry[2], 15);
    expect(dynamics.result.iterations).toBeLessThan(400);
  });

  it('come and go with a box that tumbles, which comes to rest on one of its faces', () => {
    const { dynamics, contacts } = world(
      [cube('box', 1.2, { velocity: [1, 0, 0], spin: [0.3, 2, 1] })],
      box(0.5, 0.5, 0.5),
      rough,
      1e-3,
    );
    const extent = new Set<number>();
    while (dynamics.time < 4) {
      expect(dynamics.advance()).toBe('ok');
      for (let k = 0; k < contacts.count; k++) extent.add(contacts.places[k]);
    }
    // Places are given out again.
    expect(extent.size).toBeLessThanOrEqual(16);
    expect(dynamics.system.kineticEnergy(dynamics.u)).toBeLessThan(1e-8);
    expect(Math.abs(dynamics.q[2] - 0.5)).toBeLessThan(5e-3);
  });

  it('lose energy only, where spheres fall into a heap', () => {
    const bodies = Array.from({ length: 12 }, (_, k) => ({
      id: `ball${k}`,
      mass: 1,
      inertia: [0.1, 0.1, 0.1],
      position: [0.3 * (k % 3) - 0.3 * ((k * 7) % 5), 0.2 * (k % 4), 0.6 + 1.05 * k],
    }));
    const { dynamics } = world(bodies, sphere(0.5), rough);
    const { system } = dynamics;
    const energy = (): number =>
      system.kineticEnergy(dynamics.u) + system.potentialEnergy(dynamics.clock, dynamics.q);
    let before = energy();
    const start = before;
    while (dynamics.time < 1.5) {
      expect(dynamics.advance()).toBe('ok');
      const now = energy();
      // Half steps give and take h² of the potential.
      expect(now - before).toBeLessThan(1e-3 * start);
      before = now;
    }
    expect(before).toBeLessThan(0.8 * start);
    expect(dynamics.activeCount).toBeGreaterThan(5);
  });

  it('are not asked for where a body is not finite', () => {
    const { dynamics } = world([cube('box', 1)], box(0.5, 0.5, 0.5), rough);
    dynamics.q[0] = NaN;
    expect(dynamics.advance()).toBe('notFinite');
  });
});
