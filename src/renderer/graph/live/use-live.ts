/**
 * Keeps the state of the nodes that are looked at: that of the newest row while a run goes on, else that at
 * the plot cursor or the end.
 */
import { computed, onBeforeUnmount, shallowRef, watch } from 'vue';
import { LatestWins } from '../../dashboard/plot/latest-wins';
import { describeError, useNoticesStore } from '../../stores/notices';
import { usePlotCursorStore } from '../../stores/plot-cursor';
import { isActive, useRunsStore } from '../../stores/runs';
import { useHost } from '../../transport/host';
import { useContactsAtCursor } from '../../topology/use-contacts-at-cursor';
import { atMoment, spaceStates } from './live-space';
import { useGraphStore } from '../graph-store';
import { type LiveSignals, liveSignals, type LiveState, liveState, namesOf } from './live';

/** Signals at a moment of a run. */
export interface Moment {
  readonly runId: string;
  readonly names: readonly string[];
  /** newest row; null where a time is asked for */
  readonly row: number | null;
  /** s */
  readonly time: number;
  /** mean distance of rows, s */
  readonly spacing: number;
}

interface Question extends Moment {
  readonly elements: readonly LiveSignals[];
}

/** Signals that one read by time may name. */
const MOST_READ = 64;
const ROWS_BEFORE = 6;

export async function valuesOf({ runId, names, row, time, spacing }: Moment): Promise<Map<string, number>> {
  const { dispatcher } = useHost();
  const values = new Map<string, number>();
  if (row !== null) {
    const { columns } = await dispatcher.dispatch('run.rows', {
      runId,
      signals: [...names],
      firstRow: row,
      count: 1,
    });
    names.forEach((name, i) => {
      const value = columns[i]?.[0];
      if (value !== undefined) values.set(name, value);
    });
    return values;
  }
  for (let i = 0; i < names.length; i += MOST_READ) {
    const { signals } = await dispatcher.dispatch('run.read', {
      runId,
      signals: names.slice(i, i + MOST_READ),
      from: time - ROWS_BEFORE * spacing,
      to: time,
      buckets: 2 * MOST_READ,
    });
    for (const { name, y } of signals) {
      const value = y.at(-1);
      if (value !== undefined) values.set(name, value);
    }
  }
  return values;
}

/**
 * @param shown ids of the nodes that are looked at
 * @param hasSpaceContact whether contacts between 3D bodies are among them
 */
export function useLive(shown: () => ReadonlySet<string>, hasSpaceContact: () => boolean) {
  const graph = useGraphStore();
  const runs = useRunsStore();
  const cursor = usePlotCursorStore();
  const states = shallowRef<{ runId: string; of: ReadonlyMap<string, LiveState> } | null>(null);

  const elements = computed(() => {
    const run = runs.current;
    return run === null || !graph.showsLive ? [] : [...liveSignals(run.signals, shown()).values()];
  });
  const question = computed<Question | null>(() => {
    const run = runs.current;
    if (run === null || elements.value.length === 0 || run.statistics.rows === 0) return null;
    const { rows, simulatedTime } = run.statistics;
    const mark = isActive(run) ? null : cursor.mark;
    return {
      runId: run.runId,
      elements: elements.value,
      names: namesOf(elements.value),
      row: mark === null ? rows - 1 : null,
      time: mark?.t ?? simulatedTime,
      spacing: rows > 1 ? (simulatedTime - run.t0) / (rows - 1) : run.h,
    };
  });

  const reader = new LatestWins<Question, Map<string, number>>(
    valuesOf,
    (values, { runId, elements: asked }) => {
      const of = new Map<string, LiveState>();
      for (const signals of asked) {
        const state = liveState(signals, values);
        if (state !== null) of.set(signals.element, state);
      }
      states.value = { runId, of };
    },
    (error) => {
      states.value = null;
      // A run deleted while it was being asked is no news.
      if (describeError(error).code !== 'unknown-run') useNoticesStore().failure(error);
    },
  );
  // The host tells of a run at most ten times a second, and so often is this asked.
  watch(
    question,
    (next) => {
      if (next !== null && next.names.length > 0) void reader.ask(next);
      else states.value = null;
    },
    { immediate: true },
  );
  onBeforeUnmount(() => reader.close());

  // Contacts in space are not recorded one by one: they are computed once more for the moment that is looked
  // at.
  const inSpace = useContactsAtCursor(() => {
    const run = runs.current;
    return run !== null && !isActive(run) && graph.showsLive && hasSpaceContact();
  });
  const spatial = computed(() => {
    const contacts = inSpace.value?.contacts ?? null;
    return contacts === null ? null : spaceStates(contacts);
  });

  /** State of a node; undefined where none is known */
  return (id: string): LiveState | undefined => {
    if (!graph.showsLive) return undefined;
    const recorded = states.value?.runId === runs.currentId ? states.value?.of.get(id) : undefined;
    return atMoment(recorded, spatial.value?.get(id));
  };
}
