/**
 * Super-twisting control of a variable σ of relative degree 1, σ̇ = u + d(t), continuous against disturbances
 * of bounded rate (Levant 1993):
 *
 *     u = −k₁ |σ|^½ sgn σ + w,     ẇ = −k₂ sgn σ.
 *
 * The implicit law takes both signs at the end of the period. With s ∈ Sgn σ̃ and b = σ_k + T w_k,
 *
 *     σ̃ = σ_k + T u_k,     u_k = −k₁ |σ̃|^½ s + w_{k+1},     w_{k+1} = w_k − T k₂ s
 *     ⇒ σ̃ + (T k₁ |σ̃|^½ + T² k₂) s = b.
 *
 * If |b| ≤ T² k₂, σ̃ = 0 and s = b / (T² k₂). Else s = sgn b, and z = |σ̃|^½ is the positive root of
 * z² + T k₁ z = |b| − T² k₂ (Brogliato, Polyakov and Efimov 2020).
 */
import { type BlockType, checkSize, inputField, readInput, samplingFields } from './block';
import { methodField } from './sliding-mode-control';

export const definition: BlockType['definition'] = {
  category: 'system',
  type: 'SuperTwisting',
  title: 'Super-twisting control',
  summary:
    'Second-order sliding mode with a continuous control, against disturbances of bounded rate. The implicit law leaves d T of a disturbance d, and does not chatter.',
  order: 'signal',
  output: { name: 'u', symbol: 'u', description: 'Control' },
  equations: [
    'u = -k_1 |\\sigma|^{1/2} \\mathrm{sgn}\\,\\sigma + w',
    '\\dot w = -k_2\\, \\mathrm{sgn}\\,\\sigma',
  ],
  fields: [
    inputField({
      key: 'sigma',
      label: 'Variable',
      symbol: '\\sigma',
      help: 'What is driven to zero: one expression, whose rate is u and a disturbance.',
    }),
    {
      key: 'k1',
      kind: 'number',
      min: 0,
      exclusiveMin: true,
      label: 'Gain of the root',
      symbol: 'k_1',
      unit: '',
      required: true,
      initial: 1,
      help: 'Above √(2 D) it copes with disturbances whose rate stays below D, together with k₂.',
    },
    {
      key: 'k2',
      kind: 'number',
      min: 0,
      exclusiveMin: true,
      label: 'Gain of the integral',
      symbol: 'k_2',
      unit: '',
      required: true,
      initial: 1,
      help: 'Above the largest rate D of the disturbance.',
    },
    methodField({
      implicit: 'At the end of the period: no chattering.',
      explicit: 'At the sample.',
    }),
    ...samplingFields,
  ],
  source: 'Levant 1993; Brogliato, Polyakov and Efimov 2020',
};

export const build: BlockType['build'] = (fields, period) => {
  const sigma = readInput(fields, 'sigma');
  const k1 = fields.number('k1');
  const k2 = fields.number('k2');
  if (!checkSize(fields, sigma, 1)) return null;
  const isImplicit = fields.choice('method') === 'implicit';
  const within = period * period * k2;
  // The sign that a sample takes, and the root of |σ̃|.
  const taken = new Float64Array(2);
  const take = (w: number, value: number): void => {
    if (!isImplicit) {
      taken[0] = Math.sign(value);
      taken[1] = Math.sqrt(Math.abs(value));
      return;
    }
    const b = value + period * w;
    const rest = Math.abs(b) - within;
    taken[0] = rest <= 0 ? b / within : Math.sign(b);
    // The root without cancellation.
    const half = 0.5 * period * k1;
    taken[1] = rest <= 0 ? 0 : rest / (half + Math.sqrt(half * half + rest));
  };
  return {
    inputs: [sigma],
    outputSize: 1,
    // w
    start: new Float64Array(1),
    output: (memory, input, out) => {
      take(memory[0], input[0]);
      const w = isImplicit ? memory[0] - period * k2 * taken[0] : memory[0];
      out[0] = -k1 * taken[1] * taken[0] + w;
      return true;
    },
    step: (memory, input) => {
      take(memory[0], input[0]);
      memory[0] -= period * k2 * taken[0];
    },
  };
};
