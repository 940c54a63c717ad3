/** How far the curves of the shown run may be off, where a time series is to draw that and it is measured. */
import type { Accuracy } from '@contract/methods';
import type { TimeSeriesView } from '@engine/document/types';
import { type BandWords, type ErrorBand, hasBands, shownErrorBand } from '@figures/error-band';
import { computed, type ComputedRef } from 'vue';
import { text } from '../../i18n';
import { useDisplayUnitsStore } from '../../stores/display-units';
import { useRunsStore } from '../../stores/runs';

const words = (): BandWords => ({
  error: text('plot.errorBand.name'),
  noDigits: (time) => text('plot.noDigits', { time }),
});

export interface DrawnErrorBand {
  band: ComputedRef<ErrorBand | null>;
  /** why no band is drawn although it is asked for; empty otherwise */
  bandRemark: ComputedRef<string>;
}

/** @param runId of the run in full colour, null before it has rows @param factors of its signals */
export function useErrorBand(
  view: () => TimeSeriesView,
  runId: () => string | null,
  factors: () => ReadonlyMap<string, number>,
): DrawnErrorBand {
  const runs = useRunsStore();
  const units = useDisplayUnitsStore();
  const isAsked = (): boolean => view().hasErrorBand === true && runId() !== null;
  /** as text: each message brings a new object, and plots depend on it */
  const measured = computed(() => {
    const known = runs.current?.accuracy;
    const isKnown = isAsked() && runId() === runs.currentId && known?.state === 'measured';
    return isKnown ? JSON.stringify(known.accuracy) : '';
  });
  const band = computed(() =>
    measured.value === ''
      ? null
      : shownErrorBand(JSON.parse(measured.value) as Accuracy, factors(), units.of('s').factor, words()),
  );
  const bandRemark = computed(() => {
    if (!isAsked()) return '';
    if (band.value !== null)
      return hasBands(band.value, view().signals) ? '' : text('plot.errorBand.ofState');
    const isMeasuring = runId() === runs.currentId && runs.current?.accuracy?.state === 'measuring';
    return text(isMeasuring ? 'plot.errorBand.measuring' : 'plot.errorBand.notMeasured');
  });
  return { band, bandRemark };
}
