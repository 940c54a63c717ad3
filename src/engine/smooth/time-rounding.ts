/**
 * What rounding of the time makes of a rate. A number near t is known to ε |t|, so that a steep function of
 * time is known to |∂f/∂t| ε |t| and its integral over a step to h times that: a spike of 1 ns at t = 5 s to
 * 1e-6 of its area. An estimate of the error shows this as well, and where it is all that it shows, shorter
 * steps are no better, and end in none that is short enough.
 */
import { LENGTH, START, type StepData } from './step-method';

/**
 * Half the width of the difference, in units of rounding: sums of stages and the arithmetic of scripts lose
 * some of these.
 */
const WIDTH = 4 * Number.EPSILON;

export class TimeRounding {
  /** absolute tolerances with what rounding of the time leaves on the step, in the units of x */
  readonly absolute: Float64Array;
  readonly #above: Float64Array;
  readonly #below: Float64Array;
  readonly #clock = new Float64Array(1);

  constructor(private readonly data: StepData) {
    this.absolute = new Float64Array(data.system.size);
    this.#above = new Float64Array(data.system.size);
    this.#below = new Float64Array(data.system.size);
  }

  /**
   * Measures it in the middle of a step whose error was too large. The state is that of the start: what the
   * rate makes of the state is no matter of rounding of the time.
   * @returns whether it may matter; `absolute` says how much then
   */
  measure(): boolean {
    const { span, system, tolerances, counters, x0 } = this.data;
    const h = span[LENGTH];
    const width = WIDTH * (Math.abs(span[START]) + h);
    // What is rounded is less than the tolerance, or there is no room for the difference.
    if (width < tolerances.relative * h || 2 * width > h) return false;
    const middle = span[START] + 0.5 * h;
    this.#clock[0] = middle + width;
    system.rate(this.#clock, x0, this.#above);
    this.#clock[0] = middle - width;
    system.rate(this.#clock, x0, this.#below);
    counters.rates += 2;
    let largest = 0;
    for (let i = 0; i < x0.length; i++) {
      const rounding = h * Math.abs(this.#above[i] - this.#below[i]);
      if (!(rounding < Infinity)) return false;
      largest = Math.max(largest, rounding);
      this.absolute[i] = tolerances.absolute[i] + rounding;
    }
    return largest > 0;
  }
}
