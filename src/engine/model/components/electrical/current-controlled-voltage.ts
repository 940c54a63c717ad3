/** Current-controlled voltage source. */
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
  type: 'CurrentControlledVoltage',
  title: 'Current-controlled voltage source',
  summary: 'Its voltage is in proportion to a current.',
  family: 'Sources',
  pins: CONTROLLED_PINS,
  symbol: controlledSymbol('H'),
  quantities: TWO_POLE,
  words: ['H', 'CCVS', 'transresistance', 'current sensor'],
  equations: ['v = r_m\\, i_c'],
  fields: [
    {
      key: 'transresistance',
      kind: 'number',
      label: 'Transresistance',
      symbol: 'r_m',
      unit: 'Ω',
      required: true,
      initial: 1,
      help: 'Voltage for one ampere of what controls it.',
    },
  ],
  source: 'Chua, Desoer and Kuh 1987, §4',
};

export function stamp(fields: FieldReader, circuit: Circuit): void {
  const control = circuit.wire(circuit.pin('cp'), circuit.pin('cn'));
  const terms = [{ branch: control, of: 'i', factor: fields.number('transresistance') } as const];
  recordBranch(circuit, circuit.controlledVoltage(circuit.pin('p'), circuit.pin('n'), terms));
}
