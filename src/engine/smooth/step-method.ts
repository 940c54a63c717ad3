import type { Attempt, OdeSystem, SmoothCounters, Tolerances } from './ode-system';

/**
 * A one-step method with its own control of the step length, or one whose steps are as long as they are asked
 * to be. What it works on is the common `StepData`.
 */
export interface StepMethod {
  /** order of its error estimate, for the first guess of a step length */
  readonly estimateOrder: number;
  /** what lasts from step to step beside the state; absent where that is nothing but lengths of steps */
  readonly memory?: Float64Array;
  /** A new integration: nothing is remembered, neither is how stiff the last one was. */
  reset(): void;
  /** Forgets earlier steps: the state has jumped, or another method has made the last ones. */
  begin(): void;
  /**
   * The state was corrected, without an event: what is remembered beside it stays. As `begin` where absent.
   */
  correct?(): void;
  /**
   * Tries the step [START], [LENGTH] from x0 and rate0: x1, rate1, and [NEXT] as the length of the next step
   * or of the next attempt.
   */
  attempt(): Attempt;
  /** Continuous extension of the step just accepted. */
  interpolate(dense: DenseOutput): void;
  /** Whether that extension is about as exact as what the control takes the step to be. */
  isExtended(dense: DenseOutput): boolean;
  /** Whether the other method should go on, judged by the step just accepted. */
  isMisplaced(): boolean;
  /** The entry that was not finite in the last attempt; its time into `clock`. */
  blame(clock: Float64Array): number;
}

/** Places in `StepData.span`. */
export const START = 0;
export const LENGTH = 1;
export const NEXT = 2;
export const END = 3;

/** The step that is being made: what the methods, the events and the driver share. */
export class StepData {
  /**
   * [START] time at its start, [LENGTH] its length h, [NEXT] the length to go on or to try again with,
   * [END] time at its end: START + LENGTH, or the very time that must not be passed
   */
  readonly span = new Float64Array(4);
  /** state and rate at the start */
  readonly x0: Float64Array;
  readonly rate0: Float64Array;
  /** state and rate at the end */
  readonly x1: Float64Array;
  readonly rate1: Float64Array;

  constructor(
    readonly system: OdeSystem,
    readonly tolerances: Tolerances,
    readonly counters: SmoothCounters,
  ) {
    const n = system.size;
    this.x0 = new Float64Array(n);
    this.rate0 = new Float64Array(n);
    this.x1 = new Float64Array(n);
    this.rate1 = new Float64Array(n);
  }
}

/** First entry that is not finite, −1 if there is none. */
export function firstNotFinite(values: Float64Array): number {
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) return i;
  return -1;
}

/**
 * The state between the ends of a step, as a polynomial in θ = (t − t₀)/h ∈ [0, 1]. With σ = 1 − θ it is
 *
 *     x(θ) = F₀ + θ (F₁ + σ (F₂ + θ (F₃ + σ (F₄ + θ (F₅ + σ (F₆ + θ F₇)))))).
 *
 * The factors of the F_k are the products 1, θ, θσ, θ²σ, θ²σ², θ³σ², θ³σ³, θ⁴σ³. Each is positive on the
 * step, and is a non-negative combination of Bernstein polynomials, so that neither evaluation nor conversion
 * cancels. The extension of the explicit pair uses all of them (degree 7), the collocation polynomial of the
 * implicit method the first four.
 */
export const MAX_DEGREE = 7;

export class DenseOutput {
  /** 7 or 3 */
  degree = MAX_DEGREE;
  /** F_k,i at [k n + i] */
  readonly coefficients: Float64Array;

  constructor(readonly size: number) {
    this.coefficients = new Float64Array((MAX_DEGREE + 1) * size);
  }

  /** State at `place[0]` = θ into `out`. */
  evaluate(place: Float64Array, out: Float64Array): void {
    const theta = place[0];
    const sigma = 1 - theta;
    const n = this.size;
    const f = this.coefficients;
    if (this.degree === MAX_DEGREE) {
      for (let i = 0; i < n; i++) {
        let s = f[6 * n + i] + theta * f[7 * n + i];
        s = f[4 * n + i] + theta * (f[5 * n + i] + sigma * s);
        s = f[2 * n + i] + theta * (f[3 * n + i] + sigma * s);
        out[i] = f[i] + theta * (f[n + i] + sigma * s);
      }
    } else {
      for (let i = 0; i < n; i++) {
        out[i] = f[i] + theta * (f[n + i] + sigma * (f[2 * n + i] + theta * f[3 * n + i]));
      }
    }
  }
}

/** One polynomial of degree 7 or 3 in the same form: value at `place[0]` into `out[0]`. */
export function evaluateNested(
  f: Float64Array,
  degree: number,
  place: Float64Array,
  out: Float64Array,
): void {
  const theta = place[0];
  const sigma = 1 - theta;
  let s = f[2] + theta * f[3];
  if (degree === MAX_DEGREE) {
    s = f[4] + theta * (f[5] + sigma * (f[6] + theta * f[7]));
    s = f[2] + theta * (f[3] + sigma * s);
  }
  out[0] = f[0] + theta * (f[1] + sigma * s);
}

/*
 * What rounding of the time makes of a rate. A number near t is known to ε |t|, so that a steep function of
 * time is known to |∂f/∂t| ε |t| and its integral over a step to h times that: a spike of 1 ns at t = 5 s to
 * 1e-6 of its area. An estimate of the error shows this as well, and where it is all that it shows, shorter
 * steps are no better, and end in none that is short enough.
 */

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
