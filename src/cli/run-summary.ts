/** The outcome of `moreau run` as JSON and as a table. */
import type { BlocksCertificate } from '@engine/certificate/residual-maxima';
import type { SchemeName } from '@engine/document/types';
import type { Completeness } from '@engine/run/schemes/scheme';
import type { RemoteError } from '@contract/errors';
import {
  decisiveSignal,
  gainsEnergy,
  isAccurate,
  isCertified,
  TOLERANCE,
  wasCompared,
  worstOf,
} from '@contract/verdict';
import type { Accuracy, RunEvent, RunInfo, RunWork } from '@contract/methods';

/** Keys are a contract. */
export interface RunSummary extends RunWork {
  status: 'done' | 'failed' | 'cancelled';
  scheme: string;
  steps: number;
  /** by time-stepping, contacts that closed */
  events: number;
  /** where impacts accumulated, and where the motion after them came from: event-driven only */
  zeno?: { element: string; time: number; error: number }[];
  /** the first ten thousand of them in the order of time: event-driven only */
  eventList?: Omit<RunEvent, 'accumulation' | 'partition'>[];
  simulatedTime: number;
  wallSeconds: number;
  stepsPerSecond: number;
  worstResidual: number;
  /** whether the equations of the scheme hold in what was computed */
  certified: boolean;
  /** what control blocks gave against their laws, with the first defect; absent without blocks */
  blocks?: BlocksCertificate;
  energyDrift?: number;
  /** part of the largest energy that the steps themselves have added */
  energyGain?: number;
  /** whether no event was missed, or the resolution, s, at which some were looked for */
  complete?: Completeness;
  /** how accurate it is, estimated from finer runs; null where that was not measured */
  accuracy: Accuracy | null;
  warnings: string[];
  signals: { name: string; unit: string; last: number | null }[];
  /** why the run or its export failed */
  error?: RemoteError;
}

/**
 * @param last last recorded value of each signal; empty when nothing was recorded
 * @param exportError why the data file was not written; a warning when the run itself failed
 */
export function summarise(
  run: RunInfo,
  last: readonly number[],
  exportError: RemoteError | null = null,
  events: readonly RunEvent[] = [],
): RunSummary {
  const { statistics: s } = run;
  const error = run.error ?? exportError;
  return {
    status: run.state === 'done' || run.state === 'failed' ? run.state : 'cancelled',
    scheme: run.scheme,
    steps: s.steps,
    rejectedSteps: s.rejectedSteps,
    factorisations: s.factorisations,
    newtonIterations: s.newtonIterations,
    solverIterations: s.solverIterations,
    events: s.events,
    ...(run.scheme === 'event-driven' ? { zeno: accumulations(events), eventList: listed(events) } : {}),
    simulatedTime: s.simulatedTime,
    wallSeconds: s.wallSeconds,
    stepsPerSecond: s.stepsPerSecond,
    worstResidual: worstOf(s.certificate),
    // What has failed is no result, however well it was solved up to there.
    certified: run.state !== 'failed' && isCertified(s.certificate),
    ...(s.certificate.blocks === undefined ? {} : { blocks: s.certificate.blocks }),
    ...(s.energyDrift === null ? {} : { energyDrift: s.energyDrift }),
    ...(typeof s.energyGain?.share === 'number' ? { energyGain: s.energyGain.share } : {}),
    ...(s.complete === undefined || run.state === 'failed' ? {} : { complete: s.complete }),
    accuracy: run.accuracy?.state === 'measured' ? run.accuracy.accuracy : null,
    warnings:
      run.error !== undefined && exportError !== null ? [...run.warnings, exportError.message] : run.warnings,
    signals: run.signals.map(({ name, unit }, i) => ({ name, unit, last: last[i] ?? null })),
    ...(error === null ? {} : { error }),
  };
}

/** Events that are listed: the others are in the window, and an impact is a section of its own. */
const LISTED_EVENTS = 10_000;
const listed = (events: readonly RunEvent[]): NonNullable<RunSummary['eventList']> =>
  events.slice(0, LISTED_EVENTS).map(({ time, kind, element, row, before, after, impulse }) => ({
    time,
    kind,
    element,
    row,
    before,
    after,
    impulse,
  }));

