/** Points of analyses that a verdict fails of: they are drawn as crosses, and named in words. */
import { MANY_POINTS } from './series';
import type { PointVerdicts } from '@contract/analyses';
import type { LegendComponentOption, ScatterSeriesOption } from 'echarts';
import { FONT } from './axes';
import type { PlotTheme } from './palette';

/** Verdicts that are not known are no failures. */
export const isUncertified = ({ solved, complete, accurate }: PointVerdicts, k: number): boolean =>
  solved[k] === 0 || complete[k] === 0 || accurate?.[k] === 0;

/** Number of points that a verdict fails of. */
export function countUncertified(verdicts: PointVerdicts | undefined): number {
  if (verdicts === undefined) return 0;
  return verdicts.solved.reduce((sum, _, k) => sum + Number(isUncertified(verdicts, k)), 0);
}

/** A cross that is filled: charts of many points draw no outlines. */
export const CROSS_PATH = 'M1,0L5,4L9,0L10,1L6,5L10,9L9,10L5,6L1,10L0,9L4,5L0,1Z';
const CROSS = `path://${CROSS_PATH}`;

/** px; smaller ones are drawn as squares where there are many. */
const SIZE = 8;

/** Crosses at places of a plane, x and y in turn. @param name in the legend */
export const crossSeries = (name: string, data: Float64Array, { text }: PlotTheme): ScatterSeriesOption => ({
  type: 'scatter',
  name,
  data,
  dimensions: ['x', 'y'],
  symbol: CROSS,
  symbolSize: SIZE,
  ...MANY_POINTS,
  itemStyle: { color: text, opacity: 1 },
  z: 7,
});

/** The same cross with arms three times as wide. */
const HALO = 'path://M-1,1L1,-1L5,3L9,-1L11,1L7,5L11,9L9,11L5,7L1,11L-1,9L3,5Z';
/** px */
const HALO_SIZE = 10;

/** Crosses that are seen on any colour: each lies on one of the colour of the background. */
export const crossesOverColours = (
  name: string,
  data: Float64Array,
  theme: PlotTheme,
): ScatterSeriesOption[] => {
  const { name: _, ...cross } = crossSeries(name, data, theme);
  const halo = {
    ...cross,
    symbol: HALO,
    symbolSize: HALO_SIZE,
    itemStyle: { color: theme.background, opacity: 1 },
  };
  return [halo, crossSeries(name, data, theme)];
};

/** The legend of a chart that has no other entry, in its corner. */
export const crossLegend = (name: string, right: number, { muted }: PlotTheme): LegendComponentOption => ({
  top: 3,
  right,
  itemWidth: 12,
  itemHeight: 10,
  padding: 0,
  selectedMode: false,
  borderWidth: 0,
  data: [name],
  textStyle: { color: muted, fontFamily: FONT, fontSize: 11 },
});
