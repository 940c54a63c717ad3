/** Contacts of the run that is shown, at the time cursor, or at the end where there is none. */
import type { SceneBody } from '@engine/scene/scene';
import type { MomentContacts } from '@engine/inspection/contacts-at';
import { computed, onBeforeUnmount, shallowRef, watch } from 'vue';
import { LatestWins } from '../dashboard/plot/latest-wins';
import { describeError, useNoticesStore } from '../stores/notices';
import { usePlotCursorStore } from '../stores/plot-cursor';
import { useRunsStore } from '../stores/runs';
import { useHost } from '../transport/host';

interface Question {
  readonly runId: string;
  /** s */
  readonly time: number;
}

export interface ContactsAnswer {
  readonly runId: string;
  /** null where nothing is known of them */
  readonly contacts: MomentContacts | null;
  /** by their places in the scene */
  readonly bodies: readonly SceneBody[];
}

/** @param isWanted whether anyone looks at them */
export function useContactsAtCursor(isWanted: () => boolean) {
  const runs = useRunsStore();
  const cursor = usePlotCursorStore();
  const answer = shallowRef<ContactsAnswer | null>(null);

  async function ask({ runId, time }: Question): Promise<ContactsAnswer> {
    const { dispatcher } = useHost();
    const { contacts } = await dispatcher.dispatch('run.contacts', { runId, time });
    const known = answer.value?.runId === runId ? answer.value.bodies : [];
    if (contacts === null || known.length > 0) return { runId, contacts, bodies: known };
    const { scene } = await dispatcher.dispatch('run.scene', { runId });
    return { runId, contacts, bodies: scene?.bodies ?? [] };
  }

  const reader = new LatestWins<Question, ContactsAnswer>(
    ask,
    (found) => (answer.value = found),
    (error, { runId }) => {
      answer.value = { runId, contacts: null, bodies: [] };
      // A run deleted while it was being asked is no news.
      if (describeError(error).code !== 'unknown-run') useNoticesStore().failure(error);
    },
  );
  const question = computed<Question | null>(() => {
    const run = runs.current;
    if (run === null || !isWanted() || run.statistics.rows === 0) return null;
    return { runId: run.runId, time: cursor.mark?.t ?? run.statistics.simulatedTime };
  });
  watch(
    [() => question.value?.runId, () => question.value?.time],
    () => {
      if (question.value !== null) void reader.ask(question.value);
    },
    { immediate: true },
  );
  onBeforeUnmount(() => reader.close());

  /** of the run that is shown; null while it has not come, and before a run */
  return computed(() => (answer.value?.runId === runs.currentId ? answer.value : null));
}
