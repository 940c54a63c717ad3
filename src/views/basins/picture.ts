/** Basins as a canvas that a chart draws, and what they are called. */
import type { FoundBasins } from '@contract/analyses';
import { basinPixels, type BasinWords } from './drawing';
import type { PlotTheme } from '@figures/palette';
import { counted, text } from '@renderer/i18n';
import { picture } from '@renderer/dashboard/figures/canvas-of';

/** Made once for each theme. */
export const pictureOfBasins = (found: FoundBasins, theme: PlotTheme): HTMLCanvasElement =>
  picture(found.codes, theme.background, () => basinPixels(found, theme));

/** @param events of a kind of attractors; null where impacts accumulate */
export const countedEvents = (events: number | null): string =>
  events === null ? text('analysis.accumulating') : counted('analysis.eventCount', events);

export const basinWords = (): BasinWords => ({
  attractor: (number) => text('analysis.attractor', { number }),
  kind: (cycle, events) =>
    text('analysis.attractorKind', {
      cycle: counted('analysis.cycle', cycle),
      events: countedEvents(events),
    }),
  limit: (limit, number, events) => {
    if (number !== null) return text(`analysis.limitAttractor.${limit}`, { number });
    return limit === 'rest'
      ? text('analysis.limitKind.rest')
      : text('analysis.limitKind.cycle', { events: countedEvents(events) });
  },
  undecided: text('analysis.basinLegend.undecided'),
  notSimulated: text('analysis.basinLegend.notSimulated'),
  uncertified: text('analysis.notCertified'),
});
