/**
 * Data files requested by windows. They are written to the host's private folder, so that even a long table
 * never passes through a window. The holder of the ticket may then fetch the file.
 */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MoreauError } from '@contract/errors';
import { exportTable } from '../export/export-table';
import type { FormatOptions } from '../export/table-format';
import type { TableSource } from '../export/table-source';

/** Time between two words on how far an export has come, ms. */
const NEWS_MS = 100;

export interface DataFile {
  /** secret: 192 random bits */
  readonly ticket: string;
  readonly rows: number;
  readonly bytes: number;
}

export class DataExports {
  readonly #folder: string;
  readonly #onProgress: (exportId: string, part: number) => void;
  /** files by ticket */
  readonly #files = new Map<string, string>();
  /** exports under way, and whether they are wanted no more */
  readonly #wanted = new Map<string, { isCancelled: boolean }>();

  /** @param folder that is gone with the host */
  constructor(folder: string, onProgress: (exportId: string, part: number) => void) {
    this.#folder = folder;
    this.#onProgress = onProgress;
  }

  /**
   * @param exportId by which the window knows it
   * @param extension of the format, with the dot
   * @throws {MoreauError} `export-cancelled`, or why it cannot be written
   */
  async write(
    exportId: string,
    extension: string,
    table: Promise<TableSource>,
    options: FormatOptions = {},
  ): Promise<DataFile> {
    const state = { isCancelled: false };
    this.#wanted.set(exportId, state);
    const ticket = randomBytes(24).toString('base64url');
    const path = join(this.#folder, `export-${ticket}${extension}`);
    let toldAt = 0;
    try {
      const source = await table;
      const advance = (part: number): void => {
        if (state.isCancelled) throw cancelled();
        const now = performance.now();
        if (now - toldAt < NEWS_MS) return;
        toldAt = now;
        this.#onProgress(exportId, part);
      };
      await exportTable(source, path, advance, options);
      const { size } = await stat(path);
      this.#files.set(ticket, path);
      return { ticket, rows: source.rows, bytes: size };
    } finally {
      this.#wanted.delete(exportId);
    }
  }

  cancel(exportId: string): void {
    const state = this.#wanted.get(exportId);
    if (state !== undefined) state.isCancelled = true;
  }

  /** Where a complete file lies; null for a ticket that is none. */
  file(ticket: string): string | null {
    return this.#files.get(ticket) ?? null;
  }

  drop(ticket: string): void {
    const path = this.#files.get(ticket);
    if (path === undefined) return;
    this.#files.delete(ticket);
    rmSync(path, { force: true });
  }
}

const cancelled = (): MoreauError =>
  new MoreauError({
    code: 'export-cancelled',
    message: 'The export was cancelled.',
    remedy: 'Nothing was written; export again.',
  });
