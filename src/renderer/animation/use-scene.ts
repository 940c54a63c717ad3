/** The scene that is shown: of the current run, or of the document while there is none. */
import type { Scene } from '@engine/scene/scene';
import { computed, type ComputedRef, shallowRef, watch } from 'vue';
import { LatestWins } from '../dashboard/plot/latest-wins';
import { describeError, useNoticesStore } from '../stores/notices';
import { useReportStore } from '../stores/report';
import { useRunsStore } from '../stores/runs';
import { useHost } from '../transport/host';

export interface ShownScene {
  readonly scene: Scene;
  /** null: of the document, at its initial state */
  readonly runId: string | null;
}

/** @returns null while nothing is known of a scene, and of a model without bodies */
export function useScene(): { shown: ComputedRef<ShownScene | null>; isWaiting: ComputedRef<boolean> } {
  const runs = useRunsStore();
  const report = useReportStore();
  const answer = shallowRef<{ runId: string; scene: Scene | null } | null>(null);
  const reader = new LatestWins<string, Scene | null>(
    async (runId) => (await useHost().dispatcher.dispatch('run.scene', { runId })).scene,
    (scene, runId) => (answer.value = { runId, scene }),
    (error) => {
      if (describeError(error).code !== 'unknown-run') useNoticesStore().failure(error);
    },
  );
  const prepared = computed(() => {
    const run = runs.current;
    return run !== null && run.state !== 'queued' && run.state !== 'starting' ? run.runId : null;
  });
  watch(
    prepared,
    (runId) => {
      if (runId !== null) void reader.ask(runId);
    },
    { immediate: true },
  );
  const shown = computed<ShownScene | null>(() => {
    const runId = runs.currentId;
    if (runId === null) {
      const scene = report.report.scene;
      return scene === undefined ? null : { scene, runId: null };
    }
    const scene = answer.value?.runId === runId ? answer.value.scene : null;
    return scene === null ? null : { scene, runId };
  });
  const isWaiting = computed(() => runs.currentId !== null && answer.value?.runId !== runs.currentId);
  return { shown, isWaiting };
}
