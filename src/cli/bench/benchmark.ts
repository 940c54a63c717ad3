/**
 * What a benchmark is: a program that measures and returns numbers. It asserts nothing; of some numbers it
 * says how large they may be.
 */
import type { Installation } from '@main/installation';

export interface Measurement {
  quantity: string;
  /** null where it could not be measured, with the reason as `note` */
  value: number | null;
  unit: string;
  note?: string;
  /** a larger value is a failure */
  most?: number;
  /** of a choice that the engine made: what it tried, and what came of it */
  reason?: string;
}

export interface BenchmarkOptions {
  /** folder of problems to measure in place of the built-in ones */
  problems?: string;
  /** size of the table that is exported */
  rows?: number;
  columns?: number;
  /** most memory that writing it may take, MB */
  memory?: number;
  /** only the format of files with this ending, in this process */
  format?: string;
  /** whether the user has ended it: what is not measured by then is left out */
  isEnded?: () => boolean;
}

export interface Benchmark {
  name: string;
  /** what is measured, in a few words */
  summary: string;
  /** whether it takes too much time or space to be among all of them */
  onlyWhenNamed?: true;
  /**
   * Measurements at once, or each as it is known: those that take long give the event loop a turn now and
   * then, in which an interrupt is heard.
   */
  measure(place: Installation, options: BenchmarkOptions): Measured;
}

type Measured = Measurement[] | Promise<Measurement[]> | AsyncIterable<Measurement>;

/** Middle value; the mean of the middle two for an even number. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Wall time of an action, s. */
export function seconds(action: () => void): number {
  const began = performance.now();
  action();
  return (performance.now() - began) / 1000;
}

/** Why there is no ratio of the times of Siconos and of this engine, null being that of what failed. */
export function whoFailed(there: number | null, here: number | null): string {
  if (here !== null) return 'not solved by Siconos';
  return there === null ? 'solved by neither' : 'not solved here';
}
