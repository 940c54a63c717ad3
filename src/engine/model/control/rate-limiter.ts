/** Rate limiter: an output that follows its input no faster than given rates. */
import { type BlockType, inputField, readInput, samplingFields } from './block';

export const definition: BlockType['definition'] = {
  category: 'system',
  type: 'RateLimiter',
  title: 'Rate limiter',
  words: ['slew', 'rate limit', 'Anstiegsbegrenzung'],
  summary: 'Follows a sampled signal with bounded rates of rise and fall.',
  order: 'signal',
  output: { name: 'y', symbol: 'y', description: 'Signal of bounded rate' },
  equations: ['y_k = y_{k-1} + \\min(R_+ T, \\max(-R_- T, x(t_k) - y_{k-1})), \\quad y_0 = x(t_0)'],
  fields: [
    inputField({ key: 'x', label: 'Input', symbol: 'x', help: 'Expressions in signals and parameters.' }),
    {
      key: 'rise',
      kind: 'number',
      min: 0,
      label: 'Fastest rise',
      symbol: 'R_+',
      unit: '1/s',
      required: true,
      initial: 1,
      help: 'Largest rate.',
    },
    {
      key: 'fall',
      kind: 'number',
      min: 0,
      label: 'Fastest fall',
      symbol: 'R_-',
      unit: '1/s',
      required: false,
      help: 'Largest rate downwards, as a positive number; that of the rise when left out.',
    },
    ...samplingFields,
  ],
  source: 'Åström and Hägglund 1995, chapter 3',
};

export const build: BlockType['build'] = (fields, period) => {
  const x = readInput(fields, 'x');
  const up = fields.number('rise') * period;
  const down = fields.has('fall') ? fields.number('fall') * period : up;
  const n = x.expressions.length;
  return {
    inputs: [x],
    outputSize: n,
    // y_{k−1}, and whether there has been a sample
    start: new Float64Array(n + 1),
    output: (memory, inputs, out) => {
      for (let i = 0; i < n; i++)
        out[i] =
          memory[n] === 0 ? inputs[i] : memory[i] + Math.min(up, Math.max(-down, inputs[i] - memory[i]));
      return true;
    },
    step: (memory, _inputs, out) => {
      for (let i = 0; i < n; i++) memory[i] = out[i];
      memory[n] = 1;
    },
  };
};
