/** Constraints between bodies of the plane: what one is, and the kinds of equations it is made of. */
import type { RowLabel } from './constrained-system';
import type { Marker } from './marker';

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

export interface Constraint {
  readonly id: string;
  readonly type: string;
  readonly rows: readonly ConstraintRows[];
  /** where it takes hold of the first and of the second body; the joint force is stated at these points */
  readonly first: Marker;
  readonly second: Marker;
}

/** A point of a body, or of the ground. */
export interface Attachment {
  /** id of the body, or `PLANAR_GROUND` */
  body: string;
  /** in the body's frame, whose origin is the mass centre, m; the origin when left out */
  point?: readonly [number, number];
}

export const PLANAR_GROUND = 'ground';

/** Makes the marker of an attachment. @throws {EngineError} when there is no such body */
export type MarkerFactory = (attachment: Attachment) => Marker;

/** What a type of constraint is, for forms, palette and reference. */
export interface ConstraintDefinition {
  type: string;
  title: string;
  summary: string;
  /** number of its equations: degrees of freedom it takes away */
  rows: number;
  /** LaTeX */
  equations: readonly string[];
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

/** value(t) = mean + amplitude sin(ω t + phase). @param omega rad/s */
export const harmonicMotion =
  (mean: number, amplitude: number, omega: number, phase: number): PrescribedCoordinate =>
  (clock, out) => {
    const sine = amplitude * Math.sin(omega * clock[0] + phase);
    out[0] = mean + sine;
    out[1] = omega * amplitude * Math.cos(omega * clock[0] + phase);
    out[2] = -omega * omega * sine;
  };
