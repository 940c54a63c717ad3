/**
 * What has been computed of a sweep, line by line beside its result file, so that a sweep that was killed
 * goes on where it was. Numbers are kept bit by bit. A line that a kill has cut off or a disk has changed
 * counts as not written: its point is computed again.
 */
import { rm, truncate } from 'node:fs/promises';
import { MoreauError } from '@contract/errors';
import type { PointResult } from '@engine/analysis/sweep/compute-point';
import type { SweepJob } from '@engine/analysis/sweep/job';
import { z } from '@contract/schemas';
import { saveAtomically } from '../files/atomic';
import { fileError } from '../files/file-errors';
import { JournalLines, readJournal, sealLine, wholeLines } from '../files/journal-lines';
import { jobName } from './job-text';
import { decodePoint, encodePoint, pointSchema } from './point-text';

const VERSION = 1;

const headSchema = z.object({ sweep: z.literal(VERSION), job: z.string(), points: z.number().int() });

/** What a journal has. */
export interface SweepReading {
  readonly results: Map<number, PointResult>;
  /** lines that are not what was written */
  readonly damaged: number;
}

export class SweepJournal {
  readonly #lines: JournalLines;

  private constructor(
    private readonly path: string,
    job: SweepJob,
  ) {
    this.#lines = new JournalLines(path, jobName(job));
  }

  /** Place of the journal of a result file. */
  static place(out: string): string {
    return `${out}.sweep`;
  }

  /** Starts a new journal and discards the old one. @throws {MoreauError} when the disk does not take it */
  static async begin(path: string, job: SweepJob, points: number): Promise<SweepJournal> {
    const name = jobName(job);
    const head = sealLine(JSON.stringify({ sweep: VERSION, job: name, points }), name);
    await saveAtomically(path, `${head}\n`, { backup: false });
    return new SweepJournal(path, job);
  }

  /**
   * Goes on with one.
   * @returns it with what it has; null where there is none
   * @throws {MoreauError} `other-sweep` where it belongs to another job, `invalid-journal` where it is none
   */
  static async resume(
    path: string,
    job: SweepJob,
  ): Promise<({ journal: SweepJournal } & SweepReading) | null> {
    const whole = await wholeLines(path);
    if (whole === null) return null;
    const reading = readResults(path, whole.lines, job);
    try {
      await truncate(path, whole.length);
    } catch (error) {
      throw fileError(path, 'written', error);
    }
    return { journal: new SweepJournal(path, job), ...reading };
  }

  /**
   * What one has; it stays as it is.
   * @returns null where there is none
   * @throws {MoreauError} as `resume`
   */
  static async read(path: string, job: SweepJob): Promise<SweepReading | null> {
    const whole = await wholeLines(path);
    return whole === null ? null : readResults(path, whole.lines, job);
  }

  /** Deletes the file, which has no writer. */
  static async discard(path: string): Promise<void> {
    await rm(path, { force: true });
  }

  /** Why the disk has not taken a result; null as long as all is well. */
  get failure(): MoreauError | null {
    return this.#lines.failure;
  }

  add(k: number, result: PointResult): void {
    this.#lines.add(encodePoint(k, result));
  }

  /** @throws {MoreauError} when the disk has not taken it */
  async flush(): Promise<void> {
    await this.#lines.flush();
  }

  /** The result is complete: the journal goes. */
  async remove(): Promise<void> {
    await this.flush();
    await rm(this.path, { force: true });
  }
}

function readResults(path: string, lines: readonly string[], job: SweepJob): SweepReading {
  const name = jobName(job);
  const { head, values, damaged } = readJournal(lines, name);
  const isOwn = headSchema.safeParse(head);
  // The lines of a journal with a damaged head still say that they belong to this job.
  if (!isOwn.success && values.length === 0) throw foreign(path, lines, name);
  if (isOwn.success && isOwn.data.job !== name) throw otherSweep(path);
  const results = new Map<number, PointResult>();
  let unreadable = 0;
  for (const value of values) {
    const point = pointSchema.safeParse(value);
    if (point.success) results.set(point.data.k, decodePoint(point.data));
    else unreadable++;
  }
  return { results, damaged: damaged + unreadable };
}

/** Nothing in it belongs to the job: the head of another sweep can be read all the same. */
function foreign(path: string, [first = '']: readonly string[], name: string): MoreauError {
  const told = /^[0-9a-f]+ (\{.*)$/.exec(first)?.[1];
  try {
    const head = headSchema.safeParse(told === undefined ? null : JSON.parse(told));
    return head.success && head.data.job !== name ? otherSweep(path) : notAJournal(path);
  } catch {
    return notAJournal(path);
  }
}

const otherSweep = (path: string): MoreauError =>
  new MoreauError({
    code: 'other-sweep',
    message: `${path} is the journal of another sweep: the model or the request has changed since.`,
    where: path,
    remedy: 'Start again without --resume, or write to another file.',
  });

const notAJournal = (path: string): MoreauError =>
  new MoreauError({
    code: 'invalid-journal',
    message: `${path} cannot be read as the journal of a sweep.`,
    where: path,
    remedy: 'Start again without --resume.',
  });
