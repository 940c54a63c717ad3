/** Bounds, cameras, triangles, arrows and cones of the animation against arithmetic of another kind. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SceneGeometry } from '@engine/scene/scene';
import { longest, writeArrow, writeCone } from '@figures/animation/geometry/arrows';
import {
  bodyBox,
  emptyBox,
  extentsOf,
  groundGrid,
  includePoses,
  isFlatScene,
  niceBelow,
  planeInWorld,
  presentable,
} from '@figures/animation/geometry/bounds';
import {
  cameraAxes,
  directionOf,
  dollied,
  FIELD_OF_VIEW,
  fitCamera,
  minus,
  orbited,
  panned,
  roundedCamera,
  upOf,
  type SpaceVector,
} from '@figures/animation/geometry/camera';
import {
  heightFieldTriangles,
  polygonTriangles,
  polyhedronTriangles,
} from '@figures/animation/geometry/faces';
import {
  ground,
  planarBody,
  quaternion,
  rodrigues,
  sceneOf,
  shape,
  spatialBody,
  times,
  unit,
} from './support/scenes';

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);

describe('bounds', () => {
  it('hold each form, and no more than they must', () => {
    const box = (geometry: SceneGeometry) => bodyBox(spatialBody('a', shape(geometry)));
    expect(box({ kind: 'sphere', radius: 2 })).toEqual({ least: [-2, -2, -2], most: [2, 2, 2] });
    expect(box({ kind: 'cylinder', radius: 1, halfHeight: 3 }).most).toEqual([1, 1, 3]);
    expect(box({ kind: 'capsule', radius: 1, halfLength: 3 }).most).toEqual([1, 1, 4]);
    expect(box({ kind: 'disc', radius: 1 })).toEqual({ least: [-1, -1, 0], most: [1, 1, 0] });
    expect(box({ kind: 'polygon', corners: [0, 0, 3, 1, 1, 2] })).toEqual({
      least: [0, 0, 0],
      most: [3, 2, 0],
    });
    const heights = [0, -1, 2, 0.5, 0, 0];
    const field = { kind: 'heightField', columns: 3, rows: 2, spacingX: 2, spacingY: 5, heights } as const;
    expect(box(field)).toEqual({ least: [0, 0, -1], most: [4, 5, 2] });
  });

  it('turn with the body and its shape; a ball does not grow by that', () => {
    const third = Math.PI / 6;
    const body = spatialBody(
      'a',
      shape({ kind: 'box', halfLengths: [1, 0.1, 0.2] }, [0, 0, 0], quaternion([0, 0, 1], Math.PI / 2)),
      shape({ kind: 'sphere', radius: 0.5 }, [2, 0, 0]),
    );
    const box = emptyBox();
    includePoses(box, extentsOf(sceneOf(body)), Float64Array.of(10, 0, 0, ...quaternion([0, 0, 1], third)));
    // The ball is at (10 + 2 cos 30°, 2 sin 30°, 0); the box lies along y and leans back by 30°.
    expect(box.most[0]).toBeCloseTo(10 + 2 * Math.cos(third) + 0.5, 12);
    expect(box.most[1]).toBeCloseTo(1.5, 12);
    expect(box.least[0]).toBeCloseTo(10 - Math.sin(third) - 0.1 * Math.cos(third), 12);
    expect(box.least[1]).toBeCloseTo(-Math.cos(third) - 0.1 * Math.sin(third), 12);
  });

  it('ignore what is not a number, planes, and are a metre where there is nothing', () => {
    const box = emptyBox();
    includePoses(box, extentsOf(sceneOf(spatialBody('a'))), Float64Array.of(NaN, 0, 0, 1, 0, 0, 0));
    expect(presentable(box)).toEqual({ least: [-0.5, -0.5, -0.5], most: [0.5, 0.5, 0.5] });
    includePoses(box, extentsOf(sceneOf(ground)), Float64Array.of(3, 0, 0, 1, 0, 0, 0));
    expect(presentable(box)).toEqual({ least: [2.5, -0.5, -0.5], most: [3.5, 0.5, 0.5] });
  });

  it('give grounds a grid of 1, 2 or 5 times a power of ten, beyond the scene', () => {
    expect([0.1, 0.19, 0.2, 0.49, 0.5, 0.99, 1, 3000].map(niceBelow)).toEqual([
      0.1, 0.1, 0.2, 0.2, 0.5, 0.5, 1, 2000,
    ]);
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), (a) => {
        const { cell, half } = groundGrid({ least: [-a, 0, 0], most: [a, 0, 0] });
        expect(half).toBeGreaterThanOrEqual(1.5 * a * (1 - 1e-6));
        expect(half / cell).toBeCloseTo(Math.round(half / cell), 6);
        expect(half / cell).toBeLessThanOrEqual(21);
      }),
    );
  });

  it('know a motion in the plane from one in space', () => {
    expect(isFlatScene(sceneOf(ground, planarBody('a')))).toBe(true);
    expect(isFlatScene(sceneOf(planarBody('a'), spatialBody('b')))).toBe(false);
    expect(isFlatScene(sceneOf(ground))).toBe(false);
  });

  it('place a plane of a body in the world', () => {
    const n = unit([1, 2, 2]);
    const turn = quaternion(unit([1, 0, 1]), 0.7);
    const body = { ...ground, position: [1, -2, 0.5] as const, orientation: turn };
    const tilted = shape(
      { kind: 'plane', normal: n, offset: 0.3 },
      [0.1, 0.2, 0.3],
      quaternion([0, 1, 0], -0.4),
    );
    const { normal, offset } = planeInWorld(body, tilted, n, 0.3);
    // A point of the plane in its own frame, taken to the world by matrices.
    const own = n.map((x) => 0.3 * x);
    const inBody = times(rodrigues([0, 1, 0], -0.4), own).map((x, i) => x + tilted.position[i]);
    const inWorld = times(rodrigues(unit([1, 0, 1]), 0.7), inBody).map((x, i) => x + body.position[i]);
    expect(dot(normal, inWorld)).toBeCloseTo(offset, 12);
    expect(Math.hypot(...normal)).toBeCloseTo(1, 12);
  });
});

describe('the camera', () => {
  /** Slopes under which a point is seen, upwards and to the right. */
  const slopes = (
    camera: { position: SpaceVector; target: SpaceVector },
    up: SpaceVector,
    p: SpaceVector,
  ): [number, number] => {
    const { right, above, near } = cameraAxes(minus(camera.position, camera.target), up);
    const from = minus(p, camera.position);
    return [dot(from, above) / -dot(from, near), dot(from, right) / -dot(from, near)];
  };

  it('that fits a box has all of it in the picture, and touches an edge', () => {
    const size = fc.double({ min: 0.01, max: 5, noNaN: true });
    const direction = fc.tuple(size, size, size).map(unit);
    fc.assert(
      fc.property(
        size,
        size,
        size,
        direction,
        fc.double({ min: 0.3, max: 3, noNaN: true }),
        (a, b, c, d, aspect) => {
          const box = { least: [1, 1, 1] as SpaceVector, most: [1 + a, 1 + b, 1 + c] as SpaceVector };
          const camera = fitCamera(box, d, [0, 0, 1], aspect);
          const limit = Math.tan((FIELD_OF_VIEW * Math.PI) / 360);
          const seen = Array.from({ length: 8 }, (_, k) =>
            slopes(camera, [0, 0, 1], [1 + a * (k & 1), 1 + b * ((k >> 1) & 1), 1 + c * (k >> 2)]),
          ).map(([up, right]) => Math.max(Math.abs(up), Math.abs(right) / aspect) / limit);
          expect(Math.max(...seen)).toBeCloseTo(0.94, 9);
        },
      ),
    );
  });

  it('sees x to the right from in front, and z or y upwards', () => {
    for (const planar of [false, true]) {
      const up = upOf(planar);
      const { right, above } = cameraAxes(directionOf('front', planar), up);
      expect(dot(right, [1, 0, 0])).toBeCloseTo(1, 12);
      expect(dot(above, up)).toBeCloseTo(1, 12);
      expect(dot(directionOf('top', planar), up)).toBeGreaterThan(0.99999);
      expect(cameraAxes(directionOf('top', planar), up).right[0]).toBeCloseTo(1, 9);
      expect(directionOf('side', planar)[0]).toBe(1);
      expect(Math.hypot(...directionOf('isometric', planar))).toBeCloseTo(1, 12);
    }
  });

  const start = { position: [3, -4, 2] as SpaceVector, target: [1, 0, 0] as SpaceVector };
  const distance = (camera: typeof start): number => Math.hypot(...minus(camera.position, camera.target));

  it('turns about its target: as Rodrigues says about the vertical, and never over the top', () => {
    const turned = orbited(start, [0, 0, 1], 0.5, 0);
    const wanted = times(rodrigues([0, 0, 1], 0.5), minus(start.position, start.target));
    minus(turned.position, turned.target).forEach((x, i) => expect(x).toBeCloseTo(wanted[i], 12));
    let camera = start;
    for (let i = 0; i < 50; i++) camera = orbited(camera, [0, 0, 1], 0, 0.2);
    expect(distance(camera)).toBeCloseTo(distance(start), 9);
    expect(camera.position[2]).toBeCloseTo(distance(start), 4);
    const back = orbited(camera, [0, 0, 1], 0, -0.3);
    // Still above the same side of the target.
    expect(Math.atan2(back.position[1], back.position[0] - 1)).toBeCloseTo(Math.atan2(-4, 2), 6);
  });

  it('moves sideways without turning, and nearer without moving its target', () => {
    const moved = panned(start, [0, 0, 1], 0.1, 0.2);
    const shift = minus(moved.target, start.target);
    expect(minus(moved.position, start.position).map((x) => x.toFixed(9))).toEqual(
      shift.map((x) => x.toFixed(9)),
    );
    expect(Math.hypot(...shift)).toBeCloseTo(Math.hypot(0.1, 0.2) * distance(start), 12);
    expect(dot(shift, minus(start.position, start.target))).toBeCloseTo(0, 12);
    expect(distance(dollied(start, 0.5))).toBeCloseTo(distance(start) / 2, 12);
  });

  it('is kept with five digits', () => {
    const camera = roundedCamera({ position: [1.23456789, -4, 0.1 + 0.2], target: [1e-9, 0, 0] });
    expect(camera).toEqual({ position: [1.2346, -4, 0.3], target: [0, 0, 0] });
    expect(roundedCamera({ position: [123456.789, 0, 0], target: [0, 0, 0] }).position[0]).toBe(123460);
  });
});

