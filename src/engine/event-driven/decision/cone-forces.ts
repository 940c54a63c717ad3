/**
 * Forces of one set λ₀ + N α that obey what each contact admits,
 *
 *     |λ_t| ≤ μ λ_n     of a contact with friction that sticks,
 *     l ≤ λ ≤ u         of other rows with bounds,
 *
 * where N is what leaves the motion as it is. Two questions are answered.
 *
 * **Are there such forces?** The largest reserve that all constraints can have at once,
 *
 *     ρ = max_α min (μ λ_n − |λ_t|, λ − l, u − λ),
 *
 * is positive while there are, zero at the last, and negative behind that, which makes it a function whose
 * root is an event. It is concave in λ₀.
 *
 * **Which of them?** Those with the least Σ λ², over the rows that have a weight.
 *
 * Both are convex and so small that a barrier method is at hand (Boyd and Vandenberghe 2004 §11.3): with
 * a slack t in all constraints, Newton's method minimises
 *
 *     t/ν − Σ log((μ λ_n + t)² − |λ_t|²) − Σ log(λ − l + t) − Σ log(u − λ + t) − log(t + T) − log(R² − |λ|²)
 *
 * for ν that shrinks, from where the last ν came to. At its minimum t is θ ν above the least t, θ being the
 * number of degrees of the barrier, to first order in ν: ρ = θ ν − t. The terms with T and R keep forces
 * bounded which press bodies together without limit, as of one that jams. For the least norm ½ Σ λ²/ν takes
 * the place of t/ν, at t = 0.
 *
 * All forces are in parts of the largest of λ₀.
 */

const DISC = 0;
const ABOVE = 1;
const BELOW = 2;

/** First and last ν, and its ratio from one to the next: at 10⁻¹² slacks still have four digits. */
const FIRST = 1;
const LAST = 1e-12;
const RATIO = 0.1;
/** Steps of Newton's method for one ν, and its decrement at which they end. */
const MOST_STEPS = 40;
const SMALL_DECREMENT = 1e-10;
/** Decrements below this part of the value cannot be told from its rounding. */
const UNSEEN = 1e-14;
/** Parts of a step that are tried, and of the descent that it has to make. */
const MOST_HALVINGS = 60;
const DESCENT = 0.1;
/** T: reserves above this many of the largest force are of no interest. R: forces above this many are. */
const LARGEST_RESERVE = 4;
const LARGEST_FORCE = 1e3;
/** Pivots below this part of their diagonal entry are rounding: there is no step in their direction. */
const SMALLEST_PIVOT = 1e-14;
/** Reserves below are too thin for the barrier of the least norm: forces are those of the largest reserve. */
const THIN = 1e-9;

export class ConeForces {
  /** λ₀, to be filled by the caller, and the answer */
  readonly forces: Float64Array;
  /** columns of N, one after the other; replaced by orthonormal ones */
  readonly directions: Float64Array;
  /** 1 for rows whose squares count in the norm, else 0 */
  readonly weights: Float64Array;
  rows = 0;
  dimension = 0;
  /** ρ of the last `solve` */
  reserve = 0;
  readonly #kinds: Int8Array;
  readonly #places: Int32Array;
  readonly #values: Float64Array;
  #count = 0;
  readonly #base: Float64Array;
  /** α, then t */
  readonly #x: Float64Array;
  readonly #trial: Float64Array;
  readonly #gradient: Float64Array;
  readonly #step: Float64Array;
  readonly #hessian: Float64Array;
  /** coefficients of up to three linear functions of (α, t) */
  readonly #parts: readonly Float64Array[];
  /** [0] largest force of λ₀, [1] ν */
  readonly #numbers = new Float64Array(2);
  #hasSlack = true;

