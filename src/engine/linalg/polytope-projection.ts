/**
 * The nearest point of a polytope C = {z : A z ≤ b} in the Euclidean norm, with the multipliers of its
 * facets:
 *
 *     z = p − ᵗA u,     0 ≤ u ⊥ b − A z ≥ 0.
 *
 * The dual active-set method of Goldfarb and Idnani 1983 with the identity for Hessian. It starts from p
 * itself and takes in the facet that is violated most; a facet whose multiplier would become negative on the
 * way is let go. Each pass either takes a facet in, with the distance from p growing, or lets one go, so that
 * no set of facets comes twice and the method is finite. Where a violated facet depends on those taken in and
 * none of them can be let go, C is empty.
 *
 * Rows are used at length 1, so that a violation is a distance.
 */

/** A distance from a facet that rounding of the terms in it may leave, relative to the largest of them. */
const ON_FACET = 64 * Number.EPSILON;
/** The same where facets at an acute angle have placed the point, whose rounding the angle magnifies. */
const IN_CORNER = 1e-8;
/** |a − N N⁺ a|² of unit normals below which a counts as dependent on those in N. */
const DEPENDENT = 1e-16;
/** Passes for each facet; far above what the method takes, so that NaN and cycling by rounding end. */
const PASSES = 50;

export class PolytopeProjection {
  /** the nearest point, after `project` */
  readonly point: Float64Array;

  readonly #size: number;
  readonly #count: number;
  /** rows of length 1, and their right sides */
  readonly #normals: Float64Array;
  readonly #offsets: Float64Array;
  /** facets that are taken in, their number, and the multiplier of each */
  readonly #taken: Int32Array;
  #takenCount = 0;
  readonly #multipliers: Float64Array;
  /** N⁺ a of a facet a, and a − N N⁺ a */
  readonly #parts: Float64Array;
  readonly #direction: Float64Array;
  /** Cholesky factor of ᵗN N */
  readonly #factor: Float64Array;

  /**
   * @param A m × n, row-major, no row zero
   * @param b length m
   */
  constructor(A: Float64Array, b: Float64Array) {
    const m = b.length;
    const n = A.length / m;
    this.#size = n;
    this.#count = m;
    this.#normals = A.slice();
    this.#offsets = b.slice();
    for (let i = 0; i < m; i++) {
      const length = Math.hypot(...A.subarray(i * n, (i + 1) * n));
      for (let k = 0; k < n; k++) this.#normals[i * n + k] /= length;
      this.#offsets[i] /= length;
    }
    this.point = new Float64Array(n);
    const most = Math.min(m, n);
    this.#taken = new Int32Array(most + 1);
    this.#multipliers = new Float64Array(most + 1);
    this.#parts = new Float64Array(most + 1);
    this.#direction = new Float64Array(n);
    this.#factor = new Float64Array((most + 1) * (most + 1));
  }

