/** Zero-order hold: the input as it is at samples, constant in between. */
import { type BlockType, inputField, readInput, samplingFields } from './block';

export const definition: BlockType['definition'] = {
  category: 'system',
  type: 'SampleAndHold',
  title: 'Sample and hold',
  words: ['sampler', 'zero-order hold', 'ZOH', 'Abtasthalteglied'],
  summary:
    'Takes expressions of signals at samples and holds their values: a sensor, or a way into a source.',
  order: 'signal',
  output: { name: 'y', symbol: 'y', description: 'Held signal' },
  equations: ['y(t) = x(t_k) \\quad \\text{for } t_k \\le t < t_{k+1}'],
  fields: [
    inputField({ key: 'x', label: 'Input', symbol: 'x', help: 'Expressions in signals and parameters.' }),
    ...samplingFields,
  ],
  source: 'Franklin, Powell and Workman 1998, chapter 4',
};

export const build: BlockType['build'] = (fields) => {
  const x = readInput(fields, 'x');
  return {
    inputs: [x],
    outputSize: x.expressions.length,
    start: new Float64Array(0),
    output: (_memory, inputs, out) => {
      for (let i = 0; i < out.length; i++) out[i] = inputs[i];
      return true;
    },
  };
};
