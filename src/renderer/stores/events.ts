/** Events of the run that is shown. They are fetched, page by page, only while somebody looks at them. */
import { defineStore } from 'pinia';
import { computed, shallowRef, triggerRef, watch } from 'vue';
import { EventTable } from '../events/event-table';
import { useHost } from '../transport/host';
import { describeError, useNoticesStore } from './notices';
import { isActive, useRunsStore } from './runs';

/** Events of one question: a page crosses the border in a few milliseconds. */
const PAGE = 5000;

export const useEventsStore = defineStore('events', () => {
  const runs = useRunsStore();
  /** run that the table belongs to */
  const runId = shallowRef<string | null>(null);
  const table = shallowRef(new EventTable());
  /** events that the run has had, and how many of them the host keeps */
  const total = shallowRef(0);
  const kept = shallowRef(0);
  const followers = shallowRef(0);
  let fetching = false;
  /** a run that could not be read is not asked again until something changes */
  let failed: string | null = null;

  const run = computed(() => (runs.current?.scheme === 'event-driven' ? runs.current : null));
  const isComplete = computed(() => table.value.length >= kept.value && runId.value === runs.currentId);

  function begin(id: string | null): void {
    if (runId.value === id) return;
    runId.value = id;
    table.value = new EventTable();
    total.value = 0;
    kept.value = 0;
  }

  /** Whether the host has events that the table has not. */
  function isBehind(): boolean {
    const shown = run.value;
    if (shown === null || shown.runId === failed) return false;
    if (runId.value !== shown.runId) return true;
    const { length } = table.value;
    return length < kept.value || (total.value < shown.statistics.events && length < shown.statistics.events);
  }

  async function fetchPage(): Promise<void> {
    const id = run.value?.runId ?? null;
    begin(id);
    if (id === null) return;
    const firstEvent = table.value.length;
    const answer = await useHost().dispatcher.dispatch('run.events', { runId: id, firstEvent, count: PAGE });
    if (runId.value !== id) return;
    total.value = answer.total;
    kept.value = answer.kept;
    table.value.append(answer.events);
    triggerRef(table);
  }

  async function fetchAll(): Promise<void> {
    if (fetching) return;
    fetching = true;
    try {
      while (followers.value > 0 && isBehind()) {
        const asked = run.value?.runId ?? null;
        try {
          await fetchPage();
        } catch (error) {
          failed = asked;
          // A run deleted while it was being read is no news.
          if (describeError(error).code !== 'unknown-run') useNoticesStore().failure(error);
        }
      }
    } finally {
      fetching = false;
    }
  }

  /** Keeps the table up to date from now on. @returns a function that ends it */
  function follow(): () => void {
    followers.value++;
    void fetchAll();
    let ended = false;
    return () => {
      if (!ended) followers.value--;
      ended = true;
    };
  }

  watch([() => runs.currentId, () => run.value?.statistics.events, () => run.value?.state], () => {
    if (failed !== runs.currentId) failed = null;
    if (runId.value !== runs.currentId) begin(run.value?.runId ?? null);
    if (followers.value > 0) void fetchAll();
  });

  return {
    run,
    table,
    total,
    kept,
    isComplete,
    isGrowing: computed(() => run.value !== null && isActive(run.value)),
    follow,
  };
});
