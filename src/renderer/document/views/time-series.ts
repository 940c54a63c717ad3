import type { TimeSeriesView } from '@engine/document/types';
import { ChartSpline } from '@lucide/vue';
import { positionNames, signalNames } from './signal-choice';
import type { ViewKind } from './view-kind';

/** Most signals a time series starts with: more curves than colours cannot be told apart. */
const MOST_SIGNALS = 4;

export const timeSeries: ViewKind<TimeSeriesView> = {
  type: 'time-series',
  title: 'plot.timeSeries',
  icon: ChartSpline,
  share: 1,
  create: (id, { signals }) => ({
    type: 'time-series',
    id,
    signals: [...positionNames(signals), ...signalNames(signals, 'state', 'observable')].slice(
      0,
      MOST_SIGNALS,
    ),
  }),
};

/** Multipliers over time; null of a model without them. */
export function multiplierSeries(
  id: string,
  sources: Parameters<typeof timeSeries.create>[1],
): TimeSeriesView | null {
  const signals = signalNames(sources.signals, 'multiplier', 'impulse').slice(0, MOST_SIGNALS);
  return signals.length === 0 ? null : { type: 'time-series', id, signals };
}
