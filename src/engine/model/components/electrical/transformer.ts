/** Ideal transformer. */
import type { FieldReader } from '../../field-reader';
import type { Circuit } from '../circuit';
import { type ComponentDefinition, electrical } from '../component';

export const definition: ComponentDefinition = {
  category: 'component',
  type: 'IdealTransformer',
  title: 'Ideal transformer',
  summary: 'Transforms voltage and current by the ratio of turns, without leakage and magnetising current.',
  family: 'Circuit',
  pins: [
    electrical('a1', 'Primary, dotted end', -20, -20),
    electrical('b1', 'Primary', -20, 20),
    electrical('a2', 'Secondary, dotted end', 20, -20),
    electrical('b2', 'Secondary', 20, 20),
  ],
  symbol: {
    width: 20,
    height: 24,
    lines: [
      'M-20 -20H-8a6 6 0 0 1 0 13a6 6 0 0 1 0 14a6 6 0 0 1 0 13H-20M20 -20H8a6 6 0 0 0 0 13a6 6 0 0 0 0 14a6 6 0 0 0 0 13H20M-1 -18V18M1 -18V18',
    ],
  },
  quantities: [
    { name: 'v1', unit: 'V', description: 'Primary voltage' },
    { name: 'i1', unit: 'A', description: 'Primary current' },
    { name: 'v2', unit: 'V', description: 'Secondary voltage' },
    { name: 'i2', unit: 'A', description: 'Secondary current, into the dotted end' },
  ],
  words: ['T', 'turns', 'ratio', 'isolation', 'winding', 'Transformator', 'Übertrager'],
  equations: ['v_1 = n\\, v_2', 'i_2 = -n\\, i_1'],
  fields: [
    {
      key: 'ratio',
      kind: 'number',
      label: 'Ratio',
      symbol: 'n',
      unit: '',
      required: true,
      initial: 1,
      help: 'Turns of the primary for one of the secondary.',
    },
  ],
  source: 'Chua, Desoer and Kuh 1987, §3',
};

export function stamp(fields: FieldReader, circuit: Circuit): void {
  const ratio = 1 / fields.number('ratio');
  const branches = circuit.transformer(
    [circuit.pin('a1'), circuit.pin('b1')],
    [{ a: circuit.pin('a2'), b: circuit.pin('b2'), ratio }],
  );
  branches.forEach((branch, k) => {
    circuit.record(`v${k + 1}`, [{ branch, of: 'v', factor: 1 }]);
    circuit.record(`i${k + 1}`, [{ branch, of: 'i', factor: 1 }]);
  });
}
