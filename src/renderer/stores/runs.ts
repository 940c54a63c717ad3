/** Runs: what the host computes for this window, and which of them the plots show. */
import type { RunInfo } from '@contract/methods';
import type { ModelDocument } from '@engine/document/types';
import { defineStore } from 'pinia';
import { computed, shallowRef, watch } from 'vue';
import { text } from '../i18n';
import { sameParameterValues, samePhysics } from '../document/physics';
import { type ComputedDocument, OTHER_SCHEME, type RunOverrides } from '../runs/overrides';
import * as documentRuns from '../runs/document-runs';
import type { DocumentRuns } from '../runs/document-runs';
import { continued, inOrder, shownFirst } from '../runs/run-list';
import { RunNews } from '../pacing/run-news';
import { useRedrawBudget } from '../pacing/window-budget';
import { useHost } from '../transport/host';
import { useDocumentStore } from './document';
import { describeError, useNoticesStore } from './notices';
import { ofDocument, perDocument, setOfDocument } from './per-document';
import { useReportStore } from './report';
import { useSettingsStore } from './settings';
import { useWorkspaceStore } from './workspace';

export type { ComputedDocument, RunOverrides } from '../runs/overrides';

const ACTIVE: readonly RunInfo['state'][] = ['queued', 'starting', 'running', 'paused'];

/** Quiet time after a slider moved before the model runs again, ms. */
const LIVE_DELAY = 80;

/**
 * The same after a value was typed, ms: longer than the pause between two keys, so that `0.5` does not run
 * `0`.
 */
const TYPING_DELAY = 400;

/** True while the host still computes or holds the run. */
export const isActive = (run: RunInfo): boolean => ACTIVE.includes(run.state);

