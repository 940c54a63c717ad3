import { MoreauError, type RemoteError } from '@contract/errors';
import type { Dispatcher, MethodParams, RunInfo } from '@contract/methods';
import { exportRun } from '@main/export/export-run';
import { formatOf, tableFormats } from '@main/export/registry';
import { EngineHost } from '@main/host/host';
import { type Command, type CommandArguments, type CommandContext, EXIT, UsageError } from '../command';
import { MODEL, readModel } from '../model';
import { ProgressDisplay } from '../progress';
import { failureText, issueText } from '../report';
import { refusedSummary, summarise, summaryText } from '../run-summary';

type StartOptions = Omit<MethodParams<'run.start'>, 'document'>;

/** `moreau run`: computes a model, without a window. */
export const runCommand: Command = {
  name: 'run',
  summary: 'compute a model and print or export the outcome',
  positionals: [MODEL],
  flags: {
    set: {
      type: 'string',
      multiple: true,
      value: 'NAME=VALUE',
      help: 'replace a parameter, also by an expression',
    },
    scheme: { type: 'string', value: 'SCHEME', help: 'time-stepping' },
    h: { type: 'string', value: 'H', help: 'time step, s' },
    't-end': { type: 'string', value: 'T', help: 'end time, s' },
    signals: { type: 'string', value: 'A,B,…', help: 'record these signals only' },
    out: {
      type: 'string',
      value: 'FILE',
      help: `data file: ${tableFormats.map((f) => f.extension).join(', ')}`,
    },
    json: { type: 'boolean', help: 'print the outcome as one JSON object' },
  },
  notes: ['Ctrl-C cancels the run; what has been computed until then is printed and exported.'],
  run: async (args, context) => {
    const options = startOptions(args);
    const file = args.text('out');
    if (file !== undefined) formatOf(file);
    const host = new EngineHost({ ...context.place.host, door: 'command-line' });
    try {
      return await compute(host, args, options, file, context);
    } finally {
      await host.dispose();
    }
  },
};

/** The flags as parameters of `run.start`. @throws {UsageError} */
function startOptions(args: CommandArguments): StartOptions {
  const scheme = args.text('scheme');
  if (scheme !== undefined && scheme !== 'time-stepping') {
    throw new UsageError(`This version has no scheme “${scheme}”; it computes with time-stepping.`);
  }
  const h = numberFlag(args, 'h');
  if (h !== undefined && h <= 0) throw new UsageError('--h must be greater than zero.');
  const tEnd = numberFlag(args, 't-end');
  const signals = args
    .text('signals')
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (signals?.length === 0) throw new UsageError('--signals names no signal.');
  const set = args.texts('set').map(parameter);
  return {
    ...(h === undefined ? {} : { h }),
    ...(tEnd === undefined ? {} : { tEnd }),
    ...(scheme === undefined ? {} : { scheme }),
    ...(signals === undefined ? {} : { signals }),
    ...(set.length === 0 ? {} : { set: Object.fromEntries(set) }),
  };
}

function numberFlag(args: CommandArguments, flag: string): number | undefined {
  const text = args.text(flag);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  throw new UsageError(`--${flag} needs a number, not “${text}”.`);
}

/** `rpm=660` or `k=2*pi`: a number stays a number, anything else is an expression. */
function parameter(text: string): [string, number | string] {
  const at = text.indexOf('=');
  const name = text.slice(0, at).trim();
  const value = text.slice(at + 1).trim();
  if (at <= 0 || name === '' || value === '') {
    throw new UsageError(`--set needs NAME=VALUE, not “${text}”.`);
  }
  const number = Number(value);
  return [name, Number.isFinite(number) ? number : value];
}

async function compute(
  host: EngineHost,
  args: CommandArguments,
  options: StartOptions,
  file: string | undefined,
  context: CommandContext,
): Promise<number> {
  const json = args.has('json');
  const refuse = (error: RemoteError, exit: number): number => {
    context.note(failureText(error));
    if (json) printJson(context, refusedSummary(error, options.scheme ?? 'time-stepping'));
    return exit;
  };
  let run: RunInfo;
  try {
    const { document, issues } = await readModel(host, args.positionals[0]);
    if (document === null) {
      for (const issue of issues) context.note(issueText(issue));
      const { code, message, pointer } = issues[0];
      return refuse({ code, message, where: pointer }, EXIT.invalid);
    }
    run = await follow(host, { document, ...options }, context);
  } catch (error) {
    if (!(error instanceof MoreauError)) throw error;
    return refuse(error.details, refusalExit(error.details));
  }
  // Refused only after a long preparation: it has not begun either.
  if (run.error !== undefined && run.signals.length === 0) return refuse(run.error, refusalExit(run.error));
  if (file !== undefined && run.signals.length > 0) {
    // The export goes to its end even when the run was interrupted; a second interrupt ends the process.
    const endInterrupt = context.onInterrupt(() => undefined);
    const rows = await exportRun(host, run, file).finally(endInterrupt);
    context.note(`${rows} rows of ${run.signals.length} signals written to ${file}\n`);
  }
  if (run.error !== undefined) context.note(failureText(run.error));
  const summary = summarise(run, await lastValues(host, run));
  if (json) printJson(context, summary);
  else context.out(summaryText(run.title, summary));
  if (run.state === 'done') return EXIT.done;
  return run.state === 'failed' ? EXIT.failed : EXIT.cancelled;
}

const printJson = (context: CommandContext, value: unknown): void =>
  context.out(`${JSON.stringify(value, null, 2)}\n`);

/** Starts the run and waits for its end, showing progress; an interrupt cancels it. */
async function follow(
  host: Dispatcher,
  params: MethodParams<'run.start'>,
  context: CommandContext,
): Promise<RunInfo> {
  const progress = new ProgressDisplay(context.note, context.terminal, () => performance.now());
  let runId: string | null = null;
  let interrupted = false;
  const cancel = (): void => {
    interrupted = true;
    if (runId !== null) void host.dispatch('run.cancel', { runId });
  };
  let finish: (run: RunInfo) => void = () => undefined;
  const ended = new Promise<RunInfo>((resolve) => (finish = resolve));
  const unsubscribe = host.onEvent((event) => {
    if (event.event === 'run.console') {
      progress.line(`${event.data.script}: ${event.data.text}`);
      return;
    }
    const { run } = event.data;
    runId ??= run.runId;
    if (isOver(run)) finish(run);
    else progress.show(run);
  });
  const endInterrupt = context.onInterrupt(cancel);
  try {
    const started = await host.dispatch('run.start', params);
    runId = started.runId;
    if (interrupted) cancel();
    return isOver(started) ? started : await ended;
  } finally {
    endInterrupt();
    unsubscribe();
    progress.clear();
  }
}

const isOver = (run: RunInfo): boolean =>
  run.state === 'done' || run.state === 'failed' || run.state === 'cancelled';

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

/** Failures of preparing a run that are not the model's or the arguments' fault. */
const UNEXPECTED = new Set(['internal', 'worker-crashed', 'recording-failed']);
/** Failures of the builder script while it ran. */
const FAILED = new Set(['out-of-memory', 'builder-timeout', 'script-error']);

function refusalExit({ code }: RemoteError): number {
  if (UNEXPECTED.has(code)) return EXIT.unexpected;
  return FAILED.has(code) ? EXIT.failed : EXIT.invalid;
}
