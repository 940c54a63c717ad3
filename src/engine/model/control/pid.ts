/**
 * PID controller in velocity form. With e_k = r_k − y_k the control of the continuous law
 *
 *     u = K_P e + K_I ∫ e + K_D ė
 *
 * by backward differences and the rectangle rule, u_k − u_{k−1} of it is
 *
 *     u_k = u_{k−1} + (K_P + K_I T + K_D/T) e_k − (K_P + 2 K_D/T) e_{k−1} + (K_D/T) e_{k−2}.
 *
 * Its memory is the control itself, so that clipping u_k to its bounds keeps the integral from winding up.
 * Åström and Hägglund 1995, chapter 3.
 */
import type { FieldReader } from '../field-reader';
import { type BlockType, checkSize, inputField, readInput, samplingFields } from './block';
import { clip, lowerBound, readLimits, upperBound } from './limits';

export const definition: BlockType['definition'] = {
  category: 'system',
  type: 'PID',
  title: 'PID controller',
  summary:
    'Proportional, integral and derivative action on a sampled error. Starts from u = e = 0; the control of the last sample is the bounded one, so that the integral does not wind up.',
  order: 'signal',
  output: { name: 'u', symbol: 'u', description: 'Control' },
  equations: [
    'e_k = r_k - y_k',
    'u_k = u_{k-1} + \\left(K_P + K_I T + \\tfrac{K_D}{T}\\right) e_k - \\left(K_P + \\tfrac{2 K_D}{T}\\right) e_{k-1} + \\tfrac{K_D}{T}\\, e_{k-2}',
  ],
  fields: [
    inputField({
      key: 'measured',
      label: 'Measured',
      symbol: 'y',
      help: 'What is controlled: one expression in signals, such as plant.x[0].',
    }),
    inputField({
      key: 'reference',
      label: 'Reference',
      symbol: 'r',
      help: 'What it should be: one expression in t, signals and parameters.',
    }),
    {
      key: 'kp',
      kind: 'number',
      label: 'Proportional gain',
      symbol: 'K_P',
      unit: '',
      required: true,
      initial: 1,
      help: 'Factor of the error.',
    },
    {
      key: 'ki',
      kind: 'number',
      label: 'Integral gain',
      symbol: 'K_I',
      unit: '1/s',
      required: false,
      default: 0,
      help: 'Factor of the integral of the error.',
    },
    {
      key: 'kd',
      kind: 'number',
      label: 'Derivative gain',
      symbol: 'K_D',
      unit: 's',
      required: false,
      default: 0,
      help: 'Factor of the rate of the error.',
    },
    lowerBound,
    upperBound,
    ...samplingFields,
  ],
  source: 'Åström and Hägglund 1995, chapter 3',
};

export const build: BlockType['build'] = (fields: FieldReader, period) => {
  const inputs = [readInput(fields, 'measured'), readInput(fields, 'reference')];
  const [kp, ki, kd] = ['kp', 'ki', 'kd'].map((key) => fields.number(key));
  const limits = readLimits(fields);
  if (!inputs.map((input) => checkSize(fields, input, 1)).every(Boolean)) return null;
  const now = kp + ki * period + kd / period;
  const last = kp + (2 * kd) / period;
  const before = kd / period;
  return {
    inputs,
    outputSize: 1,
    // u_{k−1}, e_{k−1}, e_{k−2}
    start: new Float64Array(3),
    output: (memory, input, out) => {
      const error = input[1] - input[0];
      out[0] = clip(memory[0] + now * error - last * memory[1] + before * memory[2], limits);
      return true;
    },
    step: (memory, input, out) => {
      memory[0] = out[0];
      memory[2] = memory[1];
      memory[1] = input[1] - input[0];
    },
  };
};
