/**
 * Limit cycles of autonomous models, from a motion that may have settled on one.
 *
 * The period is not known: the motion is looked on for a while from a state x, and comes back to x where the
 * polyline of its states is nearest to it again. Of a cycle that closes after several loops all but the last
 * are farther; the first return that is as near as any other, but for a factor, ends it. Newton's method then
 * finds the cycle itself with its period and multipliers, so that the motion need not have settled to the
 * accuracy of the cycle, and one that spirals slowly, and nearly returns at every turn, is not mistaken for
 * one.
 *
 * Distances here are relative to the extent of the motion itself: a cycle may be small against the plane of
 * starts.
 */
import { modulus, withoutNeutral } from '../continuation/branch';
import { flowEnd } from '../stability/flow-map';
import type { MotionModel } from '../stability/motion-model';
import { type PeriodicOrbit, findOrbit } from '../stability/periodic-orbit';

/*
 * A limit cycle as the closed polyline of its states.
 *
 * Whether a state is on it does not depend on where along it. That is no weaker than to compare whole turns:
 * the motion from a state that is ε from a point of the cycle stays about ε from the motion of that point,
 * which is the cycle. Jumps at impacts are sides of the polyline like others; no motion stays on one for
 * longer than the moment.
 */

/**
 * Points of a cycle at first, which has few enough corners then, and at most: one with fast parts takes many.
 */
const FEWEST_POINTS = 64;
const MOST_POINTS = 4096;
/** Part of the tolerance by which the polyline may miss the cycle. */
const SAG = 0.1;

export class ClosedCurve {
  readonly #count: number;
  /** smallest and largest value of each component */
  readonly #box: readonly [Float64Array, Float64Array];
  /** the side where a state was found last: the next one is often near it */
  #last = 0;

  /** @param points n entries each, the last one before the first one again */
  constructor(
    readonly points: Float64Array,
    private readonly n: number,
  ) {
    this.#count = points.length / n;
    const [least, most] = [points.slice(0, n), points.slice(0, n)];
    for (let k = n; k < points.length; k++) {
      least[k % n] = Math.min(least[k % n], points[k]);
      most[k % n] = Math.max(most[k % n], points[k]);
    }
    this.#box = [least, most];
  }

  /** Largest extent of a component relative to the sizes; of components without a size 0. */
  extent(sizes: Float64Array): number {
    const [least, most] = this.#box;
    return least.reduce((worst, low, i) => Math.max(worst, sizes[i] > 0 ? (most[i] - low) / sizes[i] : 0), 0);
  }

