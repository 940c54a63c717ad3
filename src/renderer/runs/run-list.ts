/** The list of runs as it follows what the host tells. */
import type { RunInfo } from '@contract/methods';

/**
 * The newer state of a run with the signals it had: they are fixed once it has been prepared, and plots hang
 * on them.
 */
export const continued = (before: RunInfo, now: RunInfo): RunInfo =>
  now.signals.length === before.signals.length ? { ...now, signals: before.signals } : now;

/** In the order they were started. */
export const inOrder = (runs: readonly RunInfo[]): RunInfo[] =>
  [...runs].sort((a, b) => a.startedAt.localeCompare(b.startedAt));

/**
 * Runs of a list, of those that were kept, that are shown first: the newest that has something to show, with
 * all of its group.
 */
export function shownFirst(kept: readonly RunInfo[], list: readonly RunInfo[]): string[] {
  const newest = kept.findLast(({ statistics }) => statistics.rows > 1) ?? kept.at(-1);
  if (newest === undefined) return [];
  const { group } = newest;
  const together = kept.filter((run) => run === newest || (group !== null && run.group === group));
  const ids = new Set(together.map(({ runId }) => runId));
  return list.map(({ runId }) => runId).filter((id) => ids.has(id));
}