describe('triangles', () => {
  const corners = (out: Float32Array): number[][] =>
    Array.from({ length: out.length / 3 }, (_, i) => [...out.subarray(3 * i, 3 * i + 3)]);
  /** Signed area of each triangle in the plane, summed. */
  const area = (out: Float32Array): number => {
    const points = corners(out);
    let sum = 0;
    for (let i = 0; i < points.length; i += 3) {
      const [a, b, c] = points.slice(i, i + 3) as [number[], number[], number[]];
      const part = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
      expect(part).toBeGreaterThanOrEqual(-1e-6);
      sum += part / 2;
    }
    return sum;
  };

  it('of a polygon fill it, also where it is not convex', () => {
    const arrow = [0, 0, 2, 1, 0, 2, 0.5, 1];
    expect(area(polygonTriangles({ kind: 'polygon', corners: arrow }))).toBeCloseTo(1.5, 6);
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.2, max: 2, noNaN: true }), { minLength: 3, maxLength: 12 }),
        (radii) => {
          const n = radii.length;
          const star = radii.flatMap((r, i) => [
            r * Math.cos((2 * Math.PI * i) / n),
            r * Math.sin((2 * Math.PI * i) / n),
          ]);
          // Shoelace formula.
          let wanted = 0;
          for (let i = 0; i < n; i++) {
            const j = (i + 1) % n;
            wanted += (star[2 * i] * star[2 * j + 1] - star[2 * j] * star[2 * i + 1]) / 2;
          }
          const triangles = polygonTriangles({ kind: 'polygon', corners: star });
          expect(triangles).toHaveLength(9 * (n - 2));
          expect(area(triangles)).toBeCloseTo(wanted, 4);
        },
      ),
    );
  });

  it('end for a polygon that crosses itself', () => {
    expect(polygonTriangles({ kind: 'polygon', corners: [0, 0, 1, 1, 1, 0, 0, 1] })).toHaveLength(18);
  });

  it('of a polyhedron enclose its volume, seen from outside', () => {
    const vertices = [0, 1].flatMap((z) => [0, 0, z, 2, 0, z, 2, 3, z, 0, 3, z]);
    const faces = [
      [3, 2, 1, 0],
      [4, 5, 6, 7],
      [0, 1, 5, 4],
      [1, 2, 6, 5],
      [2, 3, 7, 6],
      [3, 0, 4, 7],
    ];
    const points = corners(polyhedronTriangles({ kind: 'polyhedron', vertices, faces }));
    let volume = 0;
    for (let i = 0; i < points.length; i += 3) {
      const [a, b, c] = points.slice(i, i + 3) as [number[], number[], number[]];
      // Divergence theorem: a sixth of the triple product of each triangle.
      volume +=
        (a[0] * (b[1] * c[2] - b[2] * c[1]) -
          a[1] * (b[0] * c[2] - b[2] * c[0]) +
          a[2] * (b[0] * c[1] - b[1] * c[0])) /
        6;
    }
    expect(volume).toBeCloseTo(6, 6);
  });

  it('of a height field have its points, facing upwards, split along the same diagonal as its contacts', () => {
    const heights = [0, 1, 2, 3, 4, 5];
    const out = heightFieldTriangles({
      kind: 'heightField',
      columns: 3,
      rows: 2,
      spacingX: 2,
      spacingY: 5,
      heights,
    });
    expect(area(out)).toBeCloseTo(4 * 5, 6);
    for (const [x, y, z] of corners(out)) expect(z).toBe(heights[(y / 5) * 3 + x / 2]);
    expect(corners(out).slice(0, 3)).toEqual([
      [0, 0, 0],
      [2, 0, 1],
      [2, 5, 4],
    ]);
  });
});

