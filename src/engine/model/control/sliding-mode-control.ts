/**
 * Linear sliding-mode control u = u_eq + u_s of a plant ẋ = A x + B u, which brings σ = C x to zero and keeps
 * it there.
 *
 * The explicit law takes the sign of what is measured, u_s = −α sgn σ_k: once near zero, σ jumps from one
 * side to the other, with an amplitude of the order of the period. The implicit law takes the sign at the
 * end of the period, which the model of the plant predicts,
 *
 *     σ_{k+1} = C (Φ x_k + Ψ (u_eq + u_s)),     −σ_{k+1} ∈ N_[−α,α](u_s),
 *
 * a problem with as many unknowns as controls, whose solution makes σ exactly zero as soon as that can be
 * reached, without chattering and with the control that the motion needs (Acary, Brogliato and Orlov 2012).
 *
 * The equivalent part u_eq = −Π x with Π = (C B)⁻¹ C A cancels what the plant does by itself. Discretised
 * by a θ-method it takes x_{k+1} of the plant under it,
 *
 *     (I + θ Ψ Π) x_{k+1} = (Φ − (1−θ) Ψ Π) x_k,     u_eq = −Π ((1−θ) x_k + θ x_{k+1}).
 */
import { factorLU, solveLU } from '../../linalg/lu';
import type { FieldDefinition } from '../definition';
import {
  discretise,
  matrixA,
  matrixB,
  matrixOf,
  multiply,
  product,
  addProduct,
  sidesOf,
  readShaped,
} from './discrete-model';
import { type BlockType, checkSize, inputField, readInput, samplingFields } from './block';
import { BoxProblem, MOST_CONTROLS } from './small-problems';

export const methodField = (help: { explicit: string; implicit: string }): FieldDefinition => ({
  key: 'method',
  kind: 'choice',
  options: [
    { value: 'implicit', label: 'implicit', help: help.implicit },
    { value: 'explicit', label: 'explicit', help: help.explicit },
  ],
  label: 'Discretisation',
  symbol: '',
  unit: '',
  required: false,
  default: 'implicit',
  help: 'Where the sign is taken.',
});

export const definition: BlockType['definition'] = {
  category: 'system',
  type: 'SlidingModeControl',
  title: 'Sliding-mode control',
  words: ['relay', 'sign', 'switching', 'chattering'],
  summary: 'Drives linear sliding variables to zero and keeps them there, against bounded disturbances.',
  order: 'signal',
  output: { name: 'u', symbol: 'u', description: 'Control' },
  equations: [
    '\\sigma = C x, \\quad u = u_{eq} + u_s',
    'u_s \\in -\\alpha\\, \\mathrm{Sgn}(\\sigma_{k+1}) \\text{ (implicit)}, \\quad u_s = -\\alpha\\, \\mathrm{sgn}(\\sigma_k) \\text{ (explicit)}',
    'u_{eq} = -(C B)^{-1} C A \\left((1-\\theta) x_k + \\theta x_{k+1}\\right)',
  ],
  fields: [
    inputField({
      key: 'x',
      label: 'State',
      symbol: 'x',
      help: 'The state of the plant, measured or estimated; the equivalent part predicts the next one by itself alone.',
    }),
    matrixA,
    matrixB,
    matrixOf('C', 'Sliding surface', 'C', 'any', 'A row for each control: σ = C x.'),
    {
      key: 'alpha',
      kind: 'number',
      min: 0,
      exclusiveMin: true,
      label: 'Gain',
      symbol: '\\alpha',
      unit: '',
      required: false,
      default: 1,
      help: 'Largest magnitude of the discontinuous part.',
    },
    methodField({
      implicit: 'At the end of the period, as the model of the plant predicts it: no chattering.',
      explicit: 'At the sample.',
    }),
    {
      key: 'equivalent',
      kind: 'choice',
      options: [
        { value: 'yes', label: 'with', help: 'Cancels what the plant does by itself on the surface.' },
        { value: 'no', label: 'without', help: 'The discontinuous part does everything.' },
      ],
      label: 'Equivalent part',
      symbol: 'u_{eq}',
      unit: '',
      required: false,
      default: 'yes',
      help: 'Whether the control contains it.',
    },
    {
      key: 'theta',
      kind: 'number',
      min: 0,
      max: 1,
      label: 'Weight',
      symbol: '\\theta',
      unit: '',
      required: false,
      default: 0.5,
      help: 'Of the end of the period in the equivalent part.',
    },
    ...samplingFields,
  ],
  source: 'Acary, Brogliato and Orlov 2012',
};

