/** Events in the window: fetched while they are looked at, listed, and the way from one to the plots. */
import { MoreauError } from '@contract/errors';
import { flushPromises, mount, type VueWrapper } from '@vue/test-utils';
import { TooltipProvider } from 'reka-ui';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { defineComponent, h, nextTick } from 'vue';
import EventFigures from '@renderer/events/EventFigures.vue';
import EventsPane from '@renderer/events/EventsPane.vue';
import { useEventsStore } from '@renderer/stores/events';
import { useNoticesStore } from '@renderer/stores/notices';
import { usePlotCursorStore } from '@renderer/stores/plot-cursor';
import { useRunsStore } from '@renderer/stores/runs';
import { useWorkspaceStore } from '@renderer/stores/workspace';
import { fakeEvent } from './fake/event-driven';
import type { FakeHost } from './fake/host';
import { openCamFollower } from './setup';

let host: FakeHost;
beforeEach(async () => {
  localStorage.clear();
  host = await openCamFollower();
});

const asked = (): number => host.calls.filter(({ method }) => method === 'run.events').length;

async function runEventDriven(progress = 2): Promise<void> {
  await useRunsStore().start({ scheme: 'event-driven' });
  if (progress > 0) host.advance(progress);
  await flushPromises();
}

describe('the events of a run', () => {
  it('are fetched only while somebody follows, and as they come', async () => {
    const store = useEventsStore();
    await runEventDriven(0);
    const end = store.follow();
    await flushPromises();
    expect(store.table.length).toBe(0);
    host.advance(4);
    await flushPromises();
    // 20 000 steps, an event every 900.
    expect(store.table.length).toBe(22);
    expect(store.isComplete).toBe(true);
    end();
    const before = asked();
    await runEventDriven();
    expect(asked()).toBe(before);
    expect(store.table.length).toBe(0);
  });

  it('are another run’s when another run is shown, and none by time-stepping', async () => {
    const store = useEventsStore();
    store.follow();
    await runEventDriven();
    expect(store.table.length).toBe(22);
    const runs = useRunsStore();
    const first = runs.currentId ?? '';
    await runs.start({ scheme: 'time-stepping' });
    host.advance(1);
    await flushPromises();
    expect(store.run).toBeNull();
    expect(store.table.length).toBe(0);
    runs.show(first);
    await flushPromises();
    expect(store.table.length).toBe(22);
  });

  it('come in pages until all are there', async () => {
    const { dispatch } = host.dispatcher;
    const page = 5;
    host.dispatcher.dispatch = (method, params) =>
      method === 'run.events'
        ? dispatch(method, { ...params, count: page } as typeof params)
        : dispatch(method, params);
    useEventsStore().follow();
    await runEventDriven();
    await flushPromises();
    expect(useEventsStore().table.length).toBe(22);
    expect(useEventsStore().table.row(21).time).toBe(fakeEvent(21, 1e-4).time);
  });

  it('that cannot be read are reported once, and not asked for again and again', async () => {
    const { dispatch } = host.dispatcher;
    const failing = vi.fn(() =>
      Promise.reject(new MoreauError({ code: 'disk', message: 'The events are gone.' })),
    );
    host.dispatcher.dispatch = (method, params) =>
      method === 'run.events' ? failing() : dispatch(method, params);
    useEventsStore().follow();
    await runEventDriven(3);
    expect(failing).toHaveBeenCalledTimes(1);
    expect(useNoticesStore().notices.map(({ message }) => message)).toEqual(['The events are gone.']);
  });

  it('of a run that was deleted meanwhile are no news', async () => {
    const { dispatch } = host.dispatcher;
    host.dispatcher.dispatch = (method, params) =>
      method === 'run.events'
        ? Promise.reject(new MoreauError({ code: 'unknown-run', message: 'There is no such run.' }))
        : dispatch(method, params);
    useEventsStore().follow();
    await runEventDriven();
    expect(useNoticesStore().notices).toEqual([]);
  });
});

async function openPane(): Promise<VueWrapper> {
  const pane = defineComponent(() => () => h(TooltipProvider, null, { default: () => h(EventsPane) }));
  const wrapper = mount(pane, { attachTo: document.body });
  await flushPromises();
  return wrapper;
}

