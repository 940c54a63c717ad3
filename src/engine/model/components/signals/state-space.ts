/** A linear system by its matrices. */
import type { FieldDefinition } from '../../definition';
import type { FieldReader } from '../../field-reader';
import type { Circuit, Term } from '../circuit';
import type { ComponentType } from '../component';
import { block, give, number, times } from './block';

const vector = (
  key: string,
  label: string,
  symbol: string,
  help: string,
  initial?: number,
): FieldDefinition => ({
  ...{ key, kind: 'vector', length: 'any', label, symbol, unit: '', help },
  ...{ required: initial !== undefined, ...(initial !== undefined && { initial }) },
});

export const stateSpace: ComponentType = {
  definition: block(
    {
      type: 'StateSpace',
      title: 'State space',
      summary:
        'A linear system with one input and one output by its matrices: a plant, a filter, an observer.',
      family: 'Control',
      words: ['A B C D', 'matrices', 'plant', 'LTI', 'state', 'observer', 'Zustandsraum', 'espace d’état'],
      equations: ['\\dot x = A x + B u, \\quad y = C x + D u'],
      fields: [
        {
          ...{ key: 'A', kind: 'matrix', rows: 'any', columns: 'any', label: 'State matrix', symbol: 'A' },
          ...{ unit: '', required: true, initial: -1, help: 'How the states drive each other: n rows of n.' },
        },
        vector('B', 'Input vector', 'B', 'How the input drives the states: n entries.', 1),
        vector('C', 'Output vector', 'C', 'How the states make the output: n entries.', 1),
        number('D', 'Feedthrough', 'D', 'Of the input to the output.', { default: 0 }),
        vector('x0', 'States at the start', 'x_0', 'n entries; zero where it is left out.'),
      ],
      source: 'Åström and Murray 2008, §5.2',
    },
    { texts: [{ x: 0, y: 0, text: 'ABCD' }] },
  ),
  stamp(fields: FieldReader, circuit: Circuit) {
    const u = circuit.input('u');
    const n = fields.matrixRows('A');
    const reported = fields.defectCount;
    const A = fields.matrix('A', n, n) ?? new Float64Array(n * n);
    for (const key of ['B', 'C', 'x0']) {
      const length = fields.vectorLength(key);
      if (length === n || (key === 'x0' && !fields.has(key))) continue;
      fields.reject(
        key,
        'wrong-length',
        `${key} has ${length} entries, and A has ${n} rows.`,
        'Give one entry for each state.',
      );
    }
    if (fields.defectCount > reported) {
      give(circuit, []);
      return;
    }
    const [B, C, x0] = ['B', 'C', 'x0'].map((key) => fields.vector(key, n));
    const rates = Array.from({ length: n }, (): Term[] => []);
    const states = rates.map((rate, i) => circuit.integral(rate, x0[i]));
    rates.forEach((rate, i) => {
      states.forEach((state, j) => {
        if (A[i * n + j] !== 0) rate.push(times(A[i * n + j], state));
      });
      if (B[i] !== 0) rate.push(times(B[i], u));
    });
    const D = fields.number('D');
    give(circuit, [
      ...states.flatMap((state, i) => (C[i] === 0 ? [] : [times(C[i], state)])),
      ...(D === 0 ? [] : [times(D, u)]),
    ]);
  },
};
