/** The certificate along a run: the worst residual of each stretch of time, on a logarithmic axis. Pure. */
import { PLAIN_LINE } from '@figures/series';
import type { CertificateOverTime } from '@contract/methods';
import type { FixedRange, ResidualKind } from '@engine/document/types';
import type { EChartsOption, LineSeriesOption, YAXisComponentOption } from 'echarts';
import { FONT, logAxis, type Margins, xAxis } from '@figures/axes';
import { type PlotTheme, seriesColor } from '@figures/palette';
import type { Range } from '@figures/ranges';
import { endsOnAxis, withEnds } from '@figures/vertical-axes';

export const CERTIFICATE_MARGINS: Margins = { left: 64, right: 18, top: 12, bottom: 42 };
const LEGEND_ROOM = 26;

export const RESIDUAL_KINDS = [
  'dynamics',
  'complementarity',
  'coneViolation',
  'energyDrift',
] as const satisfies readonly ResidualKind[];
export type { ResidualKind };

/** Exponent that stands for zero: below all rounding. */
const EXACT = -18;
/** Exponents that the axis shows at least. */
const LEAST_EXPONENTS: Range = { min: -17, max: -9 };
/** Room above and below, decades. */
const ROOM_DECADES = 0.5;

/** What a view shows. */
export interface CertificateOptions {
  readonly residuals?: readonly ResidualKind[];
  readonly hasNoLimit?: boolean;
  /** residuals */
  readonly yRange?: FixedRange;
}

export interface CertificateInput {
  found: CertificateOverTime;
  /** largest residual that counts as satisfied */
  limit: number;
  /** visible range of time, in the unit that is shown */
  x: Range;
  timeUnit?: string;
  timeFactor?: number;
  /** visible exponents; null follows the data */
  y: Range | null;
  options?: CertificateOptions | undefined;
  theme: PlotTheme;
  /** of the whole chart, px */
  width: number;
  height: number;
  words: (kind: ResidualKind | 'limit') => string;
  /** a legend inside the picture, for files */
  legend?: boolean;
}

const exponent = (value: number): number => (value > 0 ? Math.max(EXACT, Math.log10(value)) : EXACT);

/** Kinds that a view shows and of which something is known: a model without energy has no drift. */
export const kindsOf = (
  found: CertificateOverTime,
  { residuals = RESIDUAL_KINDS }: CertificateOptions = {},
): ResidualKind[] =>
  RESIDUAL_KINDS.filter(
    (kind) => residuals.includes(kind) && found[kind].some((value) => !Number.isNaN(value)),
  );

/** Exponents of everything that is drawn. */
export function certificateRange(
  found: CertificateOverTime,
  limit: number,
  options: CertificateOptions = {},
): Range {
  let { min, max } = LEAST_EXPONENTS;
  for (const kind of kindsOf(found, options)) {
    for (const value of found[kind]) {
      if (!Number.isFinite(value)) continue;
      min = Math.min(min, exponent(value));
      max = Math.max(max, exponent(value));
    }
  }
  const top = options.hasNoLimit === true ? max : Math.max(max, exponent(limit));
  return withEnds(
    { min: min - ROOM_DECADES, max: top + ROOM_DECADES },
    endsOnAxis(options.yRange ?? {}, true),
  );
}

/** A curve of stairs: each value holds over its whole stretch. */
function stairs({ from, t }: CertificateOverTime, values: Float64Array, factor: number): Float64Array {
  const flat = new Float64Array(4 * t.length);
  for (let k = 0; k < t.length; k++) {
    const start = k === 0 ? from : (t[k - 1] ?? NaN);
    const value = values[k] ?? NaN;
    const at = Number.isNaN(value) ? NaN : exponent(value);
    flat.set([start * factor, at, (t[k] ?? NaN) * factor, at], 4 * k);
  }
  return flat;
}

/** A logarithmic axis whose lowest tick is zero. */
function residualAxis(range: Range, theme: PlotTheme): YAXisComponentOption {
  const axis = logAxis(range, '', theme);
  const formatter = (value: number): string => (value <= EXACT ? '0' : `1e${value}`);
  return { ...axis, axisLabel: { ...axis.axisLabel, formatter } } as YAXisComponentOption;
}

export function certificateOption(input: CertificateInput): EChartsOption {
  const { found, limit, x, theme, width, words, timeUnit = 's', timeFactor = 1, legend = false } = input;
  const { options = {} } = input;
  const y = input.y ?? certificateRange(found, limit, options);
  const margins = { ...CERTIFICATE_MARGINS, top: CERTIFICATE_MARGINS.top + (legend ? LEGEND_ROOM : 0) };
  const kinds = kindsOf(found, options);
  const line = (name: string, index: number, color: string, dash?: number[]): LineSeriesOption => ({
    type: 'line',
    name,
    datasetIndex: index,
    ...PLAIN_LINE,
    itemStyle: { color },
    lineStyle: { width: dash === undefined ? 1.5 : 1, color, ...(dash === undefined ? {} : { type: dash }) },
  });
  return {
    animation: false,
    backgroundColor: theme.background,
    grid: margins,
    ...(legend
      ? {
          legend: {
            top: 6,
            icon: 'roundRect',
            itemHeight: 3,
            selectedMode: false,
            textStyle: { color: theme.text, fontFamily: FONT, fontSize: 11 },
          },
        }
      : {}),
    xAxis: xAxis(x, `t  [${timeUnit}]`, width - margins.left - margins.right, theme),
    yAxis: residualAxis(y, theme),
    dataset: [
      ...kinds.map((kind) => ({
        source: stairs(found, found[kind], timeFactor),
        dimensions: ['t', 'value'],
      })),
      { source: Float64Array.of(x.min, exponent(limit), x.max, exponent(limit)), dimensions: ['t', 'value'] },
    ],
    series: [
      ...kinds.map((kind, index) =>
        line(words(kind), index, seriesColor(theme, RESIDUAL_KINDS.indexOf(kind))),
      ),
      ...(options.hasNoLimit === true ? [] : [line(words('limit'), kinds.length, theme.muted, [6, 4])]),
    ],
  };
}
