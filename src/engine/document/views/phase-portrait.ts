/** One signal against another. */
import { z } from 'zod';
import { head, signal, type ViewHead } from './common';
import { type PlaneOptions, planeOptions } from './plot-options';

export interface PhasePortraitView extends ViewHead<'phase-portrait'>, PlaneOptions {
  x: string;
  y: string;
}

export const phasePortrait = z.strictObject({
  ...head('phase-portrait'),
  x: signal,
  y: signal,
  ...planeOptions,
});
