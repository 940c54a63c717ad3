/** Parts of models in space on their own: hulls, frames of joints, masses of shapes, pairs of bodies. */
import { describe, expect, it } from 'vitest';
import { convexHull } from '@engine/collision/shapes/convex-hull';
import { polyhedron } from '@engine/model/shapes/polyhedron';
import { prepare } from '@engine/preparation/prepare';
import { ContactPairs } from '@engine/preparation/spatial/compile';
import type { SpaceInteraction } from '@engine/model/space/space';
import { crossFrame, frameOf } from '@engine/model/space/joints';
import { rotationMatrix } from '@engine/spatial/quaternion';
import type { SystemDocument } from '@engine/document/types';
import { seeded } from '../support/random';
import { rigid, spaceModel, turned } from '../support/space';

describe('the convex hull', () => {
  it('of a cube has six faces of four corners, whatever lies inside and on them', () => {
    const cube = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((k) => [k & 1, (k >> 1) & 1, (k >> 2) & 1]);
    const within = [0.5, 0.5, 0.5, 0.5, 0.5, 0, 0.5, 0, 0, 0.2, 0.3, 1, 0, 0, 0];
    const { vertices, faces } = convexHull([...within, ...cube]);
    expect(vertices).toHaveLength(24);
    expect(faces).toHaveLength(6);
    for (const face of faces) expect(face).toHaveLength(4);
    expect(polyhedron(vertices, faces).massProperties(1)?.mass).toBeCloseTo(1, 14);
  });

  it('of random points in a ball holds all of them, and is closed', () => {
    const { uniform } = seeded(11);
    const random = (): number => uniform(0, 1);
    for (let trial = 0; trial < 30; trial++) {
      const points = Array.from({ length: 5 + 2 * trial }, () => {
        const v = [random() - 0.5, random() - 0.5, random() - 0.5];
        const far = Math.hypot(...v) / Math.cbrt(random());
        return v.map((x) => x / far);
      });
      const { vertices, faces } = convexHull(points.flat());
      // Euler: V − E + F = 2, each edge in two faces.
      const edges = new Map<string, number>();
      for (const face of faces)
        face.forEach((corner, k) => {
          const next = face[(k + 1) % face.length];
          const name = `${Math.min(corner, next)} ${Math.max(corner, next)}`;
          edges.set(name, (edges.get(name) ?? 0) + 1);
        });
      expect([...edges.values()].every((count) => count === 2)).toBe(true);
      expect(vertices.length / 3 - edges.size + faces.length).toBe(2);
      // `polyhedron` checks orientation and convexity by itself.
      expect(() => polyhedron(vertices, faces)).not.toThrow();
      const corner = (k: number): number[] => vertices.slice(3 * k, 3 * k + 3);
      for (const [a, b, c] of faces) {
        const [o, p, q] = [corner(a), corner(b), corner(c)];
        const [u, v] = [p.map((x, i) => x - o[i]), q.map((x, i) => x - o[i])];
        const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        const size = Math.hypot(...n);
        for (const point of points)
          expect(point.reduce((sum, x, i) => sum + (n[i] / size) * (x - o[i]), 0)).toBeLessThan(1e-9);
      }
    }
  });

  it('refuses points that are not finite or too many', () => {
    expect(() => convexHull([0, 0, Number.NaN])).toThrow(/NaN/);
    expect(() => convexHull(Array.from({ length: 3 * 257 }, (_, k) => k))).toThrow(/257 points/);
  });
});

describe('frames of joints', () => {
  const columns = (q: readonly number[]): number[][] => {
    const R = new Float64Array(9);
    rotationMatrix(Float64Array.from(q), 0, R, 0);
    return [0, 1, 2].map((c) => [R[c], R[3 + c], R[6 + c]]);
  };

  it('have the axes that were asked for, whichever way they point', () => {
    const { uniform } = seeded(3);
    const random = (): number => uniform(0, 1);
    for (let k = 0; k < 500; k++) {
      const v = (): [number, number, number] => [random() - 0.5, random() - 0.5, random() - 0.5];
      const [axis, direction] = [v(), v()];
      const frame = frameOf(axis, direction);
      const crossed = crossFrame(axis, direction);
      if (typeof frame === 'string' || typeof crossed === 'string')
        throw new Error('a random frame is refused');
      const unit = axis.map((x) => x / Math.hypot(...axis));
      const along = direction.reduce((sum, x, i) => sum + x * unit[i], 0);
      const across = direction.map((x, i) => x - along * unit[i]);
      const first = across.map((x) => x / Math.hypot(...across));
      const [a, , c] = columns(frame);
      c.forEach((x, i) => expect(x).toBeCloseTo(unit[i], 12));
      a.forEach((x, i) => expect(x).toBeCloseTo(first[i], 12));
      const [one, two] = columns(crossed);
      one.forEach((x, i) => expect(x).toBeCloseTo(unit[i], 12));
      two.forEach((x, i) => expect(x).toBeCloseTo(first[i], 12));
    }
    // Half turns are where a quaternion's first number is zero.
    for (const axis of [
      [0, 0, -1],
      [0, -1, 0],
      [-1, 0, 0],
    ] as const) {
      const frame = frameOf(axis, axis[0] === 0 ? [-1, 0, 0] : [0, -1, 0]);
      if (typeof frame === 'string') throw new Error(frame);
      columns(frame)[2].forEach((x, i) => expect(x).toBeCloseTo(axis[i], 12));
    }
  });
});

