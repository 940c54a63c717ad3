/** Rows of a recording in order, some of its columns, one chunk in memory at a time. */
import type { SchemeName } from '../../document/types';
import type { ChunkSource } from '../../recording/chunks';

const TIME = 0;

/** Last chunk that begins before a time; 0 when none does. */
function chunkBefore(source: ChunkSource, chunks: number, time: number): number {
  let low = 0;
  let high = chunks - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (source.column(middle, TIME)[0] < time) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** One row after the other. What is recorded while it is read is not seen. */
export class RecordedRows {
  /** values of the present row, one a column */
  readonly values: Float64Array;
  readonly #columns: readonly number[];
  readonly #count: number;
  readonly #rowsPerChunk: number;
  /** the source may overwrite the column it gave last, so that these are copies: time first */
  readonly #block: readonly Float64Array[];
  #row: number;
  #chunk = -1;

  /**
   * @param columns of the recording, beside time
   * @param from s; reading begins at some row before it, or at the first
   */
  constructor(
    private readonly source: ChunkSource,
    columns: readonly number[],
    from: number,
  ) {
    const { rowsPerChunk } = source.layout;
    this.#count = source.rows();
    this.#rowsPerChunk = rowsPerChunk;
    this.#columns = [TIME, ...columns];
    this.#block = this.#columns.map(() => new Float64Array(rowsPerChunk));
    this.values = new Float64Array(columns.length);
    this.#row = chunkBefore(source, Math.ceil(this.#count / rowsPerChunk), from) * rowsPerChunk;
  }

  /** Time of the row that `read` gives next, s; not a number after the last. */
  get nextTime(): number {
    if (this.#row >= this.#count) return Number.NaN;
    const chunk = Math.floor(this.#row / this.#rowsPerChunk);
    if (chunk !== this.#chunk) this.#load(chunk);
    return this.#block[TIME][this.#row % this.#rowsPerChunk];
  }

  /** Brings the values of the next row, after a look at its time. */
  read(): void {
    const at = this.#row % this.#rowsPerChunk;
    for (let c = 0; c < this.values.length; c++) this.values[c] = this.#block[c + 1][at];
    this.#row++;
  }

  #load(chunk: number): void {
    for (let c = 0; c < this.#columns.length; c++)
      this.#block[c].set(this.source.column(chunk, this.#columns[c]));
    this.#chunk = chunk;
  }
}

const NOW = 0;
const BEFORE = 1;

/**
 * One time after the other. Where the state jumps, a recording has several rows of one time: the first of
 * them is the value before the jump, the last the value after.
 */
export class RecordedTimes {
  /** rows of the present time; 0 when the recording has ended */
  rows = 0;
  /** values before and after a jump at the present time; the same where there is none */
  readonly first: Float64Array;
  readonly last: Float64Array;
  /** values of the time before, after a jump */
  readonly previous: Float64Array;
  readonly #reader: RecordedRows;
  readonly #times = new Float64Array([Number.NaN, Number.NaN]);

  constructor(source: ChunkSource, columns: readonly number[], from: number) {
    this.#reader = new RecordedRows(source, columns, from);
    this.first = new Float64Array(columns.length);
    this.last = new Float64Array(columns.length);
    this.previous = new Float64Array(columns.length);
  }

  /** s */
  get time(): number {
    return this.#times[NOW];
  }

  /** s; not a number at the first time */
  get previousTime(): number {
    return this.#times[BEFORE];
  }

  advance(): void {
    const reader = this.#reader;
    this.previous.set(this.last);
    this.#times[BEFORE] = this.#times[NOW];
    const time = reader.nextTime;
    this.rows = 0;
    if (Number.isNaN(time)) return;
    this.#times[NOW] = time;
    do {
      reader.read();
      if (this.rows === 0) this.first.set(reader.values);
      this.last.set(reader.values);
      this.rows++;
    } while (reader.nextTime === time);
  }
}

/** Ascending times in an array that grows. */
export class Times {
  count = 0;
  #values = new Float64Array(64);

  /** One time counts once. */
  add(time: number): boolean {
    if (this.count > 0 && this.#values[this.count - 1] === time) return false;
    if (this.count === this.#values.length) {
      const larger = new Float64Array(2 * this.count);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.count++] = time;
    return true;
  }

  taken(): Float64Array {
    return this.#values.slice(0, this.count);
  }
}

/* What a comparison has to know of each of its two runs. */

export interface ComparedRecording {
  readonly source: ChunkSource;
  readonly scheme: SchemeName;
  /** length of a step, s; the mean one where it varies */
  readonly h: number;
  /** column of each compared signal */
  readonly signals: readonly number[];
  /** column of the impulse of each compared contact */
  readonly impulses: readonly number[];
}

/** Time compared, s. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Relative to a step: rounding accumulates over the steps of a run, and no two rows of a run are that close.
 */
const SAME_TIME = 1e-9;
/** In units of rounding, for long times with short steps. */
const ROUNDING = 8 * Number.EPSILON;

/** Distance within which two times of the two runs are the same, s. */
export function timeTolerance(a: ComparedRecording, b: ComparedRecording, { from, to }: Span): number {
  const largest = Math.max(Math.abs(from), Math.abs(to));
  return Math.max(SAME_TIME * Math.min(a.h, b.h), ROUNDING * largest);
}

/**
 * Length below which a run does not resolve time, s: events have their own times in the event-driven scheme.
 */
export const resolution = ({ scheme, h }: ComparedRecording): number => (scheme === 'event-driven' ? 0 : h);
