/**
 * A lock between processes, for the moments in which one reads a file, changes it and writes it again. It is
 * a file beside that one, which is there for as long as the lock is held.
 */
import { type FileHandle, link, open, rename, rm, stat } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';

/** Time between two attempts, ms: a lock is held for a few. */
const PAUSE_MS = 10;
/**
 * A lock that is the same after so long was left behind by a process that was killed, ms. It is measured by
 * the one that waits: clocks may jump, and numbers of processes mean nothing on another machine.
 */
const ABANDONED_MS = 3000;

/**
 * Performs the action while no other process that asks for the same lock performs one. Where the disk takes
 * no lock, it is performed all the same, and meets the disk itself.
 * @param path of the file that is changed
 */
export async function withFileLock<T>(path: string, action: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`;
  const held = await acquire(lock);
  try {
    return await action();
  } finally {
    if (held !== null) await release(lock, held);
  }
}

/** @returns the inode of the lock; null where there can be none */
async function acquire(lock: string): Promise<number | null> {
  let seen: number | null = null;
  let since = performance.now();
  for (;;) {
    let file: FileHandle;
    try {
      file = await open(lock, 'wx', 0o600);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) return null;
      const present = await inodeOf(lock);
      if (present !== seen) {
        seen = present;
        since = performance.now();
      } else if (seen !== null && performance.now() - since > ABANDONED_MS) {
        await breakOpen(lock, seen);
        since = performance.now();
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * (1 + Math.random())));
      continue;
    }
    const { ino } = await file.stat();
    await file.close();
    return ino;
  }
}

/** Takes away the lock that was seen, and no other one that has come into its place. */
async function breakOpen(lock: string, seen: number): Promise<void> {
  const aside = `${lock}.${randomBytes(6).toString('hex')}`;
  try {
    await rename(lock, aside);
    if ((await inodeOf(aside)) !== seen) await link(aside, lock).catch(() => undefined);
    await rm(aside, { force: true });
  } catch {
    // Another process was faster.
  }
}

async function release(lock: string, held: number): Promise<void> {
  if ((await inodeOf(lock)) === held) await rm(lock, { force: true }).catch(() => undefined);
}

const inodeOf = (path: string): Promise<number | null> =>
  stat(path).then(
    ({ ino }) => ino,
    () => null,
  );
