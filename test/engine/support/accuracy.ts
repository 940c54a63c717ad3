/** The true error of a run, against one that is finer by far, in the terms of the estimate. */
import { compareRecordings, impactContacts } from '@engine/analysis/comparison/compare-recordings';
import type { ComparedRecording } from '@engine/analysis/comparison/recorded-rows';
import type { Accuracy } from '@engine/analysis/accuracy/measure';
import type { ModelDocument } from '@engine/document/types';
import { MemoryChunks } from '@engine/recording/chunks';
import { createSandbox } from '@engine/script/sandbox';
import { prepareRun, type RunSession } from '@engine/run/session';

export const silent = (): ReturnType<typeof createSandbox> => createSandbox(() => undefined);

function recorded(
  document: ModelDocument,
  refinement: number,
): { session: RunSession; source: MemoryChunks } {
  const source = new MemoryChunks();
  const { signals: _, ...recording } = document.simulation.recording ?? {};
  const run = prepareRun(
    { document: { ...document, simulation: { ...document.simulation, recording } }, refinement, every: 1 },
    { sandbox: silent, sink: source, recordsTrajectory: true },
  );
  if (!run.ok) throw new Error(run.error.message);
  while (run.session.advance(100_000) === 'running');
  if (run.session.error !== null) throw new Error(run.session.error.message);
  return { session: run.session, source };
}

export interface TrueError {
  name: string;
  estimate: number;
  error: number;
  /** its largest magnitude, or the range that its errors are judged by */
  scale: number;
}

/** @param refinement of the reference */
export function trueErrors(
  document: ModelDocument,
  { signals, until }: Accuracy,
  refinement: number,
): TrueError[] {
  const coarse = recorded(document, 0);
  const fine = recorded(document, refinement);
  const all = coarse.session.signals;
  const place = (name: string): number => all.findIndex((signal) => signal.name === name);
  const contacts = impactContacts(all);
  const names = signals.map(({ name }) => name);
  const recordingOf = ({ session, source }: typeof coarse): ComparedRecording => ({
    source,
    scheme: session.scheme,
    h: session.h,
    signals: names.map(place),
    impulses: contacts.map(({ signal }) => place(signal)),
  });
  const limits = Float64Array.from(signals, ({ limit }) => limit);
  const ranges = limits.map((limit) => limit / coarse.session.accuracy);
  const jumps = ranges.map((range) => 0.01 * range);
  const span = { from: coarse.session.t0, to: until };
  const { scales, difference } = compareRecordings(
    recordingOf(fine),
    recordingOf(coarse),
    names,
    contacts,
    span,
    limits,
    jumps,
  );
  return difference.signals.map(({ name, awayMaximum }, k) => ({
    name,
    estimate: signals[k].error ?? 0,
    error: awayMaximum,
    scale: Math.max(scales[k], ranges[k]),
  }));
}

/**
 * Share of signals whose estimate is within a factor of ten of the error, of those whose error or estimate is
 * more than rounding.
 */
export function honesty(found: readonly TrueError[]): { counted: number; honest: number } {
  const counted = found.filter(({ error, estimate, scale }) => Math.max(error, estimate) > 1e-12 * scale);
  const honest = counted.filter(({ error, estimate }) => error <= 10 * estimate && estimate <= 10 * error);
  return { counted: counted.length, honest: honest.length };
}
