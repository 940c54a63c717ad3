/** What `moreau sweep` tells in the end. */
import type { ColumnInfo, PointResult, SweepColumns } from '@engine/analysis/sweep/compute-point';
import type { SweepJob } from '@engine/analysis/sweep/job';
import { countPoints, sweepDirections } from '@engine/analysis/sweep/points';
import { plural } from '@engine/plural';
import { type CommandArguments, type CommandContext, EXIT } from './command';

/** Failures of points that are told one by one. */
const TOLD = 5;

export const printJson = (context: CommandContext, value: unknown): void =>
  context.out(`${JSON.stringify(value, null, 2)}\n`);

/** @param of points that were asked for @param place of the journal */
export function cancelled(
  results: ReadonlyMap<number, PointResult>,
  of: number,
  place: string,
  args: CommandArguments,
  context: CommandContext,
): number {
  context.note(`moreau: cancelled after ${results.size} of ${of} points; --resume goes on with ${place}\n`);
  if (args.has('json')) printJson(context, { status: 'cancelled', points: of, computed: results.size });
  return EXIT.cancelled;
}

export interface Outcome {
  readonly job: SweepJob;
  readonly columns: SweepColumns;
  readonly results: ReadonlyMap<number, PointResult>;
  readonly seconds: number;
  /** who has computed */
  readonly by: { readonly workers: number } | { readonly queue: string } | { readonly shares: number };
  readonly out: string;
}

function byWhom(by: Outcome['by']): string {
  if ('queue' in by) return `with the workers of ${by.queue}`;
  return 'shares' in by ? `from ${plural(by.shares, 'share')}` : `with ${plural(by.workers, 'worker')}`;
}

/** A result as messages name it: the number of its point from 1, and its direction where there are two. */
function pointName(job: SweepJob, index: number): string {
  const directions = sweepDirections(job);
  const count = countPoints(job.plan);
  const direction = directions.length > 1 ? ` (${directions[Math.floor(index / count)]})` : '';
  return `Point ${(index % count) + 1}${direction}`;
}

/** Tables of two directions tell them in a column of their own. */
const directionColumn = (job: SweepJob): ColumnInfo[] =>
  sweepDirections(job).length > 1 ? [{ name: 'direction', unit: '' }] : [];

export function conclude(
  { job, columns, results, seconds, by, out }: Outcome,
  args: CommandArguments,
  context: CommandContext,
): number {
  const failed = [...results].filter(([, { status }]) => status === 'failed').sort(([a], [b]) => a - b);
  const warnings = failed.map(
    ([index, { error }]) => `${pointName(job, index)}: ${error?.message ?? 'failed'}`,
  );
  for (const warning of warnings.slice(0, TOLD)) context.note(`${warning}\n`);
  if (warnings.length > TOLD) context.note(`… and ${warnings.length - TOLD} more points failed\n`);
  const width = columns.section.length;
  const sectionPoints =
    width === 0 ? 0 : [...results.values()].reduce((sum, { section }) => sum + section.length / width, 0);
  const summary = {
    status: failed.length === results.size ? 'failed' : 'done',
    points: results.size,
    failed: failed.length,
    sectionPoints,
    ...by,
    wallSeconds: seconds,
    columns: [...directionColumn(job), ...columns.axes, ...columns.measures, ...columns.section],
    warnings,
    out,
  };
  if (args.has('json')) printJson(context, summary);
  else {
    const ofSection = width === 0 ? '' : `, ${plural(sectionPoints, 'section point')}`;
    context.out(
      `${plural(results.size, 'point')}${ofSection} in ${seconds.toPrecision(3)} s ${byWhom(by)}; ${failed.length} failed; written to ${out}\n`,
    );
  }
  return failed.length === results.size ? EXIT.failed : EXIT.done;
}
