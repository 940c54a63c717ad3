/** Tells when another program writes, replaces or removes a file that the window has open. */
import { createHash } from 'node:crypto';
import { unwatchFile, watchFile } from 'node:fs';
import { readFile } from 'node:fs/promises';

/**
 * Between two looks at a file, ms. Looking, and not being told by the system: editors replace files, and
 * network folders tell nothing.
 */
const INTERVAL_MS = 1000;

/** Identity of a file's content. */
export const stampOf = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex');

interface Watched {
  /** content that the window knows of; null: that there is none */
  stamp: string | null;
  listener: () => void;
}

export class WatchedFiles {
  readonly #files = new Map<string, Watched>();
  /** contents that were read or written here, also of files that are not watched yet */
  readonly #known = new Map<string, string>();
  readonly #onChange: (path: string, stamp: string | null) => void;
  readonly #interval: number;
  readonly #writing = new Set<string>();

  /** @param onChange told the identity of the new content; null when the file is gone */
  constructor(onChange: (path: string, stamp: string | null) => void, interval = INTERVAL_MS) {
    this.#onChange = onChange;
    this.#interval = interval;
  }

  /** The window has read this content: that is no news to it. */
  know(path: string, stamp: string): void {
    this.#known.set(path, stamp);
    const watched = this.#files.get(path);
    if (watched !== undefined) watched.stamp = stamp;
  }

  /** Performs a write of the window's own, which is no news to it. */
  async whileWriting(path: string, stamp: string, write: () => Promise<void>): Promise<void> {
    this.#writing.add(path);
    try {
      await write();
      this.know(path, stamp);
    } finally {
      this.#writing.delete(path);
    }
  }

  /** Watches these files and no others from now on. */
  watch(paths: readonly string[]): void {
    const wanted = new Set(paths);
    for (const [path, { listener }] of this.#files) {
      if (wanted.has(path)) continue;
      unwatchFile(path, listener);
      this.#files.delete(path);
      this.#known.delete(path);
    }
    for (const path of wanted) {
      if (this.#files.has(path)) continue;
      const listener = (): void => void this.#look(path);
      this.#files.set(path, { stamp: this.#known.get(path) ?? null, listener });
      watchFile(path, { interval: this.#interval, persistent: false }, listener);
    }
  }

  async #look(path: string): Promise<void> {
    const stamp = await readFile(path).then(stampOf, () => null);
    const watched = this.#files.get(path);
    // The next look tells what another program did while the window was writing.
    if (watched === undefined || watched.stamp === stamp || this.#writing.has(path)) return;
    watched.stamp = stamp;
    this.#onChange(path, stamp);
  }

  dispose(): void {
    this.watch([]);
  }
}
