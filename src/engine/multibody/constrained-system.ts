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
 * M(t, q) q̈ + ᵗΦ_q λ = Q(t, q, q̇), Φ(t, q) = 0, with n coordinates and m constraint equations. The DAE
 * lecture notes, “Integrating Differential Algebraic Equations”; Haug 1989. Functions fill `out` and allocate
 * nothing; `clock[0]` is the time, s. Matrices are row-major.
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

/* Accelerations and multipliers of a given state: what every formulation asks for. */
export interface Accelerations {
  /**
   * q̈ and λ at time clock[0], positions q and velocities v.
   * @param acceleration n @param multipliers m
   */
  solve(
    clock: Float64Array,
    q: Float64Array,
    v: Float64Array,
    acceleration: Float64Array,
    multipliers: Float64Array,
  ): MotionStatus;
}

/** M, Φ_q, Q and γ at a state, in arrays that are kept. */
export class MotionTerms {
  readonly mass: Float64Array;
  readonly jacobian: Float64Array;
  readonly force: Float64Array;
  readonly gamma: Float64Array;

  constructor(readonly system: ConstrainedSystem) {
    const { size, rows } = system;
    this.mass = new Float64Array(size * size);
    this.jacobian = new Float64Array(rows * size);
    this.force = new Float64Array(size);
    this.gamma = new Float64Array(rows);
  }

  evaluate(clock: Float64Array, q: Float64Array, v: Float64Array): void {
    const { system } = this;
    system.mass(clock, q, this.mass);
    system.jacobian(clock, q, this.jacobian);
    system.force(clock, q, v, this.force);
    system.gamma(clock, q, v, this.gamma);
  }
}

export function allFinite(values: Float64Array): boolean {
  for (let k = 0; k < values.length; k++) if (!Number.isFinite(values[k])) return false;
  return true;
}

/** Outcomes of the motion of constrained bodies. They are values: a numerical outcome never throws. */
export type MotionStatus =
  'ok' | 'singularConstraints' | 'singularDependentBlock' | 'positionNotConverged' | 'notFinite';

/** What each status means and what a user can do about it. */
export const MOTION_STATUS_HELP: Readonly<Record<MotionStatus, { message: string; remedy: string }>> = {
  ok: { message: 'solved', remedy: '' },
  singularConstraints: {
    message:
      'the constraints have become dependent on one another, so that accelerations and joint forces are not determined',
    remedy:
      'The mechanism passes a dead point, or two constraints say the same. Start elsewhere, remove the redundant constraint, or choose other dimensions.',
  },
  singularDependentBlock: {
    message:
      'the dependent coordinates no longer follow from the independent ones, and no other choice of them does better',
    remedy: 'Reduce the time step, or choose projection or Baumgarte stabilisation, which need no partition.',
  },
  positionNotConverged: {
    message: "Newton's method found no positions that satisfy the constraints",
    remedy:
      'Reduce the time step. If that does not help, the mechanism cannot be assembled in the position asked for: look at lengths and drivers.',
  },
  notFinite: {
    message: 'positions, velocities or forces are no longer finite',
    remedy: 'Reduce the time step, and check forces and drivers.',
  },
};
