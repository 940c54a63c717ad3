/**
 * Distances of bodies to one another that the certificate finds for itself: it objects to pairs that are
 * missed, and to gaps, normals and points that are off, and to nothing else.
 */
import { ContactDetection, GROUND } from '@engine/collision/contact-detection';
import type { Shape } from '@engine/collision/shapes/shape';
import { PairDistances } from '@engine/contact-dynamics/certificate/pair-distances';
import { GEOMETRY } from '@engine/contact-dynamics/contacts/contact-list';
import { DetectedContacts } from '@engine/contact-dynamics/contacts/detected-contacts';
import { box } from '@engine/model/shapes/box';
import { capsule } from '@engine/model/shapes/capsule';
import { cylinder } from '@engine/model/shapes/cylinder';
import { ellipsoid } from '@engine/model/shapes/ellipsoid';
import { heightField } from '@engine/model/shapes/height-field';
import { plane } from '@engine/model/shapes/plane';
import { sphere } from '@engine/model/shapes/sphere';
import { compileSpatial } from '@engine/spatial/compile';
import { normaliseQuaternion } from '@engine/spatial/quaternion';
import { describe, expect, it } from 'vitest';
import { sample } from '../../support/prove';
import { type Random, seeded } from '../support/random';

const MARGIN = 0.01;
const SHAPES = {
  box: box(0.3, 0.2, 0.1),
  cylinder: cylinder(0.2, 0.1),
  sphere: sphere(0.2),
  capsule: capsule(0.1, 0.2),
};
type Kind = keyof typeof SHAPES;
const KINDS = Object.keys(SHAPES) as Kind[];
const PLACE = Float64Array.of(0, 0, 0, 1, 0, 0, 0);

const BODY = {
  ...{ id: 'first', mass: 1, inertia: [1, 1, 1] as const, position: [0, 0, 0] as const },
  ...{ orientation: [1, 0, 0, 0] as const, velocity: [0, 0, 0] as const, spin: [0, 0, 0] as const },
};
const system = compileSpatial({
  bodies: ['first', 'second'].map((id) => ({ ...BODY, id })),
  joints: [],
  loads: [],
});

/** Contacts of the two, and what the certificate says of them. */
function pairOf(first: Kind, second: Kind): { contacts: DetectedContacts; check: PairDistances } {
  const detection = new ContactDetection({ dimension: 3, margin: MARGIN });
  const shapes = [SHAPES[first], SHAPES[second]];
  shapes.forEach((shape, k) => detection.add(k, shape));
  const contacts = new DetectedContacts(detection, { materialOf: () => 0 });
  const paired = shapes.map((shape, k) => ({ body: k, number: k, shape, placement: PLACE }));
  const always = (): boolean => true;
  const check = new PairDistances(system, null, paired, always, () => 0, [true], MARGIN);
  return { contacts, check };
}

function poses(random: Random): Float64Array {
  const q = Float64Array.from({ length: 14 }, () => random.uniform(-1, 1));
  for (let i = 0; i < 3; i++) q[7 + i] = q[i] + random.uniform(-0.35, 0.35);
  normaliseQuaternion(q, 3);
  normaliseQuaternion(q, 10);
  return q;
}

describe.each(KINDS.flatMap((first) => KINDS.map((second) => [first, second] as const)))(
  'a %s and a %s',
  (first, second) => {
    it('have the contacts that they should have, and what is off is seen', () => {
      const random = seeded(11);
      const { contacts, check } = pairOf(first, second);
      let touching = 0;
      for (let k = 0; k < sample(60, 2000); k++) {
        const q = poses(random);
        expect(contacts.detect(q)).toBe(contacts);
        const { count, geometry } = contacts;
        const gaps = Float64Array.from({ length: count }, (_, c) => geometry[GEOMETRY * (c + 1) - 1]);
        check.judge(contacts, gaps, q, k);
        expect(check.missed[0]).toBe(0);
        if (count === 0) continue;
        touching++;
        const missedBy = (shift: number): number => {
          check.judge(
            contacts,
            gaps.map((gap) => gap + shift),
            q,
            k,
          );
          return check.missed[0];
        };
        expect(missedBy(1e-3)).toBeGreaterThan(1e-3);
        expect(missedBy(-1e-3)).toBeGreaterThan(1e-3);
        if (Math.min(...gaps) < MARGIN - 1e-4) {
          check.judge({ ...emptyList, count: 0 }, gaps, q, k);
          expect(check.missed[0]).toBeGreaterThan(0);
        }
        for (let c = 0; c < count; c++) geometry[GEOMETRY * c + 3] += 0.01;
        check.judge(contacts, gaps, q, k);
        expect(check.missed[0]).toBeGreaterThan(0);
      }
      expect(touching).toBeGreaterThan(5);
    });
  },
);

const emptyList = {
  places: new Int32Array(0),
  isNew: new Uint8Array(0),
  bodies: new Int32Array(0),
  geometry: new Float64Array(0),
  materials: new Int32Array(0),
};

