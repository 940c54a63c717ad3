/**
 * Length of a first step (Hairer, Nørsett, Wanner I, §II.4): one that changes x by a hundredth of itself; then, with the
 * second derivative estimated by an Euler step of that length, one whose error term h^p max(|ẋ|, |ẍ|) is a hundredth of
 * the tolerance.
 */
import { LENGTH, NEXT, START, type StepData } from './step-data';

/** Where x or its rate vanishes nothing is known: a start that is surely short. */
const BLIND = 1e-6;
const VANISHING = 1e-10;
/** The second guess may be this much longer than the first. */
const TRUST = 100;

export class InitialStep {
  readonly #x: Float64Array;
  readonly #rate: Float64Array;
  readonly #clock = new Float64Array(1);

  constructor(private readonly data: StepData) {
    this.#x = new Float64Array(data.system.size);
    this.#rate = new Float64Array(data.system.size);
  }

  /** Writes [NEXT]. rate0 must be known. @param limit [0] longest step allowed */
  guess(order: number, limit: Float64Array): void {
    const { system, counters, span, x0, rate0, tolerances } = this.data;
    const n = system.size;
    let states = 0;
    let rates = 0;
    for (let i = 0; i < n; i++) {
      const scale = tolerances.absolute[i] + tolerances.relative * Math.abs(x0[i]);
      states += (x0[i] / scale) ** 2;
      rates += (rate0[i] / scale) ** 2;
    }
    let h = states <= VANISHING || rates <= VANISHING ? BLIND : 0.01 * Math.sqrt(states / rates);
    h = Math.min(h, limit[0]);
    for (let i = 0; i < n; i++) this.#x[i] = x0[i] + h * rate0[i];
    this.#clock[0] = span[START] + h;
    system.rate(this.#clock, this.#x, this.#rate);
    counters.rates++;
    let second = 0;
    for (let i = 0; i < n; i++) {
      const scale = tolerances.absolute[i] + tolerances.relative * Math.abs(x0[i]);
      second += ((this.#rate[i] - rate0[i]) / scale) ** 2;
    }
    const largest = Math.max(Math.sqrt(second) / h, Math.sqrt(rates));
    const next = largest <= 1e-15 ? Math.max(BLIND, 1e-3 * h) : (0.01 / largest) ** (1 / order);
    // Where the trial point is outside the domain of the rate, the first guess has to do.
    span[NEXT] = Number.isFinite(next) ? Math.min(TRUST * h, next, limit[0]) : h;
    span[LENGTH] = span[NEXT];
  }
}
