import { flushPromises, mount } from '@vue/test-utils';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MoreauError } from '@contract/errors';
import { useCommands } from '@renderer/commands/definitions';
import { askIfLong } from '@renderer/runs/start-checked';
import { noticesText } from '@renderer/notices/notices-text';
import NoticeStack from '@renderer/notices/NoticeStack.vue';
import { useDialogsStore } from '@renderer/stores/dialogs';
import { useDocumentStore } from '@renderer/stores/document';
import { useLayoutStore } from '@renderer/stores/layout';
import { useNoticesStore } from '@renderer/stores/notices';
import { useReportStore } from '@renderer/stores/report';
import { useSettingsStore } from '@renderer/stores/settings';
import { i18n } from '@renderer/i18n';
import { fitting } from '@renderer/shell/fitting';
import { openCamFollower } from './setup';

beforeEach(() => openCamFollower());

describe('notifications', () => {
  it('are counted instead of repeated, and stay in the list', () => {
    const notices = useNoticesStore();
    const error = new MoreauError({
      code: 'disk-full',
      message: 'No room.',
      where: 'a.json',
      remedy: 'Make some.',
    });
    notices.failure(error);
    notices.info('Saved.');
    notices.failure(error);
    expect(notices.notices.map(({ message, count }) => [message, count])).toEqual([
      ['Saved.', 1],
      ['No room.', 2],
    ]);
    expect(notices.unread).toBe(1);
    notices.markRead();
    expect(notices.unread).toBe(0);
    notices.failure(error);
    expect(notices.unread).toBe(1);
    expect(noticesText(notices.notices)).toContain(
      'error (3 times): No room.\n  Make some.\n  disk-full · a.json',
    );
    notices.clear();
    expect(notices.notices).toEqual([]);
  });

  it('float for a while when they only inform; errors stay until they are dismissed', () => {
    vi.useFakeTimers();
    const notices = useNoticesStore();
    notices.info('Saved.');
    notices.warning('Slow.');
    vi.runAllTimers();
    vi.useRealTimers();
    expect(notices.notices.map(({ shown }) => shown)).toEqual([false, true]);
    notices.dismiss(notices.notices[1].id);
    expect(notices.notices.every(({ shown }) => !shown)).toBe(true);
  });

  it('are read out: errors at once, others in their turn; and have buttons that act', async () => {
    const notices = useNoticesStore();
    const run = vi.fn();
    const view = mount(NoticeStack, { global: { plugins: [i18n] } });
    notices.warning('Slow.', 'Wait.', [{ label: 'Stop', run }]);
    notices.failure(new Error('Broken.'));
    await flushPromises();
    expect(view.get('[role=status]').text()).toBe('Slow. Wait.');
    expect(view.get('[role=alert]').text()).toBe('Broken.');
    await view.get('.actions button').trigger('click');
    expect(run).toHaveBeenCalledTimes(1);
  });
});

describe('the layout', () => {
  it('hides and shows panes, and keeps one', () => {
    const layout = useLayoutStore();
    expect(layout.columns).toEqual(['side', 'centre', 'plots']);
    layout.toggle('plots');
    layout.toggle('side');
    layout.toggle('lower');
    layout.toggle('model');
    expect(layout.shown).toEqual(['model']);
    layout.reveal('plots');
    expect(layout.columns).toEqual(['centre', 'plots']);
  });

  it('moves panes, lets one fill the window, and goes back to how it was', () => {
    const layout = useLayoutStore();
    layout.moveLower();
    expect(layout.lowerIn('bottom')).toBe(true);
    layout.moveLower();
    expect(layout.columns).toEqual(['side', 'centre', 'plots', 'lower']);
    layout.moveSide();
    expect(layout.columns).toEqual(['centre', 'plots', 'lower', 'side']);
    layout.toggleMaximised('plots');
    expect(layout.maximised).toBe('plots');
    layout.reveal('model');
    expect(layout.maximised).toBeNull();
    layout.reset();
    expect(layout.columns).toEqual(['side', 'centre', 'plots']);
  });

  it('keeps sizes for each set of panes, stored once the hand rests', async () => {
    vi.useFakeTimers();
    const layout = useLayoutStore();
    layout.keepSizes('columns', layout.columns, [10, 50, 40]);
    vi.runAllTimers();
    vi.useRealTimers();
    await flushPromises();
    expect(layout.sizes('columns', layout.columns, [1, 1, 1])).toEqual([10, 50, 40]);
    expect(useSettingsStore().values['window.paneSizes']).toEqual({
      'columns:side,centre,plots': [10, 50, 40],
    });
    layout.toggle('side');
    expect(layout.sizes('columns', layout.columns, [42, 39]).map(Math.round)).toEqual([52, 48]);
  });

  it('shows what was used last where there is no room for all, and leads to the rest', () => {
    const layout = useLayoutStore();
    expect(layout.isTight).toBe(false);
    layout.setWithoutRoom('columns', ['side']);
    expect(layout.isTight).toBe(true);
    expect(layout.parts.filter(({ isSeen }) => !isSeen).map(({ id }) => id)).toEqual(['parameters', 'runs']);
    layout.reveal('side');
    expect(layout.used.slice(0, 3)).toEqual(['columns', 'side', 'parameters']);
    layout.setWithoutRoom('columns', []);
    layout.setWithoutRoom('centre', ['lower']);
    expect(layout.parts.find(({ id }) => id === 'lower')?.isSeen).toBe(false);
    layout.toggle('lower');
    expect(layout.parts.map(({ id }) => id)).not.toContain('lower');
  });

  it('comes in four kinds, by command too', () => {
    const layout = useLayoutStore();
    layout.apply('presenting');
    expect(layout.columns).toEqual(['plots']);
    expect(useCommands().get('view.layoutScripting')).toBeDefined();
    layout.apply('running');
    expect(layout.columns).toEqual(['side', 'plots']);
  });
});

describe('a run of very many steps', () => {
  it('is asked about first, unless the settings say otherwise', async () => {
    useDocumentStore().edit('h', (draft) => {
      draft.simulation.h = 5e-7;
    });
    await useReportStore().refresh();
    const dialogs = useDialogsStore();
    await useSettingsStore().set('runs.askAboveMillionSteps', 1);
    const asked = askIfLong({});
    expect(dialogs.question?.message).toContain('4 M');
    dialogs.question?.answer('cancel');
    expect(await asked).toBeNull();
    await useSettingsStore().set('runs.askAboveMillionSteps', 0);
    expect(await askIfLong({})).toEqual({});
  });
});

describe('a split without room for all', () => {
  const PARTS = [
    { id: 'side', least: 200 },
    { id: 'centre', least: 300 },
    { id: 'plots', least: 320 },
  ];
  const shown = (room: number, used: string[] = []): string[] =>
    fitting(PARTS, room, used).map(({ id }) => id);

  it('keeps what was used last, in its order', () => {
    expect(shown(0)).toEqual(['side', 'centre', 'plots']);
    expect(shown(820)).toEqual(['side', 'centre', 'plots']);
    expect(shown(819)).toEqual(['side', 'centre']);
    expect(shown(700, ['plots', 'centre'])).toEqual(['centre', 'plots']);
    expect(shown(520, ['plots'])).toEqual(['side', 'plots']);
  });

  it('keeps one, however little room there is', () => {
    expect(shown(10, ['centre'])).toEqual(['centre']);
  });
});
