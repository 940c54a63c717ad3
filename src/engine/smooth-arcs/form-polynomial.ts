/**
 * A linear form along an arc, g(τ) = Σ g_k τ^k with g_k = Σ_i a_i c_k,i, and how much of its values is rounding or left out:
 *
 *     noise(τ) = 4 ε Σ s_k τ^k,   s_k = Σ_i |a_i| m_k,i,
 *
 * with the remainder Σ_i |a_i| r_i τ^{N+1} counted into s_N. It is local: soon after the start of an arc little has been
 * added, and little can have been rounded away, so that a flight that is short and low beside the arc is not lost in it.
 */
import type { ScalarFunction } from '../smooth/bracketing';
import type { LinearForm } from '../smooth/event-functions';
import { END, LENGTH, START } from '../smooth/step-data';
import type { Arc } from './arc';
import { ROW } from './linear-system';

const ROUNDING = 4 * Number.EPSILON;

/** dg/dτ at the place. */
class FormSlope implements ScalarFunction {
  readonly place = new Float64Array(1);
  readonly result = new Float64Array(1);

  constructor(private readonly form: FormPolynomial) {}

  evaluate(): void {
    const { form } = this;
    form.place[0] = this.place[0];
    form.evaluateWithSlope();
    this.result[0] = form.slopeValue[0];
  }
}

export class FormPolynomial implements ScalarFunction {
  /** [0] τ */
  readonly place = new Float64Array(1);
  /** [0] value */
  readonly result = new Float64Array(1);
  /** [0] dg/dτ, after `evaluateWithSlope` */
  readonly slopeValue = new Float64Array(1);
  readonly slope = new FormSlope(this);
  /** g_k */
  readonly coefficients = new Float64Array(ROW);
  /** s_k */
  readonly sizes = new Float64Array(ROW);
  /** last k with g_k or s_k other than zero */
  degree = 0;
  /** [0] length of the arc */
  readonly length = new Float64Array(1);

  constructor(readonly form: LinearForm) {}

  /** Coefficients on the arc. @returns whether all are finite */
  read(arc: Arc): boolean {
    const { indices, values, offset } = this.form;
    const { coefficients: g, sizes: s } = this;
    const { coefficients: c, majorant: m, span, order } = arc;
    const first = offset[0] + offset[1] * span[START];
    const firstSize =
      Math.abs(offset[0]) + Math.abs(offset[1]) * Math.max(Math.abs(span[START]), Math.abs(span[END]));
    let degree = 0;
    let total = 0;
    for (let k = 0; k <= order; k++) {
      let sum = k === 0 ? first : k === 1 ? offset[1] : 0;
      let size = k === 0 ? firstSize : k === 1 ? Math.abs(offset[1]) : 0;
      for (let entry = 0; entry < indices.length; entry++) {
        const at = ROW * indices[entry] + k;
        const a = values[entry];
        sum += a * c[at];
        size += Math.abs(a) * m[at];
      }
      g[k] = sum;
      s[k] = size;
      total += size;
      if (size > 0) degree = k;
    }
    if (order === 0 && offset[1] !== 0) {
      g[1] = offset[1];
      s[1] = Math.abs(offset[1]);
      degree = 1;
    }
    if (arc.flow.order < 0) {
      let left = 0;
      for (let entry = 0; entry < indices.length; entry++) {
        left += Math.abs(values[entry]) * arc.remainder[indices[entry]];
      }
      for (let k = degree; k <= order; k++) left *= span[LENGTH];
      s[degree] += left / ROUNDING;
    }
    this.degree = degree;
    this.length[0] = span[LENGTH];
    return Number.isFinite(total + first);
  }

  evaluate(): void {
    const tau = this.place[0];
    const g = this.coefficients;
    let sum = g[this.degree];
    for (let k = this.degree - 1; k >= 0; k--) sum = g[k] + tau * sum;
    this.result[0] = sum;
  }

  /** Value and slope at the place. */
  evaluateWithSlope(): void {
    const tau = this.place[0];
    const g = this.coefficients;
    let sum = g[this.degree];
    let slope = 0;
    for (let k = this.degree - 1; k >= 0; k--) {
      slope = sum + tau * slope;
      sum = g[k] + tau * sum;
    }
    this.result[0] = sum;
    this.slopeValue[0] = slope;
  }

  /** Noise at `place[0]` into `out[0]`. */
  noise(place: Float64Array, out: Float64Array): void {
    const tau = place[0];
    const s = this.sizes;
    let sum = s[this.degree];
    for (let k = this.degree - 1; k >= 0; k--) sum = s[k] + tau * sum;
    out[0] = ROUNDING * sum;
  }
}
