/**
 * A linear form along an arc, g(τ) = Σ g_k τ^k with g_k = Σ_i a_i c_k,i, and how much of its values is
 * rounding or left out:
 *
 *     noise(τ) = 4 ε Σ s_k τ^k,   s_k = Σ_i |a_i| m_k,i,
 *
 * with the remainder Σ_i |a_i| r_i τ^{N+1} counted into s_N. It is local: soon after the start of an arc
 * little has been added, and little can have been rounded away, so that a flight that is short and low beside
 * the arc is not lost in it.
 */
import type { ScalarFunction } from '../smooth/bracketing';
import type { LinearForm } from '../smooth/event-functions';
import { END, LENGTH, START } from '../smooth/step-method';
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

/*
 * A zero of a linear form to rounding, between two places of the arc where its signs differ and between which
 * they change once: in closed form up to degree 2, otherwise by Newton's method, with bisection where it
 * would leave the bracket or is slow (Press et al. 2007 §9.4).
 */

/** Bisection alone needs some 60 to the last bit of most brackets. */
const MOST_ITERATIONS = 120;
const RESOLUTION = 0.5 * Number.EPSILON;
/** Part of the noise below which a value says nothing more of the place. */
const NOISE_PART = 1 / 16;
/** Moves that are relatively longer than this are not those of rounding. */
const ROUNDING_MOVE = 1e-8;

/** @param bracket [0] < [1] the two places; [0] becomes the zero */
export function refineFormRoot(form: FormPolynomial, bracket: Float64Array): void {
  if (form.degree <= 2) solveQuadratic(form, bracket);
  else iterate(form, bracket);
}

/**
 * −g_1 ± √(g_1² − 4 g_2 g_0), without the difference of like numbers; of the two zeros the one in the
 * bracket.
 */
function solveQuadratic({ coefficients: g, degree }: FormPolynomial, bracket: Float64Array): void {
  const g2 = degree === 2 ? g[2] : 0;
  const g1 = degree >= 1 ? g[1] : 0;
  const root = Math.sqrt(Math.max(0, g1 * g1 - 4 * g2 * g[0]));
  const q = -0.5 * (g1 + (g1 < 0 ? -root : root));
  const one = g[0] / q;
  const other = q / g2;
  const left = bracket[0];
  const right = bracket[1];
  // Where rounding puts both a little outside, the nearer one; 0/0 and q/0 are never nearer.
  const awayOne = Math.max(left - one, one - right);
  const awayOther = Math.max(left - other, other - right);
  const isOther = !(awayOne <= awayOther) && Number.isFinite(other);
  const zero = isOther ? other : one;
  bracket[0] = Math.max(left, Math.min(right, zero));
}

function iterate(form: FormPolynomial, bracket: Float64Array): void {
  const { place, result, slopeValue } = form;
  let left = bracket[0];
  let right = bracket[1];
  place[0] = right;
  form.evaluate();
  const atRight = result[0];
  place[0] = left;
  form.evaluate();
  const atLeft = result[0];
  if (atLeft === 0 || atRight === 0 || atLeft > 0 === atRight > 0) {
    // The stretch began or ended in rounding about zero: the end that is nearer to zero is the zero.
    if (Math.abs(atRight) < Math.abs(atLeft)) bracket[0] = right;
    return;
  }
  const isRising = atRight > 0;
  let x = left + (right - left) * (atLeft / (atLeft - atRight));
  let lastMove = right - left;
  for (let iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
    place[0] = x;
    form.evaluateWithSlope();
    const value = result[0];
    if (value > 0 === isRising) right = x;
    else left = x;
    const move = value / slopeValue[0];
    let next = x - move;
    let isDone = Math.abs(move) <= RESOLUTION * x;
    if (!isDone && Math.abs(move) <= ROUNDING_MOVE * x) {
      form.noise(place, result);
      isDone = Math.abs(value) <= NOISE_PART * result[0];
    }
    if (isDone) {
      // The last move is one of rounding, unless the slope vanishes with the value.
      if (next > left && next < right) x = next;
      break;
    }
    if (!(next > left && next < right) || Math.abs(move) > 0.5 * lastMove) next = 0.5 * (left + right);
    lastMove = Math.abs(next - x);
    x = next;
    if (right - left <= RESOLUTION * right) break;
  }
  bracket[0] = x;
}
