/**
 * A small JSON file of the program's own: settings, window size, recent files. Several processes may change
 * it: each change is made to what the file holds then. Losing it is a nuisance, never a failure.
 */
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import type { MoreauError } from '@contract/errors';
import type { z } from 'zod';
import { saveAtomically } from './atomic';
import { fileError } from './file-errors';
import { withFileLock } from './file-lock';

type Change<T> = (present: T) => T;

export class JsonStore<T> {
  readonly #path: string;
  readonly #schema: z.ZodType<T>;
  readonly #fallback: T;
  #value: T;
  /** what the file held when it was read or written last */
  #known: T;
  /** the file has been read or written */
  #stored = false;
  #setAside: string | null = null;
  /** changes that are not on the disk, in their order */
  #unwritten: Change<T>[] = [];
  #writing: Promise<MoreauError | null> = Promise.resolve(null);

  /**
   * Reads the file. One that is not valid is set aside as `NAME.corrupt`, and the fallback taken.
   * @param schema shape of a valid content
   */
  constructor(path: string, schema: z.ZodType<T>, fallback: T) {
    this.#path = path;
    this.#schema = schema;
    this.#fallback = fallback;
    this.#value = this.#known = fallback;
    this.reload();
  }

  get value(): T {
    return this.#value;
  }

  /** Reads the file once more, which another process may have written; what is not written yet holds. */
  reload(): void {
    this.#known = this.#read();
    this.#value = this.#changed(this.#known, this.#unwritten);
  }

  #changed(value: T, changes: readonly Change<T>[]): T {
    return changes.reduce((present, change) => change(present), value);
  }

  /** What the file holds; what it held last where it cannot be read. */
  #read(): T {
    let text: string;
    try {
      text = readFileSync(this.#path, 'utf8');
    } catch {
      // Taken away since: what it held is no longer wanted. Never there, or a disk that refuses: the known
      // value holds.
      if (!this.#stored || existsSync(this.#path)) return this.#known;
      this.#stored = false;
      return this.#fallback;
    }
    this.#stored = true;
    try {
      return this.#schema.parse(JSON.parse(text));
    } catch {
      try {
        renameSync(this.#path, `${this.#path}.corrupt`);
        this.#setAside = `${this.#path}.corrupt`;
      } catch {
        // It stays where it is and is overwritten by the next change.
      }
      return this.#fallback;
    }
  }

  /** Where a file that was not valid has been put, told once. */
  takeSetAside(): string | null {
    const path = this.#setAside;
    this.#setAside = null;
    return path;
  }

  /** Takes the value at once and writes it after earlier ones. */
  set(value: T): Promise<MoreauError | null> {
    return this.update(() => value);
  }

  /**
   * Changes the value at once, and then what the file holds.
   * @param change is made to what is known of the file first, and to what it holds when it is written
   * @returns why the disk has not taken it; it holds for this session then, and is written with the next
   *   change
   */
  update(change: Change<T>): Promise<MoreauError | null> {
    this.#value = change(this.#value);
    this.#unwritten.push(change);
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<MoreauError | null> {
    const count = this.#unwritten.length;
    // Changes that come together are written together.
    if (count === 0) return null;
    try {
      mkdirSync(dirname(this.#path), { recursive: true });
      await withFileLock(this.#path, async () => {
        const value = this.#changed(this.#read(), this.#unwritten.slice(0, count));
        await saveAtomically(this.#path, `${JSON.stringify(value, null, 2)}\n`, { backup: false });
        this.#stored = true;
        this.#known = value;
        this.#unwritten.splice(0, count);
        this.#value = this.#changed(value, this.#unwritten);
      });
      return null;
    } catch (error) {
      return fileError(this.#path, 'written', error);
    }
  }

  /** Resolves when everything changed so far has been written, or has failed to be. */
  async settled(): Promise<void> {
    await this.#writing;
  }
}
