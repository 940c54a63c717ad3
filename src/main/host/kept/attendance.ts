/**
 * Which documents somebody has open: the pages of this host say so and say it again from time to time, and
 * each host over a state directory leaves a file that says it to the others.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { isAlive } from '../workspace';

/**
 * A page that has not been heard of for so long is gone, ms: one in the background speaks once a minute at
 * best.
 */
const SILENT_MS = 10 * 60_000;
const SUFFIX = '.open';

const schema = z.object({ machine: z.string(), pid: z.number().int(), documents: z.array(z.string()) });

export class Attendance {
  readonly #folder: string;
  readonly #file: string;
  readonly #pages = new Map<string, { documents: readonly string[]; at: number }>();
  #written = '';

  /** @param folder of the kept runs */
  constructor(folder: string) {
    this.#folder = folder;
    this.#file = join(folder, `${randomUUID()}${SUFFIX}`);
  }

  async attend(page: string, documents: readonly string[]): Promise<void> {
    this.#pages.set(page, { documents, at: Date.now() });
    const content = JSON.stringify({ machine: hostname(), pid: process.pid, documents: [...this.#here()] });
    try {
      if (content === this.#written) await utimes(this.#file, new Date(), new Date());
      else {
        await mkdir(this.#folder, { recursive: true, mode: 0o700 });
        await writeFile(this.#file, content);
      }
      this.#written = content;
    } catch {
      // Others then do not know of it: they remove nothing that the limit does not ask for.
      this.#written = '';
    }
  }

  /** Documents that are open, here or at another host. */
  async documents(): Promise<ReadonlySet<string>> {
    const open = new Set(this.#here());
    const names = await readdir(this.#folder).catch(() => []);
    for (const name of names.filter((one) => one.endsWith(SUFFIX)))
      for (const document of await this.#of(join(this.#folder, name))) open.add(document);
    return open;
  }

  async close(): Promise<void> {
    this.#pages.clear();
    await rm(this.#file, { force: true });
  }

  #here(): Set<string> {
    const now = Date.now();
    for (const [page, { at }] of this.#pages) if (now - at > SILENT_MS) this.#pages.delete(page);
    return new Set([...this.#pages.values()].flatMap(({ documents }) => documents));
  }

  async #of(path: string): Promise<readonly string[]> {
    if (path === this.#file) return [];
    try {
      const { machine, pid, documents } = schema.parse(JSON.parse(await readFile(path, 'utf8')));
      const isSilent = Date.now() - (await stat(path)).mtimeMs > SILENT_MS;
      if (!isSilent && (machine !== hostname() || isAlive(pid))) return documents;
      await rm(path, { force: true });
    } catch {
      // Being written, or gone.
    }
    return [];
  }
}
