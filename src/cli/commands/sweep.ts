import { rm } from 'node:fs/promises';
import type { PointResult, SweepColumns } from '@engine/analysis/sweep/compute-point';
import { type SweepJob, countResults } from '@engine/analysis/sweep/job';
import { MEASURES } from '@engine/analysis/sweep/measures';
import { plural } from '@engine/plural';
import { checkExportPlace } from '@main/export/export-table';
import { formatOf, tableEndings } from '@main/export/registry';
import { EngineHost } from '@main/host/host';
import type { QueueAddress } from '@main/sweep/queue/address';
import { SweepJournal } from '@main/sweep/journal';
import { gatherShares, shareJournal, sharePoints } from '@main/sweep/shares';
import { computeSweep } from '@main/sweep/sweep';
import { type ComputedSweep, writeSweep } from '@main/sweep/table';
import type { SweepExecutor } from '@main/sweep/executor';
import { examineSweep, WorkerPool } from '@main/sweep/worker-pool';
import { type CliCommand, type CommandArguments, type CliContext, EXIT, UsageError } from '../command';
import { computing } from '../computing';
import type { Interruption } from '../interruption';
import { MODEL, openModel } from '../model';
import { ProgressDisplay } from '../progress';
import { QUEUE, QUEUE_NOTE, queueAddress } from '../queue-options';
import { checkComments, COMMENTS_HELP } from '../run-options';
import { sweepJob, workerCount } from '../sweep-options';
import { cancelled, concludeSweep } from '../sweep-outcome';
import { emitSlurm, isJobFile, readJobFile, DEFAULT_SHARES, sweepWay } from '../sweep-shares';

/** `moreau sweep`: one model at many values of its parameters and initial states. */
export const sweepCommand: CliCommand = {
  name: 'sweep',
  summary: 'compute a model at many values of its parameters and initial states: sections, measures',
  positionals: [{ ...MODEL, help: `${MODEL.help}, or the job that --emit wrote` }],
  flags: {
    param: {
      type: 'string',
      multiple: true,
      value: 'NAME=FROM:TO:COUNT',
      help: 'values of a parameter, or NAME=A,B,…',
    },
    initial: {
      type: 'string',
      multiple: true,
      value: 'STATE=FROM:TO:COUNT',
      help: 'initial values of a state such as ball.q, or STATE=A,B,…',
    },
    set: { type: 'string', multiple: true, value: 'NAME=VALUE', help: 'replace another parameter' },
    scheme: { type: 'string', value: 'SCHEME', help: 'time-stepping or event-driven' },
    h: { type: 'string', value: 'H', help: 'time step, s' },
    't-end': { type: 'string', value: 'T', help: 'end time of each run, s' },
    section: { type: 'string', value: 'KIND', help: 'stroboscopic, impact or surface' },
    period: {
      type: 'string',
      value: 'P',
      help: 'period of a stroboscopic section, s, or an expression such as 60/rpm',
    },
    phase: {
      type: 'string',
      value: 'PART',
      help: 'fraction of the period at which points are taken, 0 to 1',
    },
    contact: { type: 'string', value: 'ID', help: 'contact whose impacts are taken' },
    state: { type: 'string', value: 'before|after', help: 'take the state before or after the impact' },
    surface: { type: 'string', value: 'G', help: 'expression of signals whose zeros are taken' },
    direction: {
      type: 'string',
      value: 'rising|falling|both',
      help: 'direction in which the surface is crossed',
    },
    points: { type: 'string', value: 'N', help: 'points of the section to keep; default: 200' },
    transient: { type: 'string', value: 'N', help: 'points to skip first; default: 200' },
    signals: { type: 'string', value: 'A,B,…', help: 'signals to keep of a point; default: all states' },
    measure: {
      type: 'string',
      multiple: true,
      value: '"KIND SIGNAL"',
      help: Object.keys(MEASURES).join(', '),
    },
    skip: {
      type: 'string',
      value: 'PART',
      help: 'part of each run before measures begin, without a section',
    },
    start: {
      type: 'string',
      value: 'initial|up|down|both',
      help: 'start each run from the initial state, or where its neighbour ended; both ways show coexisting motions',
    },
    accuracy: {
      type: 'boolean',
      help: 'measure the accuracy of each run by two finer ones: column “accurate”, seven times the time',
    },
    random: { type: 'string', value: 'N', help: 'N random points between the ends, instead of a grid' },
    latin: { type: 'string', value: 'N', help: 'N points of a Latin hypercube, instead of a grid' },
    seed: { type: 'string', value: 'S', help: 'seed of random points; default: 1' },
    workers: {
      type: 'string',
      value: 'N',
      help: 'number of parallel computations; default: the number of cores',
    },
    queue: { ...QUEUE, help: `where workers of other machines compute: ${QUEUE.help}` },
    resume: { type: 'boolean', help: 'continue an interrupted sweep' },
    emit: {
      type: 'string',
      value: 'slurm',
      help: 'write a script that computes the sweep on a cluster, and its job',
    },
    array: { type: 'string', value: 'N', help: `shares of that script; default: at most ${DEFAULT_SHARES}` },
    share: { type: 'string', value: 'K/N', help: 'compute the K-th of N shares into a journal beside FILE' },
    merge: { type: 'boolean', help: 'merge the shares beside FILE into the table' },
    out: { type: 'string', value: 'FILE', help: `table of results: ${tableEndings}` },
    comments: { type: 'boolean', help: COMMENTS_HELP },
    json: { type: 'boolean', help: 'print the outcome as one JSON object' },
  },
  notes: [
    'The columns solved and complete say of each point whether its equations hold and no event was missed: 1, 0, or NaN where\n' +
      'that is not known. If a point or one of its verdicts fails, the exit code is 5; the table is still written.',
    'The same job has the same results, bit by bit, however many workers compute it. What is done is kept in FILE.sweep until the\n' +
      'sweep is complete: Ctrl-C or a kill loses no point, and --resume continues.',
    QUEUE_NOTE,
  ],
  run: computing(execute),
};

