/** The runs of a comparison: one event-driven, and by time-stepping one for each step length; in parallel. */
import { availableParallelism } from 'node:os';
import type { RemoteError } from '@contract/errors';
import type { Dispatcher, MethodParams, RunInfo } from '@contract/methods';
import { runShare } from '@contract/progress';
import type { Expression, ModelDocument } from '@engine/document/types';
import type { Interruption } from '../interruption';
import { detailsOf } from '../report';
import type { StartOptions } from '../run-options';

export type StartParams = MethodParams<'run.start'>;

/** A run that is over, or why it never began. */
export type SchemeRun = { readonly run: RunInfo } | { readonly refusal: RemoteError };

const divided = (h: Expression, by: number): Expression => (typeof h === 'number' ? h / by : `(${h})/${by}`);

/**
 * What is to be run: the event-driven run first, then h, h/2, h/4, …
 *
 * Everything is recorded in every step: impacts of a contact show in its impulses, which no later row
 * repeats. Rows of the event-driven run lie as close as those of the shortest step, so that each run finds
 * its own times among them. A step that is chosen as the run goes on would leave nothing to halve.
 */
export function schemeRuns(document: ModelDocument, options: StartOptions, levels: number): StartParams[] {
  const { h, set, tEnd } = options;
  const given = { ...(set === undefined ? {} : { set }), ...(tEnd === undefined ? {} : { tEnd }) };
  const finest = 2 ** (levels - 1);
  const params = (scheme: StartParams['scheme'], by: number): StartParams => {
    const changed = withStep(document, by);
    return { document: changed, ...given, ...(h === undefined ? {} : { h: h / by }), scheme };
  };
  const stepped = Array.from({ length: levels }, (_, k) => params('time-stepping', 2 ** k));
  return [params('event-driven', finest), ...stepped];
}

/** The document with another step. What is no simulation section is left to be refused as it is. */
function withStep(document: ModelDocument, by: number): ModelDocument {
  const simulation: unknown = document.simulation;
  if (typeof simulation !== 'object' || simulation === null || Array.isArray(simulation)) return document;
  const { stepControl: _, ...kept } = document.simulation;
  const h: unknown = kept.h;
  const isStep = typeof h === 'number' || typeof h === 'string';
  return {
    ...document,
    simulation: { ...kept, ...(isStep ? { h: divided(h, by) } : {}), recording: { every: 1 } },
  };
}

/** Told while runs compute. */
export interface RunsObserver {
  /** A run has begun, with its signals. @throws {MoreauError} when it cannot serve */
  begun(run: RunInfo): void;
  /** the run that has the longest way to go */
  progress(run: RunInfo): void;
  console(script: string, text: string): void;
}

const isOver = ({ state }: RunInfo): boolean =>
  state === 'done' || state === 'failed' || state === 'cancelled';

/**
 * Runs all of them, as many at a time as there are processors, the longest first. When one fails or the user
 * interrupts, the others are cancelled.
 * @returns their ends in the order of the parameters
 */
export async function runAll(
  host: Dispatcher,
  wanted: readonly StartParams[],
  interruption: Interruption,
  observer: RunsObserver,
): Promise<SchemeRun[]> {
  const active = new Map<string, RunInfo>();
  const ends = new Map<string, (run: RunInfo) => void>();
  let stopped = interruption.asked;
  const stop = (): void => {
    stopped = true;
    for (const runId of active.keys()) void host.dispatch('run.cancel', { runId });
  };
  const unsubscribe = host.onEvent((event) => {
    if (event.event === 'run.console') {
      observer.console(event.data.script, event.data.text);
      return;
    }
    if (event.event !== 'run.progress') return;
    const { run } = event.data;
    active.set(run.runId, run);
    // A run of which the first news comes after the wish to stop.
    if (stopped && !isOver(run)) void host.dispatch('run.cancel', { runId: run.runId });
    if (isOver(run)) {
      active.delete(run.runId);
      ends.get(run.runId)?.(run);
    } else {
      observer.progress([...active.values()].reduce((a, b) => (runShare(b) < runShare(a) ? b : a)));
    }
  });
  interruption.react(stop);
  const one = async (params: StartParams): Promise<SchemeRun> => {
    try {
      const started = await host.dispatch('run.start', { ...params, measure: false });
      const { runId } = started;
      // One that waits, or was cancelled before its model was built, does not know its signals.
      if (started.signals.length > 0) observer.begun(started);
      const run = await new Promise<RunInfo>((resolve, reject) => {
        ends.set(runId, resolve);
        if (stopped) void host.dispatch('run.cancel', { runId });
        // It may have ended before anyone listened.
        host.dispatch('run.get', { runId }).then((now) => {
          if (isOver(now)) resolve(now);
        }, reject);
      });
      if (run.state !== 'done') stop();
      return { run };
    } catch (error) {
      stop();
      return { refusal: detailsOf(error) };
    }
  };
  // The shortest steps take longest, and the event-driven run is the one most likely to be refused.
  const order = wanted.map((_, i) => i).sort((a, b) => (a === 0 || b === 0 ? a - b : b - a));
  const results = new Map<number, SchemeRun>();
  const work = async (): Promise<void> => {
    for (let i = order.shift(); i !== undefined; i = order.shift()) {
      results.set(i, stopped ? { refusal: CANCELLED } : await one(wanted[i]));
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work));
  } finally {
    interruption.react(() => undefined);
    unsubscribe();
  }
  return wanted.map((_, i) => results.get(i) ?? { refusal: CANCELLED });
}

/** Why a run was not begun after another one had failed, or after an interrupt. */
const CANCELLED: RemoteError = { code: 'cancelled', message: 'The run was not started.' };

/** What went wrong: of several failures, one that is not the cancelling of the others. */
export function failureOf(results: readonly SchemeRun[]): RemoteError | null {
  for (const result of results) {
    const error = 'refusal' in result ? result.refusal : result.run.error;
    if (error !== undefined && error.code !== CANCELLED.code) return error;
  }
  return null;
}
