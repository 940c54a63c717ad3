/** Threads of the program: entries of `out/main` whose names end with “worker”. */
import * as nodeModule from 'node:module';
import { dirname } from 'node:path';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { WORKER_LIMITS } from './memory';

/** Node has it from 22.8 on. */
const { getCompileCacheDir } = nodeModule as { getCompileCacheDir?: () => string | undefined };

/**
 * A thread. It sees nothing of the environment; where this process keeps what it compiles, the thread loads
 * from there, which is most of its start.
 * @param url bundled entry
 */
export function startThread(url: URL, name: string, resourceLimits: ResourceLimits): Worker {
  // A folder for each version of Node in the one that was asked for.
  const kept = getCompileCacheDir?.();
  const worker = new Worker(url, {
    env: kept === undefined ? {} : { NODE_COMPILE_CACHE: dirname(kept) },
    execArgv: [],
    stdout: true,
    name,
    resourceLimits,
  });
  // Output of a thread goes nowhere: standard output belongs to results.
  worker.stdout.resume();
  return worker;
}

/**
 * A thread that loads the engine. That it fails is seen by who gives it something to do.
 * @param url bundled `engine.worker.ts`
 */
export function startEngine(url: URL): Worker {
  const worker = startThread(url, 'engine', WORKER_LIMITS);
  worker.on('error', () => undefined);
  return worker;
}
