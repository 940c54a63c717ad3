/**
 * Contact detection by itself: spheres that fly about in a box and turn back at its walls, and a pile of
 * spheres at rest. Time per step over sizes tells how the cost grows; bytes per step, whether the loop
 * allocates.
 */
import { ContactDetection, GROUND } from '@engine/collision/contact-detection';
import { plane } from '@engine/model/shapes/plane';
import { sphere } from '@engine/model/shapes/sphere';
import { type Benchmark, type Measurement, median } from './benchmark';
import { exponent } from './growth';
import { generator } from './random';

const SIZES = [1000, 10_000, 100_000];
const RADIUS = 0.5;
const MARGIN = 0.02;
/** m: of a cell of the grid that the spheres start on, moving and at rest */
const APART = 1.3;
const TOUCHING = 1;
/** m a step: 1 % of a sphere's size */
const SPEED = 0.01;
const WARM_UP = 20;
const STEPS = 20;
const RUNS = 3;

interface Scene {
  detection: ContactDetection;
  poses: Float64Array;
  readonly advance: () => void;
}

/** Spheres on a cubic grid between a floor and four walls; `speed` 0 leaves them there. */
function scene(count: number, cell: number, speed: number): Scene {
  const detection = new ContactDetection({ dimension: 3, margin: MARGIN });
  const side = Math.ceil(Math.cbrt(count));
  const width = side * cell;
  detection.add(GROUND, plane([0, 0, 1], 0));
  for (const axis of [0, 1]) {
    const outward = [0, 1].map((k) => (k === axis ? 1 : 0));
    detection.add(GROUND, plane([outward[0], outward[1], 0], 0));
    detection.add(GROUND, plane([-outward[0], -outward[1], 0], -width));
  }
  const shape = sphere(RADIUS);
  const next = generator(7);
  const poses = new Float64Array(7 * count);
  const velocities = new Float64Array(3 * count);
  for (let k = 0; k < count; k++) {
    detection.add(k, shape);
    const cells = [k % side, Math.floor(k / side) % side, Math.floor(k / (side * side))];
    for (let i = 0; i < 3; i++) {
      poses[7 * k + i] = (cells[i] + 0.5) * cell;
      velocities[3 * k + i] = speed * next();
    }
    poses[7 * k + 3] = 1;
  }
  const advance = (): void => {
    for (let k = 0; k < count; k++)
      for (let i = 0; i < 3; i++) {
        const x = poses[7 * k + i] + velocities[3 * k + i];
        if (x < RADIUS || x > width - RADIUS) velocities[3 * k + i] = -velocities[3 * k + i];
        else poses[7 * k + i] = x;
      }
  };
  return { detection, poses, advance };
}

interface Timing {
  /** µs of processor time a step, median; moving the spheres is a few per cent of it */
  time: number;
  /** bytes a step */
  bytes: number;
  pairs: number;
  contacts: number;
}

function timed({ detection, poses, advance }: Scene): Timing {
  const run = (steps: number): number => {
    const began = process.cpuUsage();
    for (let k = 0; k < steps; k++) {
      advance();
      detection.step(poses);
    }
    const { user, system } = process.cpuUsage(began);
    return (user + system) / steps;
  };
  run(WARM_UP);
  const before = process.memoryUsage();
  const times = Array.from({ length: RUNS }, () => run(STEPS));
  const after = process.memoryUsage();
  const grown = after.heapUsed - before.heapUsed + after.arrayBuffers - before.arrayBuffers;
  return {
    time: median(times),
    bytes: grown / (RUNS * STEPS),
    pairs: detection.broadPhase.pairs.count,
    contacts: detection.manifolds.count,
  };
}

function family(title: string, cell: number, speed: number): Measurement[] {
  const points: { size: number; time: number }[] = [];
  const rows = SIZES.flatMap((size): Measurement[] => {
    const { time, bytes, pairs, contacts } = timed(scene(size, cell, speed));
    points.push({ size, time });
    const note = `${pairs} pairs, ${contacts} contacts, ${(time / size).toFixed(3)} µs per body`;
    return [
      { quantity: `${title}, ${size} bodies`, value: time, unit: 'µs per step', note },
      { quantity: '  memory that it grows by', value: bytes, unit: 'B per step' },
    ];
  });
  return [...rows, { quantity: `${title}, p in µs/step ~ N^p`, value: exponent(points), unit: '' }];
}

export const contactDetection: Benchmark = {
  name: 'contact-detection',
  summary: 'contacts of spheres that move, and of a pile at rest',
  measure: () => [...family('moving spheres', APART, SPEED), ...family('pile at rest', TOUCHING, 0)],
};
