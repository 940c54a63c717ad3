/** Shapes for tests: of each kind some, with sizes that differ. */
import { box } from '@engine/model/shapes/box';
import { capsule } from '@engine/model/shapes/capsule';
import { cylinder } from '@engine/model/shapes/cylinder';
import { disc } from '@engine/model/shapes/disc';
import { polygon } from '@engine/model/shapes/polygon';
import { polyhedron } from '@engine/model/shapes/polyhedron';
import type { ConvexShape, RoundedShape } from '@engine/collision/shapes/shape';
import { sphere } from '@engine/model/shapes/sphere';

export const TETRAHEDRON = {
  vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1],
  faces: [
    [0, 2, 1],
    [0, 1, 3],
    [1, 2, 3],
    [2, 0, 3],
  ],
};

/** A prism over a regular n-gon of radius r, from −h to h. */
export function prism(n: number, r: number, h: number): RoundedShape {
  const ring = (z: number): number[] =>
    Array.from({ length: n }, (_, k) => {
      const angle = (2 * Math.PI * k) / n;
      return [r * Math.cos(angle), r * Math.sin(angle), z];
    }).flat();
  const indices = Array.from({ length: n }, (_, k) => k);
  return polyhedron(
    [...ring(-h), ...ring(h)],
    [
      indices.toReversed(),
      indices.map((k) => n + k),
      ...indices.map((k) => [k, (k + 1) % n, n + ((k + 1) % n), n + k]),
    ],
  );
}

export function octahedron(r: number): RoundedShape {
  return polyhedron(
    [r, 0, 0, -r, 0, 0, 0, r, 0, 0, -r, 0, 0, 0, r, 0, 0, -r],
    [
      [0, 2, 4],
      [2, 1, 4],
      [1, 3, 4],
      [3, 0, 4],
      [2, 0, 5],
      [1, 2, 5],
      [3, 1, 5],
      [0, 3, 5],
    ],
  );
}

/**
 * Octahedron whose faces are divided into four and moved out to the sphere: many edges, few of them parallel.
 */
export function roundedOctahedron(r: number): RoundedShape {
  const { vertices, faceStart, faceVertices } = octahedron(r).core;
  const points = Array.from(vertices);
  const middles = new Map<string, number>();
  const middle = (a: number, b: number): number => {
    const key = `${Math.min(a, b)} ${Math.max(a, b)}`;
    const known = middles.get(key);
    if (known !== undefined) return known;
    const sum = [0, 1, 2].map((k) => points[3 * a + k] + points[3 * b + k]);
    points.push(...sum.map((value) => (r * value) / Math.hypot(...sum)));
    middles.set(key, points.length / 3 - 1);
    return points.length / 3 - 1;
  };
  const faces = Array.from({ length: 8 }, (_, f) => {
    const [a, b, c] = faceVertices.subarray(faceStart[f], faceStart[f + 1]);
    const [d, e, g] = [middle(a, b), middle(b, c), middle(c, a)];
    return [
      [a, d, g],
      [d, b, e],
      [g, e, c],
      [d, e, g],
    ];
  }).flat();
  return polyhedron(points, faces);
}

export const SPATIAL: readonly (readonly [string, ConvexShape])[] = [
  ['sphere', sphere(0.4)],
  ['capsule', capsule(0.25, 0.6)],
  ['box', box(0.5, 0.3, 0.7)],
  ['tetrahedron', polyhedron(TETRAHEDRON.vertices, TETRAHEDRON.faces)],
  ['octahedron', octahedron(0.6)],
  ['prism', prism(9, 0.5, 0.4)],
  ['polyhedron of 32 faces', roundedOctahedron(0.5)],
  ['cylinder', cylinder(0.4, 0.6)],
];

export const PLANAR: readonly (readonly [string, ConvexShape])[] = [
  ['disc', disc(0.4)],
  ['triangle', polygon([0, 0, 1, 0.2, 0.3, 0.9])],
  ['hexagon', polygon(Array.from({ length: 6 }, (_, k) => [0.7 * Math.cos(k), 0.7 * Math.sin(k)]).flat())],
  ['bar', polygon([-0.8, -0.1, 0.8, -0.1, 0.8, 0.1, -0.8, 0.1])],
];
