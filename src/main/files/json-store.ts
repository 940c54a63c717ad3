/** A small JSON file of the program's own: window size, recent files. Losing it is a nuisance, never a failure. */
import { mkdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { saveAtomically } from './atomic';

export class JsonStore<T> {
  readonly #path: string;
  #value: T;
  #writing: Promise<void> = Promise.resolve();

  /**
   * Reads the file. One that is not valid is set aside as `NAME.corrupt`, and the fallback taken.
   * @param schema shape of a valid content
   */
  constructor(path: string, schema: z.ZodType<T>, fallback: T) {
    this.#path = path;
    this.#value = fallback;
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch {
      return;
    }
    try {
      this.#value = schema.parse(JSON.parse(text));
    } catch {
      try {
        renameSync(path, `${path}.corrupt`);
      } catch {
        // It stays where it is and is overwritten by the next change.
      }
    }
  }

  get value(): T {
    return this.#value;
  }

  /** Takes the value at once and writes it after earlier writes. A disk that refuses is not an error here. */
  set(value: T): Promise<void> {
    this.#value = value;
    const text = `${JSON.stringify(value, null, 2)}\n`;
    this.#writing = this.#writing.then(async () => {
      try {
        mkdirSync(dirname(this.#path), { recursive: true });
        await saveAtomically(this.#path, text, { backup: false });
      } catch {
        // The value is kept for this session.
      }
    });
    return this.#writing;
  }

  /** Resolves when everything set so far has been written. */
  settled(): Promise<void> {
    return this.#writing;
  }
}
