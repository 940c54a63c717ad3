/** Spectra of signals. */
import { z } from 'zod';
import {
  type PlaneAnnotation,
  type PlaneEnds,
  type ViewHead,
  head,
  planeAnnotations,
  planeEnds,
  planeMarks,
  signals,
} from '../../engine/document/views/common';

const SPECTRUM_WINDOWS = ['rectangular', 'hann', 'blackman', 'flatTop'] as const;
const SPECTRUM_QUANTITIES = ['amplitude', 'density'] as const;

/** `xRange` is in Hz. */
export interface SpectrumView extends ViewHead<'spectrum'>, PlaneEnds {
  signals: string[];
  /** default hann */
  window?: (typeof SPECTRUM_WINDOWS)[number];
  /** default amplitude */
  quantity?: (typeof SPECTRUM_QUANTITIES)[number];
  /** whether the vertical axis is linear; default logarithmic */
  isLinear?: boolean;
  /** whether the axis of frequencies is logarithmic; default linear */
  isLogFrequency?: boolean;
  /** span of time that is taken, s; all of it when absent */
  from?: number;
  to?: number;
  /** width of the curves, px */
  size?: number;
  annotations?: PlaneAnnotation[];
}

export const spectrum = z.strictObject({
  ...head<SpectrumView>('spectrum'),
  signals,
  window: z
    .enum(SPECTRUM_WINDOWS)
    .optional()
    .meta({ description: 'By which the signal is weighted over its span.', default: 'hann' }),
  quantity: z
    .enum(SPECTRUM_QUANTITIES)
    .optional()
    .meta({ description: 'Amplitudes, or the density of power.', default: 'amplitude' }),
  isLinear: z.boolean().optional().describe('Whether the vertical axis is linear; logarithmic when absent.'),
  isLogFrequency: z
    .boolean()
    .optional()
    .describe('Whether the axis of frequencies is logarithmic; linear when absent.'),
  from: z.number().optional().describe('Span of time that is taken, s: its beginning.'),
  to: z.number().optional().describe('Its end, s.'),
  ...planeEnds,
  size: planeMarks.size,
  annotations: planeAnnotations,
});
