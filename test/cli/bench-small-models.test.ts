/** Twins of jobs from event to event do the same job: short runs give the same numbers. */
import { expect, test } from 'vitest';
import { camDiagram } from '../../src/cli/bench/small-models/cam-diagram';
import { largestDifference, type SideBySide } from '../../src/cli/bench/small-models/side-by-side';
import { twin } from '../../src/cli/bench/twin';
import { example } from '../engine/support/example';

/** The job, and what its results may differ by. */
const jobs: readonly [string, SideBySide, number][] = [
  // Chaotic motion has taken rounding to 1e-9 by then.
  ['cam diagram', camDiagram({ from: 400, to: 800, speeds: 5, transient: 1, points: 12 }, 12), 1e-8],
];

test.each(jobs)('%s: the same as in C', (_, job, most) => {
  const built = twin(job.twin);
  if (!built.ok) return;
  const theirs = built.run(job.given);
  const ours = job.ready(example(job.example))();
  expect(theirs.ns).toBeGreaterThan(0);
  expect(ours.ns).toBeGreaterThan(0);
  expect(largestDifference(ours.state, theirs.state)).toBeLessThan(most);
});