export const useRunsStore = defineStore('runs', () => {
  const documents = useDocumentStore();
  const report = useReportStore();
  const notices = useNoticesStore();
  const workspace = useWorkspaceStore();

  const runs = shallowRef<RunInfo[]>([]);
  /** what is kept of the runs of each document; `../runs/document-runs` says what becomes of it */
  const own = perDocument(documentRuns.noRuns);
  /** a slider re-runs the model */
  const live = shallowRef(useSettingsStore().values['runs.live']);
  /** simulated seconds in one of wall time for the runs to come; null as fast as possible */
  const speed = shallowRef<number | null>(null);
  /** session of the document that each run was started from here */
  const owners = shallowRef<ReadonlyMap<string, number>>(new Map());
  /** runs that were given up here; the host may still speak of them for a moment */
  const gone = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Changes what is kept of a document's runs; without effect once it is closed. */
  function change(session: number, next: (runs: DocumentRuns) => DocumentRuns): void {
    setOfDocument(own, session, next(ofDocument(own, session)));
  }

  /** the run the plots show in full colour */
  const currentId = computed(() => own.value.shown?.runId ?? null);
  /** the run before it, drawn faintly */
  const previousId = computed(() => own.value.shown?.previous ?? null);
  /** the discarded run of the same slider movement: its curves stay until the current run has some */
  const replacedId = computed(() => own.value.shown?.replaced ?? null);
  /** runs kept in the plots for comparison */
  const pinned = computed(() => own.value.pinned);
  const starting = computed(() => own.value.attempt.name === 'starting');
  /** why the last run could not even start, e.g. a script that fails at the initial state */
  const startError = computed(() => {
    const { attempt } = own.value;
    return attempt.name === 'failed' ? attempt.error : null;
  });

  const byId = (id: string | null): RunInfo | null => runs.value.find((run) => run.runId === id) ?? null;
  const current = computed(() => byId(currentId.value));
  /** runs drawn behind the current one */
  const compared = computed(() => {
    const ids = new Set([...pinned.value, ...(previousId.value === null ? [] : [previousId.value])]);
    return runs.value.filter((run) => ids.has(run.runId) && run.runId !== currentId.value);
  });
  /** all runs that are drawn, the current one last */
  const drawn = computed(() => [...compared.value, ...(current.value === null ? [] : [current.value])]);
  /** what went wrong in the run that is shown, or in the attempt to start one */
  const failure = computed(() => startError.value ?? current.value?.error ?? null);
  const active = computed(() => (current.value !== null && isActive(current.value) ? current.value : null));
  /** the document would give another motion than the one shown; false where that cannot be known */
  const stale = computed(() => {
    const document = currentId.value === null ? undefined : own.value.computed.get(currentId.value);
    return document !== undefined && !samePhysics(document, documents.model);
  });
  /** a model without systems and without a script that could build some */
  const empty = computed(
    () =>
      documents.model.systems.length === 0 &&
      (documents.model.components ?? []).length === 0 &&
      (report.report.built?.systems.length ?? 0) === 0 &&
      !(report.errors.length > 0 && documents.model.scripts.some((script) => script.role === 'builder')),
  );
  /** why a run is refused now; null when it may start */
  const refusal = computed<'errors' | 'active' | 'empty' | null>(() => {
    if (active.value !== null || starting.value) return 'active';
    // An empty model has errors of its own; what to do about them is to add a system.
    if (empty.value) return 'empty';
    return report.errors.length > 0 ? 'errors' : null;
  });

  /** the scheme that the document does not choose */
  const otherScheme = computed(() => OTHER_SCHEME[documents.model.simulation.scheme]);

  function update(changed: readonly RunInfo[]): void {
    const byRun = new Map(changed.filter(({ runId }) => !gone.has(runId)).map((run) => [run.runId, run]));
    if (byRun.size === 0) return;
    const present = runs.value.map((run) => continued(run, byRun.get(run.runId) ?? run));
    const known = new Set(runs.value.map(({ runId }) => runId));
    runs.value = [...present, ...[...byRun.values()].filter(({ runId }) => !known.has(runId))];
  }

  const news = new RunNews(useRedrawBudget(), (runId) => byId(runId)?.state, update);

  /** The newest run of a document; of any document where it has none. */
  function lastOf(session: number): string | null {
    const mine = runs.value.filter((run) => owners.value.get(run.runId) === session);
    return (mine.at(-1) ?? runs.value.at(-1))?.runId ?? null;
  }

  function drop(runId: string): void {
    runs.value = runs.value.filter((run) => run.runId !== runId);
    for (const { session } of documents.tabs)
      change(session, (one) => documentRuns.drop(one, runId, lastOf(session)));
  }

  /** Takes a run out of the list and has the host end and delete it. @returns whether the host has done so */
  async function discard(run: RunInfo, forGood: boolean): Promise<boolean> {
    const { runId } = run;
    const { dispatcher } = useHost();
    gone.add(runId);
    drop(runId);
    try {
      if (isActive(run)) await dispatcher.dispatch('run.cancel', { runId });
      await dispatcher.dispatch('run.delete', { runId, forGood });
      return true;
    } catch (error) {
      // The host may have dropped it first; then there is nothing left to do.
      if (describeError(error).code !== 'unknown-run') notices.failure(error);
      return false;
    }
  }

  /** Runs that the host has removed. */
  function forget(runIds: readonly string[]): void {
    for (const runId of runIds) {
      gone.add(runId);
      drop(runId);
    }
  }

  /** Notes which state of which document a run computes. @param isOurs whether it has been started here */
  function remember(session: number, runId: string, document: ModelDocument, isOurs: boolean): void {
    change(session, (one) => documentRuns.remember(one, runId, document, isOurs));
    owners.value = new Map([...owners.value, [runId, session]]);
  }

  /**
   * Lists runs of a document that were computed before it was opened. The newest one is shown where none is,
   * from what was recorded of it; of a group all of it is, as when it was started.
   */
  async function restore(session: number, listed: readonly RunInfo[]): Promise<void> {
    const found = listed.filter(({ runId }) => !gone.has(runId));
    if (found.length === 0 || !documents.sessions.has(session)) return;
    update(found);
    sortByStart();
    owners.value = new Map([...owners.value, ...found.map(({ runId }) => [runId, session] as const)]);
    const pins = found.filter((run) => run.pinned).map(({ runId }) => runId);
    const first = shownFirst(found, runs.value);
    const isShown = ofDocument(own, session).shown !== null;
    change(session, (one) => documentRuns.restored(one, pins, first));
    const [shown] = first;
    if (shown === undefined || isShown) return;
    const { origin } = await useHost().dispatcher.dispatch('run.document', { runId: shown });
    remember(session, shown, origin, false);
  }

  /**
   * Starts a run and lists it, without showing it.
   * @param computed what is run, and the document it belongs to, where that is not the present one to the
   *   letter
   * @returns null if the document was closed meanwhile: the run is not needed then
   * @throws {MoreauError} why it could not start
   */
  async function launch(overrides: RunOverrides, computed?: ComputedDocument): Promise<RunInfo | null> {
    const session = computed?.session ?? documents.session;
    const document = computed?.origin ?? documents.model;
    const run = await useHost().dispatcher.dispatch('run.start', {
      document: computed?.document ?? document,
      ...overrides,
      belongsTo: documents.bySession(session)?.keys ?? [],
      ...(speed.value === null ? {} : { speed: speed.value }),
    });
    news.hear(run);
    if (!documents.sessions.has(session)) {
      void act('run.cancel', run.runId);
      return null;
    }
    remember(session, run.runId, document, true);
    return run;
  }

  /** Starts measuring the accuracy of a run; the result is delivered with the run. */
  async function measure(runId: string): Promise<void> {
    try {
      await useHost().dispatcher.dispatch('run.accuracy', { runId });
    } catch (error) {
      notices.failure(error);
    }
  }

  /** Starts a run and shows it. @returns false when it could not start */
  async function begin(reference: string | null, overrides: RunOverrides = {}): Promise<boolean> {
    const { session } = documents;
    change(session, documentRuns.attempt);
    try {
      await report.refresh();
      if (session !== documents.session) return false;
      if (report.errors.length > 0) {
        workspace.lowerTab = 'problems';
        return false;
      }
      const run = await launch(overrides);
      if (run === null) return false;
      const before = byId(reference);
      const isOwn = before !== null && ofDocument(own, session).computed.has(before.runId);
      const previous = isOwn && before.statistics.rows > 1 ? before.runId : null;
      change(session, (one) => documentRuns.started(one, run.runId, previous));
      return true;
    } catch (error) {
      const details = describeError(error);
      if (details.code === 'connection-lost') notices.failure(error);
      else change(session, (one) => documentRuns.failed(one, details));
      return false;
    } finally {
      change(session, documentRuns.settled);
    }
  }

  /** Runs the document and shows the run. @param overrides for this run only */
  async function start(overrides: RunOverrides = {}): Promise<void> {
    if (refusal.value !== null) return;
    clearTimeout(timer);
    change(documents.session, documentRuns.withoutReplaced);
    await begin(currentId.value, overrides);
  }

  /**
   * Runs again once the edits pause: ends the run in progress. Runs that edits start replace each other,
   * unless they are pinned; the one that was shown before them stays for comparison.
   * @param delay quiet time, ms
   */
  function rerun(delay = LIVE_DELAY): void {
    clearTimeout(timer);
    timer = undefined;
    if (!live.value || own.value.computed.size === 0) return;
    timer = setTimeout(() => {
      timer = undefined;
      void rerunNow();
    }, delay);
  }

  /** Runs again at once when an edit waits for its pause: the value has been committed. */
  function commit(): void {
    if (timer !== undefined) rerun(0);
  }

  async function rerunNow(): Promise<void> {
    if (starting.value) return rerun();
    await report.refresh();
    if (report.errors.length > 0 || starting.value) return;
    // Who goes through a run step by step does not want it replaced.
    if (active.value?.state === 'paused') return;
    // A value typed back to what it was, or an undone one, may be the shown run already.
    if (!stale.value && current.value !== null && current.value.state !== 'cancelled') return;
    const { version, session } = documents;
    const shown = current.value;
    const last = byId(own.value.live);
    const isReplaced = shown !== null && (isActive(shown) || shown.runId === last?.runId);
    if (await begin(isReplaced ? previousId.value : currentId.value, { live: true })) {
      const isPinned = ({ runId }: RunInfo): boolean => ofDocument(own, session).pinned.has(runId);
      const replaced = isReplaced && !isPinned(shown) ? shown : null;
      change(session, (one) => documentRuns.startedByEdit(one, replaced?.runId ?? null));
      // Only now: the window never falls back to an older run while the new one is being started.
      if (replaced !== null) await discard(replaced, true);
      if (last !== null && last !== replaced && !isPinned(last)) await discard(last, true);
    }
    if (session !== documents.session) return;
    // The slider moved on while the run was being started.
    if (version !== documents.version) rerun();
  }

  async function act(method: 'run.pause' | 'run.resume' | 'run.cancel', runId: string): Promise<void> {
    try {
      news.hear(await useHost().dispatcher.dispatch(method, { runId }));
    } catch (error) {
      notices.failure(error);
    }
  }

  async function togglePause(): Promise<void> {
    const run = active.value;
    if (run !== null) await act(run.state === 'paused' ? 'run.resume' : 'run.pause', run.runId);
  }

  const cancelRun = (runId: string): Promise<void> => act('run.cancel', runId);

  async function cancel(): Promise<void> {
    if (active.value !== null) await cancelRun(active.value.runId);
  }

  async function remove(runId: string): Promise<void> {
    const run = byId(runId);
    if (run === null) return;
    const isShown = currentId.value === runId;
    const { session } = documents;
    const isPinned = pinned.value.has(runId);
    if (!(await discard(run, false))) return;
    const message = text('keptRuns.deleted', { run: run.name });
    const undo = async (): Promise<void> => {
      const told = notices.notices.find((notice) => notice.message === message);
      if (told !== undefined) notices.forget(told.id);
      if (!(await restoreDeleted(runId))) return;
      if (isPinned) change(session, (one) => documentRuns.pin(one, [...one.pinned, runId]));
      if (isShown && documents.session === session) show(runId);
    };
    notices.info(message, [{ label: text('keptRuns.undoDelete'), run: undo }]);
  }

  /** Brings a deleted run back to its place in the list. */
  async function restoreDeleted(runId: string): Promise<boolean> {
    try {
      const run = await useHost().dispatcher.dispatch('run.restore', { runId });
      gone.delete(runId);
      update([run]);
      sortByStart();
      return true;
    } catch (error) {
      notices.failure(error);
      return false;
    }
  }

  function sortByStart(): void {
    runs.value = inOrder(runs.value);
  }

  function show(runId: string): void {
    change(documents.session, (one) => documentRuns.show(one, runId));
  }

  /** Lists and shows a run that repeats another one, whose document it belongs to. */
  function adopt(run: RunInfo, repeated: string): void {
    news.hear(run);
    const session = owners.value.get(repeated);
    const origin = session === undefined ? undefined : ofDocument(own, session).computed.get(repeated);
    if (session !== undefined && origin !== undefined) remember(session, run.runId, origin, true);
    show(run.runId);
  }

  /** Shows a run with others behind it. */
  function showWith(runId: string, others: readonly string[]): void {
    change(documents.session, (one) => documentRuns.showWith(one, runId, others));
  }

  /**
   * The first of some runs of a document is shown with the others behind it, unless another one is shown
   * meanwhile.
   */
  function showGroup(session: number, ids: readonly string[]): void {
    change(session, (one) => documentRuns.showGroup(one, ids));
  }

  async function togglePin(runId: string): Promise<void> {
    const next = new Set(pinned.value);
    const isPinned = !next.delete(runId);
    if (isPinned) next.add(runId);
    change(documents.session, (one) => documentRuns.pin(one, next));
    try {
      news.hear(await useHost().dispatcher.dispatch('run.pin', { runId, pinned: isPinned }));
    } catch (error) {
      // The plots show it all the same; it is its keeping that has failed.
      notices.failure(error);
    }
  }

  /** Whether a run of a document is computing or paused. */
  const isComputing = (session: number): boolean =>
    runs.value.some((run) => isActive(run) && owners.value.get(run.runId) === session);

  // A document whose runs are there is one that somebody works with.
  documents.keepIf((session) => ofDocument(own, session).begun);

  // The run of a closed document is no longer watched.
  documents.onClose((session) => {
    for (const run of runs.value)
      if (isActive(run) && owners.value.get(run.runId) === session) void act('run.cancel', run.runId);
  });

  /** Reads the host's list again, e.g. after a reconnection. */
  async function reload(): Promise<void> {
    runs.value = await useHost().dispatcher.dispatch('run.list', {});
    news.clear();
    const { shown } = own.value;
    if (shown !== null && current.value === null)
      change(documents.session, (one) => documentRuns.drop(one, shown.runId, null));
  }

  watch(
    () => documents.session,
    () => {
      clearTimeout(timer);
      timer = undefined;
    },
  );

  const seen = (): { model: ModelDocument; travels: number; session: number } => ({
    model: documents.model,
    travels: documents.travels,
    session: documents.session,
  });
  let before = seen();
  watch(
    () => documents.version,
    () => {
      const last = before;
      const now = (before = seen());
      if (now.session !== last.session) return;
      if (now.travels !== last.travels) {
        if (!samePhysics(now.model, last.model)) rerun();
      } else if (!sameParameterValues(now.model, last.model)) rerun(TYPING_DELAY);
    },
    { flush: 'sync' },
  );

  useHost().dispatcher.onEvent((event) => {
    if (event.event === 'run.progress') news.hear(event.data.run);
  });

  return {
    measure,
    runs,
    current,
    startError,
    failure,
    currentId,
    previousId,
    replacedId,
    owners,
    isComputing,
    stale,
    pinned,
    compared,
    drawn,
    active,
    live,
    starting,
    refusal,
    otherScheme,
    speed,
    hear: (run: RunInfo) => news.tell(run),
    adopt,
    forget,
    restore,
    launch,
    start,
    rerun,
    commit,
    togglePause,
    cancel,
    cancelRun,
    remove,
    show,
    showWith,
    showGroup,
    togglePin,
    reload,
  };
});
