/** Spectra of signals. */
import { z } from 'zod';
import { head, signal, type ViewHead } from './common';

export interface SpectrumView extends ViewHead<'spectrum'> {
  signals: string[];
  /** default hann */
  window?: 'rectangular' | 'hann' | 'blackman' | 'flatTop';
  /** default amplitude */
  quantity?: 'amplitude' | 'density';
  /** whether the vertical axis is linear; default logarithmic */
  isLinear?: boolean;
  /** span of time that is taken, s; all of it when absent */
  from?: number;
  to?: number;
}

export const spectrum = z.strictObject({
  ...head('spectrum'),
  signals: z.array(signal),
  window: z.enum(['rectangular', 'hann', 'blackman', 'flatTop']).optional(),
  quantity: z.enum(['amplitude', 'density']).optional(),
  isLinear: z.boolean().optional().describe('Whether the vertical axis is linear; logarithmic when absent.'),
  from: z.number().optional().describe('Span of time that is taken, s: its beginning.'),
  to: z.number().optional().describe('Its end, s.'),
});
