/** A linear system by its matrices. */
import type { FieldDefinition } from '../../definition';
import type { FieldReader } from '../../field-reader';
import type { Circuit, Term } from '../circuit';
import type { ComponentType } from '../component';
import { block, columnOfPins, give, number, times } from './block';
import { giveAll, inputsAt, ports, rowOf } from './ports';

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
    const states = statesOf(circuit, A, B, x0, [u]);
    const D = fields.number('D');
    give(circuit, [
      ...states.flatMap((state, i) => (C[i] === 0 ? [] : [times(C[i], state)])),
      ...(D === 0 ? [] : [times(D, u)]),
    ]);
  },
};

/** States of ẋ = A x + B u. @param B n × inputs */
function statesOf(
  circuit: Circuit,
  A: Float64Array,
  B: Float64Array,
  x0: Float64Array,
  u: readonly Term[],
): Term[] {
  // Rates are written when all states have a place.
  const rates = Array.from(x0, (): Term[] => []);
  const states = rates.map((rate, i) => circuit.integral(rate, x0[i]));
  rates.forEach((rate, i) => {
    rate.push(...rowOf(A, i, states), ...rowOf(B, i, u));
  });
  return states;
}

const INPUTS = ports('u', 4);
const OUTPUTS = ports('y', 4);

const matrix = (key: string, label: string, help: string, required = true): FieldDefinition => ({
  ...{ key, kind: 'matrix', rows: 'any', columns: 'any', label, symbol: key, unit: '', required, help },
});

export const multiStateSpace: ComponentType = {
  definition: block(
    {
      type: 'MultiStateSpace',
      title: 'State space of several signals',
      summary:
        'A linear system with up to four inputs and outputs by its matrices: a plant, a filter bank, a decoupler. Wires are at u1, u2, … and y1, y2, ….',
      family: 'Control',
      words: [
        'MIMO',
        'multivariable',
        'A B C D',
        'matrices',
        'plant',
        'LTI',
        'Mehrgrößensystem',
        'multivariable',
      ],
      equations: ['\\dot x = A x + B u, \\quad y = C x + D u'],
      fields: [
        matrix('A', 'State matrix', 'How the states drive each other: n rows of n.'),
        matrix('B', 'Input matrix', 'How the inputs drive the states: n rows, a column for each input.'),
        matrix('C', 'Output matrix', 'How the states make the outputs: a row for each output, n columns.'),
        matrix('D', 'Feedthrough', 'Of the inputs to the outputs; zero where it is left out.', false),
        vector('x0', 'States at the start', 'x_0', 'n entries; zero where it is left out.'),
      ],
      source: 'Åström and Murray 2008, §5.2',
      pins: columnOfPins(
        INPUTS.map((name, k) => [name, `Input ${k + 1}`, 'isFree']),
        OUTPUTS.map((name, k) => [name, `Output ${k + 1}`]),
      ),
      quantities: OUTPUTS.map((name, k) => ({ name, unit: '', description: `Output ${k + 1}` })),
    },
    { texts: [{ x: 0, y: 0, text: 'ABCD' }] },
  ),
  stamp(fields: FieldReader, circuit: Circuit) {
    const u = inputsAt(fields, circuit, INPUTS, {
      ...{ count: fields.matrixColumns('B'), key: 'B', what: 'B, with a column for each input,' },
    });
    const [n, p] = [fields.matrixRows('A'), fields.matrixRows('C')];
    const beyond = OUTPUTS.slice(p).find((pin) => circuit.isWired(pin));
    if (p > OUTPUTS.length || beyond !== undefined)
      fields.reject(
        'C',
        'signal-count',
        beyond === undefined
          ? `C has ${p} rows, and the block has ${OUTPUTS.length} outputs.`
          : `C has ${p === 1 ? 'one row' : `${p} rows`}, and a wire is at the output “${beyond}”.`,
        beyond === undefined ? 'Divide it into several blocks.' : 'Give C a row for it, or remove the wire.',
      );
    const reported = fields.defectCount;
    const m = u?.length ?? fields.matrixColumns('B');
    const [A, B, C, D] = [
      fields.matrix('A', n, n),
      fields.matrix('B', n, m),
      fields.matrix('C', p, n),
      fields.matrix('D', p, m),
    ];
    const x0 = fields.vector('x0', n);
    const isWhole = u !== null && A !== null && B !== null && C !== null && fields.defectCount === reported;
    const states = isWhole ? statesOf(circuit, A, B, x0, u) : [];
    giveAll(
      circuit,
      OUTPUTS,
      isWhole
        ? Array.from({ length: Math.min(p, OUTPUTS.length) }, (_, i) => [
            ...rowOf(C, i, states),
            ...(D === null ? [] : rowOf(D, i, u)),
          ])
        : [],
    );
  },
};
