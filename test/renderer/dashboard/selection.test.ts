/**
 * A span of time that is selected: by gestures of plots, by its fields; its numbers; what else follows it.
 */
import { flushPromises, mount } from '@vue/test-utils';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import PhasePortraitPlot from '@views/phase-portrait/Panel.vue';
import SelectionBar from '@renderer/dashboard/time/SelectionBar.vue';
import { useTimeAxis } from '@renderer/dashboard/time/use-time-axis';
import { useDisplayUnitsStore } from '@renderer/stores/display-units';
import { useDocumentStore } from '@renderer/stores/document';
import { usePlotCursorStore } from '@renderer/stores/plot-cursor';
import { useRunsStore } from '@renderer/stores/runs';
import { useTimeSelectionStore } from '@renderer/stores/time-selection';
import { portraitOption } from '@views/phase-portrait/drawing';
import { LIGHT_PLOT } from '@figures/palette';
import type { FakeHost } from '../fake/host';
import { openCamFollower } from '../setup';
import { PATIENCE } from '../../support/patience';

let host: FakeHost;
let end = 0;
beforeEach(async () => {
  host = await openCamFollower();
  await useRunsStore().start();
  host.advance(1);
  await flushPromises();
  end = useRunsStore().current!.tEnd;
});

function timeAxis(): { axis: ReturnType<typeof useTimeAxis>; unmount: () => void } {
  let axis: ReturnType<typeof useTimeAxis> | null = null;
  const plot = mount({
    setup() {
      axis = useTimeAxis('plot');
      return () => null;
    },
  });
  return { axis: axis!, unmount: () => plot.unmount() };
}

describe('a plot over time', () => {
  it('selects by a drag, in any direction, and shows the span where it is', () => {
    const { axis, unmount } = timeAxis();
    const selection = useTimeSelectionStore();
    axis.gestures.select([0.75, 0.25]);
    expect(selection.span).toEqual({ min: 0.25 * end, max: 0.75 * end });
    expect(axis.surface.value.band).toMatchObject({ from: 0.25, to: 0.75 });
    axis.move({ x: [0.5, 1], y: [0, 1] });
    expect(axis.surface.value.band).toMatchObject({ from: -0.5, to: 0.5 });
    axis.gestures.select(null);
    expect(axis.surface.value.band).toBeNull();
    unmount();
  });

  it('selects from the cursor to a click with Shift, and moves the nearer end by the next one', () => {
    const { axis, unmount } = timeAxis();
    const selection = useTimeSelectionStore();
    // Without a cursor the click sets one.
    axis.gestures.pick({ x: 0.4, y: 0.5 }, true);
    expect(selection.span).toBeNull();
    expect(usePlotCursorStore().mark?.t).toBeCloseTo(0.4 * end, 12);
    axis.gestures.pick({ x: 0.2, y: 0.5 }, true);
    expect(selection.span!.min).toBeCloseTo(0.2 * end, 12);
    expect(selection.span!.max).toBeCloseTo(0.4 * end, 12);
    axis.gestures.pick({ x: 0.5, y: 0.5 }, true);
    axis.gestures.pick({ x: 0.1, y: 0.5 }, true);
    expect(selection.span!.min).toBeCloseTo(0.1 * end, 12);
    expect(selection.span!.max).toBeCloseTo(0.5 * end, 12);
    unmount();
  });

  it('puts an end to the cursor by key; beyond the other end, that goes to the end of the run', () => {
    const { axis, unmount } = timeAxis();
    const selection = useTimeSelectionStore();
    const cursor = usePlotCursorStore();
    axis.gestures.selectEnd('min');
    expect(selection.span).toBeNull();
    cursor.moveTo(0.25 * end);
    axis.gestures.selectEnd('min');
    expect(selection.span).toEqual({ min: 0.25 * end, max: end });
    cursor.moveTo(0.5 * end);
    axis.gestures.selectEnd('max');
    expect(selection.span).toEqual({ min: 0.25 * end, max: 0.5 * end });
    cursor.moveTo(0.75 * end);
    axis.gestures.selectEnd('min');
    expect(selection.span).toEqual({ min: 0.75 * end, max: end });
    unmount();
  });

  it('shows the span alone when that is wished, and no other document has it', async () => {
    const { axis, unmount } = timeAxis();
    const selection = useTimeSelectionStore();
    selection.zoom();
    await flushPromises();
    expect(axis.window.value).toBeNull();
    selection.select(0.3 * end, 0.6 * end);
    selection.zoom();
    await flushPromises();
    expect(axis.x.value).toEqual({ min: 0.3 * end, max: 0.6 * end });
    useDocumentStore().load(structuredClone(useDocumentStore().model), null);
    expect(selection.span).toBeNull();
    unmount();
  });
});

