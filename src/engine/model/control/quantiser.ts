/** Quantiser: each entry of the input, rounded to a multiple of a step, as a converter gives it. */
import { type BlockType, inputField, readInput, samplingFields } from './block';

export const definition: BlockType['definition'] = {
  category: 'system',
  type: 'Quantiser',
  title: 'Quantiser',
  words: ['ADC', 'rounding', 'resolution', 'Quantisierer'],
  summary: 'Rounds a sampled signal to multiples of a step, as an analogue-to-digital converter does.',
  order: 'signal',
  output: { name: 'y', symbol: 'y', description: 'Quantised signal' },
  equations: ['y_k = \\Delta \\left\\lfloor \\frac{x(t_k)}{\\Delta} + \\tfrac{1}{2} \\right\\rfloor'],
  fields: [
    inputField({ key: 'x', label: 'Input', symbol: 'x', help: 'Expressions in signals and parameters.' }),
    {
      key: 'step',
      kind: 'number',
      min: 0,
      exclusiveMin: true,
      label: 'Step',
      symbol: '\\Delta',
      unit: '',
      required: true,
      initial: 0.01,
      help: 'Distance of neighbouring values.',
    },
    ...samplingFields,
  ],
  source: 'Franklin, Powell and Workman 1998, chapter 10',
};

export const build: BlockType['build'] = (fields) => {
  const x = readInput(fields, 'x');
  const step = fields.number('step');
  return {
    inputs: [x],
    outputSize: x.expressions.length,
    start: new Float64Array(0),
    output: (_memory, inputs, out) => {
      for (let i = 0; i < out.length; i++) out[i] = step * Math.floor(inputs[i] / step + 0.5);
      return true;
    },
  };
};
