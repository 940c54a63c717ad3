/**
 * A wide block stands on its left corner and falls onto its right one. A contact that has been closed for a
 * while has drifted by what the integration leaves, more than the gap of a root; it takes part in the impact
 * all the same.
 *
 * Half width a, half height c, mass m, inertia I = m (a² + c²)/3, no friction. The left corner slides on the
 * floor and the block turns with ω < 0 from the angle φ₀. It lands flat, where the centre, at the height a
 * sin φ + c cos φ, moves with a ω:
 *
 *     ½ (m a² + I) ω² = m g (a sin φ₀ + c cos φ₀ − c).
 *
 * With e = 0 on the left and e on the right, ω⁺ = −e ω⁻ about the left corner, and momentum and its moment
 * give
 *
 *     P_left + P_right = m a (1 + e) |ω⁻|,     a (P_right − P_left) = I (1 + e) |ω⁻|.
 *
 * P_left is positive because m a² > I: the block is wide. Each further impact has e times the impulses of the
 * one before.
 */
import { describe, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import { run } from '../support/run';

const G = 9.81;
const [a, c, angle, e] = [0.5, 0.25, 0.3, 0.5];
const inertia = (a * a + c * c) / 3;

const corner = (id: string, restitution: number): ModelDocument['interactions'][number] => ({
  id,
  systems: ['block'],
  relation: { type: 'LagrangianScleronomous', size: 1, h: { function: id } },
  law: { type: 'NewtonImpact', e: restitution },
});

const document: ModelDocument = {
  formatVersion: 3,
  title: 'wide rocking block',
  parameters: [
    { name: 'a', value: a },
    { name: 'c', value: c },
  ],
  systems: [
    {
      id: 'block',
      type: 'LagrangianLinearTI',
      ndof: 2,
      mass: [
        [1, 0],
        [0, inertia],
      ],
      fExt: [-G, 0],
      q0: [a * Math.sin(angle) + c * Math.cos(angle), angle],
      v0: [0, 0],
    },
  ],
  interactions: [corner('left', 0), corner('right', e)],
  simulation: {
    scheme: 'event-driven',
    t0: 0,
    tEnd: 0.55,
    h: 0.01,
    integrators: [{ type: 'MoreauJean', theta: 0.5, forecast: 0.5 }],
    problem: { type: 'auto' },
    solver: { type: 'auto' },
  },
  observables: [],
  scripts: [
    {
      name: 'corners.ts',
      role: 'functions',
      source: [
        'export const left: PositionConstraint = (q, out, p) => {',
        '  out[0] = q[0] - p.a * Math.sin(q[1]) - p.c * Math.cos(q[1]);',
        '};',
        'export const right: PositionConstraint = (q, out, p) => {',
        '  out[0] = q[0] + p.a * Math.sin(q[1]) - p.c * Math.cos(q[1]);',
        '};',
      ],
    },
  ],
  views: [],
  layout: { nodes: {} },
};

describe('a contact that has rested while the block turned about it', () => {
  const { session } = run(document, { sandbox: () => createSandbox(() => undefined) });
  const impacts = session.eventRecords.filter(({ kind }) => kind === 'impact');
  const omega = Math.sqrt((2 * G * (a * Math.sin(angle) + c * Math.cos(angle) - c)) / (a * a + inertia));

  it('pushes in each impact of the other corner, at the same time', () => {
    expect(impacts.map(({ element }) => element)).toEqual([
      'left',
      'right',
      'left',
      'right',
      'left',
      'right',
    ]);
    for (let k = 0; k < impacts.length; k += 2) {
      const change = (1 + e) * omega * e ** (k / 2);
      expect(impacts[k].time).toBe(impacts[k + 1].time);
      expect(impacts[k].impulse).toBeCloseTo((a * change - (inertia / a) * change) / 2, 9);
      expect(impacts[k + 1].impulse).toBeCloseTo((a * change + (inertia / a) * change) / 2, 9);
    }
  });

  it('is never left', () => {
    expect(session.eventRecords.filter(({ kind }) => kind === 'takeOff')).toEqual([]);
  });
});
