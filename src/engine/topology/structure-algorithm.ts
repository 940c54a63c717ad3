/**
 * The structure algorithm: what becomes of a system whose decoupling matrix is singular.
 *
 * Rows [D | C] are combined so that as many as possible have independent D-parts and the others none. The
 * latter are outputs on which λ does not act; differentiated once they may. With q_k the rank of the D-part
 * after k differentiations,
 *
 *     q_k − q_{k−1} = number of zeros at infinity of order k,
 *
 * and the system is invertible, λ being determined by y, exactly when some q_k reaches the number of rows. It
 * never does once the rows without λ are combinations of such rows of before: then nothing new can come of
 * differentiating. Held at y = 0 the system is a differential-algebraic one of index 1 + (largest order).
 *
 * Silverman 1969; Moylan 1977.
 */
import { eliminate, trackedMatrix, type TrackedMatrix } from './elimination';
import type { MarkovRows } from './linearisation';

interface InfiniteZeros {
  readonly order: number;
  readonly count: number;
}

export interface InfiniteStructure {
  /** with increasing order */
  readonly zeros: readonly InfiniteZeros[];
  /** number of multipliers that y determines */
  readonly rank: number;
  /** whether y determines all multipliers */
  readonly invertible: boolean;
  /** index of the differential-algebraic system y = 0; null when it is not invertible */
  readonly index: number | null;
  /** whether the order limit ended the algorithm before the answer was known */
  readonly limited: boolean;
}

/** Part of a linearisation: some rows, with the states and multipliers that belong to them. */
export interface Part {
  /** global numbers, increasing */
  readonly rows: Int32Array;
  readonly states: Int32Array;
}

/**
 * @param orderLimit differentiations after which to give up
 * @returns the zeros at infinity; null when a Jacobian that was needed is not sound, see `markov.defect`
 */
export function infiniteStructure(
  part: Part,
  markov: MarkovRows,
  orderLimit: number,
): InfiniteStructure | null {
  const m = part.rows.length;
  const n = part.states.length;
  const system = initialRows(part, markov);
  const unforced = new RowSpace(n, m);
  const zeros: InfiniteZeros[] = [];
  let rank = 0;
  for (let order = 0; order <= orderLimit; order++) {
    const { rank: reached, isPivot } = eliminate(system, m);
    if (reached > rank) zeros.push({ order, count: reached - rank });
    rank = reached;
    if (rank === m) return { zeros, rank, invertible: true, index: order + 1, limited: false };
    if (!unforced.absorb(system, isPivot))
      return { zeros, rank, invertible: false, index: null, limited: false };
    if (!differentiateRows(system, isPivot, part, markov)) return null;
  }
  return { zeros, rank, invertible: false, index: null, limited: true };
}

/** [D | C] of the part. */
function initialRows(part: Part, markov: MarkovRows): TrackedMatrix {
  const m = part.rows.length;
  const system = trackedMatrix(m, m + part.states.length);
  part.rows.forEach((row, i) => {
    markov.start(row);
    gather(system, i, part, markov);
  });
  return system;
}

/** Row i of [D | C] from the present vectors of `markov`. */
function gather(system: TrackedMatrix, i: number, part: Part, { markov, row }: MarkovRows): void {
  const m = part.rows.length;
  const start = i * system.columns;
  for (const [source, indices, at] of [
    [markov, part.rows, start],
    [row, part.states, start + m],
  ] as const) {
    indices.forEach((index, k) => {
      system.values[at + k] = source.value[index];
      system.magnitudes[at + k] = source.magnitude[index];
    });
  }
}

/** Replaces the rows without λ by their derivatives: d = c E⁻¹B, c ← c E⁻¹(F + K). */
function differentiateRows(
  system: TrackedMatrix,
  isPivot: Uint8Array,
  part: Part,
  markov: MarkovRows,
): boolean {
  const m = part.rows.length;
  for (let i = 0; i < m; i++) {
    if (isPivot[i] === 1) continue;
    const at = i * system.columns + m;
    markov.row.clear();
    part.states.forEach((state, k) =>
      markov.row.add(state, system.values[at + k], system.magnitudes[at + k]),
    );
    markov.row.rescale();
    markov.multiplyByInput();
    if (!markov.differentiate()) return false;
    gather(system, i, part, markov);
  }
  return true;
}

/** Span of row vectors, grown step by step. */
class RowSpace {
  #basis: TrackedMatrix;
  #rank = 0;

  constructor(
    private readonly columns: number,
    private readonly rowsAtOnce: number,
  ) {
    this.#basis = trackedMatrix(0, columns);
  }

  /** Takes the C-parts of the rows that gave no pivot. @returns whether the span has grown */
  absorb(system: TrackedMatrix, isPivot: Uint8Array): boolean {
    const { columns, rowsAtOnce } = this;
    const larger = trackedMatrix(this.#rank + rowsAtOnce, columns);
    larger.values.set(this.#basis.values);
    larger.magnitudes.set(this.#basis.magnitudes);
    const offset = system.columns - columns;
    for (let i = 0; i < rowsAtOnce; i++) {
      if (isPivot[i] === 1) continue;
      const [from, to] = [i * system.columns + offset, (i + 1) * system.columns];
      larger.values.set(system.values.subarray(from, to), (this.#rank + i) * columns);
      larger.magnitudes.set(system.magnitudes.subarray(from, to), (this.#rank + i) * columns);
    }
    const { rank, isPivot: kept } = eliminate(larger);
    const grown = rank > this.#rank;
    this.#basis = trackedMatrix(rank, columns);
    let next = 0;
    for (let i = 0; i < larger.rows; i++) {
      if (kept[i] === 0) continue;
      this.#basis.values.set(larger.values.subarray(i * columns, (i + 1) * columns), next * columns);
      this.#basis.magnitudes.set(larger.magnitudes.subarray(i * columns, (i + 1) * columns), next * columns);
      next++;
    }
    this.#rank = rank;
    return grown;
  }
}
