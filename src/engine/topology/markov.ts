/**
 * Rows of the Markov parameters of a linear(ised) model,
 *
 *     m_j(0) = D_j,    m_j(r) = C_j A^{r−1} E⁻¹B,    A = E⁻¹(F + K),
 *
 * by row vectors: from c = C_j, w = c E⁻¹, m = w B, c ← w (F + K), and so on. A row touches only the states
 * that act on y_j within r derivatives, so its cost does not depend on the size of the model. Each row is
 * scaled as it goes, which is allowed because neither whether a row is zero nor the rank of a matrix of rows
 * depends on it.
 */
import type { SparseRows } from '../linalg/sparse';
import { type Linearisation, type LinearisationDefect, linearStateSize } from './linearisation';
import type { TopologyModel } from './topology-model';
import { TrackedVector } from './elimination';

export class MarkovRows {
  /** the Markov row at the present order, indexed by multiplier */
  readonly markov: TrackedVector;
  /** r: order of the row in `markov` */
  order = 0;
  /** set when the rate of a system was needed and is not sound */
  defect: { readonly defect: LinearisationDefect; readonly system: number } | null = null;
  /** c, by state */
  readonly row: TrackedVector;
  /** w = c E⁻¹ */
  readonly #divided: TrackedVector;
  /** system of each state */
  readonly #systemOf: Int32Array;

  constructor(
    private readonly model: TopologyModel,
    private readonly linear: Linearisation,
  ) {
    this.markov = new TrackedVector(linear.rows);
    this.row = new TrackedVector(linear.states);
    this.#divided = new TrackedVector(linear.states);
    this.#systemOf = new Int32Array(linear.states);
    model.systems.forEach((_, i) =>
      this.#systemOf.fill(i, linear.stateOffsets[i], linear.stateOffsets[i + 1]),
    );
  }

  /** Begins with row j of C and D: order 0. */
  start(j: number): void {
    this.order = 0;
    this.markov.clear();
    this.row.clear();
    addRow(this.linear.feedthrough, j, 1, 1, 0, this.markov);
    addRow(this.linear.output, j, 1, 1, 0, this.row);
  }

  /**
   * Goes on to the next order.
   * @returns false when this and all further Markov rows are zero, or a Jacobian is not sound (see `defect`)
   */
  advance(): boolean {
    if (this.order > 0 && !this.differentiate()) return false;
    this.order++;
    this.row.rescale();
    this.multiplyByInput();
    return this.row.count > 0;
  }

  /** w = c E⁻¹ and m = w B, for c in `row`. */
  multiplyByInput(): void {
    this.#divideByMass();
    this.markov.clear();
    const w = this.#divided;
    for (let k = 0; k < w.count; k++) {
      const i = w.support[k];
      addRow(this.linear.input, i, w.value[i], w.magnitude[i], 0, this.markov);
    }
  }

  /** c ← w (F + K). @returns false when a Jacobian is not sound */
  differentiate(): boolean {
    const w = this.#divided;
    const { row, linear } = this;
    row.clear();
    for (let k = 0; k < w.count; k++) {
      const i = w.support[k];
      const system = this.#systemOf[i];
      const { form } = this.model.systems[system];
      const offset = linear.stateOffsets[system];
      addRow(linear.stateInput, i, w.value[i], w.magnitude[i], 0, row);
      // q̇ = v needs no Jacobian; without this line every contact would have the forces of its bodies
      // differentiated.
      if (form.order === 2 && i < offset + form.size) {
        row.add(i + form.size, w.value[i], w.magnitude[i]);
        continue;
      }
      const rate = linear.rate(system);
      if (typeof rate === 'string') {
        this.defect = { defect: rate, system };
        return false;
      }
      addRow(rate, i - offset, w.value[i], w.magnitude[i], offset, row);
    }
    return true;
  }

  #divideByMass(): void {
    const c = this.row;
    const w = this.#divided;
    const divided = new Set<number>();
    w.clear();
    for (let k = 0; k < c.count; k++) {
      const i = c.support[k];
      const system = this.#systemOf[i];
      const { form } = this.model.systems[system];
      const inverse = this.linear.massInverse(system);
      const massOffset = this.linear.stateOffsets[system] + linearStateSize(form) - form.size;
      if (inverse === null || i < massOffset) w.add(i, c.value[i], c.magnitude[i]);
      else if (!divided.has(system)) {
        divided.add(system);
        inverse.apply(c, massOffset, w);
      }
    }
  }
}

/** out += value · (row i), with the columns shifted by `offset` */
function addRow(
  matrix: SparseRows,
  i: number,
  value: number,
  magnitude: number,
  offset: number,
  out: TrackedVector,
): void {
  for (let k = matrix.rowStart[i]; k < matrix.rowStart[i + 1]; k++) {
    const entry = matrix.values[k];
    out.add(offset + matrix.columns[k], value * entry, magnitude * Math.abs(entry));
  }
}
