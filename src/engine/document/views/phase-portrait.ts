/** One signal against another. */
import { z } from 'zod';
import { head, signal, type ViewHead } from './common';

export interface PhasePortraitView extends ViewHead<'phase-portrait'> {
  x: string;
  y: string;
}

export const phasePortrait = z.strictObject({ ...head('phase-portrait'), x: signal, y: signal });
