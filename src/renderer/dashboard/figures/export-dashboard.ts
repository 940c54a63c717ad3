/** A whole dashboard as one file, laid out as on the screen. */
import { viewsIn } from '@figures/dashboard-layout';
import {
  composedSvg,
  type PartContent,
  type PicturePart,
  pictureParts,
  titlePlace,
} from '@figures/dashboard-picture';
import { DARK_PLOT, LIGHT_PLOT, type PlotTheme } from '@figures/palette';
import { FONT } from '@figures/axes';
import { without } from '../../document/dashboards';
import { slug } from '../../document/factory';
import { text } from '../../i18n';
import { useDashboardsStore } from '../../stores/dashboards';
import { useDocumentStore } from '../../stores/document';
import { useNoticesStore } from '../../stores/notices';
import { useWorkspaceStore } from '../../stores/workspace';
import { useHost } from '../../transport/host';
import { type PictureSize, plotOf, type RegisteredPlot } from '../plot/plot-registry';

/** Pixels of a picture to one px of the screen. */
const PIXEL_RATIO = 3;
/** Size where the dashboard has none that is seen, px. */
const USUAL = { width: 960, height: 720 };
/** Characters that are turned into one text at a time: more arguments than that a call does not take. */
const PIECE = 8192;

/** As plots look on the screen. */
export const plotTheme = (): PlotTheme => (useWorkspaceStore().theme === 'dark' ? DARK_PLOT : LIGHT_PLOT);

interface Picture {
  parts: (PicturePart & { plot: RegisteredPlot })[];
  size: { width: number; height: number };
  theme: PlotTheme;
}

/**
 * What is on the screen; panels that are no pictures, such as tables, give their room to the others.
 *
 * @param wanted size of the picture, px; as on the screen when absent
 */
function pictureOfDashboard(wanted?: PictureSize): Picture {
  const store = useDashboardsStore();
  const board = document.querySelector<HTMLElement>('[data-board]');
  const shown =
    board === null || board.clientWidth === 0
      ? USUAL
      : { width: board.clientWidth, height: board.clientHeight };
  const size = wanted ?? shown;
  const layout = viewsIn(store.layout)
    .filter((id) => plotOf(id) === undefined)
    .reduce((rest, id) => without(rest, id), store.layout);
  const titled = pictureParts(layout, size, (id) => store.viewOf(id)?.title ?? '');
  const parts = titled.flatMap((part) => {
    const plot = plotOf(part.id);
    return plot === undefined ? [] : [{ ...part, plot }];
  });
  return { parts, size, theme: plotTheme() };
}

function dataUrl(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += PIECE)
    binary += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  return `data:image/png;base64,${btoa(binary)}`;
}

const contentOf = ({ plot, box }: { plot: RegisteredPlot; box: PictureSize }): PartContent =>
  plot.isVector === false
    ? { picture: dataUrl(plot.image('png', box)) }
    : { svg: new TextDecoder().decode(plot.image('svg', box)) };

const svgOf = ({ parts, size, theme }: Picture): string =>
  composedSvg(
    parts.map((part) => ({ ...part, content: contentOf(part) })),
    size,
    theme,
  );

/** The dashboard that is shown as a drawing; null where it has no plot. @param size px */
export function drawnDashboard(size: PictureSize): string | null {
  const picture = pictureOfDashboard(size);
  return picture.parts.length === 0 ? null : svgOf(picture);
}

/** A plot as a drawing, one that is made of pixels as a picture in it. @param size px */
export function drawnPlot(id: string, size: PictureSize): string | null {
  const plot = plotOf(id);
  if (plot === undefined) return null;
  const box = { left: 0, top: 0, ...size };
  const content = contentOf({ plot, box });
  if ('svg' in content) return content.svg;
  return composedSvg([{ id, title: '', box, content }], size, plotTheme());
}

async function pngOf({ parts, size, theme }: Picture): Promise<Uint8Array<ArrayBuffer>> {
  const canvas = new OffscreenCanvas(size.width * PIXEL_RATIO, size.height * PIXEL_RATIO);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('the browser gives no canvas');
  context.scale(PIXEL_RATIO, PIXEL_RATIO);
  context.fillStyle = theme.background;
  context.fillRect(0, 0, size.width, size.height);
  context.fillStyle = theme.text;
  for (const part of parts) {
    const { x, y, size: height } = titlePlace(part);
    context.font = `${height}px ${FONT}`;
    context.fillText(part.title, x, y);
    const { left, top, width, height: high } = part.box;
    const picture = await createImageBitmap(
      new Blob([part.plot.image('png', part.box)], { type: 'image/png' }),
    );
    // A picture of its own shape is shown whole.
    const scale = Math.min(width / picture.width, high / picture.height);
    const [wide, tall] = [scale * picture.width, scale * picture.height];
    context.drawImage(picture, left + (width - wide) / 2, top + (high - tall) / 2, wide, tall);
    picture.close();
  }
  const blob = await canvas.convertToBlob({ type: 'image/png' });
  return new Uint8Array(await blob.arrayBuffer());
}

async function pdfOf(picture: Picture, title: string): Promise<Uint8Array<ArrayBuffer>> {
  const { data } = await useHost().dispatcher.dispatch('figure.pdf', {
    title: title.slice(0, 300),
    pages: [{ svg: svgOf(picture), ...picture.size }],
  });
  return new Uint8Array(data);
}

/** Saves the dashboard that is shown as one picture. */
export async function exportDashboard(format: 'png' | 'svg' | 'pdf'): Promise<void> {
  const notices = useNoticesStore();
  const { model } = useDocumentStore();
  const picture = pictureOfDashboard();
  if (picture.parts.length === 0) {
    notices.info(text('plot.nothingToExport'));
    return;
  }
  const name = useDashboardsStore().current?.title ?? 'dashboard';
  const suggestedName = `${slug(model.title)}-${slug(name)}.${format}`;
  try {
    const data =
      format === 'png'
        ? await pngOf(picture)
        : format === 'svg'
          ? new TextEncoder().encode(svgOf(picture))
          : await pdfOf(picture, model.title);
    const saved = await useHost().shell.call('shell.exportFile', { suggestedName, data });
    if (saved !== null) notices.info(text('plot.exported', { name: saved.name }));
  } catch (error) {
    notices.failure(error);
  }
}
