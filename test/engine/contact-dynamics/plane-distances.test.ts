/**
 * Distances to planes that the certificate finds for itself: it objects to contacts that are not found or
 * stand elsewhere, and to nothing else.
 */
import { box } from '@engine/model/shapes/box';
import { capsule } from '@engine/model/shapes/capsule';
import { cylinder } from '@engine/model/shapes/cylinder';
import { sphere } from '@engine/model/shapes/sphere';
import { type ContactList, GEOMETRY } from '@engine/contact-dynamics/contacts/contact-list';
import { PlaneDistances } from '@engine/contact-dynamics/certificate/plane-distances';
import { compileSpatial } from '@engine/spatial/compile';
import { normaliseQuaternion } from '@engine/spatial/quaternion';
import { describe, expect, it } from 'vitest';
import { type Random, seeded } from '../support/random';
import { detected } from './worlds';

const MARGIN = 0.01;
const SHAPES = {
  box: box(0.3, 0.2, 0.1),
  cylinder: cylinder(0.2, 0.1),
  sphere: sphere(0.2),
  capsule: capsule(0.1, 0.2),
};
const NORMAL = [0.6, 0, 0.8] as const;

const system = compileSpatial({
  bodies: [
    {
      id: 'body',
      mass: 1,
      inertia: [1, 1, 1],
      position: [0, 0, 0],
      orientation: [1, 0, 0, 0],
      velocity: [0, 0, 0],
      spin: [0, 0, 0],
    },
  ],
  joints: [],
  loads: [],
});

const distances = (kind: keyof typeof SHAPES): PlaneDistances =>
  new PlaneDistances(
    system,
    [
      {
        body: 0,
        material: 0,
        normal: Float64Array.from(NORMAL),
        offset: 0,
        shape: SHAPES[kind],
        placement: Float64Array.of(0, 0, 0, 1, 0, 0, 0),
      },
    ],
    MARGIN,
  );

/** A pose with the mass centre at a height over the plane. */
function pose(random: Random, height: number): Float64Array {
  const q = Float64Array.from({ length: 7 }, () => random.uniform(-1, 1));
  const above = NORMAL[0] * q[0] + NORMAL[2] * q[2];
  for (let i = 0; i < 3; i++) q[i] += (height - above) * NORMAL[i];
  normaliseQuaternion(q, 3);
  return q;
}

const gapsOf = ({ count, geometry }: ContactList): Float64Array =>
  Float64Array.from({ length: count }, (_, c) => geometry[GEOMETRY * c + GEOMETRY - 1]);

/** Contacts without some of them. */
function without(contacts: ContactList, isOut: (gap: number) => boolean): ContactList {
  const kept = Array.from({ length: contacts.count }, (_, c) => c).filter(
    (c) => !isOut(contacts.geometry[GEOMETRY * c + GEOMETRY - 1]),
  );
  const of = (values: ArrayLike<number>, width: number): number[] =>
    kept.flatMap((c) => Array.from({ length: width }, (_, k) => values[width * c + k]));
  return {
    count: kept.length,
    places: Int32Array.from(of(contacts.places, 1)),
    isNew: Uint8Array.from(of(contacts.isNew, 1)),
    bodies: Int32Array.from(of(contacts.bodies, 2)),
    geometry: Float64Array.from(of(contacts.geometry, GEOMETRY)),
    materials: Int32Array.from(of(contacts.materials, 1)),
  };
}

describe.each(Object.keys(SHAPES) as (keyof typeof SHAPES)[])('a %s over a plane that is tilted', (kind) => {
  it('has the contacts that it should have, and a contact that is missing or stands elsewhere is seen', () => {
    const random = seeded(7);
    const check = distances(kind);
    let touching = 0;
    for (let k = 0; k < 200; k++) {
      const q = pose(random, random.uniform(0, 0.35));
      const contacts = detected([SHAPES[kind]], NORMAL).detect(q);
      if (contacts === null) throw new Error('no contacts');
      check.judge(contacts, gapsOf(contacts), q);
      expect(check.missed[0]).toBe(0);
      const least = Math.min(...gapsOf(contacts));
      if (!(least < 0)) continue;
      touching++;
      const left = without(contacts, (gap) => gap < least + 1e-3);
      check.judge(left, gapsOf(left), q);
      expect(check.missed[0]).toBeGreaterThan(1e-3);
      const moved = without(contacts, () => false);
      for (let i = 0; i < 3; i++) moved.geometry[i] += 2 * (0.1 - least) * NORMAL[i];
      check.judge(moved, gapsOf(moved), q);
      expect(check.missed[0]).toBeGreaterThan(1e-3);
      const turned = without(contacts, () => false);
      turned.geometry.set([0, 1, 0], 3);
      check.judge(turned, gapsOf(turned), q);
      expect(check.missed[0]).toBe(1);
    }
    expect(touching).toBeGreaterThan(50);
  });
});