  /**
   * Whether each component of a state is within the tolerance, relative to the sizes, of one point of the
   * curve.
   */
  isNear(x: Float64Array, at: number, sizes: Float64Array, tolerance: number): boolean {
    const [least, most] = this.#box;
    for (let i = 0; i < this.n; i++) {
      const reach = tolerance * sizes[i];
      if (x[at + i] < least[i] - reach || x[at + i] > most[i] + reach) return false;
    }
    for (let k = 0; k < this.#count; k++) {
      const side = (this.#last + k) % this.#count;
      if (!this.#isBySide(side, x, at, sizes, tolerance)) continue;
      this.#last = side;
      return true;
    }
    return false;
  }

  #isBySide(side: number, x: Float64Array, at: number, sizes: Float64Array, tolerance: number): boolean {
    const { n, points } = this;
    const from = side * n;
    const to = ((side + 1) % this.#count) * n;
    const part = partAlong(points, from, points, to, x, at, sizes);
    for (let i = 0; i < n; i++) {
      const nearest = points[from + i] + part * (points[to + i] - points[from + i]);
      if (Math.abs(x[at + i] - nearest) > tolerance * sizes[i]) return false;
    }
    return true;
  }
}

/** Which part of the way from p to q, from 0 to 1, is nearest to x, in units of the sizes. */
function partAlong(
  p: Float64Array,
  from: number,
  q: Float64Array,
  to: number,
  x: Float64Array,
  at: number,
  sizes: Float64Array,
): number {
  let [along, square] = [0, 0];
  for (let i = 0; i < sizes.length; i++) {
    if (!(sizes[i] > 0)) continue;
    const side = (q[to + i] - p[from + i]) / sizes[i];
    along += (side * (x[at + i] - p[from + i])) / sizes[i];
    square += side * side;
  }
  return square > 0 ? Math.min(1, Math.max(0, along / square)) : 0;
}

/** States of one turn, at as many equal times, and before and after each impact. */
function traced(
  model: MotionModel,
  t0: number,
  period: number,
  x: Float64Array,
  steps: number,
): Float64Array {
  const run = model.simulate(t0, period, x, steps);
  const states: Float64Array[] = [x.slice(0, model.size)];
  for (let step = 0; step < steps;) {
    run.computeOneStep();
    step = run.hasNextEvent ? run.manager.current[0] : steps;
    if (run.rowsAtEvent === 2) states.push(model.stateOf(run.before));
    // The end is the start.
    if (step < steps) states.push(run.x.slice(0, model.size));
  }
  const points = new Float64Array(states.length * model.size);
  states.forEach((state, k) => {
    points.set(state, k * model.size);
  });
  return points;
}

/**
 * The cycle through a state, with enough points that the polyline is within a part of the tolerance of the
 * points between them.
 * @throws {EngineError} when it cannot be simulated
 */
function closedCurve(
  model: MotionModel,
  t0: number,
  period: number,
  x: Float64Array,
  sizes: Float64Array,
  tolerance: number,
): ClosedCurve {
  const n = model.size;
  let curve = new ClosedCurve(traced(model, t0, period, x, FEWEST_POINTS), n);
  for (let steps = 2 * FEWEST_POINTS; steps <= MOST_POINTS; steps *= 2) {
    const finer = traced(model, t0, period, x, steps);
    let isFine = true;
    for (let at = 0; at < finer.length && isFine; at += n)
      isFine = curve.isNear(finer, at, sizes, SAG * tolerance);
    if (isFine) return curve;
    curve = new ClosedCurve(finer, n);
  }
  return curve;
}

export interface CycleSearch {
  /** start of motions, s */
  readonly t0: number;
  /** time of the order of the cycle's period, s, and how many of them it may take */
  readonly period: number;
  readonly longestCycle: number;
  readonly tolerance: number;
}

export interface LimitCycle {
  readonly curve: ClosedCurve;
  /** s */
  readonly period: number;
  /** modulus of the largest multiplier but that of the phase; NaN where it is not known */
  readonly largest: number;
}

/** States in a period of the search. */
const SAMPLES = 256;
/** Distance at which a motion has left its start, and below which it comes back to it. */
const LEFT = 0.25;
const BACK = 0.05;
/**
 * A return counts as near as the nearest one up to this factor, and what polylines of `SAMPLES` sides miss.
 */
const AS_NEAR = 3;
const MISSED = 2e-4;
/** Newton’s method starts near the cycle, or at none. */
const MOST_NEWTON = 10;
/**
 * Turns that may have been taken for one, and nearness of an orbit to its own start at which it is closed.
 */
const MOST_TURNS = 12;
const SAME = 1e-6;
/** How far the cycle may be from where it was looked for, in tolerances. */
const NEAR_IN_TOLERANCES = 10;
/** Part of the tolerance to which a motion has to repeat that is taken as it was seen. */
const SEEN = 0.5;
/**
 * One multiplier of a cycle is 1; where another one is, too, disturbances do not die out, and rounding
 * decides which side of 1 it is.
 */
const NEUTRAL = 1e-6;

/** A motion at equal times. */
interface Watched {
  readonly states: Float64Array;
  /** of each component */
  readonly extents: Float64Array;
  /** between two states, s */
  readonly step: number;
}

function watch(model: MotionModel, x: Float64Array, { t0, period, longestCycle }: CycleSearch): Watched {
  const n = model.size;
  const count = longestCycle * SAMPLES;
  const states = new Float64Array((count + 1) * n);
  states.set(x.subarray(0, n));
  const run = model.simulate(t0, longestCycle * period, x, count);
  const [least, most] = [x.slice(0, n), x.slice(0, n)];
  for (let k = 1; k <= count; k++) {
    do run.computeOneStep();
    while (run.hasNextEvent && run.manager.current[0] < k);
    for (let i = 0; i < n; i++) {
      states[k * n + i] = run.x[i];
      least[i] = Math.min(least[i], run.x[i]);
      most[i] = Math.max(most[i], run.x[i]);
    }
  }
  return { states, extents: most.map((high, i) => high - least[i]), step: (longestCycle * period) / count };
}

/**
 * Whether a motion stays where it is for a period, to a part of the tolerance.
 * @param sizes of the components
 */
export function isAtRest(
  model: MotionModel,
  x: Float64Array,
  search: CycleSearch,
  sizes: Float64Array,
  part: number,
): boolean {
  const { extents } = watch(model, x, { ...search, longestCycle: 1 });
  return extents.every((extent, i) => extent <= part * search.tolerance * sizes[i]);
}

interface Return {
  /** s */
  readonly time: number;
  /** relative to the extents */
  readonly apart: number;
}

/** The first return of the motion that is as near as any; null where it does not come back. */
function firstReturn({ states, extents, step }: Watched): Return | null {
  const n = extents.length;
  const returns: Return[] = [];
  let hasLeft = false;
  let nearest: Return | null = null;
  for (let k = 0; (k + 2) * n <= states.length; k++) {
    const part = partAlong(states, k * n, states, (k + 1) * n, states, 0, extents);
    let square = 0;
    for (let i = 0; i < n; i++) {
      if (!(extents[i] > 0)) continue;
      const here = states[k * n + i] + part * (states[(k + 1) * n + i] - states[k * n + i]);
      square += ((here - states[i]) / extents[i]) ** 2;
    }
    const apart = Math.sqrt(square);
    if (apart < BACK && hasLeft) {
      if (nearest === null || apart < nearest.apart) nearest = { time: (k + part) * step, apart };
    } else if (nearest !== null) {
      returns.push(nearest);
      nearest = null;
    }
    hasLeft ||= apart > LEFT;
  }
  const least = Math.min(...returns.map(({ apart }) => apart));
  return returns.find(({ apart }) => apart <= AS_NEAR * least + MISSED) ?? null;
}

/**
 * How often an orbit goes round: a motion that comes to its cycle from both sides in turn is nearest to
 * itself after two.
 */
function turnsOf(
  model: MotionModel,
  t0: number,
  { x, period }: PeriodicOrbit,
  extents: Float64Array,
): number {
  for (let turns = MOST_TURNS; turns > 1; turns--) {
    const end = flowEnd(model, t0, period / turns, x);
    if (end?.x.every((value, i) => Math.abs(value - x[i]) <= SAME * extents[i]) === true) return turns;
  }
  return 1;
}

/**
 * @param x where the motion has come to; not changed
 * @param sizes of the components, which the tolerance is relative to
 * @returns null where there is no stable cycle here
 * @throws {EngineError} when the motion cannot be simulated
 */
export function findLimitCycle(
  model: MotionModel,
  x: Float64Array,
  search: CycleSearch,
  sizes: Float64Array,
): LimitCycle | null {
  const { t0, tolerance } = search;
  const watched = watch(model, x, search);
  const first = firstReturn(watched);
  if (first === null || first.apart > NEAR_IN_TOLERANCES * tolerance) return null;
  const guess = x.slice(0, model.size);
  const orbit = findOrbit(model, guess, {
    t0,
    period: first.time,
    isAutonomous: true,
    maxIterations: MOST_NEWTON,
  });
  if (orbit.status === 'converged') {
    const largest = modulus(withoutNeutral(orbit.multipliers));
    if (!(largest < 1 - NEUTRAL)) return null;
    const turns = turnsOf(model, t0, orbit, watched.extents);
    const period = orbit.period / turns;
    const curve = closedCurve(model, t0, period, orbit.x, sizes, tolerance);
    // Newton's method may have come to a point of rest, which is an orbit of any period.
    if (curve.extent(sizes) <= tolerance || !curve.isNear(guess, 0, sizes, NEAR_IN_TOLERANCES * tolerance))
      return null;
    return { curve, period, largest: largest ** (1 / turns) };
  }
  if (orbit.status !== 'notDifferentiable') return null;
  // Without a derivative there is what has been seen, where the motion stays on it.
  const curve = closedCurve(model, t0, first.time, guess, sizes, tolerance);
  if (curve.extent(sizes) <= tolerance) return null;
  for (let at = 0; at < watched.states.length; at += model.size)
    if (!curve.isNear(watched.states, at, sizes, SEEN * tolerance)) return null;
  return { curve, period: first.time, largest: NaN };
}
