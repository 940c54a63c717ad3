/** Which attractor each start of a plane comes to. */
import type { FoundBasins } from '@contract/analyses';
import type { BasinsView } from '@engine/document/types';
import { fixedPlane } from '@figures/plane';
import { shownPlane } from '@figures/shown-units';
import { type AnalysisChart, firstOrNamed } from '../shared/analysis-chart';
import type { PlaneUnits } from '../shared/plane-chart';
import { basinUnits, shownBasins } from '../shared/shown-analyses';
import { basinPixels, basinsOption, basinsRanges, type BasinWords } from './drawing';

interface ShownBasins {
  readonly found: FoundBasins | null;
  readonly units: PlaneUnits;
}

/** Axes before anything is known. */
const EMPTY = { x: { min: 0, max: 1 }, y: { min: 0, max: 1 } };

/** @param words what attractors are called: as names in the window, within the text in files */
export const basinsChart = (words: () => BasinWords): AnalysisChart<BasinsView, ShownBasins> => ({
  choose: (view, all) => firstOrNamed(view, all, ({ type }) => type === 'basins'),
  shown: (_, [outcome], units) => {
    const found = outcome?.kind === 'basins' ? outcome : null;
    return { found: found === null ? null : shownBasins(found, units), units: basinUnits(found, units) };
  },
  ranges: (view, { found, units }) =>
    fixedPlane(
      found === null ? EMPTY : basinsRanges(found),
      shownPlane(view, units.x.factor, units.y.factor),
    ),
  draw: (view, { found, units }, { picture, ...look }) =>
    basinsOption({
      found,
      image:
        found === null
          ? null
          : picture(found.codes, look.theme.background, () => basinPixels(found, look.theme)),
      options: shownPlane(view, units.x.factor, units.y.factor),
      words: words(),
      ...look,
    }),
});
