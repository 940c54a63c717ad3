/**
 * Charts as SVG: text stays text, each in a font that has its characters, and the fonts are part of the file.
 */
import { wholeCircles } from '@figures/svg-circles';
import { stretchImages } from '@figures/svg-images';
import { xmlCharacters } from '@figures/xml-text';
import type { EChartsOption } from 'echarts';
import { fontBytes, fontFor, type FontName, OTHER, PLAIN } from './fonts';
import { DEFAULT_SIZE, textMeasure } from './text-width';

/** The drawing of a chart, without fonts. @param width px @param height px */
export async function drawSvg(option: EChartsOption, width: number, height: number): Promise<string> {
  // Loaded when it is wanted: most commands draw nothing.
  const [{ init, setPlatformAPI, use }, charts, components, { SVGRenderer }, measureText] = await Promise.all(
    [
      import('echarts/core'),
      import('echarts/charts'),
      import('echarts/components'),
      import('echarts/renderers'),
      textMeasure(),
    ],
  );
  setPlatformAPI({ measureText });
  use([
    ...[charts.LineChart, charts.ScatterChart, charts.CustomChart],
    ...[components.GridComponent, components.DatasetComponent, components.LegendComponent],
    ...[components.MarkLineComponent, SVGRenderer],
  ]);
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  chart.setOption(option);
  const svg = wholeCircles(stretchImages(chart.renderToSVGString()));
  chart.dispose();
  return withFontNames(withoutHairlines(withoutInteraction(svg)));
}

/** A line of no width is none in SVG; the canvas that rasterises drawings makes it one pixel wide. */
const withoutHairlines = (svg: string): string =>
  svg.replaceAll(/\sstroke="[^"]*"(?=[^>]*\sstroke-width="0")/g, '');

/**
 * What a chart in a page would react with, and numbers that count the charts of this process: the same chart
 * is the same drawing.
 */
const withoutInteraction = (svg: string): string =>
  svg
    .replaceAll(/\s(?:class="zr\d+-cls-\d+"|ecmeta_\w+="[^"]*")/g, '')
    .replaceAll(/<style[^>]*><!\[CDATA\[[\s\S]*?\]\]>\s*<\/style>/g, '')
    .replaceAll(/\bzr\d+-/g, 'zr-');

const TEXT = /<text([^>]*)>([^<]*)<\/text>/g;
const FAMILY = /font-family:[^;"]*;?|\sfont-family="[^"]*"/g;

const FONT = /\bfont:\s*((?:(?:italic|bold|normal|\d{3})\s+)*)([\d.]+)px[^;"]*;?/g;

/** Size, weight and slant of a font said in one word each: not every reader knows the short form. */
const inWords = (attributes: string): string =>
  attributes.replaceAll(FONT, (_, words: string, size: string) =>
    [`font-size:${size}px;`]
      .concat(words.includes('italic') ? ['font-style:italic;'] : [])
      .concat(/bold|\d{3}/.exec(words)?.map((weight) => `font-weight:${weight};`) ?? [])
      .join(''),
  );

const plainText = (text: string): string =>
  text.replaceAll(/&#x?[\da-fA-F]+;|&\w+;/g, (entity) => (entity === '&amp;' ? '&' : ' '));

/** Of the size of a text: from its baseline up to the middle of its letters. */
const MIDDLE = 0.35;

/** Not every reader knows of central baselines, or of a shift beside a place: all know of a place. */
function onBaseline(attributes: string): string {
  if (!attributes.includes('dominant-baseline="central"')) return attributes;
  const size = Number(/font-size[:="]+([\d.]+)/.exec(attributes)?.[1] ?? DEFAULT_SIZE);
  const y = Number(/\sy="([^"]*)"/.exec(attributes)?.[1] ?? 0) + MIDDLE * size;
  const rest = attributes.replace(/\sy="[^"]*"/, '').replace(/\s?dominant-baseline="central"/, '');
  return `${rest} y="${Math.round(1e4 * y) / 1e4}"`;
}

/** Every text names one font: the one that has its characters. Whatever drew it, the result is XML. */
export function withFontNames(svg: string): string {
  return xmlCharacters(svg).replaceAll(TEXT, (_, attributes: string, text: string) => {
    const rest = inWords(attributes)
      .replaceAll(FAMILY, '')
      .replaceAll(/style="\s*"/g, '');
    return `<text${onBaseline(rest)} font-family="${fontFor(plainText(text))}">${text}</text>`;
  });
}

const MEDIA: Readonly<Record<FontName, { type: string; format: string }>> = {
  [PLAIN]: { type: 'font/woff', format: 'woff' },
  [OTHER]: { type: 'font/ttf', format: 'truetype' },
};

/** The drawing with the fonts that it uses. */
export function embedFonts(svg: string): string {
  const used = ([PLAIN, OTHER] as const).filter((name) => svg.includes(`font-family="${name}"`));
  const faces = used.map((name) => {
    const { type, format } = MEDIA[name];
    const data = fontBytes(name).toString('base64');
    return `@font-face{font-family:"${name}";src:url(data:${type};base64,${data}) format("${format}")}`;
  });
  if (faces.length === 0) return svg;
  return svg.replace(/<svg[^>]*>/, (head) => `${head}<defs><style>${faces.join('')}</style></defs>`);
}