  /** @param capacity largest number of rows */
  constructor(readonly capacity: number) {
    const n = capacity + 1;
    this.forces = new Float64Array(capacity);
    this.directions = new Float64Array(capacity * capacity);
    this.weights = new Float64Array(capacity);
    this.#kinds = new Int8Array(2 * capacity);
    this.#places = new Int32Array(2 * capacity);
    this.#values = new Float64Array(2 * capacity);
    this.#base = new Float64Array(capacity);
    this.#x = new Float64Array(n);
    this.#trial = new Float64Array(n);
    this.#gradient = new Float64Array(n);
    this.#step = new Float64Array(n);
    this.#hessian = new Float64Array(n * n);
    this.#parts = [0, 1, 2].map(() => new Float64Array(n));
  }

  /** Forgets all constraints. @param rows of the problem to come @param dimension of N */
  begin(rows: number, dimension: number): void {
    this.rows = rows;
    this.dimension = dimension;
    this.#count = 0;
  }

  /** |(λ_i+1, λ_i+2)| ≤ μ λ_i */
  addDisc(place: number, mu: number): void {
    this.#add(DISC, place, mu);
  }

  /** l ≤ λ_i ≤ u, where these are finite */
  addBounds(place: number, lower: number, upper: number): void {
    if (lower !== -Infinity) this.#add(ABOVE, place, lower);
    if (upper !== Infinity) this.#add(BELOW, place, upper);
  }

