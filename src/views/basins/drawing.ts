/**
 * Basins of attraction as a chart: pure. One colour for each attractor: its section points, or the line of a
 * limit cycle, edged in the colour of the text.
 */
import type { FoundBasins } from '@contract/analyses';
import type { BasinsView } from '@engine/document/types';
import type { CustomSeriesOption, EChartsOption, LineSeriesOption, ScatterSeriesOption } from 'echarts';
import { axisName, FONT, type Margins, xAxis, yAxis } from '@figures/axes';
import { densitySeries, type Pixels, type DensityRectangle } from '@figures/density';
import { type PlotTheme, seriesColor } from '@figures/palette';
import { fixedPlane } from '@figures/plane';
import type { Range } from '@figures/ranges';
import { legendRows } from '@figures/run-legend';
import { countUncertified, crossesOverColours, isUncertified } from '@figures/uncertified';

export interface BasinsInput {
  /** null before anything is known */
  readonly found: FoundBasins | null;
  /** picture of `basinPixels`, as the renderer of the chart takes it */
  readonly image: unknown;
  readonly x: Range | null;
  readonly y: Range | null;
  /** of the view, in the units of what is found; its ends hold where no range is given */
  readonly options?: Pick<BasinsView, 'xRange' | 'yRange' | 'hasNoAttractors'> | undefined;
  readonly theme: PlotTheme;
  readonly width: number;
  readonly height: number;
  readonly words: BasinWords;
}

export interface BasinWords {
  /** @param number from 1 */
  attractor(number: number): string;
  /**
   * of a plane with parameters: attractors by the periods and events after which they repeat; null where
   * impacts accumulate
   */
  kind(cycle: number, events: number | null): string;
  /**
   * of an autonomous model.
   * @param number from 1; null of a plane with parameters, whose kinds have events
   */
  limit(limit: 'rest' | 'cycle', number: number | null, events: number | null): string;
  readonly undecided: string;
  readonly notSimulated: string;
  /** starts that a verdict fails of */
  readonly uncertified: string;
}

const MARGINS: Margins = { left: 64, right: 18, top: 30, bottom: 42 };
/**
 * Room of an entry of the legend beside its words, of a character of them, and height of a further row, px.
 */
const ENTRY = 28;
const CHARACTER = 6;
const ROW = 20;

/** Side of a picture that stays sharp where it is enlarged, px. */
const SHARP = 1200;
/** Marks of attractors; one that repeats after many periods shows as a set. */
const SYMBOLS = ['circle', 'triangle', 'diamond', 'rect', 'pin', 'arrow'] as const;

const rgb = (hex: string): readonly [number, number, number] => [
  Number.parseInt(hex.slice(1, 3), 16),
  Number.parseInt(hex.slice(3, 5), 16),
  Number.parseInt(hex.slice(5, 7), 16),
];

/** What the picture covers: half a cell more than the starts on each side. */
export function basinsRectangle({ xValues, yValues }: FoundBasins): DensityRectangle {
  const half = (values: Float64Array): number =>
    ((values.at(-1) ?? 0) - (values[0] ?? 0)) / (2 * Math.max(1, values.length - 1));
  const [dx, dy] = [half(xValues), half(yValues)];
  return {
    xMin: (xValues[0] ?? 0) - dx,
    xMax: (xValues.at(-1) ?? 1) + dx,
    yMin: (yValues[0] ?? 0) - dy,
    yMax: (yValues.at(-1) ?? 1) + dy,
  };
}

export function basinsRanges(found: FoundBasins): { x: Range; y: Range } {
  const { xMin, xMax, yMin, yMax } = basinsRectangle(found);
  return { x: { min: xMin, max: xMax }, y: { min: yMin, max: yMax } };
}

const undecidedColour = (theme: PlotTheme): string => theme.background;
const failedColour = (theme: PlotTheme): string => theme.axis;

/** RGBA, top row first; each start is a square of pixels, so that its borders stay sharp. */
export function basinPixels(
  { codes, xValues, yValues, undecided, notSimulated }: FoundBasins,
  theme: PlotTheme,
): Pixels {
  const [columns, rows] = [xValues.length, yValues.length];
  const side = Math.max(1, Math.floor(SHARP / Math.max(columns, rows)));
  const [width, height] = [columns * side, rows * side];
  const data = new Uint8ClampedArray(4 * width * height);
  const colours = new Map<number, readonly [number, number, number]>([
    [undecided, rgb(undecidedColour(theme))],
    [notSimulated, rgb(failedColour(theme))],
  ]);
  for (let top = 0; top < height; top++) {
    const row = rows - 1 - Math.floor(top / side);
    for (let left = 0; left < width; left++) {
      const code = codes[row * columns + Math.floor(left / side)] ?? undecided;
      let colour = colours.get(code);
      if (colour === undefined) {
        colour = rgb(seriesColor(theme, code));
        colours.set(code, colour);
      }
      data.set(colour, 4 * (top * width + left));
      data[4 * (top * width + left) + 3] = 255;
    }
  }
  return { data, width, height };
}

/** What an attractor is called. @param k its number from 0 */
export function attractorName({ attractors }: FoundBasins, k: number, words: BasinWords): string {
  const { cycle = 1, events, limit } = attractors.at(k) ?? {};
  if (limit !== undefined) return words.limit(limit, events === undefined ? k + 1 : null, events ?? null);
  return events === undefined ? words.attractor(k + 1) : words.kind(cycle, events);
}

/** Width of the line of a limit cycle, and of the edge on both sides together, px. */
const LINE = 2;
const EDGE = 2;

