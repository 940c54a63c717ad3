import type { PointResult, SweepColumns } from '@engine/analysis/sweep/compute-point';
import type { SweepJob } from '@engine/analysis/sweep/job';
import { countPoints } from '@engine/analysis/sweep/points';
import { MEASURES } from '@engine/analysis/sweep/measures';
import { plural } from '@engine/plural';
import { AtomicFile } from '@main/files/atomic';
import { EngineHost } from '@main/host/host';
import type { QueueAddress } from '@main/sweep/queue/address';
import { SweepJournal } from '@main/sweep/journal';
import { computeSweep } from '@main/sweep/sweep';
import { tableFormat, writeSweep } from '@main/sweep/table';
import type { SweepExecutor } from '@main/sweep/executor';
import { examineSweep, WorkerPool } from '@main/sweep/worker-pool';
import { type Command, type CommandArguments, type CommandContext, EXIT, UsageError } from '../command';
import { exitOf } from '../exit-code';
import { Interruption } from '../interruption';
import { MODEL, openModel } from '../model';
import { ProgressDisplay } from '../progress';
import { QUEUE, queueAddress } from '../queue-options';
import { detailsOf, failureText } from '../report';
import { sweepJob, workerCount } from '../sweep-options';

/** Failures of points that are told one by one. */
const TOLD = 5;

/** `moreau sweep`: one model at many values of its parameters. */
export const sweepCommand: Command = {
  name: 'sweep',
  summary: 'compute a model at many values of its parameters: sections, measures',
  positionals: [MODEL],
  flags: {
    param: {
      type: 'string',
      multiple: true,
      value: 'NAME=FROM:TO:COUNT',
      help: 'values of a parameter, or NAME=A,B,…',
    },
    set: { type: 'string', multiple: true, value: 'NAME=VALUE', help: 'replace another parameter' },
    scheme: { type: 'string', value: 'SCHEME', help: 'time-stepping or event-driven' },
    h: { type: 'string', value: 'H', help: 'time step, s' },
    't-end': { type: 'string', value: 'T', help: 'end time of each run, s' },
    section: { type: 'string', value: 'KIND', help: 'stroboscopic, impact or surface' },
    period: {
      type: 'string',
      value: 'P',
      help: 'of a stroboscopic section, s, or an expression such as 60/rpm',
    },
    phase: { type: 'string', value: 'PART', help: 'part of the period at which points are taken, 0 to 1' },
    contact: { type: 'string', value: 'ID', help: 'whose impacts are taken' },
    state: { type: 'string', value: 'before|after', help: 'the impact' },
    surface: { type: 'string', value: 'G', help: 'expression of signals whose zeros are taken' },
    direction: { type: 'string', value: 'rising|falling|both', help: 'in which the surface is met' },
    points: { type: 'string', value: 'N', help: 'points of the section that are kept; 200 when left out' },
    transient: { type: 'string', value: 'N', help: 'points that are left out before; 200 when left out' },
    signals: { type: 'string', value: 'A,B,…', help: 'what is kept of a point; all states when left out' },
    measure: {
      type: 'string',
      multiple: true,
      value: '"KIND SIGNAL"',
      help: Object.keys(MEASURES).join(', '),
    },
    skip: {
      type: 'string',
      value: 'PART',
      help: 'part of each run before measures begin, where there is no section',
    },
    start: {
      type: 'string',
      value: 'initial|up|down',
      help: 'start each run anew, or where its neighbour ended',
    },
    random: { type: 'string', value: 'N', help: 'N random points between the ends, in place of a grid' },
    latin: { type: 'string', value: 'N', help: 'N points of a Latin hypercube, in place of a grid' },
    seed: { type: 'string', value: 'S', help: 'of random points; 1 when left out' },
    workers: {
      type: 'string',
      value: 'N',
      help: 'computations at a time; the number of cores when left out',
    },
    queue: { ...QUEUE, help: `where workers of other machines compute: ${QUEUE.help}` },
    resume: { type: 'boolean', help: 'go on with a sweep that was interrupted' },
    out: { type: 'string', value: 'FILE', help: 'table of results: .csv, .json' },
    json: { type: 'boolean', help: 'print the outcome as one JSON object' },
  },
  notes: [
    'The same job has the same results, bit by bit, however many workers compute it. What is done is kept in FILE.sweep until the\n' +
      'sweep is complete: Ctrl-C or a kill loses no point, and --resume goes on.',
  ],
  run: async (args, context) => {
    const interruption = new Interruption(context);
    try {
      return await execute(args, context, interruption);
    } catch (error) {
      const details = detailsOf(error);
      context.note(failureText(details));
      if (args.has('json')) printJson(context, { status: 'failed', error: details });
      return exitOf(details);
    } finally {
      interruption.end();
    }
  },
};

