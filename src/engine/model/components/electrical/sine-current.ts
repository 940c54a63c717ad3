/** Sine current. */
import type { FieldReader } from '../../field-reader';
import type { Circuit } from '../circuit';
import { type ComponentDefinition, recordBranch, TWO_POLE, twoPole, type Waveforms } from '../component';
import { sineFields, sineOf } from './waveforms';

export const definition: ComponentDefinition = {
  category: 'component',
  type: 'SineCurrent',
  title: 'Sine current',
  summary: 'A source of alternating current.',
  family: 'Sources',
  pins: twoPole('p', 'n', ['Where the current enters', 'Where it leaves']),
  symbol: {
    width: 40,
    height: 18,
    lines: ['M-40 0H-18M18 0H40M-18 0a18 18 0 1 0 36 0a18 18 0 1 0 -36 0M-10 0q5 -12 10 0t10 0'],
  },
  quantities: TWO_POLE,
  words: ['I', 'AC', 'sine', 'sinusoidal', 'alternating', 'Wechselstrom'],
  equations: ['i = A_0 + A \\sin(2\\pi f t + \\varphi)'],
  fields: sineFields('A'),
  source: 'Chua, Desoer and Kuh 1987, §2',
};

/** Of time. */
export const waveforms: Waveforms = { value: sineOf };

export function stamp(_fields: FieldReader, circuit: Circuit): void {
  recordBranch(circuit, circuit.current(circuit.pin('p'), circuit.pin('n'), 'value'));
}
