/** Linear state feedback u = −K x + N r, sampled. */
import { addProduct, matrixOf, sidesOf, readShaped } from './discrete-model';
import { type BlockType, checkSize, inputField, readInput, samplingFields } from './block';

export const definition: BlockType['definition'] = {
  category: 'system',
  type: 'StateFeedback',
  title: 'State feedback',
  words: ['LQR', 'gain', 'pole placement', 'Zustandsregler'],
  summary: 'Control proportional to a state, measured or estimated, and to a reference.',
  order: 'signal',
  output: { name: 'u', symbol: 'u', description: 'Control' },
  equations: ['u_k = -K\\, x(t_k) + N\\, r(t_k)'],
  fields: [
    inputField({
      key: 'x',
      label: 'State',
      symbol: 'x',
      help: 'Expressions in signals, one for each column of K.',
    }),
    inputField({
      key: 'reference',
      label: 'Reference',
      symbol: 'r',
      required: false,
      help: 'Expressions in t, signals and parameters, one for each column of N.',
    }),
    matrixOf('K', 'Gain', 'K', 'any', 'A row for each control.'),
    matrixOf('N', 'Gain of the reference', 'N', 'any', 'As many rows as K.', false),
    ...samplingFields,
  ],
  source: 'Franklin, Powell and Workman 1998, chapter 8',
};

export const build: BlockType['build'] = (fields) => {
  const x = readInput(fields, 'x');
  const reference = readInput(fields, 'reference');
  const sides = sidesOf(fields, 'K');
  if (sides === null) return null;
  const { rows, columns } = sides;
  const K = readShaped(fields, 'K', rows, columns);
  const n = x.expressions.length;
  const k = reference.expressions.length;
  if (!checkSize(fields, x, columns)) return null;
  const N = fields.has('N') ? readShaped(fields, 'N', rows, k) : new Float64Array(rows * k);
  if (K === null || N === null) return null;
  const gain = K.map((value) => -value);
  return {
    inputs: [x, reference],
    outputSize: rows,
    start: new Float64Array(0),
    output: (_memory, inputs, out) => {
      out.fill(0);
      addProduct(gain, inputs, rows, n, out);
      addProduct(N, inputs, rows, k, out, n);
      return true;
    },
  };
};
