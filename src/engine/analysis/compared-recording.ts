/** What a comparison has to know of each of its two runs. */
import type { SchemeName } from '../document/types';
import type { ChunkSource } from '../recording/chunks';

export interface ComparedRecording {
  readonly source: ChunkSource;
  readonly scheme: SchemeName;
  /** length of a step, s; the mean one where it varies */
  readonly h: number;
  /** column of each compared signal */
  readonly signals: readonly number[];
  /** column of the impulse of each compared contact */
  readonly impulses: readonly number[];
}

/** Time compared, s. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Relative to a step: rounding accumulates over the steps of a run, and no two rows of a run are that close. */
const SAME_TIME = 1e-9;
/** In units of rounding, for long times with short steps. */
const ROUNDING = 8 * Number.EPSILON;

/** Distance within which two times of the two runs are the same, s. */
export function timeTolerance(a: ComparedRecording, b: ComparedRecording, { from, to }: Span): number {
  const largest = Math.max(Math.abs(from), Math.abs(to));
  return Math.max(SAME_TIME * Math.min(a.h, b.h), ROUNDING * largest);
}

/** Length below which a run does not resolve time, s: events have their own times in the event-driven scheme. */
export const resolution = ({ scheme, h }: ComparedRecording): number => (scheme === 'event-driven' ? 0 : h);
