/** Ideal switch with a gate. */
import type { FieldReader } from '../../field-reader';
import type { Circuit } from '../circuit';
import {
  type ComponentDefinition,
  GATE_HELP,
  gateField,
  gateOf,
  hysteresisField,
  hysteresisOf,
  inSeries,
  onResistance,
  recordTwoPole,
  signalIn,
  startField,
  TWO_POLE,
  twoPole,
} from '../component';

export const definition: ComponentDefinition = {
  category: 'component',
  type: 'Switch',
  title: 'Switch',
  summary: 'Ideal switch: a wire while its gate is on, nothing while it is off. Conducts both ways.',
  family: 'Semiconductors',
  pins: [...twoPole(), signalIn('gate', 'Gate', 0, 20, 'isFree')],
  symbol: {
    width: 40,
    height: 20,
    lines: ['M-40 0H-14M-14 0L12 -12M14 0H40M0 20V0'],
  },
  quantities: TWO_POLE,
  words: ['S', 'contact', 'relay', 'breaker', 'button', 'Schalter', 'interrupteur'],
  equations: ['v = R_{on} i \\;\\text{(on)}, \\quad i = 0 \\;\\text{(off)}'],
  fields: [gateField(GATE_HELP), onResistance, hysteresisField, startField('between the two thresholds')],
  source: 'Acary, Bonnefon and Brogliato 2011, §2',
};

export function stamp(fields: FieldReader, circuit: Circuit): void {
  const [a, b] = [circuit.pin('a'), circuit.pin('b')];
  const contact = circuit.switch(
    inSeries(circuit, a, { R: fields.number('onResistance') }),
    b,
    gateOf(fields, circuit),
    hysteresisOf(fields),
  );
  recordTwoPole(circuit, circuit.open(a, b), contact);
}
