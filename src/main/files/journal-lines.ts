/** A file that grows by lines, read again after a kill: a line that was cut off counts as not written. */
import { appendFile, readFile } from 'node:fs/promises';

export class JournalLines {
  #pending = '';
  #writing: Promise<void> = Promise.resolve();

  constructor(private readonly path: string) {}

  /** Lines that come while others are being written are written together. */
  add(line: unknown): void {
    const isIdle = this.#pending === '';
    this.#pending += `${JSON.stringify(line)}\n`;
    if (isIdle) this.#writing = this.#writing.then(() => this.#write());
  }

  async #write(): Promise<void> {
    const text = this.#pending;
    this.#pending = '';
    await appendFile(this.path, text);
  }

  /** @throws when the disk has not taken it */
  async flush(): Promise<void> {
    await this.#writing;
  }
}

/** The text up to the end of the last whole line; null where there is no file. */
export async function wholeLines(path: string): Promise<string | null> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  });
  return text === null ? null : text.slice(0, text.lastIndexOf('\n') + 1);
}

/** null for what is no JSON. */
export function parseLine(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return null;
  }
}
