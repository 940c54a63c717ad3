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
