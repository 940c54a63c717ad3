/**
 * Classification of the zeros of one function along a step. It is given places in ascending order such that
 * the function is monotone, or clear of zero, from each to the next; and what counts as zero there. Of the
 * signs + 0 −
 *
 *     + … −   falls through zero,   + 0 … 0 +   touches zero from above,
 *
 * and likewise from below. A run of zeros belongs to one root, however the values oscillate within it. A
 * function that starts at zero has no side: where it goes first becomes its side without a root, so that the
 * start of a flight after an impact is not found as an end of it. The side outlives the step.
 */
import { EITHER, FALLING, RISING, TOUCH_FROM_ABOVE, TOUCH_FROM_BELOW, UNWATCHED } from './event-functions';

/**
 * A function that reaches zero at the end of a flight passes it if it leaves rounding within this part of the
 * stretch.
 */
const END_PART = 1e-6;

export class SignSweep {
  /** [0] place, [1] value of the point to be taken next */
  readonly point = new Float64Array(2);
  /** [0] magnitude up to which values count as zero */
  readonly zero = new Float64Array(1);
  /** of the root found: [0], [1] the places between which it lies */
  readonly bracket = new Float64Array(2);
  kind = 0;
  /** sign of the last value that was not zero; 0 before there was one */
  side = 0;
  #watch = EITHER as number;
  #reportsTouches = true;
  #hasRun = false;
  /** whether the values so far are those of the root at the start */
  #isHeld = false;
  /**
   * How far a function that starts at zero has to come before it has left zero, if that is more than what
   * counts as zero: [0] to the other side, [1] to its own
   */
  readonly hold = new Float64Array(2);
  /**
   * [0] last place with a sign, or the start; [1] place and [2] value of the point of the run next to zero
   */
  readonly #marks = new Float64Array(3);

  /**
   * A new stretch, which starts at the point.
   * @param side sign before the start, or behind a root at the start; 0 when there is none
   * @param isZero whether the start is a root that is known, whatever its value
   */
  begin(side: number, isZero: boolean, watch: number, reportsTouches: boolean): boolean {
    this.side = side;
    this.#watch = watch;
    this.#reportsTouches = reportsTouches;
    this.#hasRun = false;
    this.#marks[0] = this.point[0];
    this.#isHeld = isZero;
    return isZero ? false : this.take();
  }

  /** @returns whether a root of a watched kind is complete with this point */
  take(): boolean {
    const place = this.point[0];
    const value = this.point[1];
    const marks = this.#marks;
    const zero = this.zero[0];
    if (Math.abs(value) <= zero) {
      if (this.side === 0 || this.#isHeld) return false;
      if (!this.#hasRun || Math.abs(value) < marks[2]) {
        marks[1] = place;
        marks[2] = Math.abs(value);
      }
      this.#hasRun = true;
      return false;
    }
    const sign = value > 0 ? 1 : -1;
    if (this.#isHeld && this.side !== 0 && Math.abs(value) <= this.hold[sign === this.side ? 1 : 0])
      return false;
    const before = this.side;
    const hasTouched = this.#hasRun;
    this.side = sign;
    this.#hasRun = false;
    this.#isHeld = false;
    if (before === -sign) {
      this.kind = sign;
      this.bracket[0] = marks[0];
      this.bracket[1] = place;
    } else if (before === sign && hasTouched) {
      this.kind = sign > 0 ? TOUCH_FROM_ABOVE : TOUCH_FROM_BELOW;
      this.bracket[0] = marks[1];
      this.bracket[1] = marks[1];
    }
    marks[0] = place;
    return before !== 0 && (before !== sign || hasTouched) && this.#isWatched();
  }

  /** @returns whether the stretch ends in a zero that it was reached from one side */
  get endsInZero(): boolean {
    return this.#hasRun;
  }

  /**
   * Whether a zero at the very end of a flight, behind which nothing looks, is passed through there, as its
   * slope says, and that is watched: then it is a root.
   * @param slope [0] change of the function over a stretch of this length, from its derivative at the end
   */
  passesEnd(slope: Float64Array): boolean {
    if (!this.#hasRun || !(slope[0] * this.side < 0)) return false;
    if (!(END_PART * Math.abs(slope[0]) > this.zero[0])) return false;
    this.kind = -this.side;
    this.bracket[0] = this.#marks[0];
    this.bracket[1] = this.point[0];
    return this.#isWatched();
  }

  #isWatched(): boolean {
    const { kind } = this;
    const isTouch = kind === TOUCH_FROM_ABOVE || kind === TOUCH_FROM_BELOW;
    if (isTouch && !this.#reportsTouches) return false;
    switch (this.#watch) {
      case EITHER:
        return true;
      case FALLING:
        return kind === FALLING || kind === TOUCH_FROM_ABOVE;
      case RISING:
        return kind === RISING || kind === TOUCH_FROM_BELOW;
      case UNWATCHED:
      default:
        return false;
    }
  }
}