/** (C B)⁻¹ C A, m × n, or null where C B is singular. */
function projector(
  C: Float64Array,
  A: Float64Array,
  B: Float64Array,
  n: number,
  m: number,
): Float64Array | null {
  const lu = product(C, B, m, n, m);
  const pivots = new Int32Array(m);
  if (!factorLU(lu, 0, m, pivots, 0)) return null;
  const out = product(C, A, m, n, n);
  const column = new Float64Array(m);
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < m; i++) column[i] = out[i * n + j];
    solveLU(lu, 0, m, pivots, 0, column, 0);
    for (let i = 0; i < m; i++) out[i * n + j] = column[i];
  }
  return out;
}

/** The equivalent part as u_eq = E x_k. */
function equivalentGain(
  pi: Float64Array,
  phi: Float64Array,
  psi: Float64Array,
  n: number,
  m: number,
  theta: number,
): Float64Array | null {
  const psiPi = product(psi, pi, n, m, n);
  const lu = psiPi.map((value, k) => theta * value + (k % (n + 1) === 0 ? 1 : 0));
  const pivots = new Int32Array(n);
  if (!factorLU(lu, 0, n, pivots, 0)) return null;
  // (1−θ) I + θ x_{k+1} by x_k, column by column
  const mean = new Float64Array(n * n);
  const column = new Float64Array(n);
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) column[i] = phi[i * n + j] - (1 - theta) * psiPi[i * n + j];
    solveLU(lu, 0, n, pivots, 0, column, 0);
    for (let i = 0; i < n; i++) mean[i * n + j] = theta * column[i] + (i === j ? 1 - theta : 0);
  }
  return product(pi, mean, m, n, n).map((value) => -value);
}

/** The equivalent part as u_eq = E x_k, m × n; null where there is none. */
export function equivalentPart(
  { A, B, C, phi, psi }: Readonly<Record<'A' | 'B' | 'C' | 'phi' | 'psi', Float64Array>>,
  n: number,
  m: number,
  theta: number,
): Float64Array | null {
  const pi = projector(C, A, B, n, m);
  return pi && equivalentGain(pi, phi, psi, n, m, theta);
}

export const build: BlockType['build'] = (fields, period) => {
  const x = readInput(fields, 'x');
  const givenA = sidesOf(fields, 'A');
  const givenB = sidesOf(fields, 'B');
  if (givenA === null || givenB === null) return null;
  const n = givenA.rows;
  const m = givenB.columns;
  if (m > MOST_CONTROLS) {
    fields.reject(
      'B',
      'too-many-controls',
      `The block has ${m} controls; at most ${MOST_CONTROLS} are solved for together.`,
      'Divide it into several blocks.',
    );
    return null;
  }
  const [A, B, C] = [
    readShaped(fields, 'A', n, n),
    readShaped(fields, 'B', n, m),
    readShaped(fields, 'C', m, n),
  ];
  const alpha = fields.number('alpha');
  const theta = fields.number('theta');
  if (!checkSize(fields, x, n) || A === null || B === null || C === null) return null;
  const { phi, psi } = discretise(A, B, n, m, period);
  const pi = projector(C, A, B, n, m);
  if (pi === null) {
    fields.reject(
      'C',
      'surface-not-controlled',
      'C B is singular: the control does not act on every sliding variable.',
      'Choose a surface whose rates the control can change.',
    );
    return null;
  }
  const gain =
    fields.choice('equivalent') === 'yes'
      ? equivalentGain(pi, phi, psi, n, m, theta)
      : new Float64Array(m * n);
  if (gain === null) {
    fields.reject(
      'theta',
      'equivalent-part-singular',
      'The equivalent part is not defined for this sampling period: I + θ Ψ Π is singular.',
      'Change the sampling period or the weight.',
    );
    return null;
  }
  const isImplicit = fields.choice('method') === 'implicit';
  const problem = new BoxProblem(product(C, psi, m, n, m), m, alpha);
  const sigma = new Float64Array(m);
  const part = new Float64Array(m);
  const next = new Float64Array(n);
  return {
    inputs: [x],
    outputSize: m,
    start: new Float64Array(0),
    output: (_memory, state, out) => {
      multiply(gain, state, m, n, out);
      if (isImplicit) {
        multiply(phi, state, n, n, next);
        addProduct(psi, out, n, m, next);
        multiply(C, next, m, n, sigma);
        if (!problem.solve(sigma, part)) return false;
        for (let i = 0; i < m; i++) out[i] += part[i];
        return true;
      }
      multiply(C, state, m, n, sigma);
      for (let i = 0; i < m; i++) out[i] -= alpha * Math.sign(sigma[i]);
      return true;
    },
  };
};
