/**
 * Bodies in the plane, compiled: coordinates (x, y, φ) of each body one after the other, M constant and
 * diagonal.
 */
import type { ConstrainedSystem, RowLabel } from '@engine/multibody/constrained-system';
import type { ConstraintRows } from '@engine/multibody/rows';
import type { Marker } from '@engine/multibody/marker';
import type { ConstraintDescription } from './compile';
import type { Load, LoadDescription } from './load';

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

export interface Constraint {
  readonly id: string;
  readonly type: string;
  readonly rows: readonly ConstraintRows[];
  /** where it takes hold of the first and of the second body; the joint force is stated at these points */
  readonly first: Marker;
  readonly second: Marker;
}

const COORDINATES = ['x', 'y', 'phi'] as const;

export class MultibodySystem implements ConstrainedSystem {
  readonly size: number;
  readonly rows: number;
  /** first equation of each constraint, and their number at the end */
  readonly rowOffsets: Int32Array;
  readonly #diagonal: Float64Array;
  readonly #labels: readonly RowLabel[];

  constructor(
    readonly bodies: readonly BodyDescription[],
    readonly constraints: readonly Constraint[],
    readonly loads: readonly Load[],
  ) {
    this.size = 3 * bodies.length;
    this.#diagonal = Float64Array.from(bodies.flatMap(({ mass, inertia }) => [mass, mass, inertia]));
    this.#labels = constraints.flatMap(({ id, rows }) =>
      rows.flatMap(({ labels }) => labels.map((label) => ({ constraint: id, ...label }))),
    );
    this.rows = this.#labels.length;
    this.rowOffsets = new Int32Array(constraints.length + 1);
    constraints.forEach(({ rows }, k) => {
      this.rowOffsets[k + 1] = this.rowOffsets[k] + rows.reduce((sum, { labels }) => sum + labels.length, 0);
    });
  }

  /** q of the bodies at the start */
  initialPositions(): Float64Array {
    return Float64Array.from(this.bodies.flatMap(({ position }) => [...position]));
  }

  /** q̇ of the bodies at the start */
  initialVelocities(): Float64Array {
    return Float64Array.from(this.bodies.flatMap(({ velocity = [0, 0, 0] }) => [...velocity]));
  }

  mass(_: Float64Array, __: Float64Array, out: Float64Array): void {
    out.fill(0);
    for (let i = 0; i < this.size; i++) out[i * this.size + i] = this.#diagonal[i];
  }

  force(clock: Float64Array, q: Float64Array, v: Float64Array, out: Float64Array): void {
    out.fill(0);
    for (let k = 0; k < this.loads.length; k++) this.loads[k].addForce(clock, q, v, out);
  }

  position(clock: Float64Array, q: Float64Array, out: Float64Array): void {
    for (let k = 0, row = 0; k < this.constraints.length; k++) {
      const { rows } = this.constraints[k];
      for (let j = 0; j < rows.length; row += rows[j++].labels.length) rows[j].position(clock, q, out, row);
    }
  }

  jacobian(clock: Float64Array, q: Float64Array, out: Float64Array): void {
    out.fill(0);
    for (let k = 0, row = 0; k < this.constraints.length; k++) {
      const { rows } = this.constraints[k];
      for (let j = 0; j < rows.length; row += rows[j++].labels.length)
        rows[j].jacobian(clock, q, out, row, this.size);
    }
  }

  timeDerivative(clock: Float64Array, q: Float64Array, out: Float64Array): void {
    out.fill(0);
    for (let k = 0, row = 0; k < this.constraints.length; k++) {
      const { rows } = this.constraints[k];
      for (let j = 0; j < rows.length; row += rows[j++].labels.length)
        rows[j].timeDerivative?.(clock, q, out, row);
    }
  }

  gamma(clock: Float64Array, q: Float64Array, v: Float64Array, out: Float64Array): void {
    for (let k = 0, row = 0; k < this.constraints.length; k++) {
      const { rows } = this.constraints[k];
      for (let j = 0; j < rows.length; row += rows[j++].labels.length) rows[j].gamma(clock, q, v, out, row);
    }
  }

  /** ½ q̇ᵀ M q̇, J */
  kineticEnergy(v: Float64Array): number {
    let sum = 0;
    for (let i = 0; i < this.size; i++) sum += this.#diagonal[i] * v[i] * v[i];
    return 0.5 * sum;
  }

  /** Potential energy of the loads that have one, J. */
  potentialEnergy(clock: Float64Array, q: Float64Array): number {
    let sum = 0;
    for (let k = 0; k < this.loads.length; k++) sum += this.loads[k].potential?.(clock, q) ?? 0;
    return sum;
  }

  coordinateLabel(coordinate: number): string {
    return `${this.bodies[Math.floor(coordinate / 3)].id}.${COORDINATES[coordinate % 3]}`;
  }

  rowLabel(row: number): RowLabel {
    return this.#labels[row];
  }
}

/* What a user says of bodies in the plane. */

/** A rigid body. Its frame has its origin at the mass centre; at φ = 0 it is parallel to the world's. */
export interface BodyDescription {
  id: string;
  /** kg, positive */
  mass: number;
  /** about the mass centre, kg m², positive */
  inertia: number;
  /** x and y of the mass centre (m) and φ (rad) at the start */
  position: readonly [number, number, number];
  /** their rates at the start; at rest when left out */
  velocity?: readonly [number, number, number];
}

export interface MultibodyModel {
  bodies: readonly BodyDescription[];
  constraints: readonly ConstraintDescription[];
  loads: readonly LoadDescription[];
}
