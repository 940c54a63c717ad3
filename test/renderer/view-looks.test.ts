/** What options of views do to their charts, on the screen and in files alike. */
import type { CertificateOverTime } from '@contract/methods';
import { describe, expect, it } from 'vitest';
import { annotationSeries, placedTexts, textsOfPlane } from '@figures/annotations';
import { certificateOption } from '@views/certificate/drawing';
import { barPixels, colourRange, heatColour, valueColours } from '@views/heat-map/colours';
import { LIGHT_PLOT } from '@figures/palette';
import { frequencyAxis, shownFrequencies, spectrumOption } from '@views/spectrum/drawing';
import { columnsIn, tableNumber, tablePicture } from '@views/table/drawing';
import { sectionOption } from '@views/section/drawing';
import { portraitOption } from '@views/phase-portrait/drawing';

const size = { theme: LIGHT_PLOT, width: 600, height: 300 };
const lines = {
  f: Float64Array.of(0, 1, 10, 100),
  values: Float64Array.of(5, 10, 1e-2, 1e-4),
  samples: 8,
  isResampled: false,
  resolution: 1,
  highest: 100,
  active: 100,
  mean: 1,
  peaks: [],
};
const curves = [{ name: 'q', unit: 'mm', lines }];
interface Axis {
  min: number;
  max: number;
  axisLabel: { formatter: (value: number) => string };
}
interface Chart {
  xAxis: Axis;
  yAxis: Axis;
  dataset: { source: Float64Array }[];
  series: { id?: string; type: string; data?: { value: number[]; name: string }[]; symbolSize?: number }[];
}

describe('spectra', () => {
  const chart = (change: object): Chart =>
    spectrumOption({
      curves,
      quantity: 'amplitude',
      isLinear: false,
      x: null,
      ...size,
      ...change,
    }) as unknown as Chart;

  it('have a logarithmic axis of frequencies from their first line on, without the mean', () => {
    expect(shownFrequencies(curves, { isLogFrequency: true })).toMatchObject({ min: 1 });
    const { xAxis, dataset } = chart({ isLogFrequency: true });
    expect([...dataset[0].source].filter((_, k) => k % 2 === 0)).toEqual([NaN, 0, 1, 2]);
    expect(xAxis.min).toBe(0);
    expect(xAxis.axisLabel.formatter(1)).toBe('10');
    const ends = chart({ isLogFrequency: true, xRange: { min: 0.1, max: 1000 } }).xAxis;
    expect([ends.min, ends.max]).toEqual([-1, 3]);
    expect(frequencyAxis({ min: 1, max: 100 }, true)).toEqual({ min: 0, max: 2 });
  });

  it('have the ends that the view gives, in the unit that is shown; an end that has no logarithm is left out', () => {
    const { xAxis, yAxis } = chart({ xRange: { max: 20 }, yRange: { min: 1e-3, max: 1 }, factor: 1000 });
    expect([xAxis.min, xAxis.max]).toEqual([0, 20]);
    expect([yAxis.min, yAxis.max]).toEqual([0, 3]);
    expect(chart({ yRange: { min: -1 } }).yAxis.min).toBe(chart({}).yAxis.min);
    expect(chart({ isLinear: true, yRange: { min: -1 } }).yAxis.min).toBe(-1);
  });

  it('have texts where both axes have them', () => {
    const annotations = [
      { text: 'hum', x: 10, y: 1 },
      { text: 'nowhere', x: 10, y: -1 },
      { text: 'limit', x: 50 },
    ];
    const { series } = chart({ isLogFrequency: true, annotations, factor: 10 });
    const points = series.find(({ id }) => id === 'annotated-points')!;
    expect(points.data!.map(({ name, value }) => [name, value])).toEqual([['hum', [1, 1]]]);
    expect(series.some(({ id }) => id === 'annotations')).toBe(true);
  });
});

