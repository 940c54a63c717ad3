/**
 * Where a branch of periodic orbits grazes, and how it goes on.
 *
 * The gap at which a contact of the orbit turns round without touching, or the speed at which one touches,
 * changes linearly with the parameter p near a graze; it is extrapolated to zero at p*, from the side that
 * has orbits of the same sequence.
 *
 * Beyond it are orbits with one impact more, or one less. One with an impact more is found from what the
 * impact does (Nordmark 1991). Of states x* + ξ at p* + ε the gap of the contact is at least g ξ + g_p ε to
 * first order, and where that is −y the contact has an impact of a speed v ~ √y, with the effect b v on the
 * end of the motion, so that an orbit has
 *
 *     (1 − A) ξ − B ε = b v,     g ξ + g_p ε = −y = O(v²),     A = ∂P/∂x,  B = ∂P/∂p
 *
 * and ξ and ε are linear in v: on which side of p* such orbits are is the sign of ε for v > 0. b v comes from
 * one motion from a state that is moved across by a known length. The term in v² decides whether there is an
 * impact at all, and ξ² is as large; so the state is moved across until the impact has the speed v. From
 * there Newton's method converges.
 *
 * Orbits without an impact that fades away are regular at p*: Newton's method finds them from x*, moved away
 * from the contact, on one side of p* or the other.
 */
import type { EventRecord } from '../../event-driven/event-record';
import { factorDense, solveDense } from '../../linalg/lu';
import { type FlowImage, followFlow } from '../stability/flow-map';
import { findOrbit } from '../stability/periodic-orbit';
import { type ForcedMotion, differByOne, sameEvents } from './branch';

/** Part of what is left that has to be gone for the end of a branch to count as a graze. */
const GRAZED = 0.1;
/**
 * Part of what is left by which a graze is approached each time, so that it is not passed: of a gap, on which
 * the orbit depends smoothly, and of a speed, from which Newton's method sees the next orbit only when that
 * is near, as the state depends on its square.
 */
const GAP_APPROACH = 0.999;
const SPEED_APPROACH = 0.3;
const MOST_LOCATING = 60;
/** Change of the parameter, relative to the range, below which it stays where it is. */
const LOCATED = 1e-13;

type ModelAt = (p: number) => ForcedMotion;

/** What is left until a graze; NaN where there is no such contact. */
type Left = (orbit: Pick<FlowImage, 'nearest'>) => number;

const gapLeft: Left = ({ nearest: { gap } }) => gap;
const speedLeft: Left = ({ nearest: { speed } }) => speed;

interface Orbit {
  readonly p: number;
  readonly x: Float64Array;
  readonly events: readonly EventRecord[];
  readonly nearest: FlowImage['nearest'];
}

export interface LocatedGraze<Point> {
  /** value of the parameter */
  readonly p: number;
  /** the nearest orbit that was found */
  readonly point: Point;
  readonly left: Left;
}

/**
 * Whether a contact is about to graze where a branch goes no further, and where.
 * @param orbitAt the orbit at a value of the parameter, near a state, like another one; null where none is
 *   found
 * @param earlier @param last the last two points of the branch, of the same sequence @param range length of
 *   the values of the parameter
 */
export function locateGraze<Point extends Orbit>(
  orbitAt: (p: number, x: Float64Array, like: Point) => Point | null,
  earlier: Point,
  last: Point,
  range: number,
): LocatedGraze<Point> | null {
  const isGap = gapLeft(last) / gapLeft(earlier) < speedLeft(last) / speedLeft(earlier);
  const left = isGap || !Number.isFinite(speedLeft(last)) ? gapLeft : speedLeft;
  const approach = left === gapLeft ? GAP_APPROACH : SPEED_APPROACH;
  let previous = earlier;
  let point = last;
  let value = left(last);
  let slope = (value - left(earlier)) / (last.p - earlier.p);
  if (!Number.isFinite(slope) || slope === 0) return null;
  for (let k = 0; k < MOST_LOCATING; k++) {
    const change = -(approach * value) / slope;
    if (Math.abs(change) <= LOCATED * range) break;
    const part = change / (point.p - previous.p);
    const { x } = previous;
    const found = orbitAt(
      point.p + change,
      point.x.map((own, i) => own + part * (own - x[i])),
      point,
    );
    if (found === null || !sameEvents(point.events, found.events)) break;
    slope = (left(found) - value) / (found.p - point.p);
    previous = point;
    point = found;
    value = left(found);
  }
  return value <= GRAZED * left(last) ? { p: point.p - value / slope, point, left } : null;
}

