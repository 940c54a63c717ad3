/**
 * What an event costs in models of more and more bodies, with automatic flights and the certificate: p in
 * t ~ N^p from each size to the next.
 */
import type { Installation } from '@main/installation';
import { type Benchmark, type Measurement, median } from './benchmark';
import { prepareModel, simulate } from './event-driven-run';
import { exponent } from './growth';

/** Odd, so that the median is one of them. */
const RUNS = 7;
/** Time for which each size runs before it is measured, so that the compiler is done with it, s. */
const WARM_UP = 3;

const SIZES = [10, 30, 100, 300, 1000];

/** Beads with a gap below each, that fall onto each other and stay. */
const column = (N: number) => ({
  example: 'bead-column',
  parameters: { N, m: 1, radius: 0.125, g: 9.81, e: 0, spacing: 0.01 },
  h: 5e-3,
  steps: 200,
  state: (): number[] => [],
});

/** Wall time of one event, s. */
function timeOfEvent(N: number, place: Installation): number[] {
  const model = column(N);
  const prepared = prepareModel(model, place);
  const run = (): number => {
    const { seconds, times } = simulate(model, prepared, 'automatic');
    return seconds / times.length;
  };
  const began = performance.now();
  while (performance.now() - began < 1000 * WARM_UP) run();
  return Array.from({ length: RUNS }, run);
}

function measure(place: Installation): Measurement[] {
  const points = SIZES.map((size) => {
    const times = timeOfEvent(size, place);
    return { size, time: median(times), least: Math.min(...times) };
  });
  const growth = (from: number, to: number): Measurement => ({
    quantity: `p in time per event ~ N^p, N = ${SIZES[from]} … ${SIZES[to]}`,
    value: exponent(points.slice(from, to + 1)),
    unit: '',
  });
  return [
    ...points.flatMap(({ size, time, least }) => [
      { quantity: `column of ${size} beads, time per event, median`, value: 1000 * time, unit: 'ms' },
      { quantity: '  least', value: 1000 * least, unit: 'ms' },
    ]),
    ...SIZES.slice(1).map((_, k) => growth(k, k + 1)),
    growth(0, SIZES.length - 1),
  ];
}

export const eventDrivenGrowth: Benchmark = {
  name: 'event-driven-growth',
  summary: 'time per event of columns of 10 to 1000 beads, and how it grows',
  measure,
};
