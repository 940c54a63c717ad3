/** Which signals of a time series stand on which vertical axis, and what each axis shows: pure. */
import type { ReadResult } from '@contract/methods';
import type { FixedRange, PlotAxis, SignalInfo } from '@engine/document/types';
import { extent, padded, type Range } from './ranges';

export interface AxisGroup {
  units: string[];
  signals: string[];
  /** its place among the axes of the view; absent where the view has none for it */
  axis?: number;
  /** the curves and the range of the axis are logarithms */
  isLog?: boolean;
  /** ends that do not follow the data, in the units of the axis */
  fixed?: FixedRange;
}

/** Axes that units get by themselves. */
const BY_UNIT = 2;

/** Ends that can be meant: of an axis that begins before it ends, positive where it is logarithmic. */
function soundEnds({ min, max, isLog }: PlotAxis): FixedRange {
  const ends = [min, max].map((end) => (end !== undefined && isLog === true && end <= 0 ? undefined : end));
  const [low, high] = ends;
  if (low !== undefined && high !== undefined && low >= high) return {};
  return { ...(low === undefined ? {} : { min: low }), ...(high === undefined ? {} : { max: high }) };
}

/**
 * Axes as the view says them; signals that none names stand where their unit is, else on the first axis that
 * has none yet, else on one of their own: by themselves, units get two axes, and all further ones share the
 * second.
 */
export function axisGroups(
  signals: readonly string[],
  infos: readonly SignalInfo[],
  axes: readonly PlotAxis[] = [],
): AxisGroup[] {
  const unitOf = (name: string): string => infos.find((info) => info.name === name)?.unit ?? '';
  const groups = axes.map((axis, k): AxisGroup => {
    const fixed = soundEnds(axis);
    return {
      units: [],
      signals: [],
      axis: k,
      ...(axis.isLog === true ? { isLog: true } : {}),
      ...('min' in fixed || 'max' in fixed ? { fixed } : {}),
    };
  });
  const put = (group: AxisGroup | undefined, name: string): void => {
    if (group === undefined) return;
    const unit = unitOf(name);
    if (!group.units.includes(unit)) group.units.push(unit);
    group.signals.push(name);
  };
  const named = new Map<string, number>();
  axes.forEach((axis, k) => {
    for (const name of axis.signals ?? []) if (!named.has(name)) named.set(name, k);
  });
  for (const name of signals) {
    const at = named.get(name);
    if (at !== undefined) put(groups[at], name);
  }
  for (const name of signals) {
    if (named.has(name)) continue;
    let group = groups.find(({ units }) => units.includes(unitOf(name)));
    group ??= groups.find((one, k) => one.signals.length === 0 && axes[k]?.signals === undefined);
    const used = groups.filter((one) => one.signals.length > 0);
    if (group === undefined && used.length < BY_UNIT) {
      group = { units: [], signals: [] };
      groups.push(group);
    }
    put(group ?? used.at(-1), name);
  }
  const seen = groups.filter((group) => group.signals.length > 0);
  return seen.length > 0 ? seen : [{ units: [''], signals: [] }];
}

/** A value as an axis carries it; not a number where it cannot be drawn. */
export const onAxis = (value: number, { isLog }: AxisGroup): number =>
  isLog === true ? (value > 0 ? Math.log10(value) : NaN) : value;

/** Values as an axis carries them. */
export const valuesOnAxis = (values: Float64Array, group: AxisGroup): Float64Array =>
  group.isLog === true ? values.map((value) => onAxis(value, group)) : values;

/** A value of an axis as a number. */
export const offAxis = (value: number, { isLog }: AxisGroup): number =>
  isLog === true ? 10 ** value : value;

/** The range with the ends that are given; where they leave nothing, the others move away. */
export function withEnds(range: Range, { min = range.min, max = range.max }: FixedRange): Range {
  if (min < max) return { min, max };
  const width = Math.max(range.max - range.min, Math.abs(min) * 1e-3, 1e-12);
  return min === range.min ? { min: max - width, max } : { min, max: min + width };
}

/**
 * Ends that are given, as an axis carries them; those that leave nothing, or of which there is no logarithm,
 * are left out.
 *
 * @param factor a value of the model times it is the value shown
 */
export function endsOnAxis(ends: FixedRange, isLog = false, factor = 1): FixedRange {
  const { min, max } = soundEnds({ ...ends, isLog });
  const carried = (end: number): number => (isLog ? Math.log10(end * factor) : end * factor);
  return {
    ...(min === undefined ? {} : { min: carried(min) }),
    ...(max === undefined ? {} : { max: carried(max) }),
  };
}

/** Range of each axis: from the data that are there, and the ends that are given. */
export function dataRanges(
  groups: readonly AxisGroup[],
  results: readonly Pick<ReadResult, 'signals'>[],
): Range[] {
  return groups.map((group) => {
    const arrays = results.flatMap((result) =>
      result.signals
        .filter(({ name }) => group.signals.includes(name))
        .map(({ y }) => valuesOnAxis(y, group)),
    );
    const automatic = padded(extent(arrays));
    return withEnds(automatic, endsOnAxis(group.fixed ?? {}, group.isLog));
  });
}

/**
 * The axes of a view with the ends that are seen.
 *
 * @param ranges of the axes as they are drawn
 * @param factorOf factor from the units of the model to those of an axis
 */
export const axesAsSeen = (
  groups: readonly AxisGroup[],
  ranges: readonly Range[],
  factorOf: (group: number) => number,
): PlotAxis[] =>
  groups.map((group, k) => {
    const { min, max } = ranges[k] ?? { min: 0, max: 1 };
    const end = (value: number): number => offAxis(value, group) / factorOf(k);
    return {
      signals: group.signals,
      min: end(min),
      max: end(max),
      ...(group.isLog === true ? { isLog: true } : {}),
    };
  });
