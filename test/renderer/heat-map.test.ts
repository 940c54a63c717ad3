/** A quantity over two parameters: which value lies where, periods of sections, colours, and the chart. */
import type { SweepOutcome } from '@contract/analyses';
import { LIGHT_PLOT } from '@figures/palette';
import { barPixels, heatColour } from '@views/heat-map/colours';
import {
  asksForPlane,
  cellBorders,
  heatAt,
  heatMapOf,
  heatMapOption,
  heatPixels,
  heatQuantities,
  heatRanges,
  isPlaneSweep,
} from '@views/heat-map/drawing';
import { init } from 'echarts';
import { describe, expect, it } from 'vitest';
import { withValue } from '@renderer/analysis/start-at-place';
import { camFollower } from './fake/cam-follower';

/** The last parameter changes first, its values descend, and the last point is not computed. */
const axes = [Float64Array.of(1, 2, 4), Float64Array.of(20, 10)];
const grid = Float64Array.from([...axes[0]].flatMap((x) => [...axes[1]].flatMap((y) => [x, y])));
/** Orbits of periods 1, 2, 3, none, and one of which there are too few points to know. */
const ORBITS = [
  [5, 5, 5, 5, 5, 5],
  [1, 2, 1, 2, 1, 2],
  [1, 2, 3, 1, 2, 3 + 1e-9],
  [1, 2, 4, 8, 3, 7],
  [1, 2],
];
const SWEEP: SweepOutcome = {
  kind: 'sweep',
  status: 'done',
  parameters: [
    { name: 'speed', unit: '1/min' },
    { name: 'height', unit: 'm' },
  ],
  measures: [
    { name: 'max ball.q', unit: 'm' },
    { name: 'events', unit: '' },
  ],
  signals: [
    { name: 't', unit: 's' },
    { name: 'ball.q', unit: 'm' },
  ],
  axes,
  values: grid,
  directions: [
    {
      start: 'initial',
      index: Float64Array.of(0, 1, 2, 3, 4),
      measures: Float64Array.of(0.5, 1, 1.5, 2, 2.5, 3, NaN, 4, 4.5, 5),
      counts: Float64Array.from(ORBITS, (orbit) => orbit.length),
      section: Float64Array.from(ORBITS.flatMap((orbit) => orbit.flatMap((q, i) => [i, q]))),
      failures: [],
    },
  ],
};

