/**
 * Runs that are drawn together: which style is which run, on the screen and in the files that plots are
 * exported to.
 */
import type { RunInfo } from '@contract/methods';
import { flushPromises, mount } from '@vue/test-utils';
import { beforeEach, describe, expect, it } from 'vitest';
import { legendRows, runWords } from '@figures/run-legend';
import PhasePortraitPlot from '@views/phase-portrait/Panel.vue';
import { plotOf } from '@renderer/dashboard/plot/plot-registry';
import SectionPlot from '@views/section/Panel.vue';
import TimeSeriesPlot from '@views/time-series/Panel.vue';
import { useDocumentStore } from '@renderer/stores/document';
import { usePlotCursorStore } from '@renderer/stores/plot-cursor';
import { useRunsStore } from '@renderer/stores/runs';
import type { FakeHost } from '../fake/host';
import { openCamFollower } from '../setup';

const PlotFrame = {
  template: '<section><slot name="title" /><slot name="runs" /><slot /></section>',
};
const stubs = { PlotSurface: true, PlotFrame, HintTooltip: true, SignalPicker: true, StartPointDialog: true };

/** Two runs of the model, the first one pinned: the second one is drawn in front of it. */
async function twoRuns(host: FakeHost): Promise<void> {
  const runs = useRunsStore();
  useDocumentStore().edit('Add section', (draft) => {
    draft.simulation.sections = [{ id: 'clock', type: 'stroboscopic', period: 0.1 }];
  });
  for (const isPinned of [true, false]) {
    await runs.start();
    host.advance(1);
    await flushPromises();
    if (isPinned) await runs.togglePin(runs.current!.runId);
  }
  await flushPromises();
}

const fileOf = (id: string, at?: { width: number; height: number }): string =>
  new TextDecoder().decode(plotOf(id)!.image('svg', at));
/** Lines of a drawing that are dashed as the first compared run is. */
const dashed = (svg: string): number => svg.match(/<path d="M[^>]*stroke-dasharray="7,4"/g)?.length ?? 0;

describe('the exported picture of a plot', () => {
  let names: string[];
  let words: string[];
  beforeEach(async () => {
    const host = await openCamFollower();
    await twoRuns(host);
    const runs = useRunsStore();
    expect(runs.compared).toHaveLength(1);
    names = runs.current!.signals.filter(({ kind }) => kind !== 'time').map(({ name }) => name);
    words = [runs.current!, ...runs.compared].map(({ name }) => name);
  });

  it('keeps the compared runs of a time series, and says which dashes are which', async () => {
    const [first = ''] = names;
    const view = { type: 'time-series' as const, id: 'series', signals: [first] };
    const panel = mount(TimeSeriesPlot, { props: { view }, global: { stubs } });
    await flushPromises();
    for (const svg of [fileOf('series'), fileOf('series', { width: 500, height: 300 })]) {
      // Its curve, and its entry in the legend.
      expect(dashed(svg)).toBe(2);
      for (const name of words) expect(svg).toContain(`>${name}</text>`);
    }
    expect(panel.find('[data-testid="run-legend"]').text()).toBe(words.join(' '));
    panel.unmount();
  });

  it('keeps those of a portrait and of a section', async () => {
    const [x = '', y = ''] = names;
    const portrait = mount(PhasePortraitPlot, {
      props: { view: { type: 'phase-portrait', id: 'portrait', x, y } },
      global: { stubs },
    });
    const section = mount(SectionPlot, {
      props: { view: { type: 'section', id: 'map', section: 'clock', x, y } },
      global: { stubs },
    });
    await flushPromises();
    for (const [id, panel] of [
      ['portrait', portrait],
      ['map', section],
    ] as const) {
      for (const name of words) expect(fileOf(id)).toContain(`>${name}</text>`);
      expect(panel.find('[data-testid="run-legend"]').text()).toBe(words.join(' '));
    }
    portrait.unmount();
    section.unmount();
  });
});

it('a plot of a single run has no legend of runs', async () => {
  const host = await openCamFollower();
  const runs = useRunsStore();
  await runs.start();
  host.advance(1);
  await flushPromises();
  const [first = ''] = runs.current!.signals.filter(({ kind }) => kind !== 'time').map(({ name }) => name);
  const view = { type: 'time-series' as const, id: 'series', signals: [first] };
  const panel = mount(TimeSeriesPlot, { props: { view }, global: { stubs } });
  await flushPromises();
  expect(panel.find('[data-testid="run-legend"]').exists()).toBe(false);
  expect(fileOf('series')).not.toContain(runs.current!.name);
  panel.unmount();
});

describe('the words for runs', () => {
  const run = (runId: string, changes: Partial<RunInfo>): RunInfo =>
    ({
      runId,
      name: `Run ${runId}`,
      title: 'Ball',
      parameters: {},
      scheme: 'time-stepping',
      ...changes,
    }) as RunInfo;
  const told = (...all: RunInfo[]): string[] => [...runWords(all, (scheme) => `by ${scheme}`).values()];

  it('are the schemes where nothing else differs, else the names', () => {
    expect(told(run('1', {}))).toEqual([]);
    expect(told(run('1', {}), run('2', { scheme: 'event-driven' }))).toEqual([
      'by time-stepping',
      'by event-driven',
    ]);
    expect(told(run('1', {}), run('2', {}))).toEqual(['Run 1', 'Run 2']);
    expect(told(run('1', {}), run('2', { scheme: 'event-driven', parameters: { rpm: 1 } }))).toEqual([
      'Run 1, by time-stepping',
      'Run 2, by event-driven',
    ]);
    expect(told(run('1', {}), run('2', {}), run('3', { scheme: 'event-driven' }))[2]).toBe(
      'Run 3, by event-driven',
    );
  });

  it('take as many rows of a legend as they need', () => {
    expect(legendRows(['a', 'b'], 200)).toBe(1);
    expect(legendRows(['a'.repeat(40), 'b'.repeat(40)], 400)).toBe(2);
    expect(legendRows([], 400)).toBe(1);
  });
});

describe('a section', () => {
  it('rings the point at which the cursor was set, until the cursor goes elsewhere', async () => {
    const host = await openCamFollower();
    await twoRuns(host);
    const [x = '', y = ''] = useRunsStore()
      .current!.signals.filter(({ kind }) => kind !== 'time')
      .map(({ name }) => name);
    const panel = mount(SectionPlot, {
      props: { view: { type: 'section', id: 'map', section: 'clock', x, y } },
      global: { stubs },
    });
    await flushPromises();
    const rings = (): unknown[] => {
      const { series } = panel.getComponent({ name: 'PlotSurface' }).props('option') as {
        series: { symbolSize?: number; data?: unknown[] }[];
      };
      return series
        .filter(({ symbolSize, data }) => symbolSize === 13 && data?.length === 1)
        .map(({ data }) => data);
    };
    const cursor = usePlotCursorStore();
    expect(rings()).toEqual([]);
    cursor.moveTo(0.1, false, { section: 'clock', values: { [x]: 3, [y]: 4 } });
    await flushPromises();
    expect(rings()).toEqual([[[3, 4]]]);
    cursor.moveTo(0.1, false, { section: 'another', values: { [x]: 3, [y]: 4 } });
    await flushPromises();
    expect(rings()).toEqual([]);
    cursor.moveTo(0.2);
    await flushPromises();
    expect(rings()).toEqual([]);
    panel.unmount();
  });
});
