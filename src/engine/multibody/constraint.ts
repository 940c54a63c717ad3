/** Equations of constraints between bodies of the plane, and the motions that some of them prescribe. */
import type { RowLabel } from './constrained-system';

/**
 * One kind of constraint equations, Φ(t, q) = 0, with its derivatives written out. Functions write from row
 * `row` on; `width` is the number of coordinates of the system, and the rows of `jacobian` are zero on entry.
 */
export interface ConstraintRows {
  readonly labels: readonly Omit<RowLabel, 'constraint'>[];
  /** Φ */
  position(clock: Float64Array, q: Float64Array, out: Float64Array, row: number): void;
  /** Φ_q */
  jacobian(clock: Float64Array, q: Float64Array, out: Float64Array, row: number, width: number): void;
  /** Φ_t; absent where time does not appear */
  timeDerivative?(clock: Float64Array, q: Float64Array, out: Float64Array, row: number): void;
  /** γ = −(Φ_q q̇)_q q̇ − 2 Φ_qt q̇ − Φ_tt */
  gamma(clock: Float64Array, q: Float64Array, v: Float64Array, out: Float64Array, row: number): void;
}

/* A number prescribed as a function of time, such as the angle of a driven crank. */

/** Fills value, first and second derivative by time into out[0 … 2]. `clock[0]` is the time, s. */
export type PrescribedCoordinate = (clock: Float64Array, out: Float64Array) => void;

export const constantMotion =
  (value: number): PrescribedCoordinate =>
  (_, out) => {
    out[0] = value;
    out[1] = 0;
    out[2] = 0;
  };

/** value(t) = start + rate t */
export const uniformMotion =
  (start: number, rate: number): PrescribedCoordinate =>
  (clock, out) => {
    out[0] = start + rate * clock[0];
    out[1] = rate;
    out[2] = 0;
  };
