/**
 * A bifurcation diagram as a chart: pure. Points of sweeps, one colour for each direction, so that coexisting
 * motions show; branches of orbits over them, stable ones as lines, unstable ones dashed, with their special
 * points as symbols.
 */
import { MANY_POINTS } from '@figures/series';
import type {
  AnalysisOutcome,
  FoundBranch,
  NamedQuantity,
  SweepOutcome,
  SweptPoints,
} from '@contract/analyses';
import type { BifurcationView, DiagramPartName } from '@engine/document/types';
import type { EChartsOption, LineSeriesOption, ScatterSeriesOption } from 'echarts';
import { annotationSeries } from '@figures/annotations';
import { axisName, FONT, type Margins, xAxis, yAxis } from '@figures/axes';
import { type PlotTheme, seriesColor } from '@figures/palette';
import { fixedPlane } from '@figures/plane';
import { padded, type Range } from '@figures/ranges';
import { crossSeries, isUncertified } from '@figures/uncertified';

/** What a diagram can show of an analysis. */
export type DiagramPart = SweepOutcome | FoundBranch;

export interface DiagramInput {
  readonly parts: readonly DiagramPart[];
  /**
   * name of what is shown over the parameter: a signal, a state, a measure; the first one where it is empty
   */
  readonly y: string;
  /** unit of the periods of branches; s where it is left out */
  readonly timeUnit?: string | undefined;
  readonly x: Range | null;
  readonly yRange: Range | null;
  /** of the view, in the units of the parts; its ends hold where no range is given */
  readonly options?: DiagramOptions | undefined;
  readonly theme: PlotTheme;
  readonly width: number;
  readonly height: number;
  /** what directions, branches and special points are called */
  readonly words: DiagramWords;
}

type DiagramOptions = Pick<
  BifurcationView,
  'xRange' | 'yRange' | 'size' | 'opacity' | 'hides' | 'annotations'
>;

export interface DiagramWords {
  readonly up: string;
  readonly down: string;
  readonly initial: string;
  readonly stable: string;
  readonly unstable: string;
  readonly fold: string;
  readonly periodDoubling: string;
  readonly torus: string;
  readonly grazing: string;
  /** points that a verdict fails of */
  readonly uncertified: string;
}

export const DIAGRAM_MARGINS: Margins = { left: 64, right: 18, top: 30, bottom: 42 };

/** Of points whose view says nothing else. */
const OPACITY = 0.85;
const SYMBOLS = { fold: 'triangle', periodDoubling: 'diamond', torus: 'rect', grazing: 'circle' } as const;

export const isDiagramPart = (outcome: AnalysisOutcome): outcome is DiagramPart =>
  (outcome.kind === 'sweep' && outcome.parameters.length > 0) ||
  (outcome.kind === 'branch' && outcome.status === 'done');

/** The period of an orbit that no forcing gives it; a sweep may have a measure that is called period. */
const PERIOD = 'orbit period';

const branchQuantities = (
  { states, isAutonomous }: FoundBranch,
  timeUnit: string,
): readonly NamedQuantity[] => (isAutonomous ? [...states, { name: PERIOD, unit: timeUnit }] : states);

/** The quantity on the horizontal axis: what the first part varies. */
export function diagramParameter([first]: readonly DiagramPart[]): NamedQuantity | undefined {
  return first?.kind === 'sweep' ? first.parameters[0] : first?.parameter;
}

/** What can stand on the vertical axis, with units. @param timeUnit of periods */
export function diagramQuantities(parts: readonly DiagramPart[], timeUnit = 's'): NamedQuantity[] {
  const found = new Map<string, string>();
  for (const part of parts) {
    const list =
      part.kind === 'branch'
        ? branchQuantities(part, timeUnit)
        : [...part.signals.slice(1), ...part.measures];
    for (const { name, unit } of list) if (!found.has(name)) found.set(name, unit);
  }
  return [...found].map(([name, unit]) => ({ name, unit }));
}

/**
 * Points by what they are drawn of: a diagram is redrawn at every movement, and may have a million of them.
 */
