/**
 * Extents of consecutive blocks of one column of a recording, so that wide windows need not touch its rows
 * again.
 */

/*
 * What a curve does within the width of a pixel: its extrema, and its largest step from one row to the next.
 *
 * The step into the first row counts too: the line that leads into a pixel is drawn in it.
 */

/**
 * Whether a candidate replaces the extremum found so far. A value that is not a number gives way to any
 * other: compared with it everything is false, and a range that begins with one would lose all that follows.
 */
const isLower = (candidate: number, low: number): boolean => candidate < low || Number.isNaN(low);
const isHigher = (candidate: number, high: number): boolean => candidate > high || Number.isNaN(high);

/**
 * Share of the range that a single step must make up to be drawn as a jump. Steps of a smooth curve over four
 * rows or more stay below: of a parabola about its vertex the largest is 3/4 of the range.
 */
const JUMP_SHARE = 0.8;

export class Extent {
  low = NaN;
  lowRow = -1;
  high = NaN;
  highRow = -1;
  /** row that the largest step leads into; −1 where there is none */
  stepRow = -1;
  stepFrom = NaN;
  stepTo = NaN;

  clear(): void {
    this.lowRow = -1;
    this.highRow = -1;
    this.stepRow = -1;
  }

  /**
   * Takes in values[from … to).
   * @param row row of values[from]
   * @param previous value of the row before; NaN where there is none
   */
  scan(values: Float64Array, from: number, to: number, row: number, previous: number): void {
    let low = from;
    let high = from;
    let step = 0;
    let at = -1;
    let before = previous;
    for (let i = from; i < to; i++) {
      const value = values[i];
      if (isLower(value, values[low])) low = i;
      if (isHigher(value, values[high])) high = i;
      const size = Math.abs(value - before);
      if (size > step) {
        step = size;
        at = i;
      }
      before = value;
    }
    this.#extend(values[low], row + low - from, values[high], row + high - from);
    if (at >= 0) this.#step(row + at - from, at === from ? previous : values[at - 1], values[at]);
  }

  /** Takes in a range that follows the ones before. */
  include(other: Extent): void {
    if (other.lowRow < 0) return;
    this.#extend(other.low, other.lowRow, other.high, other.highRow);
    if (other.stepRow >= 0) this.#step(other.stepRow, other.stepFrom, other.stepTo);
  }

  #extend(low: number, lowRow: number, high: number, highRow: number): void {
    if (this.lowRow < 0 || isLower(low, this.low)) {
      this.low = low;
      this.lowRow = lowRow;
    }
    if (this.highRow < 0 || isHigher(high, this.high)) {
      this.high = high;
      this.highRow = highRow;
    }
  }

  #step(row: number, from: number, to: number): void {
    if (this.stepRow >= 0 && Math.abs(to - from) <= Math.abs(this.stepTo - this.stepFrom)) return;
    this.stepRow = row;
    this.stepFrom = from;
    this.stepTo = to;
  }

  /**
   * Whether the curve jumps: next to its largest step it hardly moves. Drawn by its extrema alone, a jump
   * between two levels would lean across the pixel, for the levels reach their extremal values anywhere.
   */
  get hasJump(): boolean {
    if (this.stepRow < 0) return false;
    const range = Math.max(this.high, this.stepFrom) - Math.min(this.low, this.stepFrom);
    return Math.abs(this.stepTo - this.stepFrom) >= JUMP_SHARE * range;
  }

  /**
   * Calls `visit` with the rows that draw the range, in time order and each once; the row before it is one of
   * them at most.
   */
  draw(visit: (row: number, value: number) => void): void {
    const isLowFirst = this.lowRow <= this.highRow;
    const firstRow = isLowFirst ? this.lowRow : this.highRow;
    const firstValue = isLowFirst ? this.low : this.high;
    const lastRow = isLowFirst ? this.highRow : this.lowRow;
    const lastValue = isLowFirst ? this.high : this.low;
    if (!this.hasJump) {
      visit(firstRow, firstValue);
      visit(lastRow, lastValue);
      return;
    }
    const { stepRow } = this;
    const before = stepRow - 1;
    if (firstRow < before) visit(firstRow, firstValue);
    if (lastRow < before) visit(lastRow, lastValue);
    visit(before, this.stepFrom);
    visit(stepRow, this.stepTo);
    if (firstRow > stepRow) visit(firstRow, firstValue);
    if (lastRow > stepRow && lastRow !== firstRow) visit(lastRow, lastValue);
  }
}

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
