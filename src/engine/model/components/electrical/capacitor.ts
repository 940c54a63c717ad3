/** Capacitor. */
import type { FieldReader } from '../../field-reader';
import type { Circuit } from '../circuit';
import { type ComponentDefinition, recordBranch, STORAGE, twoPole } from '../component';

export const definition: ComponentDefinition = {
  category: 'component',
  type: 'Capacitor',
  title: 'Capacitor',
  summary: 'A linear capacitor; its voltage is a state.',
  family: 'Circuit',
  pins: twoPole(),
  symbol: { width: 40, height: 16, lines: ['M-40 0H-5M-5 -16V16M5 -16V16M5 0H40'] },
  quantities: STORAGE,
  words: ['C', 'condenser', 'farad', 'filter', 'Kondensator', 'condensateur'],
  equations: ['C\\, \\dot v = i', 'v(t_0) = v_0'],
  fields: [
    {
      key: 'capacitance',
      kind: 'number',
      min: 0,
      exclusiveMin: true,
      label: 'Capacitance',
      symbol: 'C',
      unit: 'F',
      required: true,
      initial: 1e-6,
      help: 'Of the capacitor.',
    },
    {
      key: 'v0',
      kind: 'number',
      label: 'Initial voltage',
      symbol: 'v_0',
      unit: 'V',
      required: false,
      default: 0,
      help: 'From the first end to the second, at the start of the run.',
    },
  ],
  source: 'Chua, Desoer and Kuh 1987, §6',
};

export function stamp(fields: FieldReader, circuit: Circuit): void {
  const { capacitance, v0 } = { capacitance: fields.number('capacitance'), v0: fields.number('v0') };
  recordBranch(circuit, circuit.capacitor(circuit.pin('a'), circuit.pin('b'), capacitance, v0));
}
