/** A half bridge with dead time, event-driven: gates that follow the time are not missed by any rows. */
import { describe, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import { isProving } from '../../support/prove';
import { run } from '../support/run';
import { drawn } from './drawn';

const T = 5e-5;

function halfBridge(h: number, periods: number): ModelDocument {
  const document = drawn(
    [
      ['V1', 'VoltageSource', ['in', '0'], { voltage: 400 }],
      ['Q1', 'Mosfet', ['in', 'sw'], { gate: 'min((t mod T) - dead, T/2 - (t mod T))', onResistance: 0 }],
      ['Q2', 'Mosfet', ['sw', '0'], { gate: '(t mod T) - T/2 - dead' }],
      ['L1', 'Inductor', ['sw', 'out'], { inductance: 1e-3 }],
      ['C1', 'Capacitor', ['out', '0'], { capacitance: 1e-5, v0: 200 }],
      ['R1', 'Resistor', ['out', '0'], { resistance: 20 }],
    ],
    { h, tEnd: periods * T },
  );
  return {
    ...document,
    parameters: [
      { name: 'T', value: T },
      { name: 'dead', value: 1e-6 },
    ],
    simulation: { ...document.simulation, scheme: 'event-driven' },
  };
}

const PERIODS = 20;
const sandbox = (): ReturnType<typeof createSandbox> => createSandbox();

/** Times of events, and values of a signal at whole half-periods. */
function result(h: number): { times: number[]; values: number[]; gates: number[] } {
  const { column, session } = run(halfBridge(h, PERIODS), { sandbox });
  expect(session.certificate.dynamics).toBeLessThan(1e-12);
  expect(session.certificate.complementarity).toBeLessThan(1e-8);
  const [t, v, i] = [column('t'), column('C1.v'), column('L1.i')];
  const times = [...new Set(session.eventRecords.map(({ time }) => time))];
  const gates = times.filter((time) => Math.abs(((time + 1e-9) % (T / 2)) - 1e-6) < 2e-9);
  const values: number[] = [];
  for (let k = 0; k < t.length; k++)
    if (Math.abs(t[k] / (2 * T) - Math.round(t[k] / (2 * T))) < 1e-9) values.push(t[k], v[k], i[k]);
  return { times, values, gates };
}

describe('a half bridge with dead time', () => {
  const reference = result(T / 2);

  it('switches with its gates', () => {
    // The current is positive all the time: its diode goes on and off, and the transistors come and go.
    expect(reference.times.length).toBeGreaterThan(2 * PERIODS);
    for (const time of reference.times) {
      const phase = ((time + 1e-12) % T) - 1e-12;
      const nearest = Math.min(...[0, 1e-6, T / 2, T / 2 + 1e-6].map((at) => Math.abs(phase - at)));
      expect(nearest).toBeLessThan(1e-15);
    }
  });

  it.each(isProving ? [1e-7, 5e-7, 1e-6, 1e-5, 2 * T] : [1e-6, 1e-5, 2 * T])(
    'has the same events and the same values with rows at every %s s',
    (h) => {
      const other = result(h);
      const [expected, found] = [reference, other].map(({ values }) => [...new Set(values)]);
      expect(other.times.length).toBe(reference.times.length);
      other.times.forEach((time, k) => expect(Math.abs(time - reference.times[k])).toBeLessThan(1e-15));
      expect(found.length).toBeGreaterThan(PERIODS);
      expect(expected.length).toBeGreaterThan(PERIODS);
      const last = ({ values }: typeof reference): number[] => values.slice(-3);
      last(other).forEach((value, k) => expect(value).toBeCloseTo(last(reference)[k], 9));
    },
  );
});