  #add(kind: number, place: number, value: number): void {
    this.#kinds[this.#count] = kind;
    this.#places[this.#count] = place;
    this.#values[this.#count++] = value;
  }

  /** Whether λ₀ obeys all constraints as it is. */
  get isInside(): boolean {
    const { forces } = this;
    for (let c = 0; c < this.#count; c++) if (this.#slack(c, forces, 1) < 0) return false;
    return true;
  }

  /**
   * ρ into `reserve`.
   * @param isChosen whether `forces` become those of least norm, or of the largest reserve
   */
  solve(isChosen: boolean): void {
    const { forces, rows } = this;
    let scale = 0;
    for (let i = 0; i < rows; i++) scale = Math.max(scale, Math.abs(forces[i]));
    this.reserve = 0;
    if (!(scale > 0 && scale < Infinity)) return;
    this.#numbers[0] = scale;
    this.#orthonormalise();
    for (let i = 0; i < rows; i++) this.#base[i] = forces[i] / scale;
    const x = this.#x.fill(0);
    const k = this.dimension;
    this.#place(x, forces);
    for (let c = 0; c < this.#count; c++) x[k] = Math.max(x[k], -this.#slack(c, forces, 1 / scale));
    x[k] += 1;
    this.#hasSlack = true;
    this.#follow();
    this.reserve = scale * (this.#degree * LAST - x[k]);
    if (isChosen && this.reserve > THIN * scale) {
      x[k] = 0;
      this.#hasSlack = false;
      this.#follow();
    }
    if (isChosen) this.#place(x, forces);
    for (let i = 0; i < rows; i++) forces[i] = scale * (isChosen ? forces[i] : this.#base[i]);
  }

  /** θ */
  get #degree(): number {
    let degree = 2;
    for (let c = 0; c < this.#count; c++) degree += this.#kinds[c] === DISC ? 2 : 1;
    return degree;
  }

  /** Gram and Schmidt, twice over; a column that depends on those before it goes. */
  #orthonormalise(): void {
    const { directions: N, rows: m } = this;
    let kept = 0;
    for (let a = 0; a < this.dimension; a++) {
      const at = a * m;
      let before = 0;
      for (let i = 0; i < m; i++) before += N[at + i] * N[at + i];
      for (let pass = 0; pass < 2; pass++)
        for (let b = 0; b < kept; b++) {
          let along = 0;
          for (let i = 0; i < m; i++) along += N[at + i] * N[b * m + i];
          for (let i = 0; i < m; i++) N[at + i] -= along * N[b * m + i];
        }
      let square = 0;
      for (let i = 0; i < m; i++) square += N[at + i] * N[at + i];
      if (!(square > 1e-20 * before)) continue;
      const inverse = 1 / Math.sqrt(square);
      for (let i = 0; i < m; i++) N[kept * m + i] = N[at + i] * inverse;
      kept++;
    }
    this.dimension = kept;
  }

  /** λ₀ + N α, in parts of the largest of λ₀. */
  #place(x: Float64Array, out: Float64Array): void {
    const { directions: N, rows: m, dimension } = this;
    for (let i = 0; i < m; i++) out[i] = this.#base[i];
    for (let a = 0; a < dimension; a++) for (let i = 0; i < m; i++) out[i] += x[a] * N[a * m + i];
  }

  /** What a constraint has left. @param unit of the bounds */
  #slack(c: number, forces: Float64Array, unit: number): number {
    const i = this.#places[c];
    const value = this.#values[c];
    if (this.#kinds[c] === ABOVE) return forces[i] - value * unit;
    if (this.#kinds[c] === BELOW) return value * unit - forces[i];
    return value * forces[i] - Math.sqrt(forces[i + 1] * forces[i + 1] + forces[i + 2] * forces[i + 2]);
  }

  /** Follows the minima from the first ν to the last. */
  #follow(): void {
    for (let nu = FIRST; nu >= 0.5 * LAST; nu *= RATIO) {
      this.#numbers[1] = nu;
      for (let step = 0; step < MOST_STEPS; step++) if (!this.#descend()) break;
    }
  }

  /** One step of Newton's method. @returns whether there is more to gain */
  #descend(): boolean {
    const n = this.dimension + (this.#hasSlack ? 1 : 0);
    const value = this.#expand(n);
    const g = this.#gradient;
    const d = this.#step;
    for (let a = 0; a < n; a++) d[a] = -g[a];
    this.#solveStep(n);
    let decrement = 0;
    for (let a = 0; a < n; a++) decrement -= g[a] * d[a];
    if (!(decrement > SMALL_DECREMENT + UNSEEN * Math.abs(value))) return false;
    const x = this.#x;
    const trial = this.#trial;
    for (let part = 1, k = 0; k < MOST_HALVINGS; k++, part *= 0.5) {
      for (let a = 0; a <= this.dimension; a++) trial[a] = x[a] + (a < n ? part * d[a] : 0);
      const next = this.#value(trial);
      if (!(next <= value - DESCENT * part * decrement)) continue;
      for (let a = 0; a < n; a++) x[a] = trial[a];
      return true;
    }
    return false;
  }

  /** The function that is minimised; ∞ outside. */
  #value(x: Float64Array): number {
    const { forces, rows: m, weights } = this;
    const [scale, nu] = this.#numbers;
    const t = x[this.dimension];
    this.#place(x, forces);
    let squares = 0;
    let norm = 0;
    for (let i = 0; i < m; i++) {
      squares += forces[i] * forces[i];
      norm += weights[i] * forces[i] * forces[i];
    }
    let inside = LARGEST_FORCE * LARGEST_FORCE - squares;
    if (!(inside > 0 && t + LARGEST_RESERVE > 0)) return Infinity;
    let sum = (this.#hasSlack ? t : 0.5 * norm) / nu - Math.log(inside);
    if (this.#hasSlack) sum -= Math.log(t + LARGEST_RESERVE);
    for (let c = 0; c < this.#count; c++) {
      const slack = this.#slack(c, forces, 1 / scale) + t;
      if (!(slack > 0)) return Infinity;
      inside = slack;
      if (this.#kinds[c] === DISC)
        inside *= this.#values[c] * forces[this.#places[c]] + t + this.#tangential(c);
      sum -= Math.log(inside);
    }
    return sum;
  }

  #tangential(c: number): number {
    const { forces } = this;
    const i = this.#places[c];
    return Math.sqrt(forces[i + 1] * forces[i + 1] + forces[i + 2] * forces[i + 2]);
  }

  /** Value, gradient and Hessian at x. */
  #expand(n: number): number {
    const { directions: N, rows: m, weights, forces, dimension } = this;
    const [scale, nu] = this.#numbers;
    const H = this.#hessian.fill(0, 0, n * n);
    const g = this.#gradient.fill(0, 0, n);
    const value = this.#value(this.#x);
    const t = this.#x[dimension];
    let squares = 0;
    for (let i = 0; i < m; i++) squares += forces[i] * forces[i];
    const within = 1 / (LARGEST_FORCE * LARGEST_FORCE - squares);
    for (let a = 0; a < dimension; a++) {
      let along = 0;
      let norm = 0;
      for (let i = 0; i < m; i++) {
        along += N[a * m + i] * forces[i];
        norm += N[a * m + i] * weights[i] * forces[i];
      }
      g[a] += 2 * within * along + (this.#hasSlack ? 0 : norm / nu);
      // Columns are orthonormal. The part of the Hessian with the square of the gradient is negligible.
      H[a * n + a] += 2 * within;
      if (this.#hasSlack) continue;
      for (let b = 0; b <= a; b++) {
        let sum = 0;
        for (let i = 0; i < m; i++) sum += N[a * m + i] * weights[i] * N[b * m + i];
        H[a * n + b] += sum / nu;
      }
    }
    if (this.#hasSlack) {
      const room = 1 / (t + LARGEST_RESERVE);
      g[dimension] += 1 / nu - room;
      H[dimension * n + dimension] += room * room;
    }
    for (let c = 0; c < this.#count; c++) this.#addBarrier(c, n, t, scale);
    return value;
  }

  #addBarrier(c: number, n: number, t: number, scale: number): void {
    const { directions: N, rows: m, forces, dimension } = this;
    const H = this.#hessian;
    const g = this.#gradient;
    const i = this.#places[c];
    const [first, second, third] = this.#parts;
    const isDisc = this.#kinds[c] === DISC;
    const factor = isDisc ? this.#values[c] : this.#kinds[c] === ABOVE ? 1 : -1;
    for (let a = 0; a < dimension; a++) first[a] = factor * N[a * m + i];
    first[dimension] = 1;
    const slack = this.#slack(c, forces, 1 / scale) + t;
    if (!isDisc) {
      const inverse = 1 / slack;
      for (let a = 0; a < n; a++) {
        g[a] -= inverse * first[a];
        for (let b = 0; b <= a; b++) H[a * n + b] += inverse * inverse * first[a] * first[b];
      }
      return;
    }
    for (let a = 0; a < dimension; a++) {
      second[a] = N[a * m + i + 1];
      third[a] = N[a * m + i + 2];
    }
    second[dimension] = 0;
    third[dimension] = 0;
    const s = factor * forces[i] + t;
    const p = forces[i + 1];
    const q = forces[i + 2];
    const inverse = 1 / (slack * (s + this.#tangential(c)));
    for (let a = 0; a < n; a++) {
      const slope = 2 * inverse * (p * second[a] + q * third[a] - s * first[a]);
      g[a] += slope;
      for (let b = 0; b <= a; b++) {
        const other = 2 * inverse * (p * second[b] + q * third[b] - s * first[b]);
        const bend = second[a] * second[b] + third[a] * third[b] - first[a] * first[b];
        H[a * n + b] += slope * other + 2 * inverse * bend;
      }
    }
  }

  /** Replaces the step by H⁻¹ of it, with Cholesky’s factors, which need the lower triangle. */
  #solveStep(n: number): void {
    const H = this.#hessian;
    const d = this.#step;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < i; j++) {
        let sum = H[i * n + j];
        for (let k = 0; k < j; k++) sum -= H[i * n + k] * H[j * n + k];
        H[i * n + j] = sum * H[j * n + j];
      }
      const diagonal = H[i * n + i];
      let pivot = diagonal;
      for (let k = 0; k < i; k++) pivot -= H[i * n + k] * H[i * n + k];
      H[i * n + i] = pivot > SMALLEST_PIVOT * diagonal ? 1 / Math.sqrt(pivot) : 0;
    }
    for (let i = 0; i < n; i++) {
      let sum = d[i];
      for (let k = 0; k < i; k++) sum -= H[i * n + k] * d[k];
      d[i] = sum * H[i * n + i];
    }
    for (let i = n - 1; i >= 0; i--) {
      d[i] *= H[i * n + i];
      for (let k = 0; k < i; k++) d[k] -= H[i * n + k] * d[i];
    }
  }
}
