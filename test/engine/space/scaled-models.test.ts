/**
 * 3D bodies in other units: the numbers of a model times powers of the units give the same motion, with
 * powers of two to the last bit.
 */
import { expect, it } from 'vitest';
import type { Expression, ModelDocument } from '@engine/document/types';
import { run } from '../support/run';
import { floor, G, joint, rigid, spaceModel, touch } from '../support/space';

/** Fields of a body of mass m, kg, and moments of inertia I, kg m², in a unit of length and one of mass. */
const body = (
  L: number,
  M: number,
  m: number,
  I: readonly number[],
): Record<string, Expression | Expression[]> => ({
  mass: m * M,
  inertia: I.map((each) => each * M * L * L),
  gravity: [0, 0, -G * L],
});

/** By metres and kilograms in the units of the model. */
const MODELS: Record<string, (L: number, M: number) => ModelDocument> = {
  'a box that tumbles': (L, M) =>
    spaceModel(
      [
        floor(),
        rigid('a', [0, 0, 0.4 * L], {
          ...body(L, M, 2, [0.01, 0.02, 0.015]),
          velocity: [L, 0.3 * L, 0],
          spin: [3, 2, 1],
          shapes: [{ type: 'Box', size: [0.2 * L, 0.3 * L, 0.1 * L] }],
        }),
      ],
      [touch('c', ['floor', 'a'], 0.4, 0.3)],
      { tEnd: 1 },
    ),
  'a ball that rolls': (L, M) =>
    spaceModel(
      [
        floor(),
        rigid('a', [0, 0, 0.05 * L], {
          ...body(L, M, 1, [1e-3, 1e-3, 1e-3]),
          velocity: [L, 0, 0],
          shapes: [{ type: 'Sphere', radius: 0.05 * L }],
        }),
      ],
      [touch('c', ['floor', 'a'], 0.3)],
      { tEnd: 0.5 },
    ),
  'an arm with stops and dry friction': (L, M) =>
    spaceModel(
      [
        rigid('a', [0.4 * L, 0, 0], body(L, M, 1.5, [0.01, 0.12, 0.12])),
        rigid('b', [1.1 * L, 0, 0], body(L, M, 1, [0.01, 0.1, 0.1])),
      ],
      [
        joint('shoulder', ['a'], {
          type: 'RevoluteJoint',
          axis: [0, 1, 0],
          point: [0, 0, 0],
          angleMin: -1,
          angleMax: 0.9,
          angleFriction: 0.5 * M * L * L,
          e: 0.3,
        }),
        joint('elbow', ['a', 'b'], {
          type: 'RevoluteJoint',
          axis: [0, 1, 0],
          point: [0.8 * L, 0, 0],
          angleMin: -0.7,
          angleMax: 0.7,
        }),
      ],
      // Later what is left of a bounce, less by e in each step, counts as rest a step earlier or later by its
      // rounding.
      { tEnd: 0.6 },
    ),
  'a slider on its stop': (L, M) =>
    spaceModel(
      [rigid('a', [0, 0, 0], body(L, M, 2, [0.01, 0.01, 0.01]))],
      [
        joint('rail', ['a'], {
          type: 'PrismaticJoint',
          axis: [0, 0, 1],
          displacementMin: -0.1 * L,
          displacementFriction: M * L,
          e: 0.5,
        }),
      ],
      { tEnd: 0.6 },
    ),
  'a rope that becomes taut': (L, M) =>
    spaceModel(
      [rigid('a', [0.6 * L, 0, 0], body(L, M, 2, [0.01, 0.01, 0.01]))],
      [joint('rope', ['a'], { type: 'Rope', point: [0.6 * L, 0, 0], lengthMax: L, e: 0.2 })],
      { tEnd: 1 },
    ),
};
const [MILLI, KILO, MICRO] = [1e-3, 1e3, 1e-6];

/**
 * Largest difference of positions and velocities from those in metres and kilograms, in the largest value of
 * each.
 */
function differenceIn(model: (L: number, M: number) => ModelDocument, L: number, M: number): number {
  const [one, other] = [run(model(1, 1)), run(model(L, M))];
  const { coneViolation, complementarity, dynamics, limit } = other.session.certificate;
  expect(Math.max(coneViolation, complementarity, dynamics)).toBeLessThan(limit ?? 0);
  let worst = 0;
  for (const { name } of one.session.signals) {
    const [, part] = /\.[qv]\[(\d)\]$/.exec(name) ?? [];
    if (part === undefined) continue;
    const unit = Number(part) < 3 ? L : 1;
    const [a, b] = [one.column(name), other.column(name)];
    const scale = Math.max(1e-3, ...a.map(Math.abs));
    for (let k = 0; k < a.length; k++) worst = Math.max(worst, Math.abs(a[k] - b[k] / unit) / scale);
  }
  return worst;
}

it.each(Object.entries(MODELS))('%s moves alike in all units', (_, model) => {
  for (const [L, M] of [
    [KILO, KILO],
    [MILLI, 1],
    [1, MILLI],
    [MICRO, MICRO],
    [1 / MICRO, KILO],
  ])
    expect(differenceIn(model, L, M)).toBeLessThan(1e-9);
  for (const [L, M] of [
    [2 ** 10, 1],
    [2 ** -10, 1],
    [1, 2 ** 10],
    [2 ** -20, 2 ** -10],
  ])
    expect(differenceIn(model, L, M)).toBe(0);
});
