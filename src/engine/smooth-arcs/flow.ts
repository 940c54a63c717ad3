/**
 * The flow of ż = A z + b by its Taylor series,
 *
 *     z(τ) = Σ_k c_k τ^k,   c_0 = z,   c_1 = A z + b,   c_{k+1} = A c_k/(k + 1),
 *
 * and a majorant of it, m_0 = |z|, m_1 = |A||z| + |b|, m_{k+1} = |A| m_k/(k + 1), which bounds the c_k and
 * all that rounding does to them. What lies behind order N is bounded in two ways.
 *
 * If |A| m_N ≤ μ m_N, entry by entry, then |A|^j m_N ≤ μ^j m_N, and with μτ/(N + 1) ≤ ½
 *
 *     |Σ_{k>N} c_k,i τ^k| ≤ m_N,i τ^N Σ_{j≥1} (μτ/(N + 1))^j ≤ 2 μ/(N + 1) m_N,i τ^{N+1}.
 *
 * As |A| m_N = (N + 1) m_{N+1}, and the m_k tend to the Perron vector of |A|, such a μ is max (N + 1)
 * m_{N+1,i}/m_N,i, and no component is charged with what others do. Where it is too large, the weighted norm
 * below is taken, in which ‖m_{k+1}‖ ≤ ν/(k + 1) ‖m_k‖, with ρ = ντ ≤ 3/2:
 *
 *     ‖Σ_{k>N} c_k τ^k‖ ≤ ‖m_1‖ τ Σ_{k>N} ρ^{k−1}/k! ≤ ‖m_1‖ τ ρ^N/(N + 1)! · 2.
 *
 * No eigenvalues: a defective A is nothing special. If A is nilpotent
 * the series ends, and the polynomial is the motion at all times.
 */
import {
  type LinearSystem,
  MAX_ORDER,
  RADIUS,
  ROW,
  type NonzeroPattern,
  polynomialOrder,
  nonzeroPattern,
} from './linear-system';

/*
 * Scales d of the components and a bound ν such that |A| d ≤ ν d, entry by entry. In the norm ‖z‖ = max
 * |z_i|/d_i then ‖A z‖ ≤ ν ‖z‖, and |A|, A and all their powers are bounded with it: the unit of a position
 * and that of a velocity do not matter.
 *
 * Any d > 0 gives a bound, ν = max (|A| d)_i/d_i, which is never below the spectral radius of |A| and equal
 * to it for the Perron vector (Collatz 1942; Wielandt 1950). Power iteration approaches that vector; where it
 * converges slowly, the bound is merely larger. For an oscillator d = (1, ω) and ν = ω.
 *
 * It starts from scales on which pairs of components agree, |A_ij| d_j/d_i = |A_ji| d_i/d_j, so that bound
 * and arcs are the same in other units: to the last bit where these are powers of two.
 */

interface Weights {
  /** d, n entries, all positive */
  readonly scales: Float64Array;
  /** ν */
  readonly norm: number;
}

const ITERATIONS = 60;
/**
 * A bound this close to its predecessor is not worth another iteration: arcs have lengths of powers of two.
 */
const GAIN = 1e-3;
/**
 * Nor is a bound this little lower worth scales that are further apart: those of a part that is not coupled
 * fall for ever.
 */
const WORTH = 0.02;
/** Scales are kept within this of the largest, so that neither they nor their inverses overflow. */
const SMALLEST = 1e-150;

/** @param start scales to begin with */
function weights(rows: NonzeroPattern, start: Float64Array): Weights {
  const n = rows.starts.length - 1;
  let scales = start;
  let best: Weights = { scales, norm: Infinity };
  const image = new Float64Array(n);
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    let norm = 0;
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let k = rows.starts[i]; k < rows.starts[i + 1]; k++) {
        sum += rows.sizes[k] * scales[rows.columns[k]];
      }
      image[i] = sum;
      norm = Math.max(norm, sum / scales[i]);
    }
    if (norm < (1 - WORTH) * best.norm) best = { scales, norm };
    if (!(norm > 0) || !Number.isFinite(norm)) break;
    // A multiple of the identity keeps two-cycles, as that of an oscillator, from going on for ever.
    let largest = 0;
    for (let i = 0; i < n; i++) largest = Math.max(largest, image[i] + norm * scales[i]);
    // Which one is largest depends on the units.
    const unit = 2 ** Math.floor(Math.log2(largest));
    let change = 0;
    const next = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      next[i] = Math.max(SMALLEST, (image[i] + norm * scales[i]) / unit);
      change = Math.max(change, Math.abs(next[i] - scales[i]) / next[i]);
    }
    scales = next;
    if (change < GAIN) break;
  }
  return best;
}

