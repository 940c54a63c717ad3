/** The selected part of the run that is shown, in the plane of two signals. */
import type { PortraitResult } from '@contract/methods';
import { computed, type ComputedRef, onBeforeUnmount, shallowRef, watch } from 'vue';
import { describeError, useNoticesStore } from '../stores/notices';
import { useRunsStore } from '../stores/runs';
import { useTimeSelectionStore } from '../stores/time-selection';
import { useHost } from '../transport/host';
import { LatestWins } from './latest-wins';

interface Question {
  runId: string;
  x: string;
  y: string;
  from: number;
  to: number;
}

/** Side of the picture that longer parts come as, cells: it is not drawn. */
const UNSEEN = 16;

/**
 * @param axes names of the two signals
 * @param maxPoints of a curve; a part with more of them is a density
 * @returns null while nothing is selected, and where the run has not recorded it
 */
export function useSelectedPart(
  axes: () => readonly [string, string],
  maxPoints: number,
): ComputedRef<PortraitResult | null> {
  const runs = useRunsStore();
  const selection = useTimeSelectionStore();
  const found = shallowRef<{ runId: string; result: PortraitResult } | null>(null);

  const reader = new LatestWins<Question, PortraitResult>(
    (question) =>
      useHost().dispatcher.dispatch('run.portrait', {
        ...question,
        maxPoints,
        width: UNSEEN,
        height: UNSEEN,
      }),
    (result, { runId }) => (found.value = { runId, result }),
    (error) => {
      if (describeError(error).code !== 'unknown-run') useNoticesStore().failure(error);
    },
  );

  function refresh(): void {
    const run = runs.current;
    const { span } = selection;
    const [x, y] = axes();
    const isKnown = [x, y].every((name) => run?.signals.some((signal) => signal.name === name) === true);
    if (run === null || span === null || !isKnown || run.statistics.rows === 0) found.value = null;
    else void reader.ask({ runId: run.runId, x, y, from: span.min, to: span.max });
  }

  watch(
    [() => runs.currentId, () => runs.current?.state, () => selection.span, () => axes().join(' ')],
    refresh,
    { immediate: true },
  );
  onBeforeUnmount(() => reader.close());

  return computed(() =>
    selection.span !== null && found.value?.runId === runs.currentId ? found.value.result : null,
  );
}
