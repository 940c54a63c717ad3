import { describe, expect, it } from 'vitest';
import { box } from '@engine/model/shapes/box';
import { capsule } from '@engine/model/shapes/capsule';
import { cylinder } from '@engine/model/shapes/cylinder';
import { disc } from '@engine/model/shapes/disc';
import { heightField } from '@engine/model/shapes/height-field';
import { plane } from '@engine/model/shapes/plane';
import { polygon } from '@engine/model/shapes/polygon';
import { sphere } from '@engine/model/shapes/sphere';
import { seeded } from '../support/random';
import {
  collide,
  dot,
  minus,
  nearest,
  planar,
  randomQuaternion,
  spatial,
  supportValue,
  type Vector,
} from './certificate';
import { octahedron, prism, SPATIAL } from './shape-samples';

const at = (x: number, y: number, z: number): Float64Array => spatial([x, y, z, 1, 0, 0, 0]);
/** Turned by an angle about x. */
const tilted = (x: number, y: number, z: number, angle: number): Float64Array =>
  spatial([x, y, z, Math.cos(angle / 2), Math.sin(angle / 2), 0, 0]);
const ORIGIN = at(0, 0, 0);
const FLOOR = plane([0, 0, 1]);
const EXACT = 1e-14;

describe('closed forms', () => {
  it('sphere and sphere: distance of the centres less the radii, normal from the first to the second', () => {
    const [{ gap, n, first, second }] = collide(sphere(0.5), at(1, 1, 1), sphere(0.25), at(3, 4, 7), 10);
    expect(gap).toBeCloseTo(7 - 0.75, 14);
    [2, 3, 6].forEach((value, k) => expect(7 * n[k]).toBeCloseTo(value, 13));
    expect(first[0]).toBeCloseTo(1 + (0.5 * 2) / 7, 14);
    expect(second[2]).toBeCloseTo(7 - (0.25 * 6) / 7, 14);
  });

  it('spheres with one centre: depth of both radii, and a normal all the same', () => {
    const [{ gap, n }] = collide(sphere(0.5), ORIGIN, sphere(0.25), ORIGIN, 0);
    expect(gap).toBe(-0.75);
    expect(n).toEqual([0, 0, 1]);
    expect(collide(disc(0.5), ORIGIN, disc(0.25), ORIGIN, 0)[0].n).toEqual([0, 1, 0]);
  });

  it('a gap of 1e-9 a million metres from the origin has the error of the positions only', () => {
    const [{ gap }] = collide(sphere(0.5), at(1e6, 0, 0), sphere(0.5), at(1e6 + 1 + 2 ** -30, 0, 0), 1);
    expect(gap).toBe(2 ** -30);
  });

  it('sphere and plane, in any position of the plane', () => {
    const random = seeded(3);
    for (let k = 0; k < 50; k++) {
      const frame = spatial([1, -2, 3, ...randomQuaternion(random)]);
      const shape = plane([random.uniform(-1, 1), random.uniform(-1, 1), 2], 0.3);
      const centre: Vector = [random.uniform(-5, 5), random.uniform(-5, 5), random.uniform(-5, 5)];
      const [{ gap, n, first }] = collide(shape, frame, sphere(0.2), at(...centre), 100);
      const local = [0, 1, 2].map((c) =>
        dot([frame[3 + c], frame[6 + c], frame[9 + c]], minus(centre, frame)),
      );
      expect(gap).toBeCloseTo(dot(shape.normal, local) - 0.3 - 0.2, 12);
      expect(dot(n, minus(centre, first))).toBeCloseTo(gap + 0.2, 12);
    }
  });

  it.each(SPATIAL)('plane and %s: the support value is the gap', (_, shape) => {
    const random = seeded(11);
    for (let k = 0; k < 50; k++) {
      const frame = spatial([0, 0, random.uniform(-1, 2), ...randomQuaternion(random)]);
      const contacts = collide(FLOOR, ORIGIN, shape, frame, 100);
      const { gap } = nearest(contacts);
      expect(Math.abs(gap + supportValue(shape, frame, [0, 0, -1]))).toBeLessThan(EXACT);
      for (const contact of contacts) expect(contact.first[2]).toBeCloseTo(0, 13);
    }
  });

  it('sphere and box: face, edge, vertex, and inside', () => {
    const gapAt = (x: number, y: number, z: number): number =>
      collide(box(1, 2, 3), ORIGIN, sphere(0.5), at(x, y, z), 10)[0].gap;
    expect(gapAt(2, 0.3, -1)).toBeCloseTo(0.5, 14);
    expect(gapAt(4, 6, 0)).toBeCloseTo(4.5, 14);
    expect(gapAt(2, 4, 5)).toBeCloseTo(2.5, 14);
    expect(gapAt(0.9, 0, 0)).toBeCloseTo(-0.6, 14);
  });

  it('sphere and cylinder: side, cap, rim, and inside', () => {
    const gapAt = (x: number, z: number): number =>
      collide(cylinder(1, 2), ORIGIN, sphere(0.5), at(x, 0, z), 10)[0].gap;
    expect(gapAt(3, 1)).toBeCloseTo(1.5, 14);
    expect(gapAt(0.3, -4)).toBeCloseTo(1.5, 14);
    expect(gapAt(4, 6)).toBeCloseTo(4.5, 14);
    expect(gapAt(0.9, 0)).toBeCloseTo(-0.6, 14);
    expect(gapAt(0, 0)).toBeCloseTo(-1.5, 14);
  });

  it('capsules: crossing, end to end, and parallel with two contacts', () => {
    const shape = capsule(0.25, 1);
    expect(nearest(collide(shape, ORIGIN, shape, tilted(2, 0, 0, Math.PI / 2), 5)).gap).toBeCloseTo(1.5, 14);
    expect(nearest(collide(shape, ORIGIN, shape, at(3, 0, 6), 9)).gap).toBeCloseTo(4.5, 14);
    const beside = collide(shape, ORIGIN, shape, at(0.6, 0, 0.5), 1);
    expect(beside.map(({ first }) => first[2]).sort()).toEqual([-0.5, 1]);
    for (const { gap } of beside) expect(gap).toBeCloseTo(0.1, 14);
  });

  it('a cylinder standing has four contacts, lying two, tilted its lowest point first', () => {
    const shape = cylinder(0.5, 1);
    expect(collide(FLOOR, ORIGIN, shape, at(0, 0, 1), 0.1)).toHaveLength(4);
    expect(collide(FLOOR, ORIGIN, shape, tilted(0, 0, 0.5, Math.PI / 2), 0.1)).toHaveLength(2);
    const contacts = collide(FLOOR, ORIGIN, shape, tilted(0, 0, 1, 0.3), 0.01);
    expect(contacts).toHaveLength(1);
    expect(contacts[0].gap).toBeCloseTo(1 - Math.cos(0.3) - 0.5 * Math.sin(0.3), 14);
  });

  it('two parallel rolls touch along a line: two contacts', () => {
    const contacts = collide(cylinder(0.5, 1), ORIGIN, cylinder(0.5, 1), at(1.01, 0, 0.5), 0.1);
    expect(contacts.map(({ first }) => first[2]).sort((a, b) => a - b)).toEqual([
      expect.closeTo(-0.5, 12),
      expect.closeTo(1, 12),
    ]);
    for (const { gap } of contacts) expect(gap).toBeCloseTo(0.01, 13);
  });

  it('crossed rolls touch at a point', () => {
    const contacts = collide(
      cylinder(0.5, 2),
      ORIGIN,
      cylinder(0.3, 2),
      tilted(0.81, 0, 0, Math.PI / 2),
      0.1,
    );
    expect(contacts).toHaveLength(1);
    expect(contacts[0].gap).toBeCloseTo(0.01, 13);
    expect(contacts[0].n[0]).toBeCloseTo(1, 13);
  });
});

