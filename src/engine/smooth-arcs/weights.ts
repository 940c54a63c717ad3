/**
 * Scales d of the components and a bound ν such that |A| d ≤ ν d, entry by entry. In the norm ‖z‖ = max |z_i|/d_i then
 * ‖A z‖ ≤ ν ‖z‖, and |A|, A and all their powers are bounded with it: the unit of a position and that of a velocity do not
 * matter.
 *
 * Any d > 0 gives a bound, ν = max (|A| d)_i/d_i, which is never below the spectral radius of |A| and equal to it for the
 * Perron vector (L. Collatz, Math. Z. 48 (1942) 221–226; H. Wielandt, Math. Z. 52 (1950) 642–648). Power iteration
 * approaches that vector; where it converges slowly, the bound is merely larger. For an oscillator d = (1, ω) and ν = ω.
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
  let scales: Float64Array = new Float64Array(n).fill(1);
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
    let change = 0;
    const next = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      next[i] = Math.max(SMALLEST, (image[i] + norm * scales[i]) / largest);
      change = Math.max(change, Math.abs(next[i] - scales[i]) / next[i]);
    }
    scales = next;
    if (change < GAIN) break;
  }
  return best;
}
