/**
 * Twisting control of a variable σ of relative degree 2, by the signs of σ and of its rate,
 *
 *     u = G (λ₁ + β λ₂),     λ₁ ∈ −Sgn σ,     λ₂ ∈ −Sgn σ̇,     0 < β < 1.
 *
 * The implicit law takes the signs at the end of the period: with x = (σ, σ̇) of the model ẋ = A x + (0,
 * u)ᵀ and Ψ its response to λ,
 *
 *     x_{k+1} = Φ x_k + Ψ λ,     −x_{k+1} ∈ N_K(λ),     K = {|λ₁| ≤ 1, |λ₂ − ½ T λ₁| ≤ 1},
 *
 * where K is skewed by the motion of σ within a period, so that both variables come to zero exactly (Huber,
 * Acary, Brogliato and Plestan 2016). λ need not be unique; u is.
 */
import { discretise, matrixOf, multiply, readShaped } from './discrete-model';
import type { FieldReader } from '../field-reader';
import { type BlockType, checkSize, inputField, readInput, samplingFields } from './block';
import { methodField } from './sliding-mode-control';
import { PlanarProblem } from './small-problems';

export const definition: BlockType['definition'] = {
  category: 'system',
  type: 'Twisting',
  title: 'Twisting control',
  summary:
    'Second-order sliding mode: drives a variable and its rate to zero by their two signs. At most G (1 + β), implicitly G (1 + β + ½ β T).',
  order: 'signal',
  output: { name: 'u', symbol: 'u', description: 'Control' },
  equations: [
    'u = G (\\lambda_1 + \\beta \\lambda_2), \\quad \\lambda_1 \\in -\\mathrm{Sgn}(\\sigma), \\quad \\lambda_2 \\in -\\mathrm{Sgn}(\\dot\\sigma)',
  ],
  fields: [
    inputField({
      key: 'x',
      label: 'Variable and rate',
      symbol: '(\\sigma, \\dot\\sigma)',
      help: 'Two expressions: what is driven to zero, and its rate.',
    }),
    {
      key: 'gain',
      kind: 'number',
      min: 0,
      exclusiveMin: true,
      label: 'Gain',
      symbol: 'G',
      unit: '',
      required: true,
      initial: 1,
      help: 'Magnitude of the part by the sign of the variable.',
    },
    {
      key: 'beta',
      kind: 'number',
      min: 0,
      max: 1,
      exclusiveMin: true,
      label: 'Ratio',
      symbol: '\\beta',
      unit: '',
      required: false,
      default: 0.5,
      help: 'Part by the sign of the rate, relative to the gain; above 0 and below 1. G (1 − β) has to exceed the disturbance.',
    },
    methodField({
      implicit: 'At the end of the period, as the model predicts it: no chattering.',
      explicit: 'At the sample.',
    }),
    matrixOf(
      'A',
      'Matrix of the model',
      'A',
      2,
      '2 × 2, of (σ, σ̇); a double integrator when left out. Only the implicit law uses it.',
      false,
    ),
    ...samplingFields,
  ],
  source: 'Huber, Acary, Brogliato and Plestan 2016',
};

/** of (σ, σ̇) */
const DOUBLE_INTEGRATOR = Float64Array.of(0, 1, 0, 0);

/** Reports a ratio that is none. */
export function checkRatio(fields: FieldReader, beta: number): boolean {
  if (beta < 1) return true;
  fields.reject(
    'beta',
    'twisting-ratio',
    `The ratio β is ${beta}; twisting needs one below 1.`,
    'Give a ratio between 0 and 1, such as 0.5.',
  );
  return false;
}

export const build: BlockType['build'] = (fields, period) => {
  const x = readInput(fields, 'x');
  const gain = fields.number('gain');
  const beta = fields.number('beta');
  const A = fields.has('A') ? readShaped(fields, 'A', 2, 2) : DOUBLE_INTEGRATOR;
  checkRatio(fields, beta);
  if (!checkSize(fields, x, 2) || A === null) return null;
  const { phi, psi } = discretise(A, Float64Array.of(0, 0, gain, gain * beta), 2, 2, period);
  const half = period / 2;
  const problem = new PlanarProblem(psi, Float64Array.of(1, 0, -half, 1, -1, 0, half, -1));
  const isImplicit = fields.choice('method') === 'implicit';
  const next = new Float64Array(2);
  const lambda = new Float64Array(2);
  return {
    inputs: [x],
    outputSize: 1,
    start: new Float64Array(0),
    output: (_memory, state, out) => {
      if (isImplicit) {
        multiply(phi, state, 2, 2, next);
        if (!problem.solve(next, lambda)) return false;
      } else for (let i = 0; i < 2; i++) lambda[i] = -Math.sign(state[i]);
      out[0] = gain * (lambda[0] + beta * lambda[1]);
      return true;
    },
  };
};
