/**
 * Interpolation of a function on an interval by a polynomial of degree 8 in Chebyshev's points, and an estimate of what it
 * leaves out. With coefficients c_k of T_k that fall like q^k the remainder is about |c_9| + |c_10| + …; q² is read off the
 * last three pairs. For a function that is analytic on an ellipse about the interval this is asymptotically a bound
 * (L. N. Trefethen, Approximation Theory and Approximation Practice, ch. 8); for an arbitrary one, nine values prove nothing,
 * and two more values, where an oscillation between the nine would be largest, are all that stands against it. At a kink
 * the estimate is of the right order, but may be up to ten times too small.
 *
 * Why degree 8 and halving, and not one high degree: T_k has Bernstein coefficients up to about 2^k/√k in magnitude, 184 for
 * k = 8 and 3·10⁹ for k = 32, by which conversion multiplies rounding.
 */
import { chebyshevToBernstein } from './bernstein';

export const PIECE_DEGREE = 8;
const COUNT = PIECE_DEGREE + 1;
const TO_BERNSTEIN = chebyshevToBernstein(PIECE_DEGREE);

/** Sampling points in [0, 1], ascending. */
export const SAMPLE_PLACES = Float64Array.from(
  { length: COUNT },
  (_, i) => (1 - Math.cos((Math.PI * i) / PIECE_DEGREE)) / 2,
);
/** Control points, about half-way between sampling points near the middle and near an end. */
export const CONTROL_PLACES = Float64Array.of(0.4, 0.91);

const at = (k: number, u: number): number => Math.cos(k * Math.acos(2 * u - 1));

/** c_k = (2/8) Σ″ T_k(x_i) v_i, first and last terms halved, and so are c_0 and c_8; entry [k 9 + i]. */
const TRANSFORM = Float64Array.from({ length: COUNT * COUNT }, (_, entry) => {
  const k = Math.floor(entry / COUNT);
  const i = entry % COUNT;
  const isEnd = (j: number): number => (j === 0 || j === PIECE_DEGREE ? 0.5 : 1);
  return (
    (2 / PIECE_DEGREE) * isEnd(k) * isEnd(i) * Math.cos((k * (PIECE_DEGREE - i) * Math.PI) / PIECE_DEGREE)
  );
});
const CONTROL = [...CONTROL_PLACES].map((u) => Float64Array.from({ length: COUNT }, (_, k) => at(k, u)));

/** Largest q² taken for a decay: with a slower one the remainder is many times the last coefficients. */
const SLOWEST_DECAY = 0.8;
/** Rounding of nine values and their transformation. */
const ROUNDING = 4 * Number.EPSILON;

export class ChebyshevPiece {
  /** the nine values, then the two control values */
  readonly values = new Float64Array(COUNT + 2);
  /** [0] estimate of the largest difference to the function, [1] largest value */
  readonly measure = new Float64Array(2);
  readonly #c = new Float64Array(COUNT);

  /** Coefficients of the interpolant in Bernstein form, and its measure. */
  convert(b: Float64Array): void {
    const { values, measure } = this;
    const c = this.#c;
    let size = 0;
    for (let i = 0; i < COUNT; i++) size = Math.max(size, Math.abs(values[i]));
    for (let k = 0; k < COUNT; k++) {
      let sum = 0;
      for (let i = 0; i < COUNT; i++) sum += TRANSFORM[k * COUNT + i] * values[i];
      c[k] = sum;
    }
    let control = 0;
    for (let p = 0; p < 2; p++) {
      let sum = 0;
      for (let k = 0; k < COUNT; k++) sum += CONTROL[p][k] * c[k];
      control = Math.max(control, Math.abs(sum - values[COUNT + p]));
    }
    const earlier = Math.abs(c[3]) + Math.abs(c[4]);
    const before = Math.abs(c[5]) + Math.abs(c[6]);
    let last = Math.abs(c[7]) + Math.abs(c[8]);
    let decay = last < SLOWEST_DECAY * before ? last / before : SLOWEST_DECAY;
    // Where the last two are small by accident, as they may be at a kink, the pairs before them tell.
    if (earlier > 0) {
      const decayBefore = Math.min(SLOWEST_DECAY, before / earlier);
      decay = Math.max(decay, decayBefore);
      last = Math.max(last, decayBefore * before);
    }
    measure[0] = Math.max((last * decay) / (1 - decay), 2 * control) + ROUNDING * size;
    measure[1] = size;
    for (let i = 0; i < COUNT; i++) {
      let sum = 0;
      for (let k = 0; k < COUNT; k++) sum += TO_BERNSTEIN[k * COUNT + i] * c[k];
      b[i] = sum;
    }
  }
}
