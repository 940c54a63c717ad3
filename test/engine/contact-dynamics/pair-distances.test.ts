/**
 * Distances of bodies to one another that the certificate finds for itself: it objects to pairs that are
 * missed, and to gaps, normals and points that are off, and to nothing else.
 */
import { ContactDetection } from '@engine/collision/contact-detection';
import { PairDistances } from '@engine/contact-dynamics/certificate/pair-distances';
import { GEOMETRY } from '@engine/contact-dynamics/contacts/contact-list';
import { DetectedContacts } from '@engine/contact-dynamics/contacts/detected-contacts';
import { box } from '@engine/model/shapes/box';
import { capsule } from '@engine/model/shapes/capsule';
import { cylinder } from '@engine/model/shapes/cylinder';
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

const system = compileSpatial({
  bodies: ['first', 'second'].map((id) => ({
    ...{ id, mass: 1, inertia: [1, 1, 1] as const, position: [0, 0, 0] as const },
    ...{ orientation: [1, 0, 0, 0] as const, velocity: [0, 0, 0] as const, spin: [0, 0, 0] as const },
  })),
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
