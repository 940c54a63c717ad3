import { separation } from '@contract/comparison';
import type { Dispatcher, RunInfo } from '@contract/methods';
import { MoreauError, type RemoteError } from '@contract/errors';
import { closest } from '@engine/closest';
import { type CliCommand, type CommandArguments, type CliContext, EXIT, UsageError } from '../command';
import { type ComparisonSummary, differencesSummary, runSummary } from '../compare/comparison-summary';
import { comparisonText, isRunUncertified } from '../compare/comparison-table';
import { failureOf, runAll, schemeRuns, type SchemeRun } from '../compare/scheme-runs';
import { computing, printJson } from '../computing';
import { openHost } from '../host';
import { exitOf, exitOfRun } from '../exit-code';
import type { Interruption } from '../interruption';
import { MODEL, openModel } from '../model';
import { ProgressDisplay } from '../progress';
import { failureText } from '../report';
import { RUN_FLAGS, startOptions } from '../run-options';

/** h, h/2 and h/4 give two orders, so that one can see whether they agree. */
const LEVELS = 3;
const MAX_LEVELS = 8;
/** `moreau compare`: both schemes on one model. */
export const compareCommand: CliCommand = {
  name: 'compare',
  summary: 'run a model event-driven and by time-stepping, and compare',
  positionals: [MODEL],
  flags: {
    set: RUN_FLAGS.set,
    h: { type: 'string', value: 'H', help: 'longest time step, s' },
    't-end': RUN_FLAGS['t-end'],
    signals: { type: 'string', value: 'A,B,…', help: 'compare these signals only' },
    levels: { type: 'string', value: 'N', help: `number of time steps h, h/2, …; default: ${LEVELS}` },
    json: { type: 'boolean', help: 'print the outcome as one JSON object' },
  },
  notes: [
    'Time-stepping with h, h/2, h/4 is compared with one event-driven run: mean (L1) and largest difference of each\n' +
      'signal, times of impact, and the order p of each error, e ∝ hᵖ. Both schemes take the model as it is, except that\n' +
      'every step is recorded and its length is not controlled.',
  ],
  run: computing(execute, (error) => ({ ...NOTHING, status: 'failed', error })),
};

const NOTHING = { title: '', runs: [], whole: null, together: null } as const;

/** @throws {UsageError} */
function levelsOf(args: CommandArguments): number {
  const text = args.text('levels');
  if (text === undefined) return LEVELS;
  const levels = Number(text);
  if (Number.isInteger(levels) && levels >= 1 && levels <= MAX_LEVELS) return levels;
  throw new UsageError(`--levels needs a whole number from 1 to ${MAX_LEVELS}, not “${text}”.`);
}

/** @throws what went wrong before all runs were over, or in comparing them */
async function execute(
  args: CommandArguments,
  context: CliContext,
  interruption: Interruption,
): Promise<number> {
  const options = startOptions(args);
  const levels = levelsOf(args);
  const host = await openHost(context);
  try {
    const document = await openModel(host, args.positionals[0], context);
    const progress = new ProgressDisplay(context.note, context.terminal, () => performance.now());
    const results = await runAll(host, schemeRuns(document, options, levels), interruption, {
      begun: (run) => checkSignals(run, options.signals ?? []),
      progress: (run) => progress.show(run),
      console: (script, text) => progress.line(`${script}: ${text}`),
    });
    progress.clear();
    const runs = runsOf(results);
    const failure = failureOf(results);
    if (failure !== null || runs.length < results.length || runs.some(({ state }) => state !== 'done'))
      return incomplete(runs, failure, args, context);
    const summary = await compare(host, runs, options.signals);
    if (args.has('json')) printJson(context, summary);
    else context.out(comparisonText(summary));
    return summary.runs.some(isRunUncertified) ? EXIT.notCertified : EXIT.done;
  } finally {
    await host.dispose();
  }
}

/**
 * Before anything long is computed.
 * @throws {MoreauError} `unknown-signal`
 */
function checkSignals({ signals }: RunInfo, wanted: readonly string[]): void {
  const names = signals.map(({ name }) => name);
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const meant = closest(unknown, names);
  throw new MoreauError({
    code: 'unknown-signal',
    message: `There is no signal “${unknown}”.`,
    remedy: `${meant === null ? '' : `Did you mean ${meant}? `}Signals of this model start with ${names.slice(0, 12).join(', ')}.`,
  });
}

const runsOf = (results: readonly SchemeRun[]): RunInfo[] =>
  results.flatMap((result) => ('run' in result ? [result.run] : []));

/** Some run failed or was cancelled: what is known is printed, and nothing compared. */
function incomplete(
  runs: readonly RunInfo[],
  error: RemoteError | null,
  args: CommandArguments,
  context: CliContext,
): number {
  context.note(error === null ? 'moreau: cancelled before all runs were over\n' : failureText(error));
  if (args.has('json')) {
    const summaries = runs.map(runSummary);
    const title = runs[0]?.title ?? '';
    const status = error === null ? 'cancelled' : 'failed';
    const reason = error === null ? {} : { error };
    printJson(context, { ...NOTHING, status, title, runs: summaries, ...reason });
  }
  if (error === null) return EXIT.cancelled;
  const failed = runs.find((run) => run.error === error);
  return failed === undefined || failed.signals.length === 0 ? exitOf(error) : exitOfRun(failed);
}

/** @param runs all done, the event-driven one first */
async function compare(
  host: Dispatcher,
  runs: readonly RunInfo[],
  signals: string[] | undefined,
): Promise<ComparisonSummary> {
  const [reference, ...others] = runs.map(({ runId }) => runId);
  const params = { reference, others, ...(signals === undefined ? {} : { signals }) };
  const whole = await host.dispatch('run.compare', params);
  const to = separation(whole);
  const together = to === null ? null : await host.dispatch('run.compare', { ...params, to });
  return {
    status: 'done',
    title: runs[0].title,
    runs: runs.map(runSummary),
    whole: differencesSummary(whole),
    together: together === null ? null : differencesSummary(together),
  };
}
