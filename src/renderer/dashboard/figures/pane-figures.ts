/**
 * Charts outside of the dashboard, in the panes of analyses and comparisons, that can be exported as figures
 * while they are on screen.
 */
import type { PlotTheme } from '@figures/palette';
import type { EChartsOption } from 'echarts';
import { shallowReactive } from 'vue';
import type { PictureSize } from '../plot/plot-registry';

/** What a chart is drawn for. */
export interface PaneLook extends PictureSize {
  readonly theme: PlotTheme;
  /** a file has no legend beside it */
  readonly isFile: boolean;
}

export interface PaneFigure {
  readonly name: () => string;
  readonly draw: (look: PaneLook) => EChartsOption;
}

/** Ids of views have no colon. */
const PREFIX = 'pane:';
const figures = shallowReactive(new Map<string, PaneFigure>());
let made = 0;

/** @returns its id, and a function that takes it out again */
export function registerPaneFigure(figure: PaneFigure): { id: string; unregister: () => void } {
  const id = `${PREFIX}${++made}`;
  figures.set(id, figure);
  return { id, unregister: () => void figures.delete(id) };
}

export const isPaneFigure = (id: string): boolean => id.startsWith(PREFIX);

export const paneFigure = (id: string): PaneFigure | undefined => figures.get(id);

/** Those on screen, in the order in which they came. */
export const paneFigures = (): { id: string; name: string }[] =>
  [...figures].map(([id, { name }]) => ({ id, name: name() }));
