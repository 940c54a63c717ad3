/**
 * What of the run that is shown lies in the selected span of time, as plots in a plane or in space mark it.
 */
import type { PortraitResult, SectionResult, SpaceCurve } from '@contract/methods';
import { computed, type ComputedRef, onBeforeUnmount, shallowRef, watch } from 'vue';
import { describeError, useNoticesStore } from '../../stores/notices';
import { useRunsStore } from '../../stores/runs';
import { useTimeSelectionStore } from '../../stores/time-selection';
import { useHost } from '../../transport/host';
import { LatestWins } from '../plot/latest-wins';

/** A part of a run. */
interface Part {
  runId: string;
  from: number;
  to: number;
}

/** Side of the picture that longer parts come as, cells: it is not drawn. */
const UNSEEN = 16;

/**
 * @param names of the signals that the plot draws
 * @param subject a further reason to ask again
 * @param ask for the part
 * @returns null while nothing is selected, and where the run has not recorded it
 */
function useSelected<Answer>(
  names: () => readonly string[],
  subject: () => string,
  ask: (part: Part) => Promise<Answer>,
): ComputedRef<Answer | null> {
  const runs = useRunsStore();
  const selection = useTimeSelectionStore();
  const found = shallowRef<{ runId: string; result: Answer } | null>(null);

  const reader = new LatestWins<Part, Answer>(
    ask,
    (result, { runId }) => (found.value = { runId, result }),
    (error) => {
      if (describeError(error).code !== 'unknown-run') useNoticesStore().failure(error);
    },
  );

  function refresh(): void {
    const run = runs.current;
    const { span } = selection;
    const isKnown = names().every((name) => run?.signals.some((signal) => signal.name === name) === true);
    if (run === null || span === null || !isKnown || run.statistics.rows === 0) found.value = null;
    else void reader.ask({ runId: run.runId, from: span.min, to: span.max });
  }

  watch(
    [
      () => runs.currentId,
      () => runs.current?.state,
      () => selection.span,
      () => names().join(' '),
      () => subject(),
    ],
    refresh,
    { immediate: true },
  );
  onBeforeUnmount(() => reader.close());

  return computed(() =>
    selection.span !== null && found.value?.runId === runs.currentId ? found.value.result : null,
  );
}

/**
 * The selected part in the plane of two signals.
 *
 * @param axes names of the two signals
 * @param maxPoints of a curve; a part with more of them is a density
 */
export const useSelectedPart = (
  axes: () => readonly [string, string],
  maxPoints: number,
): ComputedRef<PortraitResult | null> =>
  useSelected(
    axes,
    () => '',
    (part) => {
      const [x, y] = axes();
      const picture = { maxPoints, width: UNSEEN, height: UNSEEN };
      return useHost().dispatcher.dispatch('run.portrait', { ...part, x, y, ...picture });
    },
  );

/**
 * Points of a section in the selected span.
 *
 * @param view its section and the signals of its axes
 * @param maxPoints more of them are a density
 */
export const useSelectedPoints = (
  view: () => { readonly section: string; readonly x: string; readonly y: string },
  maxPoints: number,
): ComputedRef<SectionResult | null> =>
  useSelected(
    () => [view().x, view().y],
    () => view().section,
    (part) => {
      const { section, x, y } = view();
      const picture = { maxPoints, width: UNSEEN, height: UNSEEN };
      return useHost().dispatcher.dispatch('run.section', { ...part, section, x, y, ...picture });
    },
  );

/** The selected part in the space of three signals. @param maxPoints more rows are thinned */
export const useSelectedCurve = (
  names: () => readonly [string, string, string],
  maxPoints: number,
): ComputedRef<SpaceCurve | null> =>
  useSelected(
    names,
    () => '',
    (part) => {
      const [x, y, z] = names();
      return useHost().dispatcher.dispatch('run.curve', { ...part, x, y, z, maxPoints });
    },
  );
