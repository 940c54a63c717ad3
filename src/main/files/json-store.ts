/** A small JSON file of the program's own: window size, recent files. Losing it is a nuisance, never a failure. */
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { saveAtomically } from './atomic';

export class JsonStore<T> {
  readonly #path: string;
  readonly #schema: z.ZodType<T>;
  readonly #fallback: T;
  #value: T;
  /** the file has been read or written */
  #stored = false;
  #setAside: string | null = null;
  /** writes that have been asked for and are not done */
  #unwritten = 0;
  #writing: Promise<void> = Promise.resolve();

  /**
   * Reads the file. One that is not valid is set aside as `NAME.corrupt`, and the fallback taken.
   * @param schema shape of a valid content
   */
  constructor(path: string, schema: z.ZodType<T>, fallback: T) {
    this.#path = path;
    this.#schema = schema;
    this.#fallback = fallback;
    this.#value = fallback;
    this.reload();
  }

  get value(): T {
    return this.#value;
  }

  /** Reads the file once more, which another process may have written; not while this one is writing. */
  reload(): void {
    if (this.#unwritten > 0) return;
    let text: string;
    try {
      text = readFileSync(this.#path, 'utf8');
    } catch {
      // Taken away since: what it held is no longer wanted. Never there, or a disk that refuses: the known value holds.
      if (this.#stored && !existsSync(this.#path)) {
        this.#stored = false;
        this.#value = this.#fallback;
      }
      return;
    }
    this.#stored = true;
    try {
      this.#value = this.#schema.parse(JSON.parse(text));
    } catch {
      this.#value = this.#fallback;
      try {
        renameSync(this.#path, `${this.#path}.corrupt`);
        this.#setAside = `${this.#path}.corrupt`;
      } catch {
        // It stays where it is and is overwritten by the next change.
      }
    }
  }

  /** Where a file that was not valid has been put, told once. */
  takeSetAside(): string | null {
    const path = this.#setAside;
    this.#setAside = null;
    return path;
  }

  /** Takes the value at once and writes it after earlier writes. A disk that refuses is not an error here. */
  set(value: T): Promise<void> {
    this.#value = value;
    const text = `${JSON.stringify(value, null, 2)}\n`;
    this.#unwritten++;
    this.#writing = this.#writing.then(async () => {
      try {
        mkdirSync(dirname(this.#path), { recursive: true });
        await saveAtomically(this.#path, text, { backup: false });
        this.#stored = true;
      } catch {
        // The value is kept for this session.
      }
      this.#unwritten--;
    });
    return this.#writing;
  }

  /** Resolves when everything set so far has been written. */
  settled(): Promise<void> {
    return this.#writing;
  }
}
