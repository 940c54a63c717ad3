/**
 * Forcing by functions of time that are themselves solutions of linear time-invariant equations:
 *
 *     ż = A z + b + Σ_s (w_s f_s(t) + d_s f_s′(t)),   f = e^(σt) (P(t) cos ωt + Q(t) sin ωt)
 *
 * with polynomials P and Q.
 *
 * With λ = σ + iω and R = P − iQ, f is the real part of r_0, where r_k = R^(k)(t) e^(λt) and
 *
 *     ṙ_k = λ r_k + r_{k+1},   r_{m+1} = 0 for degree m.
 *
 * Re r_k and −Im r_k become further components of the state, the latter only where ω is not zero: of a
 * polynomial its m + 1 derivatives, of which the last is constant; of a sinusoid f and ḟ/ω, which turn with
 * ω. All are of the size of f and its derivatives, at all times. Anything else is no exact arc and is left to
 * the general integrator.
 */
import type { LinearSystem } from './linear-system';

export interface AnalyticSignal {
  /** w, n entries */
  readonly direction: Float64Array;
  /** d, n entries; zero where absent */
  readonly slope?: Float64Array;
  /** σ, 1/s */
  readonly rate: number;
  /** ω, rad/s; zero where there is no sine */
  readonly frequency: number;
  /** coefficients of P: of 1, t, t², … */
  readonly cosine: Float64Array;
  /** coefficients of Q, as many; all zero where ω is */
  readonly sine: Float64Array;
}

/** Components that a signal adds for each power of time. */
const widthOf = ({ frequency }: AnalyticSignal): number => (frequency === 0 ? 1 : 2);

/** Components that a signal adds to the state. */
const forcingComponentsOf = (signal: AnalyticSignal): number => widthOf(signal) * signal.cosine.length;

/**
 * First signal that is none: no coefficients, a sine without a frequency, or an entry that is not finite; −1
 * if all are.
 */
export function firstInadmissible(signals: readonly AnalyticSignal[], size: number): number {
  return signals.findIndex(({ direction, rate, frequency, cosine, sine }) => {
    if (direction.length !== size || cosine.length === 0 || sine.length !== cosine.length) return true;
    if (frequency === 0 && sine.some((q) => q !== 0)) return true;
    return ![rate, frequency, ...direction, ...cosine, ...sine].every(Number.isFinite);
  });
}

/** The system with its signals: state (z, components of the signals). */
export class ForcedSystem {
  readonly system: LinearSystem;
  /** first further component of each signal, which is its value */
  readonly places: readonly number[];
  /** [0] factor of a derivative of t^k, [1] P^(k), [2] Q^(k) */
  readonly #work = new Float64Array(3);

  /** @param signals admissible ones (`firstInadmissible`) */
  constructor(
    base: LinearSystem,
    readonly signals: readonly AnalyticSignal[],
  ) {
    const places: number[] = [];
    let size = base.size;
    for (const signal of signals) {
      places.push(size);
      size += forcingComponentsOf(signal);
    }
    const matrix = new Float64Array(size * size);
    const constant = new Float64Array(size);
    for (let i = 0; i < base.size; i++) {
      constant[i] = base.constant[i];
      for (let j = 0; j < base.size; j++) matrix[i * size + j] = base.matrix[i * base.size + j];
    }
    signals.forEach((signal, s) => {
      const { direction, slope, rate, frequency } = signal;
      const first = places[s];
      const end = first + forcingComponentsOf(signal);
      const width = widthOf(signal);
      for (let at = first; at < end; at++) {
        matrix[at * size + at] = rate;
        if (at + width < end) matrix[at * size + at + width] = 1;
        if (width === 2)
          matrix[at * size + first + ((at - first) ^ 1)] = (at - first) % 2 === 0 ? frequency : -frequency;
      }
      for (let i = 0; i < base.size; i++) {
        matrix[i * size + first] = direction[i];
        if (slope === undefined || slope[i] === 0) continue;
        for (let j = first; j < end; j++) matrix[i * size + j] += slope[i] * matrix[first * size + j];
      }
    });
    this.system = { size, matrix, constant };
    this.places = places;
  }

  /**
   * The signals at time t into the further components of a state. To be done at every start and restart: the
   * flow carries them along, and rounding with them, while this is exact at all times.
   * @param clock [0] t
   * @param state entries of `system.size`
   */
  writeSignals(clock: Float64Array, state: Float64Array): void {
    const t = clock[0];
    const work = this.#work;
    for (let s = 0; s < this.signals.length; s++) {
      const { rate, frequency, cosine, sine } = this.signals[s];
      const growth = rate === 0 ? 1 : Math.exp(rate * t);
      const c = growth * Math.cos(frequency * t);
      const sn = growth * Math.sin(frequency * t);
      let at = this.places[s];
      for (let derivative = 0; derivative < cosine.length; derivative++) {
        work[1] = 0;
        work[2] = 0;
        for (let k = cosine.length - 1; k >= derivative; k--) {
          work[0] = 1;
          for (let i = 0; i < derivative; i++) work[0] *= k - i;
          work[1] = work[1] * t + work[0] * cosine[k];
          work[2] = work[2] * t + work[0] * sine[k];
        }
        state[at++] = work[1] * c + work[2] * sn;
        if (frequency !== 0) state[at++] = work[2] * c - work[1] * sn;
      }
    }
  }
}