describe('nearly touching shapes', () => {
  // Their direction cannot come from the difference of nearest points: that is 1e-10 long, with the rounding
  // of 1e-16.
  it.each([1e-10, -1e-10])('a rim that crosses an edge at a gap of %s has its normal across both', (gap) => {
    const angle = 0.7;
    // The rim at its foremost point has the tangent y; the edge of the box lies along y turned about the
    // normal.
    const n: Vector = [Math.sin(angle), 0, Math.cos(angle)];
    const rim: Vector = [0.5, 0, 0.5];
    // The box's edge along (c, s, d), normal to n, its corner pointing at the rim.
    const e = [0.6 * Math.cos(angle), 0.8, -0.6 * Math.sin(angle)];
    const f = [n[1] * e[2] - n[2] * e[1], n[2] * e[0] - n[0] * e[2], n[0] * e[1] - n[1] * e[0]];
    // Columns of the box's rotation: two sides at 45° to n, and the edge.
    const u = n.map((x, k) => Math.SQRT1_2 * (x + f[k]));
    const w = n.map((x, k) => Math.SQRT1_2 * (x - f[k]));
    const frame = Float64Array.of(0, 0, 0, u[0], w[0], -e[0], u[1], w[1], -e[1], u[2], w[2], -e[2]);
    for (let k = 0; k < 3; k++) frame[k] = rim[k] + gap * n[k] + 0.3 * (u[k] + w[k]);
    const contact = nearest(collide(cylinder(0.5, 0.5), ORIGIN, box(0.3, 0.3, 2), frame, 0.01));
    expect(contact.gap).toBeCloseTo(gap, 15);
    for (let k = 0; k < 3; k++) {
      expect(contact.n[k]).toBeCloseTo(n[k], 12);
      expect(contact.first[k]).toBeCloseTo(rim[k], 9);
    }
  });

  it('two boxes, edge across edge, have the normal across both', () => {
    const edge = spatial([0, 0, 0, Math.cos(Math.PI / 8), Math.sin(Math.PI / 8), 0, 0]);
    const across = spatial([
      0,
      0,
      2 * Math.SQRT2 + 1e-10,
      Math.cos(Math.PI / 8),
      0,
      Math.sin(Math.PI / 8),
      0,
    ]);
    const contacts = collide(box(3, 1, 1), edge, box(1, 3, 1), across, 0.01);
    expect(contacts).toHaveLength(1);
    expect(contacts[0].gap).toBeCloseTo(1e-10, 14);
    expect(contacts[0].n[2]).toBeCloseTo(1, 14);
  });
});