describe('arrows and cones', () => {
  const end = (m: Float32Array): number[] => [0, 1, 2].map((i) => m[8 + i] + m[12 + i]);
  const room = () => ({ shafts: new Float32Array(16), heads: new Float32Array(16) });

  it('reach from a point to the end of a vector, head included', () => {
    fc.assert(
      fc.property(
        fc.tuple(
          ...([1, 2, 3].map(() => fc.double({ min: -2, max: 2, noNaN: true })) as [
            fc.Arbitrary<number>,
            fc.Arbitrary<number>,
            fc.Arbitrary<number>,
          ]),
        ),
        fc.double({ min: 0.01, max: 3, noNaN: true }),
        (v, scale) => {
          fc.pre(Math.hypot(...v) > 0.01);
          const out = room();
          writeArrow(out, 0, [1, 2, 3], v, 0, scale, 0.02);
          expect([...out.shafts.subarray(12, 15)]).toEqual([1, 2, 3]);
          end(out.heads).forEach((x, i) => expect(x).toBeCloseTo([1, 2, 3][i] + scale * v[i], 4));
          end(out.shafts).forEach((x, i) => expect(x).toBeCloseTo(out.heads[12 + i], 4));
          const head = Math.hypot(...out.heads.subarray(8, 11));
          expect(head).toBeLessThanOrEqual(0.5 * scale * Math.hypot(...v) * (1 + 1e-5));
          expect(head).toBeLessThanOrEqual(0.1 * (1 + 1e-5));
        },
      ),
    );
  });

  it('of no length, or of none that is a number, are not seen', () => {
    for (const v of [
      [0, 0, 0],
      [NaN, 0, 1],
      [Infinity, 0, 0],
    ]) {
      const out = room();
      out.shafts.fill(7);
      writeArrow(out, 0, [0, 0, 0], v, 0, 1, 0.1);
      expect([...out.shafts]).toEqual([...Array<number>(15).fill(0), 1]);
      expect([...out.heads]).toEqual([...out.shafts]);
    }
  });

  it('open by the coefficient of friction about the normal', () => {
    const out = new Float32Array(16);
    const normal = unit([1, 1, 0]);
    writeCone(out, 0, [0, 0, 0], normal, 0, 0.5, 0.2);
    [...out.subarray(8, 11)].forEach((x, i) => expect(x).toBeCloseTo(0.2 * normal[i], 6));
    for (const at of [0, 4]) {
      const side = [...out.subarray(at, at + 3)];
      expect(Math.hypot(...side)).toBeCloseTo(0.1, 6);
      expect(dot(side, normal)).toBeCloseTo(0, 6);
    }
    writeCone(out, 0, [0, 0, 0], normal, 0, 0, 0.2);
    expect([...out]).toEqual([...Array<number>(15).fill(0), 1]);
  });

  it('take their scale from the longest that is a number', () => {
    expect(longest([3, 4, 0, NaN, 0, 0, 0, 0, 1], 3)).toBe(5);
    expect(longest([3, 4, 0], 0)).toBe(0);
  });
});
