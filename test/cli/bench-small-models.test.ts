/** Twins of jobs from event to event do the same job: short runs give the same numbers. */
import { expect, test } from 'vitest';
import { bouncing } from '../../src/cli/bench/small-models/bouncing';
import { buckDiagram } from '../../src/cli/bench/small-models/buck-diagram';
import { camDiagram } from '../../src/cli/bench/small-models/cam-diagram';
import { impactBasins } from '../../src/cli/bench/small-models/impact-basins';
import { camLyapunov, lorenzLyapunov } from '../../src/cli/bench/small-models/lyapunov';
import { largestDifference, type SideBySide } from '../../src/cli/bench/small-models/side-by-side';
import { stickSlipUntil } from '../../src/cli/bench/small-models/stick-slip';
import { twin } from '../../src/cli/bench/twin';
import { example } from '../engine/support/example';

/** The job, and what its results may differ by. */
const jobs: readonly [string, SideBySide, number][] = [
  // Chaotic motion has taken rounding to 1e-9 by then.
  ['cam diagram', camDiagram({ from: 400, to: 800, speeds: 5, transient: 1, points: 12 }, 12), 1e-8],
  ['ball', bouncing({ name: 'ball', summary: '', e: 0.8, speed: 3, impacts: 20 }), 1e-10],
  ['ball in a shaft', bouncing({ name: 'ball', summary: '', e: 0.98, speed: 9, top: 1, impacts: 20 }), 1e-10],
  ['basins', impactBasins(200), 0.5],
  ['Lyapunov spectrum of the cam', camLyapunov(660, 0, { intervals: 3, aligned: 1 }), 1e-8],
  ['Lyapunov spectrum of Lorenz', lorenzLyapunov(0, { intervals: 20, aligned: 1 }), 1e-6],
  ['buck', buckDiagram({ from: 20, to: 34, voltages: 4, transient: 1, points: 12 }, 12), 1e-9],
  ['stick-slip', stickSlipUntil(100), 1e-9],
];

test.each(jobs)('%s: the same as in C', (_, job, most) => {
  const built = twin(job.twin);
  if (!built.ok) return;
  const { given, run } = job.ready(example(job.example));
  const [ours, theirs] = [run(), built.run(given)];
  expect(theirs.ns).toBeGreaterThan(0);
  expect(ours.ns).toBeGreaterThan(0);
  expect(largestDifference(ours.state, theirs.state)).toBeLessThan(most);
});