describe('contact areas', () => {
  it('a box on a larger one has its four corners', () => {
    const contacts = collide(box(2, 2, 1), ORIGIN, box(0.5, 0.5, 0.5), at(0.2, 0.1, 1.51), 0.1);
    expect(contacts).toHaveLength(4);
    for (const { gap, n } of contacts) {
      expect(gap).toBeCloseTo(0.01, 14);
      expect(n).toEqual([0, 0, 1]);
    }
  });

  it('a box turned by 45° on one of the same size has the eight corners of an octagon', () => {
    const turned = spatial([0, 0, 2, Math.cos(Math.PI / 8), 0, 0, Math.sin(Math.PI / 8)]);
    const contacts = collide(box(1, 1, 1), ORIGIN, box(1, 1, 1), turned, 0.1);
    expect(contacts).toHaveLength(8);
    for (const { gap, first } of contacts) {
      expect(gap).toBeCloseTo(0, 14);
      // The octagon around the inscribed circle of radius 1.
      expect(Math.hypot(first[0], first[1])).toBeCloseTo(1 / Math.cos(Math.PI / 8), 12);
    }
  });

  it('a smaller box below a larger one gives the same corners with the roles exchanged', () => {
    const up = collide(box(0.5, 0.5, 0.5), ORIGIN, box(2, 2, 1), at(0.2, 0.1, 1.51), 0.1);
    const down = collide(box(2, 2, 1), at(0.2, 0.1, 1.51), box(0.5, 0.5, 0.5), ORIGIN, 0.1);
    const sorted = (keys: [number, number][]): string[] => keys.map((pair) => pair.join()).sort();
    expect(sorted(up.map(({ keys }) => keys))).toEqual(sorted(down.map(({ keys: [a, b] }) => [b, a])));
  });

  it('a capsule lying on a box has two contacts, a prism of nine sides no more than eight', () => {
    const lying = tilted(0, 0, 1.3, Math.PI / 2);
    expect(collide(box(2, 2, 1), ORIGIN, capsule(0.25, 0.6), lying, 0.1)).toHaveLength(2);
    const standing = collide(box(2, 2, 1), ORIGIN, prism(9, 0.5, 0.4), at(0, 0, 1.4), 0.1);
    expect(standing).toHaveLength(8);
  });

  it('polygons: two contacts along a side, with gaps by their heights', () => {
    const bar = polygon([-1, -0.1, 1, -0.1, 1, 0.1, -1, 0.1]);
    const contacts = collide(bar, planar([0, 0, 0]), bar, planar([0.5, 0.25, 0.01]), 0.2);
    expect(contacts).toHaveLength(2);
    for (const { n } of contacts) expect(Math.abs(n[1])).toBeGreaterThan(0.9999);
  });

  it('a vertex that touches has no area: one contact', () => {
    const contacts = collide(box(2, 2, 1), ORIGIN, octahedron(1), at(0, 0, 2), 0.1);
    expect(contacts).toHaveLength(1);
    expect(contacts[0].gap).toBeCloseTo(0, 14);
  });
});

