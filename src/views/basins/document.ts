/** Which attractor each start of a plane comes to. */
import { z } from 'zod';
import { type PlaneEnds, type ViewHead, head, planeEnds } from '../../engine/document/views/common';

export interface BasinsView extends ViewHead<'basins'>, PlaneEnds {
  /** id of an analysis of the document; empty: the first one of its kind */
  analysis: string;
  /** the points of the attractors are left out */
  hasNoAttractors?: boolean;
}

export const basins = z.strictObject({
  ...head<BasinsView>('basins'),
  analysis: z.string().max(64).describe('Id of an analysis of basins; the first one when empty.'),
  ...planeEnds,
  hasNoAttractors: z.boolean().optional().describe('Whether the points of the attractors are left out.'),
});
