/**
 * Distance of two convex shapes by the algorithm of Gilbert, Johnson and Keerthi 1988: the point v of the
 * Minkowski difference B − A nearest to the origin, approached by simplices of support points. With the
 * support point w against v,
 *
 *     v·w/|v| ≤ distance ≤ |v|,
 *
 * so that the answer comes with its error. Between polytopes the method ends after finitely many steps at the
 * exact answer.
 */
import type { PlacedConvex } from './placed-polytope';

/*
 * The point of a simplex nearest to the origin: of up to four points w_k = b_k − a_k of a Minkowski
 * difference. Every part of the simplex is looked at, and the nearest point of all is taken; degenerate parts
 * are left out, as their own parts have the same points.
 */

/** Relative to the lengths of its sides squared: a triangle or tetrahedron flatter than this is none. */
const FLAT_SIMPLEX = 1e-14;

export class Simplex {
  count = 0;
  /** 3 each: points of the difference, and of the two shapes */
  readonly w = new Float64Array(12);
  readonly a = new Float64Array(12);
  readonly b = new Float64Array(12);
  readonly keysA = new Int32Array(4);
  readonly keysB = new Int32Array(4);
  /** barycentric coordinates of the nearest point */
  readonly weights = new Float64Array(4);
  /** the nearest point, and at [3] the square of its distance */
  readonly nearest = new Float64Array(4);
  readonly #trial = new Float64Array(4);
  readonly #normal = new Float64Array(3);

  /**
   * Finds the nearest point and reduces the simplex to the part it is on.
   * @returns false when the origin is inside a tetrahedron
   */
  reduce(): boolean {
    this.nearest[3] = Infinity;
    if (this.count === 4) {
      if (this.#holdsOrigin()) return false;
      for (let skip = 0; skip < 4; skip++)
        this.#triangle(skip === 0 ? 1 : 0, skip <= 1 ? 2 : 1, skip <= 2 ? 3 : 2);
    } else if (this.count === 3) this.#triangle(0, 1, 2);
    else if (this.count === 2) this.#segment(0, 1);
    else this.#vertex(0);
    this.#keepSupporting();
    return true;
  }

  /** Point on the first (`a`) or second shape (`b`) that belongs to the nearest point. */
  witness(of: Float64Array, out: Float64Array): void {
    out.fill(0);
    for (let k = 0; k < this.count; k++)
      for (let i = 0; i < 3; i++) out[i] += this.weights[k] * of[3 * k + i];
  }

  #vertex(i: number): void {
    const trial = this.#trial;
    trial.fill(0);
    trial[i] = 1;
    this.#try();
  }

  #segment(i: number, j: number): void {
    const { w } = this;
    let dd = 0;
    let dp = 0;
    for (let k = 0; k < 3; k++) {
      const d = w[3 * j + k] - w[3 * i + k];
      dd += d * d;
      dp -= d * w[3 * i + k];
    }
    if (!(dd > 0)) {
      this.#vertex(i);
      return;
    }
    const t = Math.max(0, Math.min(1, dp / dd));
    const trial = this.#trial;
    trial.fill(0);
    trial[i] = 1 - t;
    trial[j] = t;
    this.#try();
  }

  #triangle(i: number, j: number, k: number): void {
    const { w } = this;
    const n = this.#normal;
    this.#cross(i, j, k, n);
    const nn = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    const scale = this.#side(i, j) * this.#side(i, k);
    if (nn > FLAT_SIMPLEX * FLAT_SIMPLEX * scale) {
      const a = this.#area(n, j, k) / nn;
      const b = this.#area(n, k, i) / nn;
      const c = this.#area(n, i, j) / nn;
      if (a >= 0 && b >= 0 && c >= 0) {
        const trial = this.#trial;
        trial.fill(0);
        const sum = a + b + c;
        trial[i] = a / sum;
        trial[j] = b / sum;
        trial[k] = c / sum;
        // The foot of the perpendicular by the height over the triangle, which does not cancel as the
        // weighted sum would.
        const height = (n[0] * w[3 * i] + n[1] * w[3 * i + 1] + n[2] * w[3 * i + 2]) / nn;
        const square = height * height * nn;
        if (square < this.nearest[3]) {
          for (let m = 0; m < 3; m++) this.nearest[m] = height * n[m];
          this.nearest[3] = square;
          this.weights.set(trial);
        }
        return;
      }
    }
    this.#segment(i, j);
    this.#segment(j, k);
    this.#segment(k, i);
  }

  /** Takes the trial weights if their point is nearer than the nearest so far. */
  #try(): void {
    const trial = this.#trial;
    const { w, nearest } = this;
    let x = 0;
    let y = 0;
    let z = 0;
    for (let k = 0; k < 4; k++) {
      if (trial[k] === 0) continue;
      x += trial[k] * w[3 * k];
      y += trial[k] * w[3 * k + 1];
      z += trial[k] * w[3 * k + 2];
    }
    const square = x * x + y * y + z * z;
    if (!(square < nearest[3])) return;
    nearest[0] = x;
    nearest[1] = y;
    nearest[2] = z;
    nearest[3] = square;
    this.weights.set(trial);
  }

  /** Origin on the inner side of all four faces. */
  #holdsOrigin(): boolean {
    const { w } = this;
    const n = this.#normal;
    for (let skip = 0; skip < 4; skip++) {
      const i = skip === 0 ? 1 : 0;
      this.#cross(i, skip <= 1 ? 2 : 1, skip <= 2 ? 3 : 2, n);
      let height = 0;
      let own = 0;
      let length = 0;
      for (let k = 0; k < 3; k++) {
        height += n[k] * (w[3 * skip + k] - w[3 * i + k]);
        own -= n[k] * w[3 * i + k];
        length += n[k] * n[k];
      }
      if (height * height <= FLAT_SIMPLEX * FLAT_SIMPLEX * length * this.#side(i, skip)) return false;
      if (height * own < 0) return false;
    }
    return true;
  }

  #keepSupporting(): void {
    let to = 0;
    for (let k = 0; k < this.count; k++) {
      if (this.weights[k] === 0) continue;
      if (to !== k) {
        for (let i = 0; i < 3; i++) {
          this.w[3 * to + i] = this.w[3 * k + i];
          this.a[3 * to + i] = this.a[3 * k + i];
          this.b[3 * to + i] = this.b[3 * k + i];
        }
        this.keysA[to] = this.keysA[k];
        this.keysB[to] = this.keysB[k];
        this.weights[to] = this.weights[k];
      }
      to++;
    }
    this.count = to;
  }

  /** (w_j − w_i) × (w_k − w_i) */
  #cross(i: number, j: number, k: number, out: Float64Array): void {
    const { w } = this;
    const ax = w[3 * j] - w[3 * i];
    const ay = w[3 * j + 1] - w[3 * i + 1];
    const az = w[3 * j + 2] - w[3 * i + 2];
    const bx = w[3 * k] - w[3 * i];
    const by = w[3 * k + 1] - w[3 * i + 1];
    const bz = w[3 * k + 2] - w[3 * i + 2];
    out[0] = ay * bz - az * by;
    out[1] = az * bx - ax * bz;
    out[2] = ax * by - ay * bx;
  }

  /** n·(w_i × w_j) */
  #area(n: Float64Array, i: number, j: number): number {
    const { w } = this;
    const a = 3 * i;
    const b = 3 * j;
    return (
      n[0] * (w[a + 1] * w[b + 2] - w[a + 2] * w[b + 1]) +
      n[1] * (w[a + 2] * w[b] - w[a] * w[b + 2]) +
      n[2] * (w[a] * w[b + 1] - w[a + 1] * w[b])
    );
  }

  /** |w_j − w_i|² */
  #side(i: number, j: number): number {
    let sum = 0;
    for (let k = 0; k < 3; k++) sum += (this.w[3 * j + k] - this.w[3 * i + k]) ** 2;
    return sum;
  }
}