/** A graze, seen from the branch that came to it. */
export interface Graze {
  readonly p: number;
  /** state at the start of the orbit that grazes */
  readonly x: Float64Array;
  /** sizes of the components of the state */
  readonly sizes: Float64Array;
  readonly left: Left;
  /** the orbit of the branch shortly before, with ∂P/∂x, entry [i, j] at [i + n j], and ∂P/∂p */
  readonly before: Orbit & { readonly matrix: Float64Array; readonly rate: Float64Array };
}

export interface OrbitBeyond {
  readonly p: number;
  readonly x: Float64Array;
  /** side of p* on which it is */
  readonly side: 1 | -1;
}

/** Lengths by which states are moved across for the effect of an impact, relative to their sizes. */
const DEPTHS = [1e-7, 1e-8, 1e-6, 1e-9, 1e-5];
/** Distances from p* at which orbits without an impact are looked for, as parts of the range. */
const DISTANCES = [1e-4, 1e-3, 1e-5];
/** Lengths by which states are moved away from the contact there, relative to their sizes. */
const LENGTHS = [0, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2];
const MOST_NEWTON = 12;
/** Distance of states, and of the parameter, for differences; relative. */
const DELTA = 1e-7;
/**
 * How often a state is moved across until its impact has its speed, and to which part of the square of that.
 */
const MOST_MOVES = 12;
const MOVED = 1e-6;

/**
 * @param range length of the values of the parameter
 * @param isInside whether a value belongs to them; null where no orbit is found
 */
export function orbitBeyond(
  modelAt: ModelAt,
  graze: Graze,
  range: number,
  isInside: (p: number) => boolean,
): OrbitBeyond | null {
  const way = wayAcross(modelAt, graze, range);
  if (way === null) return null;
  return graze.left === gapLeft
    ? orbitWithImpact(modelAt, graze, way, isInside)
    : orbitWithout(modelAt, graze, way, range, isInside);
}

/** How what is left until the graze changes. */
interface Way {
  /** its gradient by the state, per size of each component */
  readonly gradient: Float64Array;
  /** by the parameter */
  readonly slope: number;
  /** length of the gradient, and the direction in which what is left becomes less */
  readonly steepness: number;
  readonly across: Float64Array;
}

function wayAcross(modelAt: ModelAt, { before, sizes, left }: Graze, range: number): Way | null {
  const leftAt = (p: number, x: Float64Array): number => {
    const { motion, t0, period } = modelAt(p);
    const image = followFlow(motion, t0, period, x);
    return image.ok && sameEvents(image.events, before.events) ? left(image) : NaN;
  };
  const here = left(before);
  // On the side where less is left the sequence may be another one already.
  const difference = (leftWith: (change: number) => number, step: number): number => {
    const sides = [1, -1].map((sign) => (sign * (leftWith(sign * step) - here)) / step);
    const known = sides.filter((value) => Number.isFinite(value));
    return known.length === 0 ? 0 : known.reduce((sum, value) => sum + value, 0) / known.length;
  };
  const gradient = before.x.map((_, i) =>
    difference((change) => {
      const moved = before.x.slice();
      moved[i] += change * sizes[i];
      return leftAt(before.p, moved);
    }, DELTA),
  );
  const slope = difference((change) => leftAt(before.p + change, before.x), DELTA * range);
  const steepness = Math.hypot(...gradient);
  return steepness > 0
    ? { gradient, slope, steepness, across: gradient.map((value) => -value / steepness) }
    : null;
}

/** @param length relative to the sizes */
const moved = (x: Float64Array, { sizes }: Graze, { across }: Way, length: number): Float64Array =>
  x.map((value, i) => value + length * sizes[i] * across[i]);

function orbitAt(modelAt: ModelAt, p: number, guess: Float64Array, { before }: Graze): Float64Array | null {
  const { motion, t0, period } = modelAt(p);
  const orbit = findOrbit(motion, guess, { t0, period, isAutonomous: false, maxIterations: MOST_NEWTON });
  return orbit.status === 'converged' && differByOne(before.events, orbit.events) ? orbit.x : null;
}

