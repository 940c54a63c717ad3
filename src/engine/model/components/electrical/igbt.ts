/** Transistor that conducts one way while it is on, with a diode against it. */
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
  type: 'Igbt',
  title: 'IGBT',
  summary:
    'Conducts from collector to emitter while its gate is on, with a threshold and a resistance; its diode conducts the other way at all times.',
  family: 'Semiconductors',
  pins: [
    electrical('c', 'Collector', 0, -40),
    electrical('e', 'Emitter', 0, 40),
    signalIn('gate', 'Gate', -40, 0, 'isFree'),
  ],
  symbol: {
    width: 26,
    height: 40,
    lines: ['M0 -40V-22L-12 -12M-12 12L0 22V40M-12 -18V18M-18 -12V12M-40 0H-18M0 -22H14V22H0M8 -5H20'],
    areas: ['M8 5H20L14 -5Z'],
  },
  quantities: [
    { name: 'v', unit: 'V', description: 'Voltage from collector to emitter' },
    { name: 'i', unit: 'A', description: 'Current into the collector' },
    POWER,
  ],
  words: ['Q', 'transistor', 'inverter', 'bipolar', 'BJT', 'switch', 'freewheeling diode', 'Wechselrichter'],
  equations: [
    '0 \\le i_c \\perp V_{ce0} + R_{on} i_c - v \\ge 0 \\;\\text{(on)}, \\quad i_c = 0 \\;\\text{(off)}',
    '0 \\le i_d \\perp v + V_f \\ge 0, \\quad i = i_c - i_d',
  ],
  fields: [
    gateField(GATE_HELP),
    {
      key: 'threshold',
      kind: 'number',
      min: 0,
      label: 'Threshold voltage',
      symbol: 'V_{ce0}',
      unit: 'V',
      required: false,
      default: 0,
      help: 'Drop from collector to emitter while it is on, beside that of its on-resistance; 0 is ideal.',
    },
    onResistance,
    forwardVoltage,
  ],
  source: 'Acary, Bonnefon and Brogliato 2011, §2',
};

export function stamp(fields: FieldReader, circuit: Circuit): void {
  const [c, e] = [circuit.pin('c'), circuit.pin('e')];
  const gate = gateOf(fields, circuit);
  const [V0, R, Vf] = ['threshold', 'onResistance', 'forwardVoltage'].map((key) => fields.number(key));
  // Two ideal diodes against each other are a wire, which is a switch.
  const isWire = V0 === 0 && R === 0 && Vf === 0;
  // The diode against it comes first: what is beside it has its current as multiplier, and blocks by that.
  const diode = circuit.diode(
    inSeries(circuit, e, { V: Vf }),
    c,
    isWire ? { gate, isInverse: true } : undefined,
  );
  const from = inSeries(circuit, c, { V: V0, R });
  const channel = isWire ? circuit.switch(from, e, gate) : circuit.diode(from, e, { gate, isInverse: false });
  const voltage = [{ branch: circuit.open(c, e), of: 'v', factor: 1 } as const];
  const current = [
    { branch: channel, of: 'i', factor: 1 } as const,
    { branch: diode, of: 'i', factor: -1 } as const,
  ];
  circuit.record('v', voltage);
  circuit.record('i', current);
  circuit.recordPower('p', voltage, current);
}
