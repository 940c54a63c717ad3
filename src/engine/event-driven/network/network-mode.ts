/**
 * What follows from the set of ACTIVE rows of a network alone. With y₀ = C x + e + D λ_bound, and g = ẏ₀ as
 * the motion without ACTIVE multipliers makes it, y = 0 of these rows asks for
 *
 *     D_AA λ + y₀ = 0.
 *
 * Where D_AA is singular, the vectors l with ᵗl D_AA = 0 give ᵗl y₀ = 0, which λ cannot provide at once:
 * it is kept by its derivative, ᵗl (g + C B_A λ) = 0. Rows of D_AA that are independent, and these, are a
 * system W for λ. Where ᵗl y₀ ≠ 0, an impulse p with D_AA p = 0 brings it to zero, ᵗl (y₀ + C B_A p) = 0, by
 * the same W. Both come to
 *
 *     λ = −S y₀ − G g,     p = −G y₀.
 *
 * In passive networks no deeper derivative is needed (Camlibel et al. 2003): where W is singular, its null
 * vectors z change no state, as currents that circulate in ideal diodes side by side, or the voltage of a
 * node that blocking diodes leave floating. Where they would, a mode is deeper. Of all λ + Z α that one is
 * taken whose distances from bounds, with outputs of the other rows, have the smallest sum of squares, as
 * equal leakages of all diodes would share voltages. With Z_b the rows of Z that have bounds β, F = D_IA Z,
 *
 *     α = −(ᵗZ_b Z_b + ᵗF F)⁺ (ᵗZ_b (λ − β) + ᵗF y_I).
 *
 * Multipliers alone are not enough: a diode that blocks shows its voltage as λ or as y, as its branch is in
 * the tree of the circuit or not, and one whose voltage is forgotten seems to conduct, with no current.
 */
import type { LinearNetwork } from './linear-network';
import { compileMaps, type NetworkMaps } from './network-maps';
import { ABSENT, ACTIVE, type RowLaws } from '../rows/row-laws';

/** Pivots below this part of the terms of their matrix, all rows and columns scaled to one, are zero. */
const SINGULAR = 1e-11;
/** Entries below this part of the largest of their row are what rounding has left of zero. */
const ROUNDING = 1e-14;
/** Rounds of scaling rows and columns. */
const SCALINGS = 3;

/** l and u of the rows. */
type Bounds = Pick<RowLaws, 'lower' | 'upper'>;

export interface NetworkMode {
  readonly modes: Int8Array;
  readonly active: Int32Array;
  /** S and G, count × count of ACTIVE rows */
  readonly byOutput: Float64Array;
  readonly byRate: Float64Array;
  /** rows at bounds of which λ depends where W leaves it open, how, count × their number, and a constant */
  readonly others: Int32Array;
  readonly byOthers: Float64Array;
  readonly constant: Float64Array;
  /** number of combinations that are kept by their derivatives */
  readonly hidden: number;
  /** number of combinations that are kept twice, and what they are of y₀ and g: each must come to zero */
  readonly redundant: number;
  readonly redundantOutput: Float64Array;
  readonly redundantRate: Float64Array;
  /** whether a combination would have to be kept by its second derivative */
  readonly isDeep: boolean;
  /** what multipliers, rates and outputs are made of */
  readonly maps: NetworkMaps;
}

/** A matrix whose rows and columns have been brought to entries of about one, and by which factors. */
interface Scaled {
  readonly a: Float64Array;
  readonly rows: Float64Array;
  readonly columns: Float64Array;
}

function scaled(a: Float64Array, n: number): Scaled {
  const out = a.slice();
  const rows = new Float64Array(n).fill(1);
  const columns = new Float64Array(n).fill(1);
  for (let round = 0; round < SCALINGS; round++) {
    for (const [factors, step, next] of [
      [rows, n, 1],
      [columns, 1, n],
    ] as const) {
      for (let i = 0; i < n; i++) {
        let most = 0;
        for (let j = 0; j < n; j++) most = Math.max(most, Math.abs(out[i * step + j * next]));
        if (most === 0) continue;
        const factor = 2 ** -Math.round(Math.log2(most));
        factors[i] *= factor;
        for (let j = 0; j < n; j++) out[i * step + j * next] *= factor;
      }
    }
  }
  return { a: out, rows, columns };
}

interface Elimination {
  readonly rank: number;
  /** rows and columns in the order of their pivots, the others behind them */
  readonly rowOrder: Int32Array;
  readonly columnOrder: Int32Array;
  /** n × n; T a, whose rows from `rank` on are zero, is what elimination leaves of a */
  readonly transform: Float64Array;
}

