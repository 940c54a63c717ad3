/**
 * Which pages are there: each says so again and again, and its host leaves a file that says it to other hosts
 * over the same state directory. Journals of unsaved edits belong to a page for as long as its lease holds.
 *
 * Silence is measured by who looks, in the time in which it looks: a clock that was set, or a machine that
 * slept, takes no lease away.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { isAlive } from './workspace';

const SUFFIX = '.page';
/** A page without a word for so long is gone, ms: one in the background speaks once a minute at best. */
export const SILENT_MS = 150_000;
/**
 * The same of one whose connection or host has ended, ms: it connects again by itself when it is still there.
 */
export const GRACE_MS = 3000;
/** Between two looks there may have been a sleep: so much of it counts at most, ms. */
export const LONGEST_LOOK_MS = 10_000;

const schema = z.object({
  /** what pages have in common that see each other's locks; null where there is none */
  profile: z.string().nullable(),
  machine: z.string(),
  pid: z.number().int(),
  instance: z.string(),
  /** its connection has ended */
  hasLeft: z.boolean(),
});

/** How long a page has been silent. */
interface Silence {
  stamp: string;
  ms: number;
  lookedAt: number;
}

export interface Lease {
  readonly profile: string | null;
  readonly isHeld: boolean;
}

/** Hosts of this process. */
const livingHere = new Set<string>();

export class PageLeases {
  readonly #folder: string;
  readonly #now: () => number;
  readonly #instance = randomUUID();
  /** pages of this host, with what their files say */
  readonly #own = new Map<string, string>();
  readonly #silences = new Map<string, Silence>();

  /** @param now ms from any instant on, never back */
  constructor(stateDirectory: string, now: () => number) {
    this.#folder = join(stateDirectory, 'open-pages');
    this.#now = now;
    livingHere.add(this.#instance);
  }

  /** A page of this host is there. */
  async renew(page: string, profile: string | null): Promise<void> {
    await this.#write(page, profile, false);
  }

  /** Its connection has ended. It is there again when it says so. */
  async leave(page: string): Promise<void> {
    const written = this.#own.get(page);
    if (written !== undefined) await this.#write(page, schema.parse(JSON.parse(written)).profile, true);
  }

  /** The page is known to be gone. */
  async drop(page: string): Promise<void> {
    this.#own.delete(page);
    this.#silences.delete(page);
    await rm(this.#path(page), { force: true });
  }

  /** null for a page that never had one, or that is gone. */
  async find(page: string): Promise<Lease | null> {
    try {
      const path = this.#path(page);
      const { mtimeMs } = await stat(path);
      const text = await readFile(path, 'utf8');
      const { profile, machine, pid, instance, hasLeft } = schema.parse(JSON.parse(text));
      const isHere = machine === hostname();
      const hasHost = !isHere || (pid === process.pid ? livingHere.has(instance) : isAlive(pid));
      const silent = this.#look(page, `${mtimeMs} ${text}`);
      const isHeld =
        hasHost && !hasLeft ? silent <= SILENT_MS : silent <= GRACE_MS && Date.now() - mtimeMs <= GRACE_MS;
      return { profile, isHeld };
    } catch {
      return null;
    }
  }

  /** Removes leases that have run out, of pages that are not among those. */
  async tidy(pages: ReadonlySet<string>): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const page = name.slice(0, -SUFFIX.length);
      if (!name.endsWith(SUFFIX) || pages.has(page)) continue;
      if ((await this.find(page))?.isHeld === false) await this.drop(page);
    }
  }

  /** The host comes to its end, and its pages with it. */
  async close(): Promise<void> {
    livingHere.delete(this.#instance);
    for (const page of this.#own.keys()) await rm(this.#path(page), { force: true }).catch(() => undefined);
    this.#own.clear();
  }

  /** @returns how long a page has been silent while this host looked, ms */
  #look(page: string, stamp: string): number {
    const now = this.#now();
    const known = this.#silences.get(page);
    if (known?.stamp !== stamp) {
      this.#silences.set(page, { stamp, ms: 0, lookedAt: now });
      return 0;
    }
    known.ms += Math.min(now - known.lookedAt, LONGEST_LOOK_MS);
    known.lookedAt = now;
    return known.ms;
  }

  async #write(page: string, profile: string | null, hasLeft: boolean): Promise<void> {
    const text = JSON.stringify({
      profile,
      machine: hostname(),
      pid: process.pid,
      instance: this.#instance,
      hasLeft,
    });
    const path = this.#path(page);
    try {
      const now = new Date();
      if (this.#own.get(page) === text) await utimes(path, now, now);
      else await this.#create(path, text);
    } catch {
      // Taken away since, or a disk that refuses: then others may offer its edits, and none are lost by that.
      await this.#create(path, text).catch(() => undefined);
    }
    this.#own.set(page, text);
  }

  async #create(path: string, text: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await writeFile(path, text);
  }

  /** The page has passed the contract, or is the name of a file here: it is no path. */
  #path(page: string): string {
    return join(this.#folder, `${page}${SUFFIX}`);
  }
}
