/**
 * The certificate over the time of a run: the worst residuals of stretches of moves, a bounded number of
 * stretches. Each time there is no room for more, neighbours become one and the stretches twice as long, so
 * that none of the maxima is lost.
 */
import { larger } from '../linalg/nan-safe';
import { RESIDUAL_KIND_COUNT } from './residual-maxima';

/** Columns of a stretch. */
export const CERTIFICATE_COLUMNS = [
  'time',
  'dynamics',
  'complementarity',
  'coneViolation',
  'energyDrift',
] as const;
const COLUMNS = CERTIFICATE_COLUMNS.length;
const TIME = 0;
const DRIFT = COLUMNS - 1;

const MOST_STRETCHES = 512;

/** What it holds, for going back. */
export interface SavedHistory {
  readonly distance: number;
  readonly closed: Float64Array;
  readonly open: Float64Array;
  readonly isOpen: boolean;
  readonly last: number;
}

export class CertificateHistory {
  /** moves of a stretch */
  #distance = 1;
  #count = 0;
  readonly #rows = new Float64Array(MOST_STRETCHES * COLUMNS);
  /** the stretch that goes on */
  readonly #open = new Float64Array(COLUMNS);
  #isOpen = false;
  /** move at which something was taken last */
  #last = 0;

  /** Moves from the present one to the end of the stretch. */
  movesToNext(move: number): number {
    return this.#distance - (move % this.#distance);
  }

  /**
   * Takes what has been found since the last time.
   * @param move number of moves of the run so far
   * @param time s
   * @param recent worst residuals since then, in the order of the columns
   * @param drift of the energy at this time; null where there is none
   */
  take(move: number, time: number, recent: Float64Array, drift: number | null): void {
    // Between two moves nothing is found.
    if (move === this.#last) return;
    this.#last = move;
    const open = this.#open;
    open[TIME] = time;
    for (let k = 0; k < RESIDUAL_KIND_COUNT; k++)
      open[1 + k] = larger(recent[k], this.#isOpen ? open[1 + k] : 0);
    // Of the end of the stretch: how often it is looked at in between depends on the clock.
    open[DRIFT] = drift ?? NaN;
    this.#isOpen = true;
    if (move % this.#distance === 0) this.#close();
  }

  #close(): void {
    if (this.#count === MOST_STRETCHES) this.#merge();
    this.#rows.set(this.#open, this.#count * COLUMNS);
    this.#count++;
    this.#isOpen = false;
  }

  /** Makes one of each two neighbours. */
  #merge(): void {
    const rows = this.#rows;
    for (let k = 0; k < MOST_STRETCHES / 2; k++) {
      const [to, first, second] = [k * COLUMNS, 2 * k * COLUMNS, (2 * k + 1) * COLUMNS];
      rows[to + TIME] = rows[second + TIME];
      for (let c = 1; c < COLUMNS; c++) rows[to + c] = larger(rows[first + c], rows[second + c]);
    }
    this.#count = MOST_STRETCHES / 2;
    this.#distance *= 2;
  }

  /** All stretches row by row, the last one as far as it goes: a copy. */
  get rows(): Float64Array<ArrayBuffer> {
    const whole = this.#rows.subarray(0, this.#count * COLUMNS);
    return Float64Array.from(this.#isOpen ? [...whole, ...this.#open] : whole);
  }

  save(): SavedHistory {
    return {
      distance: this.#distance,
      closed: this.#rows.slice(0, this.#count * COLUMNS),
      open: this.#open.slice(),
      isOpen: this.#isOpen,
      last: this.#last,
    };
  }

  /** Goes back to what was saved; null: to the start. */
  load(saved: SavedHistory | null): void {
    this.#distance = saved?.distance ?? 1;
    this.#count = (saved?.closed.length ?? 0) / COLUMNS;
    this.#rows.set(saved?.closed ?? []);
    this.#open.set(saved?.open ?? new Float64Array(COLUMNS));
    this.#isOpen = saved?.isOpen ?? false;
    this.#last = saved?.last ?? 0;
  }
}
