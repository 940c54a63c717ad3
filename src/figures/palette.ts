/** Colours of the plots, distinguishable with any common colour-vision deficiency (after Okabe and Ito). */

export interface PlotTheme {
  series: readonly string[];
  text: string;
  muted: string;
  axis: string;
  grid: string;
  background: string;
  /** density image: from rare to frequent, RGB */
  density: readonly (readonly [number, number, number])[];
}

export const LIGHT_PLOT: PlotTheme = {
  series: ['#0072b2', '#d55e00', '#008f68', '#b8599a', '#a06a00', '#3f9fd8', '#5b4b9a', '#50555c'],
  text: '#1a2029',
  muted: '#545f6e',
  axis: '#8d98a6',
  grid: '#e6e9ee',
  background: '#ffffff',
  density: [
    [205, 225, 242],
    [86, 160, 210],
    [0, 92, 160],
    [2, 32, 74],
  ],
};

export const DARK_PLOT: PlotTheme = {
  series: ['#5ab4f0', '#f0a03c', '#35c796', '#e792c4', '#e6d94a', '#8fa8ff', '#ff8d6b', '#c5ccd5'],
  text: '#e3e7ed',
  muted: '#a3aebb',
  axis: '#596474',
  grid: '#252c35',
  background: '#171b21',
  density: [
    [24, 52, 84],
    [36, 110, 172],
    [110, 190, 246],
    [235, 248, 255],
  ],
};

/** Opacity of the curves of a compared run: faint, but to be seen on either background. */
export const COMPARED_OPACITY = 0.55;

/** Dashes of compared runs, px, so that they differ from the current one without colour. */
const DASHES: readonly (readonly number[])[] = [
  [7, 4],
  [2, 3],
  [10, 3, 2, 3],
  [14, 5],
];

/** Dash pattern of the compared run with an index; the patterns repeat. */
export function comparedDash(index: number): number[] {
  return [...(DASHES[index % DASHES.length] ?? [])];
}

/** Colour of the curve with an index; the palette repeats. */
export function seriesColor(theme: PlotTheme, index: number): string {
  return theme.series[index % theme.series.length] ?? theme.text;
}

const rgb = (hex: string): [number, number, number] => [
  Number.parseInt(hex.slice(1, 3), 16),
  Number.parseInt(hex.slice(3, 5), 16),
  Number.parseInt(hex.slice(5, 7), 16),
];

/** Part of a run's own colour in the rarest cells of its density. */
const RAREST = 0.35;

/** Colours of the density of a run. @param behind place among the compared ones; null for the current run */
export function densityRamp(theme: PlotTheme, behind: number | null): PlotTheme['density'] {
  if (behind === null) return theme.density;
  const own = rgb(seriesColor(theme, behind + 1));
  const ground = rgb(theme.background);
  const mixed = own.map((value, c) => RAREST * value + (1 - RAREST) * (ground[c] ?? 0));
  return [[mixed[0] ?? 0, mixed[1] ?? 0, mixed[2] ?? 0], own];
}

/**
 * Black on white, for print. The colours of curves are those of the light theme, told apart in grey by their
 * lightness.
 */
export const PRINT_PLOT: PlotTheme = {
  ...LIGHT_PLOT,
  text: '#000000',
  muted: '#000000',
  axis: '#000000',
  grid: '#e4e4e4',
};
