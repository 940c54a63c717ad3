/** Equations between bodies in space: what a kind of them is. */
import type { Space } from '../marker';

export interface SpatialRowLabel {
  row: string;
  unit: 'm' | 'rad' | '';
}

/**
 * One kind of equations, h(q), with its derivatives written out. Functions write from row `row` on; the rows of a Jacobian are
 * zero on entry. q and v are those of all bodies.
 */
export interface SpatialRows {
  readonly labels: readonly SpatialRowLabel[];
  /** h */
  position(q: Float64Array, out: Float64Array, row: number): void;
  /** By v, H = ∇h T with ḣ = H v; or by q, ∇h. @param width number of all velocities, or of all positions */
  jacobian(q: Float64Array, out: Float64Array, row: number, width: number, space: Space): void;
  /** Takes the value after a step, of one that is counted on from there. @param values of rows, its own from `row` on */
  follow?(values: Float64Array, row: number): void;
  /** γ = −Ḣ v, so that ḧ = 0 reads H v̇ = γ. At |Q| = 1 */
  gamma(q: Float64Array, v: Float64Array, out: Float64Array, row: number): void;
}

/* Kinds of rows one after the other, as one h(q) with its derivatives. */

export class RowSet {
  /** number of rows */
  readonly count: number;
  readonly labels: readonly SpatialRowLabel[];
  readonly #offsets: Int32Array;

  constructor(readonly kinds: readonly SpatialRows[]) {
    this.labels = kinds.flatMap(({ labels }) => [...labels]);
    this.count = this.labels.length;
    this.#offsets = new Int32Array(kinds.length + 1);
    kinds.forEach(({ labels }, k) => {
      this.#offsets[k + 1] = this.#offsets[k] + labels.length;
    });
  }

  /** @param row of `out` where the first of them goes */
  position(q: Float64Array, out: Float64Array, row = 0): void {
    for (let k = 0; k < this.kinds.length; k++) this.kinds[k].position(q, out, row + this.#offsets[k]);
  }

  /** H, count × number of all velocities, or ∇h, count × number of all positions; whatever stood in these rows is overwritten */
  jacobian(q: Float64Array, out: Float64Array, width: number, space: Space, row = 0): void {
    out.fill(0, row * width, (row + this.count) * width);
    for (let k = 0; k < this.kinds.length; k++)
      this.kinds[k].jacobian(q, out, row + this.#offsets[k], width, space);
  }

  /** Takes the values after a step, for those that are counted on from there. @param values by row */
  follow(values: Float64Array): void {
    for (let k = 0; k < this.kinds.length; k++) this.kinds[k].follow?.(values, this.#offsets[k]);
  }

  /** γ = −Ḣ v */
  gamma(q: Float64Array, v: Float64Array, out: Float64Array, row = 0): void {
    for (let k = 0; k < this.kinds.length; k++) this.kinds[k].gamma(q, v, out, row + this.#offsets[k]);
  }
}
