/** Accelerations and multipliers of a given state: what every formulation asks for. */
import type { ConstrainedSystem } from './constrained-system';
import type { MotionStatus } from './status';

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
export class Terms {
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
