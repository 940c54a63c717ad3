/**
 * Attractors of a model in its stroboscopic section, and which of them a motion comes to.
 *
 * An attractor of a forced model is a finite set of section points that repeats: a periodic orbit of k
 * periods of the forcing has k. A motion belongs to it when its section points have followed that set, each
 * within the tolerance of the next one, for several periods in a row. Motions that do not settle in the time
 * that is allowed belong to none; their number says whether that time, or an attractor that does not repeat,
 * is the reason.
 *
 * Of an autonomous model the period is only that in which motions are looked at. What it comes to is a point
 * of rest, which is a set of one point, or a limit cycle of a period of its own, whose points at those times
 * lie anywhere along it: it is the closed curve of its states, and a motion follows it when each of its
 * points is within the tolerance of the curve, wherever (`limit-cycles.ts`).
 *
 * Distances are relative to the size of each component over the motions among which attractors were looked
 * for. Motions that only come to known attractors leave the sizes as they are, so that what becomes of one
 * does not depend on which others were followed before.
 */
import { EngineError, type EngineErrorDetails } from '../../errors';
import type { EventDriven } from '../../event-driven/event-driven';
import type { EventRecord } from '../../event-driven/event-record';
import type { Completeness } from '../../run/schemes/scheme';
import { type PointVerdict, motionVerdict } from '../point-verdict';
import { goByPoints, type MotionModel } from '../stability/motion-model';
import { findOrbit } from '../stability/periodic-orbit';
import { ClosedCurve, findLimitCycle, isAtRest } from './limit-cycles';

export interface BasinSettings {
  /** of the forcing, s; of an autonomous model a time of the order of its cycles’ */
  readonly period: number;
  readonly isAutonomous: boolean;
  /** time of the first section point, s */
  readonly t0: number;
  /** periods after which a motion is given up */
  readonly maxPeriods: number;
  /** longest cycle that is looked for, in periods */
  readonly longestCycle: number;
  /** distance of section points that counts as none, relative to the sizes */
  readonly tolerance: number;
  /** periods in a row for which a motion has to follow an attractor */
  readonly confirm: number;
}

export interface Attractor {
  /**
   * section points, one after the other, n entries each; of a limit cycle the corners of its closed polyline
   */
  readonly points: Float64Array;
  /** number of section points; 1 of a limit cycle */
  readonly cycle: number;
  /** of a limit cycle, s; 0 of all others */
  readonly ownPeriod: number;
  /**
   * modulus of the largest multiplier of the orbit, of a limit cycle but that of its phase; NaN where it is
   * not known
   */
  readonly largest: number;
}

/** All that decides what becomes of a further motion. */
export interface KnownAttractors {
  readonly list: readonly Attractor[];
  /** of the components of the state */
  readonly sizes: Float64Array;
}

/**
 * What became of a motion: the number of its attractor, −1 for none, −2 where it could not be simulated; and
 * after how many periods.
 */
export interface Settled {
  readonly attractor: number;
  readonly periods: number;
}

/** Attractor that a motion is on, −1 for none, the place on it, and for how many periods. */
interface Followed {
  attractor: number;
  place: number;
  count: number;
}

/**
 * A cycle is taken for an attractor when it repeats to this part of the tolerance: motions that come to it
 * later are then within the tolerance.
 */
const SETTLED = 1e-2;
/** Part of it to which one repeats that has settled completely. */
const EXACT = 1e-6;
/** How far the orbit may be from where it was looked for, in tolerances. */
const NEAR_IN_TOLERANCES = 10;
/**
 * Equal parts of the time; in each a limit cycle is searched at least once, even if none was found before.
 */
const SEARCHES = 16;
/** Points of one orbit that are closer, relative to the sizes, are one. */
const SAME = 1e-7;

export const UNSETTLED = -1;
export const FAILED_START = -2;

