import { getHeapStatistics } from 'node:v8';
import { type Benchmark, median, seconds } from './benchmark';
import { example, session } from './engine';

const STEPS = 1_000_000;
const RUNS = 7;
const H = 1e-4;

/** Bytes this process holds in its heap and in array buffers. */
const heldBytes = (): number => {
  const { used_heap_size: heap, external_memory: external, malloced_memory: malloced } = getHeapStatistics();
  return heap + external + malloced;
};

/** One degree of freedom and one contact: what is left is the cost of the loop itself. */
export const bouncingBall: Benchmark = {
  name: 'bouncing-ball',
  summary: 'time per step of one body on a floor',
  measure: (place) => {
    const document = example(place, 'bouncing-ball');
    const specification = { document, h: H, tEnd: 2 * (RUNS + 1) * STEPS * H };
    // Warm-up: the first steps are interpreted.
    session(specification).advance(STEPS);
    const times: number[] = [];
    const allocations: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      const fresh = session(specification);
      fresh.advance(1000);
      const before = heldBytes();
      times.push(seconds(() => fresh.advance(STEPS)));
      // A collection in between makes the difference negative; the median over the runs is without one.
      allocations.push(Math.max(0, heldBytes() - before) / STEPS);
    }
    return [
      { quantity: 'time per step, median', value: (median(times) / STEPS) * 1e9, unit: 'ns' },
      { quantity: 'time per step, least', value: (Math.min(...times) / STEPS) * 1e9, unit: 'ns' },
      { quantity: 'bytes allocated per step, median', value: median(allocations), unit: 'B' },
    ];
  },
};
