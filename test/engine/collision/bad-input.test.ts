import { describe, expect, it } from 'vitest';
import { ContactDetection, GROUND } from '@engine/collision/contact-detection';
import { CONTACT_SIZE } from '@engine/collision/narrow-phase/pair-contacts';
import { box } from '@engine/model/shapes/box';
import { cylinder } from '@engine/model/shapes/cylinder';
import { plane } from '@engine/model/shapes/plane';
import { polyhedron } from '@engine/model/shapes/polyhedron';
import { sphere } from '@engine/model/shapes/sphere';
import { collide, nearest, spatial } from './certificate';
import { SPATIAL, TETRAHEDRON } from './shape-samples';

const { vertices, faces } = TETRAHEDRON;

describe('polyhedra that are none', () => {
  it('with a vertex given twice are refused: the surface is not closed', () => {
    const twice = [...vertices, ...vertices.slice(9)];
    const split = faces.map((face, f) => (f === 2 ? face.map((v) => (v === 3 ? 4 : v)) : face));
    expect(() => polyhedron(twice, split)).toThrow('no second face');
  });

  it('with an edge of no length are refused: a face has no area', () => {
    const short = [...vertices.slice(0, 9), 0, 1e-12, 0];
    expect(() => polyhedron(short, faces)).toThrow('no area');
  });

  it('with a face that is dented in its plane are refused', () => {
    // A prism over an arrowhead: planar faces, closed, turned outwards, and not convex.
    const base = [0, 0, 2, 1, 0, 0.5, -2, 1];
    const points = [-1, 1].flatMap((z) => [0, 1, 2, 3].flatMap((k) => [base[2 * k], base[2 * k + 1], z]));
    const arrow = [
      [3, 2, 1, 0],
      [4, 5, 6, 7],
      ...[0, 1, 2, 3].map((k) => [k, (k + 1) % 4, 4 + ((k + 1) % 4), 4 + k]),
    ];
    expect(() => polyhedron(points, arrow)).toThrow('outside face');
  });

  it('with all vertices nearly in one plane are refused, and just thick enough ones have contacts that are finite', () => {
    const flat = (h: number): number[] => [0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.2, h];
    expect(() => polyhedron(flat(1e-11), faces)).toThrow();
    const thin = polyhedron(flat(1e-6), faces);
    const [contact] = collide(
      thin,
      spatial([0, 0, 0, 1, 0, 0, 0]),
      sphere(0.5),
      spatial([0.2, 0.2, 0.51, 1, 0, 0, 0]),
      1,
    );
    expect(contact.gap).toBeCloseTo(0.01 - 1e-6, 12);
  });
});

describe('shapes at the ends of what a double is', () => {
  it.each([1e-9, 1e9])('cylinders and boxes of size %s have the contacts of those of size one', (scale) => {
    const at = (x: number, z: number): Float64Array => spatial([x * scale, 0, z * scale, 1, 0.1, 0.2, 0]);
    const one = (factor: number): number[] => [
      nearest(
        collide(
          box(factor, factor, factor),
          spatial([0, 0, 0, 1, 0, 0, 0]),
          cylinder(0.4 * factor, 0.6 * factor),
          factor === 1 ? spatial([0.3, 0, 1.5, 1, 0.1, 0.2, 0]) : at(0.3, 1.5),
          factor,
        ),
      ).gap / factor,
    ];
    expect(Math.abs(one(scale)[0] - one(1)[0])).toBeLessThan(1e-12);
  });

  it.each(SPATIAL)(
    'a cylinder with its centre on that of a %s still has a contact along a unit vector',
    (_, shape) => {
      const frame = spatial([0, 0, 0, 1, 0, 0, 0]);
      const { gap, n } = nearest(collide(shape, frame, cylinder(0.4, 0.6), frame, 0));
      expect(gap).toBeLessThan(0);
      expect(Math.hypot(...n)).toBeCloseTo(1, 12);
    },
  );
});

describe('poses that are not finite', () => {
  it.each([NaN, Infinity, -Infinity])(
    '%s in any place is named, and the contacts stay those of the last step',
    (bad) => {
      const detection = new ContactDetection({ dimension: 3, margin: 0.1 });
      detection.add(GROUND, plane([0, 0, 1]));
      detection.add(0, cylinder(0.5, 0.5));
      const good = Float64Array.of(0, 0, 0.5, 1, 0, 0, 0);
      detection.step(good);
      const before = [...detection.manifolds.values.subarray(0, CONTACT_SIZE * detection.manifolds.count)];
      for (let k = 0; k < 7; k++) {
        const poses = good.slice();
        poses[k] = bad;
        expect(detection.step(poses)).toBe('notFinite');
        expect(detection.culprit).toBe(1);
        expect([...detection.manifolds.values.subarray(0, before.length)]).toEqual(before);
      }
      // A step that failed is none: the contacts are known again.
      expect(detection.step(good)).toBe('ok');
      expect(detection.manifolds.insertedCount + detection.manifolds.removedCount).toBe(0);
    },
  );
});

describe('very many contacts', () => {
  it('100 000 at once are all found, known again, and gone at once', () => {
    const side = 159;
    const count = side * side;
    const detection = new ContactDetection({ dimension: 3, margin: 0.01 });
    detection.add(GROUND, plane([0, 0, 1]));
    const shape = box(0.4, 0.4, 0.4);
    const poses = new Float64Array(7 * count);
    for (let k = 0; k < count; k++) {
      detection.add(k, shape);
      poses.set([k % side, Math.floor(k / side), 0.4, 1, 0, 0, 0], 7 * k);
    }
    const { manifolds } = detection;
    expect(detection.step(poses)).toBe('ok');
    expect(manifolds.count).toBe(4 * count);
    expect(manifolds.count).toBeGreaterThan(100_000);
    detection.step(poses);
    expect(manifolds.insertedCount + manifolds.removedCount).toBe(0);
    for (let k = 0; k < count; k++) poses[7 * k + 2] = 5;
    detection.step(poses);
    expect([manifolds.count, manifolds.removedCount]).toEqual([0, 4 * count]);
  });
});
