/** Until when runs are compared, why no longer, and which are left out, in words. */
import type { CompareResult } from '@contract/methods';
import { formatNumber } from '../components/numbers';
import { text } from '../i18n';
import { useComparisonStore } from '../stores/comparison';
import { useDisplayUnitsStore } from '../stores/display-units';
import { shownWords } from '../units/shown';

/** Digits of times. */
const DIGITS = 4;

/**
 * @param whole over all that the runs have recorded
 * @param shown the comparison that the figures show: the same, or the part before the runs separate
 */
function extentWords(whole: CompareResult, shown: CompareResult): string {
  const unit = useDisplayUnitsStore().of('s');
  const time = (t: number): string => shownWords(t, unit, DIGITS);
  if (shown.to < whole.to)
    return text('comparison.separated', { to: time(shown.to), recorded: time(whole.to) });
  if (whole.endedBy === null)
    return text('comparison.wholeTime', { from: time(whole.from), to: time(whole.to) });
  const ended = [whole.reference, ...whole.others].find(({ runId }) => runId === whole.endedBy);
  return text('comparison.endedBy', { to: time(whole.to), run: ended?.name ?? '' });
}

/** Of runs that were not compared. */
function leftOutWords({ others }: CompareResult): string[] {
  const store = useComparisonStore();
  return store.planned.slice(1).flatMap((planned) => {
    if (others.some(({ runId }) => runId === planned.runId)) return [];
    const { state } = store.infoOf(planned.runId) ?? {};
    const known = state === undefined ? text('comparison.deleted') : text(`run.state.${state}`);
    const why = store.errorOf(planned)?.message ?? known;
    return [text('comparison.leftOut', { h: formatNumber(planned.h, 5), why })];
  });
}

export const extentLines = (whole: CompareResult, shown: CompareResult): string[] => [
  extentWords(whole, shown),
  ...leftOutWords(whole),
];