describe('mass and inertia that follow from shapes', () => {
  const massOf = (body: SystemDocument): { mass: number; inertia: number[] } => {
    const { prepared, issues } = prepare(spaceModel([body], []), {
      functions: () => null,
      functionNames: [],
      derivatives: () => {
        throw new Error('no function is differentiated');
      },
    });
    const found = prepared?.space?.system.rigid[0].body;
    if (found === undefined) throw new Error(issues.map(({ message }) => message).join());
    return { mass: found.mass, inertia: [...found.inertia] };
  };

  it('are those of a box', () => {
    const { mass, inertia } = massOf(
      rigid('b', [0, 0, 0], { density: 500, shapes: [{ type: 'Box', size: [1, 2, 3] }] }),
    );
    expect(mass).toBeCloseTo(3000, 9);
    expect(inertia[0]).toBeCloseTo((3000 / 12) * (4 + 9), 9);
    expect(inertia[4]).toBeCloseTo((3000 / 12) * (1 + 9), 9);
    expect(inertia[8]).toBeCloseTo((3000 / 12) * (1 + 4), 9);
  });

  it('of a dumb-bell are those of its balls by Steiner', () => {
    const ball = (x: number): { type: string; radius: number; position: number[] } => ({
      type: 'Sphere',
      radius: 0.1,
      position: [x, 0, 0],
    });
    const { mass, inertia } = massOf(rigid('d', [0, 0, 0], { shapes: [ball(-1), ball(1)] }));
    const one = (1000 * 4 * Math.PI * 0.001) / 3;
    expect(mass).toBeCloseTo(2 * one, 12);
    expect(inertia[0]).toBeCloseTo(2 * 0.4 * one * 0.01, 12);
    expect(inertia[4]).toBeCloseTo(2 * (0.4 * one * 0.01 + one), 12);
  });

  it('turn with the shape: a box on its side, and at 45°', () => {
    const box = (orientation: number[]): number[] =>
      massOf(
        rigid('b', [0, 0, 0], {
          density: undefined,
          mass: 12,
          shapes: [{ type: 'Box', size: [1, 2, 3], orientation }],
        }),
      ).inertia;
    const side = box(turned(0, Math.PI / 2));
    [13, 5, 10].forEach((moment, i) => expect(side[4 * i]).toBeCloseTo(moment, 12));
    const slanted = box(turned(2, Math.PI / 4));
    expect(slanted[0]).toBeCloseTo(11.5, 12);
    expect(slanted[1]).toBeCloseTo(1.5, 12);
    expect(slanted[3]).toBe(slanted[1]);
  });
});

describe('pairs of bodies', () => {
  const contact = (id: string, bodies: number[]): SpaceInteraction => ({
    id,
    bodies,
    relation: { kind: 'contact', type: 'ShapeContact', geometry: null },
    law: { kind: 'impact', friction: 0, restitution: 0, tangentialRestitution: 0 },
  });

  it('belong to the interaction with the fewest bodies that links both, as trying all says', () => {
    const { uniform } = seeded(5);
    const random = (): number => uniform(0, 1);
    for (let trial = 0; trial < 200; trial++) {
      const bodies = 2 + Math.floor(random() * 8);
      const contacts = Array.from({ length: Math.floor(random() * 6) }, (_, k) =>
        contact(
          `c${k}`,
          [...Array(bodies).keys()].filter(() => random() < 0.6),
        ),
      );
      const pairs = new ContactPairs(contacts, bodies, [...Array(bodies).keys()]);
      let ties = 0;
      for (let a = 0; a < bodies; a++)
        for (let b = 0; b < bodies; b++) {
          if (a === b) continue;
          const both = contacts.filter((one) => one.bodies.includes(a) && one.bodies.includes(b));
          const least = Math.min(...both.map((one) => one.bodies.length));
          const best = both.filter((one) => one.bodies.length === least);
          if (best.length > 1) ties++;
          if (best.length === 1) expect(pairs.materialOf(a, b)).toBe(contacts.indexOf(best[0]));
          if (best.length === 0) expect(pairs.materialOf(a, b)).toBe(-1);
        }
      expect(pairs.ambiguous.length > 0).toBe(ties > 0);
    }
  });
});
