/**
 * Spectra as a chart: pure. On a logarithmic axis the chart carries the logarithms, so that ticks stand at
 * powers of ten.
 */
import { PLAIN_LINE } from '@figures/series';
import type { SpectrumLines } from '@contract/methods';
import type { FixedRange } from '@engine/document/types';
import type { EChartsOption, LineSeriesOption } from 'echarts';
import { annotationSeries, placedTexts, type PlacedText } from '@figures/annotations';
import { axisName, logAxis, logXAxis, type Margins, xAxis, yAxis } from '@figures/axes';
import { type PlotTheme, seriesColor } from '@figures/palette';
import { extent, padded, type Range } from '@figures/ranges';
import { scaled, type ShownUnit } from '@figures/shown-units';
import { endsOnAxis, withEnds } from '@figures/vertical-axes';

export interface SpectrumCurve {
  name: string;
  /** in which its values are drawn */
  unit: string;
  lines: SpectrumLines;
}

export interface SpectrumInput {
  curves: readonly SpectrumCurve[];
  quantity: 'amplitude' | 'density';
  isLinear: boolean;
  isLogFrequency?: boolean | undefined;
  /** visible range of the frequency, Hz; null shows what the view says, else what carries the power */
  x: Range | null;
  /** visible range of the values, as the axis carries them; null or absent: what the view says, else all */
  y?: Range | null;
  /** ends that the view gives: of the frequency, Hz, and of the values, in the unit of the model */
  xRange?: FixedRange | undefined;
  yRange?: FixedRange | undefined;
  /** a value of the model times it is the value of the curves */
  factor?: number;
  /** width of the curves, px */
  size?: number | undefined;
  /** at a frequency, Hz, and a value in the unit of the model */
  annotations?: readonly PlacedText[] | undefined;
  theme: PlotTheme;
  /** of the whole chart, px */
  width: number;
  height: number;
  /** a legend inside the picture, for files */
  legend?: boolean;
}

export const SPECTRUM_MARGINS: Margins = { left: 64, right: 18, top: 12, bottom: 42 };

/** Decades below the highest line that are shown: what is smaller is rounding. */
const DECADES = 16;
/** Unit of a density: the square of that of the signal, per Hz. */
export function spectrumUnit(unit: string, quantity: SpectrumInput['quantity']): string {
  if (quantity === 'amplitude') return unit;
  if (unit === '') return '1/Hz';
  return `${/[\s/*]/.test(unit) ? `(${unit})` : unit}²/Hz`;
}

/** A value of the model times it is the value shown: a density goes with the square of the factor. */
export const spectrumFactor = ({ factor }: ShownUnit, quantity: SpectrumInput['quantity']): number =>
  quantity === 'amplitude' ? factor : factor * factor;

/** A spectrum in the unit that its signal is shown in. */
export function shownSpectrum(
  name: string,
  lines: SpectrumLines,
  shown: ShownUnit,
  quantity: SpectrumInput['quantity'],
): SpectrumCurve {
  const { unit } = shown;
  const factor = spectrumFactor(shown, quantity);
  if (factor === 1) return { name, unit, lines };
  const peaks = lines.peaks.map(({ f, value }) => ({ f, value: value * factor }));
  return { name, unit, lines: { ...lines, values: scaled(lines.values, factor), peaks } };
}

/** Room above the frequencies that carry the power. */
const ROOM_ABOVE = 1.5;

/**
 * Frequencies that carry the power, with room above; most recordings are sampled far finer than they move.
 */
export function frequencyRange(curves: readonly SpectrumCurve[]): Range {
  const max = Math.max(0, ...curves.map(({ lines }) => Math.min(lines.highest, ROOM_ABOVE * lines.active)));
  return { min: 0, max: max > 0 ? max : 1 };
}

/** Decades below the highest frequency that a logarithmic axis shows where there are no lines yet. */
const FREQUENCY_DECADES = 3;

/** The frequency range shown before any zoom, Hz; a logarithmic axis begins at the first line. */
export function shownFrequencies(
  curves: readonly SpectrumCurve[],
  { isLogFrequency = false, xRange = {} }: Pick<SpectrumInput, 'isLogFrequency' | 'xRange'>,
): Range {
  const { max } = frequencyRange(curves);
  if (!isLogFrequency) return withEnds({ min: 0, max }, endsOnAxis(xRange));
  const finest = Math.min(...curves.map(({ lines }) => lines.resolution).filter((one) => one > 0));
  const min = finest < max ? finest : max / 10 ** FREQUENCY_DECADES;
  return frequenciesOf(withEnds(frequencyAxis({ min, max }, true), endsOnAxis(xRange, true)), true);
}

