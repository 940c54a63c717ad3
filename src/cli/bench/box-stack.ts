/**
 * A stack of a hundred boxes by contact dynamics: time of a step, with detection, against the time that it
 * advances. At rest from the start impulses of the last step solve the next one; boxes that are dropped with
 * gaps between them close their contacts one after the other.
 */
import { box } from '@engine/model/shapes/box';
import type { ContactDynamics } from '@engine/contact-dynamics/contact-dynamics';
import { type Benchmark, type Measurement, median } from './benchmark';
import { STEP, fallingBodies } from './falling-bodies';

const BOXES = 100;
/** m */
const EDGE = 0.2;
/** Gaps between the boxes, m, and the time that is simulated, s. */
const CASES = [
  { name: 'at rest from the start', gap: 0, duration: 4 },
  { name: 'dropped with gaps of 1 mm', gap: 1e-3, duration: 2 },
] as const;

function stack(gap: number): ContactDynamics {
  const height = (k: number): number => EDGE / 2 + gap + k * (EDGE + gap);
  return fallingBodies(
    box(EDGE / 2, EDGE / 2, EDGE / 2),
    Array.from({ length: BOXES }, (_, k) => [0, 0, height(k)] as const),
  );
}

function measure(name: string, gap: number, duration: number): Measurement[] {
  const dynamics = stack(gap);
  const times: number[] = [];
  for (let k = 0; k < Math.round(duration / STEP); k++) {
    const began = performance.now();
    const status = dynamics.advance();
    times.push(performance.now() - began);
    if (status !== 'ok') throw new Error(`the stack was not advanced: ${status}`);
  }
  const total = times.reduce((sum, time) => sum + time, 0);
  return [
    {
      quantity: `${BOXES} boxes ${name}`,
      value: total / times.length,
      unit: 'ms per step',
      note: `median ${median(times).toFixed(2)}, longest ${Math.max(...times).toFixed(1)}, ${dynamics.activeCount} contacts in the end`,
    },
    { quantity: '  time simulated / time taken', value: (1e3 * duration) / total, unit: '' },
  ];
}

export const boxStack: Benchmark = {
  name: 'box-stack',
  summary: `a stack of ${BOXES} boxes at h = 5 ms, against real time`,
  measure: () => CASES.flatMap(({ name, gap, duration }) => measure(name, gap, duration)),
};
