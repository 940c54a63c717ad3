/**
 * Formulations whose state holds all coordinates, x = (q, q̇): direct integration of the index-reduced
 * equations, as they are, with Baumgarte's stabilisation, or followed by a projection of positions and
 * velocities after each step.
 */
import type { ConstrainedSystem, MotionStatus } from '@engine/multibody/constrained-system';
import { IndexReduced, type Stabilisation } from '../index-reduced';
import { Projection } from '@engine/multibody/consistency';
import type { Formulation } from './formulation';

export class FullState implements Formulation {
  readonly size: number;
  readonly partition = null;
  revision = 0;
  readonly #dynamics: IndexReduced;
  readonly #projection: Projection | null;
  readonly #q: Float64Array;
  readonly #v: Float64Array;
  readonly #acceleration: Float64Array;
  readonly #multipliers: Float64Array;

  constructor(
    readonly system: ConstrainedSystem,
    options: { stabilisation?: Stabilisation; projects?: boolean },
  ) {
    const { size, rows } = system;
    this.size = 2 * size;
    this.#dynamics = new IndexReduced(system, options.stabilisation);
    this.#projection = options.projects === true ? new Projection(system) : null;
    this.#q = new Float64Array(size);
    this.#v = new Float64Array(size);
    this.#acceleration = new Float64Array(size);
    this.#multipliers = new Float64Array(rows);
  }

  begin(_: Float64Array, q: Float64Array, v: Float64Array, x: Float64Array): MotionStatus {
    x.set(q);
    x.set(v, this.system.size);
    return 'ok';
  }

  complete(_: Float64Array, x: Float64Array, q: Float64Array, v: Float64Array): MotionStatus {
    const { size } = this.system;
    for (let i = 0; i < size; i++) {
      q[i] = x[i];
      v[i] = x[size + i];
    }
    return 'ok';
  }

  rate(clock: Float64Array, x: Float64Array, out: Float64Array): MotionStatus {
    const { size } = this.system;
    this.complete(clock, x, this.#q, this.#v);
    const status = this.#dynamics.solve(clock, this.#q, this.#v, this.#acceleration, this.#multipliers);
    if (status !== 'ok') {
      out.fill(Number.NaN);
      return status;
    }
    for (let i = 0; i < size; i++) {
      out[i] = this.#v[i];
      out[size + i] = this.#acceleration[i];
    }
    return 'ok';
  }

  accept(clock: Float64Array, x: Float64Array, q: Float64Array, v: Float64Array): MotionStatus {
    const projection = this.#projection;
    if (projection === null) return this.complete(clock, x, q, v);
    this.complete(clock, x, this.#q, this.#v);
    let status = projection.position(clock, this.#q);
    if (status === 'ok') status = projection.velocity(clock, this.#q, this.#v);
    if (status !== 'ok') return status;
    this.revision++;
    q.set(this.#q);
    v.set(this.#v);
    return this.begin(clock, q, v, x);
  }

  recover(): boolean {
    return false;
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
