/**
 * A quantity over two parameters as a chart: pure. Each point of the grid is a cell of its colour; a bar at
 * the right tells the colours.
 */
import type { AnalysisOutcome, NamedQuantity, SweepOutcome, SweptPoints } from '@contract/analyses';
import type { AnalysisDocument, ColourOptions, HeatMapView } from '@engine/document/types';
import type { EChartsOption } from 'echarts';
import { axisName, logAxis, type Margins, xAxis, yAxis } from '@figures/axes';
import { densitySeries, type Pixels, type DensityRectangle } from '@figures/density';
import { colourRange, valueColours } from './colours';
import type { PlotTheme } from '@figures/palette';
import { fixedPlane } from '@figures/plane';
import { extent, type Range } from '@figures/ranges';
import { crossesOverColours, crossLegend, isUncertified } from '@figures/uncertified';

export interface HeatMap {
  readonly x: NamedQuantity;
  readonly y: NamedQuantity;
  readonly quantity: NamedQuantity;
  /** values of the parameters across and upwards, ascending */
  readonly xValues: Float64Array;
  readonly yValues: Float64Array;
  /** row by row from below; NaN where there is none */
  readonly values: Float64Array;
  /** cells that a verdict fails of: places of their values */
  readonly crosses: readonly number[];
  /** of the values; null without any */
  readonly range: Range | null;
}

export interface HeatMapInput {
  /** null before anything is known */
  readonly map: HeatMap | null;
  /** pictures of `heatPixels` and `barPixels`, as the renderer of the chart takes them */
  readonly image: unknown;
  readonly bar: unknown;
  readonly x: Range | null;
  readonly y: Range | null;
  /** of the view, in the units of the map; the pictures are made with the same ones */
  readonly options?: Pick<HeatMapView, 'xRange' | 'yRange' | keyof ColourOptions> | undefined;
  readonly theme: PlotTheme;
  readonly width: number;
  readonly height: number;
  /** what cells that a verdict fails of are called */
  readonly words: { readonly uncertified: string };
}

/** At the right there is room for the bar and its numbers. */
export const HEAT_MARGINS: Margins = { left: 64, right: 108, top: 20, bottom: 42 };
const BAR_GAP = 16;
const BAR_WIDTH = 14;

/** Side of a picture that stays sharp where it is enlarged, px. */
const SHARP = 1200;
/** Name of the number of section points after which the motion repeats itself. */
export const PERIOD = 'period';
/** Section points that are as near as this to each other are one, relative to the extent of all of them. */
const SAME = 1e-6;

/** Whether an analysis of a document is a sweep over a grid of two parameters. */
export const asksForPlane = ({ type, axes, sampling = 'grid' }: AnalysisDocument): boolean =>
  type === 'sweep' && Array.isArray(axes) && axes.length === 2 && sampling === 'grid';

/** The same of what has been found. */
export const isPlaneSweep = (outcome: AnalysisOutcome): outcome is SweepOutcome =>
  outcome.kind === 'sweep' && outcome.axes.length === 2 && outcome.parameters.length === 2;

/** What the colour can tell: the measures, and of sections their period. */
export function heatQuantities({ measures, signals }: SweepOutcome): NamedQuantity[] {
  const hasPeriod = signals.length > 1 && measures.every(({ name }) => name !== PERIOD);
  return [...(hasPeriod ? [{ name: PERIOD, unit: '' }] : []), ...measures];
}

/**
 * Smallest k for which points k apart are the same, at all of `count` rows; NaN where there is none up to
 * half of them.
 */
function periodOf(section: Float64Array, first: number, count: number, width: number): number {
  const scale = new Float64Array(width);
  for (let c = 1; c < width; c++) {
    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < count; i++) {
      const value = section[(first + i) * width + c] ?? NaN;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    // Of a fixed point nothing but rounding is left of the extent.
    scale[c] = SAME * Math.max(high - low, Math.abs(high), Math.abs(low));
  }
  for (let k = 1; 2 * k <= count; k++) {
    let isSame = true;
    for (let i = 0; isSame && i + k < count; i++)
      for (let c = 1; isSame && c < width; c++) {
        const one = section[(first + i) * width + c] ?? NaN;
        isSame = Math.abs((section[(first + i + k) * width + c] ?? NaN) - one) <= (scale[c] ?? 0);
      }
    if (isSame) return k;
  }
  return NaN;
}

