/** Benchmark of the bifurcation diagram of the buck converter, from event to event, beside its twin. */
import type { SweepJob } from '@engine/analysis/sweep/job';
import { comparePeriodic, KEPT } from './periodic';
import type { SideBySide } from './side-by-side';
import { computeSwept, lastRows } from './swept-points';

/** Input voltages, V, and section points that are left out and kept of each. */
export interface BuckDiagram {
  readonly from: number;
  readonly to: number;
  readonly voltages: number;
  readonly transient: number;
  readonly points: number;
}

const FILTER = { L: 0.02, C: 47e-6, R: 22, gain: 8.4, vref: 11.3, low: 3.8, high: 8.2, T: 400e-6 };

/** @param kept last section points of each voltage that are compared */
export const buckDiagram = (
  diagram: BuckDiagram,
  kept: number,
  compare: SideBySide['compare'] = comparePeriodic,
): SideBySide => ({
  name: 'buck-diagram',
  summary: 'bifurcation diagram of the buck converter beside a program in C',
  unit: 'period',
  example: 'buck-bifurcation',
  twin: 'buck-diagram',
  most: 5,
  ready: (document) => {
    const { from, to, voltages, transient, points } = diagram;
    const job: SweepJob = {
      document,
      plan: { kind: 'grid', axes: [{ parameter: 'E', from, to, count: voltages }] },
      section: { section: { kind: 'stroboscopic', period: 'T' }, transient, count: points },
      measures: [],
    };
    return {
      given: { ...FILTER, i0: 0.55, v0: 12, ...diagram, kept },
      run: () => computeSwept(job, lastRows(kept, 1, 3), () => voltages * (transient + points)),
    };
  },
  compare,
});

/** From one period over two and four to chaos. */
export const wholeBuckDiagram = buckDiagram(
  { from: 22, to: 34, voltages: 13, transient: 300, points: 120 },
  KEPT,
);