describe('a heat map', () => {
  it('has each value at its parameters, in ascending order, whatever order they were computed in', () => {
    const map = heatMapOf(SWEEP, 'max ball.q')!;
    expect([...map.xValues, ...map.yValues]).toEqual([1, 2, 4, 10, 20]);
    // Rows from below: height 10 is the second of each speed.
    expect([...map.values]).toEqual([1.5, NaN, NaN, 0.5, 2.5, 4.5]);
    expect(map.range).toEqual({ min: 0.5, max: 4.5 });
    expect(map.quantity).toEqual({ name: 'max ball.q', unit: 'm' });
    expect([heatAt(map, 1.2, 19), heatAt(map, 4.9, 24), heatAt(map, 3.1, 5.1)]).toEqual([0.5, 4.5, NaN]);
    expect([heatAt(map, 0.4, 10), heatAt(map, 1, 25.1)]).toEqual([null, null]);
  });

  it('tells after how many section points the motion repeats itself', () => {
    expect(heatQuantities(SWEEP).map(({ name }) => name)).toEqual(['period', 'max ball.q', 'events']);
    const map = heatMapOf(SWEEP, '')!;
    expect(map.quantity.name).toBe('period');
    expect([...map.values]).toEqual([2, NaN, NaN, 1, 3, NaN]);
    // Of a sweep without a section there is none, and a measure of that name goes before.
    expect(heatQuantities({ ...SWEEP, signals: [] }).map(({ name }) => name)).toEqual([
      'max ball.q',
      'events',
    ]);
    const own = { ...SWEEP, measures: [{ name: 'period', unit: 's' }, SWEEP.measures[1]] };
    expect(heatMapOf(own, 'period')!.values[3]).toBe(0.5);
  });

  it('is of sweeps over a grid of two parameters', () => {
    expect(isPlaneSweep(SWEEP)).toBe(true);
    expect(isPlaneSweep({ ...SWEEP, axes: [axes[0]] })).toBe(false);
    expect(isPlaneSweep({ ...SWEEP, axes: [] })).toBe(false);
    const asked = { id: 'map', type: 'sweep', axes: [{ type: 'range' }, { type: 'range' }] };
    expect(asksForPlane(asked)).toBe(true);
    expect(asksForPlane({ ...asked, axes: [{ type: 'range' }] })).toBe(false);
    expect(asksForPlane({ ...asked, sampling: 'random' })).toBe(false);
    expect(asksForPlane({ ...asked, type: 'orbit' })).toBe(false);
    expect(heatMapOf({ ...SWEEP, signals: [], measures: [] }, '')).toBeNull();
  });

  it('has cells that end half-way between their parameters', () => {
    expect([...cellBorders(Float64Array.of(1, 2, 4))]).toEqual([0.5, 1.5, 3, 5]);
    expect([...cellBorders(Float64Array.of(3))]).toEqual([2.5, 3.5]);
    const map = heatMapOf(SWEEP, 'max ball.q')!;
    expect(heatRanges(map)).toEqual({ x: { min: 0.5, max: 5 }, y: { min: 5, max: 25 } });
    const { data, width, height } = heatPixels(map);
    const pixel = (x: number, y: number): number[] => {
      const left = Math.floor(((x - 0.5) / 4.5) * width);
      const top = Math.floor(((25 - y) / 20) * height);
      return [...data.slice(4 * (top * width + left), 4 * (top * width + left) + 4)];
    };
    expect(pixel(1.4, 24)).toEqual([...heatColour(0), 255]);
    expect(pixel(3.05, 15.2)).toEqual([...heatColour(1), 255]);
    expect(pixel(1, 6)).toEqual([...heatColour(0.25), 255]);
    // Nothing where there is no value.
    expect(pixel(2, 6)).toEqual([0, 0, 0, 0]);
  });

  it('has colours whose lightness grows', () => {
    const lightness = Array.from({ length: 50 }, (_, k) => {
      const [r, g, b] = heatColour(k / 49);
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    });
    expect(lightness.every((value, k) => k === 0 || value > lightness[k - 1])).toBe(true);
    const bar = barPixels();
    expect([...bar.data.slice(0, 3)]).toEqual(heatColour(1));
    expect([...bar.data.slice(-4, -1)]).toEqual(heatColour(0));
  });

  it.each([
    ['of values', heatMapOf(SWEEP, 'max ball.q')],
    ['of one value only', { ...heatMapOf(SWEEP, 'max ball.q')!, range: { min: 2, max: 2 } }],
    [
      'without values',
      { ...heatMapOf(SWEEP, 'max ball.q')!, values: new Float64Array(6).fill(NaN), range: null },
    ],
    ['before anything is known', null],
  ])('is drawn %s, with a bar that has numbers', (_, map) => {
    const chart = init(null, null, { renderer: 'svg', ssr: true, width: 500, height: 300 });
    const words = { uncertified: 'not certified' };
    const look = { x: null, y: null, theme: LIGHT_PLOT, width: 500, height: 300, words };
    chart.setOption(heatMapOption({ map, image: 'data:,', bar: 'data:,', ...look }));
    const svg = chart.renderToSVGString();
    chart.dispose();
    expect(svg.includes('<image')).toBe(map !== null && map.range !== null);
    expect(svg.includes('max ball.q  [m]')).toBe(map !== null && map.range !== null);
    expect(svg.includes('speed  [1/min]')).toBe(map !== null);
  });

  it('has a cross on cells that a verdict fails of, with a word for it', () => {
    const map = { ...heatMapOf(SWEEP, 'max ball.q')!, crosses: [0, 4] };
    const words = { uncertified: 'not certified' };
    const look = { x: null, y: null, theme: LIGHT_PLOT, width: 500, height: 300, words };
    const option = heatMapOption({ map, image: 'data:,', bar: 'data:,', ...look });
    const [, halo, crosses] = option.series as {
      name?: string;
      data: Float64Array;
      itemStyle: { color: string };
    }[];
    expect(crosses.name).toBe('not certified');
    // A dark cross on a dark colour is seen by what lies below it.
    expect([halo.itemStyle.color, crosses.itemStyle.color]).toEqual([LIGHT_PLOT.background, LIGHT_PLOT.text]);
    expect(halo.data).toBe(crosses.data);
    expect([...crosses.data]).toEqual([
      map.xValues[0],
      map.yValues[0],
      map.xValues[4 % map.xValues.length],
      map.yValues[Math.floor(4 / map.xValues.length)],
    ]);
    expect(option.legend).toMatchObject({ data: ['not certified'] });
    expect(
      heatMapOption({ map: { ...map, crosses: [] }, image: 'data:,', bar: 'data:,', ...look }).legend,
    ).toBe(undefined);
  });

  it('starts runs with its parameters, or with initial values', () => {
    const model = camFollower();
    expect(withValue(model, 'rpm', 123).parameters.find(({ name }) => name === 'rpm')?.value).toBe(123);
    expect(withValue(model, 'follower.q', 0.7).systems[0]).toMatchObject({ q0: [0.7] });
    expect(withValue(model, 'rpm', 123).systems).toBe(model.systems);
  });
});
