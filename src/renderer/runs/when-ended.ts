/** Waiting for runs. */
import type { RunInfo } from '@contract/methods';
import { watch } from 'vue';
import { isActive, useRunsStore } from '../stores/runs';

/** Resolves to a run when it has ended; to undefined when it is no longer known. */
export function whenEnded(runId: string): Promise<RunInfo | undefined> {
  const runs = useRunsStore();
  const infoOf = (): RunInfo | undefined => runs.runs.find((run) => run.runId === runId);
  return new Promise((resolve) => {
    const stop = watch(
      () => {
        const run = infoOf();
        return run === undefined || !isActive(run);
      },
      (over) => {
        if (!over) return;
        resolve(infoOf());
        // Not within its own first call, when there is nothing to stop yet.
        queueMicrotask(() => stop());
      },
      { immediate: true, flush: 'sync' },
    );
  });
}
