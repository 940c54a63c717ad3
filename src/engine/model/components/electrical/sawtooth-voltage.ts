/** Sawtooth voltage. */
import type { FieldReader } from '../../field-reader';
import type { Circuit } from '../circuit';
import { type ComponentDefinition, recordBranch, TWO_POLE, twoPole, type Waveforms } from '../component';
import { sawtoothOf } from './waveforms';

export const definition: ComponentDefinition = {
  category: 'component',
  type: 'SawtoothVoltage',
  title: 'Sawtooth voltage',
  summary: 'A source of voltage that rises and jumps back.',
  family: 'Sources',
  pins: twoPole('p', 'n', ['Plus', 'Minus']),
  symbol: {
    width: 40,
    height: 18,
    lines: ['M-40 0H-18M18 0H40M-18 0a18 18 0 1 0 36 0a18 18 0 1 0 -36 0M-12 6L0 -6V6L12 -6V6'],
  },
  quantities: TWO_POLE,
  words: ['V', 'ramp', 'saw', 'carrier', 'Sägezahn'],
  equations: ['v = A_1 + (A_2 - A_1)\\, ((t - t_d) \\bmod T)/T'],
  fields: [
    {
      key: 'low',
      kind: 'number',
      label: 'Low value',
      symbol: 'A_1',
      unit: 'V',
      required: false,
      default: 0,
      help: 'At the beginning of each tooth.',
    },
    {
      key: 'high',
      kind: 'number',
      label: 'High value',
      symbol: 'A_2',
      unit: 'V',
      required: true,
      initial: 1,
      help: 'At the end of each tooth.',
    },
    {
      key: 'period',
      kind: 'number',
      min: 0,
      exclusiveMin: true,
      label: 'Period',
      symbol: 'T',
      unit: 's',
      required: true,
      initial: 1e-3,
      help: 'From tooth to tooth.',
    },
    {
      key: 'delay',
      kind: 'number',
      label: 'Delay',
      symbol: 't_d',
      unit: 's',
      required: false,
      default: 0,
      help: 'Start of a tooth.',
    },
  ],
  source: 'Chua, Desoer and Kuh 1987, §2',
};

/** Of time. */
export const waveforms: Waveforms = { value: sawtoothOf };

export function stamp(_fields: FieldReader, circuit: Circuit): void {
  recordBranch(circuit, circuit.voltage(circuit.pin('p'), circuit.pin('n'), 'value'));
}
