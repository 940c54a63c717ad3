/** The linear system that the flow is in fixed modes. */
import { FreeMotion, placeIntegrated } from '@engine/event-driven/flow/free-motion';
import { formOfRow, type ReducedSystem, reduceFlow } from '@engine/event-driven/flow/reduced-system';
import { EventRelations } from '@engine/event-driven/rows/relation-rows';
import { ACTIVE, LOWER, UPPER, readRowLaws } from '@engine/event-driven/rows/row-laws';
import { SmoothFlow } from '@engine/event-driven/flow/smooth-flow';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { Flow } from '@engine/smooth-arcs/flow';
import { describe, expect, it } from 'vitest';
import {
  complementarity,
  impact,
  interaction,
  lagrangianRelation,
  linearFirstOrder,
  linearLagrangian,
  linearRelation,
  relay,
  system,
} from '../support/forms';
import { seeded } from '../support/random';

function reduced(model: NonSmoothDynamicalSystem, modes: readonly number[]): [ReducedSystem, SmoothFlow] {
  const laws = readRowLaws(model);
  const places = placeIntegrated(model);
  const motion = new FreeMotion(model, places, 1e-4, 0);
  const rows = new EventRelations(model, laws, places, motion, 1e-4);
  const flow = new SmoothFlow(laws, rows, motion, places);
  flow.modes.set(modes);
  flow.setModes(new Uint8Array(laws.count));
  rows.update(Float64Array.of(0), new Float64Array(places.size));
  return [reduceFlow(flow, rows, 0, true), flow];
}

/** A weight on a soft spring above another one, which stands on the floor. */
const stack: NonSmoothDynamicalSystem = {
  systems: [
    system(
      'pair',
      linearLagrangian(
        [0, 1],
        [0, 0],
        [
          [3, 0],
          [0, 0.7],
        ],
        {
          stiffness: [
            [11, -11],
            [-11, 11],
          ],
          damping: [
            [0.3, -0.3],
            [-0.3, 0.3],
          ],
          force: [-29.43, -6.867],
        },
      ),
    ),
  ],
  interactions: [interaction('floor', [0], lagrangianRelation([[1, 0]]), impact(0.5))],
};

describe('a contact that is closed', () => {
  it('leaves exact zeros in the row of its body, and λ as the reaction', () => {
    const [{ system: made, multipliers }] = reduced(stack, [ACTIVE]);
    expect([...made.matrix.subarray(8, 12)]).toEqual([0, 0, 0, 0]);
    expect(made.constant[2]).toBe(0);
    // 11 q₁ − 11 q₂ + 0.3 v₁ − 0.3 v₂ + 29.43
    const { indices, values, offset } = formOfRow(multipliers, 0, 1);
    expect([...indices]).toEqual([0, 1, 2, 3]);
    [11, -11, 0.3, -0.3].forEach((value, k) => expect(Math.abs(values[k] - value)).toBeLessThan(1e-14));
    expect(Math.abs(offset[0] - 29.43)).toBeLessThan(1e-14);
    expect([...formOfRow(multipliers, 0, -1).values]).toEqual([...values].map((value) => -value));
  });

  it('on bodies without springs leaves a polynomial motion', () => {
    const bead = (q: number) => system(`bead${q}`, linearLagrangian([q], [0], [[0.3]], { force: [-2.943] }));
    const model: NonSmoothDynamicalSystem = {
      systems: [bead(0), bead(1)],
      interactions: [
        interaction('floor', [0], lagrangianRelation([[1]]), impact(0)),
        interaction('contact', [0, 1], lagrangianRelation([[-1, 1]], [-1]), impact(0)),
      ],
    };
    for (const [modes, order] of [
      [[LOWER, LOWER], 2],
      [[ACTIVE, LOWER], 2],
      [[ACTIVE, ACTIVE], 1],
    ] as const)
      expect(new Flow(reduced(model, modes)[0].system).order).toBe(order);
  });
});

describe('the reduced system', () => {
  it('gives the rates, multipliers and outputs of the flow at any state', () => {
    const random = seeded(11);
    const next = (): number => random.uniform(-1, 1);
    const matrix = (rows: number, columns: number): number[][] =>
      Array.from({ length: rows }, () => Array.from({ length: columns }, next));
    for (let trial = 0; trial < 50; trial++) {
      const model: NonSmoothDynamicalSystem = {
        systems: [system('x', linearFirstOrder(matrix(4, 4), [0, 0, 0, 0], { b: matrix(1, 4)[0] }))],
        interactions: [
          interaction(
            'diode',
            [0],
            linearRelation(matrix(1, 4), matrix(4, 1), { D: [[1 + next() / 2]] }),
            complementarity(),
          ),
          interaction('relay', [0], linearRelation(matrix(1, 4), matrix(4, 1)), relay()),
        ],
      };
      const modes = [[ACTIVE, LOWER][trial % 2], [LOWER, ACTIVE, UPPER][trial % 3]];
      const [{ system: made, multipliers }, flow] = reduced(model, modes);
      const x = Float64Array.from({ length: 4 }, next);
      const rate = new Float64Array(4);
      flow.rate(Float64Array.of(0), x, rate);
      const value = (a: Float64Array, b: Float64Array, i: number): number =>
        x.reduce((sum, xj, j) => sum + a[4 * i + j] * xj, b[i]);
      const size = made.matrix.reduce((most, entry) => Math.max(most, Math.abs(entry)), 1);
      rate.forEach((expected, i) =>
        expect(Math.abs(value(made.matrix, made.constant, i) - expected)).toBeLessThan(1e-13 * size),
      );
      flow.lambda.forEach((expected, row) =>
        expect(Math.abs(value(multipliers.matrix, multipliers.constant, row) - expected)).toBeLessThan(
          1e-13 * size,
        ),
      );
    }
  });
});