const printJson = (context: CommandContext, value: unknown): void =>
  context.out(`${JSON.stringify(value, null, 2)}\n`);

async function readJob(args: CommandArguments, context: CommandContext): Promise<SweepJob> {
  const host = new EngineHost({ ...context.place.host, door: 'command-line' });
  try {
    return sweepJob(args, await openModel(host, args.positionals[0], context));
  } finally {
    await host.dispose();
  }
}

/** @throws what went wrong before anything was computed, or in writing what was */
async function execute(
  args: CommandArguments,
  context: CommandContext,
  interruption: Interruption,
): Promise<number> {
  const out = args.text('out');
  if (out === undefined) throw new UsageError('A sweep needs --out FILE.');
  tableFormat(out);
  const workers = workerCount(args);
  const address = queueAddress(args);
  if (address !== null && args.has('workers'))
    throw new UsageError(
      'Give --workers to the workers of the queue: moreau worker --queue URL --workers N.',
    );
  const job = await readJob(args, context);
  const columns = await examineSweep(context.place.sweepWorkerUrl, job);
  // Before a computation is spent on it.
  await (await AtomicFile.create(out, { backup: false })).abort();
  const place = SweepJournal.place(out);
  const resumed = args.has('resume') ? await SweepJournal.resume(place, job) : null;
  if (resumed !== null) context.note(`${plural(resumed.results.size, 'point')} known from before\n`);
  const journal = resumed?.journal ?? (await SweepJournal.begin(place, job, countPoints(job.plan)));
  const progress = new ProgressDisplay(context.note, context.terminal, () => performance.now());
  const executor = await executorOf(address, workers, columns, context, progress);
  interruption.react(() => void executor.cancel());
  const began = performance.now();
  const known = resumed?.results ?? new Map<number, PointResult>();
  const results = interruption.asked
    ? known
    : await computeSweep(job, executor, known, journal, (done, of) => progress.count(done, of, 'points'));
  progress.clear();
  const seconds = (performance.now() - began) / 1000;
  if (results.size < countPoints(job.plan)) return cancelled(job, results, out, args, context);
  await writeSweep(out, job, columns, results);
  await journal.remove();
  const by = address === null ? { workers } : { queue: address.toString() };
  return conclude({ job, columns, results, seconds, by, out }, args, context);
}

/** @throws {MoreauError} when the queue cannot be used */
async function executorOf(
  address: QueueAddress | null,
  workers: number,
  columns: SweepColumns,
  context: CommandContext,
  progress: ProgressDisplay,
): Promise<SweepExecutor> {
  const { host, sweepWorkerUrl } = context.place;
  if (address === null) return new WorkerPool(sweepWorkerUrl, workers);
  // Other sweeps need none of it.
  const { QueueExecutor } = await import('@main/sweep/queue/queue-executor');
  const note = (text: string): void => progress.line(text.trimEnd());
  return QueueExecutor.open({ address, version: host.version, columns, note });
}

function cancelled(
  job: SweepJob,
  results: ReadonlyMap<number, PointResult>,
  out: string,
  args: CommandArguments,
  context: CommandContext,
): number {
  const of = countPoints(job.plan);
  context.note(
    `moreau: cancelled after ${results.size} of ${of} points; --resume goes on with ${SweepJournal.place(out)}\n`,
  );
  if (args.has('json')) printJson(context, { status: 'cancelled', points: of, computed: results.size });
  return EXIT.cancelled;
}

interface Outcome {
  readonly job: SweepJob;
  readonly columns: SweepColumns;
  readonly results: ReadonlyMap<number, PointResult>;
  readonly seconds: number;
  /** who has computed */
  readonly by: { readonly workers: number } | { readonly queue: string };
  readonly out: string;
}

function conclude(
  { job, columns, results, seconds, by, out }: Outcome,
  args: CommandArguments,
  context: CommandContext,
): number {
  const failed = [...results].filter(([, { status }]) => status === 'failed').sort(([a], [b]) => a - b);
  const warnings = failed.map(([index, { error }]) => `Point ${index + 1}: ${error?.message ?? 'failed'}`);
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
    columns: [
      ...job.plan.axes.map(({ parameter }) => parameter),
      ...columns.measures,
      ...columns.section,
    ].map((column) => (typeof column === 'string' ? { name: column } : column)),
    warnings,
    out,
  };
  if (args.has('json')) printJson(context, summary);
  else {
    const ofSection = width === 0 ? '' : `, ${plural(sectionPoints, 'section point')}`;
    context.out(
      `${plural(results.size, 'point')}${ofSection} in ${seconds.toPrecision(3)} s with ${'queue' in by ? `the workers of ${by.queue}` : plural(by.workers, 'worker')}; ${failed.length} failed; written to ${out}\n`,
    );
  }
  return failed.length === results.size ? EXIT.failed : EXIT.done;
}
