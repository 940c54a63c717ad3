/** Resistor. */
import type { FieldReader } from '../../field-reader';
import type { Circuit } from '../circuit';
import { type ComponentDefinition, recordBranch, TWO_POLE, twoPole } from '../component';

export const definition: ComponentDefinition = {
  category: 'component',
  type: 'Resistor',
  title: 'Resistor',
  summary: 'A linear resistor.',
  family: 'Circuit',
  pins: twoPole(),
  symbol: { width: 40, height: 12, lines: ['M-40 0H-24l4-10 8 20 8-20 8 20 8-20 8 20 4-10H40'] },
  quantities: TWO_POLE,
  words: ['R', 'ohm', 'load', 'lamp', 'bulb', 'heater', 'Widerstand', 'résistance'],
  equations: ['v = R\\, i'],
  fields: [
    {
      key: 'resistance',
      kind: 'number',
      min: 0,
      label: 'Resistance',
      symbol: 'R',
      unit: 'Ω',
      required: true,
      initial: 1000,
      help: 'Zero is a wire.',
    },
  ],
  source: 'Chua, Desoer and Kuh 1987, §2',
};

export function stamp(fields: FieldReader, circuit: Circuit): void {
  recordBranch(circuit, circuit.resistor(circuit.pin('a'), circuit.pin('b'), fields.number('resistance')));
}
