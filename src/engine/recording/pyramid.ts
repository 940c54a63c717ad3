/** Extents of consecutive blocks of one column of a recording, so that wide windows need not touch its rows again. */
import { Extent } from './extent';

/** Rows of a block: 1/32 of the data to keep, and buckets of a full screen still hold many blocks. */
export const BLOCK = 256;

const FIRST_BLOCKS = 64;

export class Pyramid {
  blocks = 0;
  #rows = new Int32Array(3 * FIRST_BLOCKS);
  #values = new Float64Array(4 * FIRST_BLOCKS);
  /** value of the row before the next block */
  #previous = NaN;
  readonly #extent = new Extent();

  /** Adds the block values[offset … offset + BLOCK), whose first row is `firstRow`. */
  push(values: Float64Array, offset: number, firstRow: number): void {
    const { blocks: k } = this;
    if (4 * k === this.#values.length) this.#grow();
    const extent = this.#extent;
    extent.clear();
    extent.scan(values, offset, offset + BLOCK, firstRow, this.#previous);
    this.#previous = values[offset + BLOCK - 1];
    this.#rows[3 * k] = extent.lowRow;
    this.#rows[3 * k + 1] = extent.highRow;
    this.#rows[3 * k + 2] = extent.stepRow;
    this.#values[4 * k] = extent.low;
    this.#values[4 * k + 1] = extent.high;
    this.#values[4 * k + 2] = extent.stepFrom;
    this.#values[4 * k + 3] = extent.stepTo;
    this.blocks++;
  }

  /** Adds the extent of block `k` to another. */
  addTo(target: Extent, k: number): void {
    const extent = this.#extent;
    extent.lowRow = this.#rows[3 * k];
    extent.highRow = this.#rows[3 * k + 1];
    extent.stepRow = this.#rows[3 * k + 2];
    extent.low = this.#values[4 * k];
    extent.high = this.#values[4 * k + 1];
    extent.stepFrom = this.#values[4 * k + 2];
    extent.stepTo = this.#values[4 * k + 3];
    target.include(extent);
  }

  #grow(): void {
    const rows = new Int32Array(2 * this.#rows.length);
    rows.set(this.#rows);
    this.#rows = rows;
    const values = new Float64Array(2 * this.#values.length);
    values.set(this.#values);
    this.#values = values;
  }
}
