/**
 * How far curves may be off, as a band around them: pure. The error of a signal is the largest that finer
 * runs have shown up to a time, so that the band is as wide everywhere. From where motions part on nothing is
 * known, which is a hatched region with words.
 */
import type { Accuracy, ReadResult } from '@contract/methods';
import type { CustomSeriesOption, CustomSeriesRenderItemAPI, LineSeriesOption } from 'echarts';
import { FONT } from './axes';
import { formatFigureNumber } from './numbers';
import type { PlotTheme } from './palette';
import type { Range } from './ranges';
import { type AxisGroup, onAxis } from './vertical-axes';

export interface ErrorBand {
  /** of signals, in the units shown; those that were never compared have none */
  readonly errors: ReadonlyMap<string, number>;
  /** where it ends, in the unit of time shown */
  readonly until: number;
  /** whether motions part there */
  readonly parts: boolean;
  readonly words: BandWords;
}

export interface BandWords {
  /** in the legend */
  readonly error: string;
  /** of the region where nothing is known. @param time with its unit */
  noDigits(time: string): string;
}

const OPACITY = 0.22;
/** Distance of the lines of the hatched region, px. */
const HATCH = 9;
const PADDING = 4;

/** @param factors of signals @param time factor of times */
export const shownErrorBand = (
  { signals, until, parts }: Accuracy,
  factors: ReadonlyMap<string, number>,
  time: number,
  words: BandWords,
): ErrorBand => ({
  errors: new Map(
    signals.flatMap(({ name, error, time: at }) =>
      at === null || error === null || !Number.isFinite(error)
        ? []
        : [[name, error * (factors.get(name) ?? 1)]],
    ),
  ),
  until: until * time,
  parts,
  words,
});

/** Whether one of the signals has a band: what a model derives from its state has none. */
export const hasBands = ({ errors }: ErrorBand, signals: readonly string[]): boolean =>
  signals.some((name) => errors.has(name));

/** Both edges of the bands of a run, as curves, for the range that shows them. */
export const bandEdges = (
  { signals }: Pick<ReadResult, 'signals'>,
  { errors, until }: ErrorBand,
): Pick<ReadResult, 'signals'>[] =>
  [1, -1].map((sign) => ({
    signals: signals.flatMap(({ name, t, y }) => {
      const error = errors.get(name);
      if (error === undefined) return [];
      const corners = outlineOf({ t, y, jumps: false }, until);
      const edge = (value: number[]): number => (value[1] ?? NaN) + sign * error;
      return [
        { name, t: Float64Array.from(corners, ([time]) => time ?? NaN), y: Float64Array.from(corners, edge) },
      ];
    }),
  }));

export interface BandedCurve {
  readonly t: Float64Array;
  readonly y: Float64Array;
  readonly color: string;
  readonly axis: number;
  /** drawn with steps between the rows */
  readonly jumps: boolean;
}

/** Times and values of a curve up to a time, with the corners of its steps; in the units of the curve. */
export function outlineOf(
  { t, y, jumps }: Pick<BandedCurve, 't' | 'y' | 'jumps'>,
  until: number,
): number[][] {
  const corners: number[][] = [];
  for (let i = 0; i < t.length; i++) {
    const [time, value] = [t[i] ?? NaN, y[i] ?? NaN];
    const before = corners.at(-1);
    if (jumps && before !== undefined) corners.push([before[0] ?? NaN, value]);
    if (time <= until) {
      corners.push([time, value]);
      continue;
    }
    if (before === undefined) return corners;
    // The band ends between two rows.
    const [t0 = NaN, y0 = NaN] = before;
    const at = jumps ? value : y0 + ((value - y0) * (until - t0)) / (time - t0);
    corners.push([until, at]);
    return corners;
  }
  return corners;
}

/** @param range visible part of the axis: what lies below every logarithm ends there */
export function bandSeries(
  curve: BandedCurve,
  error: number,
  until: number,
  group: AxisGroup,
  range: Range,
): CustomSeriesOption {
  const corners = outlineOf(curve, until);
  const side = (sign: 1 | -1): number[][] =>
    corners.map(([time = NaN, value = NaN]) => {
      const at = onAxis(value + sign * error, group);
      return [time, Number.isNaN(at) ? range.min : at];
    });
  const outline = [...side(1), ...side(-1).reverse()];
  return {
    type: 'custom',
    silent: true,
    clip: true,
    animation: false,
    yAxisIndex: curve.axis,
    data: outline.length === 0 ? [] : [outline[0] ?? []],
    renderItem: (_params: unknown, api: CustomSeriesRenderItemAPI) => ({
      type: 'polygon',
      shape: { points: outline.map((point) => api.coord(point)) },
      style: { fill: curve.color, opacity: OPACITY },
    }),
    z: 1,
  };
}

/** Lines from the lower left to the upper right that fill a rectangle. */
function hatching(left: number, top: number, width: number, height: number): string {
  let path = '';
  for (let s = HATCH; s < width + height; s += HATCH)
    path += `M${left + Math.max(0, s - height)} ${top + Math.min(s, height)}L${left + Math.min(s, width)} ${top + Math.max(0, s - width)}`;
  return path;
}

/** Over the curves, which are at 2. */
const LABEL_Z = 3;
/** Digits of the time from which on nothing is known. */
const DIGITS = 4;

/**
 * The region from where motions part on, and its words over the curves.
 * @param y visible part of the first axis
 * @param unit of time
 */
export function unknownRegion(
  { until, words }: ErrorBand,
  x: Range,
  y: Range,
  unit: string,
  theme: PlotTheme,
): CustomSeriesOption[] {
  const from = Math.max(until, x.min);
  const shared = {
    type: 'custom',
    silent: true,
    clip: true,
    animation: false,
    data: [[from, y.min]],
  } as const;
  const region: CustomSeriesOption = {
    ...shared,
    renderItem: (_params: unknown, api: CustomSeriesRenderItemAPI) => {
      const [left = 0, top = 0] = api.coord([from, y.max]);
      const [right = 0, bottom = 0] = api.coord([x.max, y.min]);
      const [width, height] = [right - left, bottom - top];
      return {
        type: 'group',
        children: [
          {
            type: 'rect',
            shape: { x: left, y: top, width, height },
            style: { fill: theme.axis, opacity: 0.12 },
          },
          {
            type: 'path',
            shape: { pathData: hatching(left, top, width, height) },
            style: { fill: 'none', stroke: theme.axis, lineWidth: 1, opacity: 0.35 },
          },
        ],
      };
    },
    z: 1,
  };
  const label: CustomSeriesOption = {
    ...shared,
    renderItem: (_params: unknown, api: CustomSeriesRenderItemAPI) => {
      const [right = 0, top = 0] = api.coord([x.max, y.max]);
      return {
        type: 'text',
        style: {
          text: words.noDigits(`${formatFigureNumber(until, DIGITS)} ${unit}`),
          x: right - PADDING,
          y: top + PADDING,
          align: 'right',
          fill: theme.text,
          backgroundColor: theme.background,
          padding: [2, PADDING],
          fontFamily: FONT,
          fontSize: 11,
        },
      };
    },
    z: LABEL_Z,
  };
  return [region, label];
}

/** The entry of the legend: bands have the colours of their curves. */
export const bandEntry = ({ words }: ErrorBand, { muted }: PlotTheme): LineSeriesOption => ({
  type: 'line',
  name: words.error,
  data: [],
  itemStyle: { color: muted, opacity: 0.5 },
});
