/** Comparator: one of two voltages by the sign of its input. */
import type { FieldReader } from '../../field-reader';
import type { Circuit } from '../circuit';
import { type ComponentDefinition, electrical } from '../component';

export const definition: ComponentDefinition = {
  category: 'component',
  type: 'Comparator',
  title: 'Comparator',
  summary: 'Its output is high while the plus input is above the minus input, else low.',
  family: 'Circuit',
  pins: [
    electrical('p', 'Plus input', -40, 20),
    electrical('n', 'Minus input', -40, -20),
    electrical('out', 'Output', 40, 0),
  ],
  symbol: {
    width: 40,
    height: 34,
    lines: ['M-40 20H-28M-40 -20H-28M28 0H40M-28 -34V34L28 0ZM-24 -20H-16M-24 20H-16M-20 16V24M-8 5H-2V-5H4'],
  },
  quantities: [
    { name: 'v', unit: 'V', description: 'Output voltage' },
    { name: 'i', unit: 'A', description: 'Output current' },
  ],
  words: ['threshold', 'Schmitt', 'zero crossing', 'detector', 'Komparator'],
  equations: ['v = v_u \\;\\text{if}\\; v_+ > v_-, \\quad v = v_l \\;\\text{if}\\; v_+ < v_-'],
  fields: [
    {
      key: 'lower',
      kind: 'number',
      label: 'Low output',
      symbol: 'v_l',
      unit: 'V',
      required: false,
      default: 0,
      help: 'While the plus input is below the minus input.',
    },
    {
      key: 'upper',
      kind: 'number',
      label: 'High output',
      symbol: 'v_u',
      unit: 'V',
      required: true,
      initial: 5,
      help: 'While the plus input is above the minus input.',
    },
  ],
  source: 'Acary, Bonnefon and Brogliato 2011, §2',
};

export function stamp(fields: FieldReader, circuit: Circuit): void {
  const input = [{ branch: circuit.open(circuit.pin('p'), circuit.pin('n')), of: 'v', factor: 1 } as const];
  const [lower, upper] = [fields.number('lower'), fields.number('upper')];
  if (lower > upper)
    fields.reject('upper', 'limits-crossed', 'The high output is below the low one.', 'Exchange them.');
  const branch = circuit.relay(circuit.pin('out'), circuit.ground, input, lower, upper);
  circuit.record('v', [{ branch, of: 'v', factor: 1 }]);
  circuit.record('i', [{ branch, of: 'i', factor: -1 }]);
}
