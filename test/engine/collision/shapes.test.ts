import { describe, expect, it } from 'vitest';
import { EngineError } from '@engine/errors';
import { box } from '@engine/model/shapes/box';
import { capsule } from '@engine/model/shapes/capsule';
import { cylinder } from '@engine/model/shapes/cylinder';
import { disc } from '@engine/model/shapes/disc';
import { heightField } from '@engine/model/shapes/height-field';
import { plane } from '@engine/model/shapes/plane';
import { polygon } from '@engine/model/shapes/polygon';
import { polyhedron } from '@engine/model/shapes/polyhedron';
import type { ConvexShape } from '@engine/collision/shapes/shape';
import { sphere } from '@engine/model/shapes/sphere';
import { seeded } from '../support/random';
import { directions, dot, global, outside, randomQuaternion, spatial, supportValue } from './certificate';
import { PLANAR, prism, SPATIAL, TETRAHEDRON } from './shape-samples';

const IDENTITY = spatial([0, 0, 0, 1, 0, 0, 0]);

/** Mass, centre and second moments by the midpoint rule on a grid of the shape's bounds. */
function sampled(shape: ConvexShape, cells: number): { mass: number; centre: number[]; inertia: number[] } {
  const bounds = new Float64Array(6);
  shape.bounds(IDENTITY, 0, bounds, 0);
  const isPlanar = shape.dimensions.includes(2);
  const steps = [0, 1, 2].map((k) => (bounds[3 + k] - bounds[k]) / cells);
  const volume = steps[0] * steps[1] * (isPlanar ? 1 : steps[2]);
  let mass = 0;
  const first = [0, 0, 0];
  const second = new Float64Array(9);
  for (let i = 0; i < cells; i++)
    for (let j = 0; j < cells; j++)
      for (let l = 0; l < (isPlanar ? 1 : cells); l++) {
        const x = [i, j, l].map((c, k) => (isPlanar && k === 2 ? 0 : bounds[k] + (c + 0.5) * steps[k]));
        if (outside(shape, IDENTITY, x) > 0) continue;
        mass += volume;
        for (let a = 0; a < 3; a++) {
          first[a] += volume * x[a];
          for (let b = 0; b < 3; b++) second[3 * a + b] += volume * x[a] * x[b];
        }
      }
  const centre = first.map((value) => value / mass);
  for (let a = 0; a < 3; a++) for (let b = 0; b < 3; b++) second[3 * a + b] -= mass * centre[a] * centre[b];
  const trace = second[0] + second[4] + second[8];
  const inertia = Array.from(second, (value, k) => (k % 4 === 0 ? trace : 0) - value);
  return { mass, centre, inertia };
}

describe('mass properties', () => {
  it.each([...SPATIAL, ...PLANAR])('of a %s agree with sums over a fine grid', (_, shape) => {
    const isPlanar = shape.dimensions.includes(2);
    const expected = sampled(shape, isPlanar ? 600 : 60);
    const { mass, centre, inertia } = shape.massProperties(1)!;
    expect(Math.abs(mass / expected.mass - 1)).toBeLessThan(0.01);
    for (let k = 0; k < 3; k++) expect(Math.abs(centre[k] - expected.centre[k])).toBeLessThan(0.01);
    for (let k = 0; k < 9; k++)
      expect(Math.abs(inertia[k] - expected.inertia[k])).toBeLessThan(0.015 * expected.inertia[8]);
  });

  it('of a box as polyhedron equal those of the box, also far from the origin', () => {
    const exact = box(0.5, 0.3, 0.7).massProperties(1200)!;
    const { core } = box(0.5, 0.3, 0.7);
    const loops = Array.from({ length: 6 }, (_, f) =>
      Array.from(core.faceVertices.subarray(core.faceStart[f], core.faceStart[f + 1])),
    );
    const shift = [100, -70, 30];
    const moved = Array.from(core.vertices, (value, k) => value + shift[k % 3]);
    const found = polyhedron(moved, loops).massProperties(1200)!;
    expect(Math.abs(found.mass / exact.mass - 1)).toBeLessThan(1e-12);
    for (let k = 0; k < 3; k++) expect(found.centre[k]).toBeCloseTo(shift[k], 11);
    for (let k = 0; k < 9; k++) expect(Math.abs(found.inertia[k] - exact.inertia[k])).toBeLessThan(1e-10);
  });

  it('of the unit tetrahedron are 1/6, 1/4 and, about the vertex, 1/60 and −1/120', () => {
    const { mass, centre, inertia } = polyhedron(TETRAHEDRON.vertices, TETRAHEDRON.faces).massProperties(1)!;
    expect(mass).toBeCloseTo(1 / 6, 14);
    for (let k = 0; k < 3; k++) expect(centre[k]).toBeCloseTo(1 / 4, 14);
    // ∫x² = 1/60, ∫xy = 1/120 about the vertex, less m/16 for the centre.
    expect(inertia[0]).toBeCloseTo(2 * (1 / 60 - 1 / 96), 14);
    expect(inertia[1]).toBeCloseTo(-(1 / 120 - 1 / 96), 14);
  });

  it('of a prism with many sides tend to those of a cylinder', () => {
    const exact = cylinder(0.5, 0.4).massProperties(1)!;
    const found = prism(400, 0.5, 0.4).massProperties(1)!;
    expect(Math.abs(found.mass / exact.mass - 1)).toBeLessThan(1e-4);
    expect(Math.abs(found.inertia[8] / exact.inertia[8] - 1)).toBeLessThan(1e-4);
  });
});

