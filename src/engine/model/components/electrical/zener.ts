/** Zener diode: conducts forwards, and backwards beyond its breakdown voltage. */
import type { FieldReader } from '../../field-reader';
import type { Circuit } from '../circuit';
import {
  type ComponentDefinition,
  forwardVoltage,
  inSeries,
  onResistance,
  recordTwoPole,
  TWO_POLE,
  twoPole,
} from '../component';

export const definition: ComponentDefinition = {
  category: 'component',
  type: 'Zener',
  title: 'Zener diode',
  summary: 'Conducts forwards like a diode, and backwards where the reverse voltage reaches the breakdown.',
  family: 'Semiconductors',
  pins: twoPole('a', 'k', ['Anode', 'Cathode']),
  symbol: {
    width: 40,
    height: 14,
    lines: ['M-40 0H40M16 -14L10 -11V11L4 14'],
    areas: ['M-10 -11L10 0L-10 11Z'],
  },
  quantities: TWO_POLE,
  words: ['D', 'breakdown', 'clamp', 'suppressor', 'TVS', 'varistor', 'Z-Diode'],
  equations: ['-V_Z \\le v - R_{on} i \\le V_f, \\quad i \\in N_{[-V_Z, V_f]}(v - R_{on} i)'],
  fields: [
    {
      key: 'breakdown',
      kind: 'number',
      min: 0,
      exclusiveMin: true,
      label: 'Breakdown voltage',
      symbol: 'V_Z',
      unit: 'V',
      required: true,
      initial: 5.1,
      help: 'Reverse voltage at which it conducts backwards.',
    },
    forwardVoltage,
    onResistance,
  ],
  source: 'Acary, Bonnefon and Brogliato 2011, §2',
};

export function stamp(fields: FieldReader, circuit: Circuit): void {
  const [a, k] = [circuit.pin('a'), circuit.pin('k')];
  const junction = circuit.characteristic(inSeries(circuit, a, { R: fields.number('onResistance') }), k, {
    points: [
      [-fields.number('breakdown'), 0],
      [fields.number('forwardVoltage'), 0],
    ],
    start: [0, 1],
    end: [0, 1],
  });
  recordTwoPole(circuit, circuit.open(a, k), junction);
}
