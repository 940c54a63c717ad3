/** Figures of a run as files: one view, or all of a dashboard one below the other. */
import { extname } from 'node:path';
import { MoreauError } from '@contract/errors';
import type { Dispatcher, RunInfo } from '@contract/methods';
import type { ModelDocument, ViewDocument } from '@engine/document/types';
import { LIGHT_PLOT, PRINT_PLOT } from '@figures/palette';
import { figureOption, isDrawable } from './registry';
import { drawSvg, embedFonts } from './svg';

export const FIGURE_FORMATS = ['.svg', '.pdf', '.png'] as const;
export type FigureFormat = (typeof FIGURE_FORMATS)[number];

/** px to a millimetre: a px is 1/96 of an inch. */
const PX_PER_MM = 96 / 25.4;
/** Pixels to the inch that a drawing is laid out for. */
const PX_PER_INCH = 96;

export interface FigureLook {
  /** of each view, mm */
  readonly width: number;
  readonly height: number;
  /** dots to the inch of pictures */
  readonly dpi: number;
  /** black on white for print, or as the light theme of the window */
  readonly style: 'publication' | 'screen';
  /** visible span of time, s */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** @throws {MoreauError} `unknown-format` */
export function figureFormat(path: string): FigureFormat {
  const ending = extname(path).toLowerCase();
  const format = FIGURE_FORMATS.find((one) => one === ending);
  if (format !== undefined) return format;
  throw new MoreauError({
    code: 'unknown-format',
    message: `Figures are not written as ${ending === '' ? 'files without an ending' : ending}.`,
    where: path,
    remedy: `Let the name end in ${FIGURE_FORMATS.join(', ')}.`,
  });
}

/** The view with an id, or all that can be drawn. @throws {MoreauError} `unknown-view`, `not-drawable` */
export function viewsNamed({ views }: ModelDocument, id: string): ViewDocument[] {
  const found = views.filter((view) => id === 'all' || view.id === id);
  const drawable = found.filter(isDrawable);
  if (drawable.length > 0) return drawable;
  const known = views.filter(isDrawable).map((view) => view.id);
  throw new MoreauError({
    code: found.length > 0 && id !== 'all' ? 'not-drawable' : 'unknown-view',
    message:
      found.length > 0 && id !== 'all'
        ? `The view “${id}” can only be drawn in a window.`
        : id === 'all'
          ? 'The model has no view that can be drawn.'
          : `The model has no view “${id}”.`,
    where: id,
    remedy:
      known.length === 0
        ? 'Add a plot to the model.'
        : `Views are ${known.join(', ')}; all draws all of them.`,
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
  views: readonly ViewDocument[],
  format: FigureFormat,
  look: FigureLook,
): Promise<Buffer> {
  const width = Math.round(look.width * PX_PER_MM);
  const height = Math.round(look.height * PX_PER_MM);
  const theme = look.style === 'publication' ? PRINT_PLOT : LIGHT_PLOT;
  const drawn: string[] = [];
  for (const view of views) {
    const { from, to } = look;
    const option = await figureOption(view, { dispatcher, run, compared, theme, width, height, from, to });
    drawn.push(await drawSvg(option, width, height));
  }
  const total = height * drawn.length;
  const svg = stacked(drawn, width, height);
  if (format === '.svg') return Buffer.from(embedFonts(svg));
  if (format === '.pdf') {
    const { pdfOf } = await import('./pdf');
    return pdfOf([{ svg, width, height: total }], run.title);
  }
  const { pngOfSvg } = await import('./png');
  return pngOfSvg(svg, width, total, look.dpi / PX_PER_INCH);
}

/** Drawings one below the other. Ids inside of each are its own. */
function stacked(drawn: readonly string[], width: number, height: number): string {
  if (drawn.length === 1) return drawn[0];
  const parts = drawn.map((svg, k) => {
    const inside = svg
      .replace(/^<svg[^>]*>/, '')
      .replace(/<\/svg>\s*$/, '')
      .replaceAll(/\bid="([^"]+)"/g, `id="v${k}-$1"`)
      .replaceAll(/url\(#([^)]+)\)/g, `url(#v${k}-$1)`)
      .replaceAll(/href="#([^"]+)"/g, `href="#v${k}-$1"`);
    return `<g transform="translate(0 ${k * height})">${inside}</g>`;
  });
  const total = height * drawn.length;
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" version="1.1" width="${width}" height="${total}" viewBox="0 0 ${width} ${total}">${parts.join('')}</svg>`;
}
