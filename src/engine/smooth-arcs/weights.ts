/**
 * Scales d of the components and a bound ν such that |A| d ≤ ν d, entry by entry. In the norm ‖z‖ = max |z_i|/d_i then
 * ‖A z‖ ≤ ν ‖z‖, and |A|, A and all their powers are bounded with it: the unit of a position and that of a velocity do not
 * matter.
 *
 * Any d > 0 gives a bound, ν = max (|A| d)_i/d_i, which is never below the spectral radius of |A| and equal to it for the
 * Perron vector (L. Collatz, Math. Z. 48 (1942) 221–226; H. Wielandt, Math. Z. 52 (1950) 642–648). Power iteration
 * approaches that vector; where it converges slowly, the bound is merely larger. For an oscillator d = (1, ω) and ν = ω.
 *
 * It starts from scales on which pairs of components agree, |A_ij| d_j/d_i = |A_ji| d_i/d_j, so that bound and arcs are the same in other
 * units: to the last bit where these are powers of two.
 */
import type { SparseRows } from './linear-system';

export interface Weights {
  /** d, n entries, all positive */
  readonly scales: Float64Array;
  /** ν */
  readonly norm: number;
}

const ITERATIONS = 60;
/** A bound this close to its predecessor is not worth another iteration: arcs have lengths of powers of two. */
const GAIN = 1e-3;
/** Nor is a bound this little lower worth scales that are further apart: those of a part that is not coupled fall for ever. */
const WORTH = 0.02;
/** Scales are kept within this of the largest, so that neither they nor their inverses overflow. */
const SMALLEST = 1e-150;

export function weights(rows: SparseRows): Weights {
  const n = rows.starts.length - 1;
  let scales = agreed(rows);
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

function couplings({ starts, columns, sizes }: SparseRows): Map<number, Coupling>[] {
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
 * Scales from component to component. Where only one of a pair depends on the other, it does so at the fastest of the rates √|A_ij A_ji| that
 * pairs, or components by themselves, have.
 */
function agreed(rows: SparseRows): Float64Array {
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
