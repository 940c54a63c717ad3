/**
 * Accumulation of impacts of one contact. A bouncing body makes infinitely many impacts in finite time
 * (Zeno's paradox); its flights shrink like a geometric sequence, Δ_{k+1}/Δ_k → ρ < 1, and end at
 *
 *     T = t_n + Δ_n ρ/(1 − ρ) = t_n − (t_n − t_{n−1})² / (t_n − 2 t_{n−1} + t_{n−2}),
 *
 * Aitken's extrapolation. It is formed at each impact. The estimate kept is the one that agrees best with the
 * two before it, whose largest difference, enlarged, makes its error bar: early estimates suffer from a ratio
 * that still changes, late ones from rounding of flights that have become short. Rounding u of impact times
 * changes T by up to u (1 + 4 ρ/(1 − ρ)²), which three estimates may have in common, and is added. Where
 * flights are integrated, what the integration leaves in impact times is added as well: flights of one motion
 * are off in the same way, so that the spread of estimates does not show it.
 */

/** Estimates that are compared. */
const MEMORY = 3;
/**
 * Differences of successive estimates are of the size of their errors where the ratio settles; the factor is
 * for slow settling.
 */
const CAUTION = 10;
/** Rounding of an impact time: of the time itself and of a few hundred flights before it. */
const ROUNDING = 16 * Number.EPSILON;
/** Impacts in a row, with shrinking flights, from which a sequence counts as geometric. */
const FEWEST_IMPACTS = 5;

export class ZenoDetector {
  /** time of accumulation by row; NaN while no sequence is geometric */
  readonly time: Float64Array;
  /** error bar by row */
  readonly error: Float64Array;
  /**
   * [0] what the integration leaves in an impact time, relative to the time since the start; zero as long as
   * all flights are exact
   */
  readonly leftInTimes = new Float64Array(1);
  /** last three impact times, the latest first, by row */
  readonly #times: Float64Array;
  readonly #estimates: Float64Array;
  /** impacts in a row since flights began to shrink */
  readonly #counts: Int32Array;

  constructor(
    rows: number,
    /** start of the simulation, s */
    private readonly start = 0,
  ) {
    this.time = new Float64Array(rows).fill(NaN);
    this.error = new Float64Array(rows).fill(Infinity);
    this.#times = new Float64Array(3 * rows);
    this.#estimates = new Float64Array(MEMORY * rows);
    this.#counts = new Int32Array(rows);
  }

  /** A contact has an impact at the time clock[0]. */
  add(row: number, clock: Float64Array): void {
    const times = this.#times;
    const at = 3 * row;
    times[at + 2] = times[at + 1];
    times[at + 1] = times[at];
    times[at] = clock[0];
    const count = ++this.#counts[row];
    if (count < 3) return;
    const flight = times[at] - times[at + 1];
    const before = times[at + 1] - times[at + 2];
    if (!(flight > 0 && flight < before)) {
      // The sequence begins afresh with this flight.
      this.#counts[row] = flight > 0 ? 2 : 1;
      this.time[row] = NaN;
      this.error[row] = Infinity;
      return;
    }
    const estimates = this.#estimates;
    const first = MEMORY * row;
    for (let k = MEMORY - 1; k > 0; k--) estimates[first + k] = estimates[first + k - 1];
    estimates[first] = times[at] + (flight * flight) / (before - flight);
    if (count < FEWEST_IMPACTS) return;
    const spread = Math.max(
      Math.abs(estimates[first] - estimates[first + 1]),
      Math.abs(estimates[first + 1] - estimates[first + 2]),
    );
    const ratio = flight / before;
    const amplification = 1 + (4 * ratio) / ((1 - ratio) * (1 - ratio));
    const left = ROUNDING * Math.abs(clock[0]) + this.leftInTimes[0] * (clock[0] - this.start);
    const error = CAUTION * spread + left * amplification;
    if (!(error < this.error[row])) return;
    this.error[row] = error;
    this.time[row] = estimates[first];
  }

  /** Time since the last impact of a contact that is open, s; Infinity where there was none. */
  since(row: number, clock: Float64Array): number {
    return this.#counts[row] > 0 ? clock[0] - this.#times[3 * row] : Infinity;
  }

  /** The sequence of a contact is over. */
  reset(row: number): void {
    this.#counts[row] = 0;
    this.time[row] = NaN;
    this.error[row] = Infinity;
  }

  save(): ZenoState {
    return {
      time: this.time.slice(),
      error: this.error.slice(),
      times: this.#times.slice(),
      estimates: this.#estimates.slice(),
      counts: this.#counts.slice(),
      leftInTimes: this.leftInTimes.slice(),
    };
  }

  load({ time, error, times, estimates, counts, leftInTimes }: ZenoState): void {
    this.time.set(time);
    this.error.set(error);
    this.#times.set(times);
    this.#estimates.set(estimates);
    this.#counts.set(counts);
    this.leftInTimes.set(leftInTimes);
  }
}

export interface ZenoState {
  readonly time: Float64Array;
  readonly error: Float64Array;
  readonly times: Float64Array;
  readonly estimates: Float64Array;
  readonly counts: Int32Array;
  readonly leftInTimes: Float64Array;
}
