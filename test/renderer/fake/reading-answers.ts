/** What the fake host reads of its runs: the curves it has computed, and plausible figures besides. */
import type { MethodName, MethodParams, MethodResult } from '@contract/methods';
import type { ModelDocument } from '@engine/document/types';
import type { Scene } from '@engine/scene/scene';
import type { MomentContacts } from '@engine/inspection/contacts-at';
import { constraintAnswers } from './constraint-answers';
import { fakeComparison, fakeEvents } from './event-driven';
import { read, type Run, SIGNALS } from './recording';

type Asked =
  | keyof typeof constraintAnswers
  | 'run.read'
  | 'run.section'
  | 'run.spectrum'
  | 'run.nearest'
  | 'run.statistics'
  | 'run.curve'
  | 'run.sectionPoint'
  | 'run.sectionRows'
  | 'run.sectionDocument'
  | 'run.sectionDistance'
  | 'run.portrait'
  | 'run.events'
  | 'run.compare'
  | 'run.contacts'
  | 'run.scene'
  | 'run.rows';
type Answers = { [M in Asked & MethodName]: (params: MethodParams<M>) => MethodResult<M> };

/** What densities of portraits cover that are not zoomed into. */
const WHOLE = { xMin: 0, xMax: 1, yMin: 0, yMax: 1 };

/** Points of each section of a run. */
export const SECTION_POINTS = 200;

/** @param runOf @throws {MoreauError} `unknown-run` */
export function readingAnswers(
  runOf: (runId: string) => Run,
  documentOf: (runId: string) => ModelDocument,
  options: { scene?: Scene; contacts?: MomentContacts },
): Answers {
  return {
    ...constraintAnswers,
    'run.read': ({ runId, signals, from, to, buckets }) =>
      read(runOf(runId), signals, from ?? -Infinity, to ?? Infinity, buckets),
    'run.section': ({ runId, x, y }) => {
      const run = runOf(runId);
      const column = (name: string): Float64Array =>
        run.columns[SIGNALS.findIndex((signal) => signal.name === name)].slice(0, SECTION_POINTS);
      const [xs, ys] = [column(x), column(y)];
      const bounds = {
        xMin: Math.min(...xs),
        xMax: Math.max(...xs),
        yMin: Math.min(...ys),
        yMax: Math.max(...ys),
      };
      return { kind: 'points', rows: xs.length, inView: xs.length, bounds, x: xs, y: ys };
    },
    'run.spectrum': () => ({ spectrum: null }),
    'run.nearest': () => ({ time: 0.02, distance: 3 }),
    'run.statistics': ({ signals, from = 0, to = 1 }) => ({
      rows: 10,
      begin: from,
      end: to,
      signals: signals.map((_, k) => ({
        least: -k - 1,
        leastAt: from,
        greatest: k + 1,
        greatestAt: to,
        mean: 0.25,
        rms: 0.5,
        first: 1,
        last: 4,
      })),
    }),
    'run.curve': ({ runId, x, y, z }) => {
      const run = runOf(runId);
      const [t, ...axes] = ['t', x, y, z].map((name) =>
        run.columns[SIGNALS.findIndex((signal) => signal.name === name)].slice(0, 100),
      );
      return { rows: 100, cells: 0, t, x: axes[0], y: axes[1], z: axes[2] };
    },
    'run.sectionPoint': () => ({
      point: { index: 3, values: Object.fromEntries(SIGNALS.map(({ name }, k) => [name, k])) },
    }),
    'run.sectionRows': ({ signals, firstRow }) => ({
      firstRow,
      columns: signals.map(() => new Float64Array(0)),
    }),
    'run.sectionDocument': ({ runId }) => ({
      document: documentOf(runId),
      missing: [],
    }),
    'run.sectionDistance': () => ({ distance: 0.25, scale: [1, 1], fromFirst: 0.25, fromSecond: 0.125 }),
    'run.portrait': ({ runId, x, y, view, maxPoints, width, height }) => {
      const run = runOf(runId);
      const { rows } = run.info.statistics;
      const column = (name: string): Float64Array =>
        run.columns[SIGNALS.findIndex((signal) => signal.name === name)].slice(0, rows);
      if (rows <= maxPoints) return { kind: 'points', rows, x: column(x), y: column(y) };
      return {
        kind: 'density',
        rows,
        width,
        height,
        ...(view ?? WHOLE),
        bounds: WHOLE,
        counts: new Uint32Array(width * height),
      };
    },
    'run.events': ({ runId, firstEvent, count }) => {
      const { h, statistics } = runOf(runId).info;
      const events = fakeEvents(statistics.events, h).slice(firstEvent, firstEvent + count);
      return { total: statistics.events, kept: statistics.events, firstEvent, events };
    },
    'run.compare': ({ reference, others, to }) =>
      fakeComparison(
        runOf(reference).info,
        others.map((runId) => runOf(runId).info),
        to,
      ),
    'run.contacts': ({ time }) => ({
      contacts: options.contacts === undefined ? null : { ...options.contacts, time },
    }),
    'run.scene': () => ({ scene: options.scene ?? null }),
    'run.rows': ({ runId, signals, firstRow, count, every = 1 }) => {
      const run = runOf(runId);
      const end = Math.min(run.info.statistics.rows, firstRow + count);
      const rows = Array.from(
        { length: Math.max(0, Math.ceil((end - firstRow) / every)) },
        (_, i) => firstRow + i * every,
      );
      const columns = signals.map((name) => {
        const column = run.columns[SIGNALS.findIndex((signal) => signal.name === name)];
        return Float64Array.from(rows, (row) => column?.[row] ?? NaN);
      });
      return { firstRow, columns };
    },
  };
}
