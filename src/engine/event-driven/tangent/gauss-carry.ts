/**
 * Φ̇ = A(t) Φ over a part of a stretch by collocation in Gauss' four points: order 8, for matrices that are
 * known by values along the motion. With stages K_i = A_i (Φ + h Σ_j a_ij K_j),
 *
 *     (I − h [A_i a_ij]) K = [A_i] Φ,     Φ⁺ = Φ + h Σ b_i K_i.
 *
 * For constant A it is the (4, 4) Padé approximation, whose error is 4e-8 |A h|⁹. Parts with |A h| ≤ 0.3
 * leave 1e-12. It is A-stable, so that a fast mode, for which a part is longer, dies out as it should (Hairer
 * and Wanner 1996, IV.5).
 */
import { factorDense, solveDense } from '../../linalg/lu';

export const STAGES = 4;
/** Longest part in units of 1/|A|, and most parts of a stretch: beyond that, what is fast dies out. */
const REACH = 0.3;
const MOST_PARTS = 64;
/** Products that estimate |A|. */
const PRODUCTS = 12;

/** c, from the zeros of Legendre's polynomial of degree 4. */
const INNER = Math.sqrt(3 / 7 - (2 / 7) * Math.sqrt(6 / 5));
const OUTER = Math.sqrt(3 / 7 + (2 / 7) * Math.sqrt(6 / 5));
export const GAUSS_NODES = Float64Array.of(
  0.5 - OUTER / 2,
  0.5 - INNER / 2,
  0.5 + INNER / 2,
  0.5 + OUTER / 2,
);

/** Coefficients of Lagrange's polynomial j of the nodes, Π (x − c_k)/(c_j − c_k), ascending. */
export function lagrange(j: number): readonly number[] {
  let polynomial = [1];
  for (let k = 0; k < STAGES; k++) {
    if (k === j) continue;
    const factor = 1 / (GAUSS_NODES[j] - GAUSS_NODES[k]);
    const next = new Array<number>(polynomial.length + 1).fill(0);
    polynomial.forEach((value, power) => {
      next[power + 1] += factor * value;
      next[power] -= factor * GAUSS_NODES[k] * value;
    });
    polynomial = next;
  }
  return polynomial;
}

/** ∫ of Lagrange's polynomial j of the nodes from 0 to `end`. */
function weight(j: number, end: number): number {
  return lagrange(j).reduce((sum, value, power) => sum + (value * end ** (power + 1)) / (power + 1), 0);
}

/** a_ij at [4 i + j], and b. */
const A = Float64Array.from({ length: STAGES * STAGES }, (_, k) =>
  weight(k % STAGES, GAUSS_NODES[Math.floor(k / STAGES)]),
);
const B = Float64Array.from({ length: STAGES }, (_, j) => weight(j, 1));

/** Gives A at a place of the stretch, s behind its start. @param out entry [i, j] at [i + n j] */
export type MatrixAt = (place: Float64Array, out: Float64Array) => void;

export class GaussCarry {
  readonly #matrices: readonly Float64Array[];
  readonly #system: Float64Array;
  readonly #pivots: Int32Array;
  readonly #stages: Float64Array;
  readonly #place = new Float64Array(1);

  constructor(private readonly n: number) {
    this.#matrices = Array.from({ length: STAGES }, () => new Float64Array(n * n));
    this.#system = new Float64Array((STAGES * n) ** 2);
    this.#pivots = new Int32Array(STAGES * n);
    this.#stages = new Float64Array(STAGES * n);
  }

  /**
   * @param span [0] where on the stretch, [1] up to where, s
   * @param frame columns one after the other, n entries each; replaced
   */
  carry(matrixAt: MatrixAt, span: Float64Array, frame: Float64Array): void {
    const length = span[1] - span[0];
    this.#place[0] = span[0] + 0.5 * length;
    matrixAt(this.#place, this.#matrices[0]);
    const parts = Math.min(
      MOST_PARTS,
      Math.max(1, Math.ceil((this.norm(this.#matrices[0]) * length) / REACH)),
    );
    const h = length / parts;
    for (let p = 0; p < parts; p++) {
      const start = span[0] + p * h;
      for (let i = 0; i < STAGES; i++) {
        this.#place[0] = start + GAUSS_NODES[i] * h;
        matrixAt(this.#place, this.#matrices[i]);
      }
      this.#factor(h);
      for (let at = 0; at < frame.length; at += this.n) this.#advance(h, frame, at);
    }
  }

  /**
   * The growth of |A|ᵏ 1, which tends to the spectral radius of |A|: an upper bound of all rates in A of
   * which units of the components are no part. The number of products is a multiple of the lengths of short
   * cycles.
   */
  norm(matrix: Float64Array): number {
    const { n } = this;
    const x = this.#stages;
    for (let i = 0; i < n; i++) x[i] = 1;
    let logarithm = 0;
    for (let product = 0; product < PRODUCTS; product++) {
      let largest = 0;
      for (let i = 0; i < n; i++) {
        let sum = 0;
        for (let j = 0; j < n; j++) sum += Math.abs(matrix[i + n * j]) * x[j];
        x[n + i] = sum;
        largest = Math.max(largest, sum);
      }
      if (!(largest > 0)) return 0;
      logarithm += Math.log(largest);
      for (let i = 0; i < n; i++) x[i] = x[n + i] / largest;
    }
    return Math.exp(logarithm / PRODUCTS);
  }

  #factor(h: number): void {
    const { n } = this;
    const size = STAGES * n;
    const system = this.#system;
    for (let j = 0; j < STAGES; j++) {
      for (let c = 0; c < n; c++) {
        const column = (j * n + c) * size;
        for (let i = 0; i < STAGES; i++) {
          const factor = -h * A[STAGES * i + j];
          const matrix = this.#matrices[i];
          for (let r = 0; r < n; r++) system[column + i * n + r] = factor * matrix[r + n * c];
        }
        system[column + j * n + c] += 1;
      }
    }
    if (factorDense(system, 0, size, this.#pivots, 0) >= 0) system.fill(NaN);
  }

  #advance(h: number, frame: Float64Array, at: number): void {
    const { n } = this;
    const stages = this.#stages;
    for (let i = 0; i < STAGES; i++) {
      const matrix = this.#matrices[i];
      for (let r = 0; r < n; r++) {
        let sum = 0;
        for (let c = 0; c < n; c++) sum += matrix[r + n * c] * frame[at + c];
        stages[i * n + r] = sum;
      }
    }
    solveDense(this.#system, 0, STAGES * n, this.#pivots, 0, stages);
    for (let r = 0; r < n; r++) {
      let sum = 0;
      for (let i = 0; i < STAGES; i++) sum += B[i] * stages[i * n + r];
      frame[at + r] += h * sum;
    }
  }
}
