/** Linear sensor y = C x + D u, sampled. */
import { addProduct, matrixOf, multiply, sidesOf, readShaped } from './discrete-model';
import { type BlockType, checkSize, inputField, readInput, samplingFields } from './block';

export const definition: BlockType['definition'] = {
  category: 'system',
  type: 'LinearSensor',
  title: 'Linear sensor',
  words: ['sensor', 'measurement', 'output', 'Sensor', 'Messung', 'capteur'],
  summary: 'Measures combinations of signals at samples and holds them in between.',
  order: 'signal',
  output: { name: 'y', symbol: 'y', description: 'Measurement' },
  equations: ['y_k = C\\, x(t_k) + D\\, u(t_k)'],
  fields: [
    inputField({
      key: 'x',
      label: 'Measured',
      symbol: 'x',
      help: 'Expressions in signals, one for each column of C.',
    }),
    inputField({
      key: 'u',
      label: 'Passed through',
      symbol: 'u',
      required: false,
      help: 'Expressions in signals, one for each column of D.',
    }),
    matrixOf('C', 'Matrix of the measurement', 'C', 'any', 'A row for each entry of y.'),
    matrixOf('D', 'Matrix of what is passed through', 'D', 'any', 'As many rows as C.', false),
    ...samplingFields,
  ],
  source: 'Siconos control toolbox, LinearSensor',
};

export const build: BlockType['build'] = (fields) => {
  const x = readInput(fields, 'x');
  const u = readInput(fields, 'u');
  const sides = sidesOf(fields, 'C');
  if (sides === null) return null;
  const { rows, columns } = sides;
  const C = readShaped(fields, 'C', rows, columns);
  const n = x.expressions.length;
  const m = u.expressions.length;
  if (!checkSize(fields, x, columns)) return null;
  const D = fields.has('D') ? readShaped(fields, 'D', rows, m) : new Float64Array(rows * m);
  if (C === null || D === null) return null;
  return {
    inputs: [x, u],
    outputSize: rows,
    start: new Float64Array(0),
    output: (_memory, inputs, out) => {
      multiply(C, inputs, rows, n, out);
      addProduct(D, inputs, rows, m, out, n);
      return true;
    },
  };
};
