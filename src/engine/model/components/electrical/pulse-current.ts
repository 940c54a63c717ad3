/** Pulse current. */
import type { FieldReader } from '../../field-reader';
import type { Circuit } from '../circuit';
import { type ComponentDefinition, recordBranch, TWO_POLE, twoPole, type Waveforms } from '../component';
import { pulseOf } from './waveforms';

export const definition: ComponentDefinition = {
  category: 'component',
  type: 'PulseCurrent',
  title: 'Pulse current',
  summary: 'A source of rectangular or trapezoidal pulses of current.',
  family: 'Sources',
  pins: twoPole('p', 'n', ['Where the current enters', 'Where it leaves']),
  symbol: {
    width: 40,
    height: 18,
    lines: ['M-40 0H-18M18 0H40M-18 0a18 18 0 1 0 36 0a18 18 0 1 0 -36 0M-12 6H-6V-6H6V6H12'],
  },
  quantities: TWO_POLE,
  words: ['I', 'square', 'rectangle', 'Puls', 'Rechteck'],
  equations: ['i = A_1 \\dots A_2'],
  fields: [
    {
      key: 'low',
      kind: 'number',
      label: 'Low value',
      symbol: 'A_1',
      unit: 'A',
      required: false,
      default: 0,
      help: 'Before each pulse.',
    },
    {
      key: 'high',
      kind: 'number',
      label: 'High value',
      symbol: 'A_2',
      unit: 'A',
      required: true,
      initial: 10,
      help: 'During each pulse.',
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
      help: 'From pulse to pulse.',
    },
    {
      key: 'width',
      kind: 'number',
      min: 0,
      label: 'Width',
      symbol: 't_w',
      unit: 's',
      required: true,
      initial: 5e-4,
      help: 'Of the high part.',
    },
    {
      key: 'delay',
      kind: 'number',
      label: 'Delay',
      symbol: 't_d',
      unit: 's',
      required: false,
      default: 0,
      help: 'Start of the first pulse.',
    },
    {
      key: 'rise',
      kind: 'number',
      min: 0,
      label: 'Rise time',
      symbol: 't_r',
      unit: 's',
      required: false,
      default: 0,
      help: 'From low to high; 0 is a jump.',
    },
    {
      key: 'fall',
      kind: 'number',
      min: 0,
      label: 'Fall time',
      symbol: 't_f',
      unit: 's',
      required: false,
      default: 0,
      help: 'From high to low; 0 is a jump.',
    },
  ],
  source: 'Chua, Desoer and Kuh 1987, §2',
};

/** Of time. */
export const waveforms: Waveforms = { value: pulseOf };

export function stamp(_fields: FieldReader, circuit: Circuit): void {
  recordBranch(circuit, circuit.current(circuit.pin('p'), circuit.pin('n'), 'value'));
}
