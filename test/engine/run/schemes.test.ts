/** A document simulated from event to event: rows, signals, events, settings and their defects. */
import { describe, expect, it } from 'vitest';
import { MemoryChunks } from '@engine/recording/chunks';
import { prepareRun } from '@engine/run/session';
import type { ModelDocument } from '@engine/document/types';
import { structuralIssues } from '@engine/document/structure';
import { createSandbox } from '@engine/script/sandbox';
import { example as shipped } from '../support/models';
import { refusal, run, runFailure, type RunOptions, start } from '../support/run';

function example(name: string, edit?: (document: ModelDocument) => void): ModelDocument {
  const document = shipped(name);
  edit?.(document);
  return document;
}

const eventDriven = (options: RunOptions = {}): RunOptions => ({ scheme: 'event-driven', ...options });

/**
 * Impact times of a ball dropped from `height` at rest: t₁ = √(2H/g), then flights 2 v_k/g with v_k = e
 * v_{k−1}.
 */
function impactTimes(height: number, g: number, e: number, count: number): number[] {
  const first = Math.sqrt((2 * height) / g);
  const times = [first];
  for (let k = 1; k < count; k++) times.push(times[k - 1] + 2 * first * e ** k);
  return times;
}

describe('a bouncing ball from event to event', () => {
  const { session, column } = run(example('bouncing-ball'), eventDriven());
  const impacts = session.eventRecords.filter(({ kind }) => kind === 'impact');

  it('has its impacts at the analytic times', () => {
    const times = impactTimes(0.9, 9.81, 0.9, 40);
    times.forEach((time, k) => {
      expect(Math.abs(impacts[k].time - time)).toBeLessThan(1e-10);
    });
    expect(impacts[0].time).toBeCloseTo(0.4283529368781, 12);
  });

  it('comes to rest at the accumulation of its impacts', () => {
    const { accumulation } = session.eventRecords.find(({ kind }) => kind === 'zeno') ?? {};
    expect(accumulation?.time).toBeCloseTo(8.138705801, 8);
    expect(column('ball.v').at(-1)).toBe(0);
    expect(column('floor.lambda').at(-1)).toBeCloseTo(9.81, 12);
  });

  it('records the values before and after each impact at one time', () => {
    const t = column('t');
    const v = column('ball.v');
    const impulse = column('floor.impulse');
    const at = t.findIndex((time, row) => row > 0 && time === t[row - 1]);
    expect(t[at]).toBe(impacts[0].time);
    expect(v[at]).toBeCloseTo(-0.9 * v[at - 1], 14);
    expect([impulse[at - 1], impulse[at], impulse[at + 1]]).toEqual([0, impacts[0].impulse, 0]);
    expect(impulse[at]).toBeCloseTo(1.9 * Math.sqrt(2 * 9.81 * 0.9), 12);
    // Between these, the points of the time discretisation as by time-stepping.
    expect(t).toContain(0.001 * 428);
    expect(t.length).toBeGreaterThan(10_001 + impacts.length);
  });

  it('computes observables in every row, on both sides of a jump', () => {
    const energy = column('energy');
    const kinetic = column('energy.kinetic');
    const height = column('ball.q');
    energy.forEach((value, row) => {
      expect(value).toBeCloseTo(kinetic[row] + 9.81 * height[row], 12);
    });
  });

  it('counts steps of the discretisation and events apart', () => {
    expect(session.steps).toBe(10_000);
    expect(session.events).toBe(session.eventRecords.length);
    expect(session.scheme).toBe('event-driven');
    expect(session.certificate.complementarity).toBeLessThan(1e-9);
  });
});

