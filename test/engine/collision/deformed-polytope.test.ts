/** Boxes and polyhedra that an affine map has deformed, against the polytope of the mapped corners. */
import { describe, expect, it } from 'vitest';
import { ContactDetection } from '@engine/collision/contact-detection';
import { FRAME, identityFrame } from '@engine/collision/frame';
import { box } from '@engine/model/shapes/box';
import { DeformedPolytope } from '@engine/collision/shapes/deformed-polytope';
import { polyhedron } from '@engine/model/shapes/polyhedron';
import type { RoundedShape } from '@engine/collision/shapes/shape';
import { sphere } from '@engine/model/shapes/sphere';
import { EngineError } from '@engine/errors';
import { determinant } from '@engine/spatial/matrix3';
import { seeded } from '../support/random';
import { randomQuaternion, spatial } from './certificate';
import { prism, roundedOctahedron, TETRAHEDRON } from './shape-samples';

const facesOf = ({ faceStart, faceVertices, faceCount }: RoundedShape['core']): number[][] =>
  Array.from({ length: faceCount }, (_, f) => [...faceVertices.subarray(faceStart[f], faceStart[f + 1])]);

describe('a deformed polytope', () => {
  it.each<[string, RoundedShape]>([
    ['box', box(0.5, 0.3, 0.2)],
    ['tetrahedron', polyhedron(TETRAHEDRON.vertices, TETRAHEDRON.faces)],
    ['prism', prism(5, 0.4, 0.7)],
    ['rounded octahedron', roundedOctahedron(0.5)],
  ])('is the polyhedron of its mapped corners: %s', (_, shape) => {
    const random = seeded(11);
    for (let n = 0; n < 10; n++) {
      const placement = spatial([0.3, -0.2, 0.1, ...randomQuaternion(random)]);
      const deformed = new DeformedPolytope(shape, placement, 0);
      // Behind other numbers; two times, so that nothing of the first is left in the second.
      const f = new Float64Array(12);
      for (let time = 0; time < 2; time++) {
        do for (let k = 0; k < 9; k++) f[3 + k] = (k % 4 === 0 ? 1 : 0) + random.uniform(-0.6, 0.6);
        while (determinant(f, 3) < 0.1);
        expect(deformed.deform(f, 3)).toBe(true);
      }
      const corners: number[] = [];
      const { vertices } = shape.core;
      for (let k = 0; k < vertices.length; k += 3) {
        const x = [0, 1, 2].map(
          (i) =>
            placement[i] + [0, 1, 2].reduce((sum, j) => sum + placement[3 + 3 * i + j] * vertices[k + j], 0),
        );
        corners.push(...[0, 1, 2].map((i) => x.reduce((sum, y, j) => sum + f[3 + 3 * i + j] * y, 0)));
      }
      const expected = polyhedron(corners, facesOf(shape.core)).core;
      const { core } = deformed;
      core.vertices.forEach((x, k) => expect(x).toBeCloseTo(corners[k], 13));
      core.normals.forEach((x, k) => expect(x).toBeCloseTo(expected.normals[k], 9));
      expect(core.size).toBeCloseTo(expected.size, 13);
      expect(core.directionCount).toBe(expected.directionCount);
      core.directions.forEach((x, k) => expect(x).toBeCloseTo(expected.directions[k], 9));
      const bounds = new Float64Array(6);
      const identity = new Float64Array(FRAME);
      identityFrame(identity, 0);
      deformed.bounds(identity, 0, bounds, 0);
      for (let i = 0; i < 3; i++) {
        const along = corners.filter((__, k) => k % 3 === i);
        expect(bounds[i]).toBeCloseTo(Math.min(...along), 13);
        expect(bounds[3 + i]).toBeCloseTo(Math.max(...along), 13);
      }
    }
  });

  it('is none of what is not finite', () => {
    const deformed = new DeformedPolytope(box(1, 1, 1), spatial([0, 0, 0, 1, 0, 0, 0]), 0);
    expect(deformed.deform(Float64Array.of(1, 0, 0, 0, Number.NaN, 0, 0, 0, 1), 0)).toBe(false);
  });
});

describe('detection of bodies that deform', () => {
  const bodies = { positionsAt: [0, 12], deforms: (body: number): boolean => body === 0 };
  const detection = (): ContactDetection => new ContactDetection({ dimension: 3, margin: 0.01, bodies });

  it('refuses a ball on one, and goes on', () => {
    const found = detection();
    const refused = (): string => {
      try {
        found.add(0, sphere(1));
      } catch (error) {
        if (error instanceof EngineError) return error.details.code;
      }
      return 'none';
    };
    expect(refused()).toBe('shape-not-deformable');
    expect(found.add(0, box(1, 1, 1))).toBe(0);
    expect(found.add(1, sphere(1))).toBe(1);
  });

  it('finds them where they are stretched to, and names one that is not finite', () => {
    const found = detection();
    found.add(0, box(0.5, 0.5, 0.5));
    found.add(1, sphere(0.25));
    const q = Float64Array.of(...[0, 0, 0], ...[1, 0, 0, 0, 1, 0, 0, 0, 1.5], ...[0, 0, 0.999, 1, 0, 0, 0]);
    expect(found.step(q)).toBe('ok');
    expect(found.manifolds.count).toBe(1);
    const [gap, ...normal] = found.manifolds.values;
    expect(gap).toBeCloseTo(-0.001, 14);
    expect(normal.slice(0, 3)).toEqual([0, 0, 1]);
    q[11] = 1;
    expect(found.step(q)).toBe('ok');
    expect(found.manifolds.count).toBe(0);
    q[5] = Number.POSITIVE_INFINITY;
    expect(found.step(q)).toBe('notFinite');
    expect(found.culprit).toBe(0);
  });
});
