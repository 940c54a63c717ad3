/**
 * Positions of 3D bodies projected onto contacts: columns, joints beside them, metrics, and the certificate.
 */
import { describe, expect, it } from 'vitest';
import { ContactDetection, GROUND, overlaps } from '@engine/collision/contact-detection';
import type { Shape } from '@engine/collision/shapes/shape';
import {
  ContactDynamicsCertificate,
  CONTACT_RESIDUALS,
} from '@engine/contact-dynamics/certificate/certificate';
import type { ContactDynamics, ContactDynamicsSettings } from '@engine/contact-dynamics/contact-dynamics';
import { DetectedContacts } from '@engine/contact-dynamics/contacts/detected-contacts';
import { ENERGY } from '@engine/contact-dynamics/energy-terms';
import { box } from '@engine/model/shapes/box';
import { plane } from '@engine/model/shapes/plane';
import { sphere } from '@engine/model/shapes/sphere';
import { AutomaticFriction } from '@engine/solvers/friction/automatic';
import type { SpatialModel } from '@engine/spatial/compile';
import { sample } from '../../support/prove';
import { dry, G, simulate, weight } from './worlds';

const TOLERANCE = 1e-9;
const N = 10;

type Vector = readonly [number, number, number];

interface Scene {
  readonly shapes: readonly Shape[];
  readonly model: Partial<SpatialModel>;
  /** normal of the floor */
  readonly up: Vector;
}

const detectionOf = ({ shapes, up }: Scene): ContactDetection => {
  const detection = new ContactDetection({ dimension: 3, margin: 0.01 });
  detection.add(GROUND, plane([...up]));
  shapes.forEach((shape, k) => detection.add(k, shape));
  return detection;
};

const sourceOf = (scene: Scene): DetectedContacts =>
  new DetectedContacts(detectionOf(scene), { materialOf: () => 0 });

function projecting(
  scene: Scene,
  settings: Partial<ContactDynamicsSettings> = {},
  restitution = 0,
  isProjected = true,
): ContactDynamics {
  return simulate(
    scene.model,
    {
      h: 2e-3,
      motion: { theta: 0.5, forecast: 0.5, gyroscopic: 'implicit' },
      tolerance: 1e-11,
      projects: true,
      projection: { tolerance: TOLERANCE },
      ...(isProjected ? { projectedContacts: { source: sourceOf(scene), check: sourceOf(scene) } } : {}),
      ...settings,
    },
    sourceOf(scene),
    dry(0.4, restitution),
    new AutomaticFriction(),
  );
}

/** Ten bodies of 1 kg above each other, with gaps of 5 mm. @param up which way that is */
function column(shape: Shape, size: number, up: Vector = [0, 0, 1], turn = [1, 0, 0, 0]): Scene {
  return {
    up,
    shapes: Array.from({ length: N }, () => shape),
    model: {
      bodies: Array.from({ length: N }, (_, k) => {
        const height = 0.5 * size + 0.005 + k * (size + 0.005);
        return {
          id: `body${k}`,
          mass: 1 + 0.1 * k,
          inertia: [0.01, 0.01, 0.01],
          position: up.map((x) => x * height),
          orientation: turn,
        };
      }),
      loads: [weight(-G * up[0], -G * up[1], -G * up[2])],
    },
  };
}

/** Deepest overlap at the positions of all bodies, by a detection of the test's own. */
function deepest(scene: Scene, { q }: ContactDynamics): number {
  const detection = detectionOf(scene);
  detection.step(q);
  return overlaps(detection, 0)[0]?.depth ?? 0;
}

const columns = [
  ['spheres', sphere(0.1), 0.2],
  ['boxes', box(0.1, 0.1, 0.1), 0.2],
] as const;