export class Attractors {
  readonly list: Attractor[] = [];
  /** of the first motion that could not be simulated */
  failure: EngineErrorDetails | null = null;
  readonly #sizes: Float64Array;
  /** limit cycles by the numbers of their attractors */
  readonly #curves = new Map<number, ClosedCurve>();
  /** section points of the present motion, the last first */
  readonly #trail: Float64Array;
  readonly #n: number;
  #simulation: EventDriven | null = null;
  /** events of the present motion up to each of its section points */
  #eventCounts: number[] = [];

  constructor(
    private readonly model: MotionModel,
    private readonly settings: BasinSettings,
    known?: KnownAttractors,
  ) {
    this.#n = model.size;
    this.#sizes = known === undefined ? new Float64Array(model.size) : known.sizes.slice();
    for (const attractor of known?.list ?? []) this.#add(attractor);
    this.#trail = new Float64Array((2 * settings.longestCycle + settings.confirm + 1) * model.size);
  }

  /** What is known by now, to go on from elsewhere. */
  get known(): KnownAttractors {
    return { list: [...this.list], sizes: this.#sizes.slice() };
  }

  /** Events of the last motion in its last periods. */
  lastEvents(periods: number): readonly EventRecord[] {
    const counts = this.#eventCounts;
    return this.#simulation?.events.slice(counts.at(-1 - periods) ?? 0, counts.at(-1)) ?? [];
  }

  /** Where the last motion has come to, x. */
  get lastPoint(): Float64Array {
    return this.#trail.slice(0, this.#n);
  }

  /** Whether the last motion missed no event; null where it could not be simulated. */
  get complete(): Completeness | null {
    return this.#simulation?.complete ?? null;
  }

  /** Follows a motion until it settles; an attractor that is not known yet is added where that is wanted. */
  settle(start: Float64Array, mayAdd: boolean): Settled {
    try {
      return this.#settle(start, mayAdd);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      // What it left half done is no beginning for another motion.
      this.#simulation = null;
      this.failure ??= error.details;
      return { attractor: FAILED_START, periods: 0 };
    }
  }

  #settle(start: Float64Array, mayAdd: boolean): Settled {
    const { maxPeriods, confirm, longestCycle } = this.settings;
    const simulation = this.#simulate(start);
    if (mayAdd) this.#note(start);
    this.#push(start);
    this.#eventCounts = [0];
    let lookAt = 2 * longestCycle + confirm;
    let wait = longestCycle;
    const followed = { attractor: -1, place: 0, count: 0 };
    const settled = { attractor: UNSETTLED, periods: maxPeriods };
    const settle = (attractor: number, periods: number): false => {
      settled.attractor = attractor;
      settled.periods = periods;
      return false;
    };
    goByPoints(simulation, (periods, x) => {
      if (mayAdd) this.#note(x);
      this.#push(x);
      this.#eventCounts.push(simulation.log.length);
      this.#follow(followed, x);
      const { attractor, count } = followed;
      if (count > confirm && count > this.#turn(attractor)) return settle(attractor, periods);
      if (!mayAdd || attractor >= 0 || periods < lookAt) return true;
      const cycle = this.#cycle(SETTLED);
      if (cycle === 0 && !this.settings.isAutonomous) return true;
      // A search that fails is not made again at once; of a limit cycle it takes long, and chaotic motion has
      // none.
      lookAt = periods + wait;
      if (this.settings.isAutonomous) wait = Math.min(2 * wait, Math.max(wait, maxPeriods / SEARCHES));
      const found = this.settings.isAutonomous ? this.#limitOf(x, cycle) : this.#attractorFrom(x, cycle);
      return found === null || settle(this.#numberOf(found), periods);
    });
    return settled;
  }

  /** The next point of a motion, which may be on the attractor that it has been on. */
  #follow(followed: Followed, x: Float64Array): void {
    if (followed.attractor >= 0) {
      const { cycle } = this.list[followed.attractor];
      followed.place = (followed.place + 1) % cycle;
      if (this.#isAt(followed.attractor, followed.place, x)) {
        followed.count++;
        return;
      }
    }
    this.#seekNearest(followed, x);
  }

  /**
   * Periods of one turn of a limit cycle, which a motion follows from end to end: near a part of it others
   * may come by slowly.
   */
  #turn(attractor: number): number {
    return (this.list.at(attractor)?.ownPeriod ?? 0) / this.settings.period;
  }

