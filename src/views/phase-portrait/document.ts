/** One signal against another. */
import { z } from 'zod';
import {
  type PlaneOptions,
  type ViewHead,
  head,
  horizontal,
  planeOptions,
  vertical,
} from '../../engine/document/views/common';

export interface PhasePortraitView extends ViewHead<'phase-portrait'>, PlaneOptions {
  x: string;
  y: string;
}

export const phasePortrait = z.strictObject({
  ...head<PhasePortraitView>('phase-portrait'),
  x: horizontal,
  y: vertical,
  ...planeOptions,
});
