/** Analyses of the documents that are open: what is known of each, and what they have found. */
import type { AnalysisInfo, AnalysisOutcome } from '@contract/methods';
import type { ModelDocument } from '@engine/document/types';
import { defineStore } from 'pinia';
import { computed, shallowReactive, watch } from 'vue';
import { useHost } from '../transport/host';
import { useDocumentStore } from './document';
import { useNoticesStore } from './notices';
import { perDocument } from './per-document';

/** Quiet time after an edit before the host is asked what it knows of the analyses now, ms. */
const QUIET_MS = 250;

interface OfDocument {
  /** jobs by the ids of their analyses: those of the model as it is */
  jobs: Readonly<Record<string, string>>;
  /** jobs that were there last, of a model that has changed since */
  stale: Readonly<Record<string, string>>;
  selected: string | null;
}

export const useAnalysesStore = defineStore('analyses', () => {
  const documents = useDocumentStore();
  const states = perDocument<OfDocument>(() => shallowReactive({ jobs: {}, stale: {}, selected: null }));
  const infos = shallowReactive(new Map<string, AnalysisInfo>());
  const outcomes = shallowReactive(new Map<string, AnalysisOutcome>());
  const asked = new Set<string>();
  /** counts what was started and removed */
  let changes = 0;

  const list = computed(() => documents.model.analyses ?? []);
  const selected = computed(() => {
    const { selected: id } = states.value;
    return list.value.find((one) => one.id === id) ?? list.value[0] ?? null;
  });
  const select = (id: string): void => void (states.value.selected = id);

  /** Of the model as it is; null where nothing is known. */
  const infoOf = (id: string): AnalysisInfo | null => infos.get(states.value.jobs[id] ?? '') ?? null;
  /** Whether what is shown of it was computed of another model, or asked for in another way. */
  const isStale = (id: string): boolean => {
    const present = infoOf(id);
    return (present === null || present.state === 'interrupted') && states.value.stale[id] !== undefined;
  };

  /**
   * What was found, of the model before its last changes where there is nothing newer; fetched when it is
   * first asked for.
   */
  function outcomeOf(id: string): AnalysisOutcome | null {
    const { jobs, stale } = states.value;
    const job = infoOf(id)?.state === 'done' ? jobs[id] : stale[id];
    if (job === undefined) return null;
    const known = outcomes.get(job);
    if (known === undefined) void fetch(job);
    return known ?? null;
  }

  async function fetch(job: string): Promise<void> {
    if (asked.has(job)) return;
    asked.add(job);
    try {
      outcomes.set(job, await useHost().dispatcher.dispatch('analysis.outcome', { job }));
    } catch (error) {
      useNoticesStore().failure(error);
    } finally {
      asked.delete(job);
    }
  }

  function note(state: OfDocument, id: string, info: AnalysisInfo): void {
    infos.set(info.job, info);
    state.jobs = { ...state.jobs, [id]: info.job };
    if (info.state === 'done') state.stale = { ...state.stale, [id]: info.job };
  }

  useHost().dispatcher.onEvent((event) => {
    if (event.event !== 'analysis.progress') return;
    const { analysis } = event.data;
    infos.set(analysis.job, analysis);
    const state = states.value;
    const id = Object.keys(state.jobs).find((one) => state.jobs[one] === analysis.job);
    if (id !== undefined) note(state, id, analysis);
  });

  /** Asks what is known of the analyses of the model as it is. */
  async function refresh(): Promise<void> {
    const state = states.value;
    const { model, version, session } = documents;
    const before = changes;
    if ((model.analyses ?? []).length === 0) {
      state.jobs = {};
      return;
    }
    const found = await useHost()
      .dispatcher.dispatch('analysis.find', { document: model })
      .catch(() => null);
    if (found === null || version !== documents.version || session !== documents.session) return;
    // An answer to a question from before something was started or removed is not news any more.
    if (before !== changes) return refresh();
    const jobs: Record<string, string> = {};
    (model.analyses ?? []).forEach(({ id }, k) => {
      const info = found[k];
      if (info === undefined || info === null) return;
      jobs[id] = info.job;
      infos.set(info.job, info);
      if (info.state === 'done') state.stale = { ...state.stale, [id]: info.job };
    });
    state.jobs = jobs;
  }

  async function start(id: string): Promise<void> {
    const state = states.value;
    const document: ModelDocument = documents.model;
    const { version, session } = documents;
    changes++;
    try {
      const info = await useHost().dispatcher.dispatch('analysis.start', { document, analysis: id });
      changes++;
      // The model may have changed while the answer was on its way, and been asked about since: this is of
      // the one before.
      if (session === documents.session && version !== documents.version) return await refresh();
      // Updates received meanwhile are newer than the answer.
      note(state, id, infos.get(info.job) ?? info);
    } catch (error) {
      useNoticesStore().failure(error);
    }
  }

  async function cancel(id: string): Promise<void> {
    const info = infoOf(id);
    if (info === null) return;
    try {
      await useHost().dispatcher.dispatch('analysis.cancel', { job: info.job });
    } catch (error) {
      useNoticesStore().failure(error);
    }
  }

  /** The result of the present question is removed from the disk. */
  async function forget(id: string): Promise<void> {
    const state = states.value;
    const job = state.jobs[id] ?? state.stale[id];
    if (job === undefined) return;
    changes++;
    try {
      await useHost().dispatcher.dispatch('analysis.forget', { job });
      changes++;
    } catch (error) {
      useNoticesStore().failure(error);
    }
    const without = (table: Readonly<Record<string, string>>): Record<string, string> =>
      Object.fromEntries(Object.entries(table).filter(([, one]) => one !== job));
    state.jobs = without(state.jobs);
    state.stale = without(state.stale);
    infos.delete(job);
    outcomes.delete(job);
  }

  let timer: ReturnType<typeof setTimeout> | undefined;
  watch(
    () => [documents.session, documents.version],
    () => {
      if ((documents.model.analyses ?? []).length === 0 && Object.keys(states.value.jobs).length === 0)
        return;
      clearTimeout(timer);
      timer = setTimeout(() => void refresh(), QUIET_MS);
    },
    { immediate: true },
  );

  return { list, selected, select, infoOf, isStale, outcomeOf, start, cancel, forget, refresh };
});
