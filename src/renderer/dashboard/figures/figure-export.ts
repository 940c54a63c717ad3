/**
 * Plots and dashboards as figures of a chosen size: drawn by the host from what runs have recorded, or as
 * they are on the screen.
 */
import { PX_PER_MM } from '@contract/figures';
import type { MethodParams } from '@contract/methods';
import type { FigureChoice } from '@contract/settings';
import type { ModelDocument, ViewDocument } from '@engine/document/types';
import { viewsIn } from '@figures/dashboard-layout';
import { PRINT_PLOT } from '@figures/palette';
import { slug } from '../../document/factory';
import { text } from '../../i18n';
import { useDashboardsStore } from '../../stores/dashboards';
import { useDocumentStore } from '../../stores/document';
import { useNoticesStore } from '../../stores/notices';
import { useRunsStore } from '../../stores/runs';
import { useHost } from '../../transport/host';
import { pictureOf } from './charts';
import { drawnDashboard, drawnPlot, plotTheme } from './export-dashboard';
import { paneFigure } from './pane-figures';
import { type PictureSize, plotOf } from '../plot/plot-registry';

/**
 * What a figure is made of: the plot of a view, all of the dashboard that is shown, or a chart of another
 * pane.
 */
export type FigureTarget =
  { kind: 'plot'; view: string } | { kind: 'dashboard' } | { kind: 'pane'; figure: string };

/** Which of the sizes that are remembered a figure has. */
export const sizeOf = ({ kind }: FigureTarget): 'plot' | 'dashboard' =>
  kind === 'dashboard' ? 'dashboard' : 'plot';

/** A view with the ends that its plot has been zoomed to. */
function viewAsSeen(view: ViewDocument): ViewDocument {
  const plot = plotOf(view.id);
  const { axes, isPlaneZoomed } = plot?.seen?.() ?? {};
  if (view.type === 'time-series' && axes) return { ...view, axes };
  const range = isPlaneZoomed === true ? plot?.range() : null;
  if (!range || !('x' in view) || view.type === 'attractor') return view;
  const { xMin, xMax, yMin, yMax } = range;
  return { ...view, xRange: { min: xMin, max: xMax }, yRange: { min: yMin, max: yMax } };
}

/** What the host draws a figure of; null where no run is shown. */
export function figureQuestion(
  target: Exclude<FigureTarget, { kind: 'pane' }>,
  { format, style, dpi, ...sizes }: FigureChoice,
): MethodParams<'figure.draw'> | null {
  const runs = useRunsStore();
  const store = useDashboardsStore();
  if (runs.current === null) return null;
  // Only what is drawn, with the tabs that are in front: views that stand nowhere would be put below the
  // others.
  const ids = target.kind === 'plot' ? [target.view] : viewsIn(store.layout);
  const views = ids
    .map((id) => store.viewOf(id))
    .filter((view) => view !== undefined)
    .map(viewAsSeen);
  const { model } = useDocumentStore();
  const document: ModelDocument = {
    ...model,
    views,
    dashboards: store.layout === null ? [] : [{ id: store.currentId, layout: store.layout }],
  };
  const spans = views.flatMap(({ id }): [string, { from: number; to: number }][] => {
    const span = plotOf(id)?.seen?.().span;
    return span ? [[id, { from: span.min, to: span.max }]] : [];
  });
  return {
    document,
    figure: target.kind === 'plot' ? target.view : `dashboard:${store.currentId}`,
    runId: runs.current.runId,
    compared: runs.compared.filter(({ statistics }) => statistics.rows > 0).map(({ runId }) => runId),
    format,
    style,
    dpi,
    ...sizes[target.kind],
    spans: Object.fromEntries(spans),
  };
}

/** The drawing as the window makes it; a chart of a pane is made again for print. */
function drawn(target: FigureTarget, { style }: FigureChoice, size: PictureSize): string | null {
  if (target.kind === 'plot') return drawnPlot(target.view, size);
  if (target.kind === 'dashboard') return drawnDashboard(size);
  const theme = style === 'publication' ? PRINT_PLOT : plotTheme();
  const option = paneFigure(target.figure)?.draw({ ...size, theme, isFile: true });
  if (option === undefined) return null;
  return new TextDecoder().decode(pictureOf(option, 'svg', size.width, size.height));
}

function nameOf(target: FigureTarget): string {
  if (target.kind === 'plot') return target.view;
  if (target.kind === 'pane') return paneFigure(target.figure)?.name() ?? 'figure';
  return useDashboardsStore().current?.title ?? 'dashboard';
}

/** The file; null where there is nothing to be drawn. */
async function figureBytes(target: FigureTarget, choice: FigureChoice): Promise<Uint8Array | null> {
  const { dispatcher } = useHost();
  if (target.kind !== 'pane' && choice.style === 'publication') {
    const question = figureQuestion(target, choice);
    return question === null ? null : (await dispatcher.dispatch('figure.draw', question)).data;
  }
  const { width, height } = choice[sizeOf(target)];
  const size = { width: Math.round(width * PX_PER_MM), height: Math.round(height * PX_PER_MM) };
  const svg = drawn(target, choice, size);
  if (svg === null) return null;
  const { format, dpi } = choice;
  const title = useDocumentStore().model.title.slice(0, 300);
  return (await dispatcher.dispatch('figure.convert', { title, svg, ...size, format, dpi })).data;
}

/** A figure as it will be, for an image of the page; null where there is nothing to be drawn. */
export async function figurePreview(target: FigureTarget, choice: FigureChoice): Promise<string | null> {
  const bytes = await figureBytes(target, { ...choice, format: '.svg' });
  if (bytes === null) return null;
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new TextDecoder().decode(bytes))}`;
}

/** Saves a figure. @returns whether the user has the file */
export async function exportFigure(target: FigureTarget, choice: FigureChoice): Promise<boolean> {
  const notices = useNoticesStore();
  const name = nameOf(target);
  const suggestedName = `${slug(useDocumentStore().model.title)}-${slug(name)}${choice.format}`;
  try {
    const bytes = await figureBytes(target, choice);
    if (bytes === null) {
      notices.info(text('plot.nothingToExport'));
      return false;
    }
    const data = new Uint8Array(bytes);
    const saved = await useHost().shell.call('shell.exportFile', { suggestedName, data });
    if (saved !== null) notices.info(text('plot.exported', { name: saved.name }));
    return saved !== null;
  } catch (error) {
    notices.failure(error);
    return false;
  }
}
