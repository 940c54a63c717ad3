import { describe, expect, it } from 'vitest';
import { IgnoredBodies } from '@engine/collision/broad-phase/broad-phase';
import { ContactDetection, GROUND } from '@engine/collision/contact-detection';
import { CONTACT_SIZE } from '@engine/collision/narrow-phase/pair-contacts';
import { box } from '@engine/model/shapes/box';
import { disc } from '@engine/model/shapes/disc';
import { plane } from '@engine/model/shapes/plane';
import { sphere } from '@engine/model/shapes/sphere';
import { seeded } from '../support/random';
import { SPATIAL } from './shape-samples';

/** Balls of radius ½ in a row along x, each touching the next, on the plane z = 0. */
function row(count: number): { detection: ContactDetection; poses: Float64Array } {
  const detection = new ContactDetection({ dimension: 3, margin: 0.05 });
  detection.add(GROUND, plane([0, 0, 1]));
  for (let k = 0; k < count; k++) detection.add(k, sphere(0.5));
  const poses = Float64Array.from(
    { length: 7 * count },
    (_, i) => [Math.floor(i / 7), 0, 0.5, 1, 0, 0, 0][i % 7],
  );
  return { detection, poses };
}

const pairs = ({ manifolds: m }: ContactDetection): string[] =>
  Array.from({ length: m.count }, (_, k) => `${m.first[k]}-${m.second[k]}`);

describe('a shape that is removed', () => {
  it('has its contacts listed as gone, and no others', () => {
    const { detection, poses } = row(3);
    detection.step(poses);
    expect(pairs(detection)).toEqual(['0-1', '0-2', '0-3', '1-2', '2-3']);
    detection.remove(2);
    detection.step(poses);
    expect(pairs(detection)).toEqual(['0-1', '0-3']);
    const { manifolds } = detection;
    expect([...manifolds.removed.subarray(0, manifolds.removedCount)]).toEqual([1, 3, 4]);
    expect([...manifolds.previous.subarray(0, 2)]).toEqual([0, 2]);
    expect(detection.broadPhase.pairs.count).toBe(2);
  });

  it('leaves its number to the next one, whose contacts are new even where they have the same names', () => {
    const { detection, poses } = row(3);
    detection.step(poses);
    detection.remove(2);
    expect(detection.add(1, sphere(0.5))).toBe(2);
    expect(detection.add(1, sphere(0.1), [0, 0, 9, 1, 0, 0, 0])).toBe(4);
    detection.step(poses);
    expect(pairs(detection)).toEqual(['0-1', '0-2', '0-3', '1-2', '2-3']);
    const { manifolds } = detection;
    expect([...manifolds.previous.subarray(0, 5)]).toEqual([0, -1, 2, -1, -1]);
    expect([...manifolds.removed.subarray(0, manifolds.removedCount)]).toEqual([1, 3, 4]);
    detection.step(poses);
    expect(manifolds.insertedCount + manifolds.removedCount).toBe(0);
  });

  it('does not leave its body behind: the next one touches what its own body may touch', () => {
    const { detection, poses } = row(3);
    detection.step(poses);
    detection.remove(2);
    // On the body of shape 1, which it does not touch.
    detection.add(0, sphere(0.5), [1, 0, 0, 1, 0, 0, 0]);
    detection.step(poses);
    expect(pairs(detection)).toEqual(['0-1', '0-2', '0-3', '2-3']);
  });

  it('may be the ground, and the ground may come back', () => {
    const { detection, poses } = row(2);
    detection.step(poses);
    detection.remove(0);
    detection.step(poses);
    expect(pairs(detection)).toEqual(['1-2']);
    expect(detection.add(GROUND, plane([0, 0, 1]))).toBe(0);
    detection.step(poses);
    expect(pairs(detection)).toEqual(['0-1', '0-2', '1-2']);
  });

  it('may be one that never took part in a step', () => {
    const { detection, poses } = row(2);
    detection.remove(1);
    detection.step(poses);
    expect(pairs(detection)).toEqual(['0-2']);
    expect(detection.add(0, sphere(0.5))).toBe(1);
    detection.step(poses);
    expect(pairs(detection)).toEqual(['0-1', '0-2', '1-2']);
  });

  it('has a body whose pose is not looked at', () => {
    const { detection, poses } = row(2);
    detection.remove(2);
    poses[7] = NaN;
    expect(detection.step(poses)).toBe('ok');
    expect(pairs(detection)).toEqual(['0-1']);
  });

  it('is refused by name when there is none of that number, and leaves no trace when one is refused', () => {
    const { detection } = row(2);
    detection.remove(1);
    for (const number of [1, 3, -1, 0.5, NaN]) {
      expect(() => detection.remove(number)).toThrow('no shape of number');
      expect(() => detection.enable(number, true)).toThrow('no shape of number');
    }
    expect(() => detection.add(0, sphere(1), [0, 0, 0, 0, 0, 0, 0])).toThrow('not finite');
    expect(() => detection.add(0, disc(1))).toThrow('no place in a model in space');
    expect(detection.isEnabled(1)).toBe(false);
    expect(detection.add(0, sphere(1))).toBe(1);
  });
});

