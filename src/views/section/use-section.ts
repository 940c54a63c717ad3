/** Points of a Poincaré section of the runs that are drawn, as far as they are looked at. */
import type { SectionResult } from '@contract/methods';
import type { SectionView } from '@engine/document/types';
import type { Rectangle } from '@figures/density';
import { computed, onBeforeUnmount, shallowRef, watch } from 'vue';
import { usePacedRefresh, useRedrawBudget } from '@renderer/pacing/window-budget';
import { describeError, useNoticesStore } from '@renderer/stores/notices';
import { useRunsStore } from '@renderer/stores/runs';
import { useHost } from '@renderer/transport/host';
import { LatestWins } from '@renderer/dashboard/latest-wins';

/** More points than this come as a picture of their density. */
const MOST_POINTS = 50_000;
/** Growth factor of the points after which a section is read again; small ones are read at each update. */
const WORTH_A_LOOK = 1.05;
const FEW_POINTS = 20_000;

interface ReadSection {
  runId: string;
  result: SectionResult;
}

interface Question {
  runIds: string[];
  section: string;
  x: string;
  y: string;
  view: Rectangle | null;
  width: number;
  height: number;
}

/**
 * @param view of the document
 * @param window visible part in the units of the model; null shows all
 * @param cells of a picture, px
 */
export function useSection(
  view: () => SectionView,
  window: () => Rectangle | null,
  cells: () => { width: number; height: number },
) {
  const runs = useRunsStore();
  const budget = useRedrawBudget();
  const read = shallowRef<ReadSection[]>([]);
  let asked = 0;

  const wanted = computed(() =>
    runs.drawn.filter(
      (run) =>
        run.sections.some(({ id, points }) => id === view().section && points > 0) &&
        [view().x, view().y].every((name) => run.signals.some((signal) => signal.name === name)),
    ),
  );
  const points = computed(() =>
    wanted.value.reduce(
      (sum, run) => sum + (run.sections.find(({ id }) => id === view().section)?.points ?? 0),
      0,
    ),
  );

  const reader = new LatestWins<Question, ReadSection[]>(
    async ({ runIds, view: part, ...question }) => {
      const { dispatcher } = useHost();
      const answers: ReadSection[] = [];
      for (const runId of runIds) {
        const result = await dispatcher.dispatch('run.section', {
          runId,
          ...question,
          ...(part === null ? {} : { view: part }),
          maxPoints: MOST_POINTS,
        });
        answers.push({ runId, result });
      }
      return answers;
    },
    (answers) => {
      budget.charge();
      read.value = answers;
    },
    (error) => {
      if (describeError(error).code !== 'unknown-run') useNoticesStore().failure(error);
    },
  );

  const refresh = usePacedRefresh(async () => {
    if (wanted.value.length === 0) {
      read.value = [];
      return;
    }
    asked = points.value;
    const side = (pixels: number): number => Math.max(16, Math.min(2048, Math.round(pixels)));
    const { width, height } = cells();
    const { section, x, y } = view();
    const runIds = wanted.value.map(({ runId }) => runId);
    await reader.ask({ runIds, section, x, y, view: window(), width: side(width), height: side(height) });
  });

  watch(
    [
      () => runs.currentId,
      () => wanted.value.map((run) => `${run.runId} ${run.state}`).join(),
      () => view().section,
      () => view().x,
      () => view().y,
      () => cells().width,
      () => cells().height,
      () => window(),
    ],
    refresh.now,
    { immediate: true },
  );
  watch(points, (count) => {
    if (count > WORTH_A_LOOK * asked || count < FEW_POINTS) refresh.inTurn();
  });
  onBeforeUnmount(() => reader.close());

  const current = computed(() => read.value.find(({ runId }) => runId === runs.currentId)?.result ?? null);
  const compared = computed(() =>
    runs.compared
      .map(({ runId }) => read.value.find((one) => one.runId === runId)?.result)
      .filter((result) => result !== undefined),
  );
  return { read, current, compared };
}
