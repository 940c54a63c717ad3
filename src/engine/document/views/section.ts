/** Points of a Poincaré section in the plane of two signals. */
import { z } from 'zod';
import { elementId, head, signal, type ViewHead } from './common';
import { type PlaneOptions, planeOptions } from './plot-options';

export interface SectionView extends ViewHead<'section'>, PlaneOptions {
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
  ...planeOptions,
});
