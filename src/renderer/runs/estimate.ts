/** What a run will cost, before it is started. */
import type { RunInfo } from '@contract/methods';
import type { SchemeName } from '@engine/document/types';

/** What is asked for. */
export interface PlannedRun {
  scheme: SchemeName;
  /** s */
  h: number;
  t0: number;
  tEnd: number;
  /** only every n-th step is recorded */
  every: number;
  /** recorded signals, time included */
  signals: number;
  /** false: only points of sections are kept, how many there are is not known, and both ends */
  trajectory: boolean;
}

export interface Estimate {
  steps: number;
  rows: number;
  /** of the recording */
  bytes: number;
  /** wall time, s; null where no run of the model has told what a step costs */
  seconds: number | null;
}

/** Steps a run must have had for its pace to tell something: before that the code is being compiled. */
const TELLING_STEPS = 1000;
/** A run that takes longer, s, or more of the disk, bytes, is asked about first. */
const LONG_SECONDS = 600;
const LARGE_BYTES = 2 * 2 ** 30;

/** @param runs of the same model, oldest first; null where the plan is not a number of steps */
export function estimateRun(plan: PlannedRun, runs: readonly RunInfo[]): Estimate | null {
  const steps = Math.ceil((plan.tEnd - plan.t0) / plan.h - 1e-6);
  if (!(steps > 0) || !Number.isFinite(steps) || !(plan.every >= 1)) return null;
  const rows = plan.trajectory ? Math.floor(steps / plan.every) + 1 : 2;
  const telling = runs.findLast(
    ({ scheme, statistics }) =>
      scheme === plan.scheme && statistics.steps >= TELLING_STEPS && statistics.wallSeconds > 0,
  );
  const seconds =
    telling === undefined ? null : (steps * telling.statistics.wallSeconds) / telling.statistics.steps;
  return { steps, rows, bytes: rows * plan.signals * Float64Array.BYTES_PER_ELEMENT, seconds };
}

export const isLong = ({ seconds, bytes }: Estimate): boolean =>
  (seconds ?? 0) > LONG_SECONDS || bytes > LARGE_BYTES;

/** The least power of ten of which every n-th step keeps a recording small. */
export function thinning({ bytes }: Estimate): number {
  let every = 10;
  while (bytes / every > LARGE_BYTES) every *= 10;
  return every;
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** `1.4 GiB` */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toPrecision(2)} ${UNITS[unit]}`;
}