/** Limit cycles as closed lines, which are in no legend. */
function cycleSeries({ attractors, states, places }: FoundBasins, theme: PlotTheme): LineSeriesOption[] {
  const n = states.length;
  return attractors.flatMap(({ points, limit }, k): LineSeriesOption[] => {
    if (limit !== 'cycle' || points.length === 0) return [];
    const count = points.length / n;
    const data = Array.from({ length: count + 1 }, (_, i) =>
      places.map((place) => points[(i % count) * n + place] ?? NaN),
    );
    const line = (color: string, width: number): LineSeriesOption => ({
      type: 'line',
      data,
      showSymbol: false,
      silent: true,
      animation: false,
      clip: true,
      lineStyle: { color, width },
      z: 4,
    });
    return [line(theme.text, LINE + EDGE), line(seriesColor(theme, k), LINE)];
  });
}

function attractorSeries(found: FoundBasins, { theme, words }: BasinsInput): ScatterSeriesOption[] {
  const { attractors, states, places } = found;
  const n = states.length;
  return attractors.map(({ points, cycle, events, limit }, k): ScatterSeriesOption => {
    // Kinds of attractors have no place in a plane with parameters, and limit cycles are lines.
    const hasPoints = events === undefined && limit !== 'cycle';
    const data = Array.from({ length: hasPoints ? cycle : 0 }, (_, i) => [
      points[i * n + places[0]] ?? NaN,
      points[i * n + places[1]] ?? NaN,
    ]);
    return {
      type: 'scatter',
      name: attractorName(found, k, words),
      data,
      symbol: hasPoints ? (SYMBOLS[k % SYMBOLS.length] ?? 'circle') : 'rect',
      symbolSize: 9,
      silent: true,
      animation: false,
      clip: true,
      itemStyle: { color: seriesColor(theme, k), borderColor: theme.text, borderWidth: 1.5 },
      z: 5,
    };
  });
}

/** A square in the legend for what is no attractor. */
const square = (name: string, colour: string, theme: PlotTheme): ScatterSeriesOption => ({
  type: 'scatter',
  name,
  data: [],
  symbol: 'rect',
  itemStyle: { color: colour, borderColor: theme.axis, borderWidth: 1 },
});

/** What stands in the legend. */
function legendNames(found: FoundBasins, words: BasinWords): string[] {
  const { attractors, codes, undecided, notSimulated, verdicts } = found;
  return [
    ...attractors.map((_, k) => attractorName(found, k, words)),
    ...(codes.includes(undecided) ? [words.undecided] : []),
    ...(codes.includes(notSimulated) ? [words.notSimulated] : []),
    ...(countUncertified(verdicts) > 0 ? [words.uncertified] : []),
  ];
}

/** Space around the map, which leaves room for the rows of its legend. @param width px */
export function basinsMargins(found: FoundBasins | null, words: BasinWords, width: number): Margins {
  if (found === null) return MARGINS;
  const rows = legendRows(legendNames(found, words), width - MARGINS.right, ENTRY, CHARACTER);
  return { ...MARGINS, top: MARGINS.top + ROW * (rows - 1) };
}

/** Starts that a verdict fails of, x and y in turn. */
function crossPlaces({ verdicts, codes, xValues, yValues }: FoundBasins): Float64Array {
  if (verdicts === undefined) return new Float64Array(0);
  const width = xValues.length;
  const places: number[] = [];
  codes.forEach((_, k) => {
    if (!isUncertified(verdicts, k)) return;
    places.push(xValues[k % width] ?? NaN, yValues[Math.floor(k / width)] ?? NaN);
  });
  return Float64Array.from(places);
}

export function basinsOption(input: BasinsInput): EChartsOption {
  const { found, image, theme, width, height, words } = input;
  const margins = basinsMargins(found, words, width);
  const { left, right, top, bottom } = margins;
  const { options = {} } = input;
  const whole = found === null ? { x: { min: 0, max: 1 }, y: { min: 0, max: 1 } } : basinsRanges(found);
  const automatic = fixedPlane(whole, options);
  const series: (CustomSeriesOption | LineSeriesOption | ScatterSeriesOption)[] = [];
  if (found !== null) {
    if (image !== null) series.push(densitySeries(basinsRectangle(found), image));
    const attractors = attractorSeries(found, input);
    // Their names tell the colours of the basins all the same.
    series.push(
      ...(options.hasNoAttractors === true
        ? attractors.map((one): ScatterSeriesOption => ({ ...one, data: [], symbol: 'rect' }))
        : [...cycleSeries(found, theme), ...attractors]),
    );
    if (found.codes.includes(found.undecided))
      series.push(square(words.undecided, undecidedColour(theme), theme));
    if (found.codes.includes(found.notSimulated))
      series.push(square(words.notSimulated, failedColour(theme), theme));
    const crosses = crossPlaces(found);
    if (crosses.length > 0) series.push(...crossesOverColours(words.uncertified, crosses, theme));
  }
  const names = found === null ? [] : legendNames(found, words);
  return {
    animation: false,
    backgroundColor: theme.background,
    grid: { ...margins },
    legend: {
      show: names.length > 0,
      top: 2,
      right,
      itemWidth: 12,
      itemHeight: 10,
      selectedMode: false,
      borderWidth: 0,
      data: names,
      textStyle: { color: theme.muted, fontFamily: FONT, fontSize: 11 },
    },
    xAxis: xAxis(
      input.x ?? automatic.x,
      found === null ? '' : axisName([found.x.name], [found.x.unit]),
      width - left - right,
      theme,
    ),
    yAxis: yAxis(
      input.y ?? automatic.y,
      found === null ? '' : axisName([found.y.name], [found.y.unit]),
      height - top - bottom,
      theme,
    ),
    series,
  };
}
