/**
 * The state between the ends of a step, as a polynomial in θ = (t − t₀)/h ∈ [0, 1]. With σ = 1 − θ it is
 *
 *     x(θ) = F₀ + θ (F₁ + σ (F₂ + θ (F₃ + σ (F₄ + θ (F₅ + σ (F₆ + θ F₇)))))).
 *
 * The factors of the F_k are the products 1, θ, θσ, θ²σ, θ²σ², θ³σ², θ³σ³, θ⁴σ³. Each is positive on the step, and is a
 * non-negative combination of Bernstein polynomials, so that neither evaluation nor conversion cancels. The extension of
 * the explicit pair uses all of them (degree 7), the collocation polynomial of the implicit method the first four.
 */
export const MAX_DEGREE = 7;

export class DenseOutput {
  /** 7 or 3 */
  degree = MAX_DEGREE;
  /** F_k,i at [k n + i] */
  readonly coefficients: Float64Array;

  constructor(readonly size: number) {
    this.coefficients = new Float64Array((MAX_DEGREE + 1) * size);
  }

  /** State at `place[0]` = θ into `out`. */
  evaluate(place: Float64Array, out: Float64Array): void {
    const theta = place[0];
    const sigma = 1 - theta;
    const n = this.size;
    const f = this.coefficients;
    if (this.degree === MAX_DEGREE) {
      for (let i = 0; i < n; i++) {
        let s = f[6 * n + i] + theta * f[7 * n + i];
        s = f[4 * n + i] + theta * (f[5 * n + i] + sigma * s);
        s = f[2 * n + i] + theta * (f[3 * n + i] + sigma * s);
        out[i] = f[i] + theta * (f[n + i] + sigma * s);
      }
    } else {
      for (let i = 0; i < n; i++) {
        out[i] = f[i] + theta * (f[n + i] + sigma * (f[2 * n + i] + theta * f[3 * n + i]));
      }
    }
  }
}

/** One polynomial of degree 7 or 3 in the same form: value at `place[0]` into `out[0]`. */
export function evaluateNested(
  f: Float64Array,
  degree: number,
  place: Float64Array,
  out: Float64Array,
): void {
  const theta = place[0];
  const sigma = 1 - theta;
  let s = f[2] + theta * f[3];
  if (degree === MAX_DEGREE) {
    s = f[4] + theta * (f[5] + sigma * (f[6] + theta * f[7]));
    s = f[2] + theta * (f[3] + sigma * s);
  }
  out[0] = f[0] + theta * (f[1] + sigma * s);
}
