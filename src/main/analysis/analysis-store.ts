/**
 * What analyses have found, on the disk, by the name of their job: who asks the same again has it at once, in
 * another session too. Journals of sweeps and basins lie beside it until they are complete.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeFrame, encodeFrame } from '@contract/frames';
import type { AnalysisJob } from '@engine/analysis/jobs/job';
import type { AnalysisOutcome } from '@engine/analysis/jobs/outcome';
import { AtomicFile } from '../files/atomic';

/** Disk space for results and journals, bytes; the least recently used ones are deleted first. */
const MOST_BYTES = 2 ** 30;

const RESULT = '.result';

/**
 * Results begin with it, then a checksum of the frame that follows. Those of older versions are the frame
 * alone.
 */
const MAGIC = Buffer.from('moreau:1');

const checksum = (frame: Uint8Array): Buffer => createHash('sha256').update(frame).digest();

/** The frame of a result; null where a bit of it has changed. */
function verifiedFrame(bytes: Buffer): Uint8Array | null {
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) return new Uint8Array(bytes);
  const from = MAGIC.length + 32;
  const frame = new Uint8Array(bytes.subarray(from));
  return bytes.subarray(MAGIC.length, from).equals(checksum(frame)) ? frame : null;
}

export class AnalysisStore {
  /**
   * @param folder is made when it is needed
   * @param version of the program: another one may compute other bits
   */
  constructor(
    private readonly folder: string,
    private readonly version: string,
    private readonly mostBytes = MOST_BYTES,
  ) {}

  /** Equal jobs have equal names. */
  nameOf(job: AnalysisJob): string {
    return createHash('sha256')
      .update(JSON.stringify([this.version, job]))
      .digest('hex');
  }

  /**
   * Where a sweep keeps the points of its k-th direction, or basins their only plane, until all are there.
   */
  journal(name: string, k: number): string {
    return join(this.folder, `${name}-${k}.sweep`);
  }

  async prepare(): Promise<void> {
    await mkdir(this.folder, { recursive: true });
  }

  /** @returns null where it is not known, or cannot be read any more */
  async read(name: string): Promise<AnalysisOutcome | null> {
    const path = this.#result(name);
    try {
      const bytes = await readFile(path);
      const now = new Date();
      await utimes(path, now, now);
      const frame = verifiedFrame(bytes);
      return frame === null ? null : (decodeFrame(frame) as AnalysisOutcome);
    } catch {
      return null;
    }
  }

  async has(name: string): Promise<boolean> {
    return stat(this.#result(name)).then(
      (found) => found.isFile(),
      () => false,
    );
  }

  /**
   * When it was found; now, where the disk does not know. Its other times tell when it was asked for last.
   */
  async writtenAt(name: string): Promise<Date> {
    const found = await stat(this.#result(name)).catch(() => null);
    return found === null || found.birthtimeMs <= 0 ? new Date() : found.birthtime;
  }

  /** @throws {MoreauError} when the disk does not take it */
  async write(name: string, outcome: AnalysisOutcome): Promise<void> {
    await this.prepare();
    const file = await AtomicFile.create(this.#result(name), { backup: false });
    try {
      const frame = encodeFrame(outcome);
      await file.write(Buffer.concat([MAGIC, checksum(frame)]));
      await file.write(frame);
      await file.commit();
    } catch (error) {
      await file.abort();
      throw error;
    }
    await this.#limit(name);
  }

  /** A result and what a journal has of it are gone. */
  async remove(name: string): Promise<void> {
    for (const file of await this.#files()) {
      if (file.name.startsWith(name)) await rm(join(this.folder, file.name), { force: true });
    }
  }

  #result(name: string): string {
    return join(this.folder, `${name}${RESULT}`);
  }

  async #files(): Promise<{ name: string; bytes: number; time: number }[]> {
    const names = await readdir(this.folder).catch(() => []);
    const files = await Promise.all(
      names.map(async (name) => {
        const found = await stat(join(this.folder, name)).catch(() => null);
        return found === null ? [] : [{ name, bytes: found.size, time: found.mtimeMs }];
      }),
    );
    return files.flat();
  }

  async #limit(present: string): Promise<void> {
    const files = (await this.#files()).sort((a, b) => a.time - b.time);
    let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    for (const file of files) {
      if (bytes <= this.mostBytes) return;
      if (file.name.startsWith(present)) continue;
      await rm(join(this.folder, file.name), { force: true });
      bytes -= file.bytes;
    }
  }
}
