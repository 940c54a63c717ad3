/**
 * Distances to targets that move by a known law, g = a·z + c + h(t): of h its rate and a bound of its second derivative are
 * known besides its values. That is enough to find every zero with certainty (`moving-walk.ts`), at a fraction of the cost of a
 * function of which only values are known. h must have a continuous rate; its second derivative may jump, as that of a
 * cam's lift does where two arcs of the cam meet.
 */
import type { ScalarFunction } from '../smooth/bracketing';
import type { EventFunctions, LinearForm } from '../smooth/event-functions';
import { START } from '../smooth/step-data';
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

/** Event functions some of which may be distances to moving targets; any integrator may take them as what they are besides. */
export interface ArcEvents extends EventFunctions {
  /** The function as such a distance, null when it is none. Asked once, of functions that are not linear. */
  moving?(index: number): MovingTarget | null;
}

const ROUNDING = 4 * Number.EPSILON;
/** Against rounding of a bound. */
const MARGIN = 1 + 1e-9;

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

  /** Series of the form on the arc and bound Σ k (k − 1) |g_k| h^{k−2} + max |ḧ|. @returns whether they are finite */
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
    this.curvature[0] = MARGIN * (sum + this.target.curvature[0]);
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
