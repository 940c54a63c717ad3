/** Words in place of a drawing that there is not. Pure. */
import { FONT } from './axes';
import type { PlotTheme } from './palette';
import { xmlText } from './xml-text';

/** Words in the middle of a picture, as SVG of that size. */
export function notePicture(
  words: string,
  { theme, width, height }: { theme: PlotTheme; width: number; height: number },
): string {
  const sides = `width="${width}" height="${height}"`;
  const look = `font-size="12" font-family="${FONT}" text-anchor="middle" fill="${theme.muted}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" version="1.1" ${sides} viewBox="0 0 ${width} ${height}"><rect ${sides} fill="${theme.background}"/><text x="${width / 2}" y="${height / 2}" ${look}>${xmlText(words)}</text></svg>`;
}
