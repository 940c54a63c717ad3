/** What a sweep varies, and how. */
import type { ElementDefinition, FieldDefinition } from '../definition';
import { parameter } from './common-fields';

/** Values from one end to the other. */
const range: readonly FieldDefinition[] = [
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
];

const list: FieldDefinition = {
  key: 'values',
  kind: 'vector',
  length: 'any',
  label: 'Values',
  symbol: 'p_k',
  unit: '',
  required: true,
  help: 'In the order in which they are computed.',
};

/** Whose initial value is varied. */
const state: FieldDefinition = {
  key: 'state',
  kind: 'text',
  maxLength: 200,
  label: 'State',
  symbol: 'p',
  unit: '',
  required: true,
  help: 'Name of a position, velocity or first-order state, such as ball.q or beam.v[2]: its initial value is varied.',
};

/** Values of a parameter, or that a state starts from. */
export const axisDefinitions: readonly ElementDefinition[] = [
  {
    category: 'axis',
    type: 'range',
    title: 'Range',
    summary: 'Equally spaced values of a parameter, both ends included.',
    equations: ['p_k = p_0 + k\\,\\frac{p_1 - p_0}{n - 1}'],
    fields: [parameter, ...range],
    source: '',
  },
  {
    category: 'axis',
    type: 'values',
    title: 'List',
    summary: 'Values of a parameter one by one.',
    equations: ['p_0, p_1, \\dots'],
    fields: [parameter, list],
    source: '',
  },
  {
    category: 'axis',
    type: 'initialRange',
    title: 'Range of initial values',
    summary: 'Equally spaced values that a state starts from, both ends included.',
    equations: ['p = x_i(t_0)', 'p_k = p_0 + k\\,\\frac{p_1 - p_0}{n - 1}'],
    fields: [state, ...range],
    source: '',
  },
  {
    category: 'axis',
    type: 'initialValues',
    title: 'List of initial values',
    summary: 'Values that a state starts from, one by one.',
    equations: ['p = x_i(t_0)', 'p_0, p_1, \\dots'],
    fields: [state, list],
    source: '',
  },
];
