/**
 * Where the modes of first-order laws come to their end: the user reads what happened, not what the solver
 * said.
 */
import { createSandbox } from '@engine/script/sandbox';
import { describe, expect, it } from 'vitest';
import {
  complementarity,
  interaction,
  linearFirstOrder,
  linearRelation,
  relay,
  system,
} from '../support/forms';
import { EngineError } from '@engine/errors';
import { example } from '../support/models';
import { runFailure, start } from '../support/run';
import { simulateEvents } from './support';

describe('the twisting controller', () => {
  // From a peak X of the position, √(2X) to zero at 1 m/s² and a third of that to the next peak, X/3, at 3
  // m/s².
  const accumulation = 1 / 3 + ((4 / 3) * Math.sqrt(2 * (7 / 6))) / (1 - 1 / Math.sqrt(3));

  it('switches where the position crosses zero, until the switches accumulate, and says when', () => {
    const document = example('twisting-controller');
    document.simulation.scheme = 'event-driven';
    const { error, session, column } = runFailure(document, { sandbox: createSandbox });
    expect(error).toMatchObject({ code: 'accumulated-switches', where: 'control' });
    const [, time, bar] = /accumulate at t = (\S+) s ± (\S+) s/u.exec(error.message)!.map(Number);
    expect(Math.abs(time - accumulation)).toBeLessThan(bar);
    expect(bar).toBeLessThan(1e-11);
    expect(error.time).toBeLessThan(accumulation);
    const [first, second] = session.eventRecords.map((event) => event.time);
    // The velocity changes its sign at the first peak, the position after it.
    expect(first).toBeCloseTo(1 / 3, 12);
    expect(second).toBeCloseTo(1 / 3 + Math.sqrt(7 / 3), 12);
    expect(column('t').at(-1)).toBeLessThanOrEqual(error.time!);
    expect(column('t').at(-1)).toBeGreaterThan(accumulation - 2e-3);
  });

  it('at rest on the switching line is no case of accumulation', () => {
    const A = [
      [0, 1],
      [0, 0],
    ];
    const model = {
      systems: [system('plant', linearFirstOrder(A, [0, 0]))],
      interactions: [interaction('control', [0], linearRelation([[1, 0]], [[0], [2]]), relay())],
    };
    let error: unknown = null;
    try {
      simulateEvents(model);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(EngineError);
    expect((error as EngineError).details).toMatchObject({ code: 'event-driven-degree', where: 'control' });
  });
});

describe('a state that has to jump', () => {
  it('does so at the start, where capacitors are connected by diodes', () => {
    const document = example('diode-bridge-filter');
    document.simulation.scheme = 'event-driven';
    const { session, column } = start(document, { sandbox: createSandbox });
    expect(session.advance(Number.MAX_SAFE_INTEGER)).toBe('done');
    // The charge of one is shared by both: 10 V of 1 µF, and 300 nF.
    expect(column('circuit.x[0]')[1]).toBeCloseTo(10 / 1.3, 12);
    expect(column('circuit.x[2]')[1]).toBeCloseTo(10 / 1.3, 12);
    const { complementarity, dynamics } = session.certificate;
    expect(Math.max(complementarity, dynamics)).toBeLessThan(1e-12);
  });

  it('does not, where multipliers can keep the output', () => {
    // y = x + λ with x = −1: λ = 1
    const model = {
      systems: [system('cell', linearFirstOrder([[0]], [-1]))],
      interactions: [
        interaction('diode', [0], linearRelation([[1]], [[1]], { D: [[1]] }), complementarity()),
      ],
    };
    const simulation = simulateEvents(model);
    expect(simulation.isActive(0)).toBe(true);
  });
});
