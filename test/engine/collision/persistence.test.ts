import { afterEach, describe, expect, it, vi } from 'vitest';
import { ContactDetection, GROUND, innerRadius } from '@engine/collision/contact-detection';
import { CONTACT_SIZE } from '@engine/collision/narrow-phase/pair-contacts';
import { NearestPartners } from '@engine/collision/manifold';
import { box } from '@engine/model/shapes/box';
import { cylinder } from '@engine/model/shapes/cylinder';
import { heightField } from '@engine/model/shapes/height-field';
import { plane } from '@engine/model/shapes/plane';
import { sphere } from '@engine/model/shapes/sphere';
import { seeded, type Random } from '../support/random';
import { octahedron } from './shape-samples';

/** Contacts that appeared or went over some steps, after the first. */
function changes(detection: ContactDetection, steps: number, poses: (step: number) => Float64Array): number {
  const { manifolds } = detection;
  let sum = 0;
  for (let step = 0; step < steps; step++) {
    expect(detection.step(poses(step))).toBe('ok');
    const known = [...manifolds.previous.subarray(0, manifolds.count)].filter((k) => k >= 0);
    expect(new Set(known).size).toBe(known.length);
    if (step > 0) sum += manifolds.insertedCount + manifolds.removedCount;
  }
  return sum;
}

/** Two equal boxes on one another, each moved and turned by what rounding does. */
function stack(random: Random): { detection: ContactDetection; poses: () => Float64Array } {
  const detection = new ContactDetection({ dimension: 3, margin: 0.01 });
  detection.add(0, box(0.5, 0.5, 0.5));
  detection.add(1, box(0.5, 0.5, 0.5));
  const e = (): number => 1e-9 * random.uniform(-1, 1);
  const poses = (): Float64Array =>
    Float64Array.of(e(), e(), e(), 1, e(), e(), e(), e(), e(), 1 + e(), 1, e(), e(), e());
  return { detection, poses };
}

const waves = heightField(
  41,
  41,
  0.25,
  0.25,
  Array.from(
    { length: 41 * 41 },
    (_, k) => 0.05 * Math.sin(0.9 * (k % 41)) * Math.cos(0.7 * Math.floor(k / 41)),
  ),
);

/** A ball that rolls over a level field: over faces, edges and corners of its triangles. */
function roll(): { detection: ContactDetection; poses: (step: number) => Float64Array } {
  const detection = new ContactDetection({ dimension: 3, margin: 0.01 });
  detection.add(GROUND, heightField(9, 9, 0.5, 0.5, new Float64Array(81)));
  detection.add(0, sphere(0.3));
  const poses = (step: number): Float64Array => {
    const x = 0.5 + 0.007 * step;
    const angle = (0.007 * step) / 0.3;
    return Float64Array.of(x, 1.1 + 0.3 * x, 0.3, Math.cos(angle / 2), 0, Math.sin(angle / 2), 0);
  };
  return { detection, poses };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('contacts keep their places', () => {
  it('of equal boxes stacked exactly, over 1000 steps of rounding', () => {
    const { detection, poses } = stack(seeded(31));
    expect(changes(detection, 1000, poses)).toBe(0);
    expect(detection.manifolds.count).toBe(4);
  });

  it('of a ball that rolls over the edges of a height field: one contact, one place', () => {
    const { detection, poses } = roll();
    expect(changes(detection, 300, poses)).toBe(0);
    expect(detection.manifolds.count).toBe(1);
  });

  it('of a standing cylinder that rounding tilts: four, at a quarter turn from one another or nearly', () => {
    for (const ground of [plane([0, 0, 1]), box(2, 2, 1)]) {
      const detection = new ContactDetection({ dimension: 3, margin: 0.01 });
      const top = ground.kind === 'plane' ? 0 : 1;
      detection.add(GROUND, ground);
      detection.add(0, cylinder(0.4, 0.6));
      const random = seeded(32);
      const e = (): number => 1e-9 * random.uniform(-1, 1);
      const poses = (step: number): Float64Array =>
        Float64Array.of(0.002 * step, 0, top + 0.6 + e(), 1, e(), e(), 0.001 * step);
      expect(changes(detection, 300, poses)).toBe(0);
      expect(detection.manifolds.count).toBe(ground.kind === 'plane' ? 4 : 8);
      // Points that go to the lowest place come nearer to a neighbour by half a division at most: 45° of 90°,
      // 11° of 22°.
      expect(spread(detection)).toBeGreaterThan(ground.kind === 'plane' ? 0.3 : 0.07);
    }
  });

  it('of a cylinder on its side that rolls on a plane or a box: two, at its ends', () => {
    for (const ground of [plane([0, 0, 1]), box(9, 9, 1)]) {
      const detection = new ContactDetection({ dimension: 3, margin: 0.01 });
      const top = ground.kind === 'plane' ? 0 : 1;
      detection.add(GROUND, ground);
      detection.add(0, cylinder(0.4, 0.6));
      // Its axis along y, turned by the way it has rolled along x.
      const poses = (step: number): Float64Array => {
        const half = (0.01 * step) / 0.4 / 2;
        const [c, s] = [Math.SQRT1_2 * Math.cos(half), Math.SQRT1_2 * Math.sin(half)];
        return Float64Array.of(0.01 * step, 0, top + 0.4, c, -c, s, s);
      };
      expect(changes(detection, 400, poses)).toBe(0);
      const { manifolds } = detection;
      expect(manifolds.count).toBe(2);
      const ends = [manifolds.values[5], manifolds.values[CONTACT_SIZE + 5]].sort((a, b) => a - b);
      expect(ends[0]).toBeCloseTo(-0.6, 9);
      expect(ends[1]).toBeCloseTo(0.6, 9);
    }
  });

  it('of shapes that move together, however far in a step', () => {
    const detection = new ContactDetection({ dimension: 3, margin: 0.01 });
    detection.add(0, octahedron(1));
    detection.add(1, sphere(0.3));
    // The ball goes over an edge of the octahedron, while both jump and turn.
    const poses = (step: number): Float64Array => {
      const [x, z] = [0.55, 0.55];
      const angle = 2 * step;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      const turn = [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)];
      const y = 0.06 * (step % 3) - 0.06;
      return Float64Array.of(50 * step, 0, 0, ...turn, 50 * step + c * x - s * y, s * x + c * y, z, ...turn);
    };
    expect(changes(detection, 60, poses)).toBe(0);
    expect(detection.manifolds.count).toBe(1);
  });
});

