/**
 * Formulations whose state holds the independent coordinates only, x = (v, v̇). The dependent ones follow
 * from the constraints at each evaluation, so that these hold to rounding. Simple partitioning takes v̈ out
 * of the index-reduced solution for all q̈, full partitioning solves for v̈ alone; in exact arithmetic both
 * are the same. The DAE lecture notes, “Coordinate Partitioning”.
 */
import type { Accelerations, ConstrainedSystem, MotionStatus } from '@engine/multibody/constrained-system';
import { IndexReduced } from '../index-reduced';
import { Partition, type PartitionSettings } from '@engine/multibody/partition';
import { ReducedAccelerations, DependentCoordinates } from '@engine/multibody/reduced';
import type { Formulation } from './formulation';

export class Partitioned implements Formulation {
  readonly size: number;
  readonly partition: Partition;
  revision = 0;
  readonly #coordinates: DependentCoordinates;
  readonly #dynamics: Accelerations;
  /** state at the end of the last step, and its time: where Newton's method starts from */
  readonly #startQ: Float64Array;
  readonly #startV: Float64Array;
  readonly #startClock = new Float64Array(1);
  readonly #q: Float64Array;
  readonly #v: Float64Array;
  readonly #acceleration: Float64Array;
  readonly #multipliers: Float64Array;

  /** @param equations which equations v̈ comes from */
  constructor(
    readonly system: ConstrainedSystem,
    settings: PartitionSettings,
    equations: 'indexReduced' | 'reduced',
  ) {
    const { size, rows } = system;
    this.size = 2 * (size - rows);
    this.partition = new Partition(system, settings);
    this.#coordinates = new DependentCoordinates(system, this.partition);
    this.#dynamics =
      equations === 'reduced' ? new ReducedAccelerations(system, this.partition) : new IndexReduced(system);
    this.#startQ = new Float64Array(size);
    this.#startV = new Float64Array(size);
    this.#q = new Float64Array(size);
    this.#v = new Float64Array(size);
    this.#acceleration = new Float64Array(size);
    this.#multipliers = new Float64Array(rows);
  }

  begin(
    clock: Float64Array,
    q: Float64Array,
    v: Float64Array,
    x: Float64Array,
    dependent?: readonly number[],
  ): MotionStatus {
    this.#startQ.set(q);
    this.#startV.set(v);
    this.#startClock[0] = clock[0];
    const status = this.partition.begin(clock, q, dependent);
    if (status !== 'ok') return status === 'notFinite' ? 'notFinite' : 'singularConstraints';
    this.#load(x);
    return 'ok';
  }

  /** x from the state of the last step. */
  #load(x: Float64Array): void {
    const { independent } = this.partition;
    const count = independent.length;
    for (let k = 0; k < count; k++) {
      x[k] = this.#startQ[independent[k]];
      x[count + k] = this.#startV[independent[k]];
    }
  }

  complete(clock: Float64Array, x: Float64Array, q: Float64Array, v: Float64Array): MotionStatus {
    const { dependent, independent } = this.partition;
    const count = independent.length;
    const elapsed = clock[0] - this.#startClock[0];
    for (let k = 0; k < dependent.length; k++) {
      const i = dependent[k];
      q[i] = this.#startQ[i] + elapsed * this.#startV[i];
    }
    for (let k = 0; k < count; k++) {
      q[independent[k]] = x[k];
      v[independent[k]] = x[count + k];
    }
    const status = this.#coordinates.position(clock, q);
    return status === 'ok' ? this.#coordinates.velocity(clock, q, v) : status;
  }

  rate(clock: Float64Array, x: Float64Array, out: Float64Array): MotionStatus {
    const { independent } = this.partition;
    const count = independent.length;
    let status = this.complete(clock, x, this.#q, this.#v);
    if (status === 'ok')
      status = this.#dynamics.solve(clock, this.#q, this.#v, this.#acceleration, this.#multipliers);
    if (status !== 'ok') {
      out.fill(Number.NaN);
      return status;
    }
    for (let k = 0; k < count; k++) {
      out[k] = this.#v[independent[k]];
      out[count + k] = this.#acceleration[independent[k]];
    }
    return 'ok';
  }

  accept(clock: Float64Array, x: Float64Array, q: Float64Array, v: Float64Array): MotionStatus {
    const status = this.complete(clock, x, this.#q, this.#v);
    if (status !== 'ok') return status;
    this.#startQ.set(this.#q);
    this.#startV.set(this.#v);
    this.#startClock[0] = clock[0];
    if (this.partition.review(clock, this.#startQ, false)) {
      this.revision++;
      this.#load(x);
    }
    q.set(this.#startQ);
    v.set(this.#startV);
    return 'ok';
  }

  recover(clock: Float64Array, x: Float64Array): boolean {
    if (!this.partition.review(clock, this.#startQ, true)) return false;
    this.revision++;
    this.#load(x);
    return true;
  }

  accelerations(
    clock: Float64Array,
    q: Float64Array,
    v: Float64Array,
    acceleration: Float64Array,
    multipliers: Float64Array,
  ): MotionStatus {
    return this.#dynamics.solve(clock, q, v, acceleration, multipliers);
  }
}
