/**
 * A whole dashboard as one drawing: where its charts stand in the picture, and the drawing that is made of
 * theirs. Pure.
 */
import { FONT } from './axes';
import { placementOf, type ShownLayout } from './dashboard-layout';
import type { PlotTheme } from './palette';
import { xmlText } from './xml-text';

/** Space between charts, and height of the title of one, px. */
const GAP = 10;
const TITLE_HEIGHT = 20;
const TITLE_SIZE = 13;

/** A place in a picture, px. */
export interface PictureBox {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** A chart of a dashboard. */
export interface PicturePart {
  id: string;
  /** empty where it has none */
  title: string;
  /** of the chart, without its title */
  box: PictureBox;
}

/** The charts that are seen, where they stand. @param titleOf title of a view, empty where it has none */
export function pictureParts(
  layout: ShownLayout | null,
  size: { width: number; height: number },
  titleOf: (viewId: string) => string,
): PicturePart[] {
  return placementOf(layout).places.map(({ active, left, top, width, height }) => {
    const title = titleOf(active);
    const above = title === '' ? 0 : TITLE_HEIGHT;
    const room = (start: number, extent: number, whole: number): [number, number] => {
      const from = Math.round(start * whole) + (start > 0 ? GAP / 2 : 0);
      const to = Math.round((start + extent) * whole) - (start + extent < 1 - 1e-9 ? GAP / 2 : 0);
      return [from, Math.max(1, to - from)];
    };
    const [x, wide] = room(left, width, size.width);
    const [y, high] = room(top, height, size.height);
    return {
      id: active,
      title,
      box: { left: x, top: y + above, width: wide, height: Math.max(1, high - above) },
    };
  });
}

/** Where the title of a chart stands: its baseline, px. */
export const titlePlace = ({ box }: PicturePart): { x: number; y: number; size: number } => ({
  x: box.left + 12,
  y: box.top - 4,
  size: TITLE_SIZE,
});

/** The inside of a drawing, its ids those of one part of many, without what a chart in a page reacts with. */
const inside = (svg: string, part: number): string =>
  svg
    .replace(/^[^]*?<svg[^>]*>/, '')
    .replace(/<\/svg>\s*$/, '')
    .replaceAll(/<style[^>]*>\s*<!\[CDATA\[[^]*?\]\]>\s*<\/style>/g, '')
    .replaceAll(/\sclass="zr\d+-cls-\d+"/g, '')
    .replaceAll(/\bid="([^"]+)"/g, `id="v${part}-$1"`)
    .replaceAll(/url\(#([^)]+)\)/g, `url(#v${part}-$1)`)
    .replaceAll(/href="#([^"]+)"/g, `href="#v${part}-$1"`);

/** Brings a drawing to its place; one of another size is shown whole, in the middle. */
function placed(svg: string, { left, top, width, height }: PictureBox): string {
  const side = (name: string, usual: number): number =>
    Number(new RegExp(`<svg[^>]*\\s${name}="([\\d.]+)"`).exec(svg)?.[1] ?? usual);
  const [wide, high] = [side('width', width), side('height', height)];
  const scale = Math.min(width / wide, height / high);
  if (Math.abs(scale - 1) < 1e-9 && wide === width && high === height) return `translate(${left} ${top})`;
  const x = left + (width - scale * wide) / 2;
  const y = top + (height - scale * high) / 2;
  return `translate(${x} ${y}) scale(${scale})`;
}

/** What is drawn at a place: a drawing of that size, or a picture as an address that holds it. */
export type PartContent = { svg: string } | { picture: string };

/** One drawing of many. */
export function composedSvg(
  parts: readonly (PicturePart & { content: PartContent })[],
  { width, height }: { width: number; height: number },
  theme: PlotTheme,
): string {
  const drawn = parts.map((part, k) => {
    const { box, title, content } = part;
    const at = titlePlace(part);
    const words =
      title === ''
        ? ''
        : `<text x="${at.x}" y="${at.y}" font-size="${at.size}" fill="${theme.text}" font-family="${FONT}">${xmlText(title)}</text>`;
    const chart =
      'svg' in content
        ? `<g transform="${placed(content.svg, box)}">${inside(content.svg, k)}</g>`
        : `<image x="${box.left}" y="${box.top}" width="${box.width}" height="${box.height}" href="${content.picture}" xlink:href="${content.picture}"/>`;
    return words + chart;
  });
  const ground = `<rect width="${width}" height="${height}" fill="${theme.background}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" version="1.1" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${ground}${drawn.join('')}</svg>`;
}
