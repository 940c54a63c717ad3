import type { PortraitResult, ReadResult } from '@contract/methods';
import type { PlotAxis, SignalInfo } from '@engine/document/types';
import { logTicks } from '@figures/axes';
import { describe, expect, it } from 'vitest';
import { changeMarks, marksNear } from '@figures/change-marks';
import { changeWords } from '@renderer/dashboard/time/change-words';
import { DARK_PLOT, LIGHT_PLOT } from '@figures/palette';
import { densityPixels } from '@figures/density';
import { portraitOption, portraitRanges } from '@views/phase-portrait/drawing';
import { enoughTicks, extent, padded, part, resolvable, roundTicks, zoomFractions } from '@figures/ranges';
import {
  decimationLabel,
  interleave,
  timeSeriesOption,
  type TimeSeriesInput,
} from '@views/time-series/drawing';
import { equalAspect, planeRanges } from '@figures/plane';
import { axisGroups, dataRanges } from '@figures/vertical-axes';
import { LatestWins } from '@renderer/dashboard/plot/latest-wins';

const info = (name: string, unit: string, kind: SignalInfo['kind']): SignalInfo => ({
  name,
  unit,
  kind,
  description: '',
});
const INFOS = [
  info('a.q', 'm', 'position'),
  info('b.q', 'm', 'position'),
  info('a.v', 'm/s', 'velocity'),
  info('c.p', 'N s', 'impulse'),
];

function reading(runId: string, rowsPerBucket = 1): ReadResult {
  const t = Float64Array.of(0, 1, 2);
  return {
    runId,
    rows: 3,
    rowsPerBucket,
    recordedFrom: 0,
    recordedTo: 2,
    signals: [
      { name: 'a.q', t, y: Float64Array.of(0, 1, 0) },
      { name: 'a.v', t, y: Float64Array.of(10, -10, 10) },
    ],
  };
}

const input = (changes: Partial<TimeSeriesInput> = {}): TimeSeriesInput => ({
  signals: ['a.q', 'a.v'],
  infos: INFOS,
  current: reading('r2'),
  compared: [],
  x: { min: 0, max: 2 },
  y: [],
  theme: LIGHT_PLOT,
  width: 600,
  height: 300,
  ...changes,
});

interface Drawn {
  series: {
    step?: string;
    yAxisIndex: number;
    lineStyle: { color: string; opacity: number; type?: number[] };
  }[];
  dataset: { source: Float64Array }[];
  yAxis: { name: string; min: number; max: number; position: string }[];
  xAxis: { min: number; max: number };
}
const drawn = (changes: Partial<TimeSeriesInput> = {}): Drawn =>
  timeSeriesOption(input(changes)) as unknown as Drawn;

