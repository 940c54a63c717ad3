/** Inductor. */
import type { FieldReader } from '../../field-reader';
import type { Circuit } from '../circuit';
import { type ComponentDefinition, recordBranch, STORAGE, twoPole } from '../component';

export const definition: ComponentDefinition = {
  category: 'component',
  type: 'Inductor',
  title: 'Inductor',
  summary: 'A linear inductor; its current is a state. A coupling joins several by mutual inductance.',
  family: 'Circuit',
  pins: twoPole(),
  symbol: { width: 40, height: 12, lines: ['M-40 0H-24a8 8 0 0 1 16 0a8 8 0 0 1 16 0a8 8 0 0 1 16 0H40'] },
  quantities: STORAGE,
  words: ['L', 'coil', 'choke', 'henry', 'winding', 'Spule', 'Drossel', 'bobine'],
  equations: ['L\\, \\dot i = v', 'i(t_0) = i_0'],
  fields: [
    {
      key: 'inductance',
      kind: 'number',
      min: 0,
      exclusiveMin: true,
      label: 'Inductance',
      symbol: 'L',
      unit: 'H',
      required: true,
      initial: 1e-3,
      help: 'Of the inductor.',
    },
    {
      key: 'i0',
      kind: 'number',
      label: 'Initial current',
      symbol: 'i_0',
      unit: 'A',
      required: false,
      default: 0,
      help: 'From the first end to the second, at the start of the run.',
    },
  ],
  source: 'Chua, Desoer and Kuh 1987, §6',
};

export function stamp(fields: FieldReader, circuit: Circuit): void {
  const { inductance, i0 } = { inductance: fields.number('inductance'), i0: fields.number('i0') };
  recordBranch(circuit, circuit.inductor(circuit.pin('a'), circuit.pin('b'), inductance, i0));
}
