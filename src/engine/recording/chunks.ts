/**
 * Chunked recording. A run is a table of rows (steps) and columns (signals, column 0 is time), cut into
 * chunks of `rowsPerChunk` rows. Inside a chunk the values are column-major: column c occupies
 * [c·rowsPerChunk, (c+1)·rowsPerChunk), so that reading one signal touches contiguous memory.
 */

export interface ChunkLayout {
  /** number of signals, time included */
  columns: number;
  /** power of two */
  rowsPerChunk: number;
}

/** Where a recorder writes. Implementations keep chunks in memory or spill them to a file. */
export interface ChunkSink {
  /** @returns the buffer of chunk 0, `columns · rowsPerChunk` long */
  open(layout: ChunkLayout): Float64Array;
  /** Chunk `index` is full. @returns the buffer of chunk `index + 1`, which may be a recycled one. */
  next(index: number): Float64Array;
  /** Rows 0 … rows−1 are complete and may be read. */
  publish(rows: number): void;
  /**
   * Forgets all but the first rows; chunk `index` is to be filled from there on. Absent where rows are not
   * kept.
   * @returns its buffer, with what it holds of them
   */
  rewind?(index: number, rows: number): Float64Array;
}

/** Where a reader reads. */
export interface ChunkSource {
  readonly layout: ChunkLayout;
  /** complete rows at this moment; they become fewer only when a run goes back */
  rows(): number;
  /**
   * Values of one column of one chunk. Only the first min(rowsPerChunk, rows − chunk·rowsPerChunk) are valid.
   * The array may be overwritten by the next call.
   */
  column(chunk: number, column: number): Float64Array;
}

/**
 * Target size of a chunk, bytes: large enough for sequential disk writes, small enough to keep memory
 * bounded.
 */
const CHUNK_BYTES = 1024 * 1024;
const MIN_ROWS = 64;
const MAX_ROWS = 65536;

/** Layout for a number of columns: about one mebibyte a chunk. */
export function chunkLayout(columns: number): ChunkLayout {
  let rowsPerChunk = MIN_ROWS;
  while (rowsPerChunk < MAX_ROWS && rowsPerChunk * 2 * columns * 8 <= CHUNK_BYTES) rowsPerChunk *= 2;
  return { columns, rowsPerChunk };
}

/** Keeps every chunk in memory; for the library, tests and short runs. */
export class MemoryChunks implements ChunkSink, ChunkSource {
  #layout: ChunkLayout = { columns: 1, rowsPerChunk: MIN_ROWS };
  readonly #chunks: Float64Array[] = [];
  #rows = 0;

  get layout(): ChunkLayout {
    return this.#layout;
  }

  open(layout: ChunkLayout): Float64Array {
    this.#layout = layout;
    return this.#allocate();
  }

  next(): Float64Array {
    return this.#allocate();
  }

  publish(rows: number): void {
    this.#rows = rows;
  }

  rewind(index: number, rows: number): Float64Array {
    this.#chunks.length = index + 1;
    this.#rows = rows;
    return this.#chunks[index];
  }

  rows(): number {
    return this.#rows;
  }

  column(chunk: number, column: number): Float64Array {
    const { rowsPerChunk } = this.#layout;
    return this.#chunks[chunk].subarray(column * rowsPerChunk, (column + 1) * rowsPerChunk);
  }

  #allocate(): Float64Array {
    const chunk = new Float64Array(this.#layout.columns * this.#layout.rowsPerChunk);
    this.#chunks.push(chunk);
    return chunk;
  }
}
