/**
 * What is known of a plane of starts, part by part, so that basins that were cancelled or killed go on where they were. The attractors are
 * not kept: they are found again, the same, in a small part of the time.
 */
import { rm, truncate } from 'node:fs/promises';
import { remoteErrorSchema } from '@contract/errors';
import { z } from '@contract/schemas';
import type { SettledPart } from '@engine/analysis/basins/grid';
import type { EngineErrorDetails } from '@engine/errors';
import { JournalLines, parseLine, wholeLines } from '../files/journal-lines';

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

const partSchema = z
  .object({
    first: z.number().int().nonnegative(),
    attractor: wholeNumbers,
    periods: wholeNumbers,
    failure: remoteErrorSchema.nullable(),
  })
  .refine(({ attractor, periods }) => attractor.length > 0 && attractor.length === periods.length);

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
    this.#lines = new JournalLines(path);
    this.#hasBegun = hasBegun;
  }

  /**
   * Goes on with a journal, or begins one, which is there with its first part. One that cannot be read, or of another job, goes.
   * @param job its name: equal jobs have equal names
   */
  static async open(path: string, job: string): Promise<BasinsJournal> {
    const whole = await wholeLines(path);
    const known = whole === null ? null : readParts(whole, job);
    if (whole === null || known === null) {
      await rm(path, { force: true });
      return new BasinsJournal(path, job, [], false);
    }
    await truncate(path, Buffer.byteLength(whole));
    return new BasinsJournal(path, job, known, true);
  }

  add({ first, settled: { attractor, periods, failure } }: KnownPart): void {
    if (!this.#hasBegun) this.#lines.add({ basins: VERSION, job: this.job });
    this.#hasBegun = true;
    this.#lines.add({ first, attractor: encoded(attractor), periods: encoded(periods), failure });
  }

  /** @throws when the disk has not taken it */
  async flush(): Promise<void> {
    await this.#lines.flush();
  }
}

/** null where the text is no journal of the job. */
function readParts(whole: string, job: string): KnownPart[] | null {
  const [first = '', ...lines] = whole.split('\n').slice(0, -1);
  const head = headSchema.safeParse(parseLine(first));
  if (!head.success || head.data.job !== job) return null;
  const parts: KnownPart[] = [];
  for (const line of lines) {
    const part = partSchema.safeParse(parseLine(line));
    if (!part.success) return null;
    const { attractor, periods, failure } = part.data;
    const settled = { attractor, periods, failure: failure as EngineErrorDetails | null };
    parts.push({ first: part.data.first, settled });
  }
  return parts;
}