/** Eliminates with full pivoting, in place. @param a n × n, scaled; replaced by what is left of it */
function eliminate(a: Float64Array, n: number): Elimination {
  const rowOrder = Int32Array.from({ length: n }, (_, i) => i);
  const columnOrder = rowOrder.slice();
  const transform = Float64Array.from({ length: n * n }, (_, k) => (k % (n + 1) === 0 ? 1 : 0));
  let rank = 0;
  for (; rank < n; rank++) {
    let [pivotRow, pivotColumn, most] = [-1, -1, SINGULAR];
    for (let i = rank; i < n; i++) {
      for (let j = rank; j < n; j++) {
        const size = Math.abs(a[rowOrder[i] * n + columnOrder[j]]);
        if (size > most) [pivotRow, pivotColumn, most] = [i, j, size];
      }
    }
    if (pivotRow < 0) break;
    [rowOrder[rank], rowOrder[pivotRow]] = [rowOrder[pivotRow], rowOrder[rank]];
    [columnOrder[rank], columnOrder[pivotColumn]] = [columnOrder[pivotColumn], columnOrder[rank]];
    const from = rowOrder[rank] * n;
    for (let i = rank + 1; i < n; i++) {
      const to = rowOrder[i] * n;
      const factor = a[to + columnOrder[rank]] / a[from + columnOrder[rank]];
      if (factor === 0) continue;
      for (let j = 0; j < n; j++) {
        a[to + j] -= factor * a[from + j];
        transform[to + j] -= factor * transform[from + j];
      }
      a[to + columnOrder[rank]] = 0;
    }
  }
  return { rank, rowOrder, columnOrder, transform };
}

/** a⁻¹ of a regular matrix, by Gauss and Jordan. @param a n × n, not changed */
function inverse(a: Float64Array, n: number): Float64Array {
  const work = a.slice();
  const out = Float64Array.from({ length: n * n }, (_, k) => (k % (n + 1) === 0 ? 1 : 0));
  for (let c = 0; c < n; c++) {
    let pivot = c;
    for (let i = c + 1; i < n; i++) if (Math.abs(work[i * n + c]) > Math.abs(work[pivot * n + c])) pivot = i;
    for (let j = 0; j < n; j++) {
      [work[c * n + j], work[pivot * n + j]] = [work[pivot * n + j], work[c * n + j]];
      [out[c * n + j], out[pivot * n + j]] = [out[pivot * n + j], out[c * n + j]];
    }
    const factor = 1 / work[c * n + c];
    for (let j = 0; j < n; j++) {
      work[c * n + j] *= factor;
      out[c * n + j] *= factor;
    }
    for (let i = 0; i < n; i++) {
      const times = work[i * n + c];
      if (i === c || times === 0) continue;
      for (let j = 0; j < n; j++) {
        work[i * n + j] -= times * work[c * n + j];
        out[i * n + j] -= times * out[c * n + j];
      }
    }
  }
  return out;
}

/** Entries that are rounding of others in their row are zero. @param a rows of n */
function clean(a: Float64Array, n: number): void {
  for (let at = 0; at < a.length; at += n) {
    let most = 0;
    for (let j = 0; j < n; j++) most = Math.max(most, Math.abs(a[at + j]));
    for (let j = 0; j < n; j++) if (Math.abs(a[at + j]) <= ROUNDING * most) a[at + j] = 0;
  }
}

/** a b. @param a n × k, @param b k × p */
function times(a: Float64Array, b: Float64Array, n: number, k: number, p: number): Float64Array {
  const out = new Float64Array(n * p);
  for (let i = 0; i < n; i++)
    for (let l = 0; l < k; l++) {
      const factor = a[i * k + l];
      if (factor !== 0) for (let j = 0; j < p; j++) out[i * p + j] += factor * b[l * p + j];
    }
  return out;
}

const transposed = (a: Float64Array, n: number, p: number): Float64Array =>
  Float64Array.from({ length: n * p }, (_, k) => a[(k % n) * p + Math.floor(k / n)]);

/**
 * The inverse of a scaled matrix, or Moore's and Penrose's of a singular one by its rank factorisation
 * (Ben-Israel and Greville 2003, ch. 1), and what of a right-hand side
 * must be zero.
 */
