/** Points of a Poincaré section in the plane of two signals. */
import { z } from 'zod';
import {
  type PlaneOptions,
  type ViewHead,
  elementId,
  head,
  horizontal,
  planeOptions,
  vertical,
} from '../../engine/document/views/common';

export interface SectionView extends ViewHead<'section'>, PlaneOptions {
  /** id of a section of the simulation; the first one when empty */
  section: string;
  x: string;
  y: string;
}

export const section = z.strictObject({
  ...head<SectionView>('section'),
  section: z
    .union([z.literal(''), elementId])
    .describe('Id of a section of the simulation. The first one when empty.'),
  x: horizontal,
  y: vertical,
  ...planeOptions,
});