describe('a document of the event-driven scheme', () => {
  it('is simulated by it without being asked, and by time-stepping on demand', () => {
    const document = example('bouncing-ball', (model) => (model.simulation.scheme = 'event-driven'));
    expect(structuralIssues(document)).toEqual([]);
    expect(start(document).session.scheme).toBe('event-driven');
    expect(start(document, { scheme: 'time-stepping' }).session.scheme).toBe('time-stepping');
  });

  it('keeps the rows of events however seldom rows are recorded', () => {
    const document = example('bouncing-ball', ({ simulation }) => {
      simulation.recording = { every: 1000 };
      simulation.tEnd = 2;
    });
    const { column } = run(document, eventDriven());
    const t = [...column('t')];
    expect(t.filter((time, row) => time === t[row + 1]).length).toBe(3);
    expect(t.length).toBe(3 + 2 * 3);
  });

  it('starts with two rows where the state jumps at the start', () => {
    const document = example('bouncing-ball', (model) => {
      model.systems[0].q0 = [0];
      model.systems[0].v0 = [-1];
      model.simulation.tEnd = 0.1;
    });
    const { column } = start(document, eventDriven());
    expect([...column('ball.v')]).toEqual([-1, expect.closeTo(0.9, 14)]);
    expect(column('energy')[0]).toBeCloseTo(0.5, 14);
  });

  it('ends at the last step when the end is no multiple of it, and says so', () => {
    const { session, column } = run(example('bouncing-ball'), eventDriven({ h: 0.3, tEnd: 1 }));
    expect(session.warnings.join()).toContain('1.2');
    expect(column('t').at(-1)).toBeCloseTo(1.2, 12);
  });

  it('restarts the integration at the times at which forces jump', () => {
    // A short blow of 1000 N from 0.123 s to 0.1231 s, which steps of the integrator would pass over: v = 0.1
    // after it.
    const document = example('bouncing-ball', (model) => {
      model.systems = [
        {
          id: 'cart',
          type: 'LagrangianNonLinear',
          ndof: 1,
          q0: [0],
          v0: [0],
          mass: [[1]],
          fExt: { function: 'push' },
        },
      ];
      model.interactions = [];
      model.observables = [];
      model.parameters = [];
      model.views = [];
      model.scripts = [
        {
          name: 'forces.ts',
          role: 'functions',
          source: [
            'export function push(t: number, out: Float64Array): void {',
            '  out[0] = t < 0.123 || t >= 0.1231 ? 0 : 1000;',
            '}',
          ],
        },
      ];
      model.simulation.tEnd = 1;
      model.simulation.h = 0.5;
      model.simulation.eventDriven = { jumps: [0.123, 0.1231], flight: { type: 'DormandPrince' } };
    });
    const { column, session } = run(document, eventDriven({ sandbox: createSandbox }));
    expect(column('cart.v').at(-1)).toBeCloseTo(0.1, 10);
    expect(column('cart.q').at(-1)).toBeCloseTo(0.1 * (1 - 0.12305), 10);
    expect(session.steps).toBe(2);
    // The conditions of the source say the same.
    document.simulation.eventDriven = {};
    const found = run(document, eventDriven({ sandbox: createSandbox })).column('cart.v');
    expect(found.at(-1)).toBeCloseTo(0.1, 10);
  });
});

describe('defects of event-driven settings', () => {
  it('name a law without modes', () => {
    const { code, where, remedy } = refusal(example('gene-network'), eventDriven({ sandbox: createSandbox }));
    expect(code).toBe('event-driven-unsupported');
    expect(where).toBe('steps');
    expect(remedy).toContain('time-stepping');
  });

  it.each<[string, (document: ModelDocument) => void, string]>([
    [
      'a smallest bounce of zero',
      ({ simulation }) => (simulation.eventDriven = { smallestBounce: 0 }),
      '/simulation/eventDriven/smallestBounce',
    ],
    [
      'an unknown flight',
      ({ simulation }) => (simulation.eventDriven = { flight: { type: 'Balloon' } }),
      '/simulation/eventDriven/flight/type',
    ],
    [
      'a tolerance that is no number',
      ({ simulation }) => (simulation.eventDriven = { flight: { type: 'auto', relativeTolerance: 'x' } }),
      '/simulation/eventDriven/flight/relativeTolerance',
    ],
    [
      'a jump that is no number',
      ({ simulation }) => (simulation.eventDriven = { jumps: [1, 'nope'] }),
      '/simulation/eventDriven/jumps/1',
    ],
  ])('point at %s', (_what, edit, pointer) => {
    const prepared = prepareRun(
      { document: example('bouncing-ball', edit), scheme: 'event-driven' },
      { sandbox: createSandbox, sink: new MemoryChunks() },
    );
    const issues = prepared.ok ? [] : prepared.issues;
    expect(issues.map((issue) => issue.pointer)).toEqual([pointer]);
  });

  it('name the contact that has too many events', () => {
    const document = example('bouncing-ball', ({ simulation }) => {
      simulation.eventDriven = { maxEventsPerStep: 2, smallestBounce: 1e-300 };
      simulation.h = 1;
    });
    const { error, session, column } = runFailure(document, eventDriven());
    expect(error.code).toBe('infinite-events');
    expect(error.where).toBe('floor');
    // What was computed stays.
    expect(column('t').at(-1)).toBe(session.eventRecords.at(-1)?.time);
  });
});
