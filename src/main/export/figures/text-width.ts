/**
 * How wide texts of figures are: a chart without a window knows no fonts, and would guess, so that legends
 * come out too close.
 */
import { xmlCharacters } from '@figures/xml-text';
import { fontFor, registerFonts } from './fonts';

/** Size of a text whose font does not say, px: that of charts. */
export const DEFAULT_SIZE = 12;

/**
 * What ECharts asks for the width of a text, px, in a CSS font. Made once: canvas and fonts are loaded with
 * it.
 */
export async function textMeasure(): Promise<(text: string, font?: string) => { width: number }> {
  const { createCanvas, GlobalFonts } = await import('@napi-rs/canvas');
  registerFonts(GlobalFonts);
  const context = createCanvas(1, 1).getContext('2d');
  return (text, font = '') => {
    const size = /([\d.]+)px/.exec(font)?.[1] ?? DEFAULT_SIZE;
    context.font = `${size}px "${fontFor(text)}"`;
    return { width: context.measureText(xmlCharacters(text)).width };
  };
}
