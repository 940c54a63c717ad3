/** A periodic orbit followed over a parameter. */
import type { ElementDefinition } from '../definition';
import { forcing, multiple, parameter, period, phase, returns, section, settle } from './common-fields';

export const branch: ElementDefinition = {
  category: 'analysis',
  type: 'branch',
  title: 'Branch of orbits',
  summary:
    'A periodic orbit followed over a parameter by pseudo-arclength, through folds, to period doublings, tori and grazing.',
  equations: [
    'P(x; p) = x',
    '{}^t\\dot u\\,(u - u_{pred}) = 0,\\quad u = (x, p),\\text{ without forcing } (x, T, p)',
  ],
  fields: [
    { ...parameter, help: 'Over which the orbit is followed.' },
    {
      key: 'from',
      kind: 'number',
      label: 'From',
      symbol: 'p_0',
      unit: '',
      required: true,
      help: 'The branch is not followed below.',
    },
    {
      key: 'to',
      kind: 'number',
      label: 'To',
      symbol: 'p_1',
      unit: '',
      required: true,
      help: 'The branch is not followed above.',
    },
    {
      key: 'at',
      kind: 'number',
      label: 'Start at',
      symbol: 'p^*',
      unit: '',
      required: false,
      help: 'Value at which the first orbit is found; that of the model when left out.',
    },
    forcing,
    period,
    multiple,
    phase,
    settle,
    {
      ...section,
      help: 'On impact or on a surface: the first orbit is shot from there, and orbits are shown by their points on it.',
    },
    {
      ...returns,
      help: 'Number of returns after which the first orbit repeats; detected from the motion when left out.',
    },
    {
      key: 'longestStep',
      kind: 'number',
      min: 0,
      exclusiveMin: true,
      max: 1,
      label: 'Longest step',
      symbol: '\\Delta s',
      unit: '',
      required: false,
      default: 0.02,
      help: 'Relative to the range.',
    },
    {
      key: 'maxPoints',
      kind: 'integer',
      min: 2,
      max: 100_000,
      label: 'Most points',
      symbol: '',
      unit: '',
      required: false,
      default: 1000,
      help: 'In each direction.',
    },
  ],
  source: 'Keller 1977',
};
