import { describe, expect, it } from 'vitest';
import { BroadPhase, sortAscending, firstOf, secondOf } from '@engine/collision/broad-phase/broad-phase';
import { ContactDetection, GROUND, describeOverlap, overlaps } from '@engine/collision/contact-detection';
import { CONTACT_SIZE } from '@engine/collision/narrow-phase/pair-contacts';
import { box } from '@engine/model/shapes/box';
import { disc } from '@engine/model/shapes/disc';
import { plane } from '@engine/model/shapes/plane';
import { sphere } from '@engine/model/shapes/sphere';
import { seeded, type Random } from '../support/random';
import { randomQuaternion } from './certificate';
import { SPATIAL } from './shape-samples';

/** All shapes take part. */
const PRESENT = new Uint8Array(200).fill(1);

const pairsOf = (phase: BroadPhase): string[] =>
  Array.from({ length: phase.pairs.count }, (_, k) => {
    const key = phase.pairs.keys[k];
    return `${firstOf(key)}-${secondOf(key)}`;
  });

function randomBoxes(random: Random, count: number): Float64Array {
  const bounds = new Float64Array(6 * count);
  for (let k = 0; k < count; k++)
    for (let i = 0; i < 3; i++) {
      bounds[6 * k + i] = random.uniform(-5, 5);
      bounds[6 * k + 3 + i] = bounds[6 * k + i] + random.uniform(0.1, 1.5);
    }
  return bounds;
}

function bruteForce(bounds: Float64Array, count: number): string[] {
  const pairs: string[] = [];
  for (let a = 0; a < count; a++)
    for (let b = a + 1; b < count; b++)
      if (
        [0, 1, 2].every(
          (i) => bounds[6 * a + i] <= bounds[6 * b + 3 + i] && bounds[6 * b + i] <= bounds[6 * a + 3 + i],
        )
      )
        pairs.push(`${a}-${b}`);
  return pairs;
}

describe('the broad phase', () => {
  it('has every pair whose boxes overlap, while they move, and none that is far', () => {
    const random = seeded(1);
    const count = 150;
    const bounds = randomBoxes(random, count);
    const phase = new BroadPhase(() => true);
    for (let step = 0; step < 60; step++) {
      phase.update(bounds, PRESENT, count);
      const found = new Set(pairsOf(phase));
      for (const pair of bruteForce(bounds, count)) expect(found.has(pair)).toBe(true);
      const wider = bounds.map((value, k) => value + (k % 6 < 3 ? -0.35 : 0.35));
      const near = new Set(bruteForce(wider, count));
      for (const pair of found) expect(near.has(pair)).toBe(true);
      for (let k = 0; k < count; k++) {
        const jump = random.chance(0.05) ? 4 : 0.1;
        const shift = [0, 1, 2].map(() => random.uniform(-jump, jump));
        for (let i = 0; i < 6; i++) bounds[6 * k + i] += shift[i % 3];
      }
    }
  });

  it('lists pairs in ascending order, with what has come and what has gone', () => {
    const random = seeded(2);
    const count = 60;
    const bounds = randomBoxes(random, count);
    const phase = new BroadPhase(() => true);
    const known = new Set<number>();
    for (let step = 0; step < 30; step++) {
      phase.update(bounds, PRESENT, count);
      const { pairs } = phase;
      for (let k = 0; k < pairs.begunCount; k++) {
        expect(known.has(pairs.begun[k])).toBe(false);
        known.add(pairs.begun[k]);
      }
      for (let k = 0; k < pairs.endedCount; k++) expect(known.delete(pairs.ended[k])).toBe(true);
      expect([...known].sort((a, b) => a - b)).toEqual([...pairs.keys.subarray(0, pairs.count)]);
      for (let k = 0; k < bounds.length; k++)
        if (k % 6 < 3) {
          const shift = random.uniform(-0.6, 0.6);
          bounds[k] += shift;
          bounds[k + 3] += shift;
        }
    }
  });

  it('pairs what has no bounds with everything, also with what comes later', () => {
    const bounds = randomBoxes(seeded(3), 4);
    bounds.set([-Infinity, -Infinity, -Infinity, Infinity, Infinity, 0], 6);
    const phase = new BroadPhase(() => true);
    phase.update(bounds, PRESENT, 3);
    expect(pairsOf(phase)).toEqual(expect.arrayContaining(['0-1', '1-2']));
    phase.update(bounds, PRESENT, 4);
    expect(pairsOf(phase)).toEqual(expect.arrayContaining(['0-1', '1-2', '1-3']));
  });

  it('sorts in place', () => {
    const random = seeded(4);
    for (let count = 0; count < 40; count++) {
      const values = Float64Array.from({ length: 50 }, () => random.integer(0, 20));
      const expected = [...values.slice(0, count).sort(), ...values.slice(count)];
      sortAscending(values, count);
      expect([...values]).toEqual(expected);
    }
  });
});

