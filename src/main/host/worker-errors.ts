/** Why a worker thread could not begin or ended, in the words of its run. */
import { MoreauError, type RemoteError } from '@contract/errors';

/** The script or model took more memory than a worker may have. */
export const outOfMemory = (): RemoteError => ({
  code: 'out-of-memory',
  message: 'The script or model needs more memory than one run may use, so it was terminated.',
  remedy: 'Look for a script that keeps adding to an array, or make the model smaller.',
});

/** @param error what the thread reported at its end */
export function workerError(error: unknown): RemoteError {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
    return outOfMemory();
  return {
    code: 'worker-crashed',
    message: `The engine worker ended unexpectedly: ${error instanceof Error ? error.message : String(error)}.`,
    remedy:
      'What was recorded until then can still be read. If it happens again, please report it with the model.',
  };
}

/** A task that cannot be handed to a thread. @param error what the structured clone reported */
export const notCopied = (error: unknown): MoreauError =>
  new MoreauError({
    code: 'invalid-document',
    message: `The model cannot be passed to the engine: ${error instanceof Error ? error.message : String(error)}.`,
    remedy: 'A document consists of numbers, texts, lists and objects, nested a few levels deep.',
  });
