/** Runs of 3D bodies that cannot go on: what is said, of whom, and what stays. */
import { describe, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { floor, joint, rigid, spaceModel, touch } from '../support/space';
import { run, runFailure } from '../support/run';
import { expectSentence } from '../support/issues';

/** The error of a run, whose parts are sentences. */
function failure(document: ReturnType<typeof spaceModel>): ReturnType<typeof runFailure> {
  const failed = runFailure(document);
  expectSentence(failed.error.message);
  expectSentence(failed.error.remedy ?? '');
  return failed;
}

it('a friction problem that its solver does not solve names contacts, time and residual, and rows before it stay', () => {
  const document = spaceModel(
    [floor(), ...[0, 1, 2].map((k) => rigid(`b${k}`, [0.03 * k, 0, 0.101 + 0.201 * k], { spin: [1, 2, k] }))],
    [touch('pile', ['floor', 'b0', 'b1', 'b2'])],
  );
  document.simulation.solver = { type: 'NSGS', maxIterations: 1, depth: 0, tolerance: 1e-12 };
  const { error, column } = failure(document);
  expect(error.code).toBe('solver-maxIterations');
  expect(error.where).toBe('pile');
  expect(error.message).toMatch(
    /friction problem of \d+ contacts at t = \S+ s was not solved: .*residual .*, tolerance \S+\)/,
  );
  const t = column('t');
  expect(t.length).toBeGreaterThan(1);
  expect(error.time).toBeCloseTo(t[t.length - 1] + 1e-3, 9);
});

it('speeds that contradict each other name the joints', () => {
  const turn = (id: string, speed: number): ReturnType<typeof joint> =>
    joint(id, ['wheel'], { type: 'RevoluteJoint', angleSpeed: speed });
  const { error } = failure(
    spaceModel([rigid('wheel', [0, 0, 0], { gravity: undefined })], [turn('one', 1), turn('two', 2)]),
  );
  expect(error.code).toBe('space-drivesContradict');
  expect(error.where).toBe('one, two');
});

it('a state that overflows names the body', () => {
  const { error } = failure(
    spaceModel(
      [
        rigid('slow', [0, 0, 0]),
        rigid('fast', [0, 9, 0], {
          velocity: [1e100, 0, 0],
          force: [1e308, 0, 0],
          mass: 1e-9,
          inertia: [1, 1, 1],
        }),
      ],
      [],
    ),
  );
  expect(error.code).toBe('not-finite');
  expect(error.where).toBe('fast');
});

describe('a step of a single contact that has no solution says so', () => {
  /** A ball on a rail that leads into the floor at 30° to it, faster than gravity would take it. */
  const onRail = (law: { mu: number; e: number }, relation: Record<string, number> = {}): ModelDocument => {
    const tilt = Math.PI / 6;
    const axis = [Math.cos(tilt), 0, -Math.sin(tilt)];
    const document = spaceModel(
      [
        floor(),
        rigid('ball', [0, 0, 0.1001], {
          velocity: axis,
          shapes: [{ type: 'Sphere', radius: 0.1 }],
        }),
      ],
      [
        touch('ground', ['floor', 'ball'], law.mu, law.e),
        joint('rail', ['ball'], { type: 'PrismaticJoint', axis, ...relation }),
      ],
      { tEnd: 0.01 },
    );
    return document;
  };

  it.each<[string, ModelDocument]>([
    // A slide upwards along the rail needs N sin 30° > μ N cos 30°.
    ['friction jams a slider that restitution wants back', onRail({ mu: 0.7, e: 0.5 })],
    ['a motor presses a body into the floor', onRail({ mu: 0, e: 0 }, { displacementSpeed: 1 })],
  ])('%s', (_, document) => {
    const { error } = failure(document);
    expect(error.code).toBe('contact-without-solution');
    expect(error.where).toBe('ground');
    expect(error.message).toMatch(/has no solution/);
    expect(error.remedy).toMatch(/friction.*restitution.*CompliantFriction3D/);
  });

  it('and goes on as the remedies say', () => {
    run(onRail({ mu: 0.5, e: 0.5 }));
    run(onRail({ mu: 0.7, e: 0 }));
    run(onRail({ mu: 0, e: 0 }, { displacementSpeed: 1, displacementLimit: 50 }));
    const yielding = onRail({ mu: 0, e: 0 }, { displacementSpeed: 1 });
    yielding.interactions[0].law = { type: 'CompliantFriction3D', k: 1e5, c: 10, mu: 0 };
    run(yielding);
  });
});
