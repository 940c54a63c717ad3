/** What a run tells of the solvers that the automatic choice took. */
import { expect, it } from 'vitest';
import { runFailure, start } from '../support/run';
import { floor, rigid, spaceModel, touch } from '../support/space';

/** Slabs on top of one another, each pushed sideways by a force of its own. */
function tower(slabs: number): ReturnType<typeof spaceModel> {
  const ids = Array.from({ length: slabs }, (_, k) => `s${k}`);
  return spaceModel(
    [
      floor(),
      ...ids.map((id, k) =>
        rigid(id, [0, 0, 0.05 + 0.1 * k - 1e-9 * (k + 1)], {
          mass: 1,
          inertia: [0.02, 0.02, 0.04],
          force: [Math.sin(3 * k), Math.cos(5 * k), 0],
          shapes: [{ type: 'Box', size: [0.4, 0.4, 0.1] }],
        }),
      ),
    ],
    [touch('pile', ['floor', ...ids], 0.5)],
    { h: 1e-3, tEnd: 1e-3 },
  );
}

const isTold = (text: string): boolean => text.includes('automatic choice');

const told = (slabs: number): string[] => {
  const { session } = start(tower(slabs));
  expect(session.advance(1)).toBe('done');
  return session.warnings.filter(isTold);
};

it('says which solver went on where sweeps did not do, in how many steps, and after what', () => {
  expect(told(5)).toEqual([]);
  expect(told(50).join()).toMatch(
    /^In 1 of 1 steps with contacts sweeps did not do, and the automatic choice took FrictionInteriorPoint\+BodyNewton \(1\)\. At t = 0\.001 s it tried NSGS: residual \S+ after \d+; FrictionInteriorPoint\+BodyNewton: residual \S+ after \d+\.$/,
  );
});

it('lists what was tried where nothing did, and a chosen solver refers to the automatic one', () => {
  const document = tower(3);
  document.simulation.solver = { type: 'auto', tolerance: 1e-17 };
  const { error } = runFailure(document);
  expect(error.message).toMatch(
    /was not solved: .*\. Tried: NSGS: residual .*; Tresca: residual \S+ after \d+; CompliancePath: residual \S+ after \d+\.$/,
  );
  expect(error.remedy).toMatch(/^Loosen the tolerance/);
  document.simulation.solver = { type: 'NSGS', maxIterations: 1, depth: 0, tolerance: 1e-12 };
  expect(runFailure(document).error.remedy).toMatch(/^Choose the solver auto/);
});
