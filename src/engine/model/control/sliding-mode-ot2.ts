/**
 * Sliding-mode control of second order in the period: what the last period has brought beside the model, the
 * difference of the state from the predicted one, is taken for what the next will bring,
 *
 *     σ̄_{k+1} = C (Φ x_k + Ψ u_k + (x_k − x̂_k)) = 0,     x̂_k = Φ x_{k−1} + Ψ u_{k−1},
 *     u_k = −(C Ψ)⁻¹ C (Φ x_k + x_k − x̂_k), within its bounds,
 *
 * so that a smooth disturbance leaves σ of the order of the square of the period (Acary, Brogliato and Orlov
 * 2012; Siconos control toolbox, LinearSMCOT2, with (C Ψ)⁻¹ where that has the sum of the entries of C).
 */
import { factorLU, solveLU } from '../../linalg/lu';
import {
  addProduct,
  discretise,
  matrixA,
  matrixB,
  matrixOf,
  multiply,
  product,
  sidesOf,
  readShaped,
} from './discrete-model';
import { type BlockType, checkSize, inputField, readInput, samplingFields } from './block';
import { clip } from './limits';

export const definition: BlockType['definition'] = {
  category: 'system',
  type: 'SlidingModeOT2',
  title: 'Sliding-mode control, order 2',
  summary:
    'Keeps linear sliding variables at zero up to the square of the period, by estimating the disturbance.',
  order: 'signal',
  output: { name: 'u', symbol: 'u', description: 'Control' },
  equations: [
    'u_k = -(C \\Psi)^{-1} C (\\Phi x_k + x_k - \\hat x_k), \\quad |u_k| \\le \\alpha',
    '\\hat x_k = \\Phi x_{k-1} + \\Psi u_{k-1}, \\quad \\hat x_0 = x_0',
  ],
  fields: [
    inputField({
      key: 'x',
      label: 'State',
      symbol: 'x',
      help: 'The state of the plant, measured or estimated.',
    }),
    matrixA,
    matrixB,
    matrixOf('C', 'Sliding surface', 'C', 'any', 'A row for each control: σ = C x.'),
    {
      key: 'alpha',
      kind: 'number',
      min: 0,
      exclusiveMin: true,
      label: 'Bound',
      symbol: '\\alpha',
      unit: '',
      required: true,
      initial: 1,
      help: 'Largest magnitude of each control.',
    },
    ...samplingFields,
  ],
  source: 'Acary, Brogliato and Orlov 2012',
};

export const build: BlockType['build'] = (fields, period) => {
  const x = readInput(fields, 'x');
  const givenA = sidesOf(fields, 'A');
  const givenB = sidesOf(fields, 'B');
  if (givenA === null || givenB === null) return null;
  const n = givenA.rows;
  const m = givenB.columns;
  const [A, B, C] = [
    readShaped(fields, 'A', n, n),
    readShaped(fields, 'B', n, m),
    readShaped(fields, 'C', m, n),
  ];
  const alpha = fields.number('alpha');
  if (!checkSize(fields, x, n) || A === null || B === null || C === null) return null;
  const { phi, psi } = discretise(A, B, n, m, period);
  const lu = product(C, psi, m, n, m);
  const pivots = new Int32Array(m);
  if (!factorLU(lu, 0, m, pivots, 0)) {
    fields.reject(
      'C',
      'surface-not-controlled',
      'C Ψ is singular: the control does not act on every sliding variable.',
      'Choose a surface that the control can move within a period.',
    );
    return null;
  }
  const limits = { lower: -alpha, upper: alpha };
  const next = new Float64Array(n);
  const sigma = new Float64Array(m);
  return {
    inputs: [x],
    outputSize: m,
    // x̂_k, and whether there is one
    start: new Float64Array(n + 1),
    output: (memory, state, out) => {
      multiply(phi, state, n, n, next);
      if (memory[n] === 1) for (let i = 0; i < n; i++) next[i] += state[i] - memory[i];
      multiply(C, next, m, n, sigma);
      solveLU(lu, 0, m, pivots, 0, sigma, 0);
      for (let i = 0; i < m; i++) out[i] = clip(-sigma[i], limits);
      return true;
    },
    step: (memory, state, out) => {
      multiply(phi, state, n, n, next);
      addProduct(psi, out, n, m, next);
      for (let i = 0; i < n; i++) memory[i] = next[i];
      memory[n] = 1;
    },
  };
};
