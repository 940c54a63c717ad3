import { MoreauError } from '@contract/errors';

/** @param name of the run */
export const runOver = (name: string): MoreauError =>
  new MoreauError({
    code: 'run-over',
    message: `${name} is over, and does not compute any more.`,
    remedy: 'Start a run paused, or pause it before its end, to go step by step.',
  });
