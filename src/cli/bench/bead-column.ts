import { type Benchmark, median, seconds } from './benchmark';
import { example, session } from './engine';

const BEADS = 1000;
const WARM_UP = 20;
const STEPS = 100;

/** A thousand bodies with a thousand contacts that are all closed: the one-step problem at its full size. */
export const beadColumn: Benchmark = {
  name: 'bead-column',
  summary: `time per step of ${BEADS} beads on each other`,
  measure: (place) => {
    const document = example(place, 'bead-column');
    const began = performance.now();
    const run = session({ document, set: { N: BEADS }, tEnd: 1e4 });
    const preparation = performance.now() - began;
    run.advance(WARM_UP);
    const times: number[] = [];
    for (let step = 0; step < STEPS; step++) times.push(seconds(() => run.advance(1)) * 1e3);
    return [
      { quantity: 'preparation', value: preparation, unit: 'ms' },
      { quantity: 'time per step, median', value: median(times), unit: 'ms' },
      { quantity: 'time per step, most', value: Math.max(...times), unit: 'ms' },
    ];
  },
};
