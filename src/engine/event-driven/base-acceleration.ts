/**
 * Acceleration c̈ of a base that coordinates are measured from. Where a form gives only c and ċ, c̈ is the derivative of ċ by two central
 * differences, with the same choice between them as in `relation-drift.ts`,
 *
 *     D₁ = (ċ(t + δ) − ċ(t − δ)) / 2δ,     D₂ = (ċ(t + 2δ) − ċ(t − 2δ)) / 4δ,     c̈ = D₁ + (D₁ − D₂)/3  (order 4).
 *
 * Across a jump of c̈ it is D₁, the mean of c̈ over 2δ: velocity and position behind the jump are what they are with the jump itself,
 * because the mean is symmetric about it. That fails where the motion begins within 2δ of a jump, as a cam does that starts at the end
 * of a piece; so up to 2δ behind the start nothing from before it is used,
 *
 *     c̈ = (−25 ċ(t) + 48 ċ(t + δ) − 36 ċ(t + 2δ) + 16 ċ(t + 3δ) − 3 ċ(t + 4δ)) / 12δ  (order 4).
 */
import type { BaseMotion } from '../model/forms';
import { extrapolated } from './two-differences';

/** Weights of the differences from the start, to be divided by δ. */
const FORWARD = Float64Array.of(-25 / 12, 4, -3, 4 / 3, -1 / 4);

export class BaseAcceleration {
  readonly #before: Float64Array;
  readonly #near: Float64Array;
  readonly #far: Float64Array;
  readonly #clock = new Float64Array(1);

  constructor(
    private readonly base: BaseMotion,
    size: number,
    /** δ, s */
    private readonly difference: number,
    /** time at which the motion begins, s */
    private readonly start: number,
  ) {
    this.#before = new Float64Array(size);
    this.#near = new Float64Array(size);
    this.#far = new Float64Array(size);
  }

  /** out −= c̈(t) */
  subtract(clock: Float64Array, out: Float64Array): void {
    const { acceleration } = this.base;
    if (acceleration !== undefined) {
      acceleration(clock, this.#near);
      for (let k = 0; k < out.length; k++) out[k] -= this.#near[k];
      return;
    }
    if (clock[0] - this.start < 2 * this.difference) {
      this.#subtractForward(clock, out);
      return;
    }
    const near = this.#near;
    const far = this.#far;
    this.#differentiate(clock, 2 * this.difference, far);
    this.#differentiate(clock, this.difference, near);
    for (let k = 0; k < out.length; k++) out[k] -= extrapolated(near[k], far[k]);
  }

  #subtractForward(clock: Float64Array, out: Float64Array): void {
    const values = this.#near;
    for (let step = 0; step < FORWARD.length; step++) {
      this.#clock[0] = clock[0] + step * this.difference;
      this.base.velocity(this.#clock, values);
      for (let k = 0; k < out.length; k++) out[k] -= (FORWARD[step] * values[k]) / this.difference;
    }
  }

  #differentiate(clock: Float64Array, s: number, out: Float64Array): void {
    const before = this.#before;
    this.#clock[0] = clock[0] - s;
    const start = this.#clock[0];
    this.base.velocity(this.#clock, before);
    this.#clock[0] = clock[0] + s;
    this.base.velocity(this.#clock, out);
    // Divided by the distance that rounding of the times has left.
    const distance = this.#clock[0] - start;
    for (let k = 0; k < out.length; k++) out[k] = (out[k] - before[k]) / distance;
  }
}
