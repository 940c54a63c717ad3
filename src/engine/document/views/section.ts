/** Points of a Poincaré section in the plane of two signals. */
import { z } from 'zod';
import { elementId, head, signal, type ViewHead } from './common';

export interface SectionView extends ViewHead<'section'> {
  /** id of a section of the simulation */
  section: string;
  x: string;
  y: string;
}

export const section = z.strictObject({
  ...head('section'),
  section: elementId.describe('Id of a section of the simulation.'),
  x: signal,
  y: signal,
});
