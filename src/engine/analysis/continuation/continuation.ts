/**
 * Branches of periodic orbits over a parameter p by pseudo-arclength (Keller 1977): with u = (x, p) in units
 * of the sizes of the orbit and of p,
 *
 *     F(u) = P(x; p) − x = 0,     ᵗt (u − u_predicted) = 0,     u_predicted = u + t Δs,
 *
 * where t is the direction of the branch, the null vector of [∂P/∂x − I ∂P/∂p]. It goes through folds, where
 * p turns round. ∂P/∂p is a difference of order 4 of the flow with other values of the parameter.
 *
 * Of an autonomous model the period is one of the unknowns, u = (x, T, p), and the orbit has a free phase,
 * which the point before it on the branch fixes, as in `stability/periodic-orbit.ts`:
 *
 *     P(x, T; p) − x = 0,     ᵗf(x_before) (x − x_before) = 0,     [∂P/∂x − I   f   ∂P/∂p; ᵗf   0   0] t = 0.
 *
 * Its multiplier 1 is no one of the branch: points have the other n − 1. An orbit is to begin far from its
 * events, so that their sequence stays the same along the branch: where the first or the last of them comes
 * near its start, it begins in the middle of its longest flight from there on.
 *
 * On the way
 *
 *     fold              the p-component of t changes its sign
 *     period doubling   det(∂P/∂x + I) changes its sign: a multiplier passes −1
 *     torus             a pair of multipliers leaves the unit circle or comes back
 *     grazing           a contact that turned round touches, or one that touched does not any more: the
 *                       branch goes on with orbits that have one impact more or less, or ends
 *
 * are located on the branch: the first three by the zero of their function of s, a graze from the side on
 * which the motion is differentiable.
 */
import { factorDense, solveDense } from '../../linalg/lu';
import { type FlowEnd, type FlowImage, flowEnd, followFlow } from '../stability/flow-map';
import { eigenvalues } from '../../linalg/eigenvalues';
import {
  type Branch,
  type BranchPoint,
  type ContinuationSettings,
  type ForcedMotion,
  type OrbitStart,
  type SpecialKind,
  type SpecialPoint,
  largestPair,
  modulus,
  productWith,
  sameEvents,
  withoutNeutral,
} from './branch';
import { type LocatedGraze, locateGraze, orbitBeyond } from './graze';

const TOLERANCE = 1e-10;
const MOST_NEWTON = 8;
/** Newton steps that a good prediction needs, and how the step grows then. */
const EASY = 3;
const GROWTH = 1.4;
/** Shortest step, relative to the range. */
const SHORTEST = 1e-9;
/**
 * A step that has become so short may end at a graze: the branch comes to it like a root, in ever shorter
 * steps that all succeed.
 */
const NEAR_GRAZE = 1e-5;
/** Number of them after which the branch is not followed any further. */
const MOST_SHORT = 12;
/** Grazes that are crossed at most: beyond, branches may come back to them again and again. */
const MOST_CROSSINGS = 32;
/** First step behind a graze, relative to the range: the orbit there is about as far from the graze. */
const STEP_BEYOND = 1e-4;
/** Places and weights of a difference of order 4. */
const STENCIL = [
  [-2, 1],
  [-1, -8],
  [1, 8],
  [2, -1],
] as const;
/** How often a difference is taken from nearer by, and how much nearer. */
const MOST_NEARER = 5;
const NEARER = 16;
const MOST_LOCATING = 60;
const LOCATED = 1e-10;
/** Part of the period by which an event has to be away from the start of an autonomous orbit. */
const AWAY = 0.05;

interface Point extends BranchPoint {
  /** (x, p) or (x, T, p) in units */
  readonly u: Float64Array;
  readonly image: FlowImage;
  /** ∂P/∂p in units */
  readonly rate: Float64Array;
  /** direction of the branch, of length 1 in units */
  readonly tangent: Float64Array;
}

/** Where an autonomous orbit begins: in units, the state and the direction of its motion, of length 1. */
interface Phase {
  readonly u: Float64Array;
  readonly along: Float64Array;
}