/** Least distance between two contacts, m. */
function spread({ manifolds }: ContactDetection): number {
  let least = Infinity;
  for (let a = 0; a < manifolds.count; a++)
    for (let b = a + 1; b < manifolds.count; b++) {
      const d = [4, 5, 6].map(
        (k) => manifolds.values[CONTACT_SIZE * a + k] - manifolds.values[CONTACT_SIZE * b + k],
      );
      least = Math.min(least, Math.hypot(...d));
    }
  return least;
}

describe('partners by nearness', () => {
  it('are what keeps them: without, the stack and the ball lose their places', () => {
    vi.spyOn(NearestPartners.prototype, 'take').mockReturnValue(false);
    const boxes = stack(seeded(31));
    expect(changes(boxes.detection, 100, boxes.poses)).toBeGreaterThan(0);
    const ball = roll();
    expect(changes(ball.detection, 300, ball.poses)).toBeGreaterThan(0);
  });

  it('are one to one, the nearest first, and none beyond the inner radius', () => {
    const frames = Float64Array.from([
      0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1,
    ]);
    const partners = new NearestPartners();
    const at = (...xs: number[]): Float64Array =>
      Float64Array.from(xs.flatMap((x) => [0, 0, 0, 1, x, 0, 0, x, 0, 0]));
    [0, 1].forEach((k) => partners.former.add(k, at(0, 0.4), frames, 0, 1));
    // 0.3 is near 0.4, and 0.19 would be, but 0 is left for it; 2 is near nothing.
    [0, 1, 2].forEach((k) => partners.fresh.add(k, at(0.19, 0.3, 2), frames, 0, 1));
    const radii = Float64Array.of(0.25, 3);
    const taken: number[][] = [];
    while (partners.take(radii, 0, 1)) taken.push([partners.takenFresh, partners.takenFormer]);
    expect(taken).toEqual([
      [1, 1],
      [0, 0],
    ]);
    partners.clear();
    partners.former.add(0, at(0), frames, 0, 1);
    partners.fresh.add(0, at(0.26), frames, 0, 1);
    expect(partners.take(radii, 0, 1)).toBe(false);
  });

  it('reach as far as the shapes are thick', () => {
    expect(innerRadius(sphere(0.3))).toBe(0.3);
    expect(innerRadius(cylinder(0.4, 0.1))).toBe(0.1);
    expect(innerRadius(box(1, 2, 0.25))).toBeCloseTo(0.25, 15);
    expect(innerRadius(octahedron(1))).toBeCloseTo(1 / Math.sqrt(3), 14);
    expect(innerRadius(waves)).toBe(Infinity);
  });

  it('are the same whenever the steps are the same', () => {
    const run = (): number[] => {
      const detection = new ContactDetection({ dimension: 3, margin: 0.02 });
      detection.add(GROUND, waves);
      for (let k = 0; k < 6; k++) detection.add(k, k % 2 === 0 ? box(0.3, 0.2, 0.1) : cylinder(0.2, 0.15));
      const random = seeded(33);
      const found: number[] = [];
      const poses = Float64Array.from({ length: 42 }, (_, k) =>
        k % 7 < 2 ? 1 + 0.25 * k : k % 7 === 2 ? 0.1 : 1,
      );
      for (let step = 0; step < 40; step++) {
        for (let k = 0; k < 42; k++) poses[k] += (k % 7 < 3 ? 0.01 : 0.1) * random.uniform(-1, 1);
        detection.step(poses);
        found.push(...detection.manifolds.previous.subarray(0, detection.manifolds.count));
      }
      return found;
    };
    expect(run()).toEqual(run());
  });
});
