/**
 * Files that grow by lines, read again after a kill or on a disk that has lost a bit. Each line is JSON
 * behind a checksum, which covers the name of what the line belongs to as well: a line that was cut off,
 * changed or taken from elsewhere does not count. Lines of older versions have no checksum.
 */
import { createHash } from 'node:crypto';
import { appendFile, readFile } from 'node:fs/promises';
import type { MoreauError } from '@contract/errors';
import { fileError } from './file-errors';

/** Hexadecimal digits of a checksum: of 2^64 damaged lines one passes. */
const DIGITS = 16;

const checksum = (text: string, owner: string): string =>
  createHash('sha256').update(`${owner}\n`).update(text).digest('hex').slice(0, DIGITS);

/** @param text without a line break @param owner what the line belongs to */
export const sealLine = (text: string, owner: string): string => `${checksum(text, owner)} ${text}`;

/** The text of a line; null where it is not what was written for this owner. */
export function openLine(line: string, owner: string): string | null {
  const text = line.slice(DIGITS + 1);
  return line === sealLine(text, owner) ? text : null;
}

/** Whether a line is of a version that wrote no checksums. */
export const isUnsealed = (line: string): boolean => line.startsWith('{');

export class JournalLines {
  #pending = '';
  #writing: Promise<void> = Promise.resolve();
  #failure: MoreauError | null = null;

  /** @param owner what the lines belong to */
  constructor(
    private readonly path: string,
    private readonly owner: string,
  ) {}

  /** Why the disk has not taken a line; nothing is written after that. Null as long as all is well. */
  get failure(): MoreauError | null {
    return this.#failure;
  }

  /** Lines that come while others are being written are written together. */
  add(line: unknown): void {
    if (this.#failure !== null) return;
    const isIdle = this.#pending === '';
    this.#pending += `${sealLine(JSON.stringify(line), this.owner)}\n`;
    if (isIdle) this.#writing = this.#writing.then(() => this.#write());
  }

  async #write(): Promise<void> {
    const text = this.#pending;
    this.#pending = '';
    try {
      await appendFile(this.path, text);
    } catch (error) {
      this.#failure ??= fileError(this.path, 'written', error);
    }
  }

  /** @throws {MoreauError} when the disk has not taken it */
  async flush(): Promise<void> {
    await this.#writing;
    if (this.#failure !== null) throw this.#failure;
  }
}

/**
 * Lines of a journal up to the end of the last whole one, and where that is, bytes; null where there is no
 * file.
 */
export async function wholeLines(path: string): Promise<{ lines: string[]; length: number } | null> {
  const bytes = await readFile(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw fileError(path, 'read', error);
  });
  if (bytes === null) return null;
  // Of the bytes: a damaged one is another number of bytes once it has been a character.
  const length = bytes.lastIndexOf('\n') + 1;
  return { lines: bytes.toString('utf8', 0, length).split('\n').slice(0, -1), length };
}

/** What could be read of a journal. */
export interface JournalReading {
  /** its first line; null where that is damaged */
  readonly head: unknown;
  /** JSON of the lines after it that are as they were written */
  readonly values: readonly unknown[];
  /** lines that are not */
  readonly damaged: number;
}

/** @param owner what the lines are to belong to */
export function readJournal([first = '', ...lines]: readonly string[], owner: string): JournalReading {
  // Beside lines with checksums there are none without: damage may have taken one away.
  const isOld = isUnsealed(first);
  const read = (line: string): unknown => {
    const text = isOld && isUnsealed(line) ? line : openLine(line, owner);
    return text === null ? null : parseLine(text);
  };
  const values = lines.map(read);
  const whole = values.filter((value) => value !== null);
  return { head: read(first), values: whole, damaged: values.length - whole.length };
}

/** null for what is no JSON. */
function parseLine(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return null;
  }
}
