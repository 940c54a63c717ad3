/**
 * Charts of what analyses have found, in a plane that can be zoomed. The world that draws knows or computes
 * the outcomes. Pure.
 */
import type { AnalysisOutcome } from '@contract/methods';
import type { AnalysisDocument, ViewDocument } from '@engine/document/types';
import type { DisplayUnits } from '@figures/display-units';
import type { PlaneRanges } from '@figures/plane';
import type { EChartsOption } from 'echarts';
import type { ChartLook } from './chart';
import type { PlaneUnits } from './plane-chart';

/** The part of the plane that is seen, in the units shown; null shows all. */
type AnalysisLook = Pick<ChartLook, 'theme' | 'width' | 'height' | 'x' | 'y' | 'picture'>;

export interface AnalysisChart<V extends ViewDocument, Shown extends { readonly units: PlaneUnits }> {
  /** ids of the analyses that a view shows, of those of the model */
  choose(view: V, all: readonly AnalysisDocument[]): string[];
  /** what is drawn of outcomes, in the units that are shown: made once, drawn at each gesture */
  shown(view: V, outcomes: readonly AnalysisOutcome[], units: DisplayUnits): Shown;
  /** ranges that show all */
  ranges(view: V, shown: Shown): PlaneRanges;
  draw(view: V, shown: Shown, look: AnalysisLook): EChartsOption;
}

/** The analysis that a view names, or the first of its kind; none of a model that has none. */
export function firstOrNamed(
  { analysis }: { readonly analysis: string },
  all: readonly AnalysisDocument[],
  fits: (one: AnalysisDocument) => boolean,
): string[] {
  const offered = all.filter(fits);
  const chosen = offered.find(({ id }) => id === analysis) ?? offered[0];
  return chosen === undefined ? [] : [chosen.id];
}