  /** A motion from a start: by the simulation of the one before, where that can begin once more. */
  #simulate(start: Float64Array): EventDriven {
    const { period, t0, maxPeriods } = this.settings;
    const before = this.#simulation;
    // One that could not begin there is not taken for a third one.
    this.#simulation = null;
    const simulation =
      before?.restartFrom(start) === true
        ? before
        : this.model.simulate(t0, maxPeriods * period, start, maxPeriods);
    this.#simulation = simulation;
    return simulation;
  }

  #note(x: Float64Array): void {
    for (let i = 0; i < this.#n; i++) this.#sizes[i] = Math.max(this.#sizes[i], Math.abs(x[i]));
  }

  #push(x: Float64Array): void {
    this.#trail.copyWithin(this.#n, 0);
    for (let i = 0; i < this.#n; i++) this.#trail[i] = x[i];
  }

  /** Whether two points are one; `a` and `b` are places of their first entries. */
  #isSame(p: Float64Array, a: number, q: Float64Array, b: number, tolerance: number): boolean {
    for (let i = 0; i < this.#n; i++)
      if (Math.abs(p[a + i] - q[b + i]) > tolerance * this.#sizes[i]) return false;
    return true;
  }

  #isAt(attractor: number, place: number, x: Float64Array): boolean {
    const { tolerance } = this.settings;
    const curve = this.#curves.get(attractor);
    if (curve !== undefined) return curve.isNear(x, 0, this.#sizes, tolerance);
    return this.#isSame(this.list[attractor].points, place * this.#n, x, 0, tolerance);
  }

  /** Goes over to the first attractor with a point here; −1 for none. */
  #seekNearest(followed: Followed, x: Float64Array): void {
    followed.count = 1;
    for (let a = 0; a < this.list.length; a++)
      for (let place = 0; place < this.list[a].cycle; place++) {
        if (!this.#isAt(a, place, x)) continue;
        followed.attractor = a;
        followed.place = place;
        return;
      }
    followed.attractor = -1;
    followed.place = 0;
    followed.count = 0;
  }

  /**
   * What a motion of an autonomous model has come to: points that repeat are those of rest where it does not
   * move between them, and else those of a cycle whose period is a part of that in which it is looked at, or
   * some of them.
   * @param cycle after which its points repeat, 0 where they do not
   * @returns null where there is nothing stable here
   */
  #limitOf(x: Float64Array, cycle: number): Attractor | null {
    const sizes = this.#sizes;
    if (cycle === 1 && isAtRest(this.model, x, this.settings, sizes, SETTLED))
      return this.#attractorFrom(x, 1);
    const found = findLimitCycle(this.model, x, this.settings, sizes);
    if (found === null) return null;
    const { curve, period, largest } = found;
    return { points: curve.points, cycle: 1, ownPeriod: period, largest };
  }

  /**
   * The attractor that the last points suggest: Newton's method comes to the orbit itself, and tells how many
   * periods it takes. A motion that spirals slowly into a fixed point nearly repeats after any number of
   * turns; the cycle it seems to follow is none.
   * @returns null where there is no stable orbit here
   */
  #attractorFrom(x: Float64Array, cycle: number): Attractor | null {
    const { t0, period, tolerance, isAutonomous } = this.settings;
    const guess = x.slice(0, this.#n);
    const orbit = findOrbit(this.model, guess, {
      t0,
      period: cycle * period,
      isAutonomous: false,
      // What does not move is often at zero.
      ...(isAutonomous && { sizes: this.#sizes }),
    });
    if (orbit.status !== 'converged')
      // Without a derivative there is what has been seen, where it repeats to rounding.
      return this.#cycle(EXACT) === cycle
        ? { points: this.#trailOf(cycle), cycle, ownPeriod: 0, largest: NaN }
        : null;
    const { real, imaginary } = orbit.multipliers;
    const largest = Math.max(...Array.from(real, (re, k) => Math.hypot(re, imaginary[k])));
    if (!(largest < 1) || !this.#isSame(orbit.x, 0, guess, 0, NEAR_IN_TOLERANCES * tolerance)) return null;
    const points = new Float64Array(cycle * this.#n);
    const run = this.model.simulate(t0, cycle * period, orbit.x, cycle);
    points.set(orbit.x);
    for (let k = 1; k < cycle; k++) {
      do run.computeOneStep();
      while (run.hasNextEvent && run.manager.current[0] < k);
      points.set(run.x.subarray(0, this.#n), k * this.#n);
    }
    const least = this.#leastCycle(points, cycle);
    return {
      points: points.slice(0, least * this.#n),
      cycle: least,
      ownPeriod: 0,
      largest: largest ** (least / cycle),
    };
  }

  /** The smallest number of points after which they repeat. */
  #leastCycle(points: Float64Array, cycle: number): number {
    for (let least = 1; least < cycle; least++) {
      if (cycle % least !== 0) continue;
      let repeats = true;
      for (let k = 0; k + least < cycle && repeats; k++)
        repeats = this.#isSame(points, k * this.#n, points, (k + least) * this.#n, SAME);
      if (repeats) return least;
    }
    return cycle;
  }

  /** One that is known keeps its number. */
  #numberOf(attractor: Attractor): number {
    const known = { attractor: -1, place: 0, count: 0 };
    this.#seekNearest(known, attractor.points);
    return known.attractor >= 0 ? known.attractor : this.#add(attractor);
  }

  #add(attractor: Attractor): number {
    const number = this.list.push(attractor) - 1;
    if (attractor.ownPeriod > 0) this.#curves.set(number, new ClosedCurve(attractor.points, this.#n));
    return number;
  }

  /** The shortest cycle that the last points have followed, to a part of the tolerance; 0 for none. */
  #cycle(part: number): number {
    const { longestCycle, confirm } = this.settings;
    const tolerance = part * this.settings.tolerance;
    for (let cycle = 1; cycle <= longestCycle; cycle++) {
      let repeats = true;
      for (let k = 0; k < cycle + confirm && repeats; k++)
        repeats = this.#isSame(this.#trail, k * this.#n, this.#trail, (k + cycle) * this.#n, tolerance);
      if (repeats) return cycle;
    }
    return 0;
  }

  /** The last points in the order of time. */
  #trailOf(cycle: number): Float64Array {
    const points = new Float64Array(cycle * this.#n);
    for (let k = 0; k < cycle; k++)
      points.set(this.#trail.subarray((cycle - 1 - k) * this.#n, (cycle - k) * this.#n), k * this.#n);
    return points;
  }
}

/*
 * Whether the equations hold on what motions come to: one turn of it is simulated once more, with its
 * certificate. The many periods before that, which only lead there, are followed without one.
 */

/** Of the motion on an attractor while it repeats once; undefined where it cannot be simulated. */
export function attractorVerdict(
  motion: MotionModel,
  { t0, period }: BasinSettings,
  { points, cycle, ownPeriod }: Attractor,
): PointVerdict | undefined {
  const duration = ownPeriod > 0 ? ownPeriod : cycle * period;
  return motionVerdict(motion, t0, duration, points.slice(0, motion.size));
}

/**
 * Of the last motion that was followed; one that has come to no attractor is judged where it is, for a
 * period.
 */
export function settledVerdict(
  motion: MotionModel,
  settings: BasinSettings,
  attractors: Attractors,
  attractor: number,
): PointVerdict | undefined {
  if (attractor === FAILED_START) return undefined;
  return attractor === UNSETTLED
    ? motionVerdict(motion, settings.t0, settings.period, attractors.lastPoint)
    : attractorVerdict(motion, settings, attractors.list[attractor]);
}

/*
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

/** Of the attractors that are not told apart. */
interface AttractorKind {
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

interface SettledKind {
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
