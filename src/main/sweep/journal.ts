/**
 * What has been computed of a sweep, line by line beside its result file, so that a sweep that was killed goes on where it was. Numbers are
 * kept bit by bit. A line that a kill has cut off counts as not written.
 */
import { appendFile, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { MoreauError } from '@contract/errors';
import type { PointResult } from '@engine/analysis/sweep/compute-point';
import type { SweepJob } from '@engine/analysis/sweep/job';
import { z } from '@contract/schemas';
import { jobName } from './job-text';
import { decodePoint, encodePoint, pointSchema } from './point-text';

const VERSION = 1;

const headSchema = z.object({ sweep: z.literal(VERSION), job: z.string(), points: z.number().int() });
export class SweepJournal {
  #pending = '';
  #writing: Promise<void> = Promise.resolve();

  private constructor(private readonly path: string) {}

  /** Place of the journal of a result file. */
  static place(out: string): string {
    return `${out}.sweep`;
  }

  /** Begins anew; what was there is gone. */
  static async begin(path: string, job: SweepJob, points: number): Promise<SweepJournal> {
    await writeFile(path, `${JSON.stringify({ sweep: VERSION, job: jobName(job), points })}\n`);
    return new SweepJournal(path);
  }

  /**
   * Goes on with one.
   * @returns it with what it has; null where there is none
   * @throws {MoreauError} `other-sweep` where it belongs to another job, `invalid-journal` where it is none
   */
  static async resume(
    path: string,
    job: SweepJob,
  ): Promise<{ journal: SweepJournal; results: Map<number, PointResult> } | null> {
    const whole = await wholeLines(path);
    if (whole === null) return null;
    const results = readLines(path, whole, job);
    await truncate(path, Buffer.byteLength(whole));
    return { journal: new SweepJournal(path), results };
  }

  /**
   * What one has; it stays as it is.
   * @returns null where there is none
   * @throws {MoreauError} as `resume`
   */
  static async read(path: string, job: SweepJob): Promise<Map<number, PointResult> | null> {
    const whole = await wholeLines(path);
    return whole === null ? null : readLines(path, whole, job);
  }

  /** The file, written by nobody, goes. */
  static async discard(path: string): Promise<void> {
    await rm(path, { force: true });
  }

  /** Points that come while others are being written are written together. */
  add(k: number, result: PointResult): void {
    const isIdle = this.#pending === '';
    this.#pending += `${JSON.stringify(encodePoint(k, result))}\n`;
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

  /** The result is complete: the journal goes. */
  async remove(): Promise<void> {
    await this.flush();
    await rm(this.path, { force: true });
  }
}

async function wholeLines(path: string): Promise<string | null> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  });
  return text === null ? null : text.slice(0, text.lastIndexOf('\n') + 1);
}

function readLines(path: string, whole: string, job: SweepJob): Map<number, PointResult> {
  const [first, ...lines] = whole.split('\n').slice(0, -1);
  const head = headSchema.safeParse(parseLine(first ?? ''));
  if (!head.success) throw notAJournal(path);
  if (head.data.job !== jobName(job)) throw otherSweep(path);
  const results = new Map<number, PointResult>();
  for (const line of lines) {
    const point = pointSchema.safeParse(parseLine(line));
    if (!point.success) throw notAJournal(path);
    results.set(point.data.k, decodePoint(point.data));
  }
  return results;
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return null;
  }
}

const otherSweep = (path: string): MoreauError =>
  new MoreauError({
    code: 'other-sweep',
    message: `${path} is the journal of another sweep: the model or what is asked of it has changed since.`,
    where: path,
    remedy: 'Begin anew without --resume, or write to another file.',
  });

const notAJournal = (path: string): MoreauError =>
  new MoreauError({
    code: 'invalid-journal',
    message: `${path} cannot be read as the journal of a sweep.`,
    where: path,
    remedy: 'Begin anew without --resume.',
  });
