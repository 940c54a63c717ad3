/**
 * Distances to targets that move by a known law, g = a·z + c + h(t): of h its rate and a bound of its second
 * derivative are known besides its values. That is enough to find every zero with certainty (below), at a
 * fraction of the cost of a function of which only values are known. h must have a continuous rate; its
 * second derivative may jump, as that of a cam's lift does where two arcs of the cam meet.
 */
import type { ScalarFunction } from '../smooth/bracketing';
import type { EventFunctions, LinearForm } from '../smooth/event-functions';
import type { SignSweep } from '../smooth/sign-sweep';
import { START } from '../smooth/step-method';
import type { Arc } from './arc';
import { FormPolynomial } from './form-polynomial';

export interface MovingTarget {
  /** a·z + c */
  readonly form: LinearForm;
  /** h(t) into `out[0]`, ḣ(t) into `out[1]` */
  motion(clock: Float64Array, out: Float64Array): void;
  /** [0] bound of |ḧ|, wherever the flight may lead */
  readonly curvature: Float64Array;
}

/**
 * Event functions some of which may be distances to moving targets; any integrator may take them as what they
 * are besides.
 */
export interface ArcEvents extends EventFunctions {
  /** The function as such a distance, null when it is none. Asked once, of functions that are not linear. */
  moving?(index: number): MovingTarget | null;
}

const ROUNDING = 4 * Number.EPSILON;
/** Against rounding of a bound. */
const BOUND_MARGIN = 1 + 1e-9;

/** One such function along an arc. */
export class MovingDistance implements ScalarFunction {
  /** [0] τ */
  readonly place = new Float64Array(1);
  /** [0] value, [1] rate, [2] noise */
  readonly result = new Float64Array(3);
  /** [0] bound of the second derivative on the arc */
  readonly curvature = new Float64Array(1);
  readonly #form: FormPolynomial;
  readonly #clock = new Float64Array(1);
  readonly #motion = new Float64Array(2);
  readonly #noise = new Float64Array(1);

  constructor(
    private readonly target: MovingTarget,
    private readonly span: Float64Array,
  ) {
    this.#form = new FormPolynomial(target.form);
  }

  /** [0] length of the arc */
  get length(): Float64Array {
    return this.#form.length;
  }

  /**
   * Series of the form on the arc and bound Σ k (k − 1) |g_k| h^{k−2} + max |ḧ|.
   * @returns whether they are finite
   */
  read(arc: Arc): boolean {
    const form = this.#form;
    const isFinite = form.read(arc);
    const { coefficients: g, degree, length } = form;
    let sum = 0;
    let power = 1;
    for (let k = 2; k <= degree; k++) {
      sum += k * (k - 1) * Math.abs(g[k]) * power;
      power *= length[0];
    }
    this.curvature[0] = BOUND_MARGIN * (sum + this.target.curvature[0]);
    return isFinite && Number.isFinite(this.curvature[0]);
  }

  evaluate(): void {
    const form = this.#form;
    const { result } = this;
    const clock = this.#clock;
    const motion = this.#motion;
    clock[0] = this.span[START] + this.place[0];
    this.target.motion(clock, motion);
    form.place[0] = this.place[0];
    form.evaluateWithSlope();
    form.noise(this.place, this.#noise);
    result[0] = form.result[0] + motion[0];
    result[1] = form.slopeValue[0] + motion[1];
    result[2] =
      this.#noise[0] + ROUNDING * Math.abs(motion[0]) + Number.EPSILON * Math.abs(motion[1] * clock[0]);
  }
}

/*
 * Walk along the distance to a moving target by steps that cannot pass a zero. With K ≥ |g̈| on the arc,
 *
 *     |g(τ + s)| ≥ |g| + r s − K s²/2,   r = ġ sign g,
 *
 * so that there is no zero before the positive root s of the right side. Far from zero the steps are long;
 * towards a zero that is passed with a slope they converge as Newton's method does, from before it. From a
 * zero on, g has the sign of ±ġ as long as |ġ| s > K s²/2, and the next place is half-way there. So the sweep
 * sees g on both sides of each zero, and no zero lies unseen between two places.
 */

export type MovingOutcome = 'none' | 'root' | 'notFinite' | 'unresolved';

/** Steps along one arc; a bound K that needs more is of no use. */
const MOST_STEPS = 100_000;
/** Shortest step, relative to the place: what a zero could hide in is not resolved. */
const SHORTEST = Number.EPSILON;

/**
 * @param distance evaluated at the start of the arc, which the sweep has taken
 * @param band [0] values up to this count as zero
 */
export function walkMoving(distance: MovingDistance, band: Float64Array, sweep: SignSweep): MovingOutcome {
  const { place, result, curvature, length } = distance;
  const end = length[0];
  const bound = Math.max(curvature[0], Number.MIN_VALUE);
  for (let step = 0; step < MOST_STEPS; step++) {
    if (place[0] >= end) return 'none';
    const size = Math.abs(result[0]);
    const zero = Math.max(result[2], band[0]);
    const rate = result[0] > 0 ? result[1] : -result[1];
    let reach = 0;
    if (size > zero) {
      const root = Math.sqrt(rate * rate + 2 * bound * size);
      reach = rate > 0 ? (rate + root) / bound : (2 * size) / (root - rate);
    } else {
      reach = Math.max(Math.abs(rate) / bound, Math.sqrt((2 * zero) / bound));
    }
    place[0] = Math.min(end, place[0] + Math.max(reach, SHORTEST * place[0]));
    distance.evaluate();
    if (!Number.isFinite(result[0])) return 'notFinite';
    sweep.point[0] = place[0];
    sweep.point[1] = result[0];
    sweep.zero[0] = Math.max(result[2], band[0]);
    if (sweep.take()) return 'root';
  }
  return 'unresolved';
}
