/** Current-controlled current source. */
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
  type: 'CurrentControlledCurrent',
  title: 'Current-controlled current source',
  summary: 'Its current is in proportion to another current.',
  family: 'Sources',
  pins: CONTROLLED_PINS,
  symbol: controlledSymbol('F'),
  quantities: TWO_POLE,
  words: ['F', 'CCCS', 'current mirror', 'gain', 'transistor'],
  equations: ['i = \\beta\\, i_c'],
  fields: [
    {
      key: 'gain',
      kind: 'number',
      label: 'Gain',
      symbol: '\\beta',
      unit: '',
      required: true,
      initial: 1,
      help: 'Current for one ampere of what controls it.',
    },
  ],
  source: 'Chua, Desoer and Kuh 1987, §4',
};

export function stamp(fields: FieldReader, circuit: Circuit): void {
  const control = circuit.wire(circuit.pin('cp'), circuit.pin('cn'));
  const terms = [{ branch: control, of: 'i', factor: fields.number('gain') } as const];
  recordBranch(circuit, circuit.controlledCurrent(circuit.pin('p'), circuit.pin('n'), terms));
}