describe('bounds', () => {
  it.each(SPATIAL)('of a %s touch it on all six sides', (_, shape) => {
    const random = seeded(7);
    const bounds = new Float64Array(6);
    for (let k = 0; k < 20; k++) {
      const frame = spatial([random.uniform(-9, 9), 2, 3, ...randomQuaternion(random)]);
      shape.bounds(frame, 0, bounds, 0);
      for (let axis = 0; axis < 3; axis++) {
        const n = [0, 1, 2].map((i) => (i === axis ? 1 : 0));
        expect(bounds[3 + axis]).toBeCloseTo(supportValue(shape, frame, n), 12);
        expect(-bounds[axis]).toBeCloseTo(
          supportValue(
            shape,
            frame,
            n.map((x) => -x),
          ),
          12,
        );
      }
    }
  });

  it('of a height field hold its surface and everything below', () => {
    const field = heightField(3, 3, 1, 2, [0, 1, 0, 2, -1, 0, 0, 0, 0.5]);
    const bounds = new Float64Array(6);
    field.bounds(spatial([10, 0, 0, 1, 0, 0, 0]), 0, bounds, 0);
    expect([...bounds]).toEqual([10, 0, -Infinity, 12, 4, 2]);
  });
});

describe('normals of polyhedra', () => {
  it.each(SPATIAL.filter(([, { kind }]) => kind === 'polyhedron' || kind === 'box'))(
    'of a %s point outwards: each is a support direction of its face',
    (_, shape) => {
      if (shape.kind === 'cylinder') throw new Error('a polyhedron is expected');
      const { core } = shape;
      for (let f = 0; f < core.faceCount; f++) {
        const n = core.normals.subarray(3 * f, 3 * f + 3);
        const vertex = core.faceVertices[core.faceStart[f]];
        const height = dot(n, core.vertices.subarray(3 * vertex, 3 * vertex + 3));
        expect(supportValue(shape, IDENTITY, n)).toBeCloseTo(height, 13);
      }
    },
  );
});

