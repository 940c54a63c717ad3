/** Ideal diode, with a forward voltage and a resistance in series. */
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
  type: 'Diode',
  title: 'Diode',
  summary:
    'Conducts one way: an ideal diode, with a forward voltage and an on-resistance where they are given.',
  family: 'Semiconductors',
  pins: twoPole('a', 'k', ['Anode', 'Cathode']),
  symbol: { width: 40, height: 12, lines: ['M-40 0H40M10 -11V11'], areas: ['M-10 -11L10 0L-10 11Z'] },
  quantities: TWO_POLE,
  words: ['D', 'rectifier', 'freewheel', 'LED', 'Schottky', 'check valve', 'Diode', 'Gleichrichter'],
  equations: ['0 \\le i \\perp V_f + R_{on} i - v \\ge 0'],
  fields: [forwardVoltage, onResistance],
  source: 'Acary, Bonnefon and Brogliato 2011, §1',
};

export function stamp(fields: FieldReader, circuit: Circuit): void {
  const [a, k] = [circuit.pin('a'), circuit.pin('k')];
  const R = fields.number('onResistance');
  const V = fields.number('forwardVoltage');
  const junction = circuit.diode(inSeries(circuit, a, { R, V }), k);
  recordTwoPole(circuit, circuit.open(a, k), junction);
}
