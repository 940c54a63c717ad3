/**
 * A pile of balls that fall on one another and spread, without rolling friction and with some: time of a step
 * of contact dynamics, with detection. Lengths of rolling friction are parts of the radius.
 */
import { sphere } from '@engine/model/shapes/sphere';
import type { ContactDynamics } from '@engine/contact-dynamics/contact-dynamics';
import { type Benchmark, type Measurement, median } from './benchmark';
import { STEP, fallingBodies } from './falling-bodies';
import { generator } from './random';

/** Balls along each side of the base, and layers. */
const SIDE = 5;
const LAYERS = 4;
/** m */
const RADIUS = 0.1;
/** Distances of the balls at first, and by how much they are moved at random, in radii. */
const SPACING = 2.05;
const HEIGHT = 2.3;
const JITTER = 0.3;
/** s */
const DURATION = 1;
/** Of the radius. */
const ROLLING = [0, 0.01, 0.03, 0.1] as const;

export function rollingPile(rolling: number, side = SIDE, layers = LAYERS): ContactDynamics {
  const next = generator(3);
  const along = (k: number): number => RADIUS * (k * SPACING + JITTER * next());
  const positions = Array.from(
    { length: side * side * layers },
    (_, k) =>
      [
        along(k % side),
        along(Math.floor(k / side) % side),
        RADIUS * (1.1 + HEIGHT * Math.floor(k / (side * side))),
      ] as const,
  );
  return fallingBodies(sphere(RADIUS), positions, rolling * RADIUS);
}

/** @returns time of each step, ms, and how many of them were not solved */
function timeSteps(rolling: number): { times: number[]; unsolved: number } {
  const dynamics = rollingPile(rolling);
  const times: number[] = [];
  let unsolved = 0;
  for (let k = 0; k < Math.round(DURATION / STEP); k++) {
    const began = performance.now();
    if (dynamics.advance() !== 'ok') unsolved++;
    times.push(performance.now() - began);
  }
  return { times, unsolved };
}

function* measure(): Generator<Measurement> {
  let without: number | null = null;
  // The first pile would carry what it takes to compile the steps, and make the others look quick.
  for (const rolling of ROLLING) timeSteps(rolling);
  for (const rolling of ROLLING) {
    const { times, unsolved } = timeSteps(rolling);
    const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
    without ??= mean;
    const name = `${SIDE * SIDE * LAYERS} balls, rolling friction ${rolling} of the radius`;
    const note = `median ${median(times).toFixed(2)}, ${unsolved} steps not solved`;
    yield { quantity: name, value: mean, unit: 'ms per step', note };
    if (rolling > 0) yield { quantity: '  over that without', value: mean / without, unit: '' };
  }
}

export const rollingPiles: Benchmark = {
  name: 'rolling-pile',
  summary: 'a pile of balls with rolling friction, against the same without',
  measure: () => [...measure()],
};
