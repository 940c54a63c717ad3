/** One signal against another. */
import { z } from 'zod';
import { head, horizontal, type ViewHead, vertical } from './common';
import { type PlaneOptions, planeOptions } from './plot-options';

export interface PhasePortraitView extends ViewHead<'phase-portrait'>, PlaneOptions {
  x: string;
  y: string;
}

export const phasePortrait = z.strictObject({
  ...head('phase-portrait'),
  x: horizontal,
  y: vertical,
  ...planeOptions,
});
