/** Imported netlists against ngspice; exported ones, which ngspice runs. */
import { afterAll, describe, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { exportNetlist } from '@engine/netlist/export';
import { importNetlist } from '@engine/netlist/import';

import { drawn, type Part } from '../engine/components/drawn';
import { example } from '../engine/support/models';
import { part } from '../support/prove';
import { type PeerNetlist, peerNetlists } from './netlists';
import { runModel } from './run-engine';
import { missingNgspice, runNgspice } from './run-ngspice';

const missing = missingNgspice();
const table: string[] = [];

/** @param bySteps where parallel diodes hand over to each other, which is known to steps only */
function modelOf(text: string, bySteps: boolean | undefined): ModelDocument {
  const { document, issues } = importNetlist(text, 'peer.cir');
  if (document === null) throw new Error(JSON.stringify(issues));
  return {
    ...document,
    simulation: { ...document.simulation, scheme: bySteps === true ? 'time-stepping' : 'event-driven' },
  };
}

/** `v(b1)` and `i(V1)` as signals. */
const signalOf = (written: string): string =>
  written.replace(/^([vi])\((.*)\)$/, (_, q: string, n: string) => `${n}.${q}`);

function interpolated(times: readonly number[], values: readonly number[], t: number): number {
  let [low, high] = [0, times.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle;
  }
  const width = times[high] - times[low];
  return width === 0 ? values[high] : values[low] + ((values[high] - values[low]) * (t - times[low])) / width;
}

/**
 * Mean difference over the run by the range of the signal: an edge that falls between two rows of either is
 * no difference of the circuit.
 */
function difference(
  ours: ReadonlyMap<string, Float64Array>,
  theirs: ReadonlyMap<string, number[]>,
  written: string,
): number {
  const [t, values] = [ours.get('t'), ours.get(signalOf(written))];
  const [times, others] = [theirs.get('time'), theirs.get(written.toLowerCase())];
  if (t === undefined || values === undefined || times === undefined || others === undefined)
    throw new Error(
      `${written} is not there: ${[...ours.keys()].join(' ')} / ${[...theirs.keys()].join(' ')}`,
    );
  const range = Math.max(...others) - Math.min(...others);
  let sum = 0;
  let count = 0;
  // Behind the start, where sources of the other begin with their first step.
  for (let k = Math.ceil(t.length / 100); k < t.length; k++) {
    sum += Math.abs(values[k] - interpolated(times, others, t[k]));
    count++;
  }
  return sum / count / (range === 0 ? Math.max(1e-12, Math.abs(others[0])) : range);
}

const worst = (netlist: PeerNetlist, ours: ReadonlyMap<string, Float64Array>, n: number): number => {
  const theirs = runNgspice(netlist.text(n));
  return Math.max(...netlist.signals.map((written) => difference(ours, theirs, written)));
};

afterAll(() => console.log(table.join('\n')));

describe.skipIf(missing !== null)('imported netlists', () => {
  it.each(part(peerNetlists, 14).map((netlist) => [netlist.name, netlist] as const))(
    '%s as in ngspice',
    (name, netlist) => {
      const ours = runModel(modelOf(netlist.text(1), netlist.bySteps));
      if (!netlist.hasDiodes) {
        const found = worst(netlist, ours, 1);
        table.push(`${name}: ${found.toExponential(1)}`);
        expect(found).toBeLessThan(netlist.within);
        return;
      }
      // Diodes of ngspice come nearer to ideal ones as n falls, and so do its results.
      const [blunt, sharp] = [0.08, 0.04].map((n) => worst(netlist, ours, n));
      table.push(
        `${name}: ${blunt.toExponential(2)} ${sharp.toExponential(2)} ${(blunt / sharp).toFixed(2)}`,
      );
      expect(sharp).toBeLessThan(netlist.within);
      expect(blunt / sharp).toBeGreaterThan(1.7);
      expect(blunt / sharp).toBeLessThan(2.3);
    },
  );
});

describe.skipIf(missing !== null)('exported netlists', () => {
  it.each(part(peerNetlists, 10).map((netlist) => [netlist.name, netlist] as const))(
    '%s in ngspice as imported',
    (_name, netlist) => {
      const model = modelOf(netlist.text(1), netlist.bySteps);
      const ours = runModel(model);
      const exported = exportNetlist(model);
      if (!exported.ok) throw new Error(exported.message);
      const theirs = runNgspice(exported.text);
      for (const written of netlist.signals)
        expect(difference(ours, theirs, written)).toBeLessThan(netlist.hasDiodes ? 2e-2 : netlist.within * 2);
    },
  );
});

/** Points of a record, and a lamp whose current grows less and less. */
const RECORD = { id: 'record', t: [0, 1e-3, 1.5e-3, 2.5e-3, 3e-3, 5e-3], y: [0, 6, 6, -4, 2, 0] };
const LAMP = { voltages: [-3, -1, 1, 3], currents: [-0.014, -0.01, 0.01, 0.014] };

const circuit = (parts: readonly Part[], h: number, tEnd: number): ModelDocument => {
  const { simulation, ...document } = drawn(parts, { h, tEnd });
  return { ...document, tables: [RECORD], simulation: { ...simulation, scheme: 'event-driven' } };
};

/** What only drawings have: tables, cores that saturate, curves by pieces, thyristors. */
const DRAWN: readonly [name: string, document: ModelDocument, signals: string, within: number][] = [
  [
    'a table',
    circuit(
      [
        ['V1', 'TableVoltage', ['a', '0'], { table: 'record' }],
        ['R1', 'Resistor', ['a', 'b'], { resistance: 1000 }],
        ['C1', 'Capacitor', ['b', '0'], { capacitance: 1e-7 }],
      ],
      1e-6,
      5e-3,
    ),
    'v(a) v(b) i(V1)',
    1e-5,
  ],
  [
    'a table that drives a rectifier',
    circuit(
      [
        ['V1', 'TableVoltage', ['a', '0'], { table: 'record' }],
        ['D1', 'Diode', ['a', 'b']],
        ['R1', 'Resistor', ['b', '0'], { resistance: 1000 }],
        ['C1', 'Capacitor', ['b', '0'], { capacitance: 1e-6 }],
      ],
      1e-6,
      5e-3,
    ),
    'v(b)',
    3e-3,
  ],
  [
    'a lamp',
    circuit(
      [
        ['V1', 'SineVoltage', ['a', '0'], { amplitude: 5, frequency: 500 }],
        ['L1', 'Inductor', ['a', 'b'], { inductance: 0.05 }],
        ['X1', 'PiecewiseResistor', ['b', '0'], LAMP],
      ],
      1e-6,
      5e-3,
    ),
    'v(b) i(L1)',
    1e-5,
  ],
  ['Chua’s circuit', until('chua-circuit-drawn', 8), 'v(n1) v(n2) i(L1)', 1e-3],
  ['a transformer', until('transformer-inrush', 0.1), 'v(winding) i(V1)', 1e-3],
  ['phase control', until('phase-control', 0.04, { w: 1e-3 }), 'v(load) i(L1)', 5e-3],
  ['a thyristor bridge', until('thyristor-bridge', 0.04), 'v(plus) v(minus) i(L1)', 2e-2],
];

/** @param values of parameters: pulses that steps of ngspice do not pass over */
function until(name: string, tEnd: number, values: Readonly<Record<string, number>> = {}): ModelDocument {
  const document = example(name);
  const parameters = document.parameters.map((one) => ({ ...one, value: values[one.name] ?? one.value }));
  return {
    ...document,
    parameters,
    simulation: { ...document.simulation, scheme: 'event-driven', tEnd },
  };
}

describe.skipIf(missing !== null)('drawn circuits', () => {
  it.each(DRAWN)('%s in ngspice as here', (name, document, signals, within) => {
    const exported = exportNetlist(document);
    if (!exported.ok) throw new Error(exported.message);
    const [ours, theirs] = [runModel(document), runNgspice(exported.text)];
    for (const written of signals.split(' ')) {
      const found = difference(ours, theirs, written);
      table.push(`${name}, ${written}: ${found.toExponential(1)}`);
      expect(found, written).toBeLessThan(within);
    }
  });
});

it.runIf(missing !== null)(`skipped: ${missing ?? ''}`, () => {
  expect(missing).not.toBeNull();
});
