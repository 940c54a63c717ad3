/** Thyristor: a diode that its gate lets conduct, until its current ends. */
import type { FieldReader } from '../../field-reader';
import type { Circuit } from '../circuit';
import {
  type ComponentDefinition,
  electrical,
  forwardVoltage,
  gateField,
  gateOf,
  inSeries,
  onResistance,
  recordTwoPole,
  signalIn,
  startField,
  TWO_POLE,
} from '../component';

export const definition: ComponentDefinition = {
  category: 'component',
  type: 'Thyristor',
  title: 'Thyristor',
  summary:
    'Blocks both ways until its gate is on while its voltage is forward; then it conducts as a diode until its current ends, whatever its gate is.',
  family: 'Semiconductors',
  pins: [
    electrical('a', 'Anode', -40, 0),
    electrical('k', 'Cathode', 40, 0),
    signalIn('gate', 'Gate', 20, 20, 'isFree'),
  ],
  symbol: {
    width: 40,
    height: 16,
    lines: ['M-40 0H40M10 -11V11M10 0L20 12V20'],
    areas: ['M-10 -11L10 0L-10 11Z'],
  },
  quantities: TWO_POLE,
  words: [
    'T',
    'SCR',
    'triac',
    'phase control',
    'firing angle',
    'Thyristor',
    'Stromrichter',
    'line commutated',
  ],
  equations: [
    '0 \\le i \\perp V_f + R_{on} i - v \\ge 0 \\;\\text{(conducting)}, \\quad i = 0 \\;\\text{(blocking)}',
    'g > 0 \\Rightarrow \\text{conducting}, \\quad g < 0 \\;\\text{and}\\; i = 0 \\Rightarrow \\text{blocking}',
  ],
  fields: [
    gateField(
      'What fires it: an expression of the time t, parameters and signals, positive or a comparison that holds, such as "t mod T < D*T". Once it conducts the gate means nothing until its current has ended. A signal at its gate takes its place.',
    ),
    onResistance,
    forwardVoltage,
    startField('while its gate is off'),
  ],
  source: 'Acary, Bonnefon and Brogliato 2011, §2',
};

export function stamp(fields: FieldReader, circuit: Circuit): void {
  const [a, k] = [circuit.pin('a'), circuit.pin('k')];
  const R = fields.number('onResistance');
  const V = fields.number('forwardVoltage');
  const junction = circuit.thyristor(
    inSeries(circuit, a, { R, V }),
    k,
    gateOf(fields, circuit),
    fields.choice('start') === 'on',
  );
  recordTwoPole(circuit, circuit.open(a, k), junction);
}
