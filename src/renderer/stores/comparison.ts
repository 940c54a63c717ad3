/** Comparison of the two schemes on the present model: its runs, how far they are, and what comes out. */
import type { RemoteError } from '@contract/errors';
import type { CompareResult, RunInfo } from '@contract/methods';
import type { ModelDocument } from '@engine/document/types';
import { defineStore } from 'pinia';
import { computed, shallowRef, watch } from 'vue';
import { DEFAULT_LEVELS, planComparison, type PlannedRun, withConstantStep } from '../comparison/plan';
import { samePhysics } from '../document/physics';
import { useHost } from '../transport/host';
import { useDocumentStore } from './document';
import { describeError } from './notices';
import { useReportStore } from './report';
import { isActive, useRunsStore } from './runs';

/** Runs that compute at once: more of them than cores only wait for each other. */
const AT_ONCE = 2;

export interface ComparisonRun extends PlannedRun {
  runId: string | null;
  /** why it could not start */
  refusal: RemoteError | null;
}

export const useComparisonStore = defineStore('comparison', () => {
  const documents = useDocumentStore();
  const report = useReportStore();
  const runs = useRunsStore();

  const levels = shallowRef<number>(DEFAULT_LEVELS);
  const planned = shallowRef<ComparisonRun[]>([]);
  const phase = shallowRef<'idle' | 'running' | 'comparing' | 'done'>('idle');
  const result = shallowRef<CompareResult | null>(null);
  const failure = shallowRef<RemoteError | null>(null);
  /** what was compared */
  const subject = shallowRef<ModelDocument | null>(null);
  /** number of the present attempt: what an earlier one still learns is dropped */
  let attempt = 0;

  /** step that the document names, s; NaN while it cannot be evaluated */
  const h = computed(() => {
    const given = documents.model.simulation.h;
    const value = typeof given === 'number' ? given : report.valueAt('/simulation/h');
    return value !== undefined && value > 0 ? value : NaN;
  });
  const isBusy = computed(() => phase.value === 'running' || phase.value === 'comparing');
  const isStale = computed(() => subject.value !== null && !samePhysics(subject.value, documents.model));

  const infoOf = (runId: string | null): RunInfo | undefined => runs.runs.find((run) => run.runId === runId);

  function set(place: number, change: Partial<ComparisonRun>): void {
    planned.value = planned.value.map((run, k) => (k === place ? { ...run, ...change } : run));
  }

  /** Resolves when a run has ended, or is no longer known. */
  function ended(runId: string): Promise<void> {
    return new Promise((resolve) => {
      const stop = watch(
        () => {
          const run = infoOf(runId);
          return run === undefined || !isActive(run);
        },
        (over) => {
          if (!over) return;
          resolve();
          // Not within its own first call, when there is nothing to stop yet.
          queueMicrotask(() => stop());
        },
        { immediate: true, flush: 'sync' },
      );
    });
  }

  async function runOne(place: number, document: ModelDocument, mine: number): Promise<void> {
    const run = planned.value[place];
    if (run === undefined) return;
    try {
      // The step of the document needs no saying: the name of a run tells what is special about it.
      const step = run.h === h.value ? {} : { h: run.h };
      const info = await runs.launch({ scheme: run.scheme, ...step }, document);
      if (info === null) return;
      if (mine !== attempt) {
        await runs.cancelRun(info.runId);
        return;
      }
      set(place, { runId: info.runId });
      showFirstTwo();
      await ended(info.runId);
    } catch (error) {
      if (mine === attempt) set(place, { refusal: describeError(error) });
    }
  }

  /** The event-driven run with the coarsest of the others behind it. */
  function showFirstTwo(): void {
    const [reference, first] = planned.value;
    const shown = reference?.runId ?? null;
    const behind = first?.runId ?? null;
    if (shown !== null) runs.showWith(shown, behind === null ? [] : [behind]);
  }

  /** What went wrong with a run; null for one that has recorded all it should. */
  function errorOf({ runId, refusal }: ComparisonRun): RemoteError | null {
    const run = infoOf(runId);
    return refusal ?? run?.error ?? null;
  }

  async function compare(mine: number): Promise<void> {
    const [reference, ...others] = planned.value;
    const done = others.flatMap(({ runId }) => (infoOf(runId)?.state === 'done' ? [runId ?? ''] : []));
    const error = reference === undefined ? null : errorOf(reference);
    const measuredBy = reference?.runId ?? null;
    if (measuredBy === null || error !== null || done.length === 0) {
      failure.value = error ?? others.map(errorOf).find((one) => one !== null) ?? null;
      phase.value = 'done';
      return;
    }
    phase.value = 'comparing';
    try {
      const params = { reference: measuredBy, others: done };
      const answer = await useHost().dispatcher.dispatch('run.compare', params);
      if (mine === attempt) result.value = answer;
    } catch (thrown) {
      if (mine === attempt) failure.value = describeError(thrown);
    }
    if (mine === attempt) phase.value = 'done';
  }

  /** Starts the runs, two at a time, and compares what they have recorded. */
  async function start(): Promise<void> {
    if (isBusy.value || runs.refusal !== null || !Number.isFinite(h.value)) return;
    const mine = ++attempt;
    subject.value = documents.model;
    const document = withConstantStep(documents.model);
    planned.value = planComparison(h.value, levels.value).map((run) => ({
      ...run,
      runId: null,
      refusal: null,
    }));
    result.value = null;
    failure.value = null;
    phase.value = 'running';
    let next = 0;
    const work = async (): Promise<void> => {
      while (mine === attempt && next < planned.value.length) await runOne(next++, document, mine);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    if (mine === attempt) await compare(mine);
  }

  /** Ends what is still computing; what is there already stays. */
  async function cancel(): Promise<void> {
    attempt++;
    phase.value = 'done';
    const computing = planned.value.flatMap(({ runId }) => {
      const run = infoOf(runId);
      return run !== undefined && isActive(run) ? [run.runId] : [];
    });
    await Promise.all(computing.map((runId) => runs.cancelRun(runId)));
  }

  /** runs of this comparison that the host still keeps */
  const kept = computed(() =>
    planned.value.flatMap(({ runId }) => (infoOf(runId) === undefined ? [] : [runId ?? ''])),
  );

  /** Deletes the runs; what was found by comparing them stays. */
  async function discard(): Promise<void> {
    if (isBusy.value) return;
    await Promise.all(kept.value.map((runId) => runs.remove(runId)));
  }

  watch(
    () => documents.session,
    () => {
      if (isBusy.value) void cancel();
      attempt++;
      planned.value = [];
      result.value = null;
      failure.value = null;
      subject.value = null;
      phase.value = 'idle';
    },
  );

  return {
    levels,
    planned,
    phase,
    result,
    failure,
    h,
    isBusy,
    isStale,
    kept,
    infoOf,
    errorOf,
    start,
    cancel,
    discard,
  };
});
