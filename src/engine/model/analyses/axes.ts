/** How a sweep varies its parameters. */
import type { ElementDefinition } from '../definition';
import { parameter } from './common-fields';

/** Values of a parameter. */
export const axisDefinitions: readonly ElementDefinition[] = [
  {
    category: 'axis',
    type: 'range',
    title: 'Range',
    summary: 'Equally spaced values of a parameter, both ends included.',
    equations: ['p_k = p_0 + k\\,\\frac{p_1 - p_0}{n - 1}'],
    fields: [
      parameter,
      {
        key: 'from',
        kind: 'number',
        label: 'From',
        symbol: 'p_0',
        unit: '',
        required: true,
        help: 'First value.',
      },
      {
        key: 'to',
        kind: 'number',
        label: 'To',
        symbol: 'p_1',
        unit: '',
        required: true,
        help: 'Last value.',
      },
      {
        key: 'count',
        kind: 'integer',
        min: 1,
        max: 1_000_000,
        label: 'Values',
        symbol: 'n',
        unit: '',
        required: false,
        default: 100,
        help: 'How many. Random points and Latin hypercubes take the ends only.',
      },
    ],
    source: '',
  },
  {
    category: 'axis',
    type: 'values',
    title: 'List',
    summary: 'Values of a parameter one by one.',
    equations: ['p_0, p_1, \\dots'],
    fields: [
      parameter,
      {
        key: 'values',
        kind: 'vector',
        length: 'any',
        label: 'Values',
        symbol: 'p_k',
        unit: '',
        required: true,
        help: 'In the order in which they are computed.',
      },
    ],
    source: '',
  },
];
