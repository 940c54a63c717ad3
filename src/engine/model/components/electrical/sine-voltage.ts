/** Sine voltage. */
import type { FieldReader } from '../../field-reader';
import type { Circuit } from '../circuit';
import { type ComponentDefinition, recordBranch, TWO_POLE, twoPole, type Waveforms } from '../component';
import { sineFields, sineOf } from './waveforms';

export const definition: ComponentDefinition = {
  category: 'component',
  type: 'SineVoltage',
  title: 'Sine voltage',
  summary: 'A source of alternating voltage.',
  family: 'Sources',
  pins: twoPole('p', 'n', ['Plus', 'Minus']),
  symbol: {
    width: 40,
    height: 18,
    lines: ['M-40 0H-18M18 0H40M-18 0a18 18 0 1 0 36 0a18 18 0 1 0 -36 0M-10 0q5 -12 10 0t10 0'],
  },
  quantities: TWO_POLE,
  words: ['V', 'AC', 'sine', 'sinusoidal', 'alternating', 'mains', 'grid', 'Wechselspannung'],
  equations: ['v = A_0 + A \\sin(2\\pi f t + \\varphi)'],
  fields: sineFields('V'),
  source: 'Chua, Desoer and Kuh 1987, §2',
};

/** Of time. */
export const waveforms: Waveforms = { value: sineOf };

export function stamp(_fields: FieldReader, circuit: Circuit): void {
  recordBranch(circuit, circuit.voltage(circuit.pin('p'), circuit.pin('n'), 'value'));
}
