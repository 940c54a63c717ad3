import { describe, expect, it } from 'vitest';
import type { ConvexShape } from '@engine/collision/shapes/shape';
import { sample } from '../../support/prove';
import { seeded, type Random } from '../support/random';
import {
  collide,
  directions,
  minus,
  nearest,
  norm,
  outside,
  planar,
  randomQuaternion,
  separation,
  spatial,
} from './certificate';
import { PLANAR, SPATIAL } from './shape-samples';

/** Relative to shapes of about one metre. */
const EXACT = 1e-12;
const PAIRS = 60;
const FAR = 100;

function randomFrames(random: Random, dimension: 2 | 3): [Float64Array, Float64Array] {
  const place = (): number[] => [0, 1, 2].map(() => random.uniform(-1.2, 1.2));
  if (dimension === 3)
    return [
      spatial([...place(), ...randomQuaternion(random)]),
      spatial([...place(), ...randomQuaternion(random)]),
    ];
  const turned = (): Float64Array =>
    planar([random.uniform(-1.2, 1.2), random.uniform(-1.2, 1.2), random.uniform(-4, 4)]);
  return [turned(), turned()];
}

/** What is wrong with the contacts of a pair; the largest of all errors, m. */
function errorOf(
  a: ConvexShape,
  fa: Float64Array,
  b: ConvexShape,
  fb: Float64Array,
): { error: number; gap: number } {
  const contacts = collide(a, fa, b, fb, FAR);
  const { gap, n } = nearest(contacts);
  let error = Math.abs(separation(a, fa, b, fb, n) - gap);
  for (const contact of contacts) {
    error = Math.max(error, Math.abs(norm(contact.n) - 1));
    error = Math.max(
      error,
      norm(
        minus(
          minus(contact.second, contact.first),
          contact.n.map((x) => x * contact.gap),
        ),
      ),
    );
    error = Math.max(error, outside(a, fa, contact.first), outside(b, fb, contact.second));
  }
  return { error, gap };
}

function pairsOf(
  shapes: readonly (readonly [string, ConvexShape])[],
): [string, string, ConvexShape, ConvexShape, number][] {
  return shapes.flatMap(([first, a], i) =>
    shapes.map(([second, b], j): [string, string, ConvexShape, ConvexShape, number] => [
      first,
      second,
      a,
      b,
      97 * i + j + 1,
    ]),
  );
}

describe.each([
  ['in space', SPATIAL, 3],
  ['in the plane', PLANAR, 2],
] as const)('pairs of convex shapes %s', (_, shapes, dimension) => {
  it.each(pairsOf(shapes))('%s and %s, apart: normal and points prove the distance', (_a, _b, a, b, seed) => {
    const random = seeded(seed);
    let separated = 0;
    let worst = 0;
    for (let k = 0; k < PAIRS; k++) {
      const [fa, fb] = randomFrames(random, dimension);
      if (nearest(collide(a, fa, b, fb, FAR)).gap <= 0) continue;
      separated++;
      worst = Math.max(worst, errorOf(a, fa, b, fb).error);
    }
    expect(separated).toBeGreaterThan(4);
    expect(worst).toBeLessThan(EXACT);
  });

  it.each(pairsOf(shapes))('%s and %s, overlapping: no direction separates more', (_a, _b, a, b, seed) => {
    const sampled = directions(dimension === 3 ? sample(150, 600) : sample(90, 360), dimension);
    const random = seeded(seed);
    let overlapping = 0;
    let worst = 0;
    let better = -Infinity;
    for (let k = 0; k < PAIRS; k++) {
      const [fa, fb] = randomFrames(random, dimension);
      const contact = nearest(collide(a, fa, b, fb, FAR));
      if (contact.gap > 0) continue;
      overlapping++;
      worst = Math.max(worst, Math.abs(separation(a, fa, b, fb, contact.n) - contact.gap));
      for (const n of sampled) better = Math.max(better, separation(a, fa, b, fb, n) - contact.gap);
    }
    expect(overlapping).toBeGreaterThan(1);
    expect(worst).toBeLessThan(EXACT);
    expect(better).toBeLessThan(EXACT);
  });
});
