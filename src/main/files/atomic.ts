/**
 * Files that are either the old version or the new one, whenever the process or the machine stops.
 *
 * The new content goes to a temporary file in the same folder, is forced to the disk, and takes the target's
 * name in one rename. The previous content keeps a name of its own, `NAME.bak`, given before that rename.
 */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { copyFile, type FileHandle, link, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileError, folderMissing, notAFile } from './file-errors';

export interface AtomicOptions {
  /** keep the previous content as `NAME.bak` */
  backup: boolean;
}

/** A file being written. Exactly one of `commit` and `abort` ends it. */
export class AtomicFile {
  readonly #target: string;
  readonly #temporary: string;
  readonly #options: AtomicOptions;
  readonly #handle: FileHandle;

  private constructor(target: string, temporary: string, options: AtomicOptions, handle: FileHandle) {
    this.#target = target;
    this.#temporary = temporary;
    this.#options = options;
    this.#handle = handle;
  }

  /**
   * Begins a file. Nothing is visible under its name before `commit`.
   * @throws {MoreauError} when the folder is missing or cannot be written, or the name belongs to a folder
   */
  static async create(path: string, options: AtomicOptions): Promise<AtomicFile> {
    try {
      // A link is written through: replacing it by a file would cut it from what it points to.
      const target = await realpath(path).catch(() => path);
      const present = await stat(target).catch(() => null);
      // The rename would fail at the end on a folder, and would replace a device.
      if (present !== null && !present.isFile()) throw notAFile(path, present.isDirectory());
      const folder = dirname(target);
      if (await isMissing(folder)) throw folderMissing(path, folder);
      const temporary = besides(target, 'tmp');
      const mode = present === null ? 0o666 : present.mode & 0o777;
      const file = new AtomicFile(target, temporary, options, await open(temporary, 'wx', mode));
      unfinished.add(temporary);
      return file;
    } catch (error) {
      throw fileError(path, 'written', error);
    }
  }

  /** Name under which it is written, for libraries that write files themselves. */
  get temporary(): string {
    return this.#temporary;
  }

  /** @throws {MoreauError} when the disk does not take the data; `abort` must follow */
  async write(data: string | Uint8Array): Promise<void> {
    try {
      await this.#writeBytes(typeof data === 'string' ? Buffer.from(data) : data);
    } catch (error) {
      throw fileError(this.#target, 'written', error);
    }
  }

  async #writeBytes(bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.byteLength;) {
      done += (await this.#handle.write(bytes, done)).bytesWritten;
    }
  }

  /** Makes the new content the file. @throws {MoreauError} when that fails; the old file is then untouched */
  async commit(): Promise<void> {
    try {
      await this.#handle.sync();
      await this.#handle.close();
      if (this.#options.backup) await keepBackup(this.#target);
      await rename(this.#temporary, this.#target);
      unfinished.delete(this.#temporary);
      await syncFolder(dirname(this.#target));
    } catch (error) {
      await this.abort();
      throw fileError(this.#target, 'written', error);
    }
  }

  /** Gives up: the file stays as it was. */
  async abort(): Promise<void> {
    await this.#handle.close().catch(() => undefined);
    await rm(this.#temporary, { force: true });
    unfinished.delete(this.#temporary);
  }
}

/** Temporary files of this process: it may be ended in the middle of one. */
const unfinished = new Set<string>();
process.once('exit', () => {
  for (const temporary of unfinished) rmSync(temporary, { force: true });
});

const isMissing = (path: string): Promise<boolean> =>
  stat(path).then(
    () => false,
    (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT',
  );

/**
 * Replaces a file's content.
 * @throws {MoreauError} when that fails; the file then still has its previous content
 */
export async function saveAtomically(
  path: string,
  data: string | Uint8Array,
  options: AtomicOptions,
): Promise<void> {
  const file = await AtomicFile.create(path, options);
  try {
    await file.write(data);
  } catch (error) {
    await file.abort();
    throw error;
  }
  await file.commit();
}

/**
 * Copies a file of any length.
 * @throws {MoreauError} when that fails; a file that was there is then as it was
 */
export async function copyAtomically(source: string, path: string): Promise<void> {
  const file = await AtomicFile.create(path, { backup: false });
  try {
    await copyFile(source, file.temporary);
  } catch (error) {
    await file.abort();
    throw fileError(path, 'written', error);
  }
  await file.commit();
}

/** A name in the same folder that no other writer uses. */
const besides = (path: string, purpose: string): string =>
  join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.${purpose}`);

/** Gives the present content the name `NAME.bak`, without taking it away from `NAME`. */
async function keepBackup(target: string): Promise<void> {
  const temporary = besides(target, 'bak');
  try {
    await link(target, temporary);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
    // No hard links on this file system.
    await copyFile(target, temporary);
  }
  // Renaming a hard link onto another name of the same file leaves both; the temporary one goes in any case.
  await rename(temporary, `${target}.bak`);
  await rm(temporary, { force: true });
}

async function syncFolder(path: string): Promise<void> {
  // Windows has no handle on a folder; there the rename itself is journalled.
  const folder = await open(path, 'r').catch(() => null);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}