describe('bad input', () => {
  const { vertices, faces } = TETRAHEDRON;
  const codeOf = (make: () => unknown): string => {
    try {
      make();
    } catch (error) {
      if (error instanceof EngineError) {
        expect(error.message.length).toBeGreaterThan(10);
        expect(error.details.remedy).toBeDefined();
        return error.details.code;
      }
      throw error;
    }
    return 'accepted';
  };

  it.each<[string, string, () => unknown]>([
    ['shape-size', 'a sphere without radius', () => sphere(0)],
    ['shape-size', 'a negative disc', () => disc(-1)],
    ['shape-size', 'a box that is not a number', () => box(1, NaN, 1)],
    ['shape-size', 'a capsule without length', () => capsule(1, 0)],
    ['shape-size', 'an endless cylinder', () => cylinder(1, Infinity)],
    ['plane-without-normal', 'a plane without normal', () => plane([0, 0, 0])],
    ['shape-not-finite', 'a plane that is not finite', () => plane([0, 0, 1], NaN)],
    ['density-not-positive', 'no density', () => sphere(1).massProperties(0)],
    ['polygon-too-few-corners', 'a polygon of two corners', () => polygon([0, 0, 1, 0])],
    ['polygon-without-area', 'a flat polygon', () => polygon([0, 0, 1, 1, 2, 2])],
    ['polygon-clockwise', 'a clockwise polygon', () => polygon([0, 0, 0, 1, 1, 0])],
    ['polygon-not-convex', 'a dented polygon', () => polygon([0, 0, 2, 0, 1, 0.5, 2, 2])],
    ['polygon-not-convex', 'a corner on a side', () => polygon([0, 0, 1, 0, 2, 0, 1, 1])],
    ['polygon-crosses-itself', 'a bow tie without a signed area', () => polygon([0, 0, 1, 1, 1, 0, 0, 1])],
    [
      'polygon-not-convex',
      'a triangle that is gone round twice',
      () => polygon([0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1]),
    ],
    [
      'polygon-crosses-itself',
      'a pentagram, whose corners all turn left',
      () =>
        polygon(
          Array.from({ length: 5 }, (_, k) => [
            Math.cos(0.8 * Math.PI * k),
            Math.sin(0.8 * Math.PI * k),
          ]).flat(),
        ),
    ],
    ['polyhedron-too-few-vertices', 'three vertices', () => polyhedron(vertices.slice(3), faces)],
    ['polyhedron-face-invalid', 'a face of two vertices', () => polyhedron(vertices, [[0, 1]])],
    ['polyhedron-face-invalid', 'a vertex that is not there', () => polyhedron(vertices, [[0, 1, 9]])],
    ['polyhedron-open', 'a missing face', () => polyhedron(vertices, faces.slice(1))],
    [
      'polyhedron-orientation',
      'a face that is turned',
      () => polyhedron(vertices, [faces[0].toReversed(), ...faces.slice(1)]),
    ],
    [
      'polyhedron-inside-out',
      'all faces turned',
      () =>
        polyhedron(
          vertices,
          faces.map((f) => f.toReversed()),
        ),
    ],
    [
      'polyhedron-face-degenerate',
      'a face without area',
      () => polyhedron([0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 0, 1], faces),
    ],
    [
      'polyhedron-not-solid',
      'no volume',
      () =>
        polyhedron(
          [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0],
          [
            [0, 1, 3, 2],
            [2, 3, 1, 0],
          ],
        ),
    ],
    ['polyhedron-unused-vertex', 'a vertex too many', () => polyhedron([...vertices, 0.1, 0.1, 0.1], faces)],
    [
      'polyhedron-face-not-planar',
      'a warped face',
      () =>
        polyhedron(
          [0, 0, 0, 1, 0, 0, 1, 1, 0.1, 0, 1, 0, 0.5, 0.5, -1],
          [
            [0, 1, 2, 3],
            [1, 0, 4],
            [2, 1, 4],
            [3, 2, 4],
            [0, 3, 4],
          ],
        ),
    ],
    [
      'polyhedron-not-convex',
      'a dent',
      () =>
        polyhedron(
          [-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0, 0, 0, 2, 0, 0, 1],
          [
            [0, 1, 5],
            [1, 2, 5],
            [2, 3, 5],
            [3, 0, 5],
            [1, 0, 4],
            [2, 1, 4],
            [3, 2, 4],
            [0, 3, 4],
          ].map((face) => face.toReversed()),
        ),
    ],
    ['height-field-grid', 'a height too few', () => heightField(2, 2, 1, 1, [0, 0, 0])],
    ['shape-not-finite', 'a height that is not finite', () => heightField(2, 2, 1, 1, [0, 0, 0, NaN])],
  ])('%s: %s', (code, _, make) => {
    expect(codeOf(make)).toBe(code);
  });
});

it('a shape turned by a quaternion that is not of length one is turned, not scaled', () => {
  const frame = spatial([1, 2, 3, 3, 0, 0, 3]);
  for (const n of directions(50, 3)) {
    const turned = global(frame, n).map((x, k) => x - frame[k]);
    expect(Math.hypot(...turned)).toBeCloseTo(1, 14);
  }
  expect(global(frame, [1, 0, 0])[1]).toBeCloseTo(3, 14);
});
