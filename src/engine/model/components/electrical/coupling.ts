/** Mutual inductance of inductors: windings on one core. */
import type { FieldReader } from '../../field-reader';
import type { Circuit } from '../circuit';
import type { ComponentDefinition } from '../component';

export const definition: ComponentDefinition = {
  category: 'component',
  type: 'Coupling',
  title: 'Coupled inductors',
  summary:
    'Makes inductors the windings of one core: each pair of them has the mutual inductance of the coupling.',
  family: 'Circuit',
  pins: [],
  symbol: { width: 20, height: 24, lines: ['M-14 -6H14M-14 0H14'], texts: [{ x: 0, y: 12, text: 'K' }] },
  quantities: [],
  words: ['K', 'mutual', 'transformer', 'flyback', 'core', 'windings', 'Kopplung', 'Trafo'],
  equations: ['M_{jk} = k \\sqrt{L_j L_k}'],
  fields: [
    {
      key: 'inductors',
      kind: 'components',
      of: 'Inductor',
      label: 'Inductors',
      symbol: 'L_j',
      unit: '',
      required: true,
      help: 'Ids of two or more inductors; the first end of each is where its dot is.',
    },
    {
      key: 'coupling',
      kind: 'number',
      min: -1,
      max: 1,
      label: 'Coupling',
      symbol: 'k',
      unit: '',
      required: true,
      initial: 0.99,
      help: 'Of each pair; 1 is a core without leakage.',
    },
  ],
  source: 'Chua, Desoer and Kuh 1987, §8',
};

export function stamp(fields: FieldReader, circuit: Circuit): void {
  circuit.couple(fields.components('inductors'), fields.number('coupling'));
}