function pseudoInverse(a: Float64Array, n: number): { inverse: Float64Array; left: Float64Array } {
  const work = a.slice();
  const { rank, rowOrder, transform } = eliminate(work, n);
  if (rank === n) return { inverse: inverse(a, n), left: new Float64Array(0) };
  // a = F G with the rows of a that have pivots as G, and F what takes all rows from them.
  const left = new Float64Array((n - rank) * n);
  for (let k = rank; k < n; k++)
    left.set(transform.subarray(rowOrder[k] * n, (rowOrder[k] + 1) * n), (k - rank) * n);
  if (rank === 0) return { inverse: new Float64Array(n * n), left };
  const G = new Float64Array(rank * n);
  for (let k = 0; k < rank; k++) G.set(a.subarray(rowOrder[k] * n, (rowOrder[k] + 1) * n), k * n);
  const F = new Float64Array(n * rank);
  for (let k = 0; k < rank; k++) F[rowOrder[k] * rank + k] = 1;
  // A row without pivot is minus what its null vector takes from the rows with one.
  for (let k = rank; k < n; k++)
    for (let j = 0; j < rank; j++) F[rowOrder[k] * rank + j] = -left[(k - rank) * n + rowOrder[j]];
  const Gt = transposed(G, rank, n);
  const Ft = transposed(F, n, rank);
  const right = times(Gt, inverse(times(G, Gt, rank, n, rank), rank), n, rank, rank);
  const back = times(inverse(times(Ft, F, rank, n, rank), rank), Ft, rank, rank, n);
  return { inverse: times(right, back, n, rank, n), left };
}

/** Whether what must be zero of y₀ and g depends on the state, so that no multiplier keeps it there. */
function dependsOnState(
  { size, A, C }: LinearNetwork,
  active: Int32Array,
  sets: number,
  ofOutput: Float64Array,
  ofRate: Float64Array,
): boolean {
  for (let r = 0; r < sets; r++) {
    for (let j = 0; j < size; j++) {
      let [sum, terms] = [0, 0];
      active.forEach((row, i) => {
        let [rate, most] = [0, 0];
        for (let s = 0; s < size; s++) {
          rate += C[row * size + s] * A[s * size + j];
          most += Math.abs(C[row * size + s] * A[s * size + j]);
        }
        const at = r * active.length + i;
        sum += ofOutput[at] * C[row * size + j] + ofRate[at] * rate;
        terms += Math.abs(ofOutput[at] * C[row * size + j]) + Math.abs(ofRate[at]) * most;
      });
      if (Math.abs(sum) > SINGULAR * terms) return true;
    }
  }
  return false;
}

/** Whether multipliers that W leaves open move the state: B_A (1 − W⁺ W) ≠ 0. */
function movesState(
  { size, rows, B }: LinearNetwork,
  active: Int32Array,
  { a, columns }: Scaled,
  P: Float64Array,
): boolean {
  const count = active.length;
  const kept = times(P, a, count, count, count);
  for (let s = 0; s < size; s++) {
    for (let j = 0; j < count; j++) {
      const own = B[s * rows + active[j]] * columns[j];
      let [sum, terms] = [own, Math.abs(own)];
      active.forEach((row, i) => {
        const term = B[s * rows + row] * columns[i] * kept[i * count + j];
        sum -= term;
        terms += Math.abs(term);
      });
      if (Math.abs(sum) > SINGULAR * terms) return true;
    }
  }
  return false;
}

/** Where the sum of squares is smallest when λ is at it: the bound of a row, between both, or none. */
function centre({ lower, upper }: Bounds, row: number): number | null {
  if (lower[row] === -Infinity) return upper[row] === Infinity ? null : upper[row];
  return upper[row] === Infinity ? lower[row] : (lower[row] + upper[row]) / 2;
}

/** What of S, G and the outputs of other rows goes into λ where W is singular. */
type Choice = Pick<NetworkMode, 'others' | 'byOthers' | 'constant'>;

/**
 * Takes of all λ that W admits the one that is nearest to all bounds.
 * @param own entries of W, scaled
 * @param maps S and G, changed
 */
function choose(
  { rows: m, D }: LinearNetwork,
  laws: Bounds,
  modes: Int8Array,
  active: Int32Array,
  own: Scaled,
  maps: readonly Float64Array[],
): Choice {
  const count = active.length;
  const { rank, rowOrder, transform } = eliminate(transposed(own.a, count, count), count);
  const open = count - rank;
  const others = Int32Array.from(
    Array.from(modes.keys()).filter((row) => modes[row] !== ACTIVE && modes[row] !== ABSENT),
  );
  const p = others.length;
  const Z = new Float64Array(count * open);
  for (let k = 0; k < open; k++)
    for (let j = 0; j < count; j++)
      Z[j * open + k] = transform[rowOrder[rank + k] * count + j] * own.columns[j];
  const DI = new Float64Array(p * count);
  others.forEach((row, i) => active.forEach((column, j) => (DI[i * count + j] = D[row * m + column])));
  const F = times(DI, Z, p, count, open);
  const bounded = Array.from(active, (row) => centre(laws, row));
  const Zb = Z.map((entry, k) => (bounded[Math.floor(k / open)] === null ? 0 : entry));
  const [Zbt, Ft] = [transposed(Zb, count, open), transposed(F, p, open)];
  const square = times(Zbt, Zb, open, count, open);
  times(Ft, F, open, p, open).forEach((entry, k) => (square[k] += entry));
  const scaledSquare = scaled(square, open);
  const K = pseudoInverse(scaledSquare.a, open).inverse.map(
    (entry, k) => entry * scaledSquare.columns[Math.floor(k / open)] * scaledSquare.rows[k % open],
  );
  const ZK = times(Z, K, count, open, open);
  const Q = times(Ft, DI, open, p, count);
  Zbt.forEach((entry, k) => (Q[k] += entry));
  const taken = times(ZK, Q, count, open, count);
  for (const map of maps) {
    times(taken, map, count, count, count).forEach((entry, k) => (map[k] -= entry));
    clean(map, count);
  }
  const byOthers = times(ZK, Ft, count, open, p);
  clean(byOthers, p);
  const centres = Float64Array.from(bounded, (at) => at ?? 0);
  return { others, byOthers, constant: times(times(ZK, Zbt, count, open, count), centres, count, count, 1) };
}

