/**
 * Luenberger observer of a plant ẋ = A x + B u, y = C x,
 *
 *     x̂˙ = A x̂ + B u + L (y − C x̂),
 *
 * with u and the innovation held over a period:
 *
 *     x̂_{k+1} = Φ x̂_k + Ψ_B u_k + Ψ_L (y_k − C x̂_k).
 *
 * Its output does not depend on the inputs of the same sample: a controller may use it and drive it.
 */
import {
  addProduct,
  discretise,
  matrixA,
  matrixB,
  matrixOf,
  multiply,
  sidesOf,
  readShaped,
} from './discrete-model';
import { type BlockType, checkSize, inputField, readInput, samplingFields } from './block';

export const observerInputs = [
  inputField({
    key: 'measured',
    label: 'Measured',
    symbol: 'y',
    help: 'Expressions in signals, one for each row of C.',
  }),
  inputField({
    key: 'control',
    label: 'Control',
    symbol: 'u',
    required: false,
    help: 'What drives the plant, one expression for each column of B.',
  }),
];

export const observerMatrices = [
  matrixA,
  { ...matrixB, required: false },
  matrixOf('C', 'Matrix of the measurement', 'C', 'any', 'A row for each measured signal.'),
  matrixOf(
    'L',
    'Gain of the innovation',
    'L',
    'any',
    'Of the continuous observer, A − L C. A column for each measured signal, n rows.',
  ),
];

export const initialEstimate = {
  key: 'x0',
  kind: 'vector',
  length: 'any',
  label: 'Initial estimate',
  symbol: '\\hat x_0',
  unit: '',
  required: false,
  help: 'Estimate at the first sample; zero when left out.',
} as const;

export const definition: BlockType['definition'] = {
  category: 'system',
  type: 'LuenbergerObserver',
  title: 'Luenberger observer',
  words: ['observer', 'estimator', 'Beobachter'],
  summary: 'Estimates the state of a linear plant from what is measured of it.',
  order: 'signal',
  output: { name: 'xHat', symbol: '\\hat x', description: 'Estimated state' },
  equations: [
    '\\hat x_{k+1} = \\Phi \\hat x_k + \\Psi_B u_k + \\Psi_L (y_k - C \\hat x_k)',
    '\\Phi = e^{A T}, \\quad \\Psi_M = \\int_0^T e^{A s} \\mathrm{d}s\\, M',
  ],
  fields: [...observerInputs, ...observerMatrices, initialEstimate, ...samplingFields],
  source: 'Luenberger 1971',
};

/** What observers of a linear plant have in common; null after a reported defect. */
export function readObserver(
  fields: Parameters<BlockType['build']>[0],
  period: number,
  isFeedthrough: boolean,
) {
  const measured = readInput(fields, 'measured', isFeedthrough);
  const control = readInput(fields, 'control', false);
  const A = sidesOf(fields, 'A');
  const C = sidesOf(fields, 'C');
  if (A === null || C === null) return null;
  const n = A.rows;
  const p = C.rows;
  const m = control.expressions.length;
  const [a, c, l] = [
    readShaped(fields, 'A', n, n),
    readShaped(fields, 'C', p, n),
    readShaped(fields, 'L', n, p),
  ];
  const b = fields.has('B') ? readShaped(fields, 'B', n, m) : new Float64Array(n * m);
  const x0 = fields.has('x0') ? fields.vector('x0', n) : new Float64Array(n);
  const fits = checkSize(fields, measured, p);
  if (a === null || b === null || c === null || l === null || !fits) return null;
  if (m > 0 && !fields.has('B')) {
    fields.reject(
      'B',
      'observer-without-control-matrix',
      'The observer has the control, and not how it acts: it has no matrix B.',
      'Give B, or leave the control out.',
    );
    return null;
  }
  const { phi, psi: psiB } = discretise(a, b, n, m, period);
  const { psi: psiL } = discretise(a, l, n, p, period);
  return { inputs: [measured, control], n, p, m, c, x0, phi, psiB, psiL };
}

export const build: BlockType['build'] = (fields, period) => {
  const read = readObserver(fields, period, false);
  if (read === null) return null;
  const { inputs, n, p, m, c, x0, phi, psiB, psiL } = read;
  const innovation = new Float64Array(p);
  const next = new Float64Array(n);
  return {
    inputs,
    outputSize: n,
    start: x0,
    output: (memory, _inputs, out) => {
      out.set(memory);
      return true;
    },
    step: (memory, given) => {
      multiply(c, memory, p, n, innovation);
      for (let i = 0; i < p; i++) innovation[i] = given[i] - innovation[i];
      multiply(phi, memory, n, n, next);
      addProduct(psiB, given, n, m, next, p);
      addProduct(psiL, innovation, n, p, next);
      memory.set(next);
    },
  };
};
