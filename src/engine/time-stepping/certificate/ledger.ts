/**
 * Running maxima of residuals. Values stand in arrays: fields of an object would box a double at every write.
 */

import type { StepWriter } from '../../straight-line/writer';

/** Magnitudes below this are treated as 1: relative to nothing, the residual itself is the measure. */
export const SMALLEST_SCALE = 1e-300;

/** The parts of a certificate. */
export const DYNAMICS = 0;
export const COMPLEMENTARITY = 1;
export const CONE = 2;
export type ResidualKind = typeof DYNAMICS | typeof COMPLEMENTARITY | typeof CONE;
const KINDS = 3;

/** A residual relative to the magnitude of its kind. */
export const relative = (value: number, scale: number): number =>
  scale > SMALLEST_SCALE ? value / scale : value;

/** A residual in written code: its name, and the coordinate or row it belongs to. */
export interface Residual {
  readonly value: string;
  readonly place: number;
}

export class Ledger {
  /** worst relative residual of each kind since they were taken last, and of all before that */
  readonly #worst = new Float64Array(KINDS);
  readonly #past = new Float64Array(KINDS);
  /** [0] largest of them all, [1] its time */
  readonly #overall = new Float64Array(2);
  /** entry of written code, already relative: [1] is 1 */
  readonly #written = Float64Array.of(0, 1);
  /** coordinate or row where it was found; −1 before the first step */
  worstCoordinate = -1;
  worstRow = -1;

  /**
   * Enters residuals of one step.
   * @param entry entry[0] residual, entry[1] the magnitude it is relative to
   * @param coordinate coordinate it was found at, −1 for a row
   */
  enter(kind: ResidualKind, entry: Float64Array, clock: Float64Array, coordinate: number, row: number): void {
    const residual = relative(entry[0], entry[1]);
    // Comparisons that NaN fails must not hide it.
    if (!(residual <= this.#worst[kind]) && !Number.isNaN(this.#worst[kind])) this.#worst[kind] = residual;
    if (!(residual <= this.#overall[0]) && !Number.isNaN(this.#overall[0])) {
      this.#overall[0] = residual;
      this.#overall[1] = clock[0];
      this.worstCoordinate = coordinate;
      this.worstRow = row;
    }
  }

  /**
   * Writes the entry of the largest of several relative residuals of a step. Only one above all before it is
   * of interest, which almost never comes.
   */
  write(
    w: StepWriter,
    kind: ResidualKind,
    clock: Float64Array,
    residuals: readonly Residual[],
    place: 'coordinate' | 'row',
  ): void {
    if (residuals.length === 0) return;
    w.forget(this.#worst);
    const worst = w.variable(w.get(this.#worst, kind));
    const at = w.variable('-1');
    for (const { value, place: where } of residuals)
      w.line(
        `if (!(${value} <= ${worst}) && ${worst} === ${worst}) { ${worst} = ${value}; ${at} = ${where}; }`,
      );
    const entry = w.bind(this.#written);
    const places = place === 'row' ? `-1, ${at}` : `${at}, -1`;
    w.line(
      `if (${at} >= 0) { ${entry}[0] = ${worst}; ${w.bind(this)}.enter(${kind}, ${entry}, ${w.bind(clock)}, ${places}); }`,
    );
  }

  /** Writes `isFinite`. */
  writeFinite(w: StepWriter): string {
    return `abs(${w.bind(this.#overall)}[0]) < ${w.literal(Number.POSITIVE_INFINITY)}`;
  }

  worst(kind: ResidualKind): number {
    return Math.max(this.#worst[kind], this.#past[kind]);
  }

  /** The worst of each kind since this was called last. @param out by kind */
  take(out: Float64Array): void {
    for (let kind = 0; kind < KINDS; kind++) {
      out[kind] = this.#worst[kind];
      this.#past[kind] = Math.max(this.#worst[kind], this.#past[kind]);
    }
    this.#worst.fill(0);
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
    const worst = this.#past.map((value, kind) => Math.max(value, this.#worst[kind]));
    return { worst, overall: this.#overall.slice() };
  }

  /** Takes over what another ledger has saved; the place where it was found is the caller's to remember. */
  load(worst: Float64Array, overall: Float64Array): void {
    this.#past.set(worst);
    this.#worst.fill(0);
    this.#overall.set(overall);
  }
}

/**
 * Writes residuals of one system relative to its magnitude. Division keeps their order, so the largest stays
 * the largest.
 * @param scale name of the magnitude
 */
export function writeRelative(w: StepWriter, values: readonly Residual[], scale: string): Residual[] {
  return values.map(({ value, place }) => ({
    value: w.constant(`${scale} > ${w.literal(SMALLEST_SCALE)} ? ${value} / ${scale} : ${value}`),
    place,
  }));
}
