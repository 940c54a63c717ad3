/**
 * What streams in takes turns and leaves time for the user: the budget, the news of runs, and plots that keep
 * to both.
 */
import type { PhasePortraitView, TimeSeriesView } from '@engine/document/types';
import type { RunInfo } from '@contract/methods';
import { flushPromises, shallowMount } from '@vue/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { computed, nextTick, ref, watch } from 'vue';
import PhasePortraitPlot from '@views/phase-portrait/Panel.vue';
import PlotFrame from '@renderer/dashboard/plot/PlotFrame.vue';
import PlotSurface from '@renderer/dashboard/plot/PlotSurface.vue';
import TimeSeriesPlot from '@views/time-series/Panel.vue';
import { type Frames, windowFrames } from '@renderer/pacing/frames';
import { RedrawBudget } from '@renderer/pacing/redraw-budget';
import { RunNews } from '@renderer/pacing/run-news';
import { stable } from '@renderer/pacing/stable';
import { useRunsStore } from '@renderer/stores/runs';
import type { FakeHost } from './fake/host';
import { openCamFollower } from './setup';

/** A window whose frames the test paints, on a clock that the test moves. */
class StillWindow implements Frames {
  time = 0;
  readonly #frames: ((began: number) => void)[] = [];
  readonly #timers: { at: number; resolve: () => void }[] = [];

  now(): number {
    return this.time;
  }

  flushed(): Promise<void> {
    return Promise.resolve();
  }

