/** Voltage from a table. */
import type { FieldReader } from '../../field-reader';
import type { Circuit } from '../circuit';
import { type ComponentDefinition, recordBranch, TWO_POLE, twoPole, type Waveforms } from '../component';
import { tableFields, tableOf } from './waveforms';

export const definition: ComponentDefinition = {
  category: 'component',
  type: 'TableVoltage',
  title: 'Voltage from a table',
  summary: 'A source whose voltage follows data that have been imported into the document.',
  family: 'Sources',
  pins: twoPole('p', 'n', ['Plus', 'Minus']),
  symbol: {
    width: 40,
    height: 18,
    lines: ['M-40 0H-18M18 0H40M-18 0a18 18 0 1 0 36 0a18 18 0 1 0 -36 0M-12 6L-6 -4L0 2L5 -7L12 -1'],
  },
  quantities: TWO_POLE,
  words: ['V', 'table', 'data', 'CSV', 'PWL', 'measured', 'file', 'Tabelle', 'Messdaten'],
  equations: ['v = k\\,w(t)'],
  fields: tableFields('V'),
  source: 'Chua, Desoer and Kuh 1987, §2',
};

/** Of time. */
export const waveforms: Waveforms = { value: tableOf };

export function stamp(_fields: FieldReader, circuit: Circuit): void {
  recordBranch(circuit, circuit.voltage(circuit.pin('p'), circuit.pin('n'), 'value'));
}
