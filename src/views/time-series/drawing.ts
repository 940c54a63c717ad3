/**
 * The time series as a chart: pure, so that the same figure can be drawn on screen, into a file and in a
 * test.
 */
import type { ReadResult } from '@contract/methods';
import type { Annotation, CurveStyle, LegendPlace, PlotAxis, SignalInfo } from '@engine/document/types';
import type { CustomSeriesOption, EChartsOption, LegendComponentOption, LineSeriesOption } from 'echarts';
import { annotationSeries, placedTexts } from '@figures/annotations';
import { AXIS_WIDTH, axisName, FONT, logAxis, type Margins, xAxis, yAxis } from '@figures/axes';
import { type ChangeMark, changeLines } from '@figures/change-marks';
import {
  bandEdges,
  bandEntry,
  bandSeries,
  type ErrorBand,
  hasBands,
  unknownRegion,
} from '@figures/error-band';
import { ratioLabel } from '@figures/numbers';
import { COMPARED_OPACITY, comparedDash, type PlotTheme, seriesColor } from '@figures/palette';
import type { Range } from '@figures/ranges';
import {
  entryWords,
  LEGEND_ABOVE,
  LEGEND_ROW,
  legendRows,
  lineOfRun,
  runEntries,
  type RunWords,
} from '@figures/run-legend';
import { type AxisGroup, axisGroups, dataRanges, onAxis, valuesOnAxis } from '@figures/vertical-axes';

/** Of the lines that mark events: to be seen, and behind everything. */
const EVENT_OPACITY = 0.35;

export interface TimeSeriesInput {
  /** names in the order of the legend, which fixes the colours */
  signals: readonly string[];
  infos: readonly SignalInfo[];
  /** the run in full colour */
  current: ReadResult | null;
  /** runs drawn faintly behind it */
  compared: readonly ReadResult[];
  /** what the runs are called in the legend of the chart, where there are several */
  runs?: RunWords | undefined;
  x: Range;
  /** visible range of each axis; null follows the data */
  y: readonly (Range | null)[];
  theme: PlotTheme;
  /** of the whole chart, px */
  width: number;
  height: number;
  /** where the chart itself has a legend; nowhere when absent */
  legend?: LegendPlace;
  /** vertical axes, in the units shown */
  axes?: readonly PlotAxis[] | undefined;
  styles?: readonly CurveStyle[] | undefined;
  /** texts, in the units shown */
  annotations?: readonly Annotation[] | undefined;
  /** ids of the event-driven runs: their rows have both values of a jump */
  eventDriven?: ReadonlySet<string>;
  /** times of events that are marked, s */
  events?: Float64Array | null;
  /** parameters that were changed on the way */
  changes?: readonly ChangeMark[];
  /** how far the curves of the current run may be off; nothing where it is not shown or not known */
  band?: ErrorBand | null;
  /** of the horizontal axis; default s */
  timeUnit?: string;
}

/** Height of a legend below the plotting area, px. */
const LEGEND_BELOW = 24;

/** Space around the plotting area. @param legend where the chart itself has one @param rows of its entries */
export function timeSeriesMargins(axes: number, legend: LegendPlace = 'none', rows = 1): Margins {
  const more = LEGEND_ROW * (rows - 1);
  return {
    left: 64,
    right: axes > 1 ? 64 + AXIS_WIDTH * (axes - 2) : 18,
    top: 12 + (legend === 'above' ? LEGEND_ABOVE + more : 0),
    bottom: 42 + (legend === 'below' ? LEGEND_BELOW + more : 0),
  };
}

/**
 * Rows of the legend of a time series: the signals, and the runs where there are several.
 * @param width of the chart, px
 */
export const timeSeriesLegendRows = (
  signals: readonly string[],
  runs: RunWords | undefined,
  width: number,
): number => legendRows([...signals, ...(runs?.values() ?? [])], width);

function legendOption(
  place: LegendPlace,
  names: readonly string[],
  runs: RunWords,
  margins: Margins,
  theme: PlotTheme,
  band: ErrorBand | null,
): LegendComponentOption {
  const look = {
    data: [
      ...names,
      ...(band === null || !hasBands(band, names) ? [] : [{ name: band.words.error, icon: 'rect' }]),
      ...runEntries(runs, true),
    ],
    formatter: entryWords(runs),
    textStyle: { color: theme.text, fontFamily: FONT },
    icon: 'roundRect',
    itemHeight: 3,
  };
  if (place === 'above') return { ...look, top: 10 };
  if (place === 'below') return { ...look, bottom: 4 };
  return {
    ...look,
    orient: 'vertical',
    top: margins.top + 8,
    right: margins.right + 8,
    backgroundColor: theme.background,
    borderColor: theme.grid,
    borderWidth: 1,
    padding: [5, 8],
  };
}

/** How many rows a drawn bucket stands for, as the plot says it; empty when every row is drawn. */
export function decimationLabel(result: ReadResult | null): string {
  return ratioLabel(result?.rowsPerBucket ?? 0);
}

