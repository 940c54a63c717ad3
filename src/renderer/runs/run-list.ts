/** The list of runs as it follows what the host tells. */
import type { RunInfo } from '@contract/methods';

/** The newer state of a run with the signals it had: they are fixed once it has been prepared, and plots hang on them. */
export const continued = (before: RunInfo, now: RunInfo): RunInfo =>
  now.signals.length === before.signals.length ? { ...now, signals: before.signals } : now;

/** In the order they were started. */
export const inOrder = (runs: readonly RunInfo[]): RunInfo[] =>
  [...runs].sort((a, b) => a.startedAt.localeCompare(b.startedAt));
