import { describe, expect, it } from 'vitest';
import type { ConvexShape } from '@engine/collision/shapes/shape';
import { plane } from '@engine/model/shapes/plane';
import { sample } from '../../support/prove';
import { seeded } from '../support/random';
import { collide, nearest, norm, randomQuaternion, spatial, type Vector } from './certificate';
import { SPATIAL } from './shape-samples';

/** Shapes of one metre, turned and moved by products of matrices. */
const ROUNDING = 1e-12;
const PAIRS = SPATIAL.flatMap(([first, a], i) =>
  SPATIAL.slice(i).map(([second, b]): [string, string, ConvexShape, ConvexShape] => [first, second, a, b]),
);

type Quaternion = [number, number, number, number];

function product(p: readonly number[], q: readonly number[]): Quaternion {
  return [
    p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
    p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
    p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
    p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
  ];
}

function turn(q: readonly number[], x: readonly number[]): Vector {
  const [, a, b, c] = product(product(q, [0, ...x]), [q[0], -q[1], -q[2], -q[3]]);
  return [a, b, c];
}

describe.each(PAIRS)('%s and %s', (_first, _second, a, b) => {
  it('have the same contact when they are exchanged', () => {
    const random = seeded(21);
    for (let k = 0, cases = sample(8, 25); k < cases; k++) {
      const place = (): number[] => [0, 1, 2].map(() => random.uniform(-0.8, 0.8));
      const fa = spatial([...place(), ...randomQuaternion(random)]);
      const fb = spatial([...place(), ...randomQuaternion(random)]);
      const one = nearest(collide(a, fa, b, fb, 100));
      const other = nearest(collide(b, fb, a, fa, 100));
      expect(Math.abs(one.gap - other.gap)).toBeLessThan(ROUNDING);
      // Deep inside several directions may be equally good; apart the normal is one.
      if (one.gap > 0.01) expect(norm(one.n.map((x, i) => x + other.n[i]))).toBeLessThan(1e-6);
    }
  });

  it('have the same gap when both are moved together', () => {
    const random = seeded(22);
    for (let k = 0, cases = sample(8, 25); k < cases; k++) {
      const x = [0, 1, 2].map(() => random.uniform(-0.8, 0.8));
      const y = [0, 1, 2].map(() => random.uniform(-0.8, 0.8));
      const p = randomQuaternion(random);
      const q = randomQuaternion(random);
      const motion = randomQuaternion(random);
      const here = nearest(collide(a, spatial([...x, ...p]), b, spatial([...y, ...q]), 100));
      const moved = (at: number[], own: number[]): Float64Array =>
        spatial([...turn(motion, at).map((value, i) => value + [3, -2, 5][i]), ...product(motion, own)]);
      const there = nearest(collide(a, moved(x, p), b, moved(y, q), 100));
      expect(Math.abs(here.gap - there.gap)).toBeLessThan(ROUNDING);
      if (here.gap > 0.01)
        expect(norm(turn(motion, here.n).map((value, i) => value - there.n[i]))).toBeLessThan(1e-6);
    }
  });

  it('have a gap that changes no faster than they move, through contact and back', () => {
    const random = seeded(23);
    for (let k = 0, cases = sample(2, 5); k < cases; k++) {
      const p = randomQuaternion(random);
      const q = randomQuaternion(random);
      const offset = [random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3)];
      let last = NaN;
      for (let step = 0; step <= 200; step++) {
        const x = -2 + 0.02 * step;
        const { gap } = nearest(collide(a, spatial([0, 0, 0, ...p]), b, spatial([x, ...offset, ...q]), 100));
        if (step > 0) expect(Math.abs(gap - last)).toBeLessThan(0.02 + ROUNDING);
        last = gap;
      }
    }
  });
});

it('two planes, and a plane and itself, are refused', () => {
  const frame = spatial([0, 0, 0, 1, 0, 0, 0]);
  expect(() => collide(plane([0, 0, 1]), frame, plane([0, 0, 1]), frame, 1)).toThrow('belong to the ground');
});
