/** What sweeps and branches have found over a parameter. */
import type { BifurcationView } from '@engine/document/types';
import { fixedPlane } from '@figures/plane';
import { shownPlane } from '@figures/shown-units';
import type { AnalysisChart } from '../shared/analysis-chart';
import type { PlaneUnits } from '../shared/plane-chart';
import { diagramUnits, shownPart } from '../shared/shown-analyses';
import { diagramOption, type DiagramPart, diagramQuantities, diagramRanges, isDiagramPart } from './drawing';
import { diagramWords } from './words';

interface ShownDiagram {
  /** as they were found */
  readonly found: readonly DiagramPart[];
  readonly parts: readonly DiagramPart[];
  readonly units: PlaneUnits;
  readonly timeUnit: string;
  readonly quantities: ReturnType<typeof diagramQuantities>;
  /** name of the quantity that is drawn */
  readonly y: string;
}

export const bifurcation: AnalysisChart<BifurcationView, ShownDiagram> = {
  choose: ({ analyses }) => analyses,
  shown: (view, outcomes, units) => {
    const found = outcomes.filter((one) => isDiagramPart(one));
    const parts = found.map((part) => shownPart(part, units));
    const { unit: timeUnit } = units.of('s');
    const quantities = diagramQuantities(parts, timeUnit);
    const y = (quantities.find(({ name }) => name === view.y) ?? quantities[0])?.name ?? '';
    return { found, parts, units: diagramUnits(found, view.y, units), timeUnit, quantities, y };
  },
  ranges: (view, { parts, y, units: { x: across, y: upwards } }) =>
    fixedPlane(diagramRanges(parts, y), shownPlane(view, across.factor, upwards.factor)),
  draw: (view, { parts, y, timeUnit, units }, { picture: _, x, y: yRange, ...look }) =>
    diagramOption({
      parts,
      y,
      timeUnit,
      x,
      yRange,
      options: shownPlane(view, units.x.factor, units.y.factor),
      words: diagramWords,
      ...look,
    }),
};