function valuesOf(part: SweepOutcome, swept: SweptPoints, name: string): Float64Array {
  const measure = part.measures.findIndex((one) => one.name === name);
  if (measure >= 0)
    return swept.index.map((_, k) => swept.measures[k * part.measures.length + measure] ?? NaN);
  let row = 0;
  return swept.index.map((_, k) => {
    const count = swept.counts[k] ?? 0;
    row += count;
    return periodOf(swept.section, row - count, count, part.signals.length);
  });
}

/**
 * @param y name of what the colour tells; the first quantity where it is unknown
 * @param direction the first one where it is absent or was not swept
 */
export function heatMapOf(part: SweepOutcome, y: string, direction?: SweptPoints['start']): HeatMap | null {
  const quantities = heatQuantities(part);
  const quantity = quantities.find(({ name }) => name === y) ?? quantities[0];
  const swept = part.directions.find(({ start }) => start === direction) ?? part.directions[0];
  const [x, vertical] = part.parameters;
  const [across, upwards] = part.axes;
  if (quantity === undefined || swept === undefined || x === undefined || vertical === undefined) return null;
  if (across === undefined || upwards === undefined) return null;
  const ascending = (values: Float64Array): Float64Array => Float64Array.from(new Set(values)).sort();
  const [xValues, yValues] = [ascending(across), ascending(upwards)];
  const placeOf = (values: Float64Array): Map<number, number> =>
    new Map([...values].map((value, place) => [value, place]));
  const [columns, rows] = [placeOf(xValues), placeOf(yValues)];
  const values = new Float64Array(xValues.length * yValues.length).fill(NaN);
  const found = valuesOf(part, swept, quantity.name);
  const crosses: number[] = [];
  swept.index.forEach((index, k) => {
    const column = columns.get(part.values[2 * index] ?? NaN);
    const row = rows.get(part.values[2 * index + 1] ?? NaN);
    if (column === undefined || row === undefined) return;
    const place = row * xValues.length + column;
    values[place] = found[k] ?? NaN;
    if (swept.verdicts !== undefined && isUncertified(swept.verdicts, k)) crosses.push(place);
  });
  return { x, y: vertical, quantity, xValues, yValues, values, crosses, range: extent([values]) };
}

/** Borders between neighbouring values, half-way, and as far beyond the first and the last. */
export function cellBorders(values: Float64Array): Float64Array {
  const n = values.length;
  const at = (k: number): number => values[k] ?? NaN;
  // A single value has a cell of some width, so that it can be seen.
  if (n === 1) return Float64Array.of(at(0) - 0.5, at(0) + 0.5);
  return Float64Array.from({ length: n + 1 }, (_, k) => {
    if (k === 0) return at(0) - (at(1) - at(0)) / 2;
    return k === n ? at(n - 1) + (at(n - 1) - at(n - 2)) / 2 : (at(k - 1) + at(k)) / 2;
  });
}

export function heatRanges({ xValues, yValues }: HeatMap): { x: Range; y: Range } {
  const range = (values: Float64Array): Range => {
    const borders = cellBorders(values);
    return { min: borders[0] ?? 0, max: borders.at(-1) ?? 1 };
  };
  return { x: range(xValues), y: range(yValues) };
}

/** The value at a place; null beside the grid. */
export function heatAt(map: HeatMap, x: number, y: number): number | null {
  const cell = (values: Float64Array, at: number): number =>
    cellBorders(values).findLastIndex((border) => border <= at);
  const column = cell(map.xValues, x);
  const row = cell(map.yValues, y);
  if (column < 0 || row < 0 || column >= map.xValues.length || row >= map.yValues.length) return null;
  return map.values[row * map.xValues.length + column] ?? null;
}

/**
 * RGBA, top row first; where there is no value nothing is drawn. Cells are as wide as their parameters lie
 * apart.
 */
