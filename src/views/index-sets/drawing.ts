/**
 * States of contacts and other laws over time, one lane each, as a chart: pure. States differ in the shape of
 * their bars as well as by colour. Where one pixel stands for several states, they share the height of the
 * lane.
 */
import type { LaneOfConstraint } from '@contract/methods';
import type { ConstraintState } from '@engine/recording/constraints/constraint';
import type { CustomSeriesOption, EChartsOption } from 'echarts';
import { FONT, type Margins, xAxis } from '@figures/axes';
import { type PlotTheme, seriesColor } from '@figures/palette';
import type { Range } from '@figures/ranges';

export interface TimelineInput {
  lanes: readonly LaneOfConstraint[];
  /** visible range of time, in the unit that is shown */
  x: Range;
  /** unit of the time axis and factor of times; s where they are left out */
  timeUnit?: string;
  timeFactor?: number;
  theme: PlotTheme;
  /** of the whole chart, px */
  width: number;
  height: number;
  /** what a state is called, with 'impact' */
  words: (state: ConstraintState | 'impact') => string;
  /** a legend inside the picture, for files */
  legend?: boolean;
}

/** Longest label of a lane, px, and width of a letter in it. */
const MOST_LABEL = 150;
const LETTER = 6.6;
const LEGEND_ROOM = 26;
/** Part of a lane that its bars fill. */
const FILLED = 0.72;
/** Tallest bar, px. */
const TALLEST = 34;

export function timelineMargins(lanes: readonly LaneOfConstraint[], legend = false): Margins {
  const longest = Math.max(0, ...lanes.map(({ name }) => name.length));
  const left = Math.min(MOST_LABEL, Math.round(LETTER * longest)) + 20;
  return { left, right: 18, top: legend ? LEGEND_ROOM + 4 : 8, bottom: 42 };
}

/**
 * Part of the height of a lane, from its top, that the bar of a state has; colour by its place in the
 * palette.
 */
interface Look {
  readonly from: number;
  readonly to: number;
  readonly color: number;
}

const LOOKS: Readonly<Record<string, Look>> = {
  open: { from: 0.9, to: 1, color: 7 },
  closed: { from: 0, to: 1, color: 0 },
  stick: { from: 0, to: 1, color: 0 },
  slideForward: { from: 0, to: 0.55, color: 1 },
  slideBackward: { from: 0.45, to: 1, color: 3 },
  lower: { from: 0.6, to: 1, color: 2 },
  between: { from: 0, to: 1, color: 0 },
  upper: { from: 0, to: 0.4, color: 1 },
  present: { from: 0, to: 1, color: 0 },
  absent: { from: 0.46, to: 0.54, color: 7 },
};

const lookOf = (state: ConstraintState): Look => {
  const piece = /^piece(\d+)$/.exec(state);
  if (piece !== null) return { from: 0, to: 1, color: Number(piece[1]) - 1 };
  return LOOKS[state] ?? { from: 0, to: 1, color: 0 };
};

export const stateColor = (theme: PlotTheme, state: ConstraintState): string =>
  seriesColor(theme, lookOf(state).color);

/** States of some lanes, each once, in the order in which they are first met. */
export const statesOf = (lanes: readonly LaneOfConstraint[]): ConstraintState[] => [
  ...new Set(lanes.flatMap(({ stateNames }) => stateNames)),
];

const bitsIn = (mask: number): number => {
  let count = 0;
  for (let rest = mask; rest > 0; rest >>= 1) count += rest & 1;
  return count;
};

/** One stretch of a state in a lane: times, and top and bottom as parts of the bar. */
export interface Bar {
  readonly from: number;
  readonly to: number;
  readonly top: number;
  readonly bottom: number;
}

/** Bars of one state of a lane. */
export function barsOf(lane: LaneOfConstraint, state: ConstraintState): Bar[] {
  const code = lane.stateNames.indexOf(state);
  if (code < 0) return [];
  const look = lookOf(state);
  const bars: Bar[] = [];
  for (let k = 0; k < lane.t.length; k++) {
    const mask = lane.states[k] ?? 0;
    if ((mask & (1 << code)) === 0) continue;
    const count = bitsIn(mask);
    const above = bitsIn(mask >> (code + 1));
    const bar = {
      from: lane.t[k] ?? NaN,
      to: lane.t[k + 1] ?? lane.end,
      // Those that share a pixel stand one above the other, the first at the bottom.
      top: count === 1 ? look.from : above / count,
      bottom: count === 1 ? look.to : (above + 1) / count,
    };
    const last = bars.at(-1);
    if (last?.to === bar.from && last.top === bar.top && last.bottom === bar.bottom)
      bars[bars.length - 1] = { ...last, to: bar.to };
    else bars.push(bar);
  }
  return bars;
}

