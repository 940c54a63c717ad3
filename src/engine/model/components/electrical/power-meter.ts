/** Power meter: a wire whose current and a pair of pins whose voltage are recorded, with their product. */
import type { Circuit } from '../circuit';
import { type ComponentDefinition, electrical } from '../component';

export const definition: ComponentDefinition = {
  category: 'component',
  type: 'PowerMeter',
  title: 'Power meter',
  summary: 'Records a current, a voltage and their product.',
  family: 'Meters',
  pins: [
    electrical('a', 'Where the current enters', -40, 0),
    electrical('b', 'Where it leaves', 40, 0),
    electrical('p', 'Plus of the voltage', 0, -40),
    electrical('n', 'Minus of the voltage', 0, 40),
  ],
  symbol: {
    width: 40,
    height: 40,
    lines: ['M-40 0H-18M18 0H40M0 -40V-18M0 18V40M-18 0a18 18 0 1 0 36 0a18 18 0 1 0 -36 0'],
    texts: [{ x: 0, y: 0, text: 'W' }],
  },
  quantities: [
    { name: 'v', unit: 'V', description: 'Voltage' },
    { name: 'i', unit: 'A', description: 'Current' },
    { name: 'p', unit: 'W', description: 'Power' },
  ],
  words: ['watt', 'wattmeter', 'efficiency', 'loss', 'sensor', 'Leistung'],
  equations: ['p = v\\, i'],
  fields: [],
  source: 'Chua, Desoer and Kuh 1987, §1',
};

export function stamp(_fields: unknown, circuit: Circuit): void {
  const voltage = [{ branch: circuit.open(circuit.pin('p'), circuit.pin('n')), of: 'v', factor: 1 } as const];
  const current = [{ branch: circuit.wire(circuit.pin('a'), circuit.pin('b')), of: 'i', factor: 1 } as const];
  circuit.record('v', voltage);
  circuit.record('i', current);
  circuit.recordPower('p', voltage, current);
}
