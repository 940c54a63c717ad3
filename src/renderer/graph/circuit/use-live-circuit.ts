/**
 * Keeps voltages and currents of the circuit at the moment that is looked at: the newest while a run goes on,
 * else that at the plot cursor or the end.
 */
import { computed, onBeforeUnmount, shallowRef, watch } from 'vue';
import { LatestWins } from '../../dashboard/plot/latest-wins';
import { useDrawingStore } from '../../stores/drawing';
import { usePlotCursorStore } from '../../stores/plot-cursor';
import { isActive, useRunsStore } from '../../stores/runs';
import { useHost } from '../../transport/host';
import { useGraphStore } from '../graph-store';
import { type Moment, valuesOf } from '../live/use-live';
import { useCircuitStore } from './circuit-store';
import { type ComponentLive, componentLive } from './live-circuit';

/** More signals at once would keep the host from the run. */
const MOST_SIGNALS = 400;

/** Signals that one read may name. */
const MOST_READ = 64;

/** The largest value of each signal over a run, without its sign. */
async function extremesOf({
  runId,
  names,
  from,
  time,
}: Moment & { readonly from: number }): Promise<Map<string, number>> {
  const { dispatcher } = useHost();
  const found = new Map<string, number>();
  for (let i = 0; i < names.length; i += MOST_READ) {
    const { signals } = await dispatcher.dispatch('run.read', {
      runId,
      signals: names.slice(i, i + MOST_READ),
      from,
      to: time,
      buckets: 2 * MOST_READ,
    });
    for (const { name, y } of signals)
      found.set(
        name,
        y.reduce((most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most), 0),
      );
  }
  return found;
}

/** @param shown ids of the components that are looked at */
export function useLiveCircuit(shown: () => ReadonlySet<string>) {
  const circuit = useCircuitStore();
  const graph = useGraphStore();
  const runs = useRunsStore();
  const cursor = usePlotCursorStore();
  const drawing = useDrawingStore();
  const values = shallowRef<{ runId: string; of: ReadonlyMap<string, number> } | null>(null);

  const names = computed(() => {
    const run = runs.current;
    if (run === null || !graph.showsLive || !circuit.hasComponents) return [];
    const { path } = drawing;
    // Of what was not entered by an instance there is no run.
    if (path === null) return [];
    const ids = shown();
    const known = new Set(run.signals.map(({ name }) => name));
    const wanted = [
      ...[...circuit.wires, ...circuit.builtWires].map(({ id }) => `${path}${id}.v`),
      ...[...circuit.components.values(), ...circuit.built.values()].flatMap(
        ({ component: { id }, definition }) =>
          ids.has(id) ? (definition?.quantities ?? []).map(({ name }) => `${path}${id}.${name}`) : [],
      ),
    ];
    return wanted.filter((name) => known.has(name)).slice(0, MOST_SIGNALS);
  });
  const question = computed<Moment | null>(() => {
    const run = runs.current;
    if (run === null || names.value.length === 0 || run.statistics.rows === 0) return null;
    const { rows, simulatedTime } = run.statistics;
    const mark = isActive(run) ? null : cursor.mark;
    return {
      runId: run.runId,
      names: names.value,
      row: mark === null ? rows - 1 : null,
      time: mark?.t ?? simulatedTime,
      spacing: rows > 1 ? (simulatedTime - run.t0) / (rows - 1) : run.h,
    };
  });
  const reader = new LatestWins<Moment, Map<string, number>>(
    valuesOf,
    (of, { runId }) => (values.value = { runId, of }),
    // The plots, which read the same run, say what went wrong.
    () => (values.value = null),
  );
  watch(
    question,
    (next) => {
      if (next !== null) void reader.ask(next);
      else values.value = null;
    },
    { immediate: true },
  );

  const extremes = shallowRef<ReadonlyMap<string, number>>(new Map());
  /** asked again whenever a run has become twice as long, and when it has ended */
  const span = computed(() => {
    const run = runs.current;
    if (run === null || names.value.length === 0 || run.statistics.rows === 0) return null;
    const size = isActive(run) ? Math.floor(Math.log2(run.statistics.rows)) : 'all';
    return `${run.runId} ${size} ${names.value.join(' ')}`;
  });
  const measure = new LatestWins<Moment & { readonly from: number }, Map<string, number>>(
    extremesOf,
    (found) => (extremes.value = found),
    () => (extremes.value = new Map()),
  );
  watch(
    span,
    () => {
      const run = runs.current;
      if (run === null || question.value === null) return;
      void measure.ask({ ...question.value, from: run.t0, time: run.statistics.simulatedTime });
    },
    { immediate: true },
  );
  onBeforeUnmount(() => {
    reader.close();
    measure.close();
  });

  const now = computed(() =>
    graph.showsLive && values.value?.runId === runs.currentId ? values.value?.of : undefined,
  );
  /** largest voltage and current of the run: what is small beside them is none */
  const largest = computed(() => {
    const of = (end: string): number =>
      [...extremes.value].reduce(
        (most, [name, value]) => (name.endsWith(end) ? Math.max(most, value) : most),
        0,
      );
    return { voltage: of('.v'), current: of('.i') };
  });

  function ofComponent(id: string): ComponentLive | undefined {
    const { definition } = circuit.components.get(id) ?? circuit.built.get(id) ?? {};
    const read = now.value;
    if (definition === undefined || read === undefined) return undefined;
    const path = drawing.path ?? '';
    // Each mass by its own way: beside a conveyor that runs on, nothing else would be seen to move.
    const all = { ...largest.value, position: extremes.value.get(`${path}${id}.x`) ?? 0 };
    return componentLive(id, definition, (name) => read.get(path + name), all) ?? undefined;
  }

  /** Warm where the voltage is positive, cold where it is negative; undefined where it is not known. */
  function colourOf(wire: string): string | undefined {
    const voltage = now.value?.get(`${drawing.path ?? ''}${wire}.v`);
    const { voltage: most } = largest.value;
    if (voltage === undefined || most === 0) return undefined;
    const share = Math.min(100, Math.round((100 * Math.abs(voltage)) / most));
    return `color-mix(in oklab, var(${voltage > 0 ? '--live-plus' : '--live-minus'}) ${share}%, var(--wire))`;
  }

  return { ofComponent, colourOf };
}