/** What one component has to do with another one: |A_ij| and |A_ji|. */
interface Coupling {
  out: number;
  back: number;
}

function couplings({ starts, columns, sizes }: NonzeroPattern): Map<number, Coupling>[] {
  const found = Array.from({ length: starts.length - 1 }, () => new Map<number, Coupling>());
  const between = (i: number, j: number): Coupling => {
    const coupling = found[i].get(j) ?? { out: 0, back: 0 };
    found[i].set(j, coupling);
    return coupling;
  };
  for (let i = 0; i < found.length; i++)
    for (let k = starts[i]; k < starts[i + 1]; k++) {
      between(i, columns[k]).out = sizes[k];
      between(columns[k], i).back = sizes[k];
    }
  return found;
}

/**
 * Scales from component to component. Where only one of a pair depends on the other, it does so at the
 * fastest of the rates √|A_ij A_ji| that pairs, or components by themselves, have.
 */
function agreed(rows: NonzeroPattern): Float64Array {
  const found = couplings(rows);
  let fastest = 0;
  for (const own of found)
    for (const { out, back } of own.values()) fastest = Math.max(fastest, Math.sqrt(out * back));
  if (fastest === 0) fastest = 1;
  const scales = new Float64Array(found.length);
  for (let first = 0; first < found.length; first++) {
    if (scales[first] > 0) continue;
    scales[first] = 1;
    const reached = [first];
    for (const i of reached)
      for (const [j, { out, back }] of found[i]) {
        if (scales[j] > 0) continue;
        const rate = out > 0 && back > 0 ? Math.sqrt(out * back) : fastest;
        const scale = scales[i] * (out > 0 ? rate / out : back / rate);
        scales[j] = scale > SMALLEST && scale < 1 / SMALLEST ? scale : 1;
        reached.push(j);
      }
  }
  return scales;
}

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

/** NaN is among the entries that are not zero. */
function firstBadRow({ size, constant }: LinearSystem, { starts, values }: NonzeroPattern): number {
  for (let i = 0; i < size; i++) {
    if (!Number.isFinite(constant[i])) return i;
    for (let k = starts[i]; k < starts[i + 1]; k++) if (!Number.isFinite(values[k])) return i;
  }
  return -1;
}

export class Flow {
  readonly size: number;
  /** order of the polynomial that every motion is; −1 when they are none */
  readonly order: number;
  /**
   * [0] ν, [1] longest stretch of one series: a power of two, infinite where the motion is a polynomial, 0
   * where ν is too large for a number
   */
  readonly limits = new Float64Array(2);
  /** scales d of the components, n entries */
  readonly scales: Float64Array;
  /** first component whose rate has a coefficient that is not finite; −1 if there is none */
  readonly bad: number;
  readonly #rows: NonzeroPattern;
  readonly #constant: Float64Array;
  /** ν^N · 2/(N + 1)! by order N */
  readonly #remainders: Float64Array;

