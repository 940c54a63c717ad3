/** A quantity over the two parameters of a sweep. */
import { z } from 'zod';
import { head, type ViewHead } from './common';

export interface HeatMapView extends ViewHead<'heat-map'> {
  /** id of a sweep of the document; empty: the first one over a grid of two parameters */
  analysis: string;
  /** measure that the colour tells, or `period`; empty: the first one */
  y: string;
  /** which of the directions of the sweep; the first one when absent */
  direction?: 'initial' | 'up' | 'down';
}

export const heatMap = z.strictObject({
  ...head('heat-map'),
  analysis: z
    .string()
    .max(64)
    .describe('Id of a sweep over a grid of two parameters; the first one when empty.'),
  y: z
    .string()
    .describe(
      'Measure that the colour tells, or `period`: section points after which the motion repeats itself. The first one when empty.',
    ),
  direction: z
    .enum(['initial', 'up', 'down'])
    .optional()
    .describe('Direction of the sweep that is shown; the first one when absent.'),
});