function orbitWithout(
  modelAt: ModelAt,
  graze: Graze,
  way: Way,
  range: number,
  isInside: (p: number) => boolean,
): OrbitBeyond | null {
  const onward = graze.before.p < graze.p ? 1 : -1;
  for (const distance of DISTANCES) {
    for (const side of onward > 0 ? ([1, -1] as const) : ([-1, 1] as const)) {
      const p = graze.p + side * distance * range;
      if (!isInside(p)) continue;
      for (const length of LENGTHS) {
        const x = orbitAt(modelAt, p, moved(graze.x, graze, way, length), graze);
        if (x !== null) return { p, x, side };
      }
    }
  }
  return null;
}

function orbitWithImpact(
  modelAt: ModelAt,
  graze: Graze,
  way: Way,
  isInside: (p: number) => boolean,
): OrbitBeyond | null {
  for (const depth of DEPTHS) {
    const effect = effectOfImpact(modelAt, graze, way, depth);
    const predicted = effect === null ? null : predictedOrbit(graze, way, effect.end);
    if (effect === null || predicted === null || !isInside(predicted.p)) continue;
    const { p } = predicted;
    const guess = movedToSpeed(modelAt, graze, way, predicted, effect.square, depth);
    const x = guess === null ? null : orbitAt(modelAt, p, guess, graze);
    if (x !== null) return { p, x, side: p > graze.p ? 1 : -1 };
  }
  return null;
}

/** b v of a state that is moved across from the graze, per sizes, and v². */
function effectOfImpact(
  modelAt: ModelAt,
  graze: Graze,
  way: Way,
  depth: number,
): { readonly end: Float64Array; readonly square: number } | null {
  const { before, sizes, x, p } = graze;
  const { motion, t0, period } = modelAt(p);
  const image = followFlow(motion, t0, period, moved(x, graze, way, depth));
  if (!image.ok || image.events.length !== before.events.length + 1) return null;
  const n = x.length;
  const end = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    let smooth = x[i];
    for (let j = 0; j < n; j++) smooth += before.matrix[i + n * j] * depth * sizes[j] * way.across[j];
    end[i] = (image.x[i] - smooth) / sizes[i];
  }
  return { end, square: image.nearest.speed ** 2 };
}

/** x* + ξ and p* + ε where an orbit has an impact of that effect, to first order. */
function predictedOrbit(
  { p, x, sizes, before }: Graze,
  { gradient, slope }: Way,
  effect: Float64Array,
): { readonly p: number; readonly x: Float64Array } | null {
  const n = x.length;
  const size = n + 1;
  const matrix = new Float64Array(size * size);
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++)
      matrix[i + size * j] = (i === j ? 1 : 0) - (before.matrix[i + n * j] * sizes[j]) / sizes[i];
    matrix[n + size * j] = gradient[j];
    matrix[j + size * n] = -before.rate[j] / sizes[j];
  }
  matrix[n + size * n] = slope;
  const solution = new Float64Array(size);
  solution.set(effect);
  const pivots = new Int32Array(size);
  if (factorDense(matrix, 0, size, pivots, 0) >= 0) return null;
  solveDense(matrix, 0, size, pivots, 0, solution);
  return { p: p + solution[n], x: x.map((value, i) => value + sizes[i] * solution[i]) };
}

/**
 * A state moved across until its impact has a speed of the given square; null where it does not come to have
 * it.
 */
function movedToSpeed(
  modelAt: ModelAt,
  graze: Graze,
  way: Way,
  from: { readonly p: number; readonly x: Float64Array },
  square: number,
  depth: number,
): Float64Array | null {
  const { motion, t0, period } = modelAt(from.p);
  const count = graze.before.events.length;
  const perGap = square / (depth * way.steepness);
  let length = 0;
  for (let k = 0; k < MOST_MOVES; k++) {
    const x = moved(from.x, graze, way, length);
    const image = followFlow(motion, t0, period, x);
    if (!image.ok) return null;
    const { gap, speed } = image.nearest;
    const present = image.events.length === count + 1 ? speed ** 2 : -perGap * gap;
    if (!Number.isFinite(present)) return null;
    if (Math.abs(present - square) <= MOVED * square) return x;
    length += (square - present) / (perGap * way.steepness);
  }
  return null;
}
