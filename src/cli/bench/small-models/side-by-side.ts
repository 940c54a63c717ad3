/**
 * A job that the engine does from event to event, beside its twin in C: both take turns, the medians of seven
 * count, and what they compute is compared, since a program that computes something else proves nothing.
 *
 * The engine is called in this thread as a worker calls it, models made ready included; what a process or a
 * thread needs to start is left out.
 */
import type { ModelDocument } from '@engine/document/types';
import type { Installation } from '@main/installation';
import { type Benchmark, type Measurement, median } from '../benchmark';
import { example } from '../engine';
import type { ProgramArguments } from '../siconos/run';
import { alternately, twin, type TwinName, type TwinRun } from '../twin';

/** Odd, so that the median is one of them. */
const RUNS = 7;
/** Time for which the engine runs before it is measured, so that the compiler is done with it, s. */
const WARM_UP = 2;

/**
 * Times an action by what the processor spent on this thread, where Node tells it, so that other work of the
 * machine is not counted. @returns ns
 */
export function processorTime(action: () => void): number {
  const { threadCpuUsage } = process as { threadCpuUsage?: () => NodeJS.CpuUsage };
  const now = (): number => {
    if (threadCpuUsage === undefined) return 1e6 * performance.now();
    const { user, system } = threadCpuUsage.call(process);
    return 1000 * (user + system);
  };
  const began = now();
  action();
  return now() - began;
}

/** What one run gives, of the engine as of its twin. */
export type JobRun = TwinRun;

/** A job that is made ready. */
interface ReadyJob {
  /** arguments of the twin */
  readonly given: ProgramArguments;
  /** does it once */
  readonly run: () => JobRun;
}

export interface SideBySide {
  readonly name: string;
  readonly summary: string;
  /** what the time is of: a revolution, an event, a period */
  readonly unit: string;
  /** name in the gallery */
  readonly example: string;
  readonly twin: TwinName;
  /** largest time in parts of the twin's that is aimed at */
  readonly most: number;
  ready(document: ModelDocument): ReadyJob;
  /** what the results of both differ by */
  compare(ours: readonly number[], theirs: readonly number[]): Measurement[];
}

/** Of numbers up to 1 absolute, of larger ones relative. @throws {Error} for lists of different lengths */
export const largestDifference = (ours: readonly number[], theirs: readonly number[]): number => {
  if (ours.length !== theirs.length || ours.length === 0)
    throw new Error(`${ours.length} and ${theirs.length} numbers cannot be compared`);
  return ours.reduce(
    (largest, value, k) => Math.max(largest, Math.abs(value - theirs[k]) / Math.max(1, Math.abs(theirs[k]))),
    0,
  );
};

/** Of results that are the same numbers in the same order. */
export const sameNumbers: SideBySide['compare'] = (ours, theirs) => [
  { quantity: '  largest relative difference', value: largestDifference(ours, theirs), unit: '' },
];

export function sideBySide(job: SideBySide, place: Installation): Measurement[] {
  const { unit, most } = job;
  const { given, run } = job.ready(example(place, job.example));
  const began = performance.now();
  do run();
  while (performance.now() - began < 1000 * WARM_UP);
  const built = twin(job.twin);
  const quantity = `time of one ${unit}`;
  if (!built.ok) {
    const times = Array.from({ length: RUNS }, () => run().ns);
    return [
      { quantity, value: median(times), unit: 'ns' },
      { quantity: 'here / C', value: null, unit: '', note: built.reason },
    ];
  }
  const [ours, theirs] = alternately(run, () => built.run(given), RUNS);
  const [here, there] = [ours, theirs].map((runs) => median(runs.map(({ ns }) => ns)));
  return [
    { quantity, value: here, unit: 'ns' },
    { quantity: '  by hand in C', value: there, unit: 'ns' },
    ...job.compare(ours[0].state, theirs[0].state),
    { quantity: 'here / C', value: here / there, unit: '', most },
  ];
}

/** The job as a benchmark of its own. */
export const sideBySideBenchmark = (job: SideBySide): Benchmark => ({
  name: job.name,
  summary: job.summary,
  measure: (place) => sideBySide(job, place),
});
