/**
 * The few integers a run worker shares with the host and the reader worker. They are written and read with
 * `Atomics`, so that a reader sees recorded values no later than the count that announces them, and they
 * outlive the worker: what was recorded before a worker was ended stays readable.
 */
import type { ChunkLayout } from '@engine/recording/chunks';

/** Index of each counter in the shared `Int32Array`. */
export const COUNTER = {
  /** complete rows of the recording */
  rows: 0,
  /** full chunks that have reached the file */
  chunksOnDisk: 1,
  /** chunks whose buffer has been handed to the recorder; chunk c sits in ring buffer c mod RING_CHUNKS */
  chunksBegun: 2,
  /** slices completed: stands still while a script does not return */
  heartbeat: 3,
  /** steps computed by the end of the last slice */
  steps: 4,
  /** raised before and after a run goes back and its recording gets shorter: odd while that is under way */
  rewinds: 5,
} as const;

const COUNTERS = 6;

/** Chunks kept in shared memory. One is being written; the others give a reader time to finish its copy. */
export const RING_CHUNKS = 4;

/**
 * Most rows one recording can hold: the counters are 32-bit because `Atomics.wait` and portable stores are.
 */
export const MAX_ROWS = 2 ** 31 - 1;

/**
 * What recordings take on the disk, bytes: chunks that are full, and, of a run that is over, the one it ended
 * in. Of sections all are counted that have begun.
 */
export function bytesOnDisk(
  { columns, rowsPerChunk }: Pick<ChunkLayout, 'columns' | 'rowsPerChunk'>,
  counters: Int32Array,
  isOver: boolean,
  sections: readonly Int32Array[],
): number {
  const begun = (of: Int32Array): number => Math.ceil(Atomics.load(of, COUNTER.rows) / rowsPerChunk);
  const chunks = isOver ? begun(counters) : Atomics.load(counters, COUNTER.chunksOnDisk);
  const all = sections.reduce((sum, section) => sum + begun(section), chunks);
  return all * columns * rowsPerChunk * Float64Array.BYTES_PER_ELEMENT;
}

/** Fresh counters, all zero. */
export function createCounters(): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(COUNTERS * Int32Array.BYTES_PER_ELEMENT));
}
