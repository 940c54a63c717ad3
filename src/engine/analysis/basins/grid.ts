/**
 * Basins of attraction over a plane of starts.
 *
 * Attractors are looked for first, among some of the starts, in the order of the grid; that fixes their
 * numbers and the sizes that distances refer to. What becomes of each start then follows from these alone:
 * the grid may be cut into any parts, done anywhere and in any order, with the same bits. A start whose
 * motion comes to an attractor that was not found is left unsettled, not given to another one.
 */
import type { EngineErrorDetails } from '../../errors';
import type { Completeness } from '../../run/schemes/scheme';
import type { MotionModel } from '../stability/motion-model';
import {
  Attractors,
  type BasinSettings,
  type KnownAttractors,
  UNSETTLED,
  settledVerdict,
} from './attractors';

/** Values of one component of the state, both ends included. */
export interface GridAxis {
  /** in the state x = q | v */
  readonly place: number;
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

export interface BasinGrid {
  /** the other components of all starts */
  readonly start: Float64Array;
  /** changes first */
  readonly x: GridAxis;
  readonly y: GridAxis;
}

/** What became of starts that follow one another in a grid; numbers as in `Settled`. */
export interface SettledPart {
  readonly attractor: Int32Array;
  readonly periods: Int32Array;
  /** whether no event was missed, as `completenessNumber`; absent of parts that older versions have kept */
  readonly missed?: Float64Array;
  /**
   * 1 where the equations hold on what a start comes to, 0 where they do not, and NaN where that was not
   * simulated, or is judged once for all starts that come to a known attractor; absent of parts that older
   * versions have kept
   */
  readonly solved?: Float64Array;
  /** why the first of those that failed has failed */
  readonly failure: EngineErrorDetails | null;
}

/**
 * 0 where no event was missed, infinite where one was, the resolution, s, where conditions were sampled, and
 * NaN where nothing was simulated.
 */
export function completenessNumber(complete: Completeness | null): number {
  if (complete === null) return NaN;
  if (typeof complete === 'object') return complete.resolution;
  return complete ? 0 : Infinity;
}

/** What `completenessNumber` has made a number of. */
export function completenessOf(number: number): Completeness | null {
  if (Number.isNaN(number)) return null;
  return number > 0 && number < Infinity ? { resolution: number } : number === 0;
}

/** 1 where the equations hold, 0 where they do not, NaN where nothing was simulated. */
export const solvedNumber = (solved: boolean | null | undefined): number => Number(solved ?? NaN);

/** The k-th value of an axis. */
export function gridValue({ from, to, count }: Omit<GridAxis, 'place'>, k: number): number {
  // The upper end is met without rounding.
  return k > 0 && k === count - 1 ? to : from + ((to - from) * k) / Math.max(1, count - 1);
}

/** The start with a number, into `out`. */
export function startAt(
  { start, x, y }: BasinGrid,
  number: number,
  out = new Float64Array(start.length),
): Float64Array {
  out.set(start);
  out[x.place] = gridValue(x, number % x.count);
  out[y.place] = gridValue(y, Math.floor(number / x.count));
  return out;
}

/** The attractors of every `stride`-th start of every `stride`-th row. */
export function findAttractors(
  motion: MotionModel,
  settings: BasinSettings,
  grid: BasinGrid,
  stride: number,
): KnownAttractors {
  const attractors = new Attractors(motion, settings);
  const start = new Float64Array(grid.start.length);
  for (let row = 0; row < grid.y.count; row += stride)
    for (let column = 0; column < grid.x.count; column += stride)
      attractors.settle(startAt(grid, row * grid.x.count + column, start), true);
  return attractors.known;
}

/** What becomes of the starts from number `first` up to that before `end`. */
export function settlePart(
  motion: MotionModel,
  settings: BasinSettings,
  grid: BasinGrid,
  known: KnownAttractors,
  first: number,
  end: number,
): SettledPart {
  const attractors = new Attractors(motion, settings, known);
  const attractor = new Int32Array(end - first);
  const periods = new Int32Array(end - first);
  const missed = new Float64Array(end - first);
  const solved = new Float64Array(end - first).fill(NaN);
  const start = new Float64Array(grid.start.length);
  for (let k = first; k < end; k++) {
    const settled = attractors.settle(startAt(grid, k, start), false);
    attractor[k - first] = settled.attractor;
    periods[k - first] = settled.periods;
    missed[k - first] = completenessNumber(attractors.complete);
    if (settled.attractor === UNSETTLED)
      solved[k - first] = solvedNumber(settledVerdict(motion, settings, attractors, UNSETTLED)?.solved);
  }
  return { attractor, periods, missed, solved, failure: attractors.failure };
}
