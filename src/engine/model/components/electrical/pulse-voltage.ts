/** Pulse voltage. */
import type { FieldReader } from '../../field-reader';
import type { Circuit } from '../circuit';
import { type ComponentDefinition, recordBranch, TWO_POLE, twoPole, type Waveforms } from '../component';
import { pulseFields, pulseOf } from './waveforms';

export const definition: ComponentDefinition = {
  category: 'component',
  type: 'PulseVoltage',
  title: 'Pulse voltage',
  summary: 'A source of rectangular or trapezoidal pulses of voltage.',
  family: 'Sources',
  pins: twoPole('p', 'n', ['Plus', 'Minus']),
  symbol: {
    width: 40,
    height: 18,
    lines: ['M-40 0H-18M18 0H40M-18 0a18 18 0 1 0 36 0a18 18 0 1 0 -36 0M-12 6H-6V-6H6V6H12'],
  },
  quantities: TWO_POLE,
  words: ['V', 'square', 'rectangle', 'PWM', 'clock', 'trapezoid', 'Puls', 'Rechteck'],
  equations: ['v = A_1 \\dots A_2'],
  fields: pulseFields('V'),
  source: 'Chua, Desoer and Kuh 1987, §2',
};

/** Of time. */
export const waveforms: Waveforms = { value: pulseOf };

export function stamp(_fields: FieldReader, circuit: Circuit): void {
  recordBranch(circuit, circuit.voltage(circuit.pin('p'), circuit.pin('n'), 'value'));
}
