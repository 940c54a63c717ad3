import { MoreauError, type RemoteError } from '@contract/errors';
import {
  type Dispatcher,
  MAX_RECORDED_ROWS,
  type MethodParams,
  type RunEvent,
  type RunInfo,
} from '@contract/methods';
import type { ModelDocument } from '@engine/document/types';
import { plural } from '@engine/plural';
import { tableEndings } from '@main/export/registry';
import type { TableChoice } from '@main/export/run-table';
import { type CliCommand, type CommandArguments, type CliContext, EXIT, UsageError } from '../command';
import { computing, printJson } from '../computing';
import { openHost } from '../host';
import { beginning, checkStatePlace, saveState } from '../continue-from';
import { exitOf, exitOfRun } from '../exit-code';
import type { Interruption } from '../interruption';
import { ACCURACY_FLAGS, withAccuracy } from '../accuracy';
import { MODEL, modelWarnings, openWithIssues } from '../model';
import { ProgressDisplay } from '../progress';
import { detailsOf, failureText } from '../report';
import {
  checkComments,
  COMMENTS_HELP,
  numberFlag,
  RUN_FLAGS,
  schemeOf,
  spanOption,
  type StartOptions,
  startOptions,
} from '../run-options';
import { summarise, summaryText, unstartedSummary } from '../run-summary';

/** A run that is over this long after it has begun does not wait for another thread, ms. */
const SHORT_MS = 1000;

/** `moreau run`: computes a model, without a window. */
export const runCommand: CliCommand = {
  name: 'run',
  summary: 'compute a model and print or export the outcome',
  positionals: [MODEL],
  flags: {
    ...RUN_FLAGS,
    project: { type: 'boolean', help: 'move the initial state onto the joints first' },
    'continue-from': {
      type: 'string',
      value: 'FILE',
      help: 'go on from a state that --save-state has written, or from a row of a .csv file',
    },
    at: { type: 'string', value: 'T', help: 'with --continue-from: at this time of that run, s' },
    'save-state': {
      type: 'string',
      value: 'FILE',
      help: 'write where the run ends, for --continue-from',
    },
    signals: { type: 'string', value: 'A,B,…', help: 'record these signals only' },
    out: {
      type: 'string',
      value: 'FILE',
      help: `data file: ${tableEndings}`,
    },
    section: { type: 'string', value: 'ID', help: 'export the points of this section of the model' },
    from: { type: 'string', value: 'T', help: 'export rows from this time on, s' },
    until: { type: 'string', value: 'T', help: 'export rows up to this time, s' },
    every: { type: 'string', value: 'N', help: 'export only every n-th row' },
    comments: { type: 'boolean', help: COMMENTS_HELP },
    ...ACCURACY_FLAGS,
    json: { type: 'boolean', help: 'print the outcome as one JSON object' },
  },
  notes: [
    `With --json, an event-driven run lists its events in “eventList”: time, kind, element, row among those of
the model, output velocity before and after, impulse. They are the first ten thousand; “events” is the number
of all. Time-stepping has no times of events within a step: export a section on impact (--section).`,
    'Ctrl-C cancels the run; what has been computed until then is printed and exported.',
    `A run that goes on from a saved state has the bits of one that never stopped. MODEL has to be the model of
that state; values of parameters may differ, and hold from there on. A time before its end is computed again
from the start. A .csv file has positions and velocities only: multipliers, what contacts and control blocks
remember, and the step of an integrator begin as at any start.`,
  ],
  run: computing(execute, (error, args) => unstartedSummary('failed', schemeOf(args), error)),
};

/** Reads, computes, exports and prints. @throws what went wrong before anything was computed */
async function execute(
  args: CommandArguments,
  context: CliContext,
  interruption: Interruption,
): Promise<number> {
  const options = startOptions(args);
  const file = args.text('out');
  const choice = tableChoice(args, file);
  if (file !== undefined) await (await import('@main/export/export-table')).checkExportPlace(file);
  await checkStatePlace(args);
  const host = await openHost(context);
  try {
    const { document, issues } = await openWithIssues(host, args.positionals[0], context);
    if (interruption.asked) return cancelledBefore(args, context);
    // Without a file nothing of it is read but its last values.
    const keep = file === undefined ? 'last' : 'all';
    const { start, note } = await beginning(host, document, options, args);
    let warned: Promise<string[]> | null = null;
    const warn = (): Promise<string[]> =>
      (warned ??= modelWarnings(host, withOptions(document, options), issues, options.project === true));
    // By the thread of a short run, which has loaded what it takes; beside a long one.
    const onStart = (): void => void setTimeout(() => void warn(), SHORT_MS).unref();
    const ended = await follow(host, { ...start, keep, measure: false }, context, interruption, onStart);
    const run = await withAccuracy(host, ended, args, context, interruption);
    // Refused only after a long preparation: it has not begun either.
    if (run.error !== undefined && run.signals.length === 0) throw new MoreauError(run.error);
    // The run has found some of them as well; one that was cancelled does not wait for the others.
    const found = [...run.warnings, ...(ended.state === 'cancelled' ? [] : await warn())];
    const warnings = [...new Set(note === null ? found : [note, ...found])];
    return await conclude(host, { ...run, warnings }, file, choice, args, context);
  } finally {
    await host.dispose();
  }
}

/** The model as the run has it, to be checked. */
const withOptions = (
  document: ModelDocument,
  { set = {}, h, tEnd, scheme }: StartOptions,
): ModelDocument => ({
  ...document,
  parameters: document.parameters.map((one) => ({ ...one, value: set[one.name] ?? one.value })),
  simulation: {
    ...document.simulation,
    ...(scheme !== undefined && { scheme }),
    ...(h !== undefined && { h }),
    ...(tEnd !== undefined && { tEnd }),
  },
});

