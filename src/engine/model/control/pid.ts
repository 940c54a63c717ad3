/**
 * PID controller in positional form. With e_k = r_k − y_k the control of the continuous law
 *
 *     u = K_P e + K_I ∫ e + K_D ė
 *
 * by backward differences and the rectangle rule, with the whole of it kept within its bounds, is
 *
 *     w_k = K_P e_k + I_{k−1} + K_D (e_k − e_{k−1}) / T,
 *     u_k = clip(w_k + K_I T e_k),
 *     I_k = I_{k−1} + K_I T e_k as far as it does not push the control beyond a bound.
 *
 * That is conditional integration (Åström and Hägglund 2006, chapter 3, integrator windup) with the last
 * increment cut at the bound: the integral alone remembers that the control was clipped, the proportional and
 * derivative actions never do. The velocity form, which clips a sum of increments, forgets those for good.
 */
import type { FieldReader } from '../field-reader';
import { type BlockType, checkSize, inputField, readInput, samplingFields } from './block';
import { clip, lowerBound, readLimits, upperBound } from './limits';

export const definition: BlockType['definition'] = {
  category: 'system',
  type: 'PID',
  title: 'PID controller',
  words: ['controller', 'regulator', 'Regler', 'PI', 'PD', 'régulateur'],
  summary:
    'Proportional, integral and derivative action on a sampled error, the sum of which is clipped to the bounds. Starts from I = e = 0. The integral does not wind up: it stops where it would push the control beyond a bound, and goes on as soon as it leads back.',
  order: 'signal',
  output: { name: 'u', symbol: 'u', description: 'Control' },
  equations: [
    'e_k = r_k - y_k',
    'w_k = K_P e_k + I_{k-1} + K_D \\tfrac{e_k - e_{k-1}}{T}',
    'u_k = \\min(u_{max}, \\max(u_{min}, w_k + K_I T e_k))',
    'I_k = I_{k-1} + \\min(\\max(0, u_{max} - w_k), \\max(\\min(0, u_{min} - w_k), K_I T e_k))',
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
  source: 'Åström and Hägglund 2006, chapter 3',
};

export const build: BlockType['build'] = (fields: FieldReader, period) => {
  const inputs = [readInput(fields, 'measured'), readInput(fields, 'reference')];
  const [kp, ki, kd] = ['kp', 'ki', 'kd'].map((key) => fields.number(key));
  const limits = readLimits(fields);
  if (!inputs.map((input) => checkSize(fields, input, 1)).every(Boolean)) return null;
  const { lower, upper } = limits;
  const rate = kd / period;
  const gain = ki * period;
  /** w_k: all but the increment of the integral. */
  const others = (memory: Float64Array, error: number): number =>
    kp * error + memory[0] + rate * (error - memory[1]);
  return {
    inputs,
    outputSize: 1,
    // I_{k−1}, e_{k−1}
    start: new Float64Array(2),
    output: (memory, input, out) => {
      const error = input[1] - input[0];
      out[0] = clip(others(memory, error) + gain * error, limits);
      return true;
    },
    step: (memory, input) => {
      const error = input[1] - input[0];
      const w = others(memory, error);
      memory[0] += Math.min(Math.max(0, upper - w), Math.max(Math.min(0, lower - w), gain * error));
      memory[1] = error;
    },
  };
};