  /** Largest distance of z beyond a facet; negative inside. */
  excess(z: Float64Array): number {
    let worst = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < this.#count; i++) {
      const distance = this.#along(i, z) - this.#offsets[i];
      if (!(distance <= worst) && !Number.isNaN(worst)) worst = distance;
    }
    return worst;
  }

  /**
   * Fills `point` with the nearest point to p.
   * @returns false where there is none: C is empty, or p is not finite
   */
  project(p: Float64Array): boolean {
    const { point } = this;
    point.set(p);
    this.#takenCount = 0;
    let facet = -1;
    let multiplier = 0;
    for (let pass = 0; pass < PASSES * this.#count; pass++) {
      if (facet < 0) {
        facet = this.#mostViolated();
        if (facet < 0) return point.every(Number.isFinite);
        multiplier = 0;
      }
      const slope = this.#separate(facet);
      // How far the multipliers allow, and how far it is to the facet.
      let step = Number.POSITIVE_INFINITY;
      let dropped = -1;
      for (let k = 0; k < this.#takenCount; k++) {
        const limit = this.#parts[k] > 0 ? this.#multipliers[k] / this.#parts[k] : Number.POSITIVE_INFINITY;
        if (limit >= step) continue;
        step = limit;
        dropped = k;
      }
      // As many as there are components leave no direction, whatever rounding says.
      const isDependent = this.#takenCount === this.#size || !(slope > DEPENDENT);
      const whole = isDependent
        ? Number.POSITIVE_INFINITY
        : (this.#along(facet, point) - this.#offsets[facet]) / slope;
      if (whole <= step) {
        step = whole;
        dropped = -1;
      }
      // Facets that meet in one point miss it by rounding: no other is violated by more than this one.
      if (step === Number.POSITIVE_INFINITY) return this.#isMissedByRounding(facet);
      if (!isDependent) for (let k = 0; k < point.length; k++) point[k] -= step * this.#direction[k];
      for (let k = 0; k < this.#takenCount; k++) this.#multipliers[k] -= step * this.#parts[k];
      multiplier += step;
      if (dropped >= 0) {
        this.#drop(dropped);
        continue;
      }
      this.#taken[this.#takenCount] = facet;
      this.#multipliers[this.#takenCount++] = multiplier;
      facet = -1;
    }
    return false;
  }

  #isMissedByRounding(facet: number): boolean {
    const distance = this.#along(facet, this.point) - this.#offsets[facet];
    return distance <= IN_CORNER * this.#terms(facet);
  }

  /** Sum of the magnitudes that a distance from a facet is made of. */
  #terms(facet: number): number {
    let terms = Math.abs(this.#offsets[facet]);
    for (let k = 0; k < this.point.length; k++)
      terms += Math.abs(this.#normals[facet * this.#size + k] * this.point[k]);
    return terms;
  }

  #along(facet: number, z: Float64Array): number {
    let sum = 0;
    for (let k = 0; k < z.length; k++) sum += this.#normals[facet * this.#size + k] * z[k];
    return sum;
  }

  /** −1 where no facet is violated by more than rounding. */
  #mostViolated(): number {
    const { point } = this;
    let worst = 0;
    let facet = -1;
    for (let i = 0; i < this.#count; i++) {
      if (this.#taken.subarray(0, this.#takenCount).includes(i)) continue;
      const terms = this.#terms(i);
      const distance = this.#along(i, point) - this.#offsets[i];
      if (distance <= ON_FACET * terms || distance <= worst) continue;
      worst = distance;
      facet = i;
    }
    return facet;
  }

  /**
   * Fills `#parts` with N⁺ a of a facet's normal a and `#direction` with a − N N⁺ a.
   * @returns the square of the latter
   */
  #separate(facet: number): number {
    const n = this.#size;
    const count = this.#takenCount;
    const parts = this.#parts;
    const direction = this.#direction;
    const product = (i: number, j: number): number => {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += this.#normals[i * n + k] * this.#normals[j * n + k];
      return sum;
    };
    const L = this.#factor;
    for (let i = 0; i < count; i++) {
      for (let j = 0; j <= i; j++) {
        let sum = product(this.#taken[i], this.#taken[j]);
        for (let k = 0; k < j; k++) sum -= L[i * count + k] * L[j * count + k];
        L[i * count + j] = i === j ? Math.sqrt(sum) : sum / L[j * count + j];
      }
      let right = product(this.#taken[i], facet);
      for (let k = 0; k < i; k++) right -= L[i * count + k] * parts[k];
      parts[i] = right / L[i * count + i];
    }
    for (let i = count - 1; i >= 0; i--) {
      let right = parts[i];
      for (let k = i + 1; k < count; k++) right -= L[k * count + i] * parts[k];
      parts[i] = right / L[i * count + i];
    }
    let square = 0;
    for (let k = 0; k < n; k++) {
      let rest = this.#normals[facet * n + k];
      for (let i = 0; i < count; i++) rest -= parts[i] * this.#normals[this.#taken[i] * n + k];
      direction[k] = rest;
      square += rest * rest;
    }
    return square;
  }

  #drop(k: number): void {
    this.#taken.copyWithin(k, k + 1, this.#takenCount);
    this.#multipliers.copyWithin(k, k + 1, this.#takenCount);
    this.#takenCount--;
  }
}
