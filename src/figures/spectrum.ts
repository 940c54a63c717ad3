/** Spectra as a chart: pure. On a logarithmic axis the chart carries the logarithms, so that ticks stand at powers of ten. */
import type { SpectrumLines } from '@contract/methods';
import type { EChartsOption, LineSeriesOption } from 'echarts';
import { axisName, logAxis, type Margins, xAxis, yAxis } from './axes';
import { type PlotTheme, seriesColor } from './palette';
import { extent, padded, type Range } from './ranges';

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
  /** visible range of the frequency, Hz; null shows all */
  x: Range | null;
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

/** Room above the frequencies that carry the power. */
const ROOM = 1.5;

/** Frequencies that carry the power, with room above; most recordings are sampled far finer than they move. */
export function frequencyRange(curves: readonly SpectrumCurve[]): Range {
  const max = Math.max(0, ...curves.map(({ lines }) => Math.min(lines.highest, ROOM * lines.active)));
  return { min: 0, max: max > 0 ? max : 1 };
}

/** The part of a curve that is seen, as the axis carries it. */
function points({ lines: { f, values } }: SpectrumCurve, isLinear: boolean, floor: number): Float64Array {
  const flat = new Float64Array(2 * f.length);
  for (let i = 0; i < f.length; i++) {
    const value = values[i] ?? NaN;
    flat[2 * i] = f[i] ?? NaN;
    flat[2 * i + 1] = isLinear ? value : Math.max(floor, Math.log10(value));
  }
  return flat;
}

function seen(curves: readonly SpectrumCurve[], x: Range): Float64Array[] {
  return curves.map(({ lines: { f, values } }) =>
    values.filter((_, i) => (f[i] ?? NaN) >= x.min && (f[i] ?? NaN) <= x.max),
  );
}

/** The chart of spectra. */
export function spectrumOption(input: SpectrumInput): EChartsOption {
  const { curves, isLinear, theme, width, height, quantity } = input;
  const x = input.x ?? frequencyRange(curves);
  const present = extent(seen(curves, x)) ?? { min: 0, max: 1 };
  const top = present.max > 0 ? Math.log10(present.max) : 0;
  const floor = top - DECADES;
  const low = present.min > 0 ? Math.max(floor, Math.log10(present.min)) : floor;
  const y = isLinear ? padded({ min: 0, max: present.max }) : padded({ min: low, max: top });
  const name = axisName(
    curves.map((curve) => curve.name),
    curves.map(({ unit }) => spectrumUnit(unit, quantity)),
  );
  const plotHeight = height - SPECTRUM_MARGINS.top - SPECTRUM_MARGINS.bottom;
  const series: LineSeriesOption[] = curves.map((curve, index) => ({
    type: 'line',
    name: curve.name,
    datasetIndex: index,
    encode: { x: 0, y: 1 },
    showSymbol: false,
    silent: true,
    animation: false,
    clip: true,
    itemStyle: { color: seriesColor(theme, index) },
    lineStyle: { width: 1.2, color: seriesColor(theme, index), join: 'round' },
  }));
  return {
    animation: false,
    backgroundColor: theme.background,
    grid: { ...SPECTRUM_MARGINS, ...(input.legend === true ? { top: 40 } : {}) },
    ...(input.legend === true
      ? { legend: { top: 10, textStyle: { color: theme.text }, icon: 'roundRect', itemHeight: 3 } }
      : {}),
    xAxis: xAxis(x, 'f  [Hz]', width - SPECTRUM_MARGINS.left - SPECTRUM_MARGINS.right, theme),
    yAxis: isLinear ? yAxis(y, name, plotHeight, theme) : logAxis(y, name, theme),
    dataset: curves.map((curve) => ({ source: points(curve, isLinear, floor), dimensions: ['f', 'value'] })),
    series,
  };
}
