/**
 * The flow of ż = A z + b by its Taylor series,
 *
 *     z(τ) = Σ_k c_k τ^k,   c_0 = z,   c_1 = A z + b,   c_{k+1} = A c_k/(k + 1),
 *
 * and a majorant of it, m_0 = |z|, m_1 = |A||z| + |b|, m_{k+1} = |A| m_k/(k + 1), which bounds the c_k and all that rounding
 * does to them. What lies behind order N is bounded in two ways.
 *
 * If |A| m_N ≤ μ m_N, entry by entry, then |A|^j m_N ≤ μ^j m_N, and with μτ/(N + 1) ≤ ½
 *
 *     |Σ_{k>N} c_k,i τ^k| ≤ m_N,i τ^N Σ_{j≥1} (μτ/(N + 1))^j ≤ 2 μ/(N + 1) m_N,i τ^{N+1}.
 *
 * As |A| m_N = (N + 1) m_{N+1}, and the m_k tend to the Perron vector of |A|, such a μ is max (N + 1) m_{N+1,i}/m_N,i, and no
 * component is charged with what others do. Where it is too large, the norm of `weights.ts` is taken, in which
 * ‖m_{k+1}‖ ≤ ν/(k + 1) ‖m_k‖, with ρ = ντ ≤ 3/2:
 *
 *     ‖Σ_{k>N} c_k τ^k‖ ≤ ‖m_1‖ τ Σ_{k>N} ρ^{k−1}/k! ≤ ‖m_1‖ τ ρ^N/(N + 1)! · 2.
 *
 * No eigenvalues: a defective A is nothing special. If A is nilpotent
 * the series ends, and the polynomial is the motion at all times.
 */
import {
  type LinearSystem,
  MAX_ORDER,
  polynomialOrder,
  RADIUS,
  ROW,
  type SparseRows,
  sparseRows,
} from './linear-system';
import { weights } from './weights';

/** What may be left out of a motion, relative to what the rate alone would move the state by. */
const NEGLIGIBLE = 2 ** -58;

/** Factors 2/(N + 1)! of the remainder. */
const REMAINDER = Float64Array.from({ length: ROW }, (_, order) => {
  let factor = 2;
  for (let k = 2; k <= order + 1; k++) factor /= k;
  return factor;
});
/** Largest ρ for which order N suffices. */
const REACH = Float64Array.from(REMAINDER, (factor, order) =>
  order === 0 ? 0 : Math.min(RADIUS, (NEGLIGIBLE / factor) ** (1 / order)),
);

function firstBadRow({ size, matrix, constant }: LinearSystem): number {
  for (let i = 0; i < size; i++) {
    if (!Number.isFinite(constant[i])) return i;
    for (let j = 0; j < size; j++) if (!Number.isFinite(matrix[i * size + j])) return i;
  }
  return -1;
}

export class Flow {
  readonly size: number;
  /** order of the polynomial that every motion is; −1 when they are none */
  readonly order: number;
  /**
   * [0] ν, [1] longest stretch of one series: a power of two, infinite where the motion is a polynomial, 0 where ν is too
   * large for a number
   */
  readonly limits = new Float64Array(2);
  /** scales d of the components, n entries */
  readonly scales: Float64Array;
  /** first component whose rate has a coefficient that is not finite; −1 if there is none */
  readonly bad: number;
  readonly #rows: SparseRows;
  readonly #constant: Float64Array;
  /** ν^N · 2/(N + 1)! by order N */
  readonly #remainders: Float64Array;

  constructor(system: LinearSystem) {
    this.size = system.size;
    this.#rows = sparseRows(system);
    this.#constant = Float64Array.from(system.constant);
    this.order = polynomialOrder(system, this.#rows);
    const { scales, norm } = weights(this.#rows);
    this.scales = scales;
    this.limits[0] = this.order < 0 ? norm : 0;
    this.#remainders = REMAINDER.map((factor, order) => factor * norm ** order);
    this.bad = firstBadRow(system);
    this.limits[1] = this.order < 0 ? 2 ** Math.floor(Math.log2(RADIUS / norm)) : Infinity;
  }

  /**
   * Order at which the series may end on a stretch.
   * @param length [0] its length, at most `limits[1]`
   */
  orderFor(length: Float64Array): number {
    if (this.order >= 0) return this.order;
    const rho = this.limits[0] * length[0];
    let order = 1;
    while (order < MAX_ORDER && rho > REACH[order]) order++;
    return order;
  }

  /**
   * Coefficients of the motion that starts at z, and of its majorant.
   * @param order the last of them
   * @param c c_k,i at [ROW i + k]
   * @param m m_k,i likewise
   */
  expand(z: Float64Array, order: number, c: Float64Array, m: Float64Array): void {
    const n = this.size;
    const { starts, columns, values, sizes } = this.#rows;
    for (let i = 0; i < n; i++) {
      c[ROW * i] = z[i];
      m[ROW * i] = Math.abs(z[i]);
    }
    for (let k = 0; k < order; k++) {
      const factor = 1 / (k + 1);
      for (let i = 0; i < n; i++) {
        let sum = k === 0 ? this.#constant[i] : 0;
        let size = Math.abs(sum);
        for (let entry = starts[i]; entry < starts[i + 1]; entry++) {
          const from = ROW * columns[entry] + k;
          sum += values[entry] * c[from];
          size += sizes[entry] * m[from];
        }
        c[ROW * i + k + 1] = sum * factor;
        m[ROW * i + k + 1] = size * factor;
      }
    }
  }

  /**
   * Factors r of the remainder: on a stretch, component i of what is left out is at most r_i τ^{N+1}.
   * @param m majorant of the motion, expanded to order N
   * @param length [0] length of the stretch
   * @param out r, n entries
   */
  remainder(m: Float64Array, order: number, length: Float64Array, out: Float64Array): void {
    const n = this.size;
    if (this.order >= 0) {
      for (let i = 0; i < n; i++) out[i] = 0;
      return;
    }
    const { starts, columns, sizes } = this.#rows;
    let growth = 0;
    let rate = 0;
    for (let i = 0; i < n; i++) {
      const size = m[ROW * i + order];
      let next = 0;
      for (let entry = starts[i]; entry < starts[i + 1]; entry++) {
        next += sizes[entry] * m[ROW * columns[entry] + order];
      }
      if (next > 0) growth = Math.max(growth, next / size);
      rate = Math.max(rate, m[ROW * i + 1] / this.scales[i]);
    }
    if (growth * length[0] <= 0.5 * (order + 1)) {
      const factor = (2 * growth) / (order + 1);
      for (let i = 0; i < n; i++) out[i] = factor * m[ROW * i + order];
      return;
    }
    for (let i = 0; i < n; i++) out[i] = rate * this.#remainders[order] * this.scales[i];
  }

  /** State at τ = `place[0]` into `out`. */
  evaluate(c: Float64Array, order: number, place: Float64Array, out: Float64Array): void {
    const tau = place[0];
    for (let i = 0; i < this.size; i++) {
      let sum = c[ROW * i + order];
      for (let k = ROW * i + order - 1; k >= ROW * i; k--) sum = c[k] + tau * sum;
      out[i] = sum;
    }
  }
}
