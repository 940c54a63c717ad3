/** Values of signals of the run that is shown at the cursor of the plots. */
import { computed, type ComputedRef, onBeforeUnmount, shallowRef, watch } from 'vue';
import { describeError, useNoticesStore } from '../../stores/notices';
import { usePlotCursorStore } from '../../stores/plot-cursor';
import { useRunsStore } from '../../stores/runs';
import { useHost } from '../../transport/host';
import { LatestWins } from '../plot/latest-wins';

interface Question {
  readonly runId: string;
  readonly t: number;
  readonly names: readonly string[];
}

/** Rows around the cursor that are read. */
const AROUND = 16;

/**
 * @param names signals, also one of them several times
 * @returns their values in the recorded row nearest to the cursor; null without a cursor, and where one of
 *   them is not recorded
 */
export function useCursorValues(names: () => readonly string[]): ComputedRef<readonly number[] | null> {
  const runs = useRunsStore();
  const cursor = usePlotCursorStore();
  const found = shallowRef<{ question: Question; values: readonly number[] } | null>(null);

  const question = computed<Question | null>(() => {
    const run = runs.current;
    const t = cursor.mark?.t;
    const wanted = names();
    if (run === null || t === undefined || run.statistics.rows === 0) return null;
    const isRecorded = wanted.every((name) => run.signals.some((signal) => signal.name === name));
    return isRecorded ? { runId: run.runId, t, names: wanted } : null;
  });

  const reader = new LatestWins<Question, readonly number[]>(
    async ({ runId, t, names: wanted }) => {
      const signals = [...new Set(wanted)];
      const window = { from: t, to: t, buckets: AROUND };
      const { signals: read } = await useHost().dispatcher.dispatch('run.read', {
        runId,
        signals,
        ...window,
      });
      return wanted.map((name) => {
        const one = read.find((signal) => signal.name === name);
        let best = NaN;
        let least = Infinity;
        one?.t.forEach((at, k) => {
          if (Math.abs(at - t) > least) return;
          least = Math.abs(at - t);
          best = one.y[k] ?? NaN;
        });
        return best;
      });
    },
    (values, asked) => (found.value = { question: asked, values }),
    (error) => {
      // A run deleted while it was being read is no news.
      if (describeError(error).code !== 'unknown-run') useNoticesStore().failure(error);
    },
  );

  watch(
    () => JSON.stringify(question.value),
    () => {
      if (question.value !== null) void reader.ask(question.value);
    },
    { immediate: true },
  );
  onBeforeUnmount(() => reader.close());

  return computed(() => {
    const { value } = found;
    const isCurrent = value !== null && JSON.stringify(value.question) === JSON.stringify(question.value);
    return isCurrent && !value.values.some(Number.isNaN) ? value.values : null;
  });
}
