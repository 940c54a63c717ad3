import { MoreauError } from '@contract/errors';
import type { Dispatcher, MethodResults, RunInfo } from '@contract/methods';
import { type DevicePower, powerBalance, powerSignals } from '@contract/power-balance';
import type { ModelDocument } from '@engine/document/types';
import { ACCURACY_FLAGS, withAccuracy } from '../accuracy';
import { type CliCommand, type CommandArguments, type CliContext, EXIT, UsageError } from '../command';
import { textTable } from '../compare/comparison-table';
import { failureOf, runAll } from '../compare/scheme-runs';
import { computing, printJson } from '../computing';
import { openHost } from '../host';
import { exitOf, exitOfRun } from '../exit-code';
import type { Interruption } from '../interruption';
import { MODEL, openModel } from '../model';
import { ProgressDisplay } from '../progress';
import { failureText } from '../report';
import { summarise, verdictRows } from '../run-summary';
import { numberFlag, RUN_FLAGS, spanOption, startOptions } from '../run-options';

/** Signals that are asked for at a time. */
const AT_ONCE = 64;
/** An error of an efficiency above which more is said. */
const WIDE = 0.005;
/** Signals that are measured where none are named, and the model has no plots. */
const MOST_SIGNALS = 32;

/** `moreau measure`: a run, and what is read off its signals. */
export const measureCommand: CliCommand = {
  name: 'measure',
  summary: 'run a model and measure it: mean, RMS, ripple, distortion, powers, efficiency',
  positionals: [MODEL],
  flags: {
    ...RUN_FLAGS,
    signals: { type: 'string', value: 'A,B,…', help: 'measure these; those of the plots when absent' },
    period: { type: 'string', value: 'T', help: 'period, s: the last whole one is measured' },
    frequency: { type: 'string', value: 'F', help: 'the same by its frequency, Hz' },
    from: { type: 'string', value: 'T', help: 'measure from this time on, s' },
    until: { type: 'string', value: 'T', help: 'measure up to this time, s' },
    ...ACCURACY_FLAGS,
    load: { type: 'string', value: 'A,B,…', help: 'components that the power is for' },
    json: { type: 'boolean', help: 'print the outcome as one JSON object' },
  },
  notes: [
    `With --from, as many whole periods are measured as end with the span. Without a period each signal has that of
its own rising passages; powers are then means over the whole span. THD counts all harmonics. Curves are straight
between rows, so that halving --h tells how exact the numbers are; ± is by how much they differ from those of every second row.`,
  ],
  run: computing(execute),
};

/** @throws {UsageError} */
function periodOf(args: CommandArguments): number | undefined {
  const [period, frequency] = [numberFlag(args, 'period'), numberFlag(args, 'frequency')];
  if (period !== undefined && frequency !== undefined)
    throw new UsageError('--period and --frequency say the same: give one of them.');
  const found = period ?? (frequency === undefined ? undefined : 1 / frequency);
  if (found !== undefined && !(found > 0 && Number.isFinite(found)))
    throw new UsageError('A period and a frequency are greater than zero.');
  return found;
}

const listOf = (text: string | undefined): string[] | undefined =>
  text
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

async function execute(
  args: CommandArguments,
  context: CliContext,
  interruption: Interruption,
): Promise<number> {
  const { signals: _, ...options } = startOptions(args);
  const period = periodOf(args);
  const span = spanOption(args);
  const loads = listOf(args.text('load')) ?? null;
  const host = await openHost(context);
  try {
    const given = await openModel(host, args.positionals[0], context);
    const progress = new ProgressDisplay(context.note, context.terminal, () => performance.now());
    const [result] = await runAll(host, [{ document: recordingAll(given), ...options }], interruption, {
      begun: () => undefined,
      progress: (run) => progress.show(run),
      console: (script, text) => progress.line(`${script}: ${text}`),
    });
    progress.clear();
    const failure = failureOf([result]);
    if (!('run' in result) || result.run.state !== 'done') {
      context.note(failure === null ? 'moreau: cancelled before the run was over\n' : failureText(failure));
      if (args.has('json'))
        printJson(context, failure === null ? { status: 'cancelled' } : { status: 'failed', error: failure });
      return failure === null ? EXIT.cancelled : exitOf(failure);
    }
    const run = await withAccuracy(host, result.run, args, context, interruption);
    const names = listOf(args.text('signals')) ?? plotted(given, run);
    const measures = await measure(host, run, names, { period, ...span }, loads);
    const summary = summarise(run, []);
    if (args.has('json')) {
      const { worstResidual, certified, complete, accuracy, warnings } = summary;
      const verdict = { worstResidual, certified, complete, accuracy, warnings };
      printJson(context, { status: 'done', title: run.title, ...verdict, ...measures });
    } else context.out(measuresText(run.title, verdictRows(run, summary), measures));
    return exitOfRun(run);
  } finally {
    await host.dispose();
  }
}

