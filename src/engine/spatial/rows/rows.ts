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