/** A body over ground of several shapes, each where it is placed. */
function groundOf(
  shape: Shape,
  ground: readonly (readonly [Shape, Float64Array])[],
): { contacts: DetectedContacts; check: PairDistances } {
  const one = compileSpatial({ bodies: [BODY], joints: [], loads: [] });
  const detection = new ContactDetection({ dimension: 3, margin: MARGIN });
  detection.add(0, shape);
  for (const [its, placement] of ground) detection.add(GROUND, its, placement);
  const contacts = new DetectedContacts(detection, { materialOf: () => 0 });
  const paired = [
    { body: 0, number: 0, shape, placement: PLACE },
    ...ground.map(([its, placement], k) => ({ body: -1, number: 1 + k, shape: its, placement })),
  ];
  const touches = (first: number): boolean => first === 0;
  const check = new PairDistances(one, null, paired, touches, () => 0, [true], MARGIN);
  return { contacts, check };
}

/** Detects, and judges gaps that are off by this. */
function judged({ contacts, check }: ReturnType<typeof groundOf>, q: Float64Array, shift = 0): number {
  const { count, geometry } = contacts;
  const gaps = Float64Array.from({ length: count }, (_, c) => geometry[GEOMETRY * (c + 1) - 1] + shift);
  check.judge(contacts, gaps, q, 0);
  return check.missed[0];
}

function poseAt(random: Random, x: number, y: number, z: number): Float64Array {
  const q = Float64Array.of(x, y, z, ...Array.from({ length: 4 }, () => random.uniform(-1, 1)));
  normaliseQuaternion(q, 3);
  return q;
}

describe('ground with a height field', () => {
  const random = seeded(3);
  const heights = Array.from({ length: 36 }, () => random.uniform(-0.2, 0.2));
  const ground = [
    [heightField(6, 6, 0.3, 0.3, heights), Float64Array.of(0.5, -0.75, 0, 1, 0, 0, 0)],
    [box(0.5, 0.5, 0.2), Float64Array.of(-1, 0, 0.1, 1, 0, 0, 0)],
  ] as const;

  it.each(KINDS)('is asked for the contacts of a %s with what else is there, and not for its own', (kind) => {
    const scene = groundOf(SHAPES[kind], ground);
    let [onField, onBox] = [0, 0];
    for (let k = 0; k < sample(200, 20_000); k++) {
      const overField = k % 2 === 0;
      const [x, y] = [
        overField ? random.uniform(0.4, 2.1) : random.uniform(-1.7, -0.3),
        random.uniform(-0.8, 0.8),
      ];
      const q = poseAt(random, x, y, random.uniform(-0.05, 0.65));
      expect(scene.contacts.detect(q)).toBe(scene.contacts);
      expect(judged(scene, q), `case ${k}`).toBe(0);
      if (scene.contacts.count === 0) continue;
      if (overField) onField++;
      // Nothing of a body is farther from its centre than 0.4 m.
      else if (x < 0) {
        onBox++;
        expect(judged(scene, q, 1e-3), `case ${k}`).toBeGreaterThan(1e-3);
        expect(judged(scene, q, -1e-3), `case ${k}`).toBeGreaterThan(1e-3);
      }
      // A contact elsewhere is with none of them.
      for (let c = 0; c < scene.contacts.count; c++)
        for (let i = 0; i < 3; i++) scene.contacts.geometry[GEOMETRY * c + i] += [7, -5, 2][i];
      expect(judged(scene, q), `case ${k}`).toBeGreaterThan(0);
    }
    expect(onField).toBeGreaterThan(10);
    expect(onBox).toBeGreaterThan(10);
  });
});

it('an ellipsoid has the contact with a plane that it should have, beside others', () => {
  const random = seeded(4);
  const slope = plane([0.3, 0.2, 1]);
  const scene = groundOf(ellipsoid([0.3, 0.2, 0.1]), [
    [slope, PLACE],
    [ellipsoid([1, 2, 3]), Float64Array.of(6, 0, 0, 1, 0, 0, 0)],
  ]);
  let touching = 0;
  for (let k = 0; k < sample(200, 20_000); k++) {
    const q = poseAt(random, random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-0.4, 0.6));
    scene.contacts.detect(q);
    expect(judged(scene, q), `case ${k}`).toBe(0);
    if (scene.contacts.count === 0) continue;
    touching++;
    expect(judged(scene, q, 1e-3), `case ${k}`).toBeGreaterThan(1e-3);
    expect(judged(scene, q, -1e-3), `case ${k}`).toBeGreaterThan(1e-3);
    scene.contacts.geometry[3] += 0.01;
    expect(judged(scene, q), `case ${k}`).toBeGreaterThan(0);
    if (scene.contacts.geometry[6] > MARGIN - 1e-4) continue;
    scene.check.judge({ ...emptyList, count: 0 }, new Float64Array(0), q, 0);
    expect(scene.check.missed[0], `case ${k}`).toBeGreaterThan(0);
  }
  expect(touching).toBeGreaterThan(20);
});
