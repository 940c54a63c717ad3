/** Which kept runs have to go so that they take no more of the disk than their user grants. */
import { statfs } from 'node:fs/promises';
import type { ListedRun } from './run-store';

/** A run counts as in use while a window has one of its documents open. */
const isUsed = ({ manifest }: ListedRun, open: ReadonlySet<string>): boolean =>
  manifest.documents.some((document) => open.has(document));

/**
 * Runs that may go, those first that are missed least: deleted ones, then the oldest.
 * @param open documents that somebody has open
 * @param isUnderWay whether a run is still computed
 */
export function removable(
  runs: readonly ListedRun[],
  open: ReadonlySet<string>,
  isUnderWay: (run: ListedRun) => boolean,
): ListedRun[] {
  const oldestFirst = [...runs].sort((a, b) => a.manifest.startedAt.localeCompare(b.manifest.startedAt));
  const isDeleted = ({ manifest }: ListedRun): boolean => manifest.deletedAt !== null;
  const free = oldestFirst.filter((run) => !isUnderWay(run));
  return [
    ...free.filter(isDeleted),
    ...free.filter((run) => !isDeleted(run) && !run.manifest.pinned && !isUsed(run, open)),
  ];
}

/** The first of those that may go, as many as the limit asks for. @param limit bytes; 0 is none */
export function overLimit(
  runs: readonly ListedRun[],
  candidates: readonly ListedRun[],
  limit: number,
): ListedRun[] {
  if (limit === 0) return [];
  let total = runs.reduce((sum, { bytes }) => sum + bytes, 0);
  const going: ListedRun[] = [];
  for (const run of candidates) {
    if (total <= limit) break;
    total -= run.bytes;
    going.push(run);
  }
  return going;
}

/** Bytes that are free for this user on the disk of a folder; null where that cannot be known. */
export async function freeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}
