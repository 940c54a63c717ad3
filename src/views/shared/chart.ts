/**
 * What a kind of view asks about a run, and how it draws the answers. The window asks for what is seen and
 * draws it again at each gesture; a file is asked and drawn once. Both go through the same two functions.
 * Pure.
 */
import type { Dispatcher, RunInfo } from '@contract/methods';
import type { SignalInfo, ViewDocument } from '@engine/document/types';
import { axisName, type Margins } from '@figures/axes';
import { densityPixels, type Pixels, type DensityRectangle } from '@figures/density';
import type { DisplayUnits } from '@figures/display-units';
import { densityRamp, type PlotTheme } from '@figures/palette';
import type { Range } from '@figures/ranges';
import type { RunWords } from '@figures/run-legend';
import { scaledRange, type ShownUnit } from '@figures/shown-units';
import type { EChartsOption } from 'echarts';

/** What is asked about one run. */
export interface ChartQuestion {
  readonly run: RunInfo;
  /** visible span of time, s; all where it is left out */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** visible part of the plane, in the units of the model; all where it is left out */
  readonly part?: DensityRectangle | undefined;
  /** visible frequencies, Hz; those that are worth looking at where they are left out */
  readonly frequencies?: Range | undefined;
  /** moment of the cursor, s; the end of the run where it is left out */
  readonly at?: number | undefined;
  /** points of a curve over time */
  readonly buckets: number;
  /** of the plotting area, for pictures of a density */
  readonly cells: { readonly width: number; readonly height: number };
  /** whether it is for a page, on which fewer points are distinguished */
  readonly isFile: boolean;
}

export interface ChartLook {
  readonly units: DisplayUnits;
  readonly theme: PlotTheme;
  /** of the whole chart, px */
  readonly width: number;
  readonly height: number;
  /** the run that is shown */
  readonly run: RunInfo | null;
  /** runs that are to be drawn behind it, whether they can be or not */
  readonly compared: readonly RunInfo[];
  /** its signals; those of the model while there is no run */
  readonly signals: readonly SignalInfo[];
  /** visible span of time, s; all where it is left out */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** visible part of axes that are not the time, in the units shown; null follows the data */
  readonly x: Range | null;
  readonly y: Range | null;
  /**
   * pixels in the form that the chart draws
   * @param source what they are made of: the window makes them once for each source and key
   */
  readonly picture: (source: object, key: string, pixels: () => Pixels) => unknown;
  /** a point that is marked, in the units shown */
  readonly mark?: { readonly x: number; readonly y: number } | null;
  /** names of the runs, for a legend in the picture */
  readonly runs?: RunWords | undefined;
  /** whether it is for a file, which has no header with a legend */
  readonly isFile: boolean;
}

/** Answers about the run that is shown, and about those that are drawn behind it. */
export interface Answers<A> {
  readonly current: A | null;
  readonly compared: readonly A[];
  /** about the selected span of the run that is shown */
  readonly selected?: A | null;
}

export interface Chart<V extends ViewDocument, A> {
  /** the view with what it leaves to the run that is shown */
  settle?(view: V, run: RunInfo): V;
  /** whether a run can be drawn behind the one that is shown; absent where none is */
  compares?(view: V, run: RunInfo): boolean;
  /** around the plotting area */
  margins(view: V, answer: A | null): Margins;
  ask(view: V, question: ChartQuestion, dispatcher: Dispatcher): Promise<A>;
  draw(view: V, answers: Answers<A>, look: ChartLook): EChartsOption;
}

/** Points of one curve, in the units of the model. */
export interface ChartCurve {
  name: string;
  runId: string;
  x: Float64Array;
  y: Float64Array;
}

/** A chart over the time of the run that is shown. */
export interface TimeChart<V extends ViewDocument, A> extends Chart<V, A> {
  /** vertical range that shows all; null where the vertical axis is none that could be zoomed */
  wholeY(view: V, answer: A | null, look: Pick<ChartLook, 'run' | 'units'>): Range | null;
  curves(view: V, answer: A): ChartCurve[];
}

/** Span of a question. */
export const spanOf = ({ from, to }: ChartQuestion): { from?: number; to?: number } => ({
  ...(from === undefined ? {} : { from }),
  ...(to === undefined ? {} : { to }),
});

/** The visible part of the axis of time, as it is drawn. @param recorded what there is, s */
export function timeAxis(
  { from, to, units }: Pick<ChartLook, 'from' | 'to' | 'units'>,
  recorded: { readonly from: number; readonly to: number },
): { x: Range; timeUnit: string; timeFactor: number } {
  const { unit: timeUnit, factor: timeFactor } = units.of('s');
  const x = scaledRange({ min: from ?? recorded.from, max: to ?? recorded.to }, timeFactor);
  return { x, timeUnit, timeFactor };
}

/** How values of a signal are shown. */
export const shownOf = (name: string, { signals, units }: Pick<ChartLook, 'signals' | 'units'>): ShownUnit =>
  units.of(signals.find((signal) => signal.name === name)?.unit ?? '');

/** Name of the axis of a signal. */
export const axisOf = (name: string, { unit }: ShownUnit): string => axisName([name], [unit]);

/** Whether a run has recorded all of these signals: one of another model may not. */
export const hasSignals = ({ signals }: RunInfo, names: readonly string[]): boolean =>
  names.every((name) => signals.some((signal) => signal.name === name));

/**
 * A result as a picture of its density.
 * @param behind place among the compared runs; null for the current one
 */
export function densityPicture(
  { counts, width, height }: { counts: Uint32Array; width: number; height: number },
  behind: number | null,
  { theme, picture }: ChartLook,
): unknown {
  return picture(counts, `${theme.background} ${behind ?? ''}`, () => ({
    data: densityPixels(counts, width, height, densityRamp(theme, behind)),
    width,
    height,
  }));
}

/** Cells of a picture of a density. */
export function cellsOf({ cells }: ChartQuestion): { width: number; height: number } {
  const side = (count: number): number => Math.max(16, Math.min(2048, Math.round(count)));
  return { width: side(cells.width), height: side(cells.height) };
}