/** Powers of all devices are wanted, whatever is recorded of them otherwise. */
function recordingAll(document: ModelDocument): ModelDocument {
  const simulation = document.simulation as ModelDocument['simulation'] | undefined;
  return simulation === undefined ? document : { ...document, simulation: { ...simulation, recording: {} } };
}

/** Signals of plots over time; the first ones where there are none. */
function plotted({ views }: ModelDocument, { signals }: RunInfo): string[] {
  const known = signals.filter(({ kind }) => kind !== 'time').map(({ name }) => name);
  const shown = new Set(views.flatMap((view) => (view.type === 'time-series' ? view.signals : [])));
  const wanted = known.filter((name) => shown.has(name));
  return wanted.length > 0 ? wanted : known.slice(0, MOST_SIGNALS);
}

/** Digits by which ends may miss those of the run. */
const SLACK = 1e-9;

/** @throws where the span is not one of the run, or has no whole period */
function checkSpan(
  from: number,
  to: number,
  period: number | undefined,
  [first, last]: readonly [number, number],
): void {
  const slack = SLACK * (last - first);
  const isInside = from >= first - slack && to <= last + slack && from < to;
  if (isInside && (period === undefined || period <= to - from + slack)) return;
  throw new MoreauError({
    code: 'span-outside',
    message: isInside
      ? `There is no whole period of ${number(period ?? 0)} s from ${number(from)} s to ${number(to)} s.`
      : `From ${number(from)} s to ${number(to)} s is no span of this run, which is from ${number(first)} s to ${number(last)} s.`,
    remedy: 'Run longer with --t-end, or give another --period, --from or --until.',
  });
}

interface Choice {
  readonly period: number | undefined;
  readonly from: number | undefined;
  readonly to: number | undefined;
}

type Answer = MethodResults['run.statistics'];