/**
 * @param start state at t₀ of an orbit at p, as exact as `findOrbit` leaves it, and of an autonomous one its
 *   period
 * @throws {EngineError} when a model cannot be made
 */
export function followBranch(
  modelAt: (p: number) => ForcedMotion,
  start: OrbitStart,
  settings: ContinuationSettings,
): Branch {
  return new Follower(modelAt, settings, start.x).follow(start);
}

class Follower {
  readonly #n: number;
  readonly #range: number;
  /** place of p among the unknowns, the last one; that of T is before it */
  readonly #last: number;
  readonly #isAutonomous: boolean;
  /** units of x, T and p */
  readonly #scale: Float64Array;
  /** of an autonomous model */
  #phase: Phase | null = null;

  constructor(
    private readonly modelAt: (p: number) => ForcedMotion,
    private readonly settings: ContinuationSettings,
    x: Float64Array,
  ) {
    this.#n = x.length;
    this.#range = Math.abs(settings.to - settings.from);
    this.#isAutonomous = settings.isAutonomous === true;
    this.#last = x.length + (this.#isAutonomous ? 1 : 0);
    this.#scale = new Float64Array(this.#last + 1).fill(1);
    this.#scale[this.#last] = this.#range;
  }

  follow(start: OrbitStart): Branch {
    const { settings } = this;
    const points: BranchPoint[] = [];
    const special: SpecialPoint[] = [];
    const first = this.#start(start);
    if (first === null) return { points, special, end: 'noStart' };
    points.push(first);
    let present = this.#begunAway(first);
    /** the point before, on this side of a graze */
    let earlier: Point | null = null;
    const longest = settings.longestStep ?? 0.02;
    let step = Math.min(settings.firstStep ?? 0.005, longest);
    let short = 0;
    let crossings = 0;
    const most = settings.maxPoints ?? 1000;
    while (points.length < most) {
      const next = this.#correct(this.#predicted(present, step), present.tangent, present.rate);
      const isSame = next !== null && sameSequence(present, next.point);
      if (isSame) {
        special.push(...this.#special(present, next.point, step));
        points.push(next.point);
        earlier = present;
        present = this.#begunAway(next.point);
        // What is left until a graze is the same of an orbit that begins elsewhere; its states are not.
        if (present !== next.point) earlier = null;
        short = step < NEAR_GRAZE ? short + 1 : 0;
        if (next.iterations <= EASY) step = Math.min(longest, GROWTH * step);
        if (settings.progress?.(next.point) === false) return { points, special, end: 'cancelled' };
        if (!this.#isInside(present.p)) return { points, special, end: 'range' };
        if (short <= MOST_SHORT) continue;
      } else {
        step /= 2;
        if (step > NEAR_GRAZE) continue;
      }
      const graze = earlier === null ? null : this.#graze(earlier, present);
      if (graze === null) {
        if (!isSame && step > SHORTEST) continue;
        return { points, special, end: 'stepTooSmall' };
      }
      special.push({ ...graze.point, p: graze.p, kind: 'grazing' });
      // What an impact does to an orbit whose period is free is not known: its branch ends here.
      const isCrossed = !this.#isAutonomous && crossings++ < MOST_CROSSINGS;
      const beyond = isCrossed ? this.#beyond(graze, present) : null;
      if (beyond === null) return { points, special, end: 'grazing' };
      points.push(beyond);
      present = beyond;
      earlier = null;
      short = 0;
      step = Math.min(STEP_BEYOND, longest);
    }
    return { points, special, end: 'maxPoints' };
  }

  #graze(earlier: Point, last: Point): LocatedGraze<Point> | null {
    const direction = new Float64Array(this.#last + 1);
    direction[this.#last] = 1;
    const orbitAt = (p: number, x: Float64Array, { rate, period }: Point): Point | null =>
      this.#correct(this.#inUnits(x, p, period), direction, rate, true)?.point ?? null;
    return locateGraze(orbitAt, earlier, last, this.#range);
  }

  /** The branch behind a graze, leaving it. */
  #beyond({ point, p, left }: LocatedGraze<Point>, before: Point): Point | null {
    const sizes = this.#scale.slice(0, this.#n);
    const rate = before.rate.map((value, i) => (value * sizes[i]) / this.#range);
    const { image, x, events, nearest } = before;
    const graze = {
      p,
      x: point.x,
      sizes,
      left,
      before: { p: before.p, x, events, nearest, matrix: image.matrix, rate },
    };
    const found = orbitBeyond(this.modelAt, graze, this.#range, (value) => this.#isInside(value));
    if (found === null) return null;
    const away = new Float64Array(this.#last + 1);
    away[this.#last] = found.side;
    return this.#correct(this.#inUnits(found.x, found.p, before.period), away)?.point ?? null;
  }

  #isInside(p: number): boolean {
    const { from, to } = this.settings;
    return p >= Math.min(from, to) && p <= Math.max(from, to);
  }

  #start({ p, x, period }: OrbitStart): Point | null {
    const forced = this.modelAt(p);
    const time = this.#isAutonomous ? (period ?? forced.period) : forced.period;
    const image = followFlow(forced.motion, forced.t0, time, x);
    if (!image.ok) return null;
    for (let i = 0; i < this.#n; i++) this.#scale[i] = image.sizes[i] > 0 ? image.sizes[i] : 1;
    if (this.#isAutonomous) this.#scale[this.#n] = time;
    const towards = new Float64Array(this.#last + 1);
    towards[this.#last] = this.settings.direction;
    const u = this.#inUnits(x, p, time);
    this.#phase = this.#phaseAt(u, image);
    return this.#correct(u, towards)?.point ?? null;
  }

  #phaseAt(u: Float64Array, { startRate }: FlowImage): Phase | null {
    if (!this.#isAutonomous) return null;
    const along = Float64Array.from({ length: this.#n }, (_, i) => startRate[i] / this.#scale[i]);
    const length = Math.hypot(...along);
    return { u, along: along.map((value) => value / length) };
  }

  /**
   * The point from which the branch goes on: the same one, whose phase holds for the next; where an event of
   * an autonomous orbit is near its start, the orbit from the middle of its longest flight.
   */
  #begunAway(point: Point): Point {
    this.#phase = this.#phaseAt(point.u, point.image);
    const { t0, motion } = this.modelAt(point.p);
    const { period, events } = point;
    if (!this.#isAutonomous || events.length === 0) return point;
    const times = events.map(({ time }) => time - t0);
    if (times[0] >= AWAY * period && (times.at(-1) ?? 0) <= (1 - AWAY) * period) return point;
    const flights = times.map((time, k) => (k + 1 < times.length ? times[k + 1] : times[0] + period) - time);
    const longest = flights.indexOf(Math.max(...flights));
    const shift = (times[longest] + flights[longest] / 2) % period;
    const x = flowEnd(motion, t0, shift, point.x)?.x;
    const onward = point.tangent.map((value, i) => (i < this.#n ? 0 : value));
    const length = Math.hypot(...onward);
    if (x === undefined || !(length > 0)) return point;
    const u = this.#inUnits(x, point.p, period);
    const image = this.#image(u);
    if (image === null) return point;
    const before = this.#phase;
    this.#phase = this.#phaseAt(u, image);
    const found = this.#correct(
      u,
      onward.map((value) => value / length),
    );
    if (found !== null) {
      this.#phase = this.#phaseAt(found.point.u, found.point.image);
      return found.point;
    }
    this.#phase = before;
    return point;
  }

  #inUnits(x: Float64Array, p: number, period: number): Float64Array {
    const u = new Float64Array(this.#last + 1);
    for (let i = 0; i < this.#n; i++) u[i] = x[i] / this.#scale[i];
    if (this.#isAutonomous) u[this.#n] = period / this.#scale[this.#n];
    u[this.#last] = p / this.#scale[this.#last];
    return u;
  }

  /** What a motion of the unknowns is: model, start and length. */
  #motionOf(u: Float64Array): ForcedMotion & { readonly x: Float64Array } {
    const forced = this.modelAt(u[this.#last] * this.#scale[this.#last]);
    const x = Float64Array.from({ length: this.#n }, (_, i) => u[i] * this.#scale[i]);
    const period = this.#isAutonomous ? u[this.#n] * this.#scale[this.#n] : forced.period;
    return { ...forced, period, x };
  }

  #predicted({ u, tangent }: Point, step: number): Float64Array {
    return u.map((value, i) => value + step * tangent[i]);
  }

  /** P(x; p) alone; null where it cannot be computed. */
  #end(u: Float64Array): FlowEnd | null {
    const { motion, t0, period, x } = this.#motionOf(u);
    return period > 0 ? flowEnd(motion, t0, period, x) : null;
  }

  #image(u: Float64Array): FlowImage | null {
    const { motion, t0, period, x } = this.#motionOf(u);
    if (!(period > 0)) return null;
    const image = followFlow(motion, t0, period, x);
    return image.ok && image.broken === null ? image : null;
  }

  /**
   * ∂P/∂p in units, by differences of order 4. All motions of one must have the events of the motion in the
   * middle: where one has others, as near a graze, they are taken from nearer by.
   */
  #rateOfParameter(u: Float64Array, image: FlowImage): Float64Array | null {
    const n = this.#n;
    const at = this.#last;
    const rate = new Float64Array(n);
    const moved = u.slice();
    let delta = 2 ** -13 * Math.max(1e-3, Math.abs(u[at]));
    for (let attempt = 0; attempt < MOST_NEARER; attempt++, delta /= NEARER) {
      rate.fill(0);
      const isWhole = STENCIL.every(([place, weight]) => {
        moved[at] = u[at] + place * delta;
        const other = this.#end(moved);
        if (other === null || !sameEvents(image.events, other.events)) return false;
        for (let i = 0; i < n; i++) rate[i] += (weight * other.x[i]) / this.#scale[i] / (12 * delta);
        return true;
      });
      if (isWhole) return rate;
    }
    return null;
  }

  /**
   * [∂P/∂x − I ∂P/∂p] in units, with f and the phase of an autonomous model; column-major, the last row
   * empty.
   */
  #jacobian(image: FlowImage, rate: Float64Array): Float64Array {
    const n = this.#n;
    const size = this.#last + 1;
    const matrix = new Float64Array(size * size);
    const scale = this.#scale;
    for (let j = 0; j < n; j++) {
      for (let i = 0; i < n; i++)
        matrix[i + size * j] = ((image.matrix[i + n * j] - (i === j ? 1 : 0)) * scale[j]) / scale[i];
    }
    matrix.set(rate, size * this.#last);
    const phase = this.#phase;
    if (phase === null) return matrix;
    for (let i = 0; i < n; i++) {
      matrix[i + size * n] = (image.rate[i] * scale[n]) / scale[i];
      matrix[n + size * i] = phase.along[i];
    }
    return matrix;
  }

  /**
   * Newton's method across the direction.
   * @param known ∂P/∂p nearby, which does for the iteration; the direction of the branch at the point that is
   *   found is had from its own
   * @param isAtParameter p stays where it is, and no branch goes on from there: ∂P/∂p is not needed
   */
  #correct(
    predicted: Float64Array,
    direction: Float64Array,
    known: Float64Array | null = null,
    isAtParameter = false,
  ): { point: Point; iterations: number } | null {
    let rate = known;
    const n = this.#n;
    const last = this.#last;
    const size = last + 1;
    const phase = this.#phase;
    const u = predicted.slice();
    let least = Infinity;
    for (let iteration = 0; iteration <= MOST_NEWTON; iteration++) {
      const image = this.#image(u);
      if (image === null) return null;
      const step = new Float64Array(size);
      let residual = 0;
      for (let i = 0; i < n; i++) {
        step[i] = u[i] - image.x[i] / this.#scale[i];
        residual = Math.max(residual, Math.abs(step[i]));
      }
      if (phase !== null) for (let i = 0; i < n; i++) step[n] -= phase.along[i] * (u[i] - phase.u[i]);
      for (let i = 0; i < size; i++) step[last] -= direction[i] * (u[i] - predicted[i]);
      if (residual <= TOLERANCE) {
        const own = isAtParameter ? rate : this.#rateOfParameter(u, image);
        return own === null ? null : this.#pointAt(u, image, own, direction, iteration);
      }
      if (residual > 2 * least) return null;
      least = residual;
      rate ??= this.#rateOfParameter(u, image);
      if (rate === null) return null;
      const matrix = this.#jacobian(image, rate);
      for (let i = 0; i < size; i++) matrix[last + size * i] = direction[i];
      const pivots = new Int32Array(size);
      if (factorDense(matrix, 0, size, pivots, 0) >= 0) return null;
      solveDense(matrix, 0, size, pivots, 0, step);
      for (let i = 0; i < size; i++) u[i] += step[i];
    }
    return null;
  }

  #pointAt(
    u: Float64Array,
    image: FlowImage,
    rate: Float64Array,
    direction: Float64Array,
    iterations: number,
  ): { point: Point; iterations: number } | null {
    const n = this.#n;
    const last = this.#last;
    const size = last + 1;
    const matrix = this.#jacobian(image, rate);
    // The null vector that goes on in the direction: [J; ᵗd] t = (0, 1).
    for (let i = 0; i < size; i++) matrix[last + size * i] = direction[i];
    const tangent = new Float64Array(size);
    tangent[last] = 1;
    const pivots = new Int32Array(size);
    if (factorDense(matrix, 0, size, pivots, 0) >= 0) return null;
    solveDense(matrix, 0, size, pivots, 0, tangent);
    const length = Math.sqrt(tangent.reduce((sum, value) => sum + value * value, 0));
    for (let i = 0; i < size; i++) tangent[i] /= length;
    const all = eigenvalues(image.matrix, n);
    const multipliers = this.#isAutonomous ? withoutNeutral(all) : all;
    const { x, period } = this.#motionOf(u);
    const point: Point = {
      p: u[last] * this.#scale[last],
      x,
      period,
      multipliers,
      isStable: modulus(multipliers) < 1,
      events: image.events,
      nearest: image.nearest,
      u,
      image,
      rate,
      tangent,
    };
    return { point, iterations };
  }

  #special(before: Point, after: Point, step: number): SpecialPoint[] {
    const last = this.#last;
    const tests: readonly [SpecialKind, (point: Point) => number][] = [
      ['fold', ({ tangent }) => tangent[last]],
      ['periodDoubling', ({ multipliers }) => productWith(multipliers, 1)],
      ['torus', ({ multipliers }) => largestPair(multipliers) - 1],
    ];
    return tests.flatMap(([kind, test]) => {
      const [a, b] = [test(before), test(after)];
      if (!(Number.isFinite(a) && Number.isFinite(b)) || a > 0 === b > 0) return [];
      const found = this.#locate(before, step, test);
      return found === null ? [] : [{ ...found, kind }];
    });
  }

  /** The zero of a function between a point and the one a step on, by the Illinois method. */
  #locate(before: Point, step: number, test: (point: Point) => number): Point | null {
    let [s0, s1] = [0, step];
    let f0 = test(before);
    const end = this.#correct(this.#predicted(before, step), before.tangent, before.rate);
    if (end === null) return null;
    let f1 = test(end.point);
    let best = end.point;
    for (let k = 0; k < MOST_LOCATING && Math.abs(s1 - s0) > LOCATED; k++) {
      const s = s1 - (f1 * (s1 - s0)) / (f1 - f0);
      const found = this.#correct(this.#predicted(before, s), before.tangent, before.rate);
      if (found === null) return null;
      const f = test(found.point);
      best = found.point;
      if (f === 0) break;
      if (f > 0 !== f1 > 0) {
        s0 = s1;
        f0 = f1;
      } else {
        f0 /= 2;
      }
      if (Math.abs(s - s1) < LOCATED) break;
      s1 = s;
      f1 = f;
    }
    return best;
  }
}

/** Whether two orbits have the same contacts and switches, one after the other. */
const sameSequence = (a: BranchPoint, b: BranchPoint): boolean => sameEvents(a.events, b.events);
