import { MoreauError } from '@contract/errors';
import type { SignalInfo } from '@engine/document/types';
import type { MethodHandlers } from '../context';
import type { HostRun } from '../host-run';

/** Most values one `run.rows` answers, 128 MiB: larger tables are fetched in blocks. */
const MAX_ROWS_VALUES = 16 * 2 ** 20;

/** Methods that read recordings, also of runs that are still computing. */
export const readingMethods: MethodHandlers<
  | 'run.read'
  | 'run.portrait'
  | 'run.nearest'
  | 'run.curve'
  | 'run.statistics'
  | 'run.spectrum'
  | 'run.rows'
  | 'run.scene'
> = {
  'run.read': async ({ runs, reader }, { runId, signals, from, to, buckets }) => {
    const run = runs.get(runId);
    if (!(await runs.readable(runId))) {
      const empty = signals.map((name) => ({ name, t: new Float64Array(0), y: new Float64Array(0) }));
      const { t0 } = run.info();
      return { runId, rows: 0, rowsPerBucket: 1, recordedFrom: t0, recordedTo: t0, signals: empty };
    }
    const columns = signals.map((name) => columnOf(run, name));
    const { series, ...extent } = await reader.ask('window', { runId, columns, from, to, buckets });
    runs.checkLosses(runId);
    return { runId, ...extent, signals: series.map((one, i) => ({ name: signals[i], t: one.t, y: one.y })) };
  },
  'run.portrait': async ({ runs, reader }, { runId, x, y, view, ...asked }) => {
    const run = runs.get(runId);
    if (!(await runs.readable(runId))) {
      return { kind: 'points', rows: 0, x: new Float64Array(0), y: new Float64Array(0) };
    }
    const columns = { x: columnOf(run, x), y: columnOf(run, y) };
    const { from, to, ...picture } = asked;
    const portrait = await reader.ask('portrait', { runId, ...columns, from, to, view, ...picture });
    runs.checkLosses(runId);
    return portrait;
  },
  'run.nearest': async ({ runs, reader }, { runId, x, y, at, scale }) => {
    const run = runs.get(runId);
    const [column, line] = [columnOf(run, x), columnOf(run, y)];
    if (!(await runs.readable(runId))) return { time: null, distance: Infinity };
    const nearest = await reader.ask('nearest', { runId, x: column, y: line, at, scale });
    if (nearest === null) return { time: null, distance: Infinity };
    const { values } = nearest;
    const distance = Math.hypot((values[column] - at[0]) / scale[0], (values[line] - at[1]) / scale[1]);
    return { time: values[0], distance };
  },
  'run.curve': async ({ runs, reader }, { runId, x, y, z, from, to, maxPoints }) => {
    const run = runs.get(runId);
    if (!(await runs.readable(runId))) {
      const empty = new Float64Array(0);
      return { rows: 0, cells: 0, t: empty, x: empty, y: empty, z: empty };
    }
    const columns = [columnOf(run, x), columnOf(run, y), columnOf(run, z)] as const;
    const curve = await reader.ask('curve', { runId, columns, from, to, maxPoints });
    runs.checkLosses(runId);
    return curve;
  },
  'run.statistics': async ({ runs, reader }, { runId, signals, from, to, period }) => {
    const run = runs.get(runId);
    const columns = signals.map((name) => columnOf(run, name));
    if (!(await runs.readable(runId))) return { rows: 0, begin: null, end: null, signals: [] };
    const found = await reader.ask('statistics', { runId, columns, from, to, period });
    runs.checkLosses(runId);
    return found;
  },
  'run.spectrum': async ({ runs, reader }, { runId, signal, range = null, ...query }) => {
    const run = runs.get(runId);
    if (!(await runs.readable(runId))) return { spectrum: null };
    const column = columnOf(run, signal);
    const asked = { runId, column, from: undefined, to: undefined, ...query, range };
    const spectrum = await reader.ask('spectrum', asked);
    return { spectrum };
  },
  'run.rows': async ({ runs, reader }, { runId, signals, firstRow, count, every = 1 }) => {
    const run = runs.get(runId);
    const available = Math.max(0, Math.min(count, run.rows - firstRow));
    const answered = Math.ceil(available / every);
    if (signals.length * answered > MAX_ROWS_VALUES) {
      throw new MoreauError({
        code: 'too-much-data',
        message: `${signals.length} signals times ${answered} rows exceed the size of one answer.`,
        remedy: `Ask for blocks of at most ${Math.floor(MAX_ROWS_VALUES / signals.length)} rows.`,
      });
    }
    if (available === 0 || !(await runs.readable(runId))) {
      return { firstRow, columns: signals.map(() => new Float64Array(0)) };
    }
    const columns = signals.map((name) => columnOf(run, name));
    return reader.ask('rows', { runId, columns, firstRow, count: available, every });
  },
  'run.scene': async ({ runs }, { runId }) => {
    const run = runs.get(runId);
    await run.started();
    return { scene: run.prepared?.scene ?? null };
  },
};

/** Places of the signals of each run by name: an animation asks for tens of thousands at once. */
const columnsOf = new WeakMap<readonly SignalInfo[], ReadonlyMap<string, number>>();

export function columnsByName(signals: readonly SignalInfo[]): ReadonlyMap<string, number> {
  const known = columnsOf.get(signals);
  if (known !== undefined) return known;
  const columns = new Map(signals.map(({ name }, column) => [name, column]));
  columnsOf.set(signals, columns);
  return columns;
}

const NO_SIGNALS: readonly SignalInfo[] = [];

/** Column of a signal in the recording. */
export function columnOf(run: HostRun, name: string): number {
  const column = columnsByName(run.prepared?.signals ?? NO_SIGNALS).get(name);
  if (column !== undefined) return column;
  throw new MoreauError({
    code: 'unknown-signal',
    message: `${run.name} has no recorded signal named ${name}.`,
    where: name,
    remedy: 'Choose one of the recorded signals, or record it by adding it to simulation.recording.signals.',
  });
}
