/**
 * Selected spans in sections and in space, densities in the legend of runs, vertical axes that are zoomed
 * alone.
 */
import type { PortraitResult, SectionResult, SpaceCurve } from '@contract/methods';
import { mount } from '@vue/test-utils';
import { describe, expect, it } from 'vitest';
import { type AttractorInput, drawAttractor, START_CAMERA } from '@views/attractor/drawing';
import { axisBeside } from '@figures/axes';
import { LIGHT_PLOT, seriesColor } from '@figures/palette';
import { portraitOption } from '@views/phase-portrait/drawing';
import { sectionOption } from '@views/section/drawing';
import RunLegend from '@renderer/dashboard/signals/RunLegend.vue';

const size = { theme: LIGHT_PLOT, width: 600, height: 300 };
const words = new Map([
  ['r1', 'first'],
  ['r2', 'second'],
]);
interface Drawn {
  legend?: { data: { name: string; itemStyle?: object }[] };
  series: { id?: string; type: string; name?: string; symbol?: string; itemStyle?: { opacity?: number } }[];
}

describe('the selected span of time', () => {
  const result: SectionResult = {
    kind: 'points',
    rows: 3,
    bounds: { xMin: 0, xMax: 2, yMin: 0, yMax: 2 },
    inView: 3,
    x: Float64Array.of(0, 1, 2),
    y: Float64Array.of(0, 1, 2),
  };
  const section = (selected: SectionResult | null): Drawn =>
    sectionOption({
      xName: 'q',
      yName: 'v',
      current: { result, image: null },
      compared: [],
      x: null,
      y: null,
      selected,
      ...size,
    }) as unknown as Drawn;

  it('stands in front in a section, whose other points are faint', () => {
    const chosen = { ...result, inView: 1, x: Float64Array.of(1), y: Float64Array.of(1) };
    const { series } = section(chosen);
    expect(series.map(({ id }) => id)).toEqual([undefined, 'selected']);
    expect(series[0].itemStyle!.opacity).toBeLessThan(section(null).series[0].itemStyle!.opacity!);
    // Nothing of a span without points is brought out.
    expect(section({ ...chosen, x: new Float64Array(0), y: new Float64Array(0) }).series).toHaveLength(1);
  });

  it('is a wider curve in space, in a colour of its own where colours tell the time', () => {
    const curve: SpaceCurve = {
      rows: 3,
      cells: 0,
      t: Float64Array.of(0, 1, 2),
      x: Float64Array.of(0, 1, 2),
      y: Float64Array.of(0, 1, 0),
      z: Float64Array.of(1, 0, 1),
    };
    const input: AttractorInput = {
      curves: [curve],
      names: ['x', 'y', 'z'],
      factors: [1, 1, 1],
      camera: START_CAMERA,
      byTime: false,
      ...size,
    };
    const plain = drawAttractor(input).lines;
    const marked = drawAttractor({ ...input, selected: curve, look: { size: 2 } }).lines;
    expect(marked).toHaveLength(plain.length + 1);
    expect(marked.at(-1)!.width).toBeGreaterThan(marked.at(-2)!.width);
    expect(marked.at(-2)!.opacity).toBeLessThan(plain.at(-1)!.opacity);
    expect(marked.at(-1)!.color).toBe(seriesColor(LIGHT_PLOT, 0));
    const byTime = drawAttractor({ ...input, byTime: true, selected: curve }).lines;
    expect(byTime.at(-1)!.color).toBe(LIGHT_PLOT.text);
  });
});

describe('densities', () => {
  const rectangle = { xMin: 0, xMax: 1, yMin: 0, yMax: 1 };
  const density = {
    kind: 'density',
    rows: 9,
    ...rectangle,
    bounds: rectangle,
    width: 1,
    height: 1,
    counts: Uint32Array.of(9),
  } as unknown as PortraitResult;
  const points = {
    kind: 'points',
    rows: 2,
    x: Float64Array.of(0, 1),
    y: Float64Array.of(0, 1),
  } as unknown as PortraitResult;

  it('of a portrait are named in its legend in a file, beside curves', () => {
    const { legend, series } = portraitOption({
      xName: 'q',
      yName: 'v',
      current: density,
      compared: [{ result: points, image: null }],
      runs: words,
      x: null,
      y: null,
      image: 'data:',
      reach: 0,
      ...size,
    }) as unknown as Drawn;
    const styles = series.filter(({ name }) => name?.startsWith('run:') === true);
    expect(styles.map(({ type, symbol }) => [type, symbol])).toEqual([
      ['scatter', 'rect'],
      ['line', undefined],
    ]);
    expect(legend!.data.map(({ itemStyle }) => itemStyle === undefined)).toEqual([true, false]);
  });

  it('are shown on the screen by their colours', () => {
    const legend = mount(RunLegend, {
      props: { words, kind: 'curve', theme: LIGHT_PLOT, dense: new Set(['r1']) },
    });
    expect(legend.findAll('.ramp')).toHaveLength(1);
    expect(legend.findAll('svg')).toHaveLength(1);
  });
});

it('a place beside the plotting area belongs to one vertical axis', () => {
  const margins = { left: 60, right: 122, top: 10, bottom: 40 };
  const at = (x: number, count: number): number | null => axisBeside(x, 600, margins, count);
  expect([at(30, 3), at(300, 3), at(500, 3), at(560, 3), at(599, 3)]).toEqual([0, null, 1, 2, 2]);
  expect(at(560, 1)).toBeNull();
});
