/** Each value of a signal at the points of a section over the one before. */
import { z } from 'zod';
import {
  elementId,
  head,
  horizontal,
  type PlaneEnds,
  planeEnds,
  type PlaneMarks,
  planeMarks,
  planeOptions,
  type ViewHead,
} from '../../engine/document/views/common';

export interface ReturnMapView extends ViewHead<'return-map'>, PlaneEnds, PlaneMarks {
  /** id of a section of the simulation; the first one when empty */
  section: string;
  /** the signal whose returns are shown */
  x: string;
  /** a unit is equally long on both axes */
  equalAspect?: boolean;
  /** steps between the points and the diagonal lead from each return to the next */
  cobweb?: boolean;
}

export const returnMap = z.strictObject({
  ...head<ReturnMapView>('return-map'),
  section: z
    .union([z.literal(''), elementId])
    .describe('Id of a section of the simulation. The first one when empty.'),
  x: horizontal.describe('Signal whose value at each point of the section is drawn over the one before.'),
  ...planeEnds,
  equalAspect: planeOptions.equalAspect,
  cobweb: z
    .boolean()
    .optional()
    .describe('Whether steps between the points and the diagonal lead from each return to the next.'),
  ...planeMarks,
});
