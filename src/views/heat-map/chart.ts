/** A measure over the two parameters of a sweep, or the period of its section. */
import type { SweepOutcome } from '@contract/analyses';
import type { HeatMapView } from '@engine/document/types';
import { fixedPlane } from '@figures/plane';
import { diagramWords } from '../bifurcation/words';
import { type AnalysisChart, firstOrNamed } from '../shared/analysis-chart';
import { heatUnits, shownHeatMap, shownHeatView } from '../shared/shown-analyses';
import { barPixels } from './colours';
import {
  asksForPlane,
  type HeatMap,
  heatMapOf,
  heatMapOption,
  heatPixels,
  heatRanges,
  isPlaneSweep,
} from './drawing';

interface ShownHeat {
  readonly part: SweepOutcome | null;
  readonly map: HeatMap | null;
  readonly units: ReturnType<typeof heatUnits>;
  readonly options: HeatMapView;
}

/** Axes before anything is known. */
const EMPTY = { x: { min: 0, max: 1 }, y: { min: 0, max: 1 } };

export const heatMap: AnalysisChart<HeatMapView, ShownHeat> = {
  choose: (view, all) => firstOrNamed(view, all, asksForPlane),
  shown: (view, [outcome], units) => {
    const part = outcome !== undefined && isPlaneSweep(outcome) ? outcome : null;
    const found = part === null ? null : heatMapOf(part, view.y, view.direction);
    return {
      part,
      map: found === null ? null : shownHeatMap(found, units),
      units: heatUnits(found, units),
      options: shownHeatView(view, found, units),
    };
  },
  ranges: (_, { map, options }) => fixedPlane(map === null ? EMPTY : heatRanges(map), options),
  draw: (_, { map, options }, { picture, ...look }) =>
    heatMapOption({
      map,
      image:
        map === null ? null : picture(map.values, JSON.stringify(options), () => heatPixels(map, options)),
      bar: picture(options, 'bar', () => barPixels(options)),
      options,
      words: diagramWords,
      ...look,
    }),
};
