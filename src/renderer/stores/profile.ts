/** What the script functions of a run cost, measured on demand by a replay beside it. */
import type { RunProfile } from '@contract/methods';
import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import { counted, text } from '../i18n';
import { useHost } from '../transport/host';
import { useDocumentStore } from './document';
import { useNoticesStore } from './notices';
import { perDocument, setOfDocument } from './per-document';
import { useRunsStore } from './runs';

export const useProfileStore = defineStore('profile', () => {
  const runs = useRunsStore();
  const notices = useNoticesStore();
  const profile = perDocument<RunProfile | null>(() => null);
  const measuring = shallowRef(false);

  /** Measures the run that is shown. */
  async function measure(): Promise<void> {
    const run = runs.current;
    if (run === null) {
      notices.info(text('scripting.notMeasured'));
      return;
    }
    const { session } = useDocumentStore();
    measuring.value = true;
    try {
      const answer = await useHost().dispatcher.dispatch('run.profile', { runId: run.runId });
      setOfDocument(profile, session, answer);
      const message =
        answer.functions.length === 0
          ? text('scripting.nothingCalled')
          : counted('scripting.measuredFor', answer.steps);
      notices.info(message);
    } catch (error) {
      notices.failure(error);
    } finally {
      measuring.value = false;
    }
  }

  return { profile, measuring, measure };
});
