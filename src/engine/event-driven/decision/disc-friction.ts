/**
 * Coulomb friction in the tangent plane of 3D contacts, in fixed modes. A contact has the rows n, t₁, t₂;
 * with u = (ẏ₁, ẏ₂) its slip and λ_t = (λ₁, λ₂),
 *
 *     slides   λ_t = −μ λ_n d,  d = u/|u|      both rows LOWER
 *     sticks   λ_t: ü = 0, |λ_t| ≤ μ λ_n       both rows ACTIVE
 *
 * so that the column of λ_n of a sliding contact is C M⁻¹ (c_n + f₁ c₁ + f₂ c₂) with f = −μ d, as in the
 * plane (`friction-coupling.ts`), but with a direction that turns with the motion.
 *
 * At |u| = 0 there is no direction, and friction brings slips there in finite time, along a direction that
 * they keep to in the end. So below |u| = `LOW_SLIP_RATIO` parts of the largest slip the direction is held:
 * the flow is smooth there, and u·d comes to zero as a slip in the plane does. What is then left of u at
 * right angles to d is of that size, and is taken out where the contact sticks. A contact that starts to
 * slide has the direction that its acceleration has, or, where that is zero, the one against the force that
 * held it, and holds it until |u| is twice as large.
 *
 * Slips of several contacts of one body turn with its motion, and those that have just begun may be in any
 * direction until they follow each other: of them u·d is not looked at. As friction turns a slip at a rate in
 * inverse proportion to it, they hold their directions until they are well above what the integration may
 * leave in a velocity.
 */
import { OUTSIDE } from './friction-coupling';
import type { EventRelations } from '../rows/relation-rows';
import { ACTIVE, type RowLaws } from '../rows/row-laws';

/**
 * Slip below which its direction is held, and above which it is followed again, in parts of the largest so
 * far.
 */
const LOW_SLIP_RATIO = 1e-9;
const HIGH = 2e-9;

/** Numbers of a contact: d₁, d₂, and whether that direction is followed or held. */
const NUMBERS = 3;
const FOLLOWED = 0;
const HELD = 1;
/** Held by a contact that has begun to slide together with others: u need not be along d. */
const STARTING = 2;

export class DiscFriction {
  /**
   * first tangential row of each contact; its contact is the row before, the other tangential row the next
   */
  readonly rows: Int32Array;
  /** all that the motion depends on besides modes: directions, and whether they are held */
  readonly held: Float64Array;
  /** largest slip so far by tangential row, m/s: what is small in one */
  readonly fastest: Float64Array;
  /** [0] slip up to which those that begin together hold their directions, at least, m/s */
  readonly launch = new Float64Array(1);
  /** f by tangential row */
  readonly factor: Float64Array;
  /** first tangential rows of closed contacts that slide */
  readonly sliding: Int32Array;
  slidingCount = 0;
  /** place of a contact in `rows`, by its first tangential row; −1 of others */
  readonly #place: Int32Array;
  readonly #isSticking: Uint8Array;
  readonly #slip = new Float64Array(2);

