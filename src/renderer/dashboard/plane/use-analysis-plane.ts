/**
 * A plot of what analyses have found, in a plane: which of them its chart shows, and what of the plane is
 * seen.
 */
import type { ViewDocument } from '@engine/document/types';
import type { AnalysisChart } from '@views/shared/analysis-chart';
import type { PlaneUnits } from '@views/shared/plane-chart';
import { computed, type ComputedRef } from 'vue';
import { useAnalysesStore } from '../../stores/analyses';
import { useDisplayUnitsStore } from '../../stores/display-units';
import { picture } from '../figures/canvas-of';
import { type PlanePlot, usePlanePlot } from './use-plane-plot';

export interface AnalysisPlane<Shown> extends PlanePlot {
  /** ids of the analyses */
  readonly chosen: ComputedRef<readonly string[]>;
  readonly shown: ComputedRef<Shown>;
}

/** @param subject what is shown beside the analyses; where it is another one, all of it is seen */
export function useAnalysisPlane<V extends ViewDocument, Shown extends { readonly units: PlaneUnits }>(
  chart: AnalysisChart<V, Shown>,
  view: () => V,
  subject: (shown: Shown) => string = () => '',
): AnalysisPlane<Shown> {
  const analyses = useAnalysesStore();
  const units = useDisplayUnitsStore();
  const chosen = computed(() =>
    chart.choose(view(), analyses.list).filter((id) => analyses.list.some((one) => one.id === id)),
  );
  const shown = computed(() => {
    const outcomes = chosen.value.map((id) => analyses.outcomeOf(id)).filter((one) => one !== null);
    return chart.shown(view(), outcomes, units);
  });
  const plot = usePlanePlot(
    () => view().id,
    () => chart.ranges(view(), shown.value),
    (look) => chart.draw(view(), shown.value, { ...look, picture }),
    () => [...chosen.value, subject(shown.value)].join('\n'),
    () => shown.value.units,
  );
  return { ...plot, chosen, shown };
}
