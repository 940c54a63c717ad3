/** What a plot says of its signals: which are not there, and what stands in their place. */
import type { RunInfo } from '@contract/methods';
import { computed, type ComputedRef } from 'vue';
import { text } from '../../i18n';
import { useCatalogueStore } from '../../stores/catalogue';
import { useRunsStore } from '../../stores/runs';
import { missingHint, missingSignals, otherMeanings } from './missing-signals';

export interface SignalWords {
  /** names that the run shown has not recorded */
  missing: ComputedRef<string[]>;
  /** in place of the curves, where there is none; empty otherwise */
  hint: ComputedRef<string>;
  /** beside the curves: those that are left out, or mean something else in a run behind */
  remark: ComputedRef<string>;
  /** of one signal: why it is missing, else its name */
  explain: (name: string) => string;
}

/** @param signals names that the plot asks for */
export function useSignalWords(signals: ComputedRef<string[]>): SignalWords {
  const runs = useRunsStore();
  const catalogue = useCatalogueStore();
  const hintOf = (names: readonly string[], run: RunInfo): string =>
    missingHint(names, run, catalogue.schemeTitle(run.scheme));

  const missing = computed(() =>
    runs.current === null ? [] : missingSignals(signals.value, runs.current).map(({ name }) => name),
  );
  const hint = computed(() => {
    const run = runs.current;
    if (run === null) return text('plot.notRun');
    if (signals.value.includes('') || signals.value.length === 0) return text('plot.noneChosen');
    return missing.value.length < signals.value.length ? '' : hintOf(signals.value, run);
  });
  const remark = computed(() => {
    const run = runs.current;
    if (run === null || hint.value !== '') return '';
    return [hintOf(signals.value, run), otherMeanings(signals.value, run, runs.compared)]
      .filter((sentence) => sentence !== '')
      .join(' ');
  });
  const explain = (name: string): string => {
    const run = runs.current;
    return run !== null && missing.value.includes(name) ? hintOf([name], run) : name;
  };
  return { missing, hint, remark, explain };
}
