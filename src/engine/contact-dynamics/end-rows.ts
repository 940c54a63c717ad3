/**
 * Rows of joints at the end of the step: a fixed point in u⁺,
 *
 *     M (u⁺ − u⁻) = p + ᵗG(q⁺) λ + ᵗH R,     G(q⁺) u⁺ = ω,     q⁺ of u⁺ by the scheme.
 *
 * Rows at the q⁺ of the last u⁺ give the next one. A repetition contracts by h θ |u| |∂G|, some 10⁻² where
 * bodies turn by little in a step, so that derivatives of G would not pay.
 */
import { Repetitions } from '../linalg/repetitions';
import type { JointRows } from './joint-rows';
import type { BodyMobility } from './mobility';
import type { Revision, StepScheme } from './schemes/scheme';

const MAX_ITERATIONS = 50;

export class EndRows {
  /** u⁺ of the last repetition */
  readonly #last: Float64Array;
  readonly #repetitions = new Repetitions(MAX_ITERATIONS);

  /** @param positions where the rows are formed */
  constructor(
    private readonly positions: Float64Array,
    private readonly mobility: BodyMobility,
    private readonly jointRows: JointRows,
    private readonly scheme: StepScheme,
  ) {
    this.#last = new Float64Array(mobility.system.velocities);
  }

  /** At the start of a step. */
  begin(): void {
    this.#repetitions.begin();
    this.#last.fill(Number.NaN);
  }

  /**
   * Forms the rows at q⁺ of u⁺.
   * @param middle q_* @param u u⁺ @param unbound u_p, whose speed is that of what impulses hold at rest
   * @returns `again` while u⁺ changes with them
   */
  revise(middle: Float64Array, u: Float64Array, unbound: Float64Array): Revision {
    const { positions } = this;
    const next = this.#repetitions.next(this.#measure(u, unbound));
    if (next !== 'again') return next === 'done' ? 'ok' : 'rowsNotConverged';
    positions.set(middle);
    const status = this.scheme.finish(positions, u);
    if (status !== 'ok') return status;
    this.mobility.update(positions);
    this.jointRows.linearise(positions);
    return 'again';
  }

  /** @returns the largest change of u⁺ relative to the largest speed */
  #measure(u: Float64Array, unbound: Float64Array): number {
    const last = this.#last;
    let [change, fastest] = [0, 0];
    for (let i = 0; i < u.length; i++) {
      // Of the first repetition there is no last one.
      change = Number.isNaN(last[i]) ? Number.POSITIVE_INFINITY : Math.max(change, Math.abs(u[i] - last[i]));
      fastest = Math.max(fastest, Math.abs(u[i]), Math.abs(unbound[i]));
    }
    last.set(u);
    return change === 0 ? 0 : change / fastest;
  }
}