/** The job that the arguments ask for, or the file of one. */
async function readJob(args: CommandArguments, context: CliContext): Promise<SweepJob> {
  const [model] = args.positionals;
  if (isJobFile(model)) return readJobFile(model, args);
  const host = new EngineHost({ ...context.place.host, door: 'command-line' });
  try {
    return sweepJob(args, await openModel(host, model, context));
  } finally {
    await host.dispose();
  }
}

/** @throws what went wrong before anything was computed, or in writing what was */
async function execute(
  args: CommandArguments,
  context: CliContext,
  interruption: Interruption,
): Promise<number> {
  const out = args.text('out');
  if (out === undefined) throw new UsageError('A sweep needs --out FILE.');
  checkComments(args);
  formatOf(out);
  const way = sweepWay(args);
  const workers = workerCount(args);
  const address = queueAddress(args);
  if (address !== null && args.has('workers'))
    throw new UsageError(
      'Give --workers to the workers of the queue: moreau worker --queue URL --workers N.',
    );
  const job = await readJob(args, context);
  const columns = await examineSweep(context.place.host.sweepWorkerUrl, job);
  // Before a computation is spent on it.
  await checkExportPlace(out);
  if (way.kind === 'emit') return emitSlurm(job, out, way.shares, context);
  if (way.kind === 'merge') return merge(job, columns, out, args, context);
  const { share } = way;
  const place = share === undefined ? SweepJournal.place(out) : shareJournal(out, share);
  const resumed = args.has('resume') ? await SweepJournal.resume(place, job) : null;
  if (resumed !== null) context.note(`${plural(resumed.results.size, 'point')} known from before\n`);
  if (resumed !== null && resumed.damaged > 0) {
    const lines = plural(resumed.damaged, 'line');
    context.note(`${lines} of ${place} damaged and skipped; their points are computed again\n`);
  }
  const progress = new ProgressDisplay(context.note, context.terminal, () => performance.now());
  const executor = await executorOf(address, workers, columns, context, progress);
  const journal = resumed?.journal ?? (await SweepJournal.begin(place, job, countResults(job)));
  interruption.react(() => void executor.cancel());
  const began = performance.now();
  const known = resumed?.results ?? new Map<number, PointResult>();
  const tell = (done: number, of: number): void => progress.count(done, of, 'points');
  const results = interruption.asked ? known : await computeSweep(job, executor, known, journal, tell, share);
  progress.clear();
  const seconds = (performance.now() - began) / 1000;
  const of = share === undefined ? countResults(job) : sharePoints(job, share).length;
  if (results.size < of) return cancelled(results, of, place, args, context);
  const by = address === null ? { workers } : { queue: address.toString() };
  if (share !== undefined) {
    concludeSweep({ job, columns, results, seconds, by, out: place }, args, context);
    // The others may do better: whether all have failed is seen when they are merged.
    return EXIT.done;
  }
  await write({ job, columns, results }, out, args, context);
  await journal.remove();
  return concludeSweep({ job, columns, results, seconds, by, out }, args, context);
}

/** @throws {MoreauError} why it cannot be written */
async function write(
  sweep: ComputedSweep,
  out: string,
  args: CommandArguments,
  context: CliContext,
): Promise<void> {
  const host = new EngineHost({ ...context.place.host, door: 'command-line' });
  try {
    await writeSweep(out, sweep, host, { comments: args.has('comments') });
  } finally {
    await host.dispose();
  }
}

/** The table of what shares have computed. */
async function merge(
  job: SweepJob,
  columns: SweepColumns,
  out: string,
  args: CommandArguments,
  context: CliContext,
): Promise<number> {
  const began = performance.now();
  const { results, journals } = await gatherShares(out, job);
  await write({ job, columns, results }, out, args, context);
  await Promise.all(journals.map((journal) => rm(journal)));
  const seconds = (performance.now() - began) / 1000;
  return concludeSweep(
    { job, columns, results, seconds, by: { shares: journals.length }, out },
    args,
    context,
  );
}

/** @throws {MoreauError} when the queue cannot be used */
async function executorOf(
  address: QueueAddress | null,
  workers: number,
  columns: SweepColumns,
  context: CliContext,
  progress: ProgressDisplay,
): Promise<SweepExecutor> {
  const { host } = context.place;
  const { sweepWorkerUrl } = host;
  if (address === null) return new WorkerPool(sweepWorkerUrl, workers);
  // Other sweeps need none of it.
  const { QueueExecutor } = await import('@main/sweep/queue/queue-executor');
  const note = (text: string): void => progress.line(text.trimEnd());
  return QueueExecutor.open({ address, version: host.version, columns, note });
}
