/** How far the curves of the shown run may be off, where a time series is to draw that and it is measured. */
import type { Accuracy } from '@contract/methods';
import type { TimeSeriesView } from '@engine/document/types';
import { type BandWords, type ErrorBand, shownErrorBand } from '@figures/error-band';
import { computed, type ComputedRef } from 'vue';
import { text } from '../i18n';
import { useDisplayUnitsStore } from '../stores/display-units';
import { useRunsStore } from '../stores/runs';

const words = (): BandWords => ({
  error: text('plot.errorBand'),
  noDigits: (time) => text('plot.noDigits', { time }),
});

export interface DrawnErrorBand {
  band: ComputedRef<ErrorBand | null>;
  /** why none is drawn although it is asked for; empty otherwise */
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
  /** as text: it comes anew with each message, and plots hang on it */
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
  const bandRemark = computed(() => (isAsked() && band.value === null ? text('plot.noErrorBand') : ''));
  return { band, bandRemark };
}
