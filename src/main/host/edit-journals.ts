/**
 * Journals of unsaved edits, one file for each document in the state directory.
 *
 * A journal is lines of JSON: a head, the document as it was when the journal began, and one line for each edit since.
 * It begins in one atomic replacement and only grows from then on, so whenever the process or the machine stops, what is
 * there is a journal with at most a torn last line. A line counts when it is whole and can be read.
 */
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { MoreauError } from '@contract/errors';
import type { JournalContent, JournalEntry, JournalFile, JournalInfo } from '@contract/journal';
import type { ModelDocument } from '@engine/document/types';
import { z } from 'zod';
import { saveAtomically } from '../files/atomic';
import { isAlive } from './workspace';

const SUFFIX = '.journal';
/** A document this long ago left behind is nobody's any more, ms. */
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
});
type Head = z.infer<typeof headSchema>;
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
}

export interface JournalBeginning {
  page: string;
  file: JournalFile | null;
  edits: number;
  document: ModelDocument;
}

export class EditJournals {
  readonly #folder: string | null;
  readonly #open = new Map<string, Written>();
  /** what is asked of one journal happens in turn */
  readonly #queues = new Map<string, Promise<unknown>>();

  /** @param stateDirectory null: nothing lasts, and nothing is written */
  constructor(stateDirectory: string | null) {
    this.#folder = stateDirectory === null ? null : join(stateDirectory, 'journal');
  }

  /** Writes the document as it is. @throws {MoreauError} when the disk does not take it */
  begin(journal: string, { page, file, edits, document }: JournalBeginning): Promise<void> {
    return this.#inTurn(journal, async (folder) => {
      const title = typeof document.title === 'string' ? document.title : '';
      const head: Head = { version: 1, page, file, edits, title, pid: process.pid, machine: hostname() };
      await mkdir(folder, { recursive: true });
      await this.#close(journal);
      const path = pathOf(folder, journal);
      await saveAtomically(path, `${JSON.stringify(head)}\n${JSON.stringify(document)}\n`, { backup: false });
      this.#open.set(journal, { handle: await open(path, 'a') });
    });
  }

  /** Adds edits, which are on the disk then. @returns false when the journal has not begun */
  append(journal: string, entries: readonly JournalEntry[]): Promise<boolean> {
    return this.#inTurn(journal, async () => {
      const written = this.#open.get(journal);
      if (written === undefined) return false;
      await written.handle.appendFile(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
      await written.handle.datasync();
      return true;
    }).then((known) => known ?? true);
  }

  /** Removes a journal. */
  async end(journal: string): Promise<void> {
    await this.#inTurn(journal, async (folder) => {
      await this.#close(journal);
      await rm(pathOf(folder, journal), { force: true });
    });
    this.#queues.delete(journal);
  }

  /** Journals that no other living process writes, newest first; one that cannot be read is set aside. */
  async list(): Promise<JournalInfo[]> {
    const folder = this.#folder;
    if (folder === null) return [];
    const names = await readdir(folder).catch(() => []);
    const found = await Promise.all(
      names.filter((name) => name.endsWith(SUFFIX)).map((name) => this.#inspect(folder, name)),
    );
    return found.filter((info) => info !== null).sort((a, b) => b.time - a.time);
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
      const { head, lines } = await wholeLines(path);
      if (head.machine === hostname() && head.pid !== process.pid && isAlive(head.pid)) return null;
      const { page, title, file } = head;
      return {
        journal,
        page,
        title: lastTitle(lines) ?? title,
        file,
        time,
        edits: head.edits + lines.length - 1,
      };
    } catch (error) {
      // Gone meanwhile: the window that wrote it has saved.
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      await rename(path, `${path}.corrupt`).catch(() => undefined);
      return null;
    }
  }

  /** @throws {MoreauError} `unknown-journal` */
  async read(journal: string): Promise<JournalContent> {
    const folder = this.#folder;
    // What has been asked before is written first.
    await this.#queues.get(journal);
    const found = folder === null ? null : await wholeLines(pathOf(folder, journal)).catch(() => null);
    if (found === null) {
      throw new MoreauError({
        code: 'unknown-journal',
        message: 'The unsaved changes are no longer there: they were recovered or discarded elsewhere.',
        remedy: 'Open the file of the model instead.',
      });
    }
    const [document, ...edits] = found.lines;
    return { document: JSON.parse(document ?? '{}') as ModelDocument, entries: wholeEntries(edits) };
  }

  /** Resolves when everything asked so far has been written. */
  async settled(): Promise<void> {
    await Promise.all(this.#queues.values());
    await Promise.all([...this.#open.keys()].map((journal) => this.#close(journal)));
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
    // A failure is told to who asked; the next one is tried all the same.
    this.#queues.set(
      journal,
      now.catch(() => undefined),
    );
    return now;
  }
}

/** The journal's name has passed the contract: it is a UUID, and no path. */
const pathOf = (folder: string, journal: string): string => join(folder, `${journal}${SUFFIX}`);

/** Head and further lines of a journal, without a torn last one. */
async function wholeLines(path: string): Promise<{ head: Head; lines: string[] }> {
  const text = await readFile(path, 'utf8');
  const [head = '', ...lines] = text.slice(0, text.lastIndexOf('\n')).split('\n');
  if (lines.length === 0) throw new Error('no document');
  return { head: headSchema.parse(JSON.parse(head)), lines };
}

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

/** The title the document got last in the journal. */
function lastTitle(lines: readonly string[]): string | undefined {
  const titles = wholeEntries(lines.slice(1)).flatMap(({ patches }) =>
    patches.flatMap(({ path, value }) =>
      path.join() === 'title' && typeof value === 'string' ? [value] : [],
    ),
  );
  return titles.at(-1);
}
