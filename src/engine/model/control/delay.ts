/** Delay by a whole number of samples. It has no feedthrough, so that it may close a loop. */
import { type BlockType, inputField, readInput, samplingFields } from './block';

/** Most samples of a delay. */
const MOST_SAMPLES = 10_000;

export const definition: BlockType['definition'] = {
  category: 'system',
  type: 'Delay',
  title: 'Delay',
  words: ['dead time', 'lag', 'Totzeit', 'retard'],
  summary: 'Gives a sampled signal some samples later: transport, computation time, a memory in a loop.',
  order: 'signal',
  output: { name: 'y', symbol: 'y', description: 'Delayed signal' },
  equations: ['y_k = x(t_{k-d}), \\quad y_k = y_0 \\text{ for } k < d'],
  fields: [
    inputField({ key: 'x', label: 'Input', symbol: 'x', help: 'Expressions in signals and parameters.' }),
    {
      key: 'samples',
      kind: 'integer',
      min: 1,
      max: MOST_SAMPLES,
      label: 'Samples',
      symbol: 'd',
      unit: '',
      required: true,
      help: 'How many samples later.',
    },
    {
      key: 'initial',
      kind: 'number',
      label: 'Initial output',
      symbol: 'y_0',
      unit: '',
      required: false,
      default: 0,
      help: 'Output until the first input comes out.',
    },
    ...samplingFields,
  ],
  source: 'Franklin, Powell and Workman 1998, chapter 4',
};

export const build: BlockType['build'] = (fields) => {
  const x = readInput(fields, 'x', false);
  const n = x.expressions.length;
  const samples = fields.number('samples');
  // Inputs of the last samples as a ring, and the place of the oldest at the end.
  const place = samples * n;
  const start = new Float64Array(place + 1).fill(fields.number('initial'));
  start[place] = 0;
  return {
    inputs: [x],
    outputSize: n,
    start,
    output: (memory, _inputs, out) => {
      for (let i = 0; i < n; i++) out[i] = memory[memory[place] * n + i];
      return true;
    },
    step: (memory, inputs) => {
      for (let i = 0; i < n; i++) memory[memory[place] * n + i] = inputs[i];
      memory[place] = (memory[place] + 1) % samples;
    },
  };
};
