/** Plots that are on screen: for export, and read-only for automation. */
import type { PlotAxis } from '@engine/document/types';
import type { Range } from '@figures/ranges';
import type { ChartCurve } from '@views/shared/chart';
import { slug } from '../../document/factory';
import { useDocumentStore } from '../../stores/document';
import { useNoticesStore } from '../../stores/notices';
import { useWorkspaceStore } from '../../stores/workspace';
import { useHost } from '../../transport/host';
import { text } from '../../i18n';

/** Visible part of the axes. */
export interface PlotRange {
  xMin: number;
  xMax: number;
  yMin: number;
  yMax: number;
}

/**
 * Hook for tests and automation: what a plot holds and shows. It reads; it changes nothing.
 */
interface PlotHook {
  data(): ChartCurve[];
  range(): PlotRange | null;
}

/** px */
export interface PictureSize {
  width: number;
  height: number;
}

/** What a plot has been zoomed to, in the units of the model. */
interface SeenPart {
  /** of the time; null shows all */
  span?: Range | null;
  /** whether `range` holds, in a plot of one signal against another */
  isPlaneZoomed?: boolean;
  /** vertical axes as they are seen; null where they follow the data */
  axes?: PlotAxis[] | null;
}

export interface RegisteredPlot extends PlotHook {
  /**
   * where a text would be put now, in the units of the model: under the pointer, else in the middle of what
   * is seen
   */
  notePlace?(): { x: number; y: number };
  /** nothing is zoomed where it is absent */
  seen?(): SeenPart;
  /** whether its horizontal axis is the time */
  readonly isOverTime?: boolean;
  /** false for one that is made of pixels only */
  readonly isVector?: boolean;
  /** @param at size of the picture, px; as on the screen when absent */
  image(format: 'png' | 'svg', at?: PictureSize): Uint8Array<ArrayBuffer>;
}

declare global {
  interface Window {
    __moreauPlots?: Record<string, PlotHook>;
  }
}

const plots = new Map<string, RegisteredPlot>();

/** Registers a plot under the id of its view. @returns a function that takes it out again */
export function registerPlot(viewId: string, plot: RegisteredPlot): () => void {
  plots.set(viewId, plot);
  const hooks = (window.__moreauPlots ??= {});
  hooks[viewId] = { data: () => plot.data(), range: () => plot.range() };
  return () => {
    if (plots.get(viewId) !== plot) return;
    plots.delete(viewId);
    delete hooks[viewId];
  };
}

/** The plot of a view that is on screen. */
export const plotOf = (viewId: string): RegisteredPlot | undefined => plots.get(viewId);

/** Visible span of time of the active time series, else of the first one; in the units of the model. */
export function shownRange(): PlotRange | null {
  const active = plots.get(useWorkspaceStore().activeView ?? '');
  const series = [...plots.values()].filter((plot) => plot.isOverTime === true);
  return (active?.isOverTime === true ? active : series[0])?.range() ?? null;
}

/**
 * The plot that a command means: the given one, else the active one, else the first; empty where there is
 * none.
 */
export function chosenPlot(viewId?: string): string {
  const id = viewId ?? useWorkspaceStore().activeView ?? '';
  const [fallback] = plots.keys();
  return plots.has(id) ? id : (fallback ?? '');
}

/** Ids of the views whose plots are on screen. */
export const plotIds = (): string[] => [...plots.keys()];

/** Saves the picture of a plot: the given one, else the active one, else the first. */
export async function exportPlot(format: 'png' | 'svg' | 'pdf', viewId?: string): Promise<void> {
  const notices = useNoticesStore();
  const chosen = chosenPlot(viewId);
  const plot = plots.get(chosen);
  if (plot === undefined) {
    notices.info(text('plot.nothingToExport'));
    return;
  }
  const suggestedName = `${slug(useDocumentStore().model.title)}-${slug(chosen)}.${format}`;
  try {
    const data = format === 'pdf' ? await pdfOf([plot]) : plot.image(format);
    const saved = await useHost().shell.call('shell.exportFile', { suggestedName, data });
    if (saved !== null) notices.info(text('plot.exported', { name: saved.name }));
  } catch (error) {
    notices.failure(error);
  }
}

/** A document with a page for each plot, as large as it is on the screen. */
async function pdfOf(all: readonly RegisteredPlot[]): Promise<Uint8Array<ArrayBuffer>> {
  const pages = all.map((plot) => {
    const svg = new TextDecoder().decode(plot.image('svg'));
    const side = (name: string): number => Number(new RegExp(`\\s${name}="([\\d.]+)"`).exec(svg)?.[1] ?? 600);
    return { svg, width: side('width'), height: side('height') };
  });
  const { title } = useDocumentStore().model;
  const { data } = await useHost().dispatcher.dispatch('figure.pdf', { title: title.slice(0, 300), pages });
  return new Uint8Array(data);
}

/** Saves all plots as one PDF document. */
export async function exportAllPlots(): Promise<void> {
  const notices = useNoticesStore();
  const drawn = [...plots.values()].filter(({ isVector }) => isVector !== false);
  if (drawn.length === 0) {
    notices.info(text('plot.nothingToExport'));
    return;
  }
  try {
    const suggestedName = `${slug(useDocumentStore().model.title)}.pdf`;
    const data = await pdfOf(drawn);
    const saved = await useHost().shell.call('shell.exportFile', { suggestedName, data });
    if (saved !== null) notices.info(text('plot.exported', { name: saved.name }));
  } catch (error) {
    notices.failure(error);
  }
}
