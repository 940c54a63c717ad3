/**
 * Problems of a few unknowns that implicit control laws pose at a sample,
 *
 *     −(M λ + q) ∈ N_K(λ),
 *
 * where K is a box or a planar polytope. All faces of K are tried: the solution that belongs to a face is
 * a linear system, and is one where it lies on the face and its rest points outwards. So the answer is
 * exact, or there is none.
 */
import { factorLU, solveLU } from '../../linalg/lu';

/** Most controls of one block: 3⁶ faces are tried at the worst. */
export const MOST_CONTROLS = 6;

/** Roundings of the numbers at hand that a solution may be off its face by. */
const ROUNDING = 64 * Number.EPSILON;

export class BoxProblem {
  readonly #lu: Float64Array;
  readonly #rhs: Float64Array;
  readonly #pivots: Int32Array;
  /** −1 and 1 at the bounds, 0 between them */
  readonly #face: Int8Array;

  /**
   * @param M size × size
   * @param bound K = [−bound, bound]
   */
  constructor(
    private readonly M: Float64Array,
    private readonly size: number,
    private readonly bound: number,
  ) {
    this.#lu = new Float64Array(size * size);
    this.#rhs = new Float64Array(size);
    this.#pivots = new Int32Array(size);
    this.#face = new Int8Array(size);
  }

  /** @returns whether there is a solution; the last face is tried first, as it is mostly the same */
  solve(q: Float64Array, lambda: Float64Array): boolean {
    if (this.#isSolution(q, lambda)) return true;
    const faces = 3 ** this.size;
    for (let index = 0; index < faces; index++) {
      let rest = index;
      for (let i = 0; i < this.size; i++) {
        this.#face[i] = (rest % 3) - 1;
        rest = Math.floor(rest / 3);
      }
      if (this.#isSolution(q, lambda)) return true;
    }
    return false;
  }

  #isSolution(q: Float64Array, lambda: Float64Array): boolean {
    const { M, size: n, bound } = this;
    const face = this.#face;
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) this.#lu[i * n + j] = face[i] === 0 ? M[i * n + j] : i === j ? 1 : 0;
    for (let i = 0; i < n; i++) this.#rhs[i] = face[i] === 0 ? -q[i] : face[i] * bound;
    if (!factorLU(this.#lu, 0, n, this.#pivots, 0)) return false;
    solveLU(this.#lu, 0, n, this.#pivots, 0, this.#rhs, 0);
    for (let i = 0; i < n; i++) {
      if (face[i] === 0) {
        if (!(Math.abs(this.#rhs[i]) <= bound * (1 + ROUNDING))) return false;
        continue;
      }
      let y = q[i];
      let size = Math.abs(q[i]);
      for (let j = 0; j < n; j++) {
        y += M[i * n + j] * this.#rhs[j];
        size += Math.abs(M[i * n + j] * this.#rhs[j]);
      }
      // λ at its upper bound asks for y ≤ 0, at its lower one for y ≥ 0.
      if (!(face[i] * y <= ROUNDING * size)) return false;
    }
    for (let i = 0; i < n; i++) lambda[i] = Math.min(bound, Math.max(-bound, this.#rhs[i]));
    return true;
  }
}

/** K = {λ ∈ ℝ² : ⟨nᵢ, λ⟩ ≤ 1}, its edges one after the other around it. */
export class PlanarProblem {
  readonly #y = new Float64Array(2);

  /**
   * @param M 2 × 2; may be singular
   * @param normals n₀, n₁, …, two numbers each
   */
  constructor(
    private readonly M: Float64Array,
    private readonly normals: Float64Array,
  ) {}

  /** @returns whether there is a solution */
  solve(q: Float64Array, lambda: Float64Array): boolean {
    const { M, normals } = this;
    const count = normals.length / 2;
    const determinant = M[0] * M[3] - M[1] * M[2];
    if (determinant !== 0) {
      lambda[0] = -(M[3] * q[0] - M[1] * q[1]) / determinant;
      lambda[1] = -(M[0] * q[1] - M[2] * q[0]) / determinant;
      if (this.#isInside(lambda)) return true;
    }
    for (let k = 0; k < count; k++) if (this.#onEdge(k, q, lambda)) return true;
    for (let k = 0; k < count; k++) if (this.#atCorner(k, (k + 1) % count, q, lambda)) return true;
    return false;
  }

  #isInside(lambda: Float64Array): boolean {
    const { normals } = this;
    for (let k = 0; k < normals.length; k += 2)
      if (!(normals[k] * lambda[0] + normals[k + 1] * lambda[1] <= 1 + ROUNDING)) return false;
    return true;
  }

  /** M λ + q */
  #residual(q: Float64Array, lambda: Float64Array): number {
    const { M } = this;
    this.#y[0] = M[0] * lambda[0] + M[1] * lambda[1] + q[0];
    this.#y[1] = M[2] * lambda[0] + M[3] * lambda[1] + q[1];
    return (
      Math.abs(q[0]) +
      Math.abs(q[1]) +
      Math.abs(M[0] * lambda[0]) +
      Math.abs(M[1] * lambda[1]) +
      Math.abs(M[2] * lambda[0]) +
      Math.abs(M[3] * lambda[1])
    );
  }

  /** λ on an edge, where M λ + q has no part along it and none inwards. */
  #onEdge(k: number, q: Float64Array, lambda: Float64Array): boolean {
    const { M, normals } = this;
    const a = normals[2 * k];
    const b = normals[2 * k + 1];
    // λ = n/|n|² + s (−b, a) with ⟨(−b, a), M λ + q⟩ = 0
    const square = a * a + b * b;
    const x = a / square;
    const y = b / square;
    const along = (u: number, v: number): number => -b * (M[0] * u + M[1] * v) + a * (M[2] * u + M[3] * v);
    const slope = along(-b, a);
    if (slope === 0) return false;
    const s = -(along(x, y) - b * q[0] + a * q[1]) / slope;
    lambda[0] = x - s * b;
    lambda[1] = y + s * a;
    if (!this.#isInside(lambda)) return false;
    const size = this.#residual(q, lambda);
    return a * this.#y[0] + b * this.#y[1] <= ROUNDING * size * Math.sqrt(square);
  }

  /** λ at a corner, where −(M λ + q) lies between the two normals. */
  #atCorner(i: number, j: number, q: Float64Array, lambda: Float64Array): boolean {
    const { normals } = this;
    const [a, b, c, d] = [normals[2 * i], normals[2 * i + 1], normals[2 * j], normals[2 * j + 1]];
    const determinant = a * d - b * c;
    if (determinant === 0) return false;
    lambda[0] = (d - b) / determinant;
    lambda[1] = (a - c) / determinant;
    if (!this.#isInside(lambda)) return false;
    const size = this.#residual(q, lambda);
    // −y = s n_i + t n_j with s, t ≥ 0
    const s = (-this.#y[0] * d + this.#y[1] * c) / determinant;
    const t = (-this.#y[1] * a + this.#y[0] * b) / determinant;
    const least = -ROUNDING * size * (Math.abs(a) + Math.abs(b) + Math.abs(c) + Math.abs(d));
    return s * Math.abs(determinant) >= least && t * Math.abs(determinant) >= least;
  }
}