describe('texts', () => {
  it('of planes are in the units that are shown', () => {
    expect(
      textsOfPlane(
        [
          { text: 'a', x: 1, y: 2 },
          { text: 'b', x: 3 },
        ],
        { x: 10, y: 100 },
      ),
    ).toEqual([
      { text: 'a', x: 10, y: 200 },
      { text: 'b', x: 30 },
    ]);
    expect(placedTexts(undefined, { x: Number, y: Number })).toEqual([]);
  });

  it('outside of what is seen are not drawn', () => {
    expect(annotationSeries([{ text: 'a', x: 5 }], { min: 0, max: 1 }, 400, LIGHT_PLOT)).toEqual([]);
  });

  it('stand in portraits and in sections', () => {
    const texts = [{ text: 'saddle', x: 0.5, y: 0.5 }];
    const plane = {
      xName: 'q',
      yName: 'v',
      compared: [],
      x: { min: 0, max: 1 },
      y: { min: 0, max: 1 },
      texts,
    };
    const ids = (option: unknown): (string | undefined)[] => (option as Chart).series.map(({ id }) => id);
    expect(ids(portraitOption({ ...plane, current: null, image: null, reach: 0, ...size }))).toEqual([
      'annotated-points',
    ]);
    expect(ids(sectionOption({ ...plane, current: null, ...size }))).toEqual(['annotated-points']);
  });
});

describe('scales of colours', () => {
  const values = Float64Array.of(-1, 0, 1, 10, 100, NaN);

  it('go by the logarithm, by steps, and between given ends', () => {
    expect(colourRange(values, {})).toEqual({ min: -1, max: 100 });
    expect(colourRange(values, { isLog: true })).toEqual({ min: 0, max: 2 });
    expect(colourRange(values, { isLog: true, colourRange: { min: -5, max: 10 } })).toEqual({
      min: 0,
      max: 1,
    });
    expect(colourRange(values, { colours: 'diverging' })).toEqual({ min: -100, max: 100 });
    expect(colourRange(Float64Array.of(-1), { isLog: true })).toBeNull();
    const colours = valueColours(values, { isLog: true, colourRange: { max: 10 }, colours: 'grey' });
    expect(colours.slice(0, 2)).toEqual([null, null]);
    expect(colours[3]).toEqual(heatColour(1, 'grey'));
    expect(colours[4]).toEqual(colours[3]);
    expect(colours[5]).toBeNull();
    const steps = new Set(
      Array.from({ length: 256 }, (_, k) =>
        barPixels({ levels: 4 })
          .data.subarray(4 * k, 4 * k + 3)
          .join(),
      ),
    );
    expect(steps.size).toBe(4);
  });
});

describe('tables', () => {
  it('write numbers as their view says', () => {
    expect(tableNumber(Math.PI, {})).toBe('3.1415927');
    expect(tableNumber(Math.PI, { digits: 3 })).toBe('3.14');
    expect(tableNumber(1234.5, { format: 'fixed', digits: 2 })).toBe('1234.50');
    expect(tableNumber(1234.5, { format: 'scientific', digits: 3 })).toBe('1.23e3');
    expect(tableNumber(NaN, { format: 'fixed' })).toBe('NaN');
    expect(columnsIn(600, { digits: 17 })).toBeLessThan(columnsIn(600));
  });

  it('are drawn without the numbers of their rows', () => {
    const picture = (hasNoNumbers: boolean): string =>
      tablePicture({
        columns: [{ name: 'q', unit: 'm' }],
        numbers: [77],
        values: [[0.5]],
        total: 1,
        style: { format: 'fixed', digits: 3 },
        hasNoNumbers,
        ...size,
      });
    expect(picture(false)).toContain('>77<');
    expect(picture(true)).not.toContain('>77<');
    expect(picture(true)).toContain('>0.500<');
  });
});

it('certificates show the residuals that their view names, between its ends', () => {
  const some = Float64Array.of(1e-12);
  const found: CertificateOverTime = {
    runId: 'r',
    from: 0,
    t: Float64Array.of(1),
    dynamics: some,
    complementarity: some,
    coneViolation: some,
    energyDrift: some,
  };
  const chart = certificateOption({
    found,
    limit: 1e-8,
    x: { min: 0, max: 1 },
    y: null,
    options: { residuals: ['dynamics'], hasNoLimit: true, yRange: { min: 1e-14, max: 1e-10 } },
    words: (kind) => kind,
    ...size,
  }) as unknown as Chart;
  expect(chart.series).toHaveLength(1);
  expect([chart.yAxis.min, chart.yAxis.max]).toEqual([-14, -10]);
});
