/**
 * Window and engine hold one residual for rounding: neither may run the code of the other, so that each has
 * its own number.
 */
import { TOLERANCE } from '@contract/verdict';
import { SATISFIED } from '@engine/certificate/residual-maxima';
import { expect, it } from 'vitest';

it('what counts as satisfied is the same at points of analyses and in runs', () => {
  expect(SATISFIED).toBe(TOLERANCE);
});
