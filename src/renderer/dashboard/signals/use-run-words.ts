/** What the runs of a plot are called, where several are drawn. */
import { runWords, type RunWords } from '@figures/run-legend';
import { computed, type ComputedRef } from 'vue';
import { useCatalogueStore } from '../../stores/catalogue';
import { useRunsStore } from '../../stores/runs';

/** @param drawn ids of the compared runs that the plot has something of; all when absent */
export function useRunWords(drawn?: () => readonly string[]): ComputedRef<RunWords> {
  const runs = useRunsStore();
  const catalogue = useCatalogueStore();
  // As text: runs tell of themselves many times a second, and plots are redrawn when this changes.
  const told = computed(() => {
    const { current } = runs;
    if (current === null) return '[]';
    const ids = drawn?.();
    const behind = runs.compared.filter(({ runId }) => ids?.includes(runId) ?? true);
    return JSON.stringify([...runWords([current, ...behind], (scheme) => catalogue.schemeTitle(scheme))]);
  });
  return computed(() => new Map(JSON.parse(told.value) as [string, string][]));
}