/** A range of frequencies as the axis carries it. */
export const frequencyAxis = ({ min, max }: Range, isLog: boolean): Range =>
  isLog ? { min: Math.log10(min), max: Math.log10(max) } : { min, max };

/** And back. */
export const frequenciesOf = ({ min, max }: Range, isLog: boolean): Range =>
  isLog ? { min: 10 ** min, max: 10 ** max } : { min, max };

/**
 * The part of a curve that is seen, as the axes carry it. A logarithmic axis of frequencies has no place for
 * the mean.
 */
function points(
  { lines: { f, values } }: SpectrumCurve,
  { isLinear, isLogFrequency = false }: SpectrumInput,
  floor: number,
): Float64Array {
  const flat = new Float64Array(2 * f.length);
  for (let i = 0; i < f.length; i++) {
    const value = values[i] ?? NaN;
    const at = f[i] ?? NaN;
    flat[2 * i] = !isLogFrequency ? at : at > 0 ? Math.log10(at) : NaN;
    flat[2 * i + 1] = isLinear ? value : Math.max(floor, Math.log10(value));
  }
  return flat;
}

function seen(curves: readonly SpectrumCurve[], x: Range): Float64Array[] {
  return curves.map(({ lines: { f, values } }) =>
    values.filter((_, i) => (f[i] ?? NaN) >= x.min && (f[i] ?? NaN) <= x.max),
  );
}

/** The vertical range before any zoom, in axis units, and the least value drawn on a logarithmic axis. */
function verticalRange(
  { curves, isLinear, yRange = {}, factor = 1 }: SpectrumInput,
  x: Range,
): { range: Range; floor: number } {
  const present = extent(seen(curves, x)) ?? { min: 0, max: 1 };
  const top = present.max > 0 ? Math.log10(present.max) : 0;
  const floor = top - DECADES;
  const low = present.min > 0 ? Math.max(floor, Math.log10(present.min)) : floor;
  const range = padded(isLinear ? { min: 0, max: present.max } : { min: low, max: top });
  return { range: withEnds(range, endsOnAxis(yRange, !isLinear, factor)), floor };
}

/** The same of a chart. */
export const shownValues = (input: SpectrumInput): Range =>
  input.y ?? verticalRange(input, input.x ?? shownFrequencies(input.curves, input)).range;

/** The chart of spectra. */
export function spectrumOption(input: SpectrumInput): EChartsOption {
  const { curves, isLinear, theme, width, height, quantity, isLogFrequency = false, factor = 1 } = input;
  const x = input.x ?? shownFrequencies(curves, input);
  const { floor, range: automatic } = verticalRange(input, x);
  const y = input.y ?? automatic;
  const name = axisName(
    curves.map((curve) => curve.name),
    curves.map(({ unit }) => spectrumUnit(unit, quantity)),
  );
  const plotHeight = height - SPECTRUM_MARGINS.top - SPECTRUM_MARGINS.bottom;
  const plotWidth = width - SPECTRUM_MARGINS.left - SPECTRUM_MARGINS.right;
  const across = frequencyAxis(x, isLogFrequency);
  const texts = placedTexts(input.annotations, {
    x: (f) => (isLogFrequency ? Math.log10(f) : f),
    y: (value) => (isLinear ? value * factor : Math.log10(value * factor)),
  });
  const series: LineSeriesOption[] = curves.map((curve, index) => ({
    type: 'line',
    name: curve.name,
    datasetIndex: index,
    ...PLAIN_LINE,
    itemStyle: { color: seriesColor(theme, index) },
    lineStyle: { width: input.size ?? 1.2, color: seriesColor(theme, index), join: 'round' },
  }));
  return {
    animation: false,
    backgroundColor: theme.background,
    grid: { ...SPECTRUM_MARGINS, ...(input.legend === true ? { top: 40 } : {}) },
    ...(input.legend === true
      ? {
          legend: {
            top: 10,
            data: curves.map((curve) => curve.name),
            textStyle: { color: theme.text },
            icon: 'roundRect',
            itemHeight: 3,
          },
        }
      : {}),
    xAxis: isLogFrequency ? logXAxis(across, 'f  [Hz]', theme) : xAxis(across, 'f  [Hz]', plotWidth, theme),
    yAxis: isLinear ? yAxis(y, name, plotHeight, theme) : logAxis(y, name, theme),
    dataset: curves.map((curve) => ({ source: points(curve, input, floor), dimensions: ['f', 'value'] })),
    series: [...series, ...annotationSeries(texts, across, plotWidth, theme)],
  };
}
