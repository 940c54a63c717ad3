/** Runs that last: which of them belong to the documents of this window, from one session to the next. */
import { defineStore } from 'pinia';
import { watch } from 'vue';
import { text } from '../i18n';
import { useHost } from '../transport/host';
import { useDocumentStore } from './document';
import { useNoticesStore } from './notices';
import { useRunsStore } from './runs';

export const useKeptRunsStore = defineStore('kept-runs', () => {
  const documents = useDocumentStore();
  const runs = useRunsStore();
  const notices = useNoticesStore();
  const page = crypto.randomUUID();
  /** key under which the runs of each open document are known */
  const known = new Map<number, string>();
  let asking: Promise<void> = Promise.resolve();

  const keyOf = (session: number): string | undefined => documents.bySession(session)?.keys[0];
  const open = (): (readonly [number, string])[] =>
    documents.documents.map((one) => [one.session, one.keys[0]] as const);

  /** A document that has been saved takes the runs it has got along. */
  async function follow(): Promise<void> {
    for (const [session, key] of open()) {
      if ((known.get(session) ?? key) === key) continue;
      const ids = runs.runs.filter(({ runId }) => runs.owners.get(runId) === session);
      if (ids.length > 0)
        await useHost().dispatcher.dispatch('run.assign', {
          document: key,
          runs: ids.map(({ runId }) => runId),
        });
    }
  }

  async function ask(again: boolean): Promise<void> {
    await follow();
    const sessions = open();
    const fresh = sessions.filter(([session, key]) => again || known.get(session) !== key);
    known.clear();
    for (const [session, key] of sessions) known.set(session, key);
    const { runs: found, problems } = await useHost().dispatcher.dispatch('run.attend', {
      page,
      documents: sessions.map(([, key]) => key),
    });
    for (const { place, reason } of problems)
      notices.warning(text('keptRuns.damaged', { reason }), text('keptRuns.setAside', { place }));
    for (const [session, key] of fresh) {
      if (keyOf(session) !== key) continue;
      await runs.restore(
        session,
        found.filter((run) => run.documents.includes(key)),
      );
    }
  }

  /** Tells the host what is open, and lists what has been kept of it. */
  function attend(again = true): Promise<void> {
    asking = asking.then(() => ask(again)).catch(notices.failure);
    return asking;
  }

  watch(
    () => open().join('\n'),
    () => void attend(false),
  );

  return { attend };
});