/** What of the run goes to the file. @throws {UsageError} where there is no file, or nothing can be meant */
function tableChoice(args: CommandArguments, file: string | undefined): TableChoice {
  const idle = ['from', 'until', 'every'].find((flag) => file === undefined && args.has(flag));
  if (idle !== undefined) throw new UsageError(`--${idle} goes with --out FILE.`);
  checkComments(args);
  const every = numberFlag(args, 'every') ?? 1;
  if (!Number.isSafeInteger(every) || every < 1 || every > MAX_RECORDED_ROWS)
    throw new UsageError('--every needs a whole number from 1 on.');
  return { section: args.text('section'), ...spanOption(args), every };
}

function cancelledBefore(args: CommandArguments, context: CliContext): number {
  context.note('moreau: cancelled before the computation began\n');
  if (args.has('json')) printJson(context, unstartedSummary('cancelled', schemeOf(args)));
  return EXIT.cancelled;
}

/** Exports and prints a run that is over. An export that fails does not take the outcome with it. */
async function conclude(
  host: Dispatcher,
  run: RunInfo,
  file: string | undefined,
  choice: TableChoice,
  args: CommandArguments,
  context: CliContext,
): Promise<number> {
  let exportError: RemoteError | null = null;
  if (file !== undefined && run.signals.length > 0) {
    try {
      // The export goes to its end even when the run was interrupted; a second interrupt ends the process.
      const [{ runTable }, { exportTable }] = await Promise.all([
        import('@main/export/run-table'),
        import('@main/export/export-table'),
      ]);
      const table = await runTable(host, run, choice);
      await exportTable(table, file, undefined, { comments: args.has('comments') });
      context.note(
        `${plural(table.rows, args.has('section') ? 'point' : 'row')} of ${plural(table.columns.length, 'signal')} written to ${file}\n`,
      );
    } catch (error) {
      const details = detailsOf(error);
      exportError = { ...details, message: `${details.message} Nothing was written.` };
      context.note(failureText(exportError));
    }
  }
  const state = args.text('save-state');
  if (state !== undefined && run.signals.length > 0) {
    try {
      context.note(await saveState(host, run.runId, run.statistics.simulatedTime, state));
    } catch (error) {
      exportError ??= detailsOf(error);
      context.note(failureText(detailsOf(error)));
    }
  }
  if (run.error !== undefined) context.note(failureText(run.error));
  const last = await lastValues(host, run).catch((error: unknown) => {
    context.note(failureText(detailsOf(error)));
    return [];
  });
  const summary = summarise(run, last, exportError, await allEvents(host, run));
  if (args.has('json')) printJson(context, summary);
  else context.out(summaryText(run, summary));
  if (exportError === null) return exitOfRun(run);
  return exitOf(exportError) === EXIT.failed ? EXIT.failed : EXIT.unexpected;
}

/** Starts the run, tells so, and waits for its end, showing progress; an interrupt cancels it. */
async function follow(
  host: Dispatcher,
  params: MethodParams<'run.start'>,
  context: CliContext,
  interruption: Interruption,
  onStart: () => void,
): Promise<RunInfo> {
  const progress = new ProgressDisplay(context.note, context.terminal, () => performance.now());
  let runId: string | null = null;
  const cancel = (): void => {
    if (runId !== null) void host.dispatch('run.cancel', { runId });
  };
  const begun = (id: string): void => {
    if (runId !== null) return;
    runId = id;
    if (interruption.asked) cancel();
  };
  let finish: (run: RunInfo) => void = () => undefined;
  const ended = new Promise<RunInfo>((resolve) => (finish = resolve));
  const unsubscribe = host.onEvent((event) => {
    if (event.event === 'run.console') {
      progress.line(`${event.data.script}: ${event.data.text}`);
      return;
    }
    if (event.event !== 'run.progress') return;
    const { run } = event.data;
    begun(run.runId);
    if (isOver(run)) finish(run);
    else progress.show(run);
  });
  interruption.react(cancel);
  try {
    const started = await host.dispatch('run.start', params);
    begun(started.runId);
    onStart();
    return isOver(started) ? started : await ended;
  } finally {
    interruption.react(() => undefined);
    unsubscribe();
    progress.clear();
  }
}

const isOver = (run: RunInfo): boolean =>
  run.state === 'done' || run.state === 'failed' || run.state === 'cancelled';

async function allEvents(host: Dispatcher, { runId, scheme }: RunInfo): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  if (scheme !== 'event-driven') return events;
  const most = 100_000;
  for (;;) {
    const part = await host.dispatch('run.events', { runId, firstEvent: events.length, count: most });
    events.push(...part.events);
    if (part.events.length === 0 || events.length >= part.kept) return events;
  }
}

async function lastValues(host: Dispatcher, run: RunInfo): Promise<number[]> {
  const { rows } = run.statistics;
  if (rows === 0 || run.signals.length === 0) return [];
  const signals = run.signals.map((signal) => signal.name);
  const values: number[] = [];
  // A call names at most this many signals.
  const most = 10_000;
  for (let i = 0; i < signals.length; i += most) {
    const part = { runId: run.runId, signals: signals.slice(i, i + most), firstRow: rows - 1, count: 1 };
    const { columns } = await host.dispatch('run.rows', part);
    values.push(...columns.map((column) => column[0]));
  }
  return values;
}
