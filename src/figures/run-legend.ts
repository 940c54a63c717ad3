/**
 * Which style is which run: the words for runs that are drawn together, and their entries in the legend of a
 * chart. Pure.
 */
import type { RunInfo } from '@contract/methods';
import type { LegendComponentOption, LineSeriesOption, ScatterSeriesOption } from 'echarts';
import { FONT } from './axes';
import { COMPARED_OPACITY, comparedDash, type PlotTheme } from './palette';

/** What tells one run from another. */
export type NamedRun = Pick<RunInfo, 'runId' | 'name' | 'title' | 'scheme' | 'parameters'>;

/** Words by run id, in the order of display: the current run first. */
export type RunWords = ReadonlyMap<string, string>;

/**
 * Runs that differ only in their scheme are labelled by it; others by name, with the scheme if that differs
 * too.
 *
 * @param all the current run first
 * @returns nothing for a single run, which needs no words
 */
export function runWords(
  all: readonly NamedRun[],
  schemeTitle: (scheme: RunInfo['scheme']) => string,
): RunWords {
  if (all.length < 2) return new Map();
  const schemes = new Set(all.map(({ scheme }) => scheme));
  const models = new Set(all.map(({ title, parameters }) => JSON.stringify([title, parameters])));
  const isScheme = schemes.size === all.length && models.size === 1;
  const wordsOf = ({ name, scheme }: NamedRun): string => {
    if (isScheme) return schemeTitle(scheme);
    return schemes.size > 1 ? `${name}, ${schemeTitle(scheme)}` : name;
  };
  return new Map(all.map((run) => [run.runId, wordsOf(run)]));
}

/** A longer name ends in dots: a legend is read at a glance. */
const MOST_CHARACTERS = 48;
/** Room of an entry beside its words, and of a character of them, px. */
const ENTRY = 42;
const CHARACTER = 6.6;
/** Height of a further row of entries, px. */
export const LEGEND_ROW = 22;
/** Space that a legend above a chart takes, px. */
export const LEGEND_ABOVE = 28;

const shortened = (words: string): string =>
  words.length <= MOST_CHARACTERS ? words : `${words.slice(0, MOST_CHARACTERS - 1)}…`;

/**
 * Rows that a legend of these entries takes in a chart of this width.
 * @param width px
 * @param entry room beside the words of an entry, and that of a character of them, px
 */
export function legendRows(
  entries: readonly string[],
  width: number,
  entry = ENTRY,
  character = CHARACTER,
): number {
  let rows = 1;
  let used = 0;
  for (const words of entries) {
    const room = entry + character * shortened(words).length;
    if (used > 0 && used + room > width) {
      rows++;
      used = 0;
    }
    used += room;
  }
  return rows;
}

/** Height that the legend of runs takes above a chart in a plane; none for a single run. @param width px */
export const runLegendHeight = (words: RunWords | undefined, width: number): number =>
  words === undefined || words.size < 2
    ? 0
    : LEGEND_ABOVE + LEGEND_ROW * (legendRows([...words.values()], width) - 1);

/** Not the name of a signal, and another one for each run even where runs have the same name. */
const seriesName = (runId: string): string => `run:${runId}`;

type Entry = Exclude<NonNullable<LegendComponentOption['data']>[number], string>;

/** Whether runs are drawn as lines: all of them, or each in its way. */
type IsLine = boolean | ((runId: string) => boolean);

/** The entries of runs in a legend, which show the style of a series of theirs, not a bar of its colour. */
export const runEntries = (words: RunWords, isLine: IsLine): Entry[] =>
  [...words.keys()].map((runId) => ({
    name: seriesName(runId),
    icon: 'inherit',
    // The symbol that the legend of a line has in its middle would hide the dashes.
    ...((typeof isLine === 'boolean' ? isLine : isLine(runId)) ? { itemStyle: { opacity: 0 } } : {}),
  }));

/** Words of the entries of a legend. */
export function entryWords(words: RunWords): (name: string) => string {
  const known = new Map([...words].map(([runId, one]) => [seriesName(runId), shortened(one)]));
  return (name) => known.get(name) ?? name;
}

/**
 * Nothing drawn, so that the legend has the style of a run: solid for the current one.
 *
 * @param behind place among the compared runs
 * @param isDashed whether the curves of compared runs are
 */
export const lineOfRun = (
  runId: string,
  behind: number | null,
  color: string,
  isDashed = true,
): LineSeriesOption => ({
  type: 'line',
  name: seriesName(runId),
  data: [],
  silent: true,
  animation: false,
  lineStyle: {
    width: 1.5,
    color,
    opacity: behind === null ? 1 : COMPARED_OPACITY,
    ...(behind === null || !isDashed ? {} : { type: comparedDash(behind) }),
  },
});

/** The same of a set of points. */
export const pointsOfRun = (runId: string, symbol: string, color: string): ScatterSeriesOption => ({
  type: 'scatter',
  name: seriesName(runId),
  data: [],
  symbol,
  silent: true,
  animation: false,
  itemStyle: { color },
});

/** The legend of runs above a chart in a plane; nothing for a single run. */
export function runLegend(
  words: RunWords | undefined,
  isLine: IsLine,
  theme: PlotTheme,
): { legend?: LegendComponentOption } {
  if (words === undefined || words.size < 2) return {};
  return {
    legend: {
      data: runEntries(words, isLine),
      formatter: entryWords(words),
      textStyle: { color: theme.text, fontFamily: FONT },
      itemHeight: 9,
      top: 6,
    },
  };
}
