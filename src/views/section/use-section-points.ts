/**
 * What is done with the point of a section that is nearest to a place: a run is started there, or the cursor
 * of all plots is put at its time.
 */
import type { RunInfo, RunSection } from '@contract/methods';
import type { SectionView } from '@engine/document/types';
import type { PlaneRanges } from '@figures/plane';
import type { Range } from '@figures/ranges';
import { useNoticesStore } from '@renderer/stores/notices';
import { usePlotCursorStore } from '@renderer/stores/plot-cursor';
import { useRunsStore } from '@renderer/stores/runs';
import { useHost } from '@renderer/transport/host';
import type { PlaneUnits } from '../shared/plane-chart';
import { type PointChoice, startAtPoint } from '@renderer/dashboard/plane/start-at-point';

/**
 * @param view with the section that is shown
 * @param taken the section as the current run has it
 * @param units in which places and ranges are given
 */
export function useSectionPoints(
  view: () => SectionView,
  taken: () => RunSection | undefined,
  units: () => PlaneUnits,
) {
  const runs = useRunsStore();
  const cursor = usePlotCursorStore();

  /** the run, where it has points */
  const crossed = (): RunInfo | null => ((taken()?.points ?? 0) > 0 ? runs.current : null);

  /** The nearest point to a place. @param extents units of distance along both axes */
  function nearestTo(at: readonly [number, number], extents: PlaneRanges): Omit<PointChoice, 'isExact'> {
    const { section, x, y } = view();
    const { x: horizontal, y: vertical } = units();
    const width = ({ min, max }: Range, factor: number): number => (max - min) / factor;
    return {
      section,
      x,
      y,
      at: [at[0] / horizontal.factor, at[1] / vertical.factor],
      scale: [width(extents.x, horizontal.factor), width(extents.y, vertical.factor)],
    };
  }

  /** Starts a run at a place. @param isExact at the point that is nearest */
  async function start(at: readonly [number, number], extents: PlaneRanges, isExact: boolean): Promise<void> {
    const run = crossed();
    if (run !== null) await startAtPoint(run, { ...nearestTo(at, extents), isExact });
  }

  /** Puts the cursor of the plots at the time of the point nearest to a place. */
  async function moveCursor(at: readonly [number, number], extents: PlaneRanges): Promise<void> {
    const run = crossed();
    if (run === null) return;
    const { at: place, scale, ...question } = nearestTo(at, extents);
    try {
      const { point } = await useHost().dispatcher.dispatch('run.sectionPoint', {
        runId: run.runId,
        ...question,
        at: [...place],
        scale: [...scale],
      });
      const time = point?.values['t'];
      if (point !== null && time !== undefined)
        cursor.moveTo(time, false, { section: question.section, values: point.values });
    } catch (error) {
      useNoticesStore().failure(error);
    }
  }

  return { start, moveCursor };
}
