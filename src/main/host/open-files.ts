/**
 * Files that are read now and then. A process may hold about a thousand descriptors, and a session can have
 * more recordings than that, so a file is opened when it is read, and of all only those used last stay open.
 */
import { closeSync, openSync } from 'node:fs';
import { fileError } from '../files/file-errors';

export class OpenFiles {
  /** descriptors by path, the least recently used first */
  readonly #open = new Map<string, number>();

  /** @param most files that stay open */
  constructor(private readonly most: number) {}

  /** A descriptor to read from, good until the next call. @throws {MoreauError} why it cannot be opened */
  descriptor(path: string): number {
    const known = this.#open.get(path);
    if (known !== undefined) {
      this.#open.delete(path);
      this.#open.set(path, known);
      return known;
    }
    for (const [oldest] of this.#open) {
      if (this.#open.size < this.most) break;
      this.close(oldest);
    }
    try {
      const opened = openSync(path, 'r');
      this.#open.set(path, opened);
      return opened;
    } catch (error) {
      throw fileError(path, 'read', error);
    }
  }

  close(path: string): void {
    const known = this.#open.get(path);
    if (known === undefined) return;
    this.#open.delete(path);
    closeSync(known);
  }
}
