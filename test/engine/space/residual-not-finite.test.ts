/** A residual that is no number is no verdict: the run says so and ends. */
import { expect, it } from 'vitest';
import { example } from '../support/models';
import { runFailure } from '../support/run';

it('a run of which a residual has overflowed fails, with the element and what to do', () => {
  const document = example('bouncing-box');
  const [shape] = document.systems[1].shapes as unknown as { size: number[] }[];
  shape.size[1] = 1e-308;
  const { error } = runFailure(document);
  expect(error.code).toBe('not-finite');
  expect(error.message).toMatch(/^The residual of the equation of motion that the certificate computes of “/);
  expect(error.remedy).toContain('units');
});