export function heatPixels(map: HeatMap, options: ColourOptions = {}): Pixels {
  const { values, xValues } = map;
  const pixelsOf = (borders: Float64Array): Int32Array => {
    const cells = borders.length - 1;
    const pixels = Math.max(1, Math.floor(SHARP / cells)) * cells;
    const [low, high] = [borders[0] ?? 0, borders.at(-1) ?? 1];
    let cell = 0;
    return Int32Array.from({ length: pixels }, (_, k) => {
      const at = low + ((k + 0.5) * (high - low)) / pixels;
      while (cell + 1 < cells && (borders[cell + 1] ?? Infinity) <= at) cell++;
      return cell;
    });
  };
  const columns = pixelsOf(cellBorders(xValues));
  const rows = pixelsOf(cellBorders(map.yValues));
  const [width, height] = [columns.length, rows.length];
  const data = new Uint8ClampedArray(4 * width * height);
  const colours = valueColours(values, options);
  for (let top = 0; top < height; top++) {
    const row = rows[height - 1 - top] ?? 0;
    for (let left = 0; left < width; left++) {
      const colour = colours[row * xValues.length + (columns[left] ?? 0)];
      if (colour === null || colour === undefined) continue;
      data.set(colour, 4 * (top * width + left));
      data[4 * (top * width + left) + 3] = 255;
    }
  }
  return { data, width, height };
}

/** Of values that are all the same the bar shows a little more on both sides. */
function barRange(range: Range): Range {
  if (range.max > range.min) return range;
  const room = range.min === 0 ? 1 : 0.1 * Math.abs(range.min);
  return { min: range.min - room, max: range.max + room };
}

/** Middles of the cells that a verdict fails of. */
const crossPlaces = ({ crosses, xValues, yValues }: HeatMap): Float64Array =>
  Float64Array.from(
    crosses.flatMap((place) => [
      xValues[place % xValues.length] ?? NaN,
      yValues[Math.floor(place / xValues.length)] ?? NaN,
    ]),
  );

export function heatMapOption(input: HeatMapInput): EChartsOption {
  const { map, image, bar, theme, width, height } = input;
  const { left, right, top, bottom } = HEAT_MARGINS;
  const { options = {} } = input;
  const whole = map === null ? { x: { min: 0, max: 1 }, y: { min: 0, max: 1 } } : heatRanges(map);
  const automatic = fixedPlane(whole, options);
  const plane = {
    xAxis: xAxis(
      input.x ?? automatic.x,
      map === null ? '' : axisName([map.x.name], [map.x.unit]),
      width - left - right,
      theme,
    ),
    yAxis: yAxis(
      input.y ?? automatic.y,
      map === null ? '' : axisName([map.y.name], [map.y.unit]),
      height - top - bottom,
      theme,
    ),
  };
  const frame = { animation: false, backgroundColor: theme.background } as const;
  const coloured = map === null ? null : colourRange(map.values, options);
  if (map === null || coloured === null) return { ...frame, grid: { ...HEAT_MARGINS }, ...plane, series: [] };
  const rectangle: DensityRectangle = {
    xMin: whole.x.min,
    xMax: whole.x.max,
    yMin: whole.y.min,
    yMax: whole.y.max,
  };
  const scale = barRange(coloured);
  const barName = axisName([map.quantity.name], [map.quantity.unit]);
  const barAxis =
    options.isLog === true
      ? logAxis(scale, barName, theme, 1)
      : yAxis(scale, barName, height - top - bottom, theme, 1);
  const barPlace: DensityRectangle = { xMin: 0, xMax: 1, yMin: scale.min, yMax: scale.max };
  const crosses =
    map.crosses.length === 0 ? [] : crossesOverColours(input.words.uncertified, crossPlaces(map), theme);
  return {
    ...frame,
    ...(crosses.length > 0 && { legend: crossLegend(input.words.uncertified, right, theme) }),
    grid: [{ ...HEAT_MARGINS }, { left: width - right + BAR_GAP, width: BAR_WIDTH, top, bottom }],
    xAxis: [plane.xAxis, { type: 'value', gridIndex: 1, min: 0, max: 1, show: false }],
    yAxis: [plane.yAxis, { ...barAxis, gridIndex: 1 }],
    series: [
      densitySeries(rectangle, image),
      ...crosses,
      { ...densitySeries(barPlace, bar), xAxisIndex: 1, yAxisIndex: 1 },
    ],
  };
}
