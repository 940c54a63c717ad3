/**
 * States of contacts and other laws of a run over time, and the energy that they take: from what has been
 * recorded.
 */
import { MAX_CONSTRAINTS, type MethodParams } from '@contract/methods';
import {
  type RecordedConstraint,
  placeConstraint,
  type RunConstraints,
} from '@engine/recording/constraints/constraint';
import { type Loss, PARTS } from '@engine/recording/constraints/tally';
import type { HostContext, MethodHandlers } from '../context';
import type { ConstraintQuery } from '../reader';
import { columnsByName } from './reading';

/** Runs that were kept by older versions do not know theirs. */
const NONE: RunConstraints = { holds: 'before', all: [] };

const size = ({ normal, tangential }: Loss): number => normal + tangential;

/** A question for energies alone. */
const nothingOf = ({ runId, from, to, buckets }: MethodParams<'run.losses'>): ConstraintQuery => ({
  runId,
  constraints: [],
  holds: 'before',
  from,
  to,
  buckets,
});

interface Asked {
  readonly known: string[];
  readonly missing: string[];
  readonly constraints: RecordedConstraint<number>[];
  /** null while nothing can be read */
  readonly query: ConstraintQuery | null;
}

/** Those that are asked for by name, or that belong to an interaction that is; a joint has none. */
function chosen(
  all: readonly RecordedConstraint[],
  names: readonly string[] | undefined,
): RecordedConstraint[] {
  const found =
    names === undefined
      ? all
      : names.flatMap((name) => all.filter((one) => one.name === name || one.element === name));
  return found.slice(0, MAX_CONSTRAINTS);
}

async function ask(
  { runs }: HostContext,
  { runId, constraints: names, from, to, buckets }: MethodParams<'run.lanes'>,
  isWanted: (constraint: RecordedConstraint) => boolean,
): Promise<Asked> {
  const run = runs.get(runId);
  const { holds, all } = run.prepared?.constraints ?? NONE;
  const wanted = all.filter(isWanted);
  const columns = columnsByName(run.prepared?.signals ?? []);
  const missing: string[] = [];
  const constraints = chosen(wanted, names).flatMap((one) => {
    const placed = placeConstraint(one, (name) => columns.get(name));
    const isWhole = placed !== null && placed.work.length === one.work.length;
    if (!isWhole) missing.push(one.name);
    return placed === null ? [] : [placed];
  });
  const isReadable = constraints.length > 0 && (await runs.readable(runId));
  const query = isReadable ? { runId, constraints, holds, from, to, buckets } : null;
  return { known: wanted.map(({ name }) => name), missing, constraints, query };
}

export const constraintMethods: MethodHandlers<'run.lanes' | 'run.losses'> = {
  'run.lanes': async (context, params) => {
    const { runId } = params;
    const { query, constraints, ...rest } = await ask(context, params, () => true);
    const nothing = { rows: 0, recordedFrom: 0, recordedTo: 0, lanes: [] };
    const { lanes, ...extent } = query === null ? nothing : await context.reader.ask('lanes', query);
    context.runs.checkLosses(runId);
    const told = lanes.map((lane, k) => {
      const { name, element, states } = constraints[k];
      return { ...lane, name, element, stateNames: states };
    });
    return { runId, ...extent, ...rest, lanes: told };
  },
  'run.losses': async (context, params) => {
    const { runId } = params;
    const { query, constraints, ...rest } = await ask(context, params, ({ work }) => work.length > 0);
    const run = context.runs.get(runId);
    const signals = run.prepared?.signals ?? [];
    const columns = signals.flatMap(({ kind }, column) => (kind === 'energy' ? [column] : []));
    const empty = new Float64Array(0);
    const { lost, largest, values, start, curves, ...extent } =
      query === null && (columns.length === 0 || !(await context.runs.readable(runId)))
        ? {
            rows: 0,
            recordedFrom: 0,
            recordedTo: 0,
            t: empty,
            lost: [],
            largest: [],
            values: [],
            start: empty,
            curves: [],
            total: null,
            rowsPerBucket: 1,
          }
        : await context.reader.ask('losses', { ...(query ?? nothingOf(params)), columns });
    context.runs.checkLosses(runId);
    const told = lost.map((one, k) => {
      const { name, element, work } = constraints[k];
      const parts = PARTS.filter((part) => work.some((term) => term.part === part));
      return { ...one, name, element, parts, largest: [...largest[k]].sort((a, b) => size(b) - size(a)) };
    });
    const energies = values.map((one, k) => ({
      name: signals[columns[k]].name,
      values: one,
      start: start[k],
      curve: curves[k],
    }));
    const { every, document } = run.specification;
    const between = every ?? document.simulation.recording?.every ?? 1;
    return { runId, ...extent, ...rest, lost: told, energies, every: between };
  },
};
