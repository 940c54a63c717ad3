/**
 * What has been computed of a sweep, line by line beside its result file, so that a sweep that was killed goes on where it was. Numbers are
 * kept bit by bit. A line that a kill has cut off counts as not written.
 */
import { rm, truncate, writeFile } from 'node:fs/promises';
import { MoreauError } from '@contract/errors';
import type { PointResult } from '@engine/analysis/sweep/compute-point';
import type { SweepJob } from '@engine/analysis/sweep/job';
import { z } from '@contract/schemas';
import { JournalLines, parseLine, wholeLines } from '../files/journal-lines';
import { jobName } from './job-text';
import { decodePoint, encodePoint, pointSchema } from './point-text';

const VERSION = 1;

const headSchema = z.object({ sweep: z.literal(VERSION), job: z.string(), points: z.number().int() });
export class SweepJournal {
  readonly #lines: JournalLines;

  private constructor(private readonly path: string) {
    this.#lines = new JournalLines(path);
  }

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

  add(k: number, result: PointResult): void {
    this.#lines.add(encodePoint(k, result));
  }

  /** @throws when the disk has not taken it */
  async flush(): Promise<void> {
    await this.#lines.flush();
  }

  /** The result is complete: the journal goes. */
  async remove(): Promise<void> {
    await this.flush();
    await rm(this.path, { force: true });
  }
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