/** Times at which impacts accumulate, with their error bars. */
const accumulations = (events: readonly RunEvent[]): NonNullable<RunSummary['zeno']> =>
  events.flatMap(({ element, accumulation }) =>
    accumulation === null ? [] : [{ element, ...accumulation }],
  );

/** A run that never began. */
export function unstartedSummary(
  status: 'failed' | 'cancelled',
  scheme: SchemeName,
  error?: RemoteError,
): RunSummary {
  return {
    status,
    scheme,
    steps: 0,
    rejectedSteps: 0,
    factorisations: 0,
    newtonIterations: 0,
    solverIterations: 0,
    events: 0,
    simulatedTime: 0,
    wallSeconds: 0,
    stepsPerSecond: 0,
    worstResidual: 0,
    // Nothing was computed.
    certified: false,
    accuracy: null,
    warnings: [],
    signals: [],
    ...(error === undefined ? {} : { error }),
  };
}

/** How complete and accurate a run is, in words. */
function completeText({ complete, scheme, status }: RunSummary): string | null {
  // What a run that stops on its way would have missed is not known.
  if (complete === undefined || status !== 'done') return null;
  const isStepped = scheme === 'time-stepping';
  if (complete === true) return isStepped ? null : 'none missed';
  if (complete === false)
    return `MISSED: ${isStepped ? 'a function of time changes to and fro within a step' : 'an event was passed over'} (exit code 5)`;
  return `none missed that lasts ${complete.resolution} s`;
}

/** Runs with tolerances have no order; steps without one do not come nearer when they are halved. */
function remedyOf({ scheme }: RunInfo, { order }: Accuracy): string {
  if (order !== null) return 'halve the step';
  return scheme === 'time-stepping'
    ? 'try event-driven, or far shorter steps: half of them are no nearer'
    : 'lower the tolerances of the flight';
}

function accuracyText(run: RunInfo, { status }: RunSummary): string | null {
  const { energyGain } = run.statistics;
  if (energyGain !== undefined && energyGain !== null && gainsEnergy(run.statistics))
    return `NOT ACCURATE: the steps themselves have added ${energyGain.share.toPrecision(2)} of the largest energy, more than ${energyGain.limit}${
      status === 'done' ? ' (exit code 5)' : ''
    }; halve the step, or project positions combined, joints only or not at all`;
  const known = run.accuracy;
  if (known === undefined) return null;
  if (known.state !== 'measured')
    return known.state === 'unknown' ? `not measured: ${known.message}` : 'not measured';
  const { accuracy } = known;
  const order = accuracy.order === null ? '' : `, order ${accuracy.order.toFixed(1)}`;
  if (accuracy.parts)
    return `no digits after t = ${accuracy.until.toPrecision(4)} s, where any error grows without bound (chaos); trust statistics, not single values`;
  const signal = decisiveSignal(known);
  if (signal === null || signal.error === null || (isAccurate(signal) && !wasCompared(accuracy)))
    return 'not known: a signal could not be compared with finer runs, or only where it hardly moves';
  const { error, limit, unit } = signal;
  const name = signal.drawn ?? signal.name;
  const figure = (value: number): string => `${value.toExponential(1)}${unit === '' ? '' : ` ${unit}`}`;
  if (isAccurate(signal)) return `to ${figure(error)} in ${name}${order}`;
  const code = status === 'done' ? ' (exit code 5)' : '';
  return `NOT ACCURATE: ${name} is off by ${figure(error)}, more than ${figure(limit)}${order}${code}; ${remedyOf(
    run,
    accuracy,
  )}`;
}

