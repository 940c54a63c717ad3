/** Node of zero potential. */
import type { Circuit } from '../circuit';
import { type ComponentDefinition, electrical } from '../component';

export const definition: ComponentDefinition = {
  category: 'component',
  type: 'Ground',
  title: 'Ground',
  summary: 'The node of zero potential, from which node voltages are measured. All grounds are one node.',
  family: 'Circuit',
  pins: [electrical('p', 'Node', 0, -20)],
  symbol: { width: 20, height: 20, lines: ['M0 -20V0M-14 0H14M-9 6H9M-4 12H4'] },
  quantities: [],
  words: ['earth', 'gnd', 'mass', 'zero', 'reference', '0 V', 'Masse', 'Erde'],
  equations: ['v = 0'],
  fields: [],
  source: 'Chua, Desoer and Kuh 1987, §1',
};

export function stamp(_fields: unknown, circuit: Circuit): void {
  circuit.earth(circuit.pin('p'));
}