  /** @param known scales that may do better than those of the system by itself */
  constructor(system: LinearSystem, known?: Float64Array) {
    this.size = system.size;
    this.#rows = system.pattern ?? nonzeroPattern(system);
    this.#constant = Float64Array.from(system.constant);
    this.order = polynomialOrder(system, this.#rows);
    const own = weights(this.#rows, agreed(this.#rows));
    const other = known === undefined ? own : weights(this.#rows, known);
    const { scales, norm } = other.norm < own.norm ? other : own;
    this.scales = scales;
    this.limits[0] = this.order < 0 ? norm : 0;
    this.#remainders = REMAINDER.map((factor, order) => factor * norm ** order);
    this.bad = firstBadRow(system, this.#rows);
    this.limits[1] = this.order < 0 ? 2 ** Math.floor(Math.log2(RADIUS / norm)) : Infinity;
  }

  /** Takes another b from the next expansion on, with zeros where the first one has them. */
  setConstant(constant: Float64Array): void {
    for (let i = 0; i < this.size; i++) this.#constant[i] = constant[i];
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

/*
 * The flow over long times, z(τ) = Φ(τ) z + ψ(τ): τ is taken apart into H·2^k, whose Φ and ψ are computed
 * once, and a rest below H. Those of H come from the series, the others by doubling: Φ_{k+1} = Φ_k Φ_k,
 * ψ_{k+1} = Φ_k ψ_k + ψ_k. Rounding doubles with each, as it would by going through all the stretches, and as
 * the motion itself answers to a change of A in its last digit.
 */

interface Leap {
  /** Φ, n × n, row-major */
  readonly matrix: Float64Array;
  /** ψ */
  readonly offset: Float64Array;
}

export class Propagator {
  readonly #leaps: Leap[] = [];
  readonly #c: Float64Array;
  readonly #m: Float64Array;
  readonly #z: Float64Array;
  /** [0] time still to go */
  readonly #rest = new Float64Array(1);

  constructor(
    private readonly system: LinearSystem,
    private readonly flow: Flow,
  ) {
    this.#c = new Float64Array(ROW * flow.size);
    this.#m = new Float64Array(ROW * flow.size);
    this.#z = new Float64Array(flow.size);
  }

  /**
   * State after the time `time[0]` ≥ 0 from z, into `out`, which may be z itself. Not finite where the motion
   * is too large for a number.
   */
  carry(z: Float64Array, time: Float64Array, out: Float64Array): void {
    const { flow } = this;
    const rest = this.#rest;
    const state = this.#z;
    const step = flow.limits[1];
    if (flow.bad >= 0 || !(step > 0) || !(time[0] < Infinity)) {
      out.fill(NaN);
      return;
    }
    rest[0] = time[0];
    state.set(z);
    while (rest[0] >= step) {
      let k = 0;
      while (rest[0] >= step * 2 ** (k + 1)) k++;
      this.#leap(k);
      rest[0] -= step * 2 ** k;
    }
    const order = flow.orderFor(rest);
    flow.expand(state, order, this.#c, this.#m);
    flow.evaluate(this.#c, order, rest, out);
  }

  /** The state over H·2^k. */
  #leap(k: number): void {
    while (this.#leaps.length <= k) this.#leaps.push(this.#next());
    const { matrix, offset } = this.#leaps[k];
    const n = this.flow.size;
    const state = this.#z;
    const image = this.#c;
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let j = 0; j < n; j++) sum += matrix[i * n + j] * state[j];
      image[i] = sum + offset[i];
    }
    for (let i = 0; i < n; i++) state[i] = image[i];
  }

  #next(): Leap {
    const n = this.flow.size;
    const last = this.#leaps.at(-1);
    const matrix = new Float64Array(n * n);
    const offset = new Float64Array(n);
    if (!last) {
      const unit = new Float64Array(n);
      this.#first(this.flow, unit, offset);
      const homogeneous = new Flow({ ...this.system, constant: new Float64Array(n) });
      const column = new Float64Array(n);
      for (let j = 0; j < n; j++) {
        unit.fill(0);
        unit[j] = 1;
        this.#first(homogeneous, unit, column);
        for (let i = 0; i < n; i++) matrix[i * n + j] = column[i];
      }
      return { matrix, offset };
    }
    for (let i = 0; i < n; i++) {
      let moved = last.offset[i];
      for (let k = 0; k < n; k++) {
        const factor = last.matrix[i * n + k];
        moved += factor * last.offset[k];
        for (let j = 0; j < n; j++) matrix[i * n + j] += factor * last.matrix[k * n + j];
      }
      offset[i] = moved;
    }
    return { matrix, offset };
  }

  /** Where the given flow leads from z in the time H. */
  #first(flow: Flow, z: Float64Array, out: Float64Array): void {
    const length = this.flow.limits.subarray(1);
    const order = flow.orderFor(length);
    flow.expand(z, order, this.#c, this.#m);
    flow.evaluate(this.#c, order, length, out);
  }
}