export type GjkStatus = 'separated' | 'beyond' | 'overlapping' | 'maxIterations';

/** Bounds of |v|² this close, relative, are equal to rounding: for answers that are taken as they are. */
export const EXACT = 1e-15;
/** Normals are right to about the root of this: enough where they are refined afterwards. */
export const ROUGH = 1e-10;
/** Enough where what comes of them is proved, or else done again. */
export const COARSE = 1e-3;
/**
 * Relative to the sizes: nearer than this the direction between two shapes is rounding, and they count as
 * overlapping.
 */
const TOUCHING = 1e-13;
/** Curved shapes converge linearly at worst; polytopes end long before. */
const MOST_ITERATIONS = 200;

export class Gjk {
  readonly simplex = new Simplex();
  /** from the first shape to the second, its length is the distance */
  readonly v = new Float64Array(3);
  readonly #kept = new Simplex();

  /**
   * Leaves the answer in `v` and in the simplex.
   * @param start direction to begin with, not zero
   * @param limit [0] m: shapes that are farther apart are `beyond`, and how far is left open
   * @param accuracy of the square of the distance, relative
   */
  run(
    a: PlacedConvex,
    b: PlacedConvex,
    start: Float64Array,
    limit: Float64Array,
    accuracy: typeof EXACT | typeof ROUGH | typeof COARSE,
  ): GjkStatus {
    const { simplex, v } = this;
    simplex.count = 0;
    v.set(start);
    const size = a.extent[0] + b.extent[0];
    const touching = TOUCHING * TOUCHING * size * size;
    for (let iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
      const k = simplex.count;
      simplex.keysA[k] = a.support(v, 1, simplex.a, 3 * k);
      simplex.keysB[k] = b.support(v, -1, simplex.b, 3 * k);
      let vv = 0;
      let vw = 0;
      for (let i = 0; i < 3; i++) {
        const w = simplex.b[3 * k + i] - simplex.a[3 * k + i];
        simplex.w[3 * k + i] = w;
        vv += v[i] * v[i];
        vw += v[i] * w;
      }
      if (vw > 0 && vw * vw > limit[0] * limit[0] * vv) return 'beyond';
      if (k > 0 && (vv - vw <= accuracy * vv || this.#isKnown(k))) return 'separated';
      if (k > 0) this.#keep();
      simplex.count = k + 1;
      if (!simplex.reduce()) return 'overlapping';
      if (simplex.nearest[3] <= touching) return 'overlapping';
      // Rounding ends progress before the bounds meet: the best simplex stays.
      if (k > 0 && simplex.nearest[3] >= vv) {
        this.#restore();
        return 'separated';
      }
      for (let i = 0; i < 3; i++) v[i] = simplex.nearest[i];
    }
    return 'maxIterations';
  }

  #isKnown(k: number): boolean {
    const { w } = this.simplex;
    for (let j = 0; j < k; j++)
      if (w[3 * j] === w[3 * k] && w[3 * j + 1] === w[3 * k + 1] && w[3 * j + 2] === w[3 * k + 2])
        return true;
    return false;
  }

  #keep(): void {
    copySimplex(this.simplex, this.#kept);
  }

  #restore(): void {
    copySimplex(this.#kept, this.simplex);
  }
}

function copySimplex(from: Simplex, to: Simplex): void {
  to.count = from.count;
  to.w.set(from.w);
  to.a.set(from.a);
  to.b.set(from.b);
  to.keysA.set(from.keysA);
  to.keysB.set(from.keysB);
  to.weights.set(from.weights);
  to.nearest.set(from.nearest);
}
