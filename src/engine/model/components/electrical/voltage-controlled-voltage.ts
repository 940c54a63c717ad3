/** Voltage-controlled voltage source. */
import type { FieldReader } from '../../field-reader';
import type { Circuit } from '../circuit';
import {
  type ComponentDefinition,
  CONTROLLED_PINS,
  controlledSymbol,
  recordBranch,
  TWO_POLE,
} from '../component';

export const definition: ComponentDefinition = {
  category: 'component',
  type: 'VoltageControlledVoltage',
  title: 'Voltage-controlled voltage source',
  summary: 'Its voltage is in proportion to another voltage.',
  family: 'Sources',
  pins: CONTROLLED_PINS,
  symbol: controlledSymbol('E'),
  quantities: TWO_POLE,
  words: ['E', 'VCVS', 'amplifier', 'buffer', 'gain'],
  equations: ['v = \\mu\\, v_c'],
  fields: [
    {
      key: 'gain',
      kind: 'number',
      label: 'Gain',
      symbol: '\\mu',
      unit: '',
      required: true,
      initial: 1,
      help: 'Voltage for one volt of what controls it.',
    },
  ],
  source: 'Chua, Desoer and Kuh 1987, §4',
};

export function stamp(fields: FieldReader, circuit: Circuit): void {
  const control = circuit.open(circuit.pin('cp'), circuit.pin('cn'));
  const terms = [{ branch: control, of: 'v', factor: fields.number('gain') } as const];
  recordBranch(circuit, circuit.controlledVoltage(circuit.pin('p'), circuit.pin('n'), terms));
}
