/** Runs that last: which of them belong to the documents of this window, from one session to the next. */
import { defineStore } from 'pinia';
import { watch } from 'vue';
import { counted, text } from '../i18n';
import { formatBytes } from '../runs/estimate';
import { useHost } from '../transport/host';
import { useDialogsStore } from './dialogs';
import { useDocumentStore } from './document';
import { useNoticesStore } from './notices';
import { useRunsStore } from './runs';

/** A host that has not heard of a window for minutes takes it for gone, ms. */
const RENEWAL_MS = 60_000;
/** Runs that a notice names. */
const MOST_NAMED = 4;

function namesOf(removed: readonly { name: string; title: string }[]): string {
  const names = removed.slice(0, MOST_NAMED).map(({ name, title }) => `${title}: ${name}`);
  return [...names, ...(removed.length > MOST_NAMED ? ['…'] : [])].join(', ');
}

export const useKeptRunsStore = defineStore('kept-runs', () => {
  const documents = useDocumentStore();
  const runs = useRunsStore();
  const notices = useNoticesStore();
  const dialogs = useDialogsStore();
  const page = crypto.randomUUID();
  /** key under which the runs of each open document are known */
  const known = new Map<number, string>();
  let asking: Promise<void> = Promise.resolve();
  let renewal: ReturnType<typeof setInterval> | undefined;

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
    renewal ??= setInterval(() => void attend(false), RENEWAL_MS);
    asking = asking.then(() => ask(again)).catch(notices.failure);
    return asking;
  }

  watch(
    () => open().join('\n'),
    () => void attend(false),
  );

  useHost().dispatcher.onEvent((event) => {
    if (event.event !== 'run.removed') return;
    const { runs: removed, limit, over } = event.data;
    runs.forget(removed.map(({ runId }) => runId));
    const granted = formatBytes(limit);
    const message =
      removed.length > 0
        ? counted('keptRuns.removed', removed.length, { limit: granted, runs: namesOf(removed) })
        : text('keptRuns.over', { limit: granted, over: formatBytes(over) });
    notices.warning(message, text('keptRuns.removedRemedy'), [
      { label: text('keptRuns.show'), run: () => (dialogs.open = 'kept-runs') },
      { label: text('keptRuns.setting'), run: () => dialogs.showSettings('runs') },
    ]);
  });

  return { attend };
});
