/** A trajectory in the space of three signals. */
import { z } from 'zod';
import { type PlaneMarks, type ViewHead, head, planeMarks, signal } from '../../engine/document/views/common';

/** `size` is the width of the curve. */
export interface AttractorView extends ViewHead<'attractor'>, PlaneMarks {
  x: string;
  y: string;
  z: string;
  /** where it is seen from, degrees about the vertical axis and above the horizon */
  azimuth?: number;
  elevation?: number;
  /** default 1 */
  zoom?: number;
  /** time from which on it is drawn, s: a transient is left out */
  from?: number;
  /** time until which it is drawn, s */
  to?: number;
  /** whether colour tells the time */
  byTime?: boolean;
}

const angle = z.number().min(-360).max(360).optional();

export const attractor = z.strictObject({
  ...head<AttractorView>('attractor'),
  x: signal.describe('Signal on the first axis.'),
  y: signal.describe('Signal on the second axis.'),
  z: signal.describe('Signal on the third axis.'),
  azimuth: angle.describe('Where it is seen from: angle about the vertical axis, degrees.'),
  elevation: angle.describe('Angle above the horizon, degrees.'),
  zoom: z.number().positive().optional().describe('1 shows the whole box.'),
  from: z.number().optional().describe('Time from which on it is drawn, s.'),
  to: z.number().optional().describe('Time until which it is drawn, s.'),
  byTime: z.boolean().optional().describe('Whether colour tells the time.'),
  ...planeMarks,
});
