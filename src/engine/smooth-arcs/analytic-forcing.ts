/**
 * Forcing by functions of time that are themselves solutions of linear time-invariant equations:
 *
 *     ż = A z + b + Σ_s w_s f_s(t),   f = Σ_k a_k t^k   or   f = p cos ωt + q sin ωt.
 *
 * The derivatives of f become further components of the state: of a polynomial of degree m the m + 1 functions
 * f, ḟ, …, f^(m), of which the last is constant; of a sinusoid f and ḟ/ω, which turn with ω. Anything else, a function that a
 * script computes above all, is no exact arc and is left to the general integrator.
 */
import type { LinearSystem } from './linear-system';

export interface PolynomialSignal {
  readonly kind: 'polynomial';
  /** direction w, n entries */
  readonly direction: Float64Array;
  /** a_0, a_1, …; at least one */
  readonly coefficients: Float64Array;
}

export interface SinusoidSignal {
  readonly kind: 'sinusoid';
  /** direction w, n entries */
  readonly direction: Float64Array;
  /** ω, rad/s, not zero */
  readonly frequency: number;
  /** p */
  readonly cosine: number;
  /** q */
  readonly sine: number;
}

export type AnalyticSignal = PolynomialSignal | SinusoidSignal;

/** Components that a signal adds to the state. */
const componentsOf = (signal: AnalyticSignal): number =>
  signal.kind === 'polynomial' ? signal.coefficients.length : 2;

/** First signal that is none: no coefficients, a frequency of zero, or an entry that is not finite; −1 if all are. */
export function firstInadmissible(signals: readonly AnalyticSignal[], size: number): number {
  return signals.findIndex((signal) => {
    if (signal.direction.length !== size || !signal.direction.every(Number.isFinite)) return true;
    if (signal.kind === 'polynomial') {
      return signal.coefficients.length === 0 || !signal.coefficients.every(Number.isFinite);
    }
    const { frequency, cosine, sine } = signal;
    return frequency === 0 || ![frequency, cosine, sine].every(Number.isFinite);
  });
}

/** The system with its signals: state (z, derivatives of the signals). */
export class ForcedSystem {
  readonly system: LinearSystem;
  /** first further component of each signal */
  readonly places: readonly number[];

  /** @param signals admissible ones (`firstInadmissible`) */
  constructor(
    base: LinearSystem,
    private readonly signals: readonly AnalyticSignal[],
  ) {
    const places: number[] = [];
    let size = base.size;
    for (const signal of signals) {
      places.push(size);
      size += componentsOf(signal);
    }
    const matrix = new Float64Array(size * size);
    const constant = new Float64Array(size);
    for (let i = 0; i < base.size; i++) {
      constant[i] = base.constant[i];
      for (let j = 0; j < base.size; j++) matrix[i * size + j] = base.matrix[i * base.size + j];
    }
    signals.forEach((signal, s) => {
      const at = places[s];
      for (let i = 0; i < base.size; i++) matrix[i * size + at] = signal.direction[i];
      if (signal.kind === 'sinusoid') {
        matrix[at * size + at + 1] = signal.frequency;
        matrix[(at + 1) * size + at] = -signal.frequency;
      } else {
        for (let k = at; k < at + signal.coefficients.length - 1; k++) matrix[k * size + k + 1] = 1;
      }
    });
    this.system = { size, matrix, constant };
    this.places = places;
  }

  /**
   * The signals at time t into the further components of a state. To be done at every start and restart: the flow carries
   * them along, and rounding with them, while this is exact at all times.
   * @param clock [0] t
   * @param state entries of `system.size`
   */
  writeSignals(clock: Float64Array, state: Float64Array): void {
    const t = clock[0];
    for (let s = 0; s < this.signals.length; s++) {
      const signal = this.signals[s];
      const at = this.places[s];
      if (signal.kind === 'sinusoid') {
        const c = Math.cos(signal.frequency * t);
        const sn = Math.sin(signal.frequency * t);
        state[at] = signal.cosine * c + signal.sine * sn;
        state[at + 1] = signal.sine * c - signal.cosine * sn;
        continue;
      }
      const a = signal.coefficients;
      for (let derivative = 0; derivative < a.length; derivative++) {
        let sum = 0;
        for (let k = a.length - 1; k >= derivative; k--) {
          let factor = 1;
          for (let i = 0; i < derivative; i++) factor *= k - i;
          sum = sum * t + factor * a[k];
        }
        state[at + derivative] = sum;
      }
    }
  }
}