const gathered = new WeakMap<SweptPoints, Map<string, Gathered>>();

/** Parameter and value in turn. */
interface Gathered {
  readonly points: Float64Array;
  /** those that a verdict fails of */
  readonly crosses: Float64Array;
}

const NONE: Gathered = { points: new Float64Array(0), crosses: new Float64Array(0) };

/** Of one direction. */
function sweptPoints(part: SweepOutcome, direction: number, y: string): Gathered {
  const swept = part.directions[direction];
  if (swept === undefined) return NONE;
  const known = gathered.get(swept) ?? new Map<string, Gathered>();
  gathered.set(swept, known);
  const points = known.get(y) ?? gather(part, swept, y);
  known.set(y, points);
  return points;
}

function gather(part: SweepOutcome, swept: SweptPoints, y: string): Gathered {
  const axes = part.parameters.length;
  const { verdicts } = swept;
  const isCross = (k: number): boolean => verdicts !== undefined && isUncertified(verdicts, k);
  const column = part.signals.findIndex(({ name }, k) => k > 0 && name === y);
  const measure = part.measures.findIndex(({ name }) => name === y);
  if (column <= 0 && measure < 0) return NONE;
  const countOf = (k: number): number => (column > 0 ? (swept.counts[k] ?? 0) : 1);
  const sum = (all: boolean): number =>
    swept.index.reduce((total, _, k) => total + (isCross(k) === all ? countOf(k) : 0), 0);
  const points = new Float64Array(2 * sum(false));
  const crosses = new Float64Array(2 * sum(true));
  let [row, point, cross] = [0, 0, 0];
  swept.index.forEach((index, k) => {
    const p = part.values[index * axes] ?? NaN;
    const fails = isCross(k);
    for (let i = 0; i < countOf(k); i++, row++) {
      const value =
        column > 0
          ? swept.section[row * part.signals.length + column]
          : swept.measures[k * part.measures.length + measure];
      const at = 2 * (fails ? cross++ : point++);
      (fails ? crosses : points).set([p, value ?? NaN], at);
    }
  });
  return { points, crosses };
}

const sizeFor = (points: number): number =>
  points <= 500 ? 5 : points <= 5000 ? 3 : points <= 40_000 ? 1.8 : 1.2;

/** Points of all directions that a verdict fails of; none where there are none. */
function sweepCrosses(part: SweepOutcome, { y, options: { hides = [] } = {} }: DiagramInput): Float64Array[] {
  return part.directions.flatMap(({ start }, d) =>
    hides.includes(start) ? [] : [sweptPoints(part, d, y).crosses],
  );
}

/** Orbits of a branch that a verdict fails of. */
function branchCrosses(part: FoundBranch, y: string): Float64Array {
  const shown = shownOf(part, y);
  const { verdicts } = part;
  if (shown === null || verdicts === undefined) return NONE.crosses;
  const passesOf = (k: number): number[] =>
    Array.from({ length: curvesOf(part) }, (_, pass) => shown.at(k, pass));
  return Float64Array.from(
    [...part.p].flatMap((p, k) =>
      isUncertified(verdicts, k) ? passesOf(k).flatMap((value) => [p, value]) : [],
    ),
  );
}