/** Where a time and a lane stand on the chart, px. */
type Place = (t: number, lane: number) => [number, number];

const fixed = (value: number): string => value.toFixed(2);

function barPath(bars: readonly Bar[], lane: number, place: Place, height: number, edges: Range): string {
  const parts: string[] = [];
  for (const { from, to, top, bottom } of bars) {
    const [x0, y] = place(from, lane);
    const [x1] = place(to, lane);
    const left = Math.max(x0, edges.min);
    // A stretch that is shorter than a pixel must not vanish.
    const right = Math.min(Math.max(x1, x0 + 0.5), edges.max);
    if (right <= left) continue;
    const first = y - height / 2 + top * height;
    parts.push(
      `M${fixed(left)} ${fixed(first)}H${fixed(right)}V${fixed(first + (bottom - top) * height)}H${fixed(left)}Z`,
    );
  }
  return parts.join('');
}

/** The chart of lanes. */
export function timelineOption(input: TimelineInput): EChartsOption {
  const { lanes, x, theme, width, height, words, timeUnit = 's', timeFactor = 1, legend = false } = input;
  const margins = timelineMargins(lanes, legend);
  const plotWidth = width - margins.left - margins.right;
  const plotHeight = height - margins.top - margins.bottom;
  const tall = Math.min(TALLEST, (FILLED * plotHeight) / Math.max(1, lanes.length));
  const edges = { min: margins.left, max: margins.left + plotWidth };
  const seriesOf = (
    name: string,
    color: string,
    draw: (lane: LaneOfConstraint, index: number, place: Place) => string,
    z: number,
  ): CustomSeriesOption => ({
    type: 'custom',
    name,
    silent: true,
    animation: false,
    clip: true,
    z,
    data: lanes.map((_, index) => [x.min, index]),
    renderItem: ({ dataIndex }, api) => {
      const lane = lanes[dataIndex];
      const place: Place = (t, k) => api.coord([t * timeFactor, k]) as [number, number];
      const path = lane === undefined ? '' : draw(lane, dataIndex, place);
      return path === ''
        ? { type: 'group', children: [] }
        : { type: 'path', shape: { pathData: path }, style: { fill: color }, silent: true };
    },
  });
  const states = statesOf(lanes).map((state) =>
    seriesOf(
      words(state),
      stateColor(theme, state),
      (lane, index, place) => barPath(barsOf(lane, state), index, place, tall, edges),
      2,
    ),
  );
  const hasImpacts = lanes.some(({ impactTimes }) => impactTimes.length > 0);
  const impacts = seriesOf(
    words('impact'),
    theme.text,
    ({ impactTimes }, index, place) => {
      const bars = Array.from(impactTimes, (t): Bar => ({ from: t, to: t, top: -0.15, bottom: 1.08 }));
      return barPath(bars, index, place, tall, { min: edges.min - 1, max: edges.max + 1 });
    },
    3,
  );
  const series = hasImpacts ? [...states, impacts] : states;
  return {
    animation: false,
    backgroundColor: theme.background,
    grid: { ...margins },
    ...(legend
      ? {
          legend: {
            top: 4,
            left: margins.left,
            itemWidth: 12,
            itemHeight: 8,
            icon: 'rect',
            selectedMode: false,
            textStyle: { color: theme.text, fontFamily: FONT, fontSize: 11 },
          },
        }
      : {}),
    xAxis: xAxis(x, `t  [${timeUnit}]`, plotWidth, theme),
    yAxis: {
      type: 'category',
      inverse: true,
      data: lanes.map(({ name }) => name),
      axisLine: { show: true, lineStyle: { color: theme.axis } },
      axisTick: { show: false },
      splitLine: { show: true, lineStyle: { color: theme.grid } },
      axisLabel: {
        color: theme.muted,
        fontFamily: FONT,
        fontSize: 11,
        width: MOST_LABEL,
        overflow: 'truncate',
        hideOverlap: true,
      },
    },
    // What the legend shows.
    color: [...statesOf(lanes).map((state) => stateColor(theme, state)), theme.text],
    series,
  };
}
