import { MoreauError } from '@contract/errors';

/** @param name of the run */
export const runQueued = (name: string): MoreauError =>
  new MoreauError({
    code: 'run-queued',
    message: `${name} waits for its turn, and has not begun to compute.`,
    remedy: 'It begins when another run has ended; cancel or pause one that is less important.',
  });

/** @param name of the run */
export const notOver = (name: string): MoreauError =>
  new MoreauError({
    code: 'run-not-over',
    message: `${name} has not come to its end, so that its accuracy cannot be measured.`,
    remedy: 'Let it compute to its end first.',
  });

/** @param name of the run */
export const runOver = (name: string): MoreauError =>
  new MoreauError({
    code: 'run-over',
    message: `${name} is over, and does not compute any more.`,
    remedy: 'Start a run paused, or pause it before its end, to go step by step.',
  });
