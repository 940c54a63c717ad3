import { describe, expect, it } from 'vitest';
import { cylinder } from '@engine/model/shapes/cylinder';
import { LineCylinder } from '@engine/collision/narrow-phase/cylinder-lines';
import { PlacedCylinder } from '@engine/collision/narrow-phase/placed-cylinder';
import { seeded, type Random } from '../support/random';
import { dot, norm, randomQuaternion, scaled, spatial, supportValue, type Vector } from './certificate';

const RADIUS = 0.4;
const HALF = 0.6;
const ORIGIN = new Float64Array(3);

interface Case {
  frame: Float64Array;
  /** from the line to the centre */
  d: Vector;
  e: Vector;
  line: LineCylinder;
}

function placed(random: Random, e: (axis: Vector) => Vector): Case {
  const frame = spatial([0, 0, 0, ...randomQuaternion(random)]);
  const axis: Vector = [frame[5], frame[8], frame[11]];
  const cylinderHere = new PlacedCylinder();
  cylinderHere.place(cylinder(RADIUS, HALF), frame, 0, ORIGIN);
  const along = e(axis);
  const d: Vector = [random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)];
  const line = new LineCylinder();
  line.place(Float64Array.from(d), Float64Array.from(along), cylinderHere);
  return { frame, d, e: along, line };
}

const unit = (x: Vector): Vector => scaled(x, 1 / norm(x));
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** f(n) = n·d − max over the cylinder about the origin of −n·x, by the definition of the shape. */
const value = ({ frame, d }: Case, n: ArrayLike<number>): number =>
  dot(n, d) - supportValue(cylinder(RADIUS, HALF), frame, scaled([n[0], n[1], n[2]], -1));

/** Local maxima of f round the circle across e: on a grid, and from there by ternary search. */
function scanned(one: Case): number[] {
  const u = unit(cross(one.e, Math.abs(one.e[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0]));
  const w = cross(one.e, u);
  const count = 5000;
  const step = (2 * Math.PI) / count;
  const f = (angle: number): number =>
    value(
      one,
      [0, 1, 2].map((i) => Math.cos(angle) * u[i] + Math.sin(angle) * w[i]),
    );
  const grid = Array.from({ length: count }, (_, k) => f(step * k));
  const tops = grid.flatMap((x, k) =>
    x > grid[(k + 1) % count] && x >= grid[(k + count - 1) % count] ? [step * k] : [],
  );
  return tops.map((top) => {
    let [low, high] = [top - step, top + step];
    for (let k = 0; k < 60; k++) {
      const third = (high - low) / 3;
      if (f(low + third) < f(high - third)) low += third;
      else high -= third;
    }
    return f(0.5 * (low + high));
  });
}

function candidates({ line, ...rest }: Case): number[] {
  const found: number[] = [];
  for (const which of [1, -1] as const) {
    if (line.side(which)) found.push(check({ line, ...rest }));
    if (line.cap(which)) found.push(check({ line, ...rest }));
  }
  return found.sort((a, b) => b - a);
}

/** The candidate is a unit vector across the line, and its value is that of the definition. */
function check(one: Case): number {
  const { line, e } = one;
  expect(norm(line.normal)).toBeCloseTo(1, 13);
  expect(Math.abs(dot(line.normal, e))).toBeLessThan(1e-13);
  expect(line.value[0]).toBeCloseTo(value(one, line.normal), 13);
  return line.value[0];
}

describe('the normals of a line and a cylinder', () => {
  it.each<[string, (random: Random, axis: Vector) => Vector]>([
    ['at any angle', (random) => unit([random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)])],
    [
      'at a right angle',
      (random, axis) => unit(cross(axis, [random.uniform(-1, 1), 1, random.uniform(-1, 1)])),
    ],
    [
      'nearly along the axis',
      (random, axis) => unit([axis[0] + 1e-4 * random.uniform(-1, 1), axis[1], axis[2] + 1e-4]),
    ],
  ])('%s are all local maxima of the separation that a scan finds', (_, direction) => {
    const random = seeded(51);
    for (let k = 0; k < 60; k++) {
      const one = placed(random, (axis) => direction(random, axis));
      const found = candidates(one);
      for (const maximum of scanned(one)) {
        const nearest = Math.min(...found.map((x) => Math.abs(x - maximum)));
        // Flat faces seen from the side are tried by themselves: there a cap's own normal is the maximum.
        const alongAxis = [1, -1].map((sign) =>
          value(
            one,
            [5, 8, 11].map((i) => sign * one.frame[i]),
          ),
        );
        const flat = Math.min(...alongAxis.map((x) => Math.abs(x - maximum)));
        expect(Math.min(nearest, flat)).toBeLessThan(1e-12);
      }
    }
  });

  it('along the axis is that of the distance from it', () => {
    const random = seeded(52);
    for (let k = 0; k < 20; k++) {
      const one = placed(random, (axis) => axis);
      expect(one.line.isParallel()).toBe(true);
      const distance = norm(cross(one.d, one.e)) - RADIUS;
      expect(Math.max(...candidates(one))).toBeCloseTo(distance, 13);
    }
  });

  it('leaves out only what cannot exceed the least useful value', () => {
    const random = seeded(53);
    for (let k = 0; k < 200; k++) {
      const one = placed(random, () =>
        unit([random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)]),
      );
      const all = candidates(one);
      const least = random.uniform(-0.5, 0.5);
      one.line.value[1] = least;
      expect(candidates(one)).toEqual(all.filter((x) => x > least));
    }
  });

  it('have their point on the rim, at the distance of the line', () => {
    const random = seeded(54);
    let found = 0;
    for (let k = 0; k < 100; k++) {
      const one = placed(random, () =>
        unit([random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)]),
      );
      if (!one.line.cap(1)) continue;
      found++;
      const shape = new PlacedCylinder();
      shape.place(cylinder(RADIUS, HALF), one.frame, 0, ORIGIN);
      const p = new Float64Array(3);
      one.line.rimPoint(shape, p);
      const axis: Vector = [one.frame[5], one.frame[8], one.frame[11]];
      expect(Math.abs(dot(p, axis))).toBeCloseTo(HALF, 13);
      expect(norm(cross([p[0], p[1], p[2]], axis))).toBeCloseTo(RADIUS, 13);
      // From the line to the point: value · normal, up to a shift along the line.
      const off = [0, 1, 2].map((i) => one.d[i] + p[i] - one.line.value[0] * one.line.normal[i]) as Vector;
      expect(norm(cross(off, one.e))).toBeLessThan(1e-12);
    }
    expect(found).toBeGreaterThan(30);
  });
});
