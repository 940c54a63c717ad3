/**
 * Running maxima of residuals. Values stand in arrays: fields of an object would box a double at every write.
 */

/** Magnitudes below this are treated as 1: relative to nothing, the residual itself is the measure. */
export const SMALLEST_SCALE = 1e-300;

/** The parts of a certificate. */
export type ResidualKind = 'dynamics' | 'complementarity' | 'cone';

const KINDS: readonly ResidualKind[] = ['dynamics', 'complementarity', 'cone'];
const INDEX: Readonly<Record<ResidualKind, number>> = { dynamics: 0, complementarity: 1, cone: 2 };

export class Ledger {
  /** worst relative residual of each kind */
  readonly #worst = new Float64Array(KINDS.length);
  /** [0] largest of them all, [1] its time */
  readonly #overall = new Float64Array(2);
  /** coordinate or row where it was found; −1 before the first step */
  worstCoordinate = -1;
  worstRow = -1;

  /**
   * Enters residuals of one step.
   * @param entry entry[0] residual, entry[1] the magnitude it is relative to
   * @param coordinate coordinate it was found at, −1 for a row
   */
  enter(kind: ResidualKind, entry: Float64Array, clock: Float64Array, coordinate: number, row: number): void {
    const relative = entry[1] > SMALLEST_SCALE ? entry[0] / entry[1] : entry[0];
    const k = INDEX[kind];
    // Comparisons that NaN fails must not hide it.
    if (!(relative <= this.#worst[k]) && !Number.isNaN(this.#worst[k])) this.#worst[k] = relative;
    if (!(relative <= this.#overall[0]) && !Number.isNaN(this.#overall[0])) {
      this.#overall[0] = relative;
      this.#overall[1] = clock[0];
      this.worstCoordinate = coordinate;
      this.worstRow = row;
    }
  }

  worst(kind: ResidualKind): number {
    return this.#worst[INDEX[kind]];
  }

  /** s; null while nothing has been above zero */
  get worstTime(): number | null {
    return this.worstCoordinate < 0 && this.worstRow < 0 ? null : this.#overall[1];
  }

  /** time of the worst, s, also when it was taken over */
  get lastTime(): number {
    return this.#overall[1];
  }

  get isFinite(): boolean {
    return Number.isFinite(this.#overall[0]);
  }

  save(): { worst: Float64Array; overall: Float64Array } {
    return { worst: this.#worst.slice(), overall: this.#overall.slice() };
  }

  /** Takes over what another ledger has saved; the place where it was found is the caller's to remember. */
  load(worst: Float64Array, overall: Float64Array): void {
    this.#worst.set(worst);
    this.#overall.set(overall);
  }
}

/** A residual relative to a magnitude, outside the time loop. */
export const relative = (value: number, scale: number): number =>
  scale > SMALLEST_SCALE ? value / scale : value;
