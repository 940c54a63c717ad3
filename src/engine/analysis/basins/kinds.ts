/**
 * What a motion settles on where parameters are varied: the model is another one at each value, so that
 * attractors of different values are not compared by their places. They are of one kind when they repeat
 * after as many periods of the forcing with as many events, as motions of impact oscillators are
 * distinguished by impacts and periods. Impacts that accumulate have no number: how many of them are
 * simulated before the contact is at rest is a matter of tolerances.
 *
 * Of an autonomous model there are no periods to count: what it comes to is a point of rest or a limit cycle,
 * told apart by the events of one turn.
 *
 * Each start is judged by itself: what becomes of it does not depend on others.
 *
 * Source: Peterka and Vacík 1992.
 */
import type { EventRecord } from '../../event-driven/event-record';
import type { MotionModel } from '../stability/motion-model';
import { type Attractor, Attractors, type BasinSettings, settledVerdict } from './attractors';
import type { EngineErrorDetails } from '../../errors';
import type { Completeness } from '../../run/schemes/scheme';

/** Of the attractors that are not told apart. */
export interface AttractorKind {
  /**
   * periods of the forcing after which it repeats; of an autonomous model 1 for a limit cycle, 0 for a point
   * of rest
   */
  readonly cycle: number;
  /** events in that time, or in one turn; null where impacts accumulate */
  readonly events: number | null;
}

/**
 * Events of a cycle are counted up to before this, which stands for infinitely many; with 200 periods the
 * number of a kind stays below 2³¹.
 */
const RADIX = 2 ** 20;
const ACCUMULATING = RADIX - 1;

export const kindNumber = ({ cycle, events }: AttractorKind): number =>
  cycle * RADIX + (events === null ? ACCUMULATING : Math.min(events, ACCUMULATING - 1));

/** The kind with a number. */
export function motionKindOf(number: number): AttractorKind {
  const events = number % RADIX;
  return { cycle: Math.floor(number / RADIX), events: events === ACCUMULATING ? null : events };
}

export interface SettledKind {
  /** `kindNumber`, or a code as in `Settled` */
  readonly kind: number;
  readonly periods: number;
  /** whether no event was missed; null where it could not be simulated */
  readonly complete: Completeness | null;
  /** whether the equations hold on what it has come to; null where that could not be simulated */
  readonly solved: boolean | null;
  readonly failure: EngineErrorDetails | null;
}

/**
 * Impacts in a row after which a contact that comes to rest has done so by accumulation; one is a plastic
 * impact.
 */
const IN_A_ROW = 2;

/**
 * Whether a contact comes to rest by impacts that follow one another.
 * @param events of a cycle, which may begin within such a row
 */
function haveAccumulated(events: readonly EventRecord[]): boolean {
  const inARow = new Map<number, number>();
  for (const { kind, row } of [...events, ...events]) {
    const before = inARow.get(row) ?? 0;
    if (kind === 'zeno' || (kind === 'closing' && before >= IN_A_ROW)) return true;
    inARow.set(row, kind === 'impact' ? before + 1 : 0);
  }
  return false;
}

/**
 * Events of the second turn of a cycle: at the start of the first one, contacts that stay closed have to be
 * found closed.
 */
function turnEvents(
  motion: MotionModel,
  { t0 }: BasinSettings,
  { points, ownPeriod }: Attractor,
): readonly EventRecord[] {
  const run = motion.simulate(t0, 2 * ownPeriod, points.slice(0, motion.size), 2);
  do run.computeOneStep();
  while (run.hasNextEvent && run.manager.current[0] < 1);
  const first = run.events.length;
  run.run();
  return run.events.slice(first);
}

/** Follows a motion until it repeats. @param start x at the settings’ t₀ */
export function settledKind(motion: MotionModel, settings: BasinSettings, start: Float64Array): SettledKind {
  const attractors = new Attractors(motion, settings);
  const { attractor, periods } = attractors.settle(start, true);
  const { failure, complete } = attractors;
  const solved = settledVerdict(motion, settings, attractors, attractor)?.solved ?? null;
  if (attractor < 0) return { kind: attractor, periods, complete, solved, failure };
  const found = attractors.list[attractor];
  const isCycle = found.ownPeriod > 0;
  // Of the motion itself: one that started on the attractor would first have to come to rest where it
  // rests.
  const seen = isCycle ? turnEvents(motion, settings, found) : attractors.lastEvents(found.cycle);
  const events = haveAccumulated(seen) ? null : seen.length;
  const cycle = settings.isAutonomous ? Number(isCycle) : found.cycle;
  return { kind: kindNumber({ cycle, events }), periods, complete, solved, failure };
}
