/**
 * Views of analyses as charts without a window: they are computed of the model as the run has it, if they are
 * not known.
 */
import type { AnalysisDocument, BasinsView, BifurcationView, HeatMapView } from '@engine/document/types';
import { plural } from '@engine/plural';
import { basinPixels, basinsOption } from '@views/basins/drawing';
import {
  diagramOption,
  type DiagramPart,
  type DiagramWords,
  isDiagramPart,
} from '@views/bifurcation/drawing';
import type { Pixels } from '@figures/density';
import { barPixels } from '@views/heat-map/colours';
import { asksForPlane, heatMapOf, heatMapOption, heatPixels, isPlaneSweep } from '@views/heat-map/drawing';
import {
  basinUnits,
  diagramUnits,
  shownBasins,
  shownHeatMap,
  shownHeatView,
  shownPart,
} from '@views/shared/shown-analyses';
import { shownPlane } from '@figures/shown-units';
import { type ComputedAnalysis, computedAnalysis } from '../../analysis/computed-analysis';
import type { Draw, FigureSources } from './figure-sources';
import { pngDataUrl } from './png-pixels';

/** What stands in the legend of a diagram. */
const DIAGRAM_WORDS: DiagramWords = {
  up: 'upwards',
  down: 'downwards',
  initial: 'from the initial state',
  stable: 'stable orbits',
  unstable: 'unstable orbits',
  fold: 'fold',
  periodDoubling: 'period doubling',
  torus: 'torus',
  grazing: 'grazing',
  uncertified: 'not certified',
};

/** Its analyses are computed of the model as the run has it. */
export const bifurcation: Draw<BifurcationView> = async (
  view,
  { dispatcher, run, units, theme, width, height },
) => {
  const { document } = await dispatcher.dispatch('run.document', { runId: run.runId });
  const parts: DiagramPart[] = [];
  for (const id of view.analyses) {
    const { outcome } = await computedAnalysis(dispatcher, document, id);
    if (outcome !== null && isDiagramPart(outcome)) parts.push(outcome);
  }
  const { x, y } = diagramUnits(parts, view.y, units);
  return diagramOption({
    parts: parts.map((part) => shownPart(part, units)),
    y: view.y,
    timeUnit: units.of('s').unit,
    x: null,
    yRange: null,
    options: shownPlane(view, x.factor, y.factor),
    theme,
    width,
    height,
    words: DIAGRAM_WORDS,
  });
};

/**
 * The analysis that a view names, or the first one of its kind, as the window takes it; null of a model that
 * has none.
 */
async function outcomeFor(
  { analysis }: { readonly analysis: string },
  fits: (one: AnalysisDocument) => boolean,
  { dispatcher, run }: FigureSources,
): Promise<ComputedAnalysis['outcome']> {
  const { document } = await dispatcher.dispatch('run.document', { runId: run.runId });
  const offered = (document.analyses ?? []).filter(fits);
  const chosen = offered.find(({ id }) => id === analysis) ?? offered[0];
  return chosen === undefined ? null : (await computedAnalysis(dispatcher, document, chosen.id)).outcome;
}

const pngOf = ({ data, width, height }: Pixels): string => pngDataUrl(data, width, height);

const eventWords = (events: number | null): string =>
  events === null ? 'accumulating impacts' : plural(events, 'event');

export const basins: Draw<BasinsView> = async (view, sources) => {
  const { units, theme, width, height } = sources;
  const outcome = await outcomeFor(view, ({ type }) => type === 'basins', sources);
  const computed = outcome?.kind === 'basins' ? outcome : null;
  const found = computed === null ? null : shownBasins(computed, units);
  const { x, y } = basinUnits(computed, units);
  const options = shownPlane(view, x.factor, y.factor);
  const words = {
    attractor: (number: number) => `attractor ${number}`,
    kind: (cycle: number, events: number | null) => `${plural(cycle, 'period')}, ${eventWords(events)}`,
    limit: (limit: 'rest' | 'cycle', number: number | null, events: number | null) => {
      const what = limit === 'rest' ? 'rest' : 'limit cycle';
      if (number !== null) return `attractor ${number}, ${what}`;
      return limit === 'rest' ? what : `${what}, ${eventWords(events)}`;
    },
    undecided: 'undecided',
    notSimulated: 'not simulated',
    uncertified: 'not certified',
  };
  const image = found === null ? null : pngOf(basinPixels(found, theme));
  return basinsOption({ found, image, x: null, y: null, options, theme, width, height, words });
};

export const heatMap: Draw<HeatMapView> = async (view, sources) => {
  const { units, theme, width, height } = sources;
  const outcome = await outcomeFor(view, asksForPlane, sources);
  const part = outcome !== null && isPlaneSweep(outcome) ? outcome : null;
  const found = part === null ? null : heatMapOf(part, view.y, view.direction);
  const map = found === null ? null : shownHeatMap(found, units);
  const options = shownHeatView(view, found, units);
  const image = map === null ? null : pngOf(heatPixels(map, options));
  const bar = pngOf(barPixels(options));
  return heatMapOption({
    map,
    image,
    bar,
    x: null,
    y: null,
    options,
    theme,
    width,
    height,
    words: DIAGRAM_WORDS,
  });
};