describe('a shape that is disabled', () => {
  it('touches nothing, keeps its number, and comes back with contacts that are new', () => {
    const { detection, poses } = row(3);
    detection.step(poses);
    detection.enable(2, false);
    expect(detection.isEnabled(2)).toBe(false);
    detection.step(poses);
    expect(pairs(detection)).toEqual(['0-1', '0-3']);
    expect(detection.add(0, sphere(0.1), [0, 0, 9, 1, 0, 0, 0])).toBe(4);
    detection.enable(2, true);
    detection.enable(2, true);
    detection.step(poses);
    expect(pairs(detection)).toEqual(['0-1', '0-2', '0-3', '1-2', '2-3']);
    expect([...detection.manifolds.previous.subarray(0, 5)]).toEqual([0, -1, 1, -1, -1]);
  });

  it('can be removed', () => {
    const { detection, poses } = row(2);
    detection.enable(1, false);
    detection.remove(1);
    expect(detection.add(0, box(0.5, 0.5, 0.5))).toBe(1);
    detection.step(poses);
    expect(detection.manifolds.count).toBeGreaterThan(4);
  });
});

it('contacts are those of a detection that has never had anything else, whatever came and went', () => {
  const random = seeded(41);
  const bodies = 25;
  const detection = new ContactDetection({ dimension: 3, margin: 0.05 });
  const poses = Float64Array.from(
    { length: 7 * bodies },
    (_, k) => random.uniform(-1, 1) * (k % 7 < 3 ? 1.5 : 1),
  );
  const shapeOf = new Map<number, { body: number; sample: number; isEnabled: boolean }>();
  const add = (): void => {
    const body = random.integer(0, bodies - 1);
    const sample = random.integer(0, SPATIAL.length - 1);
    shapeOf.set(detection.add(body, SPATIAL[sample][1]), { body, sample, isEnabled: true });
  };
  for (let k = 0; k < 30; k++) add();
  for (let step = 0; step < 40; step++) {
    for (let k = 0; k < poses.length; k++) poses[k] += 0.05 * random.uniform(-1, 1);
    for (const [number, shape] of [...shapeOf]) {
      if (random.chance(0.1)) {
        detection.remove(number);
        shapeOf.delete(number);
        add();
      } else if (random.chance(0.1)) {
        shape.isEnabled = !shape.isEnabled;
        detection.enable(number, shape.isEnabled);
      }
    }
    detection.step(poses);
    const fresh = new ContactDetection({ dimension: 3, margin: 0.05 });
    const known = [...shapeOf].sort(([a], [b]) => a - b).filter(([, { isEnabled }]) => isEnabled);
    for (const [, { body, sample }] of known) fresh.add(body, SPATIAL[sample][1]);
    fresh.step(poses);
    const numbers = known.map(([number]) => number);
    const expected = pairs(fresh).map((pair) =>
      pair
        .split('-')
        .map((k) => numbers[Number(k)])
        .join('-'),
    );
    expect(pairs(detection)).toEqual(expected);
    expect([...detection.manifolds.values.subarray(0, CONTACT_SIZE * detection.manifolds.count)]).toEqual([
      ...fresh.manifolds.values.subarray(0, CONTACT_SIZE * fresh.manifolds.count),
    ]);
  }
});

it('ignored pairs of bodies are found in either order, and no others', () => {
  const random = seeded(42);
  const ignored = new IgnoredBodies();
  const expected = new Set<string>();
  for (let k = 0; k < 60; k++) {
    const [a, b] = [random.integer(-1, 12), random.integer(-1, 12)];
    ignored.add(a, b);
    expected.add(`${Math.min(a, b)} ${Math.max(a, b)}`);
  }
  for (let a = -1; a <= 13; a++)
    for (let b = -1; b <= 13; b++)
      expect(ignored.has(a, b)).toBe(expected.has(`${Math.min(a, b)} ${Math.max(a, b)}`));
});
