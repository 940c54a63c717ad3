/** A periodic orbit and its multipliers. */
import type { ElementDefinition } from '../definition';
import { multiple, period, phase, settle } from './common-fields';

export const orbit: ElementDefinition = {
  category: 'analysis',
  type: 'orbit',
  title: 'Periodic orbit',
  summary: 'The orbit near the motion, its Floquet multipliers and the sequence of its contacts.',
  equations: ['P(x) = x', '\\det\\left(\\frac{\\partial P}{\\partial x} - \\mu I\\right) = 0'],
  fields: [
    {
      key: 'forcing',
      kind: 'choice',
      options: [
        {
          value: 'periodic',
          label: 'Periodic',
          help: 'The orbit has the period of the forcing, or a multiple.',
        },
        { value: 'none', label: 'None', help: 'The model is autonomous: the period is found too.' },
      ],
      label: 'Forcing',
      symbol: '',
      unit: '',
      required: false,
      default: 'periodic',
      help: 'What determines the period.',
    },
    period,
    multiple,
    phase,
    settle,
  ],
  source: 'Newton shooting; saltation matrices after P. C. Müller, Chaos, Solitons & Fractals 5 (1995) 1671',
};