async function measure(
  host: Dispatcher,
  { runId, t0, signals, statistics }: RunInfo,
  names: readonly string[],
  { period, from, to }: Choice,
  loads: readonly string[] | null,
) {
  const known = new Map(signals.map((one) => [one.name, one]));
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new MoreauError({
      code: 'unknown-signal',
      message: `There is no signal “${unknown}”.`,
      remedy: `Signals of this model start with ${[...known.keys()].slice(0, 12).join(', ')}.`,
    });
  const powers = powerSignals(signals);
  const lost = loads?.find((load) => !powers.some(({ element }) => element === load));
  if (lost !== undefined)
    throw new MoreauError({
      code: 'unknown-load',
      message: `There is no component “${lost}” with a power.`,
      remedy: `Name one of ${powers
        .slice(0, 12)
        .map(({ element }) => element)
        .join(', ')}.`,
    });
  // The last whole period, unless a span is given.
  const end = to ?? statistics.simulatedTime;
  const start = from ?? (period === undefined ? undefined : end - period);
  checkSpan(start ?? t0, end, period, [t0, statistics.simulatedTime]);
  const ask = async (wanted: readonly string[], of: number | 'found'): Promise<Answer[]> => {
    const answers: Answer[] = [];
    for (let at = 0; at < wanted.length; at += AT_ONCE)
      answers.push(
        await host.dispatch('run.statistics', {
          ...{ runId, signals: wanted.slice(at, at + AT_ONCE), period: of },
          ...(start !== undefined && { from: start }),
          ...(to !== undefined && { to }),
        }),
      );
    return answers;
  };
  const found = await ask(names, period ?? 'found');
  const own = found.flatMap((one) => one.periodic ?? []);
  const plain = found.flatMap((one) => one.signals);
  const rows = names.map((name, k) => ({
    name,
    unit: known.get(name)?.unit ?? '',
    mean: own[k]?.mean ?? plain[k]?.mean ?? null,
    rms: own[k]?.rms ?? plain[k]?.rms ?? null,
    ripple: own[k]?.ripple ?? (plain[k] === undefined ? null : plain[k].greatest - plain[k].least),
    fundamental: own[k]?.fundamental ?? null,
    thd: own[k]?.thd ?? null,
    /** by how much these may be off because rows are far apart; null without a whole period */
    error: own[k]?.error ?? null,
    period: own[k]?.period ?? null,
  }));
  const spanEnd = found[0]?.end ?? end;
  const spanStart = start ?? found[0]?.begin ?? 0;
  // A span without a period is one period of itself: powers are its means, cut at its ends.
  const answers = await ask(
    powers.map(({ name }) => name),
    period ?? Math.max(spanEnd - spanStart, Number.MIN_VALUE),
  );
  const means = answers.flatMap((one) => one.periodic ?? []);
  const devices = powers.flatMap(({ element, stores }, k): DevicePower[] => {
    const measures = means[k];
    return measures === null ? [] : [{ element, power: measures.mean, error: measures.error.mean, stores }];
  });
  const measured = own.find((one) => one !== null);
  return {
    begin: period === undefined ? spanStart : (measured?.begin ?? spanStart),
    end: measured?.end ?? spanEnd,
    signals: rows,
    powers: devices.length === 0 ? null : powerBalance(devices, loads),
  };
}

const number = (value: number | null): string =>
  value === null ? '–' : String(Number(value.toPrecision(7)));
const percent = (value: number | null): string => (value === null ? '–' : `${(100 * value).toFixed(3)} %`);

/** Of one digit. */
const within = (error: number | null | undefined): string =>
  error === null || error === undefined ? '–' : String(Number(error.toPrecision(1)));

function measuresText(
  title: string,
  verdict: readonly (readonly [string, string])[],
  { begin, end, signals, powers }: Awaited<ReturnType<typeof measure>>,
): string {
  const lines = [title, ''];
  lines.push(
    ...verdict.map(([what, words]) => `  ${what.padEnd(14)}  ${words}`),
    '',
    `From ${number(begin)} s to ${number(end)} s`,
    '',
  );
  const header = ['signal', 'unit', 'mean', '±', 'RMS', '±', 'ripple', 'fundamental', 'THD', 'period s'];
  lines.push(
    ...textTable(
      header,
      signals.map((one) => [
        ...[one.name, one.unit, number(one.mean), within(one.error?.mean)],
        ...[number(one.rms), within(one.error?.rms), number(one.ripple)],
        ...[number(one.fundamental), percent(one.thd), number(one.period)],
      ]),
    ),
  );
  if (powers !== null) {
    const { devices, delivered, stored, losses, efficiency, efficiencyError, balance, loads } = powers;
    const share = (power: number): string => (delivered > 0 ? percent(power / delivered) : '–');
    lines.push(
      '',
      ...textTable(
        ['device', 'mean power W', '±', 'of what is delivered'],
        devices.map(({ element, power, error }) => [element, number(power), within(error), share(power)]),
      ),
      '',
      `Delivered ${number(delivered)} W; stored ${stored.toExponential(1)} W; sum over all devices ${balance.toExponential(1)} W.`,
    );
    if (efficiency !== null && efficiencyError !== null) {
      lines.push(
        `Efficiency ${percent(efficiency)} ± ${within(100 * efficiencyError)} % with the load ${loads.join(', ')}; losses ${number(losses)} W.`,
      );
      if (efficiencyError > WIDE)
        lines.push(
          'Rows are too far apart for these powers, or what is stored changes: shorten --h, and measure whole periods of a motion that has settled.',
        );
    }
  }
  return `${lines.join('\n')}\n`;
}