/** What a set of modes makes of a network. @param modes by row, kept */
export function compileNetworkMode(network: LinearNetwork, laws: Bounds, modes: Int8Array): NetworkMode {
  const { size: n, rows: m, B, C, D } = network;
  const active = Int32Array.from(Array.from(modes.keys()).filter((row) => modes[row] === ACTIVE));
  const count = active.length;
  const own = new Float64Array(count * count);
  active.forEach((row, i) => {
    active.forEach((column, j) => (own[i * count + j] = D[row * m + column]));
  });
  const scaledD = scaled(own, count);
  const { rank, rowOrder, transform } = eliminate(scaledD.a, count);
  const hidden = count - rank;
  clean(transform, count);
  // ᵗl of what is hidden, in rows that are not scaled
  const L = new Float64Array(hidden * count);
  for (let k = 0; k < hidden; k++)
    for (let i = 0; i < count; i++)
      L[k * count + i] = transform[rowOrder[rank + k] * count + i] * scaledD.rows[i];
  const W = new Float64Array(count * count);
  for (let k = 0; k < rank; k++)
    for (let j = 0; j < count; j++) W[k * count + j] = own[rowOrder[k] * count + j];
  for (let k = 0; k < hidden; k++) {
    for (let j = 0; j < count; j++) {
      let [sum, terms] = [0, 0];
      for (let i = 0; i < count; i++) {
        if (L[k * count + i] === 0) continue;
        for (let s = 0; s < n; s++) {
          const term = L[k * count + i] * C[active[i] * n + s] * B[s * m + active[j]];
          sum += term;
          terms += Math.abs(term);
        }
      }
      W[(rank + k) * count + j] = Math.abs(sum) > SINGULAR * terms ? sum : 0;
    }
  }
  const scaledW = scaled(W, count);
  const { inverse: P, left } = pseudoInverse(scaledW.a, count);
  clean(P, count);
  clean(left, count);
  // λ = −W⁻¹ (y₀ on rows with a pivot, L g), unscaled
  const entry = (j: number, k: number): number => P[j * count + k] * scaledW.columns[j] * scaledW.rows[k];
  const byOutput = new Float64Array(count * count);
  const byRate = new Float64Array(count * count);
  for (let j = 0; j < count; j++) {
    for (let k = 0; k < rank; k++) byOutput[j * count + rowOrder[k]] = entry(j, k);
    for (let k = 0; k < hidden; k++) {
      const factor = entry(j, rank + k);
      if (factor !== 0) for (let i = 0; i < count; i++) byRate[j * count + i] += factor * L[k * count + i];
    }
  }
  const redundant = count === 0 ? 0 : left.length / count;
  const redundantOutput = new Float64Array(redundant * count);
  const redundantRate = new Float64Array(redundant * count);
  for (let r = 0; r < redundant; r++) {
    for (let k = 0; k < count; k++) {
      const factor = left[r * count + k] * scaledW.rows[k];
      if (factor === 0) continue;
      if (k < rank) redundantOutput[r * count + rowOrder[k]] += factor;
      else for (let i = 0; i < count; i++) redundantRate[r * count + i] += factor * L[(k - rank) * count + i];
    }
  }
  const choice: Choice =
    redundant === 0
      ? { others: new Int32Array(0), byOthers: new Float64Array(0), constant: new Float64Array(count) }
      : choose(network, laws, modes, active, scaledW, [byOutput, byRate]);
  const mode = {
    modes,
    active,
    byOutput,
    byRate,
    ...choice,
    hidden,
    redundant,
    redundantOutput,
    redundantRate,
    isDeep:
      redundant > 0 &&
      (dependsOnState(network, active, redundant, redundantOutput, redundantRate) ||
        movesState(network, active, scaledW, P)),
  };
  // Matrices may not have been read yet.
  let maps: NetworkMaps | null = null;
  return {
    ...mode,
    get maps() {
      return (maps ??= compileMaps(network, laws, mode));
    },
  };
}
