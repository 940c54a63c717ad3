/** What scripts said: by run, and of the builder. A ring, so that a talkative script fills no memory. */
import type { ConsoleMessage } from '@contract/methods';
import { defineStore } from 'pinia';
import { computed, shallowRef, triggerRef, watch } from 'vue';
import { useHost } from '../transport/host';
import { useReportStore } from './report';
import { useRunsStore } from './runs';

/** Source of what builder scripts said while the document was examined. */
export const BUILDER = 'builder';
/** Lines kept of each source. */
const MOST_LINES = 1000;
/** Runs whose lines are kept. */
const MOST_SOURCES = 12;

/** Lines of the same text from the same place, one after the other, are one. */
export interface ConsoleEntry extends ConsoleMessage {
  /** in the order they came, across all sources */
  id: number;
  count: number;
}

/** What is kept of one source. */
export interface ConsoleLog {
  entries: readonly ConsoleEntry[];
  /** lines that were given up */
  readonly dropped: number;
}

const NOTHING_SAID: ConsoleLog = { entries: [], dropped: 0 };

const same = (a: ConsoleMessage, b: ConsoleMessage): boolean =>
  a.text === b.text && a.level === b.level && a.line === b.line && a.script === b.script;

export const useConsoleStore = defineStore('console', () => {
  const runs = useRunsStore();
  const report = useReportStore();
  const logs = shallowRef(new Map<string, ConsoleLog>());
  /** warnings and errors that came since the console was looked at */
  const unseen = shallowRef(0);
  let nextId = 1;

  /** The log with a message at its end: a new object, so that views notice. */
  function appended({ entries, dropped }: ConsoleLog, said: ConsoleMessage): ConsoleLog {
    const { script, level, text, line, time } = said;
    const message = { script, level, text, line, time };
    const last = entries.at(-1);
    // The time is that of the newest.
    if (last !== undefined && same(last, message))
      return { dropped, entries: [...entries.slice(0, -1), { ...last, count: last.count + 1, time }] };
    const next = [...entries, { ...message, id: nextId++, count: 1 }];
    const given = next.splice(0, Math.max(0, next.length - MOST_LINES));
    return { entries: next, dropped: given.reduce((sum, { count }) => sum + count, dropped) };
  }

  function hear(source: string, message: ConsoleMessage): void {
    const log = logs.value.get(source);
    logs.value.set(source, appended(log ?? NOTHING_SAID, message));
    const oldest = [...logs.value.keys()].find((key) => key !== BUILDER && key !== source);
    if (logs.value.size > MOST_SOURCES && oldest !== undefined) logs.value.delete(oldest);
    if (message.level === 'warn' || message.level === 'error') unseen.value++;
    triggerRef(logs);
  }

  /** Sources with lines among the runs that are listed: the one that is shown first, then the newest. */
  const sources = computed(() => {
    const own = new Set(runs.runs.map(({ runId }) => runId));
    const known = [...logs.value.keys()].filter((key) => key === BUILDER || own.has(key)).reverse();
    const current = runs.currentId;
    return known.sort((a, b) => Number(b === current) - Number(a === current));
  });

  /** Lines of a source; of one that has said nothing, none. */
  const logOf = (source: string): ConsoleLog => logs.value.get(source) ?? NOTHING_SAID;

  function clear(source: string): void {
    logs.value.delete(source);
    triggerRef(logs);
  }

  function look(): void {
    unseen.value = 0;
  }

  watch(
    () => report.report,
    ({ console: said }) => {
      // Each report has all that its builder said: older lines belong to an older model.
      if (logs.value.delete(BUILDER) || said !== undefined) triggerRef(logs);
      for (const message of said ?? []) hear(BUILDER, message);
    },
    { immediate: true },
  );
  useHost().dispatcher.onEvent((event) => {
    if (event.event === 'run.console') hear(event.data.runId, event.data);
  });

  return { logs, sources, unseen, logOf, clear, look };
});
