/** A periodic orbit and its multipliers. */
import type { ElementDefinition } from '../definition';
import { forcing, multiple, period, phase, returns, sectionChoiceField, settleField } from './common-fields';

export const orbit: ElementDefinition = {
  category: 'analysis',
  type: 'orbit',
  title: 'Periodic orbit',
  summary: 'The orbit near the motion, its Floquet multipliers and the sequence of its contacts.',
  equations: ['P(x) = x', '\\det\\left(\\frac{\\partial P}{\\partial x} - \\mu I\\right) = 0'],
  fields: [forcing, period, multiple, phase, settleField, sectionChoiceField, returns],
  source: 'Newton shooting; saltation matrices after Müller 1995',
};