/**
 * Distance of a point from a triangle: from the plane when the foot is inside, else from the nearest side.
 */
function toTriangle(p: Vector, ...corners: [Vector, Vector, Vector]): number {
  const cross = (a: Vector, b: Vector): Vector => [
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
  ];
  const n = cross(minus(corners[1], corners[0]), minus(corners[2], corners[0]));
  let isInside = true;
  let nearestSide = Infinity;
  corners.forEach((a, k) => {
    const side = minus(corners[(k + 1) % 3], a);
    const d = minus(p, a);
    if (dot(cross(side, d), n) < 0) isInside = false;
    const t = Math.max(0, Math.min(1, dot(d, side) / dot(side, side)));
    nearestSide = Math.min(
      nearestSide,
      Math.hypot(d[0] - t * side[0], d[1] - t * side[1], d[2] - t * side[2]),
    );
  });
  return isInside ? Math.abs(dot(minus(p, corners[0]), n)) / Math.hypot(...n) : nearestSide;
}

describe('height fields', () => {
  const level = heightField(9, 9, 0.5, 0.5, new Float64Array(81));

  it.each(SPATIAL)(
    'level ground is a plane for a %s, over edges and corners of its triangles too',
    (_, shape) => {
      const random = seeded(5);
      for (let k = 0; k < 40; k++) {
        const z = random.uniform(-0.1, 1.2);
        const frame = spatial([
          random.integer(3, 5) * 0.5,
          random.uniform(1.4, 2.6),
          z,
          ...randomQuaternion(random),
        ]);
        const gap = -supportValue(shape, frame, [0, 0, -1]);
        const contacts = collide(level, ORIGIN, shape, frame, 0.2);
        if (gap > 0.2) expect(contacts).toHaveLength(0);
        else expect(nearest(contacts).gap).toBeCloseTo(gap, 11);
        for (const { n } of contacts) expect(n[2]).toBeCloseTo(1, 7);
      }
    },
  );

  it('a ball over a ridge has the distance to the ridge, over a trough one contact on each slope', () => {
    const ridge = heightField(3, 2, 1, 2, [0, 1, 0, 0, 1, 0]);
    const over = collide(ridge, ORIGIN, sphere(0.5), at(1, 1, 1.6), 0.2);
    expect(over).toHaveLength(1);
    expect(over[0].gap).toBeCloseTo(0.1, 14);
    const trough = heightField(3, 2, 1, 2, [1, 0, 1, 1, 0, 1]);
    const inside = collide(trough, ORIGIN, sphere(0.5), at(1, 1, 0.8), 0.2);
    expect(inside).toHaveLength(2);
    for (const { gap } of inside) expect(gap).toBeCloseTo(0.8 * Math.SQRT1_2 - 0.5, 14);
  });

  it('a ball that has sunk below the surface still has its contact', () => {
    const [{ gap, n }] = collide(level, ORIGIN, sphere(0.25), at(1.7, 1.6, -0.4), 0.01);
    expect(gap).toBeCloseTo(-0.65, 14);
    expect(n[2]).toBeCloseTo(1, 14);
  });

  it('a ball over rough ground has the distance to the nearest of its triangles', () => {
    const random = seeded(8);
    const [columns, rows] = [6, 5];
    for (let k = 0; k < 60; k++) {
      const heights = Array.from({ length: columns * rows }, () => random.uniform(-0.3, 0.3));
      const corner = (i: number, j: number): Vector => [i, 0.8 * j, heights[j * columns + i]];
      const centre: Vector = [random.uniform(1, 4), random.uniform(0.8, 2.4), random.uniform(0.4, 1.2)];
      let distance = Infinity;
      for (let i = 0; i + 1 < columns; i++)
        for (let j = 0; j + 1 < rows; j++) {
          const [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
          distance = Math.min(distance, toTriangle(centre, a, b, c), toTriangle(centre, a, c, d));
        }
      const field = heightField(columns, rows, 1, 0.8, heights);
      const { gap } = nearest(collide(field, ORIGIN, sphere(0.5), at(...centre), 5));
      expect(gap).toBeCloseTo(distance - 0.5, 12);
    }
  });

  it('what is beside the field has no contact with it', () => {
    expect(collide(level, ORIGIN, sphere(0.5), at(-2, 1, 0), 0.1)).toHaveLength(0);
  });
});
