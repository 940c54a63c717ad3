/**
 * What a window keeps of the runs of one document, and what becomes of it. Knows no host and no store.
 *
 * | attempt    | holds     | next                                      |
 * | ---------- | --------- | ----------------------------------------- |
 * | `none`     |           | `attempt`: starting                       |
 * | `starting` |           | `settled`: none; `failed`: failed         |
 * | `failed`   | the error | `attempt`: starting; `show`: none         |
 *
 * | shown | holds                                     | next                                               |
 * | ----- | ----------------------------------------- | -------------------------------------------------- |
 * | null  |                                           | `started`, `show`, `showGroup`, `restored`: a run  |
 * | a run | it, the run before, what it stands in for | the same, of another run; `drop`: another, or null |
 *
 * The run before it is drawn faintly, as those are that are pinned; which are pinned does not depend on what
 * is shown.
 */
import type { RemoteError } from '@contract/errors';
import type { ModelDocument } from '@engine/document/types';

/** Whether a run is on its way, or why the last one could not even start. */
type Attempt =
  | { readonly name: 'none' }
  | { readonly name: 'starting' }
  | { readonly name: 'failed'; readonly error: RemoteError };

interface Shown {
  /** the run that plots show in full colour */
  readonly runId: string;
  /** the run before it, drawn faintly */
  readonly previous: string | null;
  /** the discarded run of the same slider movement: its curves stay until this one has some */
  readonly replaced: string | null;
}

export interface DocumentRuns {
  readonly attempt: Attempt;
  readonly shown: Shown | null;
  /** runs kept in the plots for comparison */
  readonly pinned: ReadonlySet<string>;
  /** runs of the document, each with the state of the document it computes */
  readonly computed: ReadonlyMap<string, ModelDocument>;
  /** the run that was started by an edit last: the next such run takes its place, whatever the edit is */
  readonly live: string | null;
  /** a run has been started here */
  readonly begun: boolean;
}

const NONE: Attempt = { name: 'none' };

export const noRuns = (): DocumentRuns => ({
  attempt: NONE,
  shown: null,
  pinned: new Set(),
  computed: new Map(),
  live: null,
  begun: false,
});

/** A run is about to be started. */
export const attempt = (runs: DocumentRuns): DocumentRuns => ({ ...runs, attempt: { name: 'starting' } });

/** It could not start. */
export const failed = (runs: DocumentRuns, error: RemoteError): DocumentRuns => ({
  ...runs,
  attempt: { name: 'failed', error },
});

/** The attempt is over, whatever came of it; why it failed is still told. */
export const settled = (runs: DocumentRuns): DocumentRuns =>
  runs.attempt.name === 'starting' ? { ...runs, attempt: NONE } : runs;

/** A run of the document is known with what it computes. @param isOurs whether it has been started here */
export const remember = (
  runs: DocumentRuns,
  runId: string,
  document: ModelDocument,
  isOurs: boolean,
): DocumentRuns => ({
  ...runs,
  computed: new Map([...runs.computed, [runId, document]]),
  begun: runs.begun || isOurs,
});

/** A run has started, and is shown. @param previous the run to be drawn behind it */
export const started = (runs: DocumentRuns, runId: string, previous: string | null): DocumentRuns => ({
  ...runs,
  shown: { runId, previous, replaced: runs.shown?.replaced ?? null },
});

/** The curves of a discarded run are not waited with any more. */
export const withoutReplaced = (runs: DocumentRuns): DocumentRuns =>
  runs.shown === null || runs.shown.replaced === null
    ? runs
    : { ...runs, shown: { ...runs.shown, replaced: null } };

/** The run that is shown was started by an edit. @param replaced the run it stands in for */
export const startedByEdit = (runs: DocumentRuns, replaced: string | null): DocumentRuns =>
  runs.shown === null ? runs : { ...runs, live: runs.shown.runId, shown: { ...runs.shown, replaced } };

export function show(runs: DocumentRuns, runId: string): DocumentRuns {
  const calm = runs.attempt.name === 'failed' ? { ...runs, attempt: NONE } : runs;
  return calm.shown?.runId === runId ? calm : { ...calm, shown: { runId, previous: null, replaced: null } };
}

export const pin = (runs: DocumentRuns, pinned: Iterable<string>): DocumentRuns => ({
  ...runs,
  pinned: new Set(pinned),
});

/** Shows a run with others behind it. */
export const showWith = (runs: DocumentRuns, runId: string, others: readonly string[]): DocumentRuns =>
  pin(
    show(runs, runId),
    others.filter((id) => id !== runId),
  );

/** The first of some runs is shown with the others behind it, unless another one is shown meanwhile. */
export function showGroup(runs: DocumentRuns, ids: readonly string[]): DocumentRuns {
  const [first, ...others] = ids;
  if (first === undefined) return runs;
  if (others.length > 0) return runs.shown?.runId === first ? pin(runs, others) : runs;
  const shown = { runId: first, previous: null, replaced: runs.shown?.replaced ?? null };
  return pin({ ...runs, shown }, []);
}

/** Runs of an earlier session. @param first those to be shown where none is, the one in full colour first */
export function restored(
  runs: DocumentRuns,
  pins: readonly string[],
  first: readonly string[],
): DocumentRuns {
  const pinned = pin(runs, [...runs.pinned, ...pins]);
  const [runId, ...others] = first;
  if (runId === undefined || runs.shown !== null) return pinned;
  return pin({ ...pinned, shown: { runId, previous: null, replaced: null } }, [...pinned.pinned, ...others]);
}

/** A run is gone. @param instead the run to be shown in its place */
export function drop(runs: DocumentRuns, runId: string, instead: string | null): DocumentRuns {
  const { pinned } = runs;
  const left = pinned.has(runId)
    ? pin(
        runs,
        [...pinned].filter((id) => id !== runId),
      )
    : runs;
  const { shown } = left;
  if (shown === null || (shown.runId !== runId && shown.previous !== runId)) return left;
  const previous = shown.previous === runId ? null : shown.previous;
  if (shown.runId !== runId) return { ...left, shown: { ...shown, previous } };
  return { ...left, shown: instead === null ? null : { ...shown, runId: instead, previous } };
}
