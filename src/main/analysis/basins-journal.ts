/**
 * What is known of a plane of starts, part by part, so that basins that were cancelled or killed go on where
 * they were. A line that is damaged is computed again. The attractors are not kept: they are found again, the
 * same, in a small part of the time.
 */
import { rm, truncate } from 'node:fs/promises';
import { type MoreauError, remoteErrorSchema } from '@contract/errors';
import { z } from '@contract/schemas';
import type { SettledPart } from '@engine/analysis/basins/grid';
import type { EngineErrorDetails } from '@engine/errors';
import { fileError } from '../files/file-errors';
import { JournalLines, readJournal, wholeLines } from '../files/journal-lines';
import { decodeNumbers, encodeNumbers, numbersSchema } from '../sweep/point-text';

const VERSION = 1;

/** Starts from number `first` on, and what became of them. */
export interface KnownPart {
  readonly first: number;
  readonly settled: SettledPart;
}

const headSchema = z.object({ basins: z.literal(VERSION), job: z.string() });

/** base64 of int32, little endian */
const wholeNumbers = z
  .base64()
  .refine((text) => Buffer.byteLength(text, 'base64') % Int32Array.BYTES_PER_ELEMENT === 0)
  .transform((text) => new Int32Array(Uint8Array.from(Buffer.from(text, 'base64')).buffer));

/** base64 of float64, little endian */
const numbers = numbersSchema.transform(decodeNumbers);

const partSchema = z
  .object({
    first: z.number().int().nonnegative(),
    attractor: wholeNumbers,
    periods: wholeNumbers,
    // Older versions did not say what follows.
    missed: numbers.optional(),
    solved: numbers.optional(),
    failure: remoteErrorSchema.nullable(),
  })
  .refine(
    ({ attractor, periods, missed, solved }) =>
      attractor.length > 0 &&
      [periods, missed, solved].every((one) => one === undefined || one.length === attractor.length),
  );

const encoded = (values: Int32Array): string =>
  Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString('base64');

export class BasinsJournal {
  #hasBegun: boolean;
  readonly #lines: JournalLines;

  private constructor(
    path: string,
    private readonly job: string,
    /** in no order */
    readonly known: readonly KnownPart[],
    hasBegun: boolean,
  ) {
    this.#lines = new JournalLines(path, job);
    this.#hasBegun = hasBegun;
  }

  /**
   * Goes on with a journal, or begins one, which is there with its first part. One that cannot be read, or of
   * another job, goes.
   * @param job its name: equal jobs have equal names
   */
  static async open(path: string, job: string): Promise<BasinsJournal> {
    const whole = await wholeLines(path);
    const known = whole === null ? null : readParts(whole.lines, job);
    if (whole === null || known === null) {
      await rm(path, { force: true });
      return new BasinsJournal(path, job, [], false);
    }
    try {
      await truncate(path, whole.length);
    } catch (error) {
      throw fileError(path, 'written', error);
    }
    return new BasinsJournal(path, job, known, true);
  }

  add({ first, settled: { attractor, periods, missed, solved, failure } }: KnownPart): void {
    if (!this.#hasBegun) this.#lines.add({ basins: VERSION, job: this.job });
    this.#hasBegun = true;
    this.#lines.add({
      first,
      attractor: encoded(attractor),
      periods: encoded(periods),
      ...(missed !== undefined && { missed: encodeNumbers(missed) }),
      ...(solved !== undefined && { solved: encodeNumbers(solved) }),
      failure,
    });
  }

  /** Why the disk has not taken a part; null as long as all is well. */
  get failure(): MoreauError | null {
    return this.#lines.failure;
  }

  /** @throws {MoreauError} when the disk has not taken it */
  async flush(): Promise<void> {
    await this.#lines.flush();
  }
}

/** Parts that are as they were written; null where the lines are no journal of the job. */
function readParts(lines: readonly string[], job: string): KnownPart[] | null {
  const { head, values } = readJournal(lines, job);
  const isOwn = headSchema.safeParse(head);
  // The lines of a journal with a damaged head still say that they belong to this job.
  if (isOwn.success ? isOwn.data.job !== job : values.length === 0) return null;
  return values.flatMap((value) => {
    const part = partSchema.safeParse(value);
    if (!part.success) return [];
    const { attractor, periods, missed, solved, failure } = part.data;
    const settled = {
      attractor,
      periods,
      ...(missed !== undefined && { missed }),
      ...(solved !== undefined && { solved }),
      failure: failure as EngineErrorDetails | null,
    };
    return [{ first: part.data.first, settled }];
  });
}
