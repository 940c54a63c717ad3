/**
 * Journals of unsaved edits, one file for each document in the state directory.
 *
 * A journal is lines of JSON: a head, the document as it was when the journal began, and one line for each
 * edit since. It begins in one atomic replacement and only grows from then on, so whenever the process or the
 * machine stops, what is there is a journal with at most a torn last line. Lines after the head stand behind
 * a checksum with their place: one that is damaged ends what can be recovered, one that is there twice counts
 * once.
 *
 * It belongs to the page that writes it, as long as the lease of that page holds: until then no other page
 * recovers or discards it. A page that was presumed gone and comes back detects this and restarts its
 * journals.
 */
import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { MoreauError } from '@contract/errors';
import type { JournalContent, JournalEntry, JournalFile, JournalInfo } from '@contract/journal';
import type { ModelDocument } from '@engine/document/types';
import { z } from 'zod';
import { saveAtomically } from '../files/atomic';
import { fileError } from '../files/file-errors';
import { isUnsealed, openLine, sealLine, wholeLines } from '../files/journal-lines';
import { PageLeases } from './page-leases';
import { isAlive } from './workspace';

const SUFFIX = '.journal';
/** Age at which an abandoned document counts as orphaned, ms. */
const KEPT_MS = 90 * 24 * 3600 * 1000;

const headSchema = z.object({
  version: z.literal(1),
  page: z.string(),
  file: z
    .object({ handle: z.string().nullable(), name: z.string(), stamp: z.string().optional() })
    .nullable(),
  edits: z.number(),
  title: z.string(),
  /** the process that writes it, and the machine that knows it by that number */
  pid: z.number(),
  machine: z.string(),
  /** of the rest; older versions have none */
  sum: z.string().optional(),
});
type Head = z.infer<typeof headSchema>;

const sumOf = ({ page, file, edits, title, pid, machine }: Omit<Head, 'sum'>): string =>
  createHash('sha256')
    .update(JSON.stringify([page, file?.handle, file?.name, file?.stamp, edits, title, pid, machine]))
    .digest('hex')
    .slice(0, 16);
const entrySchema = z.object({
  label: z.string(),
  patches: z.array(
    z.object({
      op: z.enum(['add', 'remove', 'replace']),
      path: z.array(z.union([z.string(), z.number()])),
      value: z.unknown().optional(),
    }),
  ),
});

interface Written {
  handle: FileHandle;
  inode: number;
  /** after the head */
  lines: number;
}

export interface JournalBeginning {
  page: string;
  file: JournalFile | null;
  edits: number;
  document: ModelDocument;
}

export class EditJournals {
  readonly #folder: string | null;
  readonly #leases: PageLeases | null;
  readonly #open = new Map<string, Written>();
  /** what is asked of one journal happens in turn */
  readonly #queues = new Map<string, Promise<unknown>>();

  /**
   * @param stateDirectory null: nothing lasts, and nothing is written
   * @param now ms from any instant on, never back
   */
  constructor(stateDirectory: string | null, now: () => number = () => performance.now()) {
    this.#folder = stateDirectory === null ? null : join(stateDirectory, 'journal');
    this.#leases = stateDirectory === null ? null : new PageLeases(stateDirectory, now);
  }