  constructor(
    private readonly laws: RowLaws,
    private readonly relations: EventRelations,
    private readonly velocity: Int32Array,
  ) {
    this.rows = laws.slipRows;
    this.held = new Float64Array(NUMBERS * this.rows.length);
    this.factor = new Float64Array(laws.count);
    this.fastest = new Float64Array(laws.count);
    this.sliding = new Int32Array(this.rows.length);
    this.#place = new Int32Array(laws.count).fill(-1);
    this.rows.forEach((row, k) => (this.#place[row] = k));
    this.#isSticking = new Uint8Array(laws.count);
  }

  /** After modes have changed. */
  setModes(modes: Int8Array): void {
    this.slidingCount = 0;
    for (let k = 0; k < this.rows.length; k++) {
      const row = this.rows[k];
      const isClosed = modes[row - 1] === ACTIVE;
      this.#isSticking[row] = isClosed && modes[row] === ACTIVE ? 1 : 0;
      this.factor[row] = 0;
      this.factor[row + 1] = 0;
      if (!isClosed) this.held[NUMBERS * k + 2] = FOLLOWED;
      if (isClosed && modes[row] !== ACTIVE) this.sliding[this.slidingCount++] = row;
    }
  }

  /** Whether a row is the first of the two slips of a contact. */
  isFirst(row: number): boolean {
    return this.#place[row] >= 0;
  }

  /** Whether a tangential row is the first of a contact that sticks. */
  isSticking(row: number): boolean {
    return this.#isSticking[row] === 1;
  }

  isHeld(row: number): boolean {
    return this.held[NUMBERS * this.#place[row] + 2] !== FOLLOWED;
  }

  isStarting(row: number): boolean {
    return this.held[NUMBERS * this.#place[row] + 2] === STARTING;
  }

  /** Appends the rows of sticking contacts, those of contacts that push first. @returns the new count */
  appendSticking(carries: Uint8Array, active: Int32Array, count: number): number {
    for (let pass = 0; pass < 2; pass++)
      for (let k = 0; k < this.rows.length; k++) {
        const row = this.rows[k];
        if (!this.isSticking(row) || (carries[row - 1] === 1) !== (pass === 0)) continue;
        active[count++] = row;
        active[count++] = row + 1;
      }
    return count;
  }

  /** Slip of a contact at a state, with rows of the last update. @param out u @returns |u| */
  slip(row: number, x: Float64Array, out: Float64Array): number {
    const { rowStart, dofs, C } = this.relations;
    for (let t = 0; t < 2; t++) {
      let sum = 0;
      for (let k = rowStart[row + t]; k < rowStart[row + t + 1]; k++) sum += C[k] * x[this.velocity[dofs[k]]];
      out[t] = sum;
    }
    return Math.sqrt(out[0] * out[0] + out[1] * out[1]);
  }

  /** Brings f of all sliding contacts to a state. */
  follow(x: Float64Array): void {
    for (let k = 0; k < this.slidingCount; k++) this.setFactor(this.sliding[k], x);
  }

  /** The same of one contact, whether it is closed or not. */
  setFactor(row: number, x: Float64Array): void {
    const at = NUMBERS * this.#place[row];
    const { held, factor } = this;
    const mu = this.laws.mu[row];
    if (held[at + 2] !== FOLLOWED) {
      factor[row] = -mu * held[at];
      factor[row + 1] = -mu * held[at + 1];
      return;
    }
    const slip = this.#slip;
    const length = this.slip(row, x, slip);
    factor[row] = length > 0 ? (-mu * slip[0]) / length : 0;
    factor[row + 1] = length > 0 ? (-mu * slip[1]) / length : 0;
  }

  clearFactor(row: number): void {
    this.factor[row] = 0;
    this.factor[row + 1] = 0;
  }

  /**
   * Holds a direction, which need not have unit length.
   * @param isStarting whether the contact begins to slide together with others
   */
  hold(row: number, d0: number, d1: number, isStarting = false): void {
    const at = NUMBERS * this.#place[row];
    const length = Math.sqrt(d0 * d0 + d1 * d1);
    this.held[at] = d0 / length;
    this.held[at + 1] = d1 / length;
    this.held[at + 2] = isStarting ? STARTING : HELD;
  }

  release(row: number): void {
    this.held[NUMBERS * this.#place[row] + 2] = FOLLOWED;
  }

  /**
   * Where a slip has come so close to zero that its direction is held, or so far that it is followed again,
   * it is.
   * @returns whether anything has changed
   */
  review(row: number, x: Float64Array): boolean {
    const fastest = this.fastest[row];
    const slip = this.#slip;
    const length = this.slip(row, x, slip);
    // Where an event function has found the bound, the slip is at it but for rounding.
    if (!this.isHeld(row)) {
      if (length > 0.5 * (LOW_SLIP_RATIO + HIGH) * fastest) return false;
      this.hold(row, slip[0], slip[1]);
      return true;
    }
    const bound = this.isStarting(row) ? 0.75 * this.#launchOf(row) : 0.5 * (LOW_SLIP_RATIO + HIGH) * fastest;
    if (length < bound) return false;
    this.release(row);
    return true;
  }

  /** u·d of a contact whose direction is held, and otherwise |u| − the slip below which it is. */
  remaining(row: number, x: Float64Array): number {
    const slip = this.#slip;
    const length = this.slip(row, x, slip);
    if (!this.isHeld(row)) return length - LOW_SLIP_RATIO * this.fastest[row];
    const at = NUMBERS * this.#place[row];
    return slip[0] * this.held[at] + slip[1] * this.held[at + 1];
  }

  /** |u| − the slip above which a direction that is held is followed again. */
  launched(row: number, x: Float64Array): number {
    return this.slip(row, x, this.#slip) - this.#launchOf(row);
  }

  #launchOf(row: number): number {
    const high = HIGH * this.fastest[row];
    return this.isStarting(row) ? Math.max(high, this.launch[0]) : high;
  }

  /** μ λ_n − |λ_t| */
  reserve(row: number, lambda: Float64Array): number {
    const tangential = Math.sqrt(lambda[row] * lambda[row] + lambda[row + 1] * lambda[row + 1]);
    return this.laws.mu[row] * lambda[row - 1] - tangential;
  }

  /**
   * Whether a contact that sticks has forces outside its cone by more than rounding: only redundant contacts
   * can.
   */
  isOutside(lambda: Float64Array): boolean {
    let force = 0;
    let worst = 0;
    for (let k = 0; k < this.rows.length; k++) {
      const row = this.rows[k];
      force = Math.max(force, Math.abs(lambda[row - 1]), Math.abs(lambda[row]), Math.abs(lambda[row + 1]));
      if (this.isSticking(row)) worst = Math.max(worst, -this.reserve(row, lambda));
    }
    return worst > OUTSIDE * force;
  }

  /** Adds f M⁻¹ c_t to the column of a contact. @param work by coordinate */
  addColumn(contact: number, work: Float64Array): void {
    if (contact + 1 >= this.#place.length || this.#place[contact + 1] < 0) return;
    const { rowStart, dofs, response } = this.relations;
    for (let row = contact + 1; row < contact + 3; row++) {
      const f = this.factor[row];
      if (f === 0) continue;
      for (let k = rowStart[row]; k < rowStart[row + 1]; k++) work[dofs[k]] += f * response[k];
    }
  }

  /** λ_t = f λ_n of sliding contacts. */
  complete(lambda: Float64Array): void {
    for (let k = 0; k < this.slidingCount; k++) {
      const row = this.sliding[k];
      lambda[row] = this.factor[row] * lambda[row - 1];
      lambda[row + 1] = this.factor[row + 1] * lambda[row - 1];
    }
  }

  /** (W_nn + f₁ W_n1 + f₂ W_n2)/W_nn; see `FrictionCoupling.effective` */
  effective(contact: number, out: Float64Array): void {
    const { rowStart, C, response } = this.relations;
    const columns = rowStart[contact + 1] - rowStart[contact];
    const [f1, f2] = [this.factor[contact + 1], this.factor[contact + 2]];
    let normal = 0;
    let tangential = 0;
    for (let k = rowStart[contact]; k < rowStart[contact + 1]; k++) {
      normal += C[k] * response[k];
      tangential += C[k] * (f1 * response[k + columns] + f2 * response[k + 2 * columns]);
    }
    out[0] = 1 + tangential / normal;
  }
}
