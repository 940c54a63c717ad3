/** Saturation: each entry of the input, kept between two bounds. */
import { type BlockType, inputField, readInput, samplingFields } from './block';
import { clip, lowerBound, readLimits, upperBound } from './limits';

export const definition: BlockType['definition'] = {
  category: 'system',
  type: 'Saturation',
  title: 'Saturation',
  words: ['limiter', 'limit', 'clip', 'Begrenzung', 'Sättigung'],
  summary: 'Keeps a sampled signal between two bounds.',
  order: 'signal',
  output: { name: 'y', symbol: 'y', description: 'Bounded signal' },
  equations: ['y_k = \\min(u_{max}, \\max(u_{min}, x(t_k)))'],
  fields: [
    inputField({ key: 'x', label: 'Input', symbol: 'x', help: 'Expressions in signals and parameters.' }),
    lowerBound,
    upperBound,
    ...samplingFields,
  ],
  source: 'Åström and Hägglund 1995, chapter 3',
};

export const build: BlockType['build'] = (fields) => {
  const x = readInput(fields, 'x');
  const limits = readLimits(fields);
  return {
    inputs: [x],
    outputSize: x.expressions.length,
    start: new Float64Array(0),
    output: (_memory, inputs, out) => {
      for (let i = 0; i < out.length; i++) out[i] = clip(inputs[i], limits);
      return true;
    },
  };
};
