/** Benchmark of a mass on a belt that sticks and slips, from event to event, beside its twin. */
import type { SweepJob } from '@engine/analysis/sweep/job';
import { type SideBySide, sameNumbers } from './side-by-side';
import { computeSwept } from './swept-points';

/** @param tEnd s */
export const stickSlipUntil = (tEnd: number): SideBySide => ({
  name: 'stick-slip',
  summary: 'time per event of a mass on a belt, beside a program in C',
  unit: 'event',
  example: 'friction-belt',
  twin: 'stick-slip',
  most: 5,
  ready: (document) => {
    const job: SweepJob = {
      document,
      tEnd,
      plan: { kind: 'grid', axes: [{ parameter: 'x0', values: [0] }] },
      measures: ['events', 'final mass.q', 'final mass.v'],
    };
    return {
      given: { m: 1, k: 1, friction: 1, fall: 0.1, speed: 0.2, x0: 0, v0: 0, tEnd },
      run: () =>
        computeSwept(
          job,
          ({ measures }) => [...measures],
          ([{ measures }]) => measures[0],
        ),
    };
  },
  compare: sameNumbers,
});

export const stickSlip = stickSlipUntil(20_000);
