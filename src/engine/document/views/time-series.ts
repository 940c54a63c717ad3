/** Signals over time. */
import { z } from 'zod';
import { head, signal, type ViewHead } from './common';

export interface TimeSeriesView extends ViewHead<'time-series'> {
  signals: string[];
}

export const timeSeries = z.strictObject({ ...head('time-series'), signals: z.array(signal) });
