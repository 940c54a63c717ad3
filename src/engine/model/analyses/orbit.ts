/** A periodic orbit and its multipliers. */
import type { ElementDefinition } from '../definition';
import { forcing, multiple, period, phase, settle } from './common-fields';

export const orbit: ElementDefinition = {
  category: 'analysis',
  type: 'orbit',
  title: 'Periodic orbit',
  summary: 'The orbit near the motion, its Floquet multipliers and the sequence of its contacts.',
  equations: ['P(x) = x', '\\det\\left(\\frac{\\partial P}{\\partial x} - \\mu I\\right) = 0'],
  fields: [
    forcing,
    period,
    multiple,
    phase,
    settle,
    {
      key: 'section',
      kind: 'reference',
      to: 'section',
      label: 'Section',
      symbol: '\\Sigma',
      unit: '',
      required: false,
      help: 'On impact or on a surface: the orbit starts there, in place of the phase, and closes by returning to it.',
    },
    {
      key: 'returns',
      kind: 'integer',
      min: 1,
      max: 1000,
      label: 'Returns to the section',
      symbol: 'm_\\Sigma',
      unit: '',
      required: false,
      help: 'After so many returns the orbit repeats; found by looking on when left out.',
    },
  ],
  source: 'Newton shooting; saltation matrices after P. C. Müller, Chaos, Solitons & Fractals 5 (1995) 1671',
};
