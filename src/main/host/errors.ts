/** Failures as the callers of `dispatch` see them. */
import { MoreauError, type RemoteError } from '@contract/errors';
import { EngineError } from '@engine/errors';
import type { z } from 'zod';
import { diskFullError } from '../files/file-errors';

/** Anything thrown, as an error that can cross a process border. Unknown kinds get the code `internal`. */
export function toRemoteError(error: unknown): RemoteError {
  if (error instanceof MoreauError || error instanceof EngineError) return error.details;
  const full = diskFullError(error);
  if (full !== null) return full.details;
  return {
    code: 'internal',
    message: `Unexpected failure: ${error instanceof Error ? error.message : String(error)}`,
    remedy: 'This is a defect of the program. Please report it together with what you did.',
  };
}

export const unknownRun = (runId: string): MoreauError =>
  new MoreauError({
    code: 'unknown-run',
    message: `There is no run with the id ${runId}.`,
    where: runId,
    remedy: 'It may have been deleted; list the runs again.',
  });

/** Says where the first defect of a call's parameters is, e.g. `signals[2]`. */
export function invalidParams(method: string, error: z.ZodError): MoreauError {
  const first = error.issues[0];
  const path = (first?.path ?? [])
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '');
  return new MoreauError({
    code: 'invalid-params',
    message: `${method}: ${path === '' ? 'parameters' : path}: ${first?.message ?? 'not valid'}.`,
    where: path,
    remedy: 'The caller and the engine host may be of different versions; start the application again.',
  });
}
