/**
 * Multipliers at the states that event functions were last asked for. Functions are sampled one after the other at the same places of a
 * step, and the multipliers of all rows follow from one rate: those of the last few states are kept, and found again by time and state.
 */
import type { SmoothFlow } from './smooth-flow';

/** States that are kept: more than a function is sampled at in a step that need not be divided. */
const KEPT = 16;

export class KnownMultipliers {
  /** λ of all rows where they were asked for last */
  readonly lambda: Float64Array;
  /** times, states and multipliers that are kept, one after the other; times are NaN where there are none */
  readonly #times = new Float64Array(KEPT).fill(NaN);
  readonly #states: Float64Array;
  readonly #lambdas: Float64Array;
  readonly #rate: Float64Array;
  #next = 0;

  constructor(
    private readonly flow: Pick<SmoothFlow, 'size' | 'lambda' | 'rate'>,
    /** number of rows */
    count: number,
  ) {
    this.lambda = new Float64Array(count);
    this.#states = new Float64Array(KEPT * flow.size);
    this.#lambdas = new Float64Array(KEPT * count);
    this.#rate = new Float64Array(flow.size);
  }

  /** After modes or forces may have changed. */
  forget(): void {
    this.#times.fill(NaN);
  }

  /** Brings `lambda` to the state x. */
  read(clock: Float64Array, x: Float64Array): void {
    const { lambda, flow } = this;
    const lambdas = this.#lambdas;
    const count = lambda.length;
    for (let k = 0; k < KEPT; k++) {
      if (this.#times[k] !== clock[0] || !this.#isState(k, x)) continue;
      for (let r = 0; r < count; r++) lambda[r] = lambdas[k * count + r];
      return;
    }
    const k = this.#next;
    this.#next = (k + 1) % KEPT;
    flow.rate(clock, x, this.#rate);
    this.#times[k] = clock[0];
    for (let i = 0; i < flow.size; i++) this.#states[k * flow.size + i] = x[i];
    for (let r = 0; r < count; r++) lambdas[k * count + r] = lambda[r] = flow.lambda[r];
  }

  #isState(k: number, x: Float64Array): boolean {
    const { size } = this.flow;
    for (let i = 0; i < size; i++) if (this.#states[k * size + i] !== x[i]) return false;
    return true;
  }
}
