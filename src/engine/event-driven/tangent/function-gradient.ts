/**
 * ∇g and ∂g/∂t of a function of which values are known, by central differences of order 4 as in
 * `flow-jacobian.ts`. Where g is smooth, what is even in the displacement grows with its square: at twice the
 * displacement it is four times as large. Where it is not, as where the smaller of two functions becomes the
 * other one, displacements become shorter, up to where the corner is g's own at that place.
 */
import type { LinearForm } from '../../smooth/event-functions';
import { DISPLACEMENT, PLACES, type StateSizes, WEIGHTS } from './flow-jacobian';

/** Part of a time below which its rounding would show in differences. */
const RESOLVED = 1e-10;
/** Even parts, relative to odd ones, that are none. */
const ODD = 1e-6;
/** Deviation of the even part at 2δ from four times that at δ, relative to it. */
const SMOOTH = 0.05;
/** What rounding leaves of an even part, as a part of the value. */
const ROUNDING = 64 * Number.EPSILON;
/** Displacements become shorter by this factor, and so often at most. */
const SHORTER = 2 ** -8;
const MOST_LEVELS = 3;

export class FunctionGradient {
  /** where the function is asked for: it reads these */
  readonly clock = new Float64Array(1);
  readonly x: Float64Array;
  readonly #values = new Float64Array(PLACES.length);

  constructor(
    private readonly sizes: StateSizes,
    /** step of the discretisation, s */
    readonly step: number,
  ) {
    this.x = new Float64Array(sizes.values.length);
  }

  /**
   * δ of the time: the step of the discretisation is the scale on which sources vary, not the time itself.
   */
  stepOfTime(time: number): number {
    return 2 ** Math.round(Math.log2(Math.max(DISPLACEMENT * this.step, RESOLVED * Math.abs(time))));
  }

  /**
   * @param form g, where it is known to be affine
   * @param value g at `clock` and `x`
   * @param out ∇g
   * @returns ∂g/∂t; NaN where g has no derivative
   */
  evaluate(
    form: LinearForm | null,
    value: () => number,
    time: number,
    x: Float64Array,
    out: Float64Array,
  ): number {
    if (form !== null) {
      out.fill(0);
      form.indices.forEach((i, k) => (out[i] += form.values[k]));
      return form.offset[1];
    }
    this.clock[0] = time;
    this.x.set(x);
    const here = value();
    let isSmooth = true;
    for (let j = 0; j < out.length; j++) {
      const delta = 2 ** Math.round(Math.log2(this.sizes.displacement(j)));
      out[j] = this.#derivative(value, here, this.x, j, delta);
      if (Number.isNaN(out[j])) isSmooth = false;
    }
    const byTime = this.#derivative(value, here, this.clock, 0, this.stepOfTime(time));
    return isSmooth ? byTime : Number.NaN;
  }

  #derivative(value: () => number, here: number, values: Float64Array, j: number, longest: number): number {
    const before = values[j];
    const found = this.#values;
    for (let level = 0, delta = longest; level < MOST_LEVELS; level++, delta *= SHORTER) {
      let sum = 0;
      for (let p = 0; p < PLACES.length; p++) {
        values[j] = before + PLACES[p] * delta;
        found[p] = value();
        sum += WEIGHTS[p] * found[p];
      }
      values[j] = before;
      if (found.every((one) => one === here)) return 0;
      if (this.#isSmooth(here, sum / 12)) return sum / (12 * delta);
    }
    return Number.NaN;
  }

  /** @param odd δ g′ */
  #isSmooth(here: number, odd: number): boolean {
    const found = this.#values;
    const near = found[1] + found[2] - 2 * here;
    const far = found[0] + found[3] - 2 * here;
    const size = Math.max(...found.map(Math.abs));
    const isEven = Math.max(Math.abs(near), Math.abs(far)) > ODD * Math.abs(odd) + ROUNDING * size;
    return !isEven || Math.abs(far - 4 * near) <= SMOOTH * Math.abs(far);
  }
}
