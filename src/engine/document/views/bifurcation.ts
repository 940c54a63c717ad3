/** What sweeps and branches of orbits have found, over a parameter. */
import { z } from 'zod';
import { elementId, head, type ViewHead } from './common';

export interface BifurcationView extends ViewHead<'bifurcation'> {
  /** ids of analyses of the document */
  analyses: string[];
  /** signal, state or measure on the vertical axis; empty: the first one */
  y: string;
}

export const bifurcation = z.strictObject({
  ...head('bifurcation'),
  analyses: z.array(elementId).describe('Ids of sweeps and branches of the document.'),
  y: z.string().describe('Signal, state or measure over the parameter; the first one when empty.'),
});
