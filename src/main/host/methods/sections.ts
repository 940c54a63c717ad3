/** Methods about the Poincaré sections of runs, also of those that are still computing. */
import { MoreauError } from '@contract/errors';
import type { SectionResult } from '@contract/runs';
import { initialStateFrom } from '@engine/run/initial-state';
import type { HostContext, MethodHandlers } from '../context';
import type { HostRun } from '../host-run';
import { documentFrom } from '../run-document';
import { stateNotRecorded } from '../run-errors';
import { sectionKey } from '../section-files';
import { columnOf } from './reading';

interface SectionName {
  runId: string;
  section: string;
}

/** What readers know the section by. @throws {MoreauError} `unknown-section` */
function keyOf(run: HostRun, section: string): string {
  const sections = run.prepared?.sections ?? [];
  const index = sections.findIndex(({ id }) => id === section);
  if (index >= 0) return sectionKey(run.runId, index);
  throw new MoreauError({
    code: 'unknown-section',
    message: `${run.name} has no section named ${section}.`,
    where: section,
    remedy:
      sections.length === 0
        ? 'Add a section to the simulation settings of the model, and run it again.'
        : `Its sections are ${sections.map(({ id }) => id).join(', ')}.`,
  });
}

const pointsOf = (run: HostRun, section: string): number =>
  run.info().sections.find(({ id }) => id === section)?.points ?? 0;

/** A run and one of its sections, with something to be read; null where there is nothing yet. */
async function readable(
  { runs }: HostContext,
  { runId, section }: SectionName,
): Promise<{ run: HostRun; key: string } | null> {
  const run = runs.get(runId);
  await run.started();
  const key = keyOf(run, section);
  return pointsOf(run, section) > 0 && (await runs.readable(runId)) ? { run, key } : null;
}

/** All signals of a point by name. */
function named(run: HostRun, values: Float64Array): Record<string, number> {
  return Object.fromEntries((run.prepared?.signals ?? []).map(({ name }, k) => [name, values[k]]));
}

const NO_POINTS: SectionResult = {
  kind: 'points',
  rows: 0,
  bounds: null,
  inView: 0,
  x: new Float64Array(0),
  y: new Float64Array(0),
};

export const sectionMethods: MethodHandlers<
  'run.section' | 'run.sectionPoint' | 'run.sectionRows' | 'run.sectionDocument' | 'run.sectionDistance'
> = {
  'run.section': async (context, { x, y, view = null, maxPoints, width, height, from, to, ...name }) => {
    const found = await readable(context, name);
    if (found === null) return NO_POINTS;
    const { run, key: runId } = found;
    const columns = { x: columnOf(run, x), y: columnOf(run, y) };
    const isPart = from !== undefined || to !== undefined;
    const span = isPart ? { from: from ?? -Infinity, to: to ?? Infinity } : undefined;
    return context.reader.ask('scatter', { runId, ...columns, view, maxPoints, width, height, span });
  },
  'run.sectionPoint': async (context, { x, y, at, scale, ...name }) => {
    const found = await readable(context, name);
    if (found === null) return { point: null };
    const { run, key: runId } = found;
    const columns = { x: columnOf(run, x), y: columnOf(run, y) };
    const nearest = await context.reader.ask('nearest', { runId, ...columns, at, scale });
    return { point: nearest === null ? null : { index: nearest.row, values: named(run, nearest.values) } };
  },
  'run.sectionRows': async (context, { signals, firstRow, count, every = 1, ...name }) => {
    const found = await readable(context, name);
    if (found === null) return { firstRow, columns: signals.map(() => new Float64Array(0)) };
    const { run, key: runId } = found;
    const columns = signals.map((signal) => columnOf(run, signal));
    return context.reader.ask('rows', { runId, columns, firstRow, count, every });
  },
  'run.sectionDocument': async (context, { index, set = {}, ...name }) => {
    const found = await readable(context, name);
    const points = found === null ? 0 : pointsOf(found.run, name.section);
    if (found === null || index >= points) {
      throw new MoreauError({
        code: 'no-point',
        message: `The section ${name.section} has ${points} points; there is no number ${index + 1}.`,
        where: name.section,
        remedy: 'Choose an existing point.',
      });
    }
    const { run, key: runId } = found;
    await run.loaded();
    const names = (run.prepared?.signals ?? []).map((signal) => signal.name);
    const columns = names.map((_, k) => k);
    const row = await context.reader.ask('rows', { runId, columns, firstRow: index, count: 1 });
    const values = new Map(names.map((signal, k) => [signal, row.columns[k][0]]));
    for (const [signal, value] of Object.entries(set)) {
      columnOf(run, signal);
      values.set(signal, value);
    }
    const time = row.columns[0][0];
    const state = initialStateFrom(run.prepared?.states ?? [], time, (signal) => values.get(signal));
    if ('unrecorded' in state)
      throw stateNotRecorded('The state at a point of this section', state.unrecorded);
    return { document: documentFrom(run, state), missing: state.missing };
  },
  'run.sectionDistance': async (context, { first, second, x, y }) => {
    const ends = await Promise.all(
      [first, second].map(async (name) => {
        const found = await readable(context, name);
        if (found !== null) return found;
        throw new MoreauError({
          code: 'no-points',
          message: `The section ${name.section} has no points yet.`,
          where: name.section,
          remedy: 'Run longer, or skip fewer points at the start.',
        });
      }),
    );
    const [a, b] = ends.map(({ run, key }) => ({ runId: key, x: columnOf(run, x), y: columnOf(run, y) }));
    const { distance, scale, fromA, fromB } = await context.reader.ask('distance', { first: a, second: b });
    return { distance, scale, fromFirst: fromA.distance, fromSecond: fromB.distance };
  },
};
