/**
 * Benchmark of the bifurcation diagram of the cam-follower beside its twin: points of speeds from 300 to
 * 800 rpm, each 800 revolutions of which the section points of the last 400 are kept. By one thread, and the
 * whole diagram of 500 speeds by two workers.
 */
import type { SweepJob } from '@engine/analysis/sweep/job';
import type { ModelDocument } from '@engine/document/types';
import type { Installation } from '@main/installation';
import { computeSweep } from '@main/sweep/sweep';
import { WorkerPool } from '@main/sweep/worker-pool';
import { type Benchmark, type Measurement, median } from '../benchmark';
import { example } from '../engine';
import type { ProgramArguments } from '../siconos/run';
import { twin } from '../twin';
import { comparePeriodic, KEPT } from './periodic';
import { type SideBySide, sideBySide } from './side-by-side';
import { computeSwept, lastRows } from './swept-points';

const EXAMPLE = 'cam-follower-event-driven-660';
const FROM = 300;
const TO = 800;
const POINTS = 400;
/** Speeds of the diagram, and of the part of it that one thread computes at a time. */
const ALL_SPEEDS = 500;
const SPEEDS = 50;
/** Most time of two workers in parts of the twin's in one thread. */
const MOST_OF_TWO = 2.8;
/** Odd, so that the median is one of them; fewer where so much time has gone, s. */
const RUNS = 7;
const PATIENCE = 60;

/** A diagram: speeds from one to another, and section points of each. */
export interface Diagram {
  readonly from: number;
  readonly to: number;
  readonly speeds: number;
  /** section points that are left out, and those that are kept */
  readonly transient: number;
  readonly points: number;
}

const jobOf = (document: ModelDocument, { from, to, speeds, transient, points }: Diagram): SweepJob => ({
  document,
  plan: { kind: 'grid', axes: [{ parameter: 'rpm', from, to, count: speeds }] },
  section: { section: { kind: 'stroboscopic', period: '60/rpm' }, transient, count: points },
  measures: [],
});

const argumentsOf = (diagram: Diagram, kept: number): ProgramArguments => ({
  ...{ mu: 1.221, kappa: 1430.8, r: 0.8, height0: 0.4, speed0: 0.4 },
  ...diagram,
  kept,
});

/** @param kept last section points of each speed that are compared */
export const camDiagram = (
  diagram: Diagram,
  kept: number,
  compare: SideBySide['compare'] = comparePeriodic,
): SideBySide => ({
  name: 'cam-diagram',
  summary: 'bifurcation diagram of the cam-follower beside a program in C',
  unit: 'revolution',
  example: EXAMPLE,
  twin: 'cam-diagram',
  most: 5,
  ready: (document) => {
    const job = jobOf(document, diagram);
    const revolutions = diagram.speeds * (diagram.transient + diagram.points);
    return {
      given: argumentsOf(diagram, kept),
      run: () => computeSwept(job, lastRows(kept, 1, 3), () => revolutions),
    };
  },
  compare,
});

const whole: Diagram = { from: FROM, to: TO, speeds: ALL_SPEEDS, transient: POINTS, points: POINTS };

/** Wall time of a diagram by two workers, s. */
async function timeByTwo(place: Installation, document: ModelDocument, diagram: Diagram): Promise<number> {
  const began = performance.now();
  const pool = new WorkerPool(place.host.sweepWorkerUrl, 2);
  const results = await computeSweep(jobOf(document, diagram), pool, new Map(), null, () => undefined);
  if (results.size !== diagram.speeds) throw new Error('there are points without a result');
  return (performance.now() - began) / 1000;
}

async function measureTwo(place: Installation): Promise<Measurement[]> {
  const built = twin('cam-diagram');
  const document = example(place, EXAMPLE);
  const given = argumentsOf(whole, 1);
  // Two points of one revolution: nearly nothing but the start of the workers.
  const shortest: Diagram = { ...whole, speeds: 2, transient: 1, points: 1 };
  const [ours, starts, theirs]: [number[], number[], number[]] = [[], [], []];
  const began = performance.now();
  while (ours.length < RUNS && (ours.length < 3 || performance.now() - began < 1000 * PATIENCE)) {
    starts.push(await timeByTwo(place, document, shortest));
    ours.push(await timeByTwo(place, document, whole));
    if (built.ok) theirs.push(built.run(given).ns * 1e-9 * whole.speeds * (whole.transient + whole.points));
  }
  const [all, start] = [median(ours), median(starts)];
  const quantity = '2 workers without their start / C in one';
  return [
    { quantity: `${ALL_SPEEDS} speeds by 2 workers`, value: all, unit: 's' },
    { quantity: '  of which their start', value: start, unit: 's' },
    ...(built.ok
      ? [
          { quantity: '  by hand in C, one thread', value: median(theirs), unit: 's' },
          { quantity, value: (all - start) / median(theirs), unit: '', most: MOST_OF_TWO },
        ]
      : [{ quantity, value: null, unit: '', note: built.reason }]),
  ];
}

export const camDiagramBenchmark: Benchmark = {
  name: 'cam-diagram',
  summary: 'bifurcation diagram of the cam-follower beside a program in C, in one thread and by two workers',
  measure: async (place) => [
    ...sideBySide(camDiagram({ ...whole, speeds: SPEEDS }, KEPT), place),
    ...(await measureTwo(place)),
  ],
};
