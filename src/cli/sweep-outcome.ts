/** What `moreau sweep` tells in the end. */
import type { ColumnInfo, PointResult, SweepColumns } from '@engine/analysis/sweep/compute-point';
import { type SweepJob, countPoints, sweepDirections } from '@engine/analysis/sweep/job';
import { plural } from '@engine/plural';
import { printJson } from './computing';
import { type CommandArguments, type CliContext, EXIT } from './command';

/** Failures of points that are printed one by one. */
export const TOLD = 5;

/** @param of points that were asked for @param place of the journal */
export function cancelled(
  results: ReadonlyMap<number, PointResult>,
  of: number,
  place: string,
  args: CommandArguments,
  context: CliContext,
): number {
  context.note(`moreau: cancelled after ${results.size} of ${of} points; --resume continues from ${place}\n`);
  if (args.has('json')) printJson(context, { status: 'cancelled', points: of, computed: results.size });
  return EXIT.cancelled;
}

export interface CliSweepOutcome {
  readonly job: SweepJob;
  readonly columns: SweepColumns;
  readonly results: ReadonlyMap<number, PointResult>;
  readonly seconds: number;
  /** who has computed */
  readonly by: { readonly workers: number } | { readonly queue: string } | { readonly shares: number };
  readonly out: string;
}

function byWhom(by: CliSweepOutcome['by']): string {
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

/** Columns that every table of a sweep has. */
const VERDICTS = ['solved', 'complete'] as const;

/** A point that came to its end, and of which a verdict fails: what is not known is no failure. */
const isUncertified = ({ status, verdict }: PointResult): boolean =>
  status === 'done' &&
  verdict !== undefined &&
  (!verdict.solved || verdict.complete === false || verdict.accurate === false);

/** How many of which verdict, and where the first is. */
function uncertifiedText(job: SweepJob, found: readonly (readonly [number, PointResult])[]): string {
  const [first] = found.reduce((a, b) => (b[0] < a[0] ? b : a));
  const count = (fails: (verdict: NonNullable<PointResult['verdict']>) => boolean): number =>
    found.filter(([, { verdict }]) => verdict !== undefined && fails(verdict)).length;
  const parts = [
    [count(({ solved }) => !solved), 'not solved'],
    [count(({ complete }) => complete === false), 'missed an event'],
    [count(({ accurate }) => accurate === false), 'not accurate'],
  ] as const;
  const words = parts.flatMap(([number, what]) => (number === 0 ? [] : [`${number} ${what}`]));
  return `NOT CERTIFIED: ${plural(found.length, 'point')} (${words.join(', ')}), the first of them ${pointName(job, first).toLowerCase()}: see the columns of the verdicts (exit code 5)`;
}

/**
 * Runs that were over before they came to the section as often as was asked.
 * @param taken points of the first
 */
function shortText(job: SweepJob, short: readonly (readonly [number, PointResult])[], taken: number): string {
  const { count = 0, transient = 0 } = job.section ?? {};
  const which = `${pointName(job, short[0][0]).toLowerCase()}, with ${taken}`;
  const after = transient > 0 ? ` after the first ${transient}` : '';
  const remedy =
    taken === 0
      ? 'it is not met before they end: give a later end with --t-end, or see whether the motion comes to it at all'
      : 'their runs end before: give a later end with --t-end, or fewer --points and --transient';
  return `${plural(short.length, 'point')} of the sweep ${short.length === 1 ? 'has' : 'have'} fewer than ${count} section points${after}, the first of them ${which}; ${remedy}.`;
}

export function concludeSweep(
  { job, columns, results, seconds, by, out }: CliSweepOutcome,
  args: CommandArguments,
  context: CliContext,
): number {
  const failed = [...results].filter(([, { status }]) => status === 'failed').sort(([a], [b]) => a - b);
  const warnings = failed.map(
    ([index, { error }]) => `${pointName(job, index)}: ${error?.message ?? 'failed'}`,
  );
  for (const warning of warnings.slice(0, TOLD)) context.note(`${warning}\n`);
  if (warnings.length > TOLD) context.note(`… and ${warnings.length - TOLD} more points failed\n`);
  const uncertified = [...results].filter(([, result]) => isUncertified(result));
  if (uncertified.length > 0) context.note(`${uncertifiedText(job, uncertified)}\n`);
  const width = columns.section.length;
  const taken = ({ section }: PointResult): number => (width === 0 ? 0 : section.length / width);
  const sectionPoints = [...results.values()].reduce((sum, result) => sum + taken(result), 0);
  const short = [...results]
    .filter(([, result]) => result.status === 'done' && taken(result) < (job.section?.count ?? 0))
    .sort(([a], [b]) => a - b);
  if (short.length > 0) {
    warnings.push(shortText(job, short, taken(short[0][1])));
    context.note(`${warnings[warnings.length - 1]}\n`);
  }
  const summary = {
    status: failed.length === results.size ? 'failed' : 'done',
    points: results.size,
    failed: failed.length,
    uncertified: uncertified.length,
    sectionPoints,
    ...(job.section === undefined ? {} : { short: short.length }),
    ...by,
    wallSeconds: seconds,
    columns: [
      ...directionColumn(job),
      ...columns.axes,
      ...columns.measures,
      ...columns.section,
      ...VERDICTS.map((name) => ({ name, unit: '' })),
      ...(job.accuracy === true ? [{ name: 'accurate', unit: '' }] : []),
    ],
    warnings,
    out,
  };
  if (args.has('json')) printJson(context, summary);
  else {
    const ofSection = width === 0 ? '' : `, ${plural(sectionPoints, 'section point')}`;
    context.out(
      `${plural(results.size, 'point')}${ofSection} in ${seconds.toPrecision(3)} s ${byWhom(by)}; ${failed.length} failed, ${uncertified.length} not certified; written to ${out}\n`,
    );
  }
  if (failed.length === results.size) return EXIT.failed;
  return failed.length + uncertified.length === 0 ? EXIT.done : EXIT.notCertified;
}