/** (t, y) pairs in one flat array, the form the chart library takes without copying objects. */
export function interleave(x: Float64Array, y: Float64Array): Float64Array {
  const flat = new Float64Array(2 * x.length);
  for (let i = 0; i < x.length; i++) {
    flat[2 * i] = x[i] ?? NaN;
    flat[2 * i + 1] = y[i] ?? NaN;
  }
  return flat;
}

/**
 * An impulse is there at an instant only. Between the row that has it and the next one a line would be drawn
 * down to zero, which no force is; instead it is drawn as an upright line.
 */
export function stems(t: Float64Array, y: Float64Array): { t: Float64Array; y: Float64Array } {
  const times: number[] = [];
  const values: number[] = [];
  for (let i = 0; i < t.length; i++) {
    const time = t[i] ?? NaN;
    const value = y[i] ?? NaN;
    if (value !== 0 && times.length > 0 && times.at(-1) !== time) {
      times.push(time);
      values.push(0);
    }
    times.push(time);
    values.push(value);
    if (value !== 0) {
      times.push(time);
      values.push(0);
    }
  }
  return { t: Float64Array.from(times), y: Float64Array.from(values) };
}

/**
 * Quantities that jump in time-stepping. The scheme's velocity of step k+1 holds on ]t_k, t_k+1], so the jump
 * stands at t_k and is drawn upright, not slanted over a step.
 */
const JUMPING: readonly SignalInfo['kind'][] = [
  'velocity',
  'gapVelocity',
  'outputVelocity',
  'impulse',
  'multiplier',
];

interface Curve {
  result: ReadResult;
  name: string;
  color: string;
  /** position among the compared runs; null for the current one */
  behind: number | null;
  axis: number;
  /** drawn with steps between the rows */
  jumps: boolean;
  /** drawn with an upright line at each value that is not zero */
  hasStems: boolean;
  style: CurveStyle | undefined;
}

/** More markers than this in a curve lie over each other. */
const MOST_MARKERS = 2000;
const MARKER_SIZE = 5;
const DASHES = { solid: 'solid', dashed: [7, 4], dotted: [1.5, 3], none: 'solid' } as const;

function curves(input: TimeSeriesInput, groups: readonly AxisGroup[]): Curve[] {
  const kindOf = (name: string): SignalInfo['kind'] =>
    input.infos.find((info) => info.name === name)?.kind ?? 'position';
  const of = (result: ReadResult, behind: number | null): Curve[] => {
    const hasBothValues = input.eventDriven?.has(result.runId) === true;
    return input.signals
      .filter((name) => result.signals.some((signal) => signal.name === name))
      .map((name) => ({
        result,
        name,
        color: seriesColor(input.theme, input.signals.indexOf(name)),
        behind,
        axis: Math.max(
          0,
          groups.findIndex((group) => group.signals.includes(name)),
        ),
        jumps: !hasBothValues && result.rowsPerBucket <= 1 && JUMPING.includes(kindOf(name)),
        hasStems: hasBothValues && kindOf(name) === 'impulse',
        style: input.styles?.find(({ signals }) => signals.includes(name)),
      }));
  };
  return [
    ...input.compared.flatMap((result, index) => of(result, index)),
    ...(input.current ? of(input.current, null) : []),
  ];
}

function line(curve: Curve, index: number): LineSeriesOption {
  const faint = curve.behind !== null;
  const { line: lineStyle = 'solid', width = 1.5, hasMarkers = false } = curve.style ?? {};
  const count = curve.result.signals.find(({ name }) => name === curve.name)?.t.length ?? 0;
  const dash = curve.behind === null ? DASHES[lineStyle] : comparedDash(curve.behind);
  return {
    type: 'line',
    name: faint ? `${curve.name} (${curve.result.runId})` : curve.name,
    datasetIndex: index,
    encode: { x: 0, y: 1 },
    yAxisIndex: curve.axis,
    showSymbol: (hasMarkers || lineStyle === 'none') && count <= MOST_MARKERS,
    symbol: 'circle',
    symbolSize: Math.max(MARKER_SIZE, 2 * width),
    silent: true,
    animation: false,
    clip: true,
    ...(curve.jumps ? { step: 'start' as const } : {}),
    itemStyle: { color: curve.color },
    lineStyle: {
      width: lineStyle === 'none' ? 0 : faint ? 0.8 * width : width,
      color: curve.color,
      opacity: faint ? COMPARED_OPACITY : 1,
      ...(dash === 'solid' ? {} : { type: [...dash] }),
      join: 'round',
    },
    z: faint ? 1 : 2,
  };
}

/** Points of a curve as they are drawn. */
function points({ result, name, hasStems }: Curve, group: AxisGroup): Float64Array {
  const signal = result.signals.find((candidate) => candidate.name === name);
  if (signal === undefined) return new Float64Array(0);
  const { t, y } = hasStems ? stems(signal.t, signal.y) : signal;
  return interleave(t, valuesOnAxis(y, group));
}