const solvedText = (
  { certified, worstResidual, status }: RunSummary,
  { worstElement, worstTime }: RunInfo['statistics']['certificate'],
): string => {
  const figure = worstResidual.toExponential(2);
  if (certified) return `solved, worst residual ${figure}`;
  const place = typeof worstElement === 'string' ? ` at “${worstElement}”, t = ${worstTime} s` : '';
  const code = status === 'done' ? '; the result is not certified (exit code 5)' : '';
  if (status === 'failed' && worstResidual <= TOLERANCE) return `worst residual ${figure} up to there`;
  return `NOT SATISFIED: worst residual ${figure}${place}${code}`;
};

/** What is wrong with control blocks, and where, in words. */
function blocksText({ samples, defect }: BlocksCertificate): string {
  if (defect === null) return `${samples} samples, each as its law gives it`;
  const { kind, block, signal, time, expected, found } = defect;
  if (kind === 'missing') return `NOT SATISFIED: “${block}” has no sample at t = ${time} s`;
  const values = `${found}, where ${expected} is expected`;
  if (kind === 'value') return `NOT SATISFIED: at the sample at t = ${time} s ${signal} is ${values}`;
  if (kind === 'held')
    return `NOT SATISFIED: at t = ${time} s, between two samples, ${signal} becomes ${values}`;
  return `NOT SATISFIED: from t = ${time} s on ${signal} drives fields by ${values}`;
}

/** Signals listed in full; a column of beads has thousands. */
const LISTED_SIGNALS = 40;

/** How well a run is solved, whether events are missing, and how accurate it is. */
export function verdictRows(run: RunInfo, summary: RunSummary): [string, string][] {
  const complete = completeText(summary);
  const accuracy = accuracyText(run, summary);
  return [
    ['equations', solvedText(summary, run.statistics.certificate)],
    ...(summary.blocks === undefined
      ? []
      : [['control blocks', blocksText(summary.blocks)] as [string, string]]),
    ...(complete === null ? [] : [['events found', complete] as [string, string]]),
    ...(accuracy === null ? [] : [['accurate', accuracy] as [string, string]]),
  ];
}

/** The table for people. */
export function summaryText(run: RunInfo, summary: RunSummary): string {
  const { title } = run;
  const number = (value: number): string => value.toPrecision(6);
  const rows: [string, string][] = [
    ['status', summary.status],
    ['scheme', summary.scheme],
    ['steps', `${summary.steps} (${Math.round(summary.stepsPerSecond)} a second)`],
    ...(summary.rejectedSteps > 0
      ? [['steps taken back', String(summary.rejectedSteps)] as [string, string]]
      : []),
    ['Newton iterations', String(summary.newtonIterations)],
    ['solver iterations', String(summary.solverIterations)],
    ['factorisations', String(summary.factorisations)],
    [summary.scheme === 'event-driven' ? 'events' : 'contacts that closed', String(summary.events)],
    ['simulated time', `${number(summary.simulatedTime)} s in ${number(summary.wallSeconds)} s`],
    ...verdictRows(run, summary),
  ];
  if (summary.error !== undefined) rows.push(['error', summary.error.message]);
  if (summary.energyDrift !== undefined) rows.push(['energy drift', summary.energyDrift.toExponential(2)]);
  for (const { element, time, error } of summary.zeno ?? [])
    rows.push(['impacts accumulate', `${element} at ${time.toPrecision(12)} ± ${error.toExponential(0)} s`]);
  for (const warning of summary.warnings) rows.push(['warning', warning]);
  const listed = summary.signals.slice(0, LISTED_SIGNALS);
  const width = Math.max(...rows.map(([key]) => key.length), ...listed.map((signal) => signal.name.length));
  const lines = [title, ...rows.map(([key, value]) => `  ${key.padEnd(width)}  ${value}`)];
  if (listed.length > 0) lines.push('last values');
  for (const { name, unit, last } of listed) {
    lines.push(
      `  ${name.padEnd(width)}  ${last === null ? '–' : number(last)}${unit === '' ? '' : ` ${unit}`}`,
    );
  }
  const more = summary.signals.length - listed.length;
  if (more > 0) lines.push(`  … and ${more} more (--json or --out has all)`);
  return `${lines.join('\n')}\n`;
}