/** A box of bodies on a floor, in random positions. */
function scene(random: Random): { detection: ContactDetection; poses: Float64Array } {
  const detection = new ContactDetection({ dimension: 3, margin: 0.05 });
  detection.add(GROUND, plane([0, 0, 1]));
  const count = 40;
  const poses = new Float64Array(7 * count);
  for (let k = 0; k < count; k++) {
    detection.add(k, SPATIAL[k % SPATIAL.length][1]);
    const place = [random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(0, 3)];
    poses.set([...place, ...randomQuaternion(random)], 7 * k);
  }
  return { detection, poses };
}

function snapshot(detection: ContactDetection): number[] {
  const { manifolds: m } = detection;
  return [
    ...m.values.subarray(0, CONTACT_SIZE * m.count),
    ...m.first.subarray(0, m.count),
    ...m.second.subarray(0, m.count),
    ...m.keys.subarray(0, 2 * m.count),
  ];
}

describe('contact detection', () => {
  it('finds what every pair on its own has, in ascending order', () => {
    const { detection, poses } = scene(seeded(9));
    expect(detection.step(poses)).toBe('ok');
    const together = snapshot(detection);
    expect(detection.manifolds.count).toBeGreaterThan(40);
    // Every pair in a detection of its own, without broad phase to speak of.
    const expected: number[] = [];
    const { shapes } = detection;
    for (let a = 0; a < shapes.length; a++)
      for (let b = a + 1; b < shapes.length; b++) {
        const pair = new ContactDetection({ dimension: 3, margin: 0.05 });
        pair.add(detection.bodyOf(a), shapes[a]);
        pair.add(detection.bodyOf(b), shapes[b]);
        pair.step(poses);
        expected.push(...pair.manifolds.values.subarray(0, CONTACT_SIZE * pair.manifolds.count));
      }
    expect(together.slice(0, CONTACT_SIZE * detection.manifolds.count)).toEqual(expected);
  });

  it('has contacts that depend on the poses alone, bit for bit, whatever came before', () => {
    const random = seeded(10);
    const { detection, poses } = scene(random);
    const moved = poses.slice();
    for (let step = 0; step < 30; step++) {
      for (let k = 0; k < moved.length; k++) if (k % 7 < 3) moved[k] += random.uniform(-0.1, 0.1);
      detection.step(moved);
    }
    const fresh = scene(seeded(10)).detection;
    fresh.step(moved);
    expect(snapshot(detection)).toEqual(snapshot(fresh));
  });

  it('keeps what it found of shapes that stand still, with the bits of finding it again', () => {
    const random = seeded(13);
    const [kept, found] = [scene(seeded(10)), scene(seeded(10))];
    const { poses } = kept;
    for (let step = 0; step < 60; step++) {
      for (let body = 0; body < poses.length / 7; body++)
        if (random.chance(0.1))
          for (let k = 0; k < 3; k++) poses[7 * body + k] += random.uniform(-0.05, 0.05);
      // A wider margin now and then, a shape that comes and goes, and a last step that is forgotten.
      const reach = step % 7 === 0 ? 0.2 : 0;
      for (const { detection } of [kept, found]) {
        detection.enable(3, step % 5 !== 0);
        if (step % 11 === 0) detection.manifolds.clear();
      }
      found.detection.manifolds.hasLast = false;
      kept.detection.step(poses, reach);
      found.detection.step(poses, reach);
      expect(snapshot(kept.detection)).toEqual(snapshot(found.detection));
      const [one, other] = [kept, found].map(({ detection: { manifolds: m } }) => [
        [...m.previous.subarray(0, m.count)],
        [...m.inserted.subarray(0, m.insertedCount)],
        [...m.removed.subarray(0, m.removedCount)],
      ]);
      expect(one).toEqual(other);
    }
  });

  it('keeps the four contacts of a box that slides and settles: no contact comes or goes', () => {
    const detection = new ContactDetection({ dimension: 3, margin: 0.01 });
    detection.add(GROUND, box(5, 5, 0.5));
    detection.add(0, box(0.5, 0.5, 0.5));
    const random = seeded(11);
    for (let step = 0; step < 100; step++) {
      const wobble = 1e-6 * random.uniform(-1, 1);
      detection.step(Float64Array.of(0.01 * step, 0.003 * step, 1 + wobble, 1, wobble, -wobble, 0));
      const { manifolds } = detection;
      expect(manifolds.count).toBe(4);
      expect(manifolds.removedCount).toBe(0);
      expect(manifolds.insertedCount).toBe(step === 0 ? 4 : 0);
      if (step > 0) expect([...manifolds.previous.subarray(0, 4)].sort()).toEqual([0, 1, 2, 3]);
    }
  });

  it('keeps the contacts of equal boxes stacked exactly, under rounding', () => {
    const detection = new ContactDetection({ dimension: 3, margin: 0.01 });
    detection.add(0, box(0.5, 0.5, 0.5));
    detection.add(1, box(0.5, 0.5, 0.5));
    const random = seeded(12);
    for (let step = 0; step < 100; step++) {
      const e = (): number => 1e-13 * random.uniform(-1, 1);
      detection.step(Float64Array.of(e(), e(), e(), 1, e(), e(), e(), e(), e(), 1 + e(), 1, e(), e(), e()));
      expect(detection.manifolds.count).toBe(4);
      if (step > 0) expect(detection.manifolds.insertedCount).toBe(0);
    }
  });

  it('follows a contact to its new place, and lists those that come and go', () => {
    const detection = new ContactDetection({ dimension: 3, margin: 0.1 });
    for (let k = 0; k < 3; k++) detection.add(k, sphere(0.5));
    const poses = (a: number, b: number): Float64Array =>
      Float64Array.of(a, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, b, 0, 0, 1, 0, 0, 0);
    const { manifolds } = detection;
    detection.step(poses(0, 2));
    expect([...manifolds.previous.subarray(0, manifolds.count)]).toEqual([-1, -1]);
    detection.step(poses(-3, 2));
    expect([...manifolds.previous.subarray(0, manifolds.count)]).toEqual([1]);
    expect([...manifolds.removed.subarray(0, manifolds.removedCount)]).toEqual([0]);
    detection.step(poses(0, 2));
    expect([...manifolds.previous.subarray(0, manifolds.count)]).toEqual([-1, 0]);
    expect([...manifolds.inserted.subarray(0, manifolds.insertedCount)]).toEqual([0]);
  });

  it('predicts contacts within the margin, and none beyond it', () => {
    const detection = new ContactDetection({ dimension: 2, margin: 0.1 });
    detection.add(GROUND, plane([0, 1, 0]));
    detection.add(0, disc(0.5));
    detection.step(Float64Array.of(0, 0.59, 1));
    expect(detection.manifolds.values[0]).toBeCloseTo(0.09, 14);
    detection.step(Float64Array.of(0, 0.61, 1));
    expect(detection.manifolds.count).toBe(0);
  });

  it('has no contacts within a body, on ignored pairs, and between parts of the ground', () => {
    const detection = new ContactDetection({ dimension: 3, margin: 0.1 });
    detection.add(GROUND, sphere(1));
    detection.add(GROUND, plane([0, 0, 1]));
    detection.add(0, sphere(1), [0, 0, 5, 1, 0, 0, 0]);
    detection.add(0, sphere(1), [0, 0, 5.5, 1, 0, 0, 0]);
    detection.add(1, sphere(1), [0, 0, 6, 1, 0, 0, 0]);
    detection.ignore(1, 0);
    detection.step(Float64Array.of(0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0));
    expect(detection.manifolds.count).toBe(0);
  });

  it('puts a shape where it is placed on a body that is turned', () => {
    const detection = new ContactDetection({ dimension: 3, margin: 1 });
    detection.add(GROUND, plane([0, 0, 1]));
    detection.add(0, sphere(0.5), [2, 0, 0, 1, 0, 0, 0]);
    // Turned by −90° about y: x of the body is up.
    detection.step(Float64Array.of(0, 0, -1, Math.SQRT1_2, 0, -Math.SQRT1_2, 0));
    expect(detection.manifolds.values[0]).toBeCloseTo(0.5, 14);
  });

  it('names the shape of a pose that is not finite, and keeps the last contacts', () => {
    const detection = new ContactDetection({ dimension: 3, margin: 0.1 });
    detection.add(0, sphere(0.5));
    detection.add(1, sphere(0.5));
    detection.step(Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0));
    expect(detection.step(Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, NaN, 0, 1, 0, 0, 0))).toBe('notFinite');
    expect(detection.culprit).toBe(1);
    expect(detection.manifolds.count).toBe(1);
    expect(detection.step(Float64Array.of(0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0))).toBe('notFinite');
  });

  it('says what overlaps at the start, the deepest first', () => {
    const detection = new ContactDetection({ dimension: 3, margin: 0 });
    [0, 0.9, 2.4, 3.1].forEach((_, k) => detection.add(k, sphere(0.5)));
    detection.step(Float64Array.from([0, 0.9, 2.4, 3.1].flatMap((x) => [x, 0, 0, 1, 0, 0, 0])));
    const found = overlaps(detection, 1e-9);
    expect(found.map(({ first, second }) => [first, second])).toEqual([
      [2, 3],
      [0, 1],
    ]);
    expect(describeOverlap(found[1], (k) => `ball ${k}`)).toMatch(
      /^“ball 0” and “ball 1” overlap by 0\.100 m/,
    );
    expect(overlaps(detection, 1)).toEqual([]);
  });

  it('refuses shapes that do not fit, with a code and a remedy', () => {
    const spatialWorld = new ContactDetection({ dimension: 3, margin: 0 });
    expect(() => spatialWorld.add(0, disc(1))).toThrow('no place in a model in space');
    expect(() => spatialWorld.add(0, plane([0, 0, 1]))).toThrow('cannot be on a body that moves');
    expect(() => spatialWorld.add(0, sphere(1), [0, 0, 0, 0, 0, 0, 0])).toThrow('not finite');
    const planarWorld = new ContactDetection({ dimension: 2, margin: 0 });
    expect(() => planarWorld.add(GROUND, plane([0, 0, 1]))).toThrow('no place in a model in the plane');
    expect(() => new ContactDetection({ dimension: 2, margin: -1 })).toThrow('margin');
  });
});