describe('time series', () => {
  it('gives each unit an axis, two at most, and lets the others share the right one', () => {
    const groups = axisGroups(['a.q', 'a.v', 'b.q', 'c.p'], INFOS);
    expect(groups).toEqual([
      { units: ['m'], signals: ['a.q', 'b.q'] },
      { units: ['m/s', 'N s'], signals: ['a.v', 'c.p'] },
    ]);
  });

  it('puts signals on the axes that the view says, the others where their unit is', () => {
    const names = (axes: PlotAxis[]): string[] =>
      axisGroups(['a.q', 'a.v', 'b.q', 'c.p'], INFOS, axes).map(({ signals }) => signals.join());
    expect(names([{ isLog: true }])).toEqual(['a.q,b.q', 'a.v,c.p']);
    expect(names([{}, { signals: ['b.q'] }])).toEqual(['a.v', 'b.q,a.q,c.p']);
    expect(names([{ signals: ['a.q'] }, { signals: ['b.q'] }, { signals: ['c.p'] }])).toEqual([
      'a.q',
      'b.q',
      'c.p,a.v',
    ]);
    expect(names([{ signals: ['gone'] }, {}])).toEqual(['a.q,b.q', 'a.v,c.p']);
    const { yAxis } = drawn({
      axes: [
        { signals: ['a.v'], min: -20 },
        { signals: ['a.q'], min: 4, max: 1 },
      ],
    });
    expect(yAxis.map(({ name, position }) => [name, position])).toEqual([
      ['a.v  [m/s]', 'left'],
      ['a.q  [m]', 'right'],
    ]);
    expect(yAxis[0].min).toBe(-20);
    // Ends that leave nothing are left out.
    expect(yAxis[1].max).toBeGreaterThan(1);
  });

  it('draws logarithms on a logarithmic axis, and nothing where there is none', () => {
    const { dataset, yAxis } = drawn({ axes: [{ isLog: true, signals: ['a.v'], min: 0.1, max: 1000 }] });
    expect([...dataset[1].source]).toEqual([0, 1, 1, NaN, 2, 1]);
    expect(yAxis[0]).toMatchObject({ min: -1, max: 3 });
    expect(logTicks({ min: -1, max: 5 })).toEqual([-1, 0, 1, 2, 3, 4, 5]);
    expect(logTicks({ min: 0, max: 1 })).toHaveLength(10);
    expect(dataRanges([{ units: [], signals: ['a.v'], isLog: true }], [])).toEqual([{ min: 0, max: 1 }]);
  });

  it('draws lines, markers, legends and texts as the view says', () => {
    const { series, legend, grid } = timeSeriesOption(
      input({
        styles: [
          { signals: ['a.v'], line: 'dashed', width: 3 },
          { signals: ['a.q'], line: 'none' },
        ],
        legend: 'below',
        annotations: [
          { text: 'lands', t: 1 },
          { text: 'peak', t: 1.9, y: 0.5 },
          { text: 'outside', t: 5 },
        ],
      }),
    ) as unknown as {
      series: Record<string, unknown>[];
      legend: { bottom: number };
      grid: { bottom: number };
    };
    expect(series[0]).toMatchObject({ showSymbol: true, lineStyle: { width: 0 } });
    expect(series[1]).toMatchObject({ showSymbol: false, lineStyle: { width: 3, type: [7, 4] } });
    expect(series[2]).toMatchObject({ markLine: { data: [{ xAxis: 1, name: 'lands' }] } });
    expect(series[3]).toMatchObject({
      type: 'scatter',
      data: [{ name: 'peak', value: [1.9, 0.5], label: { position: 'left' } }],
    });
    expect([legend.bottom, grid.bottom]).toEqual([4, 66]);
  });

  it('names axes by quantity and unit', () => {
    expect(drawn().yAxis.map((axis) => axis.name)).toEqual(['a.q  [m]', 'a.v  [m/s]']);
    expect(drawn({ signals: ['a.q', 'b.q'] }).yAxis.map((axis) => axis.name)).toEqual(['[m]']);
  });

  it('draws jumps upright where every row is there, positions as lines', () => {
    const [q, v] = drawn().series;
    expect(q?.step).toBeUndefined();
    expect(v?.step).toBe('start');
  });

  it('draws decimated columns as they are', () => {
    expect(drawn({ current: reading('r2', 240) }).series.map((series) => series.step)).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('marks changes of parameters, one line a moment, labelled where there is room', () => {
    const marks = changeMarks([
      { time: 0.5, name: 'g', from: 9.81, to: 1.6 },
      { time: 0.5, name: 'm', from: 1, to: 2 },
      { time: 0.55, name: 'g', from: 1.6, to: 3 },
      { time: 1.5, name: 'e', from: 0.9, to: 0.5 },
      { time: 5, name: 'e', from: 0.5, to: 0.1 },
    ]);
    const { series } = timeSeriesOption(input({ changes: marks })) as unknown as {
      series: {
        id?: string;
        markLine?: { data: { xAxis: number; name: string; label: { show: boolean } }[] };
      }[];
    };
    const lines = series.find(({ id }) => id === 'changes')?.markLine?.data ?? [];
    expect(lines.map(({ xAxis, name, label }) => [xAxis, name, label.show])).toEqual([
      [0.5, 'g = 1.6, m = 2', true],
      [0.55, 'g = 3', false],
      [1.5, 'e = 0.5', true],
    ]);
    expect(changeWords(marks[3])).toBe('At t = 5 s, e was changed from 0.5 to 0.1.');
    expect(marksNear(marks, 0.52, 0.04).map(({ t }) => t)).toEqual([0.5, 0.55]);
  });

  it('says how many rows a bucket stands for', () => {
    expect(decimationLabel(reading('r', 240.2))).toBe('1 : 240');
    expect(decimationLabel(reading('r', 1))).toBe('');
    expect(decimationLabel(null)).toBe('');
  });

  it('draws compared runs faintly, in the same colours, behind', () => {
    const { series } = drawn({ compared: [reading('r1')] });
    expect(series).toHaveLength(4);
    expect(series[0]?.lineStyle.color).toBe(series[2]?.lineStyle.color);
    expect(series[0]?.lineStyle.opacity).toBeCloseTo(0.55);
    expect(series[2]?.lineStyle.opacity).toBe(1);
  });

  it('tells compared runs apart by their dashes', () => {
    const { series } = drawn({ compared: [reading('r1'), reading('r0')] });
    const dashes = series.map((line) => line.lineStyle.type);
    expect(dashes[0]).toEqual(dashes[1]);
    expect(dashes[0]).not.toEqual(dashes[2]);
    expect(dashes[0]).toBeDefined();
    expect(dashes[4]).toBeUndefined();
  });

  it('keeps the colour of a signal when another run lacks one before it', () => {
    const lacking = { ...reading('r2'), signals: reading('r2').signals.slice(1) };
    expect(drawn({ current: lacking }).series[0]?.lineStyle.color).toBe(LIGHT_PLOT.series[1]);
  });

  it('hands flat arrays to the chart', () => {
    const { source } = drawn().dataset[0];
    expect(source).toEqual(Float64Array.of(0, 0, 1, 1, 2, 0));
  });

  it('shows the chosen window whatever the data are', () => {
    const { xAxis, yAxis } = drawn({ x: { min: 0.5, max: 0.75 }, y: [{ min: -3, max: 3 }] });
    expect([xAxis.min, xAxis.max]).toEqual([0.5, 0.75]);
    expect([yAxis[0]?.min, yAxis[0]?.max]).toEqual([-3, 3]);
    expect(yAxis[1]?.max).toBeGreaterThan(10);
  });
});

describe('phase portrait', () => {
  const points: PortraitResult = {
    kind: 'points',
    rows: 3,
    x: Float64Array.of(0, 1, 2),
    y: Float64Array.of(5, 6, 5),
  };
  const density: PortraitResult = {
    kind: 'density',
    rows: 1e6,
    width: 2,
    height: 2,
    xMin: 0,
    xMax: 4,
    yMin: -1,
    yMax: 1,
    bounds: { xMin: -8, xMax: 8, yMin: -2, yMax: 2 },
    counts: Uint32Array.of(0, 1, 100, 0),
  };

  it('draws every point into a file, none thinned out', () => {
    const option = portraitOption({
      xName: 'q',
      yName: 'v',
      current: points,
      compared: [],
      x: null,
      y: null,
      theme: DARK_PLOT,
      width: 400,
      height: 300,
      image: null,
      reach: 0,
    }) as unknown as Drawn;
    expect(option.dataset[0]?.source).toEqual(interleave(points.x, points.y));
    expect(JSON.stringify(option.series)).not.toContain('sampling');
  });

  it('shows a state of rest as a dot', () => {
    const rest: PortraitResult = {
      kind: 'points',
      rows: 2,
      x: Float64Array.of(1, 1),
      y: Float64Array.of(0, 1e-16),
    };
    const option = portraitOption({
      xName: 'q',
      yName: 'v',
      current: rest,
      compared: [{ result: points, image: null }],
      x: null,
      y: null,
      theme: DARK_PLOT,
      width: 400,
      height: 300,
      image: null,
      reach: 0,
    }) as unknown as { series: { showSymbol: boolean }[]; dataset: { source: Float64Array }[] };
    expect(option.series.map((series) => series.showSymbol)).toEqual([false, true]);
    expect(option.dataset[1]?.source).toEqual(Float64Array.of(1, 0));
  });

  it('covers the extent of a density image', () => {
    const { x, y } = portraitRanges([density]);
    // Of all of it, though the picture covers a part.
    expect(x.min).toBeLessThan(-8);
    expect(x.max).toBeGreaterThan(8);
    expect(y.min).toBeLessThan(-2);
  });

  it('draws a compared run of many rows as a picture behind the current one', () => {
    const option = portraitOption({
      xName: 'q',
      yName: 'v',
      current: points,
      compared: [{ result: density, image: 'cells' }],
      x: null,
      y: null,
      theme: DARK_PLOT,
      width: 400,
      height: 300,
      image: null,
      reach: 0,
    }) as unknown as { series: { type: string; z: number; data?: number[][] }[]; dataset: unknown[] };
    const curve = option.series.find(({ type }) => type === 'line');
    const picture = option.series.find(({ type }) => type === 'custom');
    expect(picture?.data).toEqual([[0, -1, 4, 1]]);
    expect(picture?.z).toBeLessThan(curve?.z ?? 0);
    expect(option.dataset).toHaveLength(1);
  });

  it('colours a density logarithmically, lower row last, empty cells transparent', () => {
    const pixels = densityPixels(density.counts, 2, 2, LIGHT_PLOT.density);
    const alpha = [3, 7, 11, 15].map((index) => pixels[index]);
    // counts are from the lower left: (0,0)=0 (1,0)=1 below, (0,1)=100 (1,1)=0 above
    expect(alpha).toEqual([255, 0, 0, 255]);
    expect([pixels[0], pixels[1], pixels[2]]).toEqual([...(LIGHT_PLOT.density.at(-1) ?? [])]);
  });

  it('draws a few places as points that are seen, the one visited most often above', () => {
    const [width, height] = [40, 30];
    const counts = new Uint32Array(width * height);
    // In the lower left corner, and two beside each other.
    counts[0] = 5;
    counts[10 * width + 20] = 1;
    counts[10 * width + 21] = 1000;
    const pixels = densityPixels(counts, width, height, LIGHT_PLOT.density);
    const visible: string[] = [];
    for (let row = 0; row < height; row++)
      for (let column = 0; column < width; column++)
        if (pixels[4 * ((height - 1 - row) * width + column) + 3] === 255) visible.push(`${column},${row}`);
    expect(visible).toEqual(
      ['0,0', '1,0', '0,1', '1,1'].concat(
        [9, 10, 11].flatMap((row) => [19, 20, 21, 22].map((column) => `${column},${row}`)),
      ),
    );
    const colour = (column: number, row: number): number[] => [
      ...pixels.subarray(
        4 * ((height - 1 - row) * width + column),
        4 * ((height - 1 - row) * width + column) + 3,
      ),
    ];
    expect(colour(20, 10)).toEqual([...(LIGHT_PLOT.density.at(-1) ?? [])]);
    expect(colour(19, 10)).not.toEqual(colour(20, 10));
  });
});

describe('the plane of two signals', () => {
  const automatic = { x: { min: 0, max: 1 }, y: { min: -10, max: 10 } };

  it('has the ends that are given, in the units shown', () => {
    const options = { xRange: { max: 0.5 }, yRange: { min: -2, max: 2 } };
    expect(planeRanges(automatic, options, { width: 1, height: 1 }, { x: 1000, y: 1 })).toEqual({
      x: { min: 0, max: 500 },
      y: { min: -2, max: 2 },
    });
    // Ends that leave nothing of the data, and ends that cannot be meant.
    expect(planeRanges(automatic, { xRange: { min: 7 } }, { width: 1, height: 1 }).x).toEqual({
      min: 7,
      max: 8,
    });
    expect(planeRanges(automatic, { xRange: { min: 7, max: 2 } }, { width: 1, height: 1 }).x).toEqual(
      automatic.x,
    );
  });

  it('has units of one length on both axes', () => {
    expect(equalAspect(automatic, { width: 400, height: 200 })).toEqual({
      x: { min: -19.5, max: 20.5 },
      y: automatic.y,
    });
    expect(equalAspect(automatic, { width: 0, height: 200 })).toEqual(automatic);
  });
});

describe('ranges', () => {
  it('finds the extent of finite numbers', () => {
    expect(extent([Float64Array.of(NaN, 2, -1)])).toEqual({ min: -1, max: 2 });
    expect(extent([new Float64Array(0)])).toBeNull();
  });

  it('gives a constant room without magnifying its rounding noise', () => {
    const { min, max } = padded({ min: 1, max: 1 + 1e-15 });
    expect(max - min).toBeCloseTo(0.2);
    expect(padded({ min: 0, max: 0 })).toEqual({ min: -1, max: 1 });
  });

  it('shows rounding noise around zero as a constant, at any scale', () => {
    expect(padded({ min: -4e-17, max: 9e-17 })).toEqual({ min: -1 - 4e-17, max: 1 + 9e-17 });
    const { min, max } = padded({ min: -2e-9, max: 2e-9 });
    expect(max - min).toBeLessThan(1e-8);
  });

  it('puts at least three ticks on a short axis', () => {
    expect(roundTicks({ min: 0.1, max: 0.99 }, 1)).toHaveLength(0);
    expect(enoughTicks({ min: 0.1, max: 0.99 }, 1, 3).length).toBeGreaterThanOrEqual(3);
    expect(enoughTicks({ min: -0.3, max: 0.3 }, 6, 3)).toEqual(roundTicks({ min: -0.3, max: 0.3 }, 6));
  });

  it('puts ticks on round numbers inside any window', () => {
    expect(roundTicks({ min: 0.13, max: 0.71 }, 5)).toEqual([0.2, 0.4, 0.6]);
    expect(roundTicks({ min: -0.3, max: 0.3 }, 6)).toEqual([-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3]);
  });

  it('zooms about a point that stays where it is', () => {
    const range = { min: 10, max: 20 };
    const [from, to] = zoomFractions(0.25, 0.5);
    const next = part(range, from, to);
    expect(next).toEqual({ min: 11.25, max: 16.25 });
    expect((12.5 - next.min) / (next.max - next.min)).toBeCloseTo(0.25);
    expect(resolvable({ min: 1, max: 1 + 1e-14 })).toBe(false);
  });
});

describe('latest wins', () => {
  it('has one question in flight and remembers only the newest', async () => {
    const asked: number[] = [];
    const applied: number[] = [];
    const answers: (() => void)[] = [];
    const plot = new LatestWins<number, number>(
      (question) => {
        asked.push(question);
        return new Promise((resolve) => answers.push(() => resolve(question)));
      },
      (answer) => applied.push(answer),
      () => undefined,
    );
    let isAtRest = false;
    void plot.ask(1).then(() => (isAtRest = true));
    [2, 3].forEach((question) => void plot.ask(question));
    expect(asked).toEqual([1]);
    answers[0]?.();
    await new Promise((resolve) => setTimeout(resolve));
    expect(asked).toEqual([1, 3]);
    expect(isAtRest).toBe(false);
    answers[1]?.();
    await new Promise((resolve) => setTimeout(resolve));
    expect(applied).toEqual([1, 3]);
    expect(isAtRest).toBe(true);
  });

  it('goes on after a failure', async () => {
    const failures: unknown[] = [];
    const applied: string[] = [];
    const plot = new LatestWins<string, string>(
      (question) => (question === 'bad' ? Promise.reject(new Error('gone')) : Promise.resolve(question)),
      (answer) => applied.push(answer),
      (error) => failures.push(error),
    );
    void plot.ask('bad');
    void plot.ask('good');
    await new Promise((resolve) => setTimeout(resolve));
    expect(failures).toHaveLength(1);
    expect(applied).toEqual(['good']);
  });
});
