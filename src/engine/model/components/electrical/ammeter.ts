/** Ammeter: a wire that gives its current. */
import type { Circuit } from '../circuit';
import { type ComponentDefinition, signalOut, twoPole } from '../component';

export const definition: ComponentDefinition = {
  category: 'component',
  type: 'Ammeter',
  title: 'Ammeter',
  summary: 'A wire. Its current is recorded, and is a signal for control.',
  family: 'Meters',
  pins: [...twoPole(), signalOut('out', 'Signal', 0, 20)],
  symbol: {
    width: 40,
    height: 18,
    lines: ['M-40 0H-18M18 0H40M-18 0a18 18 0 1 0 36 0a18 18 0 1 0 -36 0'],
    texts: [{ x: 0, y: 0, text: 'A' }],
  },
  quantities: [{ name: 'i', unit: 'A', description: 'Current' }],
  words: ['current', 'meter', 'sensor', 'probe', 'measure', 'Strommesser', 'Amperemeter'],
  equations: ['v = 0'],
  fields: [],
  source: 'Chua, Desoer and Kuh 1987, §1',
};

export function stamp(_fields: unknown, circuit: Circuit): void {
  const branch = circuit.wire(circuit.pin('a'), circuit.pin('b'));
  const current = [{ branch, of: 'i', factor: 1 } as const];
  circuit.record('i', current);
  if (circuit.isWired('out')) circuit.output('out', current);
}