  /**
   * A page is there, and writes these journals.
   * @param profile what pages have in common that see each other's locks
   * @returns those that are no longer what it wrote: another page took it for gone
   */
  async attend(
    page: string,
    profile: string | null,
    journals: readonly string[],
  ): Promise<{ lost: string[] }> {
    await this.#leases?.renew(page, profile);
    const lost: string[] = [];
    for (const journal of journals)
      if ((await this.#inTurn(journal, (folder) => this.#isThere(folder, journal))) === false)
        lost.push(journal);
    return { lost };
  }

  /** The connection of a page has ended; or it is gone, as a page of the same profile has seen. */
  async leave(page: string, isGone: boolean): Promise<void> {
    await (isGone ? this.#leases?.drop(page) : this.#leases?.leave(page));
  }

  /** Writes the document as it is. @throws {MoreauError} when the disk does not take it */
  begin(journal: string, { page, file, edits, document }: JournalBeginning): Promise<void> {
    return this.#inTurn(journal, async (folder) => {
      const title = typeof document.title === 'string' ? document.title : '';
      const told = { version: 1 as const, page, file, edits, title, pid: process.pid, machine: hostname() };
      const head: Head = { ...told, sum: sumOf(told) };
      await mkdir(folder, { recursive: true });
      await this.#close(journal);
      const path = pathOf(folder, journal);
      const first = sealLine(JSON.stringify(document), ownerOf(journal, 0));
      await saveAtomically(path, `${JSON.stringify(head)}\n${first}\n`, { backup: false });
      const handle = await open(path, 'a');
      this.#open.set(journal, { handle, inode: (await handle.stat()).ino, lines: 1 });
    });
  }

  /**
   * Adds edits, which are on the disk then.
   * @returns false when the journal has not begun, or is no longer there
   * @throws {MoreauError} when the disk does not take them
   */
  append(journal: string, entries: readonly JournalEntry[]): Promise<boolean> {
    return this.#inTurn(journal, async (folder) => {
      const written = this.#open.get(journal);
      if (written === undefined) return false;
      const lines = entries.map((entry, k) =>
        sealLine(JSON.stringify(entry), ownerOf(journal, written.lines + k)),
      );
      try {
        await written.handle.appendFile(lines.map((line) => `${line}\n`).join(''));
        await written.handle.datasync();
      } catch (error) {
        // Part of a line may be there: what would follow it could not be read.
        await this.#close(journal);
        throw fileError(pathOf(folder, journal), 'written', error);
      }
      written.lines += lines.length;
      // Another program may have recovered and removed it: nothing that is written to it then is ever found.
      return this.#isThere(folder, journal);
    }).then((known) => known ?? true);
  }

  /**
   * Whether the file of a journal is the one that is written here; one that is not written here only has to
   * be there.
   */
  async #isThere(folder: string, journal: string): Promise<boolean> {
    const written = this.#open.get(journal);
    const inode = await stat(pathOf(folder, journal)).then(
      ({ ino }) => ino,
      () => null,
    );
    if (inode !== null && (written === undefined || written.inode === inode)) return true;
    await this.#close(journal);
    return false;
  }

  /**
   * Removes a journal.
   * @param page that asks for it; absent: the one that writes it
   * @throws {MoreauError} `journal-in-use` when it belongs to another page that is there
   */
  async end(journal: string, page?: string): Promise<void> {
    await this.#inTurn(journal, async (folder) => {
      await this.#requireFree(folder, journal, page);
      await this.#close(journal);
      await rm(pathOf(folder, journal), { force: true });
    });
    this.#queues.delete(journal);
  }

  async #requireFree(folder: string, journal: string, page: string | undefined): Promise<void> {
    if (page === undefined) return;
    const found = await readHead(pathOf(folder, journal)).catch(() => null);
    if (found === null || found.head.page === page) return;
    if (
      !(await this.#isOfAnother(found.head)) &&
      (await this.#leases?.find(found.head.page))?.isHeld !== true
    )
      return;
    throw new MoreauError({
      code: 'journal-in-use',
      message: `The unsaved changes of ${found.head.title || 'a model'} belong to an open window.`,
      remedy: 'Save them there, or close that window first.',
    });
  }

  /** Whether another living process writes it that knows no leases. */
  async #isOfAnother({ page, machine, pid }: Head): Promise<boolean> {
    if (machine !== hostname() || pid === process.pid || !isAlive(pid)) return false;
    return (await this.#leases?.find(page)) === null;
  }

  /**
   * Journals that are there, newest first; those of pages that are there say so. One that cannot be read is
   * set aside, one that a living process of an older version writes is left out.
   */
  async list(): Promise<JournalInfo[]> {
    const folder = this.#folder;
    if (folder === null) return [];
    const names = await readdir(folder).catch(() => []);
    const found = await Promise.all(
      names.filter((name) => name.endsWith(SUFFIX)).map((name) => this.#inspect(folder, name)),
    );
    const infos = found.filter((info) => info !== null).sort((a, b) => b.time - a.time);
    await this.#leases?.tidy(new Set(infos.map(({ page }) => page)));
    return infos;
  }

  async #inspect(folder: string, name: string): Promise<JournalInfo | null> {
    const path = join(folder, name);
    const journal = name.slice(0, -SUFFIX.length);
    try {
      const { mtimeMs: time } = await stat(path);
      if (Date.now() - time > KEPT_MS) {
        await rm(path, { force: true });
        return null;
      }
      const { head, lines } = await readLines(path, journal);
      if (await this.#isOfAnother(head)) return null;
      const { page, title, file } = head;
      const lease = await this.#leases?.find(page);
      return {
        journal,
        page,
        title: lastTitle(lines) ?? (title || titleOf(lines[0])),
        file,
        time,
        edits: head.edits + lines.length - 1,
        ...(lease?.isHeld === true && { held: { profile: lease.profile } }),
      };
    } catch (error) {
      // Gone meanwhile: the window that wrote it has saved.
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      await rename(path, `${path}.corrupt`).catch(() => undefined);
      return null;
    }
  }

  /**
   * @param page that asks for it; absent: the one that writes it
   * @throws {MoreauError} `unknown-journal`, or `journal-in-use` when it belongs to another page that is
   *   there
   */
  async read(journal: string, page?: string): Promise<JournalContent> {
    const folder = this.#folder;
    // What has been asked before is written first.
    await this.#queues.get(journal);
    if (folder !== null) await this.#requireFree(folder, journal, page);
    const found =
      folder === null ? null : await readLines(pathOf(folder, journal), journal).catch(() => null);
    if (found === null) {
      throw new MoreauError({
        code: 'unknown-journal',
        message: 'The unsaved changes are no longer there: they were recovered or discarded elsewhere.',
        remedy: 'Open the file of the model instead.',
      });
    }
    const [document, ...edits] = found.lines;
    return { document: JSON.parse(document) as ModelDocument, entries: wholeEntries(edits) };
  }

  /** Resolves when everything asked so far has been written. */
  async settled(): Promise<void> {
    await Promise.all(this.#queues.values());
    await Promise.all([...this.#open.keys()].map((journal) => this.#close(journal)));
  }

  /** The host comes to its end. */
  async dispose(): Promise<void> {
    await this.settled();
    await this.#leases?.close();
  }

  async #close(journal: string): Promise<void> {
    const written = this.#open.get(journal);
    this.#open.delete(journal);
    await written?.handle.close().catch(() => undefined);
  }

  #inTurn<T>(journal: string, action: (folder: string) => Promise<T>): Promise<T | undefined> {
    const folder = this.#folder;
    if (folder === null) return Promise.resolve(undefined);
    const before = this.#queues.get(journal) ?? Promise.resolve();
    const now = before.then(() => action(folder));
    // A failure is reported to the caller; the next one is still tried.
    this.#queues.set(
      journal,
      now.catch(() => undefined),
    );
    return now;
  }
}

/** The journal's name has passed the contract: it is a UUID, and no path. */
const pathOf = (folder: string, journal: string): string => join(folder, `${journal}${SUFFIX}`);

/** What the checksum of a line after the head covers. */
const ownerOf = (journal: string, line: number): string => `${journal} ${line}`;

/** @throws {Error} when there is none */
async function readHead(path: string): Promise<{ head: Head; lines: string[] }> {
  const whole = await wholeLines(path);
  if (whole === null) throw Object.assign(new Error('no journal'), { code: 'ENOENT' });
  const [first = '', ...lines] = whole.lines;
  const head = headSchema.parse(JSON.parse(first));
  if (head.sum !== undefined && head.sum !== sumOf(head)) throw new Error('a damaged head');
  return { head, lines };
}

/**
 * Head and JSON of the further lines of a journal, up to the first one that is damaged.
 * @throws {Error} without a document
 */
async function readLines(path: string, journal: string): Promise<{ head: Head; lines: string[] }> {
  const { head, lines } = await readHead(path).catch(async (error: unknown) => {
    const whole = await wholeLines(path);
    // Without its head it belongs to no file, but what was edited is still there.
    if (whole === null || openLine(whole.lines[1] ?? '', ownerOf(journal, 0)) === null) throw error;
    return { head: NO_HEAD, lines: whole.lines.slice(1) };
  });
  const found: string[] = [];
  for (const line of lines) {
    // Beside a head with a checksum there is no line without one.
    const isOld = head.sum === undefined && isUnsealed(line);
    const text = isOld ? line : openLine(line, ownerOf(journal, found.length));
    // A line that is there twice is in its place once; after one that is missing no other is in its place.
    if (text !== null) found.push(text);
  }
  if (found.length === 0) throw new Error('no document');
  return { head, lines: found };
}

/** Of a journal whose head is damaged. */
const NO_HEAD: Head = { version: 1, page: '', file: null, edits: 0, title: '', pid: 0, machine: '', sum: '' };

/** Edits up to the first one that cannot be read: what follows it would be applied to another document. */
function wholeEntries(lines: readonly string[]): JournalEntry[] {
  const entries: JournalEntry[] = [];
  for (const line of lines) {
    try {
      entries.push(entrySchema.parse(JSON.parse(line)));
    } catch {
      break;
    }
  }
  return entries;
}

function titleOf(document: string): string {
  const { title } = JSON.parse(document) as { title?: unknown };
  return typeof title === 'string' ? title : '';
}

/** The title the document got last in the journal. */
function lastTitle(lines: readonly string[]): string | undefined {
  const titles = wholeEntries(lines.slice(1)).flatMap(({ patches }) =>
    patches.flatMap(({ path, value }) =>
      path.join() === 'title' && typeof value === 'string' ? [value] : [],
    ),
  );
  return titles.at(-1);
}
