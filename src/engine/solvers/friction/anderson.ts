/**
 * Acceleration of a fixed-point iteration g = G(x), Anderson 1965: the next x is that combination of the last
 * results g whose residuals f = g − x, were G affine, would cancel best,
 *
 *     x ← g − Σ γ_j Δg_j,     γ = argmin |f − Σ γ_j Δf_j|,
 *
 * with the differences Δ of the last steps. The least squares are solved by their normal equations, of which
 * a step changes one row only; what rounding takes from them costs speed, not accuracy, because G has the
 * last word.
 *
 * Contacts that begin or cease to stick make G anything but affine, and combinations may then lead away for
 * good. So a combination after which |f| is larger than before is taken back: the iteration goes on from the
 * result before it, a few plain steps long. Bounds on the growth above 1 left piles circling around a
 * solution at 10⁻⁵ (Zhang, O’Donoghue and Boyd 2020, on why a safeguard is needed).
 */

/**
 * Added to the diagonal of the normal equations, relative to it: differences that are parallel to rounding
 * drop out.
 */
const REGULARISATION = 1e-12;
/** Plain steps after a combination was taken back. */
const PLAIN_STEPS = 3;

export class AndersonAcceleration {
  #size = 0;
  /** differences held, and the place that the next one takes */
  #held = 0;
  #next = 0;
  #hasLast = false;
  #deltaF: Float64Array[] = [];
  #deltaG: Float64Array[] = [];
  #lastF = new Float64Array(0);
  #lastG = new Float64Array(0);
  /** scalar products of the Δf, and their Cholesky factor */
  readonly #gram: Float64Array;
  readonly #factor: Float64Array;
  readonly #gamma: Float64Array;
  /** [0] |f|² of the last step that was accepted */
  readonly #norm = new Float64Array(1);
  #plainSteps = 0;

  /** @param depth differences that are kept */
  constructor(private readonly depth: number) {
    this.#gram = new Float64Array(depth * depth);
    this.#factor = new Float64Array(depth * depth);
    this.#gamma = new Float64Array(depth);
  }

  /** Forgets all steps. @param size entries of x */
  begin(size: number): void {
    if (this.#lastF.length < size) {
      this.#lastF = new Float64Array(size);
      this.#lastG = new Float64Array(size);
      this.#deltaF = Array.from({ length: this.depth }, () => new Float64Array(size));
      this.#deltaG = Array.from({ length: this.depth }, () => new Float64Array(size));
    }
    this.#size = size;
    this.#plainSteps = 0;
    this.#forget();
  }

  #forget(): void {
    this.#held = 0;
    this.#next = 0;
    this.#hasLast = false;
    this.#norm[0] = Number.POSITIVE_INFINITY;
  }

  /** @param x where G was evaluated, replaced by the next x; @param g = G(x) */
  advance(x: Float64Array, g: Float64Array): void {
    const n = this.#size;
    const lastF = this.#lastF;
    const lastG = this.#lastG;
    let norm = 0;
    for (let i = 0; i < n; i++) norm += (g[i] - x[i]) * (g[i] - x[i]);
    const isPlain = this.#plainSteps > 0;
    if (!isPlain && norm > this.#norm[0]) {
      for (let i = 0; i < n; i++) x[i] = lastG[i];
      this.#forget();
      this.#plainSteps = PLAIN_STEPS;
      return;
    }
    this.#norm[0] = norm;
    if (isPlain || !this.#hasLast) {
      for (let i = 0; i < n; i++) {
        lastF[i] = g[i] - x[i];
        lastG[i] = g[i];
        x[i] = g[i];
      }
      if (isPlain) this.#plainSteps--;
      this.#hasLast = true;
      return;
    }
    const place = this.#next;
    const deltaF = this.#deltaF[place];
    const deltaG = this.#deltaG[place];
    for (let i = 0; i < n; i++) {
      const f = g[i] - x[i];
      deltaF[i] = f - lastF[i];
      deltaG[i] = g[i] - lastG[i];
      lastF[i] = f;
      lastG[i] = g[i];
      x[i] = g[i];
    }
    this.#next = (place + 1) % this.depth;
    if (this.#held < this.depth) this.#held++;
    this.#formNormalEquations(place);
    this.#solveNormalEquations();
    this.#combine(x);
  }

  /** x ← x − Σ γ_j Δg_j, two differences at a time: what is loaded of x serves both. */
  #combine(x: Float64Array): void {
    const n = this.#size;
    const gamma = this.#gamma;
    let j = 0;
    for (; j + 1 < this.#held; j += 2) {
      const gamma0 = gamma[j];
      const gamma1 = gamma[j + 1];
      if (gamma0 === 0 && gamma1 === 0) continue;
      const column0 = this.#deltaG[j];
      const column1 = this.#deltaG[j + 1];
      for (let i = 0; i < n; i++) x[i] = x[i] - gamma0 * column0[i] - gamma1 * column1[i];
    }
    if (j >= this.#held || gamma[j] === 0) return;
    const last = gamma[j];
    const column = this.#deltaG[j];
    for (let i = 0; i < n; i++) x[i] -= last * column[i];
  }

  /**
   * The row of the newest difference, and the right-hand side Δfᵀ f; two differences at a time, so that four
   * sums grow side by side.
   */
  #formNormalEquations(place: number): void {
    const n = this.#size;
    const newest = this.#deltaF[place];
    const f = this.#lastF;
    let j = 0;
    for (; j + 1 < this.#held; j += 2) {
      const column0 = this.#deltaF[j];
      const column1 = this.#deltaF[j + 1];
      let product0 = 0;
      let product1 = 0;
      let right0 = 0;
      let right1 = 0;
      for (let i = 0; i < n; i++) {
        const a = newest[i];
        const b = f[i];
        product0 += column0[i] * a;
        product1 += column1[i] * a;
        right0 += column0[i] * b;
        right1 += column1[i] * b;
      }
      this.#enter(place, j, product0, right0);
      this.#enter(place, j + 1, product1, right1);
    }
    if (j >= this.#held) return;
    const column = this.#deltaF[j];
    let product = 0;
    let right = 0;
    for (let i = 0; i < n; i++) {
      product += column[i] * newest[i];
      right += column[i] * f[i];
    }
    this.#enter(place, j, product, right);
  }

  #enter(place: number, j: number, product: number, right: number): void {
    const m = this.depth;
    this.#gram[m * place + j] = product;
    this.#gram[m * j + place] = product;
    this.#gamma[j] = right;
  }

  /** Cholesky; a difference that depends on those before it gets no weight. */
  #solveNormalEquations(): void {
    const m = this.depth;
    const held = this.#held;
    const l = this.#factor;
    const x = this.#gamma;
    for (let i = 0; i < held; i++) {
      for (let j = 0; j <= i; j++) {
        let sum = this.#gram[m * i + j];
        for (let k = 0; k < j; k++) sum -= l[m * i + k] * l[m * j + k];
        if (j < i) l[m * i + j] = sum * l[m * j + j];
        else l[m * i + i] = sum > REGULARISATION * this.#gram[m * i + i] ? 1 / Math.sqrt(sum) : 0;
      }
      let sum = x[i];
      for (let k = 0; k < i; k++) sum -= l[m * i + k] * x[k];
      x[i] = sum * l[m * i + i];
    }
    for (let i = held - 1; i >= 0; i--) {
      x[i] *= l[m * i + i];
      for (let k = 0; k < i; k++) x[k] -= l[m * i + k] * x[i];
    }
  }
}
