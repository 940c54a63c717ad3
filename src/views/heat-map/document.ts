/** A quantity over the two parameters of a sweep. */
import { z } from 'zod';
import {
  type FixedRange,
  type PlaneEnds,
  type ViewHead,
  fixedRange,
  head,
  planeEnds,
} from '../../engine/document/views/common';

const COLOUR_SCALES = ['viridis', 'magma', 'grey', 'diverging'] as const;
export type ColourScale = (typeof COLOUR_SCALES)[number];
const MOST_LEVELS = 64;

/** How colours tell values. */
export interface ColourOptions {
  /** default viridis */
  colours?: ColourScale;
  /** ends of the scale, in the unit of the quantity; what lies beyond has the colour of the end */
  colourRange?: FixedRange;
  /** colours go by the logarithm; values that are not positive have none */
  isLog?: boolean;
  /** steps of colour; absent: without steps */
  levels?: number;
}

export interface HeatMapView extends ViewHead<'heat-map'>, PlaneEnds, ColourOptions {
  /** id of a sweep of the document; empty: the first one over a grid of two parameters */
  analysis: string;
  /** measure that the colour tells, or `period`; empty: the first one */
  y: string;
  /** which of the directions of the sweep; the first one when absent */
  direction?: 'initial' | 'up' | 'down';
}

export const heatMap = z.strictObject({
  ...head<HeatMapView>('heat-map'),
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
  ...planeEnds,
  colours: z.enum(COLOUR_SCALES).optional().describe('Scale of colours; viridis when absent.'),
  colourRange: fixedRange
    .optional()
    .describe('Ends of the scale of colours; what lies beyond has the colour of the end.'),
  isLog: z
    .boolean()
    .optional()
    .describe('Whether colours go by the logarithm; values that are not positive have none.'),
  levels: z.number().int().min(2).max(MOST_LEVELS).optional().describe('Steps of colour; absent: no steps.'),
});
