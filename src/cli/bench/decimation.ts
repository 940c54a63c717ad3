import { chunkLayout, type ChunkLayout, type ChunkSource } from '@engine/recording/chunks';
import { TrajectoryReader } from '@engine/recording/reading';
import { type Benchmark, seconds } from './benchmark';

const ROWS = 20_000_000;
const BUCKETS = 1500;

/** A recording of time and one signal, a chirp with a spike, held in memory. */
class Chirp implements ChunkSource {
  readonly layout: ChunkLayout = chunkLayout(2);
  readonly #chunks: Float64Array[] = [];

  constructor() {
    const { rowsPerChunk } = this.layout;
    for (let first = 0; first < ROWS; first += rowsPerChunk) {
      const chunk = new Float64Array(2 * rowsPerChunk);
      for (let i = 0; i < rowsPerChunk; i++) {
        const row = first + i;
        chunk[i] = row * 1e-4;
        chunk[rowsPerChunk + i] = row === ROWS / 3 ? 10 : Math.sin(1e-10 * row * row);
      }
      this.#chunks.push(chunk);
    }
  }

  rows(): number {
    return ROWS;
  }

  column(chunk: number, column: number): Float64Array {
    const { rowsPerChunk } = this.layout;
    return this.#chunks[chunk].subarray(column * rowsPerChunk, (column + 1) * rowsPerChunk);
  }
}

/** Reading a long recording for a plot: the whole of it, again, and a thousandth of it. */
export const decimation: Benchmark = {
  name: 'decimation',
  summary: 'reading a window of 2e7 rows for a plot',
  measure: () => {
    const reader = new TrajectoryReader(new Chirp());
    const read = (from: number | undefined, to: number | undefined): number =>
      seconds(() => void reader.window([1], from, to, BUCKETS)) * 1e3;
    const middle = (ROWS / 2) * 1e-4;
    return [
      { quantity: 'whole recording, first time', value: read(undefined, undefined), unit: 'ms' },
      { quantity: 'whole recording, again', value: read(undefined, undefined), unit: 'ms' },
      { quantity: 'a thousandth of it', value: read(middle, middle + ROWS * 1e-7), unit: 'ms' },
    ];
  },
};
