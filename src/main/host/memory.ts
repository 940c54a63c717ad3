/**
 * How much memory a script may take.
 *
 * V8's own heap limit is no protection: it aborts the whole process when the allocation that meets it is a
 * large one, and it does not see the contents of typed arrays. So the limit given to V8 is far away, and two
 * watches end a worker before: the worker itself looks between slices, the host looks while a worker does not
 * return.
 */
import { getHeapStatistics } from 'node:v8';

/** V8's limit for a worker, MiB. Electron's workers share one address cage of 4 GiB with the main process. */
const HEAP_MB = process.versions['electron'] === undefined ? 4096 : 2048;

/**
 * Space for short-lived objects, MiB: the time loop makes none, and V8's own choice takes three times as
 * much.
 */
const YOUNG_MB = 16;

/** Limits given to every worker that executes scripts. */
export const WORKER_LIMITS = {
  maxOldGenerationSizeMb: HEAP_MB,
  maxYoungGenerationSizeMb: YOUNG_MB,
  stackSizeMb: 4,
} as const;

/** Limits of the worker that reads recordings. */
export const READER_LIMITS = { maxYoungGenerationSizeMb: YOUNG_MB } as const;

/** Heap and array buffers a worker may hold between slices, bytes. */
export const MAX_WORKER_BYTES = 1024 * 2 ** 20;

/**
 * What a worker that is done may hold and still wait for the next task: the engine itself and what has not
 * been collected.
 */
export const MAX_IDLE_BYTES = 192 * 2 ** 20;

/** Memory held by this thread, bytes. */
export function threadBytes(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
}

/**
 * Growth of the process while one worker does not return, bytes, above which that worker is ended. Below 900
 * MiB, where an array that grows by `push` reaches V8's limit on elements and takes the process with it.
 */
const MAX_GROWTH_BYTES = 768 * 2 ** 20;

/** Period of the host's look at its workers, ms: a script fills that much in a few hundred. */
export const WATCH_MS = 50;

/** Measures how the process grows while a worker is silent. */
export class GrowthMeter {
  #base = process.memoryUsage.rss();

  /** The worker has given a sign of life. */
  reset(): void {
    this.#base = process.memoryUsage.rss();
  }

  exceeded(): boolean {
    return process.memoryUsage.rss() - this.#base > MAX_GROWTH_BYTES;
  }
}
