/** Changes of the vertical axes of a time series: pure. What goes without saying is left out. */
import type { CurveStyle, PlotAxis, SignalInfo } from '@engine/document/types';
import { axisGroups } from '@figures/vertical-axes';

/** Axes as they are now, each with its signals and what the view says of it. */
function spelledOut(
  signals: readonly string[],
  infos: readonly SignalInfo[],
  axes: readonly PlotAxis[],
): PlotAxis[] {
  return axisGroups(signals, infos, axes).map((group) => ({
    ...(group.axis === undefined ? {} : axes[group.axis]),
    signals: group.signals,
  }));
}

const arrangement = (groups: readonly { signals: readonly string[] }[]): string =>
  JSON.stringify(groups.map(({ signals }) => [...signals].sort()));

const hasOptions = ({ isLog, min, max }: PlotAxis): boolean =>
  isLog === true || min !== undefined || max !== undefined;

/** The axes without what goes without saying; undefined where that is all. */
function tidied(
  signals: readonly string[],
  infos: readonly SignalInfo[],
  axes: readonly PlotAxis[],
): PlotAxis[] | undefined {
  const bare = axes.map(({ signals: _, ...options }): PlotAxis => options);
  const goesWithout =
    arrangement(axisGroups(signals, infos, bare)) === arrangement(axes as { signals: string[] }[]);
  const kept = goesWithout ? bare : [...axes];
  while (kept.length > 0 && kept.at(-1)?.signals === undefined && !hasOptions(kept.at(-1) ?? {})) kept.pop();
  return kept.length === 0 ? undefined : kept;
}

/** The axes with a signal on another one. @param to place of the axis; one behind the last is a new one */
export function withSignalOn(
  signals: readonly string[],
  infos: readonly SignalInfo[],
  axes: readonly PlotAxis[] | undefined,
  signal: string,
  to: number,
): PlotAxis[] | undefined {
  const next = spelledOut(signals, infos, axes ?? []);
  const target = next[to] ?? { signals: [] };
  if (next[to] === undefined) next.push(target);
  const moved = next.map((axis) => {
    const others = (axis.signals ?? []).filter((name) => name !== signal);
    return { ...axis, signals: axis === target ? [...others, signal] : others };
  });
  return tidied(
    signals,
    infos,
    moved.filter((axis) => axis.signals.length > 0),
  );
}

/** The axes with the options of one of them changed; undefined takes one back. */
export function withAxisOption(
  signals: readonly string[],
  infos: readonly SignalInfo[],
  axes: readonly PlotAxis[] | undefined,
  at: number,
  change: { [K in 'isLog' | 'min' | 'max']?: PlotAxis[K] | undefined },
): PlotAxis[] | undefined {
  const next = spelledOut(signals, infos, axes ?? []).map((axis, k) => {
    if (k !== at) return axis;
    const { isLog, min, max } = { ...axis, ...change };
    return {
      signals: axis.signals ?? [],
      ...(isLog === true ? { isLog } : {}),
      ...(min === undefined ? {} : { min }),
      ...(max === undefined ? {} : { max }),
    };
  });
  return tidied(signals, infos, next);
}

/** The styles with that of one signal changed; undefined takes an option back. */
export function withStyle(
  styles: readonly CurveStyle[] | undefined,
  signal: string,
  change: { [K in 'line' | 'width' | 'hasMarkers']?: CurveStyle[K] | undefined },
): CurveStyle[] | undefined {
  const own = styles?.find(({ signals }) => signals.includes(signal)) ?? { signals: [] };
  const { line = 'solid', width, hasMarkers = false } = { ...own, ...change };
  const options = {
    ...(line === 'solid' ? {} : { line }),
    ...(width === undefined ? {} : { width }),
    ...(hasMarkers ? { hasMarkers } : {}),
  };
  const others = (styles ?? [])
    .map((style) => ({ ...style, signals: style.signals.filter((name) => name !== signal) }))
    .filter(({ signals }) => signals.length > 0);
  const next = Object.keys(options).length === 0 ? others : [...others, { signals: [signal], ...options }];
  return next.length === 0 ? undefined : next;
}
