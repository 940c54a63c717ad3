/** What kind of failure an error is, as an exit code: the one list for all commands. */
import type { RemoteError } from '@contract/errors';
import type { RunInfo } from '@contract/methods';
import { verdictOf } from '@contract/verdict';
import { EXIT } from './command';

/** Defects of the program or the machine, not of model or arguments. */
const UNEXPECTED = new Set([
  'internal',
  'worker-crashed',
  'host-closed',
  'file-failed',
  'export-failed',
  'no-workspace',
  'recording-failed',
]);

/**
 * Failures of computing, whether at the start or later, a disk without space among them; so are all that
 * begin with `solver-`.
 */
const COMPUTATION = new Set([
  'disk-full',
  'script-error',
  'script-not-finite',
  'iteration-matrix-singular',
  'not-finite',
  'out-of-memory',
  'builder-timeout',
  // What was looked for in the motion of a sound model was not found.
  ...['at-rest', 'orbit-not-found', 'not-periodic', 'not-differentiable', 'singular-orbit'],
  ...['section-not-met', 'section-touched', 'section-jump'],
]);

/** Exit code of a failure: unexpected, of the computation, or else of the model or the arguments. */
export function exitOf({ code }: RemoteError): number {
  if (UNEXPECTED.has(code)) return EXIT.unexpected;
  return COMPUTATION.has(code) || code.startsWith('solver-') ? EXIT.failed : EXIT.invalid;
}

/** Exit code of a run that is over and was computed at least in part. */
export function exitOfRun(run: RunInfo): number {
  const { state, error } = run;
  if (state === 'done') return verdictOf(run).all === 'fails' ? EXIT.notCertified : EXIT.done;
  if (state !== 'failed') return EXIT.cancelled;
  // What stops a computation on its way is a failure of it, whatever its code.
  return error !== undefined && exitOf(error) === EXIT.unexpected ? EXIT.unexpected : EXIT.failed;
}
