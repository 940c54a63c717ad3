/**
 * Coulomb friction in fixed modes: the tangential multiplier of a contact is coupled to the normal one,
 *
 *     λ_t = z_t + f λ_n,
 *
 *     slides, ẏ_t > 0     f = −μ       z_t = 0         mode LOWER: λ_t at the lower end of [−μ λ_n, μ λ_n]
 *     slides, ẏ_t < 0     f = μ        z_t = 0         mode UPPER
 *     sticks              f = ratio    z_t: ÿ_t = 0    mode ACTIVE
 *
 * so that the unknowns λ_n and z_t have the columns C M⁻¹ (c_n + f c_t) and C M⁻¹ c_t, with c the directions
 * of the two rows: the operator is no longer symmetric. The ratio of a sticking contact is λ_t/λ_n where the
 * modes were decided. It changes nothing where z_t is determined. Of redundant contacts, as those of a block
 * that jams in a corner, dependent unknowns are set to zero (`basic-solve.ts`): the ratio keeps such a λ_t
 * inside the cone, and what is held of λ_n where the modes were decided, λ_n = held + z_n, keeps such a λ_n.
 * Where tangential forces alone are redundant, they are shared (`friction-sharing.ts`).
 */
import type { EventRelations } from '../rows/relation-rows';
import { ACTIVE, LOWER, type RowLaws } from '../rows/row-laws';

/**
 * W_nn + f W_nt, relative to W_nn, below which a sliding contact is at its end: the normal force is beyond
 * bounds there, and the integration cannot follow it to zero.
 */
export const SINGULAR_PUSH = 1e-6;

/**
 * Part of the largest force by which a force may be outside its cone: what counts as a tie, and differences,
 * leave less.
 */
export const OUTSIDE = 1e-6;

/** What adds the effect of multipliers to rates: the flow. */
interface Pushing {
  push(row: number, lambda: Float64Array, out: Float64Array): void;
}

export class FrictionCoupling {
  /** f, then what is held of λ_n, both by row of the contact: all that the motion depends on besides modes */
  readonly coefficients: Float64Array;
  /** f, by row of the contact */
  readonly factor: Float64Array;
  /** what is held of λ_n, by row of the contact */
  readonly held: Float64Array;
  /** λ_t/λ_n of sticking contacts where the modes were decided, by friction row */
  readonly ratio: Float64Array;
  /** friction rows of closed contacts that slide */
  readonly sliding: Int32Array;
  slidingCount = 0;
  readonly #isSticking: Uint8Array;
  /** f times what is held */
  readonly #tangential: Float64Array;

  constructor(
    private readonly laws: RowLaws,
    private readonly rows: EventRelations,
  ) {
    this.coefficients = new Float64Array(2 * laws.count);
    this.factor = this.coefficients.subarray(0, laws.count);
    this.held = this.coefficients.subarray(laws.count);
    this.ratio = new Float64Array(laws.count);
    this.sliding = new Int32Array(laws.frictionRows.length);
    this.#isSticking = new Uint8Array(laws.count);
    this.#tangential = new Float64Array(laws.count);
  }

  /** After modes or ratios have changed. */
  setModes(modes: Int8Array): void {
    const { frictionRows, mu } = this.laws;
    this.slidingCount = 0;
    for (let k = 0; k < frictionRows.length; k++) {
      const row = frictionRows[k];
      const isClosed = modes[row - 1] === ACTIVE;
      const sticks = isClosed && modes[row] === ACTIVE;
      this.#isSticking[row] = sticks ? 1 : 0;
      this.factor[row - 1] = 0;
      if (!isClosed) {
        this.held[row - 1] = 0;
        continue;
      }
      if (sticks) {
        this.factor[row - 1] = this.ratio[row];
        continue;
      }
      this.factor[row - 1] = modes[row] === LOWER ? -mu[row] : mu[row];
      this.sliding[this.slidingCount++] = row;
    }
  }

  /** Whether a row is that of friction of a contact that sticks. */
  isSticking(row: number): boolean {
    return this.#isSticking[row] === 1;
  }

  /**
   * Appends the friction rows of sticking contacts, those of contacts that push first: elimination comes to
   * them last, and dependent ones get z_t = 0.
   * @returns the new count
   */
  appendSticking(carries: Uint8Array, active: Int32Array, count: number): number {
    const { frictionRows } = this.laws;
    for (let pass = 0; pass < 2; pass++) {
      for (let k = 0; k < frictionRows.length; k++) {
        const row = frictionRows[k];
        if (this.isSticking(row) && (carries[row - 1] === 1) === (pass === 0)) active[count++] = row;
      }
    }
    return count;
  }

  /**
   * The row of friction of a sticking contact whose forces are outside its cone by more than rounding; −1
   * where there is none. Only redundant contacts can be, whose forces were chosen.
   */
  outside(lambda: Float64Array): number {
    const { frictionRows, mu } = this.laws;
    let force = 0;
    let worst = 0;
    let found = -1;
    for (let k = 0; k < frictionRows.length; k++) {
      const row = frictionRows[k];
      force = Math.max(force, Math.abs(lambda[row - 1]), Math.abs(lambda[row]));
      if (!this.isSticking(row)) continue;
      const excess = Math.max(-lambda[row - 1], Math.abs(lambda[row]) - mu[row] * lambda[row - 1]);
      if (excess <= worst) continue;
      worst = excess;
      found = row;
    }
    return worst > OUTSIDE * force ? found : -1;
  }

  /** Adds what is held to the rates, before z_n is solved for. */
  pushHeld(flow: Pushing, out: Float64Array): void {
    const { frictionRows } = this.laws;
    for (let k = 0; k < frictionRows.length; k++) {
      const contact = frictionRows[k] - 1;
      if (this.held[contact] === 0) continue;
      flow.push(contact, this.held, out);
      this.#tangential[contact + 1] = this.factor[contact] * this.held[contact];
      if (this.#tangential[contact + 1] !== 0) flow.push(contact + 1, this.#tangential, out);
    }
  }

  /**
   * Adds what is held to λ_n, and f λ_n to the multipliers of friction, of which those of sticking contacts
   * hold z_t.
   */
  complete(lambda: Float64Array): void {
    const { frictionRows } = this.laws;
    for (let k = 0; k < frictionRows.length; k++) {
      const row = frictionRows[k];
      lambda[row - 1] += this.held[row - 1];
      lambda[row] = (this.isSticking(row) ? lambda[row] : 0) + this.factor[row - 1] * lambda[row - 1];
    }
  }

  /** Adds f M⁻¹ c_t to the column of a contact. @param work by coordinate */
  addColumn(contact: number, work: Float64Array): void {
    const f = this.factor[contact];
    if (f === 0) return;
    const { rowStart, dofs, response } = this.rows;
    for (let k = rowStart[contact + 1]; k < rowStart[contact + 2]; k++) work[dofs[k]] += f * response[k];
  }

  /**
   * (W_nn + f W_nt)/W_nn of a contact into `out[0]`, with rows of the last update. Where it is not positive,
   * a push does not part the bodies: Painlevé 1895.
   */
  effective(contact: number, out: Float64Array): void {
    const { rowStart, C, response } = this.rows;
    const f = this.factor[contact];
    const columns = rowStart[contact + 1] - rowStart[contact];
    let normal = 0;
    let tangential = 0;
    for (let k = rowStart[contact]; k < rowStart[contact + 1]; k++) {
      normal += C[k] * response[k];
      // Both rows belong to one relation and have the same coordinates.
      tangential += C[k] * response[k + columns];
    }
    out[0] = 1 + (f * tangential) / normal;
  }
}
