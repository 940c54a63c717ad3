/** What scripts said: kept by run, in a ring, repeated lines counted. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { ConsoleMessage } from '@contract/methods';
import { filterLines, linesText } from '@renderer/script/console-lines';
import { useConsoleStore } from '@renderer/stores/console';
import { useRunsStore } from '@renderer/stores/runs';
import type { FakeHost } from '../fake/host';
import { openCamFollower } from '../setup';

let host: FakeHost;
beforeEach(async () => {
  host = await openCamFollower();
});

const message = (text: string, more: Partial<ConsoleMessage> = {}): ConsoleMessage => ({
  script: 'cam.ts',
  level: 'log',
  text,
  line: 3,
  time: 0.5,
  ...more,
});
const say = (text: string, more: Partial<ConsoleMessage> = {}): void =>
  host.emit({ event: 'run.console', data: { runId: 'run-1', ...message(text, more) } });

describe('the console', () => {
  it('counts lines that repeat, with the newest time', () => {
    const store = useConsoleStore();
    say('a');
    say('a', { time: 0.75 });
    say('b');
    say('a');
    expect(store.logOf('run-1').entries.map(({ text, count, time }) => [text, count, time])).toEqual([
      ['a', 2, 0.75],
      ['b', 1, 0.5],
      ['a', 1, 0.5],
    ]);
  });

  it('forgets the oldest lines of a talkative script, and says how many', () => {
    const store = useConsoleStore();
    for (let i = 0; i < 1200; i++) say(String(i));
    const { entries, dropped } = store.logOf('run-1');
    expect(entries).toHaveLength(1000);
    expect(dropped).toBe(200);
    expect(entries[0]?.text).toBe('200');
  });

  it('counts warnings until it is looked at, and is cleared', () => {
    const store = useConsoleStore();
    say('slow', { level: 'warn' });
    say('fine');
    expect(store.unseen).toBe(1);
    store.look();
    expect(store.unseen).toBe(0);
    store.clear('run-1');
    expect(store.logOf('run-1').entries).toEqual([]);
  });

  it('shows levels and words, and copies what it shows', () => {
    const store = useConsoleStore();
    say('fine');
    say('slow', { level: 'warn', line: 7 });
    say('broken', { level: 'error' });
    const { entries } = store.logOf('run-1');
    expect(filterLines(entries, 'warn', '').map(({ text }) => text)).toEqual(['slow', 'broken']);
    expect(filterLines(entries, 'all', 'cam.ts:7').map(({ text }) => text)).toEqual(['slow']);
    expect(linesText(filterLines(entries, 'all', 'slow'))).toBe('0.5\twarn\t1\tcam.ts:7\tslow');
  });

  it('offers the runs that are listed, the one that is shown first', async () => {
    const store = useConsoleStore();
    const runs = useRunsStore();
    host.emit({ event: 'run.console', data: { runId: 'of-none', ...message('unheard') } });
    await runs.start();
    const shown = runs.currentId ?? '';
    host.emit({ event: 'run.console', data: { runId: shown, ...message('fine') } });
    expect(store.sources).toEqual([shown]);
    expect(store.logOf(shown).entries.map(({ text }) => text)).toEqual(['fine']);
  });
});
