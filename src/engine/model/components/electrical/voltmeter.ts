/** Voltmeter: takes no current, and gives its voltage. */
import type { Circuit } from '../circuit';
import { type ComponentDefinition, signalOut, twoPole } from '../component';

export const definition: ComponentDefinition = {
  category: 'component',
  type: 'Voltmeter',
  title: 'Voltmeter',
  summary: 'Takes no current. Its voltage is recorded, and is a signal for control.',
  family: 'Meters',
  pins: [...twoPole('p', 'n', ['Plus', 'Minus']), signalOut('out', 'Signal', 0, 20)],
  symbol: {
    width: 40,
    height: 18,
    lines: ['M-40 0H-18M18 0H40M-18 0a18 18 0 1 0 36 0a18 18 0 1 0 -36 0'],
    texts: [{ x: 0, y: 0, text: 'V' }],
  },
  quantities: [{ name: 'v', unit: 'V', description: 'Voltage' }],
  words: ['voltage', 'meter', 'sensor', 'probe', 'measure', 'scope', 'Spannungsmesser', 'Voltmeter'],
  equations: ['i = 0'],
  fields: [],
  source: 'Chua, Desoer and Kuh 1987, §1',
};

export function stamp(_fields: unknown, circuit: Circuit): void {
  const branch = circuit.open(circuit.pin('p'), circuit.pin('n'));
  const voltage = [{ branch, of: 'v', factor: 1 } as const];
  circuit.record('v', voltage);
  if (circuit.isWired('out')) circuit.output('out', voltage);
}
