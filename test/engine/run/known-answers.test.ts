/**
 * Small models by time-stepping whose answers are known from elsewhere: in closed form, or by programs that
 * share nothing with this one.
 */
import { describe, expect, it } from 'vitest';
import type { InteractionDocument, ModelDocument, SystemDocument } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import { body, G, joint } from '../support/bodies';
import { model, withFunctions } from '../support/models';
import { maximum } from '../support/order';
import { run } from '../support/run';

const last = (values: Float64Array): number => values.at(-1) ?? NaN;

/** With the integrators that are taken by default, or with the implicit Euler method. */
const settled = (document: ModelDocument, type?: string): ModelDocument => ({
  ...document,
  simulation: {
    ...document.simulation,
    integrators: type === undefined ? [] : [{ type, theta: 1, thetaR: 1 }],
    problem: { type: 'auto' },
  },
});

const circuit = (
  A: number[][],
  x0: number[],
  interactions: InteractionDocument[],
  h: number,
  tEnd: number,
  source: string[],
): ModelDocument =>
  settled(
    withFunctions(
      model([{ id: 'c', type: 'FirstOrderLinear', n: x0.length, x0, A }], interactions, { h, tEnd }),
      ...source,
    ),
    'EulerMoreau',
  );

describe('known answers', () => {
  it('of three bars on hinges that turn over under their weight, without loss of energy', () => {
    const bars: [string, number, number, number[]][] = [
      ['crank', 0.3, 0.001, [0, 0.1, Math.PI / 2]],
      ['coupler', 0.8, 1 / 60, [0.22958201389082383, 0.29895503472705964, 0.40696075770667145]],
      ['rocker', 0.6, 0.008, [0.47958201389082383, 0.1989550347270596, 1.6730644304861706]],
    ];
    const hinge = (id: string, systems: string[], point1: number[], point2: number[]): InteractionDocument =>
      joint(id, systems, { type: 'Revolute', point1, point2 });
    const document = settled(
      model(
        bars.map(([id, mass, inertia, q0]): SystemDocument => body(id, q0, [0, 0, 0], { mass, inertia })),
        [
          hinge('A', ['crank'], [0, 0], [-0.1, 0]),
          hinge('B', ['crank', 'coupler'], [0.1, 0], [-0.25, 0]),
          hinge('C', ['coupler', 'rocker'], [0.25, 0], [0.2, 0]),
          hinge('D', ['rocker'], [0.5, 0], [-0.2, 0]),
        ],
        { h: 1e-3, tEnd: 2 },
      ),
    );
    const { column } = run(document);
    expect(Math.abs(last(column('coupler.q[0]')) - 0.208624)).toBeLessThan(5e-6);
    expect(Math.abs(last(column('coupler.q[1]')) - 0.094318)).toBeLessThan(5e-6);
    const heights = bars.map(([id]) => column(`${id}.q[1]`));
    const energy = column('energy.kinetic').map((kinetic, k) =>
      bars.reduce((sum, [, mass], b) => sum + mass * G * heights[b][k], kinetic),
    );
    expect(energy[0]).toBeCloseTo(3.8115, 4);
    expect(maximum(energy.map((e) => Math.abs(e - energy[0])))).toBeLessThan(1e-3);
  });

  it('of a buck converter in open loop, in whose gaps the inductor has no current', () => {
    const [U, L, C, R] = [24, 1e-4, 1e-4, 10];
    const at = (h: number): number[] => {
      const { column } = run(
        circuit(
          [
            [0, -1 / L],
            [1 / C, -1 / (R * C)],
          ],
          [0, 0],
          [
            {
              id: 'transistor',
              systems: ['c'],
              relation: {
                type: 'FirstOrderLinearTI',
                C: [[0, 0]],
                B: [[U / L], [0]],
                e: { function: 'gate' },
              },
              law: { type: 'Relay', lower: [0], upper: [1] },
            },
            {
              id: 'diode',
              systems: ['c'],
              relation: { type: 'FirstOrderLinearTI', C: [[1, 0]], B: [[1 / L], [0]] },
              law: { type: 'Complementarity' },
            },
          ],
          h,
          5e-3,
          [
            'export const gate: TimeVector = (t, out) => {',
            '  const s = t / 1e-4 - Math.floor(t / 1e-4);',
            '  out[0] = s < 0.5 ? -1 : 1;',
            '};',
          ],
        ),
        { sandbox: createSandbox },
      );
      return [last(column('c.x[0]')), last(column('c.x[1]'))];
    };
    // Of order 1: what two steps agree on when the step goes to zero.
    const [coarse, fine] = [at(2e-7), at(1e-7)];
    expect(Math.abs(2 * fine[1] - coarse[1] - 15.71413)).toBeLessThan(2e-4);
    expect(Math.abs(2 * fine[0] - coarse[0])).toBeLessThan(2e-4);
  });

  it('of a diode whose source drives it at once, D ≠ 0', () => {
    const { column, session } = run(
      circuit(
        [[-0.1]],
        [1],
        [
          {
            id: 'd',
            systems: ['c'],
            relation: { type: 'FirstOrderLinearTI', C: [[1]], B: [[1]], D: [[1]], e: { function: 'drive' } },
            law: { type: 'Complementarity' },
          },
        ],
        1e-3,
        20,
        ['export const drive: TimeVector = (t, out) => { out[0] = -2 * Math.sin(t); };'],
      ),
      { sandbox: createSandbox },
    );
    expect(Math.abs(last(column('c.x')) - 1.1704)).toBeLessThan(5e-4);
    expect(session.certificate.complementarity).toBeLessThan(1e-12);
  });

  it('of a push that dry friction carries, and no stop, whichever of them comes first', () => {
    const stop: InteractionDocument = {
      id: 'stop',
      systems: ['m'],
      relation: { type: 'LagrangianLinear', H: [[1]] },
      law: { type: 'NewtonImpact', e: 0.3 },
    };
    const dry: InteractionDocument = {
      id: 'dry',
      systems: ['m'],
      relation: { type: 'LagrangianLinear', H: [[1]] },
      law: { type: 'Relay', lower: [-1], upper: [1] },
    };
    for (const order of [
      [stop, dry],
      [dry, stop],
    ]) {
      const mass = {
        id: 'm',
        type: 'LagrangianLinearTI',
        ndof: 1,
        mass: [[1]],
        q0: [0],
        v0: [0],
        fExt: [0.6],
      };
      const { column } = run(settled(model([mass], order, { h: 1e-3, tEnd: 1 })));
      expect(maximum(column('stop.impulse').map(Math.abs))).toBe(0);
      expect(last(column('dry.lambda'))).toBeCloseTo(-0.6, 12);
      expect(last(column('m.q'))).toBe(0);
    }
  });
});
