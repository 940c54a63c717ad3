/** A recording with one more column: the sum of some of its columns, so that what adds up is read as signals are. */
import type { ChunkLayout, ChunkSource } from './chunks';

export class SummedSource implements ChunkSource {
  readonly layout: ChunkLayout;
  /** number of the column that is the sum */
  readonly sum: number;

  constructor(
    private readonly source: ChunkSource,
    private readonly columns: readonly number[],
  ) {
    const { columns: count, rowsPerChunk } = source.layout;
    this.sum = count;
    this.layout = { columns: count + 1, rowsPerChunk };
  }

  rows(): number {
    return this.source.rows();
  }

  column(chunk: number, column: number): Float64Array {
    if (column !== this.sum) return this.source.column(chunk, column);
    const total = new Float64Array(this.layout.rowsPerChunk);
    for (const one of this.columns) {
      const values = this.source.column(chunk, one);
      for (let k = 0; k < total.length; k++) total[k] += values[k];
    }
    return total;
  }
}