describe('the panel of events', () => {
  it('offers an event-driven run where there is none', async () => {
    const wrapper = await openPane();
    expect(wrapper.text()).toContain('Run the model');
    await useRunsStore().start();
    host.advance(1);
    await nextTick();
    expect(wrapper.text()).toContain('This is a time-stepping run');
    await wrapper.get('[data-testid="run-event-driven"]').trigger('click');
    await flushPromises();
    expect(useRunsStore().current?.scheme).toBe('event-driven');
  });

  it('lists events with time, kind and velocities, and says how many there are', async () => {
    await runEventDriven();
    const wrapper = await openPane();
    expect(wrapper.get('[data-testid="events-count"]').text()).toBe('22 events');
    const grid = wrapper.get('[data-testid="event-grid"]');
    expect(grid.attributes('aria-rowcount')).toBe('23');
    const [first] = wrapper.findAll('[data-testid="event-row"]');
    expect(first?.findAll('[role="gridcell"]').map((cell) => cell.text())).toEqual([
      '0.0900000',
      'cam',
      'impact',
      '-1',
      '0.5',
      '1.5',
    ]);
  });

  it('moves the cursor of the plots with keys, highlights the element, and stays open', async () => {
    await runEventDriven();
    const wrapper = await openPane();
    const workspace = useWorkspaceStore();
    workspace.lowerTab = 'events';
    const grid = wrapper.get('[data-testid="event-grid"]');
    await grid.trigger('keydown', { key: 'ArrowDown' });
    await grid.trigger('keydown', { key: 'ArrowDown' });
    expect(usePlotCursorStore().mark).toBeNull();
    await grid.trigger('keydown', { key: 'Enter' });
    expect(usePlotCursorStore().mark).toMatchObject({ t: fakeEvent(1, 1e-4).time, zoom: false });
    expect(workspace.selection).toEqual({ kind: 'element', id: 'cam' });
    expect(workspace.lowerTab).toBe('events');
    const active = document.getElementById(grid.attributes('aria-activedescendant') ?? '');
    expect(active?.getAttribute('aria-selected')).toBe('true');
    await grid.trigger('keydown', { key: 'Enter', shiftKey: true });
    expect(usePlotCursorStore().mark?.zoom).toBe(true);
    await grid.trigger('keydown', { key: 'Escape' });
    expect(usePlotCursorStore().mark).toBeNull();
  });

  it('takes the cursor away with the run it belongs to', async () => {
    await runEventDriven();
    usePlotCursorStore().moveTo(0.5);
    await useRunsStore().start();
    await nextTick();
    expect(usePlotCursorStore().mark).toBeNull();
  });

  it('copies what is listed, and says so when it may not', async () => {
    await runEventDriven();
    const wrapper = await openPane();
    const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await wrapper.get('[data-testid="copy-events"]').trigger('click');
    await flushPromises();
    expect(written.mock.lastCall?.[0].split('\n')).toHaveLength(24);
    expect(useNoticesStore().notices.at(-1)?.message).toBe('22 events copied.');
    written.mockRejectedValue(new Error('denied'));
    await wrapper.get('[data-testid="copy-events"]').trigger('click');
    await flushPromises();
    expect(useNoticesStore().notices.at(-1)?.message).toContain('clipboard');
    written.mockRestore();
  });

  it('saves the events through the shell', async () => {
    await runEventDriven();
    const wrapper = await openPane();
    host.shellAnswers['shell.exportFile'] = { name: 'cam-and-follower-events.csv' };
    await wrapper.get('[data-testid="save-events"]').trigger('click');
    await flushPromises();
    const call = host.shellCalls.find(({ method }) => method === 'shell.exportFile');
    const { suggestedName, data } = call?.params as { suggestedName: string; data: Uint8Array };
    expect(suggestedName).toBe('cam-and-follower-events.csv');
    expect(new TextDecoder().decode(data)).toContain('takeOff');
  });
});

describe('the figures of the events', () => {
  it('give the time of accumulation with its error bar', async () => {
    await runEventDriven();
    const wrapper = mount(EventFigures);
    await flushPromises();
    const { time } = fakeEvent(7, 1e-4);
    expect(wrapper.get('[data-testid="zeno-times"]').text()).toContain(
      `${(time + 1 / 3).toPrecision(10)} ± 2e-9 s`,
    );
    expect(wrapper.get('[data-testid="event-figures"]').text()).toContain('22');
  });
});
