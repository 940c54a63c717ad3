import { MoreauError } from '@contract/errors';

/** @param name of the run */
export const runQueued = (name: string): MoreauError =>
  new MoreauError({
    code: 'run-queued',
    message: `${name} is queued and has not started computing.`,
    remedy: 'It starts when another run has ended; cancel or pause a less important one.',
  });

/** @param name of the run */
export const notOver = (name: string): MoreauError =>
  new MoreauError({
    code: 'run-not-over',
    message: `${name} has not reached its end, so its accuracy cannot be measured.`,
    remedy: 'Let it run to its end first.',
  });

/** @param name of the run */
export const runOver = (name: string): MoreauError =>
  new MoreauError({
    code: 'run-over',
    message: `${name} has ended and computes no further steps.`,
    remedy: 'To step through a run, start it paused, or pause it before its end.',
  });

/** @param what the state that is asked for @param signals that are missing */
export const stateNotRecorded = (what: string, signals: readonly string[]): MoreauError =>
  new MoreauError({
    code: 'state-not-recorded',
    message: `${what} is not known: ${signals.join(', ')} ${signals.length === 1 ? 'is' : 'are'} not recorded.`,
    remedy:
      'Record all positions, velocities and states (recorded signals of the simulation), and run again.',
  });

/** @param name of the run */
export const notPrepared = (name: string): MoreauError =>
  new MoreauError({
    code: 'no-state',
    message: `${name} has no state to go on from: its model is not prepared yet, or could not be.`,
    remedy: 'Wait until it computes; where its model was refused, mend that and run it again.',
  });