  painted(): Promise<number> {
    return new Promise((resolve) => this.#frames.push(resolve));
  }

  elapsed(delay: number): Promise<void> {
    return new Promise((resolve) => this.#timers.push({ at: this.time + delay, resolve }));
  }

  /** Paints a frame that begins now. @param cost ms it takes */
  async paint(cost: number): Promise<void> {
    await flushPromises();
    const began = this.time;
    this.time += cost;
    for (const resolve of this.#frames.splice(0)) resolve(began);
    await flushPromises();
  }

  /** Lets time pass. */
  async wait(duration: number): Promise<void> {
    await flushPromises();
    this.time += duration;
    for (const timer of this.#timers.splice(0)) {
      if (timer.at <= this.time) timer.resolve();
      else this.#timers.push(timer);
    }
    await flushPromises();
  }
}

describe('the redraw budget', () => {
  let frames: StillWindow;
  let budget: RedrawBudget;
  let drawn: string[];
  beforeEach(() => {
    frames = new StillWindow();
    budget = new RedrawBudget(frames);
    drawn = [];
  });
  const draw = (name: string) => (): void => {
    budget.charge();
    drawn.push(name);
  };
  const [series, portrait] = [{}, {}];

  it('draws at once in a window at rest, and one plot a frame', async () => {
    budget.request(series, draw('series'));
    budget.request(portrait, draw('portrait'));
    expect(drawn).toEqual(['series']);
    await frames.wait(1000);
    expect(drawn).toEqual(['series']);
    await frames.paint(0);
    expect(drawn).toEqual(['series', 'portrait']);
  });

  it('rests for three times what a redraw cost', async () => {
    budget.request(series, draw('series'));
    await frames.paint(40);
    budget.request(series, draw('series again'));
    await frames.wait(119);
    expect(drawn).toEqual(['series']);
    await frames.wait(1);
    expect(drawn).toEqual(['series', 'series again']);
  });

  it('does not rest for ever after a hiccup', async () => {
    budget.request(series, draw('series'));
    await frames.paint(60_000);
    budget.request(series, draw('series again'));
    await frames.wait(1500);
    expect(drawn).toEqual(['series', 'series again']);
  });

  it('does not charge the wait for the screen', async () => {
    budget.request(series, draw('series'));
    await frames.wait(500);
    await frames.paint(10);
    budget.request(series, draw('series again'));
    await frames.wait(30);
    expect(drawn).toEqual(['series', 'series again']);
  });

  it('leaves the time to what the user has drawn meanwhile', async () => {
    budget.charge();
    await frames.paint(50);
    budget.request(series, draw('series'));
    await frames.wait(100);
    budget.charge();
    await frames.paint(50);
    await frames.wait(100);
    expect(drawn).toEqual([]);
    await frames.wait(50);
    expect(drawn).toEqual(['series']);
  });

  it('draws the last state: a newer turn replaces one that waits, and keeps its place', async () => {
    budget.request({}, draw('figures'));
    budget.request(series, draw('old'));
    budget.request(portrait, draw('portrait'));
    budget.request(series, draw('new'));
    for (let i = 0; i < 4; i++) await frames.paint(0);
    expect(drawn).toEqual(['figures', 'new', 'portrait']);
  });

  it('forgets a turn that is not wanted any more', async () => {
    budget.request({}, draw('figures'));
    budget.request(series, draw('series'));
    budget.withdraw(series);
    for (let i = 0; i < 3; i++) await frames.paint(0);
    expect(drawn).toEqual(['figures']);
  });

  it('waits for a turn that asks the host first', async () => {
    let answer = (): void => undefined;
    budget.request(series, async () => {
      await new Promise<void>((resolve) => (answer = resolve));
      draw('series')();
    });
    budget.request(portrait, draw('portrait'));
    await frames.paint(0);
    expect(drawn).toEqual([]);
    answer();
    await flushPromises();
    expect(drawn).toEqual(['series']);
    await frames.paint(0);
    expect(drawn).toEqual(['series', 'portrait']);
  });
});

describe('news of runs', () => {
  const run = (runId: string, state: RunInfo['state'], rows: number): RunInfo =>
    ({ runId, state, statistics: { rows } }) as RunInfo;
  let frames: StillWindow;
  let shown: Map<string, RunInfo>;
  let told: string[];
  let news: RunNews;
  beforeEach(() => {
    frames = new StillWindow();
    shown = new Map();
    told = [];
    news = new RunNews(
      new RedrawBudget(frames),
      (runId) => shown.get(runId)?.state,
      (runs) => {
        for (const one of runs) shown.set(one.runId, one);
        told.push(runs.map(({ runId, state, statistics }) => `${runId} ${state} ${statistics.rows}`).join());
      },
    );
  });

  it('hold progress until its turn, and then only the newest of each run', async () => {
    news.hear(run('a', 'running', 1));
    news.hear(run('b', 'running', 1));
    news.hear(run('a', 'running', 2));
    news.hear(run('a', 'running', 3));
    news.hear(run('b', 'running', 4));
    expect(told).toEqual(['a running 1', 'b running 1']);
    await frames.paint(0);
    expect(told.slice(2)).toEqual(['a running 3,b running 4']);
  });

  it('tell a change of state at once, and nothing older after it', async () => {
    news.hear(run('a', 'running', 1));
    news.hear(run('a', 'running', 2));
    news.hear(run('a', 'cancelled', 3));
    expect(told.at(-1)).toBe('a cancelled 3');
    await frames.paint(0);
    await frames.wait(0);
    expect(told).toHaveLength(2);
  });

  it('are dropped when the list has been read again', async () => {
    news.hear(run('a', 'running', 1));
    news.hear(run('a', 'running', 2));
    news.clear();
    await frames.paint(0);
    expect(told).toEqual(['a running 1']);
  });
});

describe('a stable value', () => {
  it('changes with its parts and with nothing else', async () => {
    const parts = ref([1, NaN, 3]);
    const record = stable(() => ({ first: parts.value[0], last: parts.value.at(-1) }));
    const list = stable(() => [...parts.value]);
    let changes = 0;
    watch([record, list], () => changes++);
    parts.value = [1, NaN, 3];
    await nextTick();
    expect(changes).toBe(0);
    parts.value = [1, NaN, 3, undefined as unknown as number];
    await nextTick();
    expect(changes).toBe(1);
    expect(list.value).toHaveLength(4);
    // For comparison: without it each message counts.
    let without = 0;
    watch(
      computed(() => [...parts.value]),
      () => without++,
    );
    parts.value = [...parts.value];
    await nextTick();
    expect([changes, without]).toEqual([1, 1]);
  });
});

describe('plots of a run that goes on', () => {
  let host: FakeHost;
  beforeEach(async () => {
    host = await openCamFollower();
    // A window that paints at once and at no cost: all turns come without a wait.
    vi.spyOn(windowFrames, 'now').mockReturnValue(0);
    vi.spyOn(windowFrames, 'painted').mockResolvedValue(0);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
  const views: { portrait: PhasePortraitView; series: TimeSeriesView } = {
    portrait: { type: 'phase-portrait', id: 'portrait', x: 'follower.q', y: 'follower.v' },
    series: { type: 'time-series', id: 'series', signals: ['follower.q'] },
  };
  const stubs = { PlotFrame: false, PlotSurface: true };
  const asked = (method: string): number => host.calls.filter((call) => call.method === method).length;
  /** The host says again what it said last, a little further. */
  function tellAgain(share: number): void {
    const run = useRunsStore().current!;
    const rows = Math.round(run.statistics.rows * share);
    // What comes over a process border is another object each time.
    host.emit({
      event: 'run.progress',
      data: structuredClone({ run: { ...run, statistics: { ...run.statistics, rows } } }),
    });
  }
  /** Waits until what streams in has had its turns. */
  async function settled(): Promise<void> {
    for (let i = 0; i < 8; i++) await flushPromises();
  }
  async function running(): Promise<void> {
    await useRunsStore().start({ h: 1e-5 });
    host.advance(2);
    const run = useRunsStore().current!;
    host.emit({
      event: 'run.progress',
      data: structuredClone({
        run: { ...run, state: 'running', statistics: { ...run.statistics, rows: 1e5 } },
      }),
    });
  }

  it('read a portrait again when it has grown by a tenth, not at each news', async () => {
    await running();
    shallowMount(PhasePortraitPlot, { props: { view: views.portrait }, global: { stubs } });
    await settled();
    const before = asked('run.portrait');
    expect(before).toBeGreaterThan(0);
    for (let i = 0; i < 3; i++) {
      tellAgain(1.02);
      await settled();
    }
    expect(asked('run.portrait')).toBe(before);
    tellAgain(1.2);
    await settled();
    expect(asked('run.portrait')).toBe(before + 1);
  });

  it('count the visits of a long portrait again where it is zoomed to', async () => {
    await running();
    const wrapper = shallowMount(PhasePortraitPlot, {
      props: { view: views.portrait },
      global: { stubs: { ...stubs, PlotPanel: false } },
    });
    await settled();
    const last = () => host.calls.filter(({ method }) => method === 'run.portrait').at(-1)?.params;
    expect(last()).toMatchObject({ view: undefined });
    const surface = wrapper.findComponent(PlotFrame).findComponent(PlotSurface);
    const { $emit: emit } = surface.vm as { $emit: (event: string, payload?: unknown) => void };
    emit('range', { x: [0.25, 0.5], y: [0.5, 0.75] });
    await settled();
    const { view } = last() as { view: { xMin: number; xMax: number; yMin: number; yMax: number } };
    // The fake host has its visits between 0 and 1; the axes go a little beyond.
    expect(view.xMax - view.xMin).toBeGreaterThan(0.25);
    expect(view.xMax - view.xMin).toBeLessThan(0.3);
    expect(view.yMin).toBeCloseTo(0.5, 6);
    emit('reset');
    await settled();
    expect(last()).toMatchObject({ view: undefined });
  });

  it('draw nothing again for news that bring no rows', async () => {
    await running();
    const wrapper = shallowMount(TimeSeriesPlot, { props: { view: views.series }, global: { stubs } });
    await settled();
    const surface = wrapper.findComponent(PlotFrame).findComponent(PlotSurface);
    const option: unknown = surface.props('option');
    const before = asked('run.read');
    tellAgain(1);
    await settled();
    expect(surface.props('option')).toBe(option);
    expect(asked('run.read')).toBe(before);
    tellAgain(1.01);
    await settled();
    expect(asked('run.read')).toBe(before + 1);
    expect(surface.props('option')).not.toBe(option);
  });

  it('read what a run has come to at its end', async () => {
    await running();
    shallowMount(PhasePortraitPlot, { props: { view: views.portrait }, global: { stubs } });
    await settled();
    const before = asked('run.portrait');
    const run = useRunsStore().current!;
    host.emit({ event: 'run.progress', data: structuredClone({ run: { ...run, state: 'done' } }) });
    await settled();
    expect(asked('run.portrait')).toBe(before + 1);
  });
});
