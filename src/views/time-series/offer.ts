import type { TimeSeriesView } from '@engine/document/types';
import { ChartSpline } from '@lucide/vue';
import { seriesChoices } from '../shared/signal-choice';
import type { ViewKind } from '../shared/offer';

export const timeSeries: ViewKind<TimeSeriesView> = {
  type: 'time-series',
  title: 'views.timeSeries.title',
  icon: ChartSpline,
  share: 1,
  needs: { signals: 'texts' },
  create(id, { document, signals }) {
    const choices = seriesChoices(signals);
    // What no other time series shows yet, as far as there is something.
    const shown = new Set(
      document.views.flatMap((view) => (view.type === 'time-series' ? view.signals : [])),
    );
    const next = choices.find((choice) => choice.signals.some((name) => !shown.has(name))) ?? choices[0];
    return { type: 'time-series', id, signals: next?.signals ?? [] };
  },
};