/** Thin upright lines at the times of events, behind the curves. @param y visible range of the first axis */
function eventLines(times: Float64Array, y: Range, theme: PlotTheme): LineSeriesOption {
  return {
    type: 'line',
    id: 'events',
    silent: true,
    animation: false,
    clip: true,
    showSymbol: false,
    connectNulls: false,
    lineStyle: { width: 1, color: theme.axis, opacity: EVENT_OPACITY },
    data: [...times].flatMap((t) => [
      [t, y.min],
      [t, y.max],
      [t, NaN],
    ]),
    z: 0,
  };
}

/** What the legend shows of the runs: the dashes that all curves of one have. */
const runStyles = ({ compared, theme }: TimeSeriesInput, runs: RunWords): LineSeriesOption[] =>
  [...runs.keys()].map((runId) => {
    const behind = compared.findIndex((result) => result.runId === runId);
    return lineOfRun(runId, behind === -1 ? null : behind, theme.text);
  });

/** Entries of a legend: the signals, and the band around them. */
export const legendNames = (signals: readonly string[], band: ErrorBand | null): readonly string[] =>
  band === null || !hasBands(band, signals) ? signals : [...signals, band.words.error];

/** Around the curves of the current run. @param ranges visible parts of the axes */
function bandsOf(
  drawn: readonly Curve[],
  { errors, until }: ErrorBand,
  groups: readonly AxisGroup[],
  ranges: readonly Range[],
): CustomSeriesOption[] {
  return drawn.flatMap((curve): CustomSeriesOption[] => {
    const { behind, name, result, axis, color, jumps } = curve;
    const signal = result.signals.find((one) => one.name === name);
    const error = errors.get(name);
    const [group, range] = [groups[axis], ranges[axis]];
    if (behind !== null || signal === undefined || error === undefined) return [];
    if (group === undefined || range === undefined) return [];
    const { t, y } = signal;
    return [bandSeries({ t, y, color, axis, jumps }, error, until, group, range)];
  });
}

/**
 * Range of each axis that shows all curves, with the bands around them, and keeps the ends that are given.
 */
export const timeSeriesRanges = (
  groups: readonly AxisGroup[],
  { current, compared, band = null }: Pick<TimeSeriesInput, 'current' | 'compared' | 'band'>,
): Range[] =>
  dataRanges(groups, [
    ...compared,
    ...(current === null ? [] : [current, ...(band === null ? [] : bandEdges(current, band))]),
  ]);

/** The chart of a time series. */
export function timeSeriesOption(input: TimeSeriesInput): EChartsOption {
  const { theme, width, height, legend = 'none', events, changes = [], annotations = [] } = input;
  const groups = axisGroups(input.signals, input.infos, input.axes);
  const automatic = timeSeriesRanges(groups, input);
  const runs: RunWords = input.runs ?? new Map<string, string>();
  const { band = null } = input;
  const rows = timeSeriesLegendRows(legendNames(input.signals, band), runs, width);
  const margins = timeSeriesMargins(groups.length, legend, rows);
  const plotWidth = width - margins.left - margins.right;
  const drawn = curves(input, groups);
  const [firstGroup = { units: [], signals: [] }] = groups;
  const first = input.y[0] ?? automatic[0] ?? { min: 0, max: 1 };
  const texts = placedTexts(
    annotations.map(({ t, ...rest }) => ({ x: t, ...rest })),
    { x: (t) => t, y: (value) => onAxis(value, firstGroup) },
  );
  const isMarked = events !== undefined && events !== null && events.length > 0;
  const marks = [
    ...(isMarked ? [eventLines(events, first, theme)] : []),
    ...(changes.length > 0 ? [changeLines(changes, input.x, plotWidth, theme)] : []),
    ...annotationSeries(texts, input.x, plotWidth, theme),
  ];
  const ranges = groups.map((_, index) => input.y[index] ?? automatic[index] ?? { min: 0, max: 1 });
  const bands =
    band === null
      ? []
      : [
          ...bandsOf(drawn, band, groups, ranges),
          ...(band.parts && band.until < input.x.max
            ? unknownRegion(band, input.x, first, input.timeUnit ?? 's', theme)
            : []),
          ...(legend === 'none' || !hasBands(band, input.signals) ? [] : [bandEntry(band, theme)]),
        ];
  return {
    animation: false,
    backgroundColor: theme.background,
    grid: { ...margins },
    ...(legend === 'none' ? {} : { legend: legendOption(legend, input.signals, runs, margins, theme, band) }),
    xAxis: xAxis(input.x, `t  [${input.timeUnit ?? 's'}]`, plotWidth, theme),
    yAxis: groups.map((group, index) => {
      const range = ranges[index] ?? first;
      const name = axisName(group.signals, group.units);
      return group.isLog === true
        ? logAxis(range, name, theme, index)
        : yAxis(range, name, height - margins.top - margins.bottom, theme, index);
    }),
    dataset: drawn.map((curve) => ({
      source: points(curve, groups[curve.axis] ?? firstGroup),
      dimensions: ['t', 'y'],
    })),
    series: [...drawn.map(line), ...bands, ...(legend === 'none' ? [] : runStyles(input, runs)), ...marks],
  };
}