describe('the bar of the selection', () => {
  it('is there while something is selected; its fields move the ends', async () => {
    const selection = useTimeSelectionStore();
    const bar = mount(SelectionBar, { global: { stubs: { IconButton: true } } });
    expect(bar.find('[data-testid=selection-bar]').exists()).toBe(false);
    selection.select(0.25, 0.75);
    await flushPromises();
    const fields = bar.findAll('input');
    expect(fields.map((field) => field.element.value)).toEqual(['0.25', '0.75']);
    expect(bar.get('[data-testid=selection-length]').text()).toBe('Δt 0.5 s · 1/Δt 2 Hz');
    await fields[1].setValue('1.5');
    expect(selection.span).toEqual({ min: 0.25, max: 1.5 });
    // Ends that cannot be meant are put back.
    for (const wrong of ['', 'soon', '0.25']) {
      await fields[1].setValue(wrong);
      expect(selection.span).toEqual({ min: 0.25, max: 1.5 });
      expect(fields[1].element.value).toBe('1.5');
    }
    useDocumentStore().edit('units', (draft) => {
      draft.displayUnits = { units: { s: 'ms' } };
    });
    // The units are loaded when they are asked for first.
    await vi.waitFor(() => expect(useDisplayUnitsStore().of('s').factor).toBe(1000), PATIENCE);
    await flushPromises();
    expect(bar.findAll('input').map((field) => field.element.value)).toEqual(['250', '1500']);
    bar.unmount();
  });

  it('tells numbers of the signals that are shown, and puts the cursor to their extrema', async () => {
    const selection = useTimeSelectionStore();
    const bar = mount(SelectionBar, { global: { stubs: { IconButton: true } } });
    useDocumentStore().edit('views', (draft) => {
      draft.views = [{ type: 'time-series', id: 'series', signals: ['follower.q', 'absent'] }];
    });
    selection.select(0.25, 0.75);
    await flushPromises();
    expect(host.calls.some(({ method }) => method === 'run.statistics')).toBe(false);
    selection.showsNumbers = true;
    await flushPromises();
    const asked = host.calls.filter(({ method }) => method === 'run.statistics');
    expect(asked).toHaveLength(1);
    const row = bar.get('tbody tr');
    expect(row.findAll('td').map((cell) => cell.text())).toEqual([
      '-1',
      '1',
      '0.25',
      '0.5',
      '2',
      '–',
      '–',
      '3',
      '6',
    ]);
    await row.findAll('button')[1].trigger('click');
    expect(usePlotCursorStore().mark?.t).toBe(0.75);
    bar.unmount();
  });
});

it('portraits bring the selected part out', async () => {
  const [x, y] = useRunsStore().current!.signals.filter(({ kind }) => kind !== 'time');
  const stubs = {
    PlotSurface: true,
    PlotFrame: { template: '<section><slot /></section>' },
    HintTooltip: true,
  };
  const view = { type: 'phase-portrait' as const, id: 'p', x: x.name, y: y.name };
  const panel = mount(PhasePortraitPlot, { props: { view }, global: { stubs } });
  // The plot asks when what it needs has loaded; how many turns of the loop that takes is not its promise.
  const asked = () => host.calls.filter(({ method }) => method === 'run.portrait');
  await vi.waitFor(() => expect(asked()).not.toHaveLength(0), PATIENCE);
  expect(asked().at(-1)?.params).not.toHaveProperty('from');
  useTimeSelectionStore().select(0.25, 0.75);
  await vi.waitFor(
    () => expect(asked().at(-1)?.params).toMatchObject({ x: x.name, y: y.name, from: 0.25, to: 0.75 }),
    PATIENCE,
  );
  panel.unmount();
});

it('portraits say when the selected part is too long to be brought out', async () => {
  const known = host.dispatcher.dispatch.bind(host.dispatcher);
  host.dispatcher.dispatch = (method, params) =>
    known(method, method === 'run.portrait' && 'from' in params ? { ...params, maxPoints: 2 } : params);
  const [x, y] = useRunsStore().current!.signals.filter(({ kind }) => kind !== 'time');
  const stubs = {
    PlotSurface: true,
    PlotFrame: { props: ['remark'], template: '<section>{{ remark }}<slot /></section>' },
    HintTooltip: true,
  };
  const view = { type: 'phase-portrait' as const, id: 'p', x: x.name, y: y.name };
  const panel = mount(PhasePortraitPlot, { props: { view }, global: { stubs } });
  await flushPromises();
  expect(panel.text()).not.toContain('too many');
  useTimeSelectionStore().select(0.25, 0.75);
  await vi.waitFor(
    () => expect(panel.text()).toContain('points are selected: too many to highlight.'),
    PATIENCE,
  );
  panel.unmount();
});

it('a portrait with a selected part draws that in front, and the rest faint', () => {
  const points = (from: number, count: number) => ({
    kind: 'points' as const,
    rows: count,
    x: Float64Array.from({ length: count }, (_, k) => from + k),
    y: Float64Array.from({ length: count }, (_, k) => (from + k) ** 2),
  });
  const option = (selected: ReturnType<typeof points> | null) =>
    portraitOption({
      xName: 'x',
      yName: 'y',
      current: points(0, 10),
      compared: [],
      selected,
      x: null,
      y: null,
      theme: LIGHT_PLOT,
      width: 400,
      height: 300,
      image: null,
      reach: 0,
    }) as { series: { z: number; lineStyle: { opacity: number; color: string } }[]; dataset: unknown[] };
  const [plain] = option(null).series;
  const { series, dataset } = option(points(3, 4));
  expect(dataset).toHaveLength(2);
  expect(series[0].lineStyle.opacity).toBeLessThan(plain.lineStyle.opacity);
  expect(series[1].z).toBeGreaterThan(series[0].z);
  expect(series[1].lineStyle.color).not.toBe(series[0].lineStyle.color);
});
