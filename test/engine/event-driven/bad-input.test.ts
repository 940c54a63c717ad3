/** Bad input of an event-driven run: what the user reads, and that what was computed before is kept. */
import type { InteractionDocument, ModelDocument, SystemDocument } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import { describe, expect, it } from 'vitest';
import { body, joint } from '../support/bodies';
import { model, particle } from '../support/models';
import { refusal, run, runFailure } from '../support/run';

function eventDriven(
  systems: SystemDocument[],
  interactions: InteractionDocument[],
  simulation: Partial<ModelDocument['simulation']> = {},
): ModelDocument {
  const document = model(systems, interactions, { h: 0.01, tEnd: 2 });
  return { ...document, simulation: { ...document.simulation, scheme: 'event-driven', ...simulation } };
}

const floor = (law: InteractionDocument['law'] = { type: 'NewtonImpact', e: 0.5 }): InteractionDocument => ({
  id: 'floor',
  systems: ['ball'],
  relation: { type: 'LagrangianLinear', H: [[1]] },
  law,
});

it('a start in which bodies overlap is refused with the contact, the depth and a remedy', () => {
  const error = refusal(eventDriven([particle('ball', -0.25, 0)], [floor()]));
  expect(error).toMatchObject({ code: 'inconsistent-start', where: 'floor', time: 0 });
  expect(error.message).toContain('2.500e-1');
  expect(error.remedy).toContain('initial state');
});

it('a start off a joint is refused with the joint, and projection is offered', () => {
  const pin = joint('pin', ['arm'], { type: 'Distance', length: 1 });
  const error = refusal(eventDriven([body('arm', [1.2, 0, 0])], [pin]));
  expect(error).toMatchObject({ code: 'inconsistent-start', where: 'pin' });
  expect(error.remedy).toContain('projected');
});

describe('redundant constraints', () => {
  const cranks = [-1, 0, 1].map((x, k) =>
    joint(`crank${k}`, ['platform'], { type: 'Distance', point1: [x, 0], point2: [x, 0], length: 1 }),
  );
  const platform = (type: string): ModelDocument =>
    eventDriven([body('platform', [0, -1, 0])], cranks, {
      tEnd: 0.1,
      eventDriven: { constraints: { type } },
    });

  it('are refused with their rank where coordinates are partitioned', () => {
    const error = refusal(platform('FullPartitioning'));
    expect(error).toMatchObject({ code: 'constraints-redundant', where: 'crank2' });
    expect(error.message).toContain('rank 2');
  });

  it('do not stop a projection', () => {
    expect(run(platform('Projection')).session.certificate.dynamics).toBeLessThan(1e-10);
  });
});

it('events without end are an error with the element and the time, and the rows before are kept', () => {
  const bouncing = eventDriven([particle('ball', 1, 0, { fExt: [-9.81] })], [floor()], {
    eventDriven: { maxEventsPerStep: 3 },
  });
  const { error, session, column } = runFailure(bouncing);
  expect(error).toMatchObject({ code: 'infinite-events', where: 'floor' });
  // bounces of √(2/g) and half as long each, of which more than 3 are within 0.01 s shortly before the end of
  // them all
  const accumulation = Math.sqrt(2 / 9.81) * 3;
  expect(error.time).toBeLessThan(accumulation);
  expect(error.time).toBeGreaterThan(accumulation - 0.03);
  expect(error.message).toContain('4 events within one step');
  expect(error.remedy).toContain('eventDriven.maxEventsPerStep');
  expect(error.remedy).toContain('time-stepping');
  const times = column('t');
  expect(session.rows).toBe(times.length);
  expect(times.at(-1)).toBeLessThanOrEqual(error.time!);
  expect(times.at(-1)).toBeGreaterThan(accumulation - 0.04);
});

describe('a contact that is touched tangentially', () => {
  it('is recorded as a graze, without impact', () => {
    // y = (t − 1)²
    const { session, column } = run(eventDriven([particle('ball', 1, -2, { fExt: [2] })], [floor()]));
    expect(session.eventRecords.map(({ kind }) => kind)).toEqual(['graze']);
    expect(session.eventRecords[0].time).toBeCloseTo(1, 7);
    expect(session.eventRecords[0].impulse).toBe(0);
    expect(column('ball.q').at(-1)).toBeCloseTo(1, 12);
  });

  it.each([
    ['and lifts off at once', 2, 4],
    ['and that nothing moves', 0, 0],
  ])('at the start %s has no event', (_what, force, end) => {
    const { session, column } = run(eventDriven([particle('ball', 0, 0, { fExt: [force] })], [floor()]));
    expect(session.eventRecords).toEqual([]);
    expect(column('ball.q').at(-1)).toBeCloseTo(end, 12);
  });
});

it('a contact that only the next derivative of its acceleration opens has no event either', () => {
  // y = t³
  const document = eventDriven([particle('ball', 0, 0, { fExt: { function: 'growing' } })], [floor()]);
  const source = ['export const growing: TimeVector = (t, out) => { out[0] = 6 * t; };'];
  document.scripts = [{ name: 'force.ts', role: 'functions', source }];
  const { session, column } = run(document, { sandbox: createSandbox });
  expect(session.eventRecords).toEqual([]);
  expect(column('ball.q').at(-1)).toBeCloseTo(8, 9);
  expect(session.certificate.coneViolation).toBeLessThan(1e-10);
});

it('a gap that is no number ends the run with the function, the element and the time; rows before are kept', () => {
  const document = eventDriven(
    [particle('ball', 1, -1)],
    [
      {
        ...floor(),
        relation: { type: 'LagrangianScleronomous', h: { function: 'gap' }, jacobian: [[1]] },
      },
    ],
  );
  // Defined above one half only.
  const source = [
    'export const gap: PositionConstraint = (q, out) => { out[0] = q[0] < 0.5 ? Math.sqrt(-1) : q[0]; };',
  ];
  document.scripts = [{ name: 'gap.ts', role: 'functions', source }];
  const { error, column } = runFailure(document, { sandbox: createSandbox });
  expect(error).toMatchObject({ code: 'script-not-finite', where: 'floor' });
  expect(error.message).toContain('“gap”');
  expect(error.remedy).toContain('division by zero');
  const q = column('ball.q');
  expect(q.length).toBeGreaterThan(0);
  expect(q.every((value) => value >= 0.5)).toBe(true);
});

it('a negative coefficient of friction is a defect of its field', () => {
  const law = { type: 'NewtonImpactFriction', e: 0.5, mu: -0.3 };
  const slope: InteractionDocument = {
    id: 'slope',
    systems: ['ball'],
    relation: {
      type: 'LagrangianLinear',
      H: [
        [0, 1],
        [1, 0],
      ],
    },
    law,
  };
  const ball = particle('ball', 0, 0, {
    ndof: 2,
    mass: [
      [1, 0],
      [0, 1],
    ],
    q0: [0, 1],
    v0: [0, 0],
  });
  const error = refusal(eventDriven([ball], [slope]));
  expect(error.message).toContain('-0.3');
  expect(error.where).toBe('slope');
  expect(error.remedy).toContain('at least 0');
});