describe.each(columns)('a column of ten %s that fall together', (_, shape, size) => {
  const scene = column(shape, size);

  it('overlaps by less than the tolerance after every step, and by far more without the projection', () => {
    const dynamics = projecting(scene);
    const certificate = new ContactDynamicsCertificate(dynamics, [dry(0.4)]);
    let most = 0;
    for (let k = 0; k < sample(400, 100_000); k++) {
      expect(dynamics.advance()).toBe('ok');
      certificate.judge();
      if (k % 20 === 0 || k < 100) most = Math.max(most, deepest(scene, dynamics));
    }
    expect(most).toBeLessThan(TOLERANCE * 1.001);
    expect(CONTACT_RESIDUALS.filter((__, k) => !(certificate.worst[k] < 1e-9))).toEqual([]);
    const { energy, totalEnergy } = dynamics;
    expect(energy[ENERGY.kinetic]).toBeLessThan(1e-18);
    // What has been lifted is entered.
    expect(totalEnergy[ENERGY.corrections]).toBeGreaterThan(0);
    const plain = projecting(scene, {}, 0, false);
    for (let k = 0; k < 400; k++) expect(plain.advance()).toBe('ok');
    expect(deepest(scene, plain)).toBeGreaterThan(1000 * TOLERANCE);
  });

  it('comes to rest at its height', () => {
    const dynamics = projecting(scene);
    for (let k = 0; k < 400; k++) expect(dynamics.advance()).toBe('ok');
    for (let k = 0; k < N; k++)
      expect(Math.abs(dynamics.q[7 * k + 2] - (k + 0.5) * size)).toBeLessThan(2 * (k + 1) * TOLERANCE);
  });
});

it('a scene that is turned moves alike', () => {
  const s = Math.SQRT1_2;
  const plain = projecting(column(box(0.1, 0.1, 0.1), 0.2));
  const turned = projecting(column(box(0.1, 0.1, 0.1), 0.2, [1, 0, 0], [s, 0, s, 0]));
  for (let k = 0; k < 200; k++) {
    expect(plain.advance()).toBe('ok');
    expect(turned.advance()).toBe('ok');
  }
  for (let k = 0; k < N; k++) expect(turned.q[7 * k]).toBeCloseTo(plain.q[7 * k + 2], 9);
});

it.each(['mass', 'velocity', 'euclidean'] as const)(
  'a ball on a rod and a box are projected onto joint and contacts at once, in the metric %s',
  (metric) => {
    const scene: Scene = {
      up: [0, 0, 1],
      shapes: [sphere(0.1), box(0.1, 0.1, 0.1)],
      model: {
        bodies: [
          { id: 'ball', mass: 1, inertia: [0.004, 0.004, 0.004], position: [0.5, 0, 0.13] },
          { id: 'box', mass: 2, inertia: [0.01, 0.01, 0.01], position: [0.5, 0, 0.35] },
        ],
        joints: [
          {
            type: 'distance',
            id: 'rod',
            first: { body: 'ground', point: [0, 0, 0.5] },
            second: { body: 'ball', point: [0, 0, 0] },
            length: Math.hypot(0.5, 0.37),
          },
        ],
        loads: [weight(0, 0, -G)],
      },
    };
    const dynamics = projecting(scene, { metric });
    const rod = new Float64Array(1);
    for (let k = 0; k < 300; k++) {
      expect(dynamics.advance()).toBe('ok');
      dynamics.system.equations.position(dynamics.q, rod);
      expect(Math.abs(rod[0])).toBeLessThan(2 * TOLERANCE);
      expect(deepest(scene, dynamics)).toBeLessThan(TOLERANCE * 1.001);
      for (const at of [3, 10]) expect(Math.hypot(...dynamics.q.subarray(at, at + 4))).toBeCloseTo(1, 9);
    }
  },
);

it('what springs back is not held', () => {
  const scene = column(sphere(0.1), 0.2);
  const single: Scene = {
    ...scene,
    shapes: [sphere(0.1)],
    model: { ...scene.model, bodies: scene.model.bodies?.slice(0, 1) ?? [] },
  };
  const dynamics = projecting(single, {}, 0.8);
  let fastest = 0;
  for (let k = 0; k < 60; k++) {
    expect(dynamics.advance()).toBe('ok');
    fastest = Math.max(fastest, dynamics.u[2]);
  }
  expect(fastest).toBeGreaterThan(0.7 * Math.sqrt(2 * G * 0.005));
});

it('the certificate objects to an overlap that a projection has left', () => {
  const scene = column(sphere(0.1), 0.2);
  const dynamics = projecting(scene);
  const certificate = new ContactDynamicsCertificate(dynamics, [dry(0.4)]);
  for (let k = 0; k < 100; k++) {
    expect(dynamics.advance()).toBe('ok');
    certificate.judge();
  }
  const gaps = CONTACT_RESIDUALS.indexOf('gaps');
  expect(certificate.worst[gaps]).toBeLessThan(1e-10);
  expect(dynamics.advance()).toBe('ok');
  dynamics.q[2] -= 1e-7;
  certificate.judge();
  expect(certificate.worst[gaps]).toBeGreaterThan(1e-7);
});
