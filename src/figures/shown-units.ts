/**
 * Recorded values in the units that they are shown in: only what is drawn is scaled, recordings stay as they
 * are.
 */
import type { PortraitResult, ReadResult, SectionResult } from '@contract/methods';
import type {
  Annotation,
  FixedRange,
  PlaneAnnotation,
  PlaneEnds,
  PlotAxis,
  SignalInfo,
} from '@engine/document/types';
import type { ChangeMark } from './change-marks';
import type { DensityRectangle } from './density';
import type { Range } from './ranges';
import { axisGroups } from './vertical-axes';

/** A unit on the screen. */
export interface ShownUnit {
  readonly unit: string;
  /** a value of the model times the factor is the value shown */
  readonly factor: number;
}

/** How values in a unit of the model are shown. */
export type ShownUnitOf = (unit: string) => ShownUnit;

/** A unit that is shown as it is. */
export const asItIs = (unit: string): ShownUnit => ({ unit, factor: 1 });

/** Values times a factor; the same array where nothing changes. */
export const scaled = (values: Float64Array, factor: number): Float64Array =>
  factor === 1 ? values : values.map((value) => value * factor);

/** The range times a factor. */
export const scaledRange = (range: Range, factor: number): Range =>
  factor === 1 ? range : { min: range.min * factor, max: range.max * factor };

/** Ends of an axis times a factor. */
export const scaledEnds = <T extends FixedRange>(ends: T, factor: number): T =>
  factor === 1
    ? ends
    : {
        ...ends,
        ...(ends.min === undefined ? {} : { min: ends.min * factor }),
        ...(ends.max === undefined ? {} : { max: ends.max * factor }),
      };

/** Signals with the units that they are shown in. */
export const shownInfos = (infos: readonly SignalInfo[], of: ShownUnitOf): SignalInfo[] =>
  infos.map((info) => {
    const { unit } = of(info.unit);
    return unit === info.unit ? info : { ...info, unit };
  });

/** Factor of each signal. */
export const factorsOf = (infos: readonly SignalInfo[], of: ShownUnitOf): ReadonlyMap<string, number> =>
  new Map(infos.map(({ name, unit }) => [name, of(unit).factor]));

/** A reading as it is drawn; itself where nothing changes. @param time factor of its times */
export function shownResult(
  result: ReadResult,
  factors: ReadonlyMap<string, number>,
  time: number,
): ReadResult {
  const factorOf = (name: string): number => factors.get(name) ?? 1;
  if (time === 1 && result.signals.every(({ name }) => factorOf(name) === 1)) return result;
  return {
    ...result,
    signals: result.signals.map((signal) => ({
      ...signal,
      t: scaled(signal.t, time),
      y: scaled(signal.y, factorOf(signal.name)),
    })),
  };
}

/** Times as they are drawn. */
export const shownTimes = (times: Float64Array | null, time: number): Float64Array | null =>
  times === null ? null : scaled(times, time);

/** Marks where they are drawn. */
export const shownMarks = (marks: readonly ChangeMark[], time: number): readonly ChangeMark[] =>
  time === 1 ? marks : marks.map((mark) => ({ ...mark, t: mark.t * time }));

/** Axes whose ends are in the units that are shown. @param infos in the units of the model */
export const shownAxes = (
  axes: readonly PlotAxis[] | undefined,
  infos: readonly SignalInfo[],
  signals: readonly string[],
  factors: ReadonlyMap<string, number>,
): PlotAxis[] | undefined => {
  const units = new Map(infos.map(({ name, unit }) => [unit, factors.get(name) ?? 1]));
  return axes?.map((axis, k) => {
    const [group] = axisGroups(signals, infos, axes).filter(({ axis: at }) => at === k);
    const factor = units.get(group?.units[0] ?? '') ?? 1;
    return scaledEnds(axis, factor);
  });
};

/**
 * Texts where they are drawn.
 * @param time factor of times
 * @param value factor of the values of the first axis
 */
export const shownAnnotations = (
  annotations: readonly Annotation[] | undefined,
  time: number,
  value: number,
): Annotation[] | undefined =>
  annotations?.map((one) => ({
    ...one,
    t: one.t * time,
    ...(one.y === undefined ? {} : { y: one.y * value }),
  }));

/** What a view says of its plane, with numbers in the units that are shown; itself where nothing changes. */
export const shownPlane = <T extends PlaneEnds & { annotations?: PlaneAnnotation[] }>(
  view: T,
  x: number,
  y: number,
): T =>
  x === 1 && y === 1
    ? view
    : {
        ...view,
        ...(view.xRange === undefined ? {} : { xRange: scaledEnds(view.xRange, x) }),
        ...(view.yRange === undefined ? {} : { yRange: scaledEnds(view.yRange, y) }),
        ...(view.annotations === undefined
          ? {}
          : {
              annotations: view.annotations.map((one) => ({
                ...one,
                x: one.x * x,
                ...(one.y === undefined ? {} : { y: one.y * y }),
              })),
            }),
      };

/** A portrait as it is drawn; itself where nothing changes. */
export function shownPortrait(result: PortraitResult, x: number, y: number): PortraitResult {
  if (x === 1 && y === 1) return result;
  if (result.kind === 'points') return { ...result, x: scaled(result.x, x), y: scaled(result.y, y) };
  return {
    ...result,
    xMin: result.xMin * x,
    xMax: result.xMax * x,
    yMin: result.yMin * y,
    yMax: result.yMax * y,
    bounds: movedTo(result.bounds, x, y),
  };
}

const movedTo = ({ xMin, xMax, yMin, yMax }: DensityRectangle, x: number, y: number): DensityRectangle => ({
  xMin: xMin * x,
  xMax: xMax * x,
  yMin: yMin * y,
  yMax: yMax * y,
});

/** Points of a section as they are drawn; itself where nothing changes. */
export function shownSection(result: SectionResult, x: number, y: number): SectionResult {
  if (x === 1 && y === 1) return result;
  const moved = (rectangle: DensityRectangle): DensityRectangle => movedTo(rectangle, x, y);
  const bounds = result.bounds === null ? null : moved(result.bounds);
  if (result.kind === 'density') return { ...result, bounds, view: moved(result.view) };
  return { ...result, bounds, x: scaled(result.x, x), y: scaled(result.y, y) };
}
