/**
 * Benchmark of the bifurcation diagram of the cam-follower beside its twin: points of speeds from 300 to
 * 800 rpm, each 800 revolutions of which the section points of the last 400 are kept. By one thread, and the
 * whole diagram of 500 speeds by two workers.
 */
import { computePoint } from '@engine/analysis/sweep/compute-point';
import { type SweepJob, sweepPoints } from '@engine/analysis/sweep/job';
import type { ModelDocument } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import type { Installation } from '@main/installation';
import { computeSweep } from '@main/sweep/sweep';
import { WorkerPool } from '@main/sweep/worker-pool';
import { type Benchmark, type Measurement, median } from '../benchmark';
import { example } from '../engine';
import type { ProgramArguments } from '../siconos/run';
import { twin } from '../twin';
import { type JobRun, processorTime, type SideBySide, sideBySide } from './side-by-side';

const EXAMPLE = 'cam-follower-event-driven-660';
const FROM = 300;
const TO = 800;
const POINTS = 400;
/** Last section points that are compared, and the longest period of a motion that is called periodic. */
const KEPT = 32;
const LONGEST = 8;
/** Speeds of the diagram, and of the part of it that one thread computes at a time. */
const ALL_SPEEDS = 500;
const SPEEDS = 50;
/** Section points of a periodic motion repeat to so much. */
const SAME = 1e-9;
/** Section points further apart belong to different motions. */
const OTHER_MOTION = 1e-3;
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

/** Computes a diagram in this thread. @returns q and v of the last section points of each speed */
function computeHere(document: ModelDocument, diagram: Diagram, kept: number): JobRun {
  const job = jobOf(document, diagram);
  const state: number[] = [];
  const taken = processorTime(() => {
    for (const values of sweepPoints(job.plan)) {
      const result = computePoint(job, values, null, { sandbox: createSandbox });
      if (result === null) throw new Error('a point was cancelled without a cause');
      const { status, section } = result;
      // Rows of time, position and velocity.
      for (let row = diagram.points - kept; row < diagram.points; row++)
        state.push(...(status === 'done' ? [section[3 * row + 1], section[3 * row + 2]] : [NaN, NaN]));
    }
  });
  return { ns: taken / (diagram.speeds * (diagram.transient + diagram.points)), state };
}

/** Largest difference of section points from `a` and from `b` on; NaN where a point has failed. */
function apart(
  ours: readonly number[],
  theirs: readonly number[],
  [a, b, count]: readonly [number, number, number],
): number {
  let largest = 0;
  for (let k = 0; k < 2 * count; k++)
    largest = Math.max(largest, Math.abs(ours[2 * a + k] - theirs[2 * b + k]));
  return largest;
}

/** Number of section points after which a motion repeats; null for none up to LONGEST. */
function periodOf(points: readonly number[]): number | null {
  for (let period = 1; period <= LONGEST; period++)
    if (apart(points, points, [0, period, KEPT - period]) < SAME) return period;
  return null;
}

/** Compares the periodic motions; chaotic ones separate from the least rounding, in both programs. */
function comparePeriodic(ours: readonly number[], theirs: readonly number[]): Measurement[] {
  let [failed, periodic, elsewhere, largest] = [0, 0, 0, 0];
  for (let at = 0; at < ours.length; at += 2 * KEPT) {
    const [a, b] = [ours, theirs].map((points) => points.slice(at, at + 2 * KEPT));
    if (a.some(Number.isNaN)) failed++;
    const period = periodOf(a);
    if (period === null || periodOf(b) !== period) continue;
    periodic++;
    // What comes before the motion is periodic may have been chaotic: it may have begun at any of its points.
    const shifts = Array.from({ length: period }, (_, shift) => apart(a, b, [0, shift, period]));
    const least = Math.min(...shifts);
    if (least > OTHER_MOTION) elsewhere++;
    else largest = Math.max(largest, least);
  }
  return [
    { quantity: '  speeds that failed here', value: failed, unit: '' },
    { quantity: '  speeds with periodic motion', value: periodic, unit: '' },
    { quantity: '  of them, settled on another one', value: elsewhere, unit: '' },
    { quantity: '  largest difference of the others', value: largest, unit: '' },
  ];
}

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
  given: argumentsOf(diagram, kept),
  most: 5,
  ready: (document) => () => computeHere(document, diagram, kept),
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