function joined(parts: readonly Float64Array[]): Float64Array {
  const [first = NONE.crosses] = parts.filter(({ length }) => length > 0);
  if (parts.every((part) => part === first || part.length === 0)) return first;
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function sweepSeries(
  part: SweepOutcome,
  { y, theme, words, options = {} }: DiagramInput,
  first: number,
): ScatterSeriesOption[] {
  const { size, opacity = OPACITY, hides = [] } = options;
  return part.directions.flatMap(({ start }, d): ScatterSeriesOption[] => {
    if (hides.includes(start)) return [];
    const { points: data } = sweptPoints(part, d, y);
    const series: ScatterSeriesOption = {
      type: 'scatter',
      name: words[start],
      data: data,
      dimensions: ['p', 'y'],
      // The other direction lies below, larger, so that it shows where both are.
      symbolSize: (size ?? sizeFor(data.length / 2)) * (start === 'down' ? 1.5 : 1),
      ...MANY_POINTS,
      itemStyle: { color: seriesColor(theme, first + d), opacity },
      z: start === 'down' ? 2 : 3,
    };
    return [series];
  });
}

/**
 * Curves of one branch: of its section points, one for each period of the forcing or return to the section.
 */
const curvesOf = ({ section, multiple }: FoundBranch): number => section?.curves ?? multiple;

/** The state at a point of a branch on one of its curves. */
function stateAt(part: FoundBranch, k: number, pass: number): Float64Array {
  const { states, x, others } = part;
  const size = states.length;
  if (pass === 0) return x.subarray(k * size, (k + 1) * size);
  const from = (k * (curvesOf(part) - 1) + pass - 1) * size;
  return others.subarray(from, from + size);
}

/**
 * Readout for the orbits of a branch: the value on one of them after a number of forcing periods, and those
 * of a special point.
 */
interface Shown {
  readonly at: (k: number, pass: number) => number;
  readonly of: (special: FoundBranch['special'][number]) => readonly number[];
}

/** Null where the branch has no such quantity. */
function shownOf(part: FoundBranch, y: string): Shown | null {
  if (part.isAutonomous && y === PERIOD)
    return { at: (k) => part.period[k] ?? NaN, of: ({ period }) => [period] };
  const column = part.states.findIndex(({ name }) => name === y);
  if (column < 0) return null;
  return {
    at: (k, pass) => stateAt(part, k, pass)[column] ?? NaN,
    of: ({ x, others }) => passes([...x, ...others], part.states.length, column),
  };
}

/** One component of states that follow one another. */
const passes = (states: readonly number[], size: number, column: number): number[] =>
  states.filter((_, i) => i % size === column);

function branchSeries(
  part: FoundBranch,
  { y, theme, words, options: { hides = [] } = {} }: DiagramInput,
  colour: number,
): (LineSeriesOption | ScatterSeriesOption)[] {
  const shown = shownOf(part, y);
  if (shown === null) return [];
  const at = (k: number, pass: number): [number, number] => [part.p[k] ?? NaN, shown.at(k, pass)];
  // A piece belongs to what its end is: neighbours of a change are joined.
  const lines = (isStable: boolean): (number | null)[][] => {
    const points: (number | null)[][] = [];
    // An orbit of several periods has as many points, each of which makes a curve of its own.
    for (let pass = 0; pass < curvesOf(part); pass++) {
      let isDrawn = false;
      for (let k = 1; k < part.p.length; k++) {
        if ((part.isStable[k] === 1) !== isStable) continue;
        if (part.isStable[k - 1] !== part.isStable[k] || !isDrawn) points.push([null, null], at(k - 1, pass));
        points.push(at(k, pass));
        isDrawn = true;
      }
    }
    return points;
  };
  const line = (isStable: boolean): LineSeriesOption => ({
    type: 'line',
    name: isStable ? words.stable : words.unstable,
    data: lines(isStable),
    symbol: 'none',
    showSymbol: false,
    silent: true,
    animation: false,
    connectNulls: false,
    lineStyle: { color: seriesColor(theme, colour), width: 1.8, type: isStable ? 'solid' : [5, 3] },
    itemStyle: { color: seriesColor(theme, colour) },
    z: 4,
  });
  const specials = (Object.keys(SYMBOLS) as (keyof typeof SYMBOLS)[]).flatMap(
    (kind): ScatterSeriesOption[] => {
      const points = part.special.filter((one) => one.kind === kind);
      if (points.length === 0) return [];
      return [
        {
          type: 'scatter',
          name: words[kind],
          data: points.flatMap((one) => shown.of(one).map((value) => [one.p, value])),
          symbol: SYMBOLS[kind],
          symbolSize: 9,
          silent: true,
          animation: false,
          itemStyle: { color: theme.background, borderColor: theme.text, borderWidth: 1.6 },
          z: 6,
        },
      ];
    },
  );
  const isShown = (name: DiagramPartName): boolean => !hides.includes(name);
  return [
    ...(isShown('stable') ? [line(true)] : []),
    ...(isShown('unstable') ? [line(false)] : []),
    ...(isShown('special') ? specials : []),
  ];
}

/** Ranges that show everything. */
export function diagramRanges(parts: readonly DiagramPart[], y: string): { x: Range; y: Range } {
  const x: Range = { min: Infinity, max: -Infinity };
  const vertical: Range = { min: Infinity, max: -Infinity };
  const take = (p: number, value: number): void => {
    if (!Number.isFinite(p) || !Number.isFinite(value)) return;
    x.min = Math.min(x.min, p);
    x.max = Math.max(x.max, p);
    vertical.min = Math.min(vertical.min, value);
    vertical.max = Math.max(vertical.max, value);
  };
  for (const part of parts) {
    if (part.kind === 'sweep') {
      part.directions.forEach((_, d) => {
        const { points, crosses } = sweptPoints(part, d, y);
        for (const all of [points, crosses])
          for (let i = 0; i < all.length; i += 2) take(all[i] ?? NaN, all[i + 1] ?? NaN);
      });
      continue;
    }
    const shown = shownOf(part, y);
    if (shown === null) continue;
    part.p.forEach((p, k) => {
      for (let pass = 0; pass < curvesOf(part); pass++) take(p, shown.at(k, pass));
    });
  }
  const known = (range: Range): Range | null => (range.min <= range.max ? range : null);
  return { x: padded(known(x)), y: padded(known(vertical)) };
}

/** A line in the legend, dashed for unstable orbits; null for what has a symbol. */
function lineIcon(name: string, { stable, unstable }: DiagramWords): string | null {
  if (name === stable) return 'path://M0,4H14V6H0Z';
  return name === unstable ? 'path://M0,4H5V6H0ZM9,4H14V6H9Z' : null;
}

export function diagramOption(input: DiagramInput): EChartsOption {
  const { parts, theme, width, height } = input;
  const quantities = diagramQuantities(parts, input.timeUnit);
  const y = quantities.find(({ name }) => name === input.y) ?? quantities[0] ?? { name: '', unit: '' };
  const { x, yRange } = input;
  const { options = {} } = input;
  const automatic =
    x === null || yRange === null ? fixedPlane(diagramRanges(parts, y.name), options) : { x, y: yRange };
  const parameter = diagramParameter(parts);
  const chosen = { ...input, y: y.name };
  let colour = 0;
  const series: (LineSeriesOption | ScatterSeriesOption)[] = [];
  for (const part of parts) {
    if (part.kind === 'sweep') {
      series.push(...sweepSeries(part, chosen, colour));
      colour += part.directions.length;
    } else series.push(...branchSeries(part, chosen, colour++));
  }
  const crosses = joined(
    parts.flatMap((part) =>
      part.kind === 'sweep' ? sweepCrosses(part, chosen) : [branchCrosses(part, y.name)],
    ),
  );
  if (crosses.length > 0) series.push(crossSeries(input.words.uncertified, crosses, theme));
  const { left, right, top, bottom } = DIAGRAM_MARGINS;
  const across = x ?? automatic.x;
  const texts = annotationSeries(options.annotations ?? [], across, width - left - right, theme);
  return {
    animation: false,
    backgroundColor: theme.background,
    grid: { ...DIAGRAM_MARGINS },
    legend: {
      show: series.length > 1,
      top: 2,
      right: right,
      itemWidth: 14,
      itemHeight: 9,
      selectedMode: false,
      borderWidth: 0,
      data: [...new Set(series.map(({ name }) => String(name)))].map((name) => {
        const icon = lineIcon(name, input.words);
        return icon === null ? { name } : { name, icon, lineStyle: { width: 0 } };
      }),
      textStyle: { color: theme.muted, fontFamily: FONT, fontSize: 11 },
    },
    xAxis: xAxis(
      across,
      parameter === undefined ? '' : axisName([parameter.name], [parameter.unit]),
      width - left - right,
      theme,
    ),
    yAxis: yAxis(yRange ?? automatic.y, axisName([y.name], [y.unit]), height - top - bottom, theme),
    series: [...series, ...texts],
  };
}
