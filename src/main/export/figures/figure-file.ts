/** Figures of a run as files: one drawing of one view or several. */
import { extname } from 'node:path';
import { MoreauError } from '@contract/errors';
import { FIGURE_FORMATS, type FigureFormat, type FigureStyle } from '@contract/figures';
import type { Dispatcher, RunInfo } from '@contract/methods';
import { composedSvg, type PicturePart } from '@figures/dashboard-picture';
import { LIGHT_PLOT, type PlotTheme, PRINT_PLOT } from '@figures/palette';
import { documentUnits } from './document-units';
import type { FigurePlan } from './figure-parts';
import type { Page } from './pdf';
import { embedFonts, withFontNames } from './svg';
import { viewAmongOthers, viewSvg } from './view-drawing';

/** Pixels to the inch that a drawing is laid out for. */
const PX_PER_INCH = 96;

export interface FigureLook {
  /** dots to the inch of pictures */
  readonly dpi: number;
  /** black on white for print, or as the light theme of the window */
  readonly style: FigureStyle;
  /** visible span of time, s */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** moment that animations show, s */
  readonly time?: number | undefined;
  /** the same for single views, by their ids */
  readonly spans?: Readonly<Record<string, { readonly from: number; readonly to: number }>>;
}

/** Colours of a style. */
export const themeOf = ({ style }: Pick<FigureLook, 'style'>): PlotTheme =>
  style === 'publication' ? PRINT_PLOT : LIGHT_PLOT;

/** @throws {MoreauError} `unknown-format` */
export function figureFormat(path: string): FigureFormat {
  const ending = extname(path).toLowerCase();
  const format = FIGURE_FORMATS.find((one) => one === ending);
  if (format !== undefined) return format;
  throw new MoreauError({
    code: 'unknown-format',
    message: `Figures cannot be written as ${ending === '' ? 'files without an extension' : ending}.`,
    where: path,
    remedy: `Use one of the extensions ${FIGURE_FORMATS.join(', ')}.`,
  });
}

/**
 * @param compared runs drawn behind it, dashed
 * @throws {MoreauError} what reading the runs says
 */
export async function figureFile(
  dispatcher: Dispatcher,
  run: RunInfo,
  compared: readonly RunInfo[],
  { parts, width, height, document }: FigurePlan,
  format: FigureFormat,
  look: FigureLook,
): Promise<Buffer> {
  const theme = themeOf(look);
  const drawn: (PicturePart & { content: { svg: string } })[] = [];
  const units = await documentUnits(dispatcher, document);
  const draw = parts.length > 1 ? viewAmongOthers : viewSvg;
  for (const { view, title, box } of parts) {
    const { from, to } = look.spans?.[view.id] ?? look;
    const { time } = look;
    const sides = { width: box.width, height: box.height };
    const sources = { dispatcher, run, compared, units, theme, ...sides, from, to, time };
    drawn.push({ id: view.id, title, box, content: { svg: await draw(view, sources) } });
  }
  const [only] = drawn;
  const isBare = drawn.length === 1 && only.title === '';
  const svg = isBare ? only.content.svg : withFontNames(composedSvg(drawn, { width, height }, theme));
  return fileOfDrawing({ svg, width, height }, run.title, format, look.dpi);
}

/**
 * A drawing, each text in one font, as a file that has its fonts.
 *
 * @param title of the document, where the format has documents
 * @param dpi dots to the inch, of pictures
 */
export async function fileOfDrawing(
  { svg, width, height }: Page,
  title: string,
  format: FigureFormat,
  dpi: number,
): Promise<Buffer> {
  if (format === '.svg') return Buffer.from(embedFonts(svg));
  if (format === '.pdf') {
    const { pdfOf } = await import('./pdf');
    return pdfOf([{ svg, width, height }], title);
  }
  const { pngOfSvg } = await import('./png');
  return pngOfSvg(svg, width, height, dpi / PX_PER_INCH);
}
