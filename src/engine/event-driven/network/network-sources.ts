/**
 * What drives a network just behind the present: b and e with their derivatives, and what is not known of
 * them. Sums of polynomials, exponentials and sines have derivatives that are as exact as their values; of
 * other functions of time there are values only, and derivatives are differences ahead.
 */
import type { LinearNetwork } from './linear-network';

/** Derivatives that are asked for. */
export const ORDERS = 4;
/** Below which part of their terms coefficients are zero, by order, where motion is integrated. */
const ZERO = [1e-9, 1e-9, 1e-8, 1e-7] as const;
/** The same where states and derivatives have nothing but rounding. */
const EXACT = [1e-11, 1e-11, 1e-10, 1e-9] as const;

/** Part of the time up to the next jump that δ takes. */
const OF_WINDOW = 0.15;
/** Part of a difference that is not known. */
const UNKNOWN = 1e-5;
/**
 * What rounding may leave of a first difference, as a part of the value over the longest δ: shorter ones are
 * taken next to jumps, and flights shift functions by a thousandth of what counts as zero.
 */
const NOISE = 5e-7;
/** What it leaves of higher ones, as a part of the value over powers of δ. */
const ROUNDING = 1e-12;

/** Weights of values at 0, δ, …, 5δ in the derivatives at 0, times powers of δ, from the first on. */
const DIFFERENCES = [
  [-137 / 60, 5, -5, 10 / 3, -5 / 4, 1 / 5],
  [15 / 4, -77 / 6, 107 / 6, -13, 61 / 12, -5 / 6],
  [-17 / 4, 71 / 4, -59 / 2, 49 / 2, -41 / 4, 7 / 4],
  [3, -14, 26, -24, 11, -2],
] as const;
const POINTS = DIFFERENCES[0].length;

export class NetworkSources {
  /** b and e with their derivatives, by order */
  readonly b: readonly Float64Array[];
  readonly e: readonly Float64Array[];
  /** magnitudes of these in which nothing cancels, of values also a little ahead */
  readonly bTerms: readonly Float64Array[];
  readonly eTerms: readonly Float64Array[];
  readonly #clock = new Float64Array(1);
  readonly #rate: Float64Array;
  readonly #offset: Float64Array;

  constructor(
    private readonly network: LinearNetwork,
    /** see `EventRelations.window` */
    private readonly window: Float64Array,
    /** longest δ of differences in time, s */
    private readonly difference: number,
  ) {
    const orders = Array.from({ length: ORDERS + 1 }, (_, k) => k);
    const ofStates = (): Float64Array => new Float64Array(network.size);
    const ofRows = (): Float64Array => new Float64Array(network.rows);
    this.b = orders.map(ofStates);
    this.e = orders.map(ofRows);
    this.bTerms = orders.map(ofStates);
    this.eTerms = orders.map(ofRows);
    this.#rate = ofStates();
    this.#offset = ofRows();
  }

  /** below which part of their terms coefficients are zero, by order */
  get zeros(): readonly number[] {
    return this.network.isExact ? EXACT : ZERO;
  }

  read(clock: Float64Array): void {
    const { network, b, e, bTerms, eTerms } = this;
    network.rates(clock, b[0]);
    network.offsets(clock, e[0]);
    for (let i = 0; i < b[0].length; i++) bTerms[0][i] = Math.abs(b[0][i]);
    for (let r = 0; r < e[0].length; r++) eTerms[0][r] = Math.abs(e[0][r]);
    if (!network.isTimed) return;
    for (let k = 1; k <= ORDERS; k++) {
      b[k].fill(0);
      e[k].fill(0);
    }
    if (network.known === null) this.#difference(clock);
    else this.#derive(clock);
  }

  #derive(clock: Float64Array): void {
    const { network, b, e, bTerms, eTerms } = this;
    const { known } = network;
    if (known === null) return;
    const [values, offsets] = [this.#rate, this.#offset];
    known.read(clock);
    for (let k = 0; k <= ORDERS; k++) {
      if (k > 0) {
        known.derive();
        bTerms[k].fill(0);
        eTerms[k].fill(0);
      }
      // Values themselves are those of the functions.
      values.fill(0);
      offsets.fill(0);
      known.addAll(values, bTerms[k], offsets, eTerms[k]);
      if (k > 0) for (let r = 0; r < offsets.length; r++) e[k][r] = offsets[r];
      network.respond(values, k > 0 ? b[k] : values, bTerms[k]);
    }
  }

  #difference(clock: Float64Array): void {
    const { network, b, e, bTerms, eTerms } = this;
    const ahead = this.window[1] - clock[0];
    const delta = ahead > 0 ? Math.min(this.difference, OF_WINDOW * ahead) : this.difference;
    const [rate, offset] = [this.#rate, this.#offset];
    for (let step = 0; step < POINTS; step++) {
      this.#clock[0] = clock[0] + step * delta;
      network.rates(this.#clock, rate);
      network.offsets(this.#clock, offset);
      for (let i = 0; i < rate.length; i++) bTerms[0][i] = Math.max(bTerms[0][i], Math.abs(rate[i]));
      for (let r = 0; r < offset.length; r++) eTerms[0][r] = Math.max(eTerms[0][r], Math.abs(offset[r]));
      for (let k = 1; k <= ORDERS; k++) {
        const weight = DIFFERENCES[k - 1][step] / delta ** k;
        for (let i = 0; i < rate.length; i++) b[k][i] += weight * rate[i];
        for (let r = 0; r < offset.length; r++) e[k][r] += weight * offset[r];
      }
    }
    // λ₀ is that of the flight, whose root it may be.
    network.drifts(clock, e[1]);
    this.#size(b, bTerms, delta);
    this.#size(e, eTerms, delta);
  }

  /** Terms in which what is not known of differences is what counts as zero. */
  #size(derivatives: readonly Float64Array[], terms: readonly Float64Array[], delta: number): void {
    for (let k = 1; k <= ORDERS; k++) {
      const noise = k === 1 ? NOISE / this.difference : ROUNDING / delta ** k;
      for (let i = 0; i < terms[k].length; i++) {
        const size = Math.abs(derivatives[k][i]);
        terms[k][i] = size + (UNKNOWN * size + noise * terms[0][i]) / ZERO[k - 1];
      }
    }
  }
}
