/** Current from a table. */
import type { FieldReader } from '../../field-reader';
import type { Circuit } from '../circuit';
import { type ComponentDefinition, recordBranch, TWO_POLE, twoPole, type Waveforms } from '../component';
import { tableFields, tableOf } from './waveforms';

export const definition: ComponentDefinition = {
  category: 'component',
  type: 'TableCurrent',
  title: 'Current from a table',
  summary: 'A source whose current follows data that have been imported into the document.',
  family: 'Sources',
  pins: twoPole('p', 'n', ['Where the current enters', 'Where it leaves']),
  symbol: {
    width: 40,
    height: 18,
    lines: ['M-40 0H-18M18 0H40M-18 0a18 18 0 1 0 36 0a18 18 0 1 0 -36 0M-12 6L-6 -4L0 2L5 -7L12 -1'],
  },
  quantities: TWO_POLE,
  words: ['I', 'table', 'data', 'CSV', 'PWL', 'measured', 'file', 'Tabelle', 'Messdaten'],
  equations: ['i = k\\,w(t)'],
  fields: tableFields('A'),
  source: 'Chua, Desoer and Kuh 1987, §2',
};

/** Of time. */
export const waveforms: Waveforms = { value: tableOf };

export function stamp(_fields: FieldReader, circuit: Circuit): void {
  recordBranch(circuit, circuit.current(circuit.pin('p'), circuit.pin('n'), 'value'));
}
