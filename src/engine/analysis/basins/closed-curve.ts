/**
 * A limit cycle as the closed polyline of its states.
 *
 * Whether a state is on it does not depend on where along it. That is no weaker than to compare whole turns: the motion from a state that is ε from a point of
 * the cycle stays about ε from the motion of that point, which is the cycle. Jumps at impacts are sides of the polyline like others; no motion stays
 * on one for longer than the moment.
 */
import type { MotionModel } from '../stability/motion-model';

/** Points of a cycle at first, which has few enough corners then, and at most: one with fast parts takes many. */
const FEWEST = 64;
const MOST = 4096;
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

  /** Whether each component of a state is within the tolerance, relative to the sizes, of one point of the curve. */
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
export function partAlong(
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
 * The cycle through a state, with so many points that the polyline is within a part of the tolerance of the points between them.
 * @throws {EngineError} when it cannot be simulated
 */
export function closedCurve(
  model: MotionModel,
  t0: number,
  period: number,
  x: Float64Array,
  sizes: Float64Array,
  tolerance: number,
): ClosedCurve {
  const n = model.size;
  let curve = new ClosedCurve(traced(model, t0, period, x, FEWEST), n);
  for (let steps = 2 * FEWEST; steps <= MOST; steps *= 2) {
    const finer = traced(model, t0, period, x, steps);
    let isFine = true;
    for (let at = 0; at < finer.length && isFine; at += n)
      isFine = curve.isNear(finer, at, sizes, SAG * tolerance);
    if (isFine) return curve;
    curve = new ClosedCurve(finer, n);
  }
  return curve;
}
