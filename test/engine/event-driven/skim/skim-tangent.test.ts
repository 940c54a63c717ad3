/** Disturbances along motion that is skimmed, against those along the same motion from row to row. */
import { goOn, type MotionModel, preparedMotion } from '@engine/analysis/stability/motion-model';
import { readDocument } from '@engine/document/read';
import type { ModelDocument } from '@engine/document/types';
import type { EventDriven } from '@engine/event-driven/event-driven';
import type { TangentMotion } from '@engine/event-driven/tangent/tangent-motion';
import { compileRun } from '@engine/run/compile-run';
import { createSandbox } from '@engine/script/sandbox';
import { describe, expect, it } from 'vitest';
import { seeded } from '../../support/random';
import { drawn, simulationTo } from './drawn';

const CASES = process.env.MOREAU_PROVE === '1' ? 1000 : 40;
/** s: later disturbances carry what small differences of the motion have grown to. */
const END = 1.5;

function motionOf(document: ModelDocument): MotionModel {
  const compiled = compileRun({ document }, undefined, () => createSandbox());
  if (!compiled.ok) throw new Error(compiled.error.message);
  return preparedMotion(compiled.prepared);
}

interface Followed {
  readonly simulation: EventDriven;
  readonly tangent: TangentMotion;
}

/** @param period of walls; undefined: nothing is skimmed */
function followed(motion: MotionModel, end: number, period?: number): Followed {
  const simulation = motion.simulate(0, end, motion.initialState, undefined, true);
  const tangent = motion.tangent(simulation);
  if (period === undefined) simulation.run();
  else
    goOn(simulation, {
      until: () => Infinity,
      arrive: () => undefined,
      isWanted: () => true,
      period,
    });
  tangent.passed();
  return { simulation, tangent };
}

describe('disturbances of motion that is skimmed', () => {
  let impacts = 0;

  it.each(Array.from({ length: CASES }, (_, k) => k))('are those of the general path: %i', (seed) => {
    const { document, period } = drawn(seeded(8100 + seed));
    const motion = motionOf(document);
    const known = followed(motion, END);
    const found = followed(motion, END, period);
    const { events } = known.simulation;
    // Behind a contact that stays closed, or is hit slowly, small differences are large ones.
    if (events.some(({ kind, before }) => kind !== 'impact' || Math.abs(before) < 0.02)) return;
    expect(found.tangent.broken?.status).toBe(known.tangent.broken?.status);
    expect(found.simulation.events).toHaveLength(events.length);
    const largest = Math.max(...known.tangent.frame.map(Math.abs));
    known.tangent.frame.forEach((value, k) => {
      expect(Math.abs(found.tangent.frame[k] - value)).toBeLessThan(1e-8 * largest);
    });
    impacts += events.length;
  });

  it('have been seen', () => {
    expect(impacts).toBeGreaterThan(2 * CASES);
  });
});

/** One mass bounces on a floor; another one swings up to a distance from a stop, which it never meets. */
function besideStop(distance: number): MotionModel {
  const { document, issues } = readDocument(
    JSON.stringify({
      formatVersion: 3,
      title: 'beside a stop',
      systems: [
        {
          id: 'masses',
          type: 'LagrangianLinearTI',
          ndof: 2,
          mass: [
            [1, 0],
            [0, 1],
          ],
          stiffness: [
            [30, 0],
            [0, 1],
          ],
          q0: [0.7, 1],
          v0: [0, 0],
        },
      ],
      interactions: [
        {
          id: 'floor',
          systems: ['masses'],
          relation: { type: 'LagrangianLinear', H: [[1, 0]], b: [0.3] },
          law: { type: 'NewtonImpact', e: 1 },
        },
        {
          id: 'stop',
          systems: ['masses'],
          relation: { type: 'LagrangianLinear', H: [[0, 1]], b: [1 + distance] },
          law: { type: 'NewtonImpact', e: 1 },
        },
      ],
      simulation: simulationTo(40),
    }),
  );
  if (document === null) throw new Error(issues.map(({ message }) => message).join(' '));
  return motionOf(document);
}

it.each([
  ['grazes', 1e-10, 6],
  ['does not graze', 1e-7, 0],
])('motion that is skimmed and %s at a distance of %s has as many grazes as it has', (_, distance, count) => {
  const motion = besideStop(distance);
  const known = followed(motion, 40);
  const found = followed(motion, 40, 1);
  expect(found.simulation.events.length).toBe(known.simulation.events.length);
  expect(known.tangent.grazes.count).toBe(count);
  expect(found.tangent.grazes.count).toBe(count);
  expect(found.tangent.grazes.first?.element).toBe(known.tangent.grazes.first?.element);
});
