/** What the formulations see of a mechanical system with constraints that hold at all times. */

/** Where a row of the constraints comes from, for messages. */
export interface RowLabel {
  /** id of the constraint */
  constraint: string;
  /** which of its equations */
  row: string;
  /** unit of the equation's residual; empty where it is not known */
  unit: 'm' | 'rad' | '';
}

/**
 * M(t, q) q̈ + ᵗΦ_q λ = Q(t, q, q̇), Φ(t, q) = 0, with n coordinates and m constraint equations. The DAE lecture notes, “Integrating
 * Differential Algebraic Equations”; E. J. Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems, 1989.
 * Functions fill `out` and allocate nothing; `clock[0]` is the time, s. Matrices are row-major.
 */
export interface ConstrainedSystem {
  /** n */
  readonly size: number;
  /** m */
  readonly rows: number;
  /** M, n × n, symmetric and positive definite */
  mass(clock: Float64Array, q: Float64Array, out: Float64Array): void;
  /** Q, with everything that is not M q̈ or ᵗΦ_q λ */
  force(clock: Float64Array, q: Float64Array, v: Float64Array, out: Float64Array): void;
  /** Φ */
  position(clock: Float64Array, q: Float64Array, out: Float64Array): void;
  /** Φ_q, m × n */
  jacobian(clock: Float64Array, q: Float64Array, out: Float64Array): void;
  /** Φ_t = ∂Φ/∂t */
  timeDerivative(clock: Float64Array, q: Float64Array, out: Float64Array): void;
  /** γ = −(Φ_q q̇)_q q̇ − 2 Φ_qt q̇ − Φ_tt, so that Φ̈ = 0 reads Φ_q q̈ = γ */
  gamma(clock: Float64Array, q: Float64Array, v: Float64Array, out: Float64Array): void;
  coordinateLabel(coordinate: number): string;
  rowLabel(row: number): RowLabel;
}

/** Φ̇ = Φ_q q̇ + Φ_t. @param jacobian Φ_q @param out holds Φ_t on entry */
export function addConstraintRate(
  jacobian: Float64Array,
  v: Float64Array,
  rows: number,
  size: number,
  out: Float64Array,
): void {
  for (let r = 0; r < rows; r++) {
    let sum = 0;
    for (let i = 0; i < size; i++) sum += jacobian[r * size + i] * v[i];
    out[r] += sum;
  }
}
