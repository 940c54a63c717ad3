/** Transistor that conducts both ways while it is on, with a diode against it. */
import type { FieldReader } from '../../field-reader';
import type { Circuit } from '../circuit';
import {
  type ComponentDefinition,
  electrical,
  forwardVoltage,
  GATE_HELP,
  gateField,
  gateOf,
  inSeries,
  onResistance,
  POWER,
  signalIn,
} from '../component';

export const definition: ComponentDefinition = {
  category: 'component',
  type: 'Mosfet',
  title: 'MOSFET',
  summary:
    'Conducts both ways while its gate is on; while it is off, its body diode conducts from source to drain.',
  family: 'Semiconductors',
  pins: [
    electrical('d', 'Drain', 0, -40),
    electrical('s', 'Source', 0, 40),
    signalIn('gate', 'Gate', -40, 0, 'isFree'),
  ],
  symbol: {
    width: 26,
    height: 40,
    lines: ['M0 -40V-12H-12M0 40V12H-12M-12 -18V18M-18 -12V12M-40 0H-18M0 -12H14V12H0M8 -5H20'],
    areas: ['M8 5H20L14 -5Z'],
  },
  quantities: [
    { name: 'v', unit: 'V', description: 'Voltage from drain to source' },
    { name: 'i', unit: 'A', description: 'Current into the drain' },
    POWER,
  ],
  words: ['M', 'Q', 'transistor', 'FET', 'switch', 'body diode', 'GaN', 'SiC', 'synchronous'],
  equations: ['v = R_{on} i \\;\\text{(on)}, \\quad 0 \\le -i \\perp v + V_f \\ge 0 \\;\\text{(off)}'],
  fields: [gateField(GATE_HELP), onResistance, forwardVoltage],
  source: 'Acary, Bonnefon and Brogliato 2011, §2',
};

export function stamp(fields: FieldReader, circuit: Circuit): void {
  const [d, s] = [circuit.pin('d'), circuit.pin('s')];
  const gate = gateOf(fields, circuit);
  const channel = circuit.switch(inSeries(circuit, d, { R: fields.number('onResistance') }), s, gate);
  const anode = inSeries(circuit, s, { V: fields.number('forwardVoltage') });
  const diode = circuit.diode(anode, d, { gate, isInverse: true });
  const voltage = [{ branch: circuit.open(d, s), of: 'v', factor: 1 } as const];
  const current = [
    { branch: channel, of: 'i', factor: 1 } as const,
    { branch: diode, of: 'i', factor: -1 } as const,
  ];
  circuit.record('v', voltage);
  circuit.record('i', current);
  circuit.recordPower('p', voltage, current);
}
