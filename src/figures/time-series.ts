/** The time series as a chart: pure, so that the same figure can be drawn on screen, into a file and in a test. */
import type { ReadResult } from '@contract/methods';
import type { SignalInfo } from '@engine/document/types';
import type { EChartsOption, LineSeriesOption } from 'echarts';
import { axisName, type Margins, xAxis, yAxis } from './axes';
import { type ChangeMark, changeLines } from './change-marks';
import { COMPARED_OPACITY, comparedDash, type PlotTheme, seriesColor } from './palette';
import { extent, padded, type Range } from './ranges';

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
  x: Range;
  /** visible range of each axis; null follows the data */
  y: readonly (Range | null)[];
  theme: PlotTheme;
  /** of the whole chart, px */
  width: number;
  height: number;
  /** a legend inside the picture, for files */
  legend?: boolean;
  /** ids of the event-driven runs: their rows have both values of a jump */
  eventDriven?: ReadonlySet<string>;
  /** times of events that are marked, s */
  events?: Float64Array | null;
  /** parameters that were changed on the way */
  changes?: readonly ChangeMark[];
  /** of the horizontal axis; default s */
  timeUnit?: string;
}

export interface AxisGroup {
  units: string[];
  signals: string[];
}

/** At most two vertical axes: the first unit on the left, all others share the right one. */
export function axisGroups(signals: readonly string[], infos: readonly SignalInfo[]): AxisGroup[] {
  const groups: AxisGroup[] = [];
  for (const name of signals) {
    const unit = infos.find((info) => info.name === name)?.unit ?? '';
    let group = groups.find((candidate) => candidate.units.includes(unit));
    if (group === undefined && groups.length < 2) {
      group = { units: [], signals: [] };
      groups.push(group);
    }
    group ??= groups[1];
    if (group === undefined) continue;
    if (!group.units.includes(unit)) group.units.push(unit);
    group.signals.push(name);
  }
  return groups.length > 0 ? groups : [{ units: [''], signals: [] }];
}

/** Space around the plotting area. */
export function timeSeriesMargins(axes: number, legend = false): Margins {
  return { left: 64, right: axes > 1 ? 64 : 18, top: legend ? 40 : 12, bottom: 42 };
}

/** Range of each axis from the data that are there. */
export function dataRanges(groups: readonly AxisGroup[], results: readonly ReadResult[]): Range[] {
  return groups.map((group) => {
    const arrays = results.flatMap((result) =>
      result.signals.filter((signal) => group.signals.includes(signal.name)).map((signal) => signal.y),
    );
    return padded(extent(arrays));
  });
}

/** How many rows a drawn bucket stands for, as the plot says it; empty when every row is drawn. */
export function decimationLabel(result: ReadResult | null): string {
  if (result === null || result.rowsPerBucket <= 1) return '';
  return `1 : ${Math.round(result.rowsPerBucket).toLocaleString('en')}`;
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
 * An impulse is there at an instant only. Between the row that has it and the next one a line would be drawn down to zero,
 * which no force is; instead it is drawn as an upright line.
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
 * Quantities that jump in time-stepping. The scheme's velocity of step k+1 holds on ]t_k, t_k+1], so the jump stands at t_k and is
 * drawn upright, not slanted over a step.
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
}

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
      }));
  };
  return [
    ...input.compared.flatMap((result, index) => of(result, index)),
    ...(input.current ? of(input.current, null) : []),
  ];
}

function line(curve: Curve, index: number): LineSeriesOption {
  const faint = curve.behind !== null;
  return {
    type: 'line',
    name: faint ? `${curve.name} (${curve.result.runId})` : curve.name,
    datasetIndex: index,
    encode: { x: 0, y: 1 },
    yAxisIndex: curve.axis,
    showSymbol: false,
    silent: true,
    animation: false,
    clip: true,
    ...(curve.jumps ? { step: 'start' as const } : {}),
    itemStyle: { color: curve.color },
    lineStyle: {
      width: faint ? 1.2 : 1.5,
      color: curve.color,
      opacity: faint ? COMPARED_OPACITY : 1,
      ...(curve.behind === null ? {} : { type: comparedDash(curve.behind) }),
      join: 'round',
    },
    z: faint ? 1 : 2,
  };
}

/** Points of a curve as they are drawn. */
function points({ result, name, hasStems }: Curve): Float64Array {
  const signal = result.signals.find((candidate) => candidate.name === name);
  if (signal === undefined) return new Float64Array(0);
  const { t, y } = hasStems ? stems(signal.t, signal.y) : signal;
  return interleave(t, y);
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

/** The chart of a time series. */
export function timeSeriesOption(input: TimeSeriesInput): EChartsOption {
  const { theme, width, height } = input;
  const groups = axisGroups(input.signals, input.infos);
  const results = [...input.compared, ...(input.current === null ? [] : [input.current])];
  const automatic = dataRanges(groups, results);
  const margins = timeSeriesMargins(groups.length, input.legend === true);
  const drawn = curves(input, groups);
  const first = input.y[0] ?? automatic[0] ?? { min: 0, max: 1 };
  const { events } = input;
  const isMarked = events !== undefined && events !== null && events.length > 0;
  const { changes = [] } = input;
  const marks = [
    ...(isMarked ? [eventLines(events, first, theme)] : []),
    ...(changes.length > 0
      ? [changeLines(changes, input.x, width - margins.left - margins.right, theme)]
      : []),
  ];
  return {
    animation: false,
    backgroundColor: theme.background,
    grid: { ...margins },
    ...(input.legend === true
      ? {
          legend: {
            top: 10,
            data: [...input.signals],
            textStyle: { color: theme.text },
            icon: 'roundRect',
            itemHeight: 3,
          },
        }
      : {}),
    xAxis: xAxis(input.x, `t  [${input.timeUnit ?? 's'}]`, width - margins.left - margins.right, theme),
    yAxis: groups.map((group, index) =>
      yAxis(
        input.y[index] ?? automatic[index] ?? { min: 0, max: 1 },
        axisName(group.signals, group.units),
        height - margins.top - margins.bottom,
        theme,
        index === 0 ? 0 : 1,
      ),
    ),
    dataset: drawn.map((curve) => ({ source: points(curve), dimensions: ['t', 'y'] })),
    series: [...drawn.map(line), ...marks],
  };
}
