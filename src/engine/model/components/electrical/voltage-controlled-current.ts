/** Voltage-controlled current source. */
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
  type: 'VoltageControlledCurrent',
  title: 'Voltage-controlled current source',
  summary: 'Its current is in proportion to a voltage.',
  family: 'Sources',
  pins: CONTROLLED_PINS,
  symbol: controlledSymbol('G'),
  quantities: TWO_POLE,
  words: ['G', 'VCCS', 'transconductance', 'amplifier', 'OTA'],
  equations: ['i = g_m\\, v_c'],
  fields: [
    {
      key: 'transconductance',
      kind: 'number',
      label: 'Transconductance',
      symbol: 'g_m',
      unit: 'S',
      required: true,
      initial: 1,
      help: 'Current for one volt of what controls it.',
    },
  ],
  source: 'Chua, Desoer and Kuh 1987, §4',
};

export function stamp(fields: FieldReader, circuit: Circuit): void {
  const control = circuit.open(circuit.pin('cp'), circuit.pin('cn'));
  const terms = [{ branch: control, of: 'v', factor: fields.number('transconductance') } as const];
  recordBranch(circuit, circuit.controlledCurrent(circuit.pin('p'), circuit.pin('n'), terms));
}
