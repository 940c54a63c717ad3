/**
 * The flow over long times, z(τ) = Φ(τ) z + ψ(τ): τ is taken apart into H·2^k, whose Φ and ψ are computed
 * once, and a rest below H. Those of H come from the series, the others by doubling: Φ_{k+1} = Φ_k Φ_k,
 * ψ_{k+1} = Φ_k ψ_k + ψ_k. Rounding doubles with each, as it would by going through all the stretches, and as
 * the motion itself answers to a change of A in its last digit.
 */
import { Flow } from './flow';
import { type LinearSystem, ROW } from './linear-system';

interface Leap {
  /** Φ, n × n, row-major */
  readonly matrix: Float64Array;
  /** ψ */
  readonly offset: Float64Array;
}

export class Propagator {
  readonly #leaps: Leap[] = [];
  readonly #c: Float64Array;
  readonly #m: Float64Array;
  readonly #z: Float64Array;
  /** [0] time still to go */
  readonly #rest = new Float64Array(1);

  constructor(
    private readonly system: LinearSystem,
    private readonly flow: Flow,
  ) {
    this.#c = new Float64Array(ROW * flow.size);
    this.#m = new Float64Array(ROW * flow.size);
    this.#z = new Float64Array(flow.size);
  }

  /**
   * State after the time `time[0]` ≥ 0 from z, into `out`, which may be z itself. Not finite where the motion
   * is too large for a number.
   */
  carry(z: Float64Array, time: Float64Array, out: Float64Array): void {
    const { flow } = this;
    const rest = this.#rest;
    const state = this.#z;
    const step = flow.limits[1];
    if (flow.bad >= 0 || !(step > 0) || !(time[0] < Infinity)) {
      out.fill(NaN);
      return;
    }
    rest[0] = time[0];
    state.set(z);
    while (rest[0] >= step) {
      let k = 0;
      while (rest[0] >= step * 2 ** (k + 1)) k++;
      this.#leap(k);
      rest[0] -= step * 2 ** k;
    }
    const order = flow.orderFor(rest);
    flow.expand(state, order, this.#c, this.#m);
    flow.evaluate(this.#c, order, rest, out);
  }

  /** The state over H·2^k. */
  #leap(k: number): void {
    while (this.#leaps.length <= k) this.#leaps.push(this.#next());
    const { matrix, offset } = this.#leaps[k];
    const n = this.flow.size;
    const state = this.#z;
    const image = this.#c;
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let j = 0; j < n; j++) sum += matrix[i * n + j] * state[j];
      image[i] = sum + offset[i];
    }
    for (let i = 0; i < n; i++) state[i] = image[i];
  }

  #next(): Leap {
    const n = this.flow.size;
    const last = this.#leaps.at(-1);
    const matrix = new Float64Array(n * n);
    const offset = new Float64Array(n);
    if (!last) {
      const unit = new Float64Array(n);
      this.#first(this.flow, unit, offset);
      const homogeneous = new Flow({ ...this.system, constant: new Float64Array(n) });
      const column = new Float64Array(n);
      for (let j = 0; j < n; j++) {
        unit.fill(0);
        unit[j] = 1;
        this.#first(homogeneous, unit, column);
        for (let i = 0; i < n; i++) matrix[i * n + j] = column[i];
      }
      return { matrix, offset };
    }
    for (let i = 0; i < n; i++) {
      let moved = last.offset[i];
      for (let k = 0; k < n; k++) {
        const factor = last.matrix[i * n + k];
        moved += factor * last.offset[k];
        for (let j = 0; j < n; j++) matrix[i * n + j] += factor * last.matrix[k * n + j];
      }
      offset[i] = moved;
    }
    return { matrix, offset };
  }

  /** Where the given flow leads from z in the time H. */
  #first(flow: Flow, z: Float64Array, out: Float64Array): void {
    const length = this.flow.limits.subarray(1);
    const order = flow.orderFor(length);
    flow.expand(z, order, this.#c, this.#m);
    flow.evaluate(this.#c, order, length, out);
  }
}
