/** Comparison of the two schemes on the present model: its runs, how far they are, and what comes out. */
import { separation } from '@contract/comparison';
import type { RemoteError } from '@contract/errors';
import type { CompareResult, RunInfo } from '@contract/methods';
import type { ModelDocument } from '@engine/document/types';
import { defineStore } from 'pinia';
import { computed, shallowReactive, shallowRef } from 'vue';
import { DEFAULT_LEVELS, planComparison, type PlannedComparison, withConstantStep } from '../comparison/plan';
import { samePhysics } from '../document/physics';
import { whenEnded } from '../runs/when-ended';
import { useHost } from '../transport/host';
import { useDocumentStore } from './document';
import { describeError } from './notices';
import { perDocument } from './per-document';
import { useReportStore } from './report';
import { type ComputedDocument, isActive, useRunsStore } from './runs';

/** Runs that compute at once: more of them than cores only wait for each other. */
const AT_ONCE = 2;

export interface ComparisonRun extends PlannedComparison {
  runId: string | null;
  /** why it could not start */
  refusal: RemoteError | null;
}

/** The comparison of one document. */
interface Comparison {
  planned: ComparisonRun[];
  phase: 'idle' | 'running' | 'comparing' | 'done';
  /** over all that the runs have recorded */
  result: CompareResult | null;
  /** over the time until the runs separate; null where they do not */
  together: CompareResult | null;
  failure: RemoteError | null;
  /** what was compared */
  subject: ModelDocument | null;
  /** number of the present attempt: what an earlier one still learns is dropped */
  attempt: number;
}

export const useComparisonStore = defineStore('comparison', () => {
  const documents = useDocumentStore();
  const report = useReportStore();
  const runs = useRunsStore();

  const levels = shallowRef<number>(DEFAULT_LEVELS);
  const states = perDocument<Comparison>(() =>
    shallowReactive({
      planned: [],
      phase: 'idle',
      result: null,
      together: null,
      failure: null,
      subject: null,
      attempt: 0,
    }),
  );
  const planned = computed(() => states.value.planned);
  const phase = computed(() => states.value.phase);
  const result = computed(() => states.value.result);
  const together = computed(() => states.value.together);
  const failure = computed(() => states.value.failure);

  /** step that the document names, s; NaN while it cannot be evaluated */
  const h = computed(() => {
    const given = documents.model.simulation.h;
    const value = typeof given === 'number' ? given : report.valueAt('/simulation/h');
    return value !== undefined && value > 0 ? value : NaN;
  });
  const isBusy = computed(() => phase.value === 'running' || phase.value === 'comparing');
  const isStale = computed(() => {
    const { subject } = states.value;
    return subject !== null && !samePhysics(subject, documents.model);
  });

  const infoOf = (runId: string | null): RunInfo | undefined => runs.runs.find((run) => run.runId === runId);

  function set(state: Comparison, place: number, change: Partial<ComparisonRun>): void {
    state.planned = state.planned.map((run, k) => (k === place ? { ...run, ...change } : run));
  }

  async function runOne(
    state: Comparison,
    place: number,
    computed: ComputedDocument,
    mine: number,
  ): Promise<void> {
    const run = state.planned[place];
    if (run === undefined) return;
    try {
      // The step of the document needs no saying: the name of a run tells what is special about it.
      const step = run.h === h.value ? {} : { h: run.h };
      const info = await runs.launch({ scheme: run.scheme, ...step }, computed);
      if (info === null) return;
      if (mine !== state.attempt) {
        await runs.cancelRun(info.runId);
        return;
      }
      set(state, place, { runId: info.runId });
      showFirstTwo(state);
      await whenEnded(info.runId);
    } catch (error) {
      if (mine === state.attempt) set(state, place, { refusal: describeError(error) });
    }
  }

  /** The event-driven run with the coarsest of the others behind it. */
  function showFirstTwo(state: Comparison): void {
    if (state !== states.value) return;
    const [reference, first] = state.planned;
    const shown = reference?.runId ?? null;
    const behind = first?.runId ?? null;
    if (shown !== null) runs.showWith(shown, behind === null ? [] : [behind]);
  }

  /** What went wrong with a run; null for one that has recorded all it should. */
  function errorOf({ runId, refusal }: ComparisonRun): RemoteError | null {
    const run = infoOf(runId);
    return refusal ?? run?.error ?? null;
  }

  async function compare(state: Comparison, mine: number): Promise<void> {
    const [reference, ...others] = state.planned;
    const done = others.flatMap(({ runId }) => (infoOf(runId)?.state === 'done' ? [runId ?? ''] : []));
    const error = reference === undefined ? null : errorOf(reference);
    const measuredBy = reference?.runId ?? null;
    if (measuredBy === null || error !== null || done.length === 0) {
      state.failure = error ?? others.map(errorOf).find((one) => one !== null) ?? null;
      state.phase = 'done';
      return;
    }
    state.phase = 'comparing';
    try {
      const params = { reference: measuredBy, others: done };
      const { dispatcher } = useHost();
      const whole = await dispatcher.dispatch('run.compare', params);
      const to = separation(whole);
      const part = to === null ? null : await dispatcher.dispatch('run.compare', { ...params, to });
      if (mine === state.attempt) [state.result, state.together] = [whole, part];
    } catch (thrown) {
      if (mine === state.attempt) state.failure = describeError(thrown);
    }
    if (mine === state.attempt) state.phase = 'done';
  }

  /** Starts the runs, two at a time, and compares what they have recorded. */
  async function start(): Promise<void> {
    if (isBusy.value || runs.refusal !== null || !Number.isFinite(h.value)) return;
    const state = states.value;
    const mine = ++state.attempt;
    const { session, model: origin } = documents;
    const computed = { session, origin, document: withConstantStep(origin) };
    const plan = planComparison(h.value, levels.value);
    state.subject = origin;
    state.planned = plan.map((run) => ({ ...run, runId: null, refusal: null }));
    state.result = null;
    state.together = null;
    state.failure = null;
    state.phase = 'running';
    let next = 0;
    const wanted = (): boolean => mine === state.attempt && documents.sessions.has(session);
    const work = async (): Promise<void> => {
      while (wanted() && next < state.planned.length) await runOne(state, next++, computed, mine);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    if (wanted()) await compare(state, mine);
  }

  /** Ends what is still computing; what is there already stays. */
  async function cancel(): Promise<void> {
    states.value.attempt++;
    states.value.phase = 'done';
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

  return {
    levels,
    planned,
    phase,
    result,
    together,
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
