/** Copies the recorded signals of a state vector into chunks, one row at a time, without allocating. */
import { chunkLayout, type ChunkSink } from './chunks';

/** Rows between two announcements: when a script never returns, at most this many are lost. */
const PUBLISH_EVERY = 256;
/**
 * Rows that are brought into columns together: numbers of a cache line. A single row would touch as many
 * lines as it has signals, and columns lie so that these push each other out.
 */
const TOGETHER = 8;

export class Recorder {
  /** rows written */
  rows = 0;
  #chunk: Float64Array;
  #index = 0;
  #row = 0;
  readonly #rowsPerChunk: number;
  /** rows that are not in the chunk yet, one behind the other */
  readonly #waiting: Float64Array;
  #waitingCount = 0;

  /** @param slots position of each recorded signal in the state vector; the first is time */
  constructor(
    private readonly sink: ChunkSink,
    private readonly slots: Int32Array,
  ) {
    const layout = chunkLayout(slots.length);
    this.#rowsPerChunk = layout.rowsPerChunk;
    this.#chunk = sink.open(layout);
    this.#waiting = new Float64Array(TOGETHER * slots.length);
  }

  /** Appends one row. */
  record(state: Float64Array): void {
    if (this.#row === this.#rowsPerChunk) {
      // The sink may recycle buffers, so readers must know about the full chunk before the next one is begun.
      this.sink.publish(this.rows);
      this.#chunk = this.sink.next(this.#index++);
      this.#row = 0;
    }
    const waiting = this.#waiting;
    const { slots } = this;
    const at = this.#waitingCount * slots.length;
    for (let c = 0; c < slots.length; c++) waiting[at + c] = state[slots[c]];
    this.#waitingCount++;
    this.#row++;
    this.rows++;
    if (this.rows % PUBLISH_EVERY === 0) this.publish();
    else if (this.#row % TOGETHER === 0) this.#deliver();
  }

  #deliver(): void {
    const chunk = this.#chunk;
    const waiting = this.#waiting;
    const count = this.#waitingCount;
    const columns = this.slots.length;
    for (let c = 0, at = this.#row - count; c < columns; c++, at += this.#rowsPerChunk)
      for (let k = 0; k < count; k++) chunk[at + k] = waiting[k * columns + c];
    this.#waitingCount = 0;
  }

  /** Forgets all rows but the first ones. @param rows at most as many as there are */
  rewind(rows: number): void {
    this.#deliver();
    // A full chunk is left when the next row comes, as in `record`.
    this.#index = Math.max(0, Math.ceil(rows / this.#rowsPerChunk) - 1);
    this.#row = rows - this.#index * this.#rowsPerChunk;
    this.rows = rows;
    if (this.sink.rewind === undefined) throw new Error('what is recorded here is not kept');
    this.#chunk = this.sink.rewind(this.#index, rows);
  }

  /** Makes all rows so far readable. */
  publish(): void {
    this.#deliver();
    this.sink.publish(this.rows);
  }
}
