/**
 * Runs that last: one folder each in the state directory, which several processes may use at the same time.
 *
 * A folder holds `manifest.json` (what a list shows), `model.json` (what was computed), `prepared.json`
 * (signals, scene), `moment.json` (where it stands), `standing.json` (the same with all that the next step
 * depends on, once it has ended), `events.jsonl`, `certificate.json` (over time, as well), and the recording
 * with its index. Only the process that computes a run writes its recording; every other file is replaced
 * atomically, so a reader finds either the old or the new one. What cannot be read is set aside as it is,
 * with a name that says so.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { appendFile, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { KeptProblem } from '@contract/runs';
import { saveAtomically } from '../../files/atomic';
import { sealLine } from '../../files/journal-lines';
import { withFileLock } from '../../files/file-lock';
import { isAlive } from '../workspace';
import { exactJson, parseExactJson } from '@engine/exact-json';
import { type Manifest, manifestSchema, type RunRecord } from './manifest';

const DAMAGED = '.damaged';
/** A manifest of a run under way is written at least this often, ms, */
export const HEARTBEAT_MS = 5000;
/** and a heartbeat this old is of a dead process, even if its PID is in use again, ms. */
const SILENT_MS = 120 * HEARTBEAT_MS;
/** Age at which a folder without a manifest is taken for a run that was never prepared, ms. */
const ABANDONED_MS = 24 * 3600 * 1000;

/** Hosts of this process: their runs are not interrupted. */
const livingHere = new Set<string>();

export type KeptFile = 'model.json' | 'prepared.json' | 'moment.json' | 'standing.json' | 'certificate.json';

export interface ListedRun {
  manifest: Manifest;
  /** when it was last written, ms since 1970 */
  time: number;
  /** what its files take on the disk, as far as that is known: those of a run under way grow */
  bytes: number;
}

export class RunStore {
  readonly #folder: string;
  readonly #version: string;
  readonly #instance = randomUUID();
  /** manifests as they were read last, by run */
  readonly #known = new Map<string, ListedRun>();

  /** @param version of this program */
  constructor(stateDirectory: string, version: string) {
    this.#folder = join(stateDirectory, 'kept-runs');
    this.#version = version;
    livingHere.add(this.#instance);
  }

  get folder(): string {
    return this.#folder;
  }

  /** Ends the claims of this host: what it left under way counts as interrupted. */
  close(): void {
    livingHere.delete(this.#instance);
  }

  /** What every manifest of a run that is computed here says. */
  get signature(): Pick<Manifest, 'version' | 'engineVersion' | 'owner'> {
    return {
      version: 1,
      engineVersion: this.#version,
      owner: { machine: hostname(), pid: process.pid, instance: this.#instance },
    };
  }

  /**
   * Makes the folder of a new run.
   * @returns its recording, to be created
   * @throws {Error} when the disk refuses
   */
  create(runId: string): string {
    mkdirSync(this.#path(runId), { recursive: true, mode: 0o700 });
    return this.recording(runId);
  }

  recording(runId: string): string {
    return join(this.#path(runId), 'recording.rows');
  }

  place(runId: string): string {
    return this.#path(runId);
  }

  async writeManifest(manifest: Manifest): Promise<void> {
    await this.#write(manifest.runId, 'manifest.json', `${exactJson(manifest)}\n`);
  }

  async write(runId: string, file: KeptFile, content: unknown): Promise<void> {
    await this.#write(runId, file, exactJson(content));
  }

  async #write(runId: string, file: string, text: string): Promise<void> {
    await saveAtomically(join(this.#path(runId), file), text, { backup: false });
  }

  /** @throws {Error} when it is not there or cannot be read */
  async read(runId: string, file: KeptFile): Promise<unknown> {
    return parseExactJson(await readFile(join(this.#path(runId), file), 'utf8'));
  }

  async appendEvents(runId: string, content: unknown): Promise<void> {
    await appendFile(join(this.#path(runId), 'events.jsonl'), `${sealLine(exactJson(content), runId)}\n`);
  }

  eventsPath(runId: string): string {
    return join(this.#path(runId), 'events.jsonl');
  }

  /** Changes a manifest as it is on the disk now: another process may have changed another part of it. */
  async update(runId: string, changes: Partial<RunRecord>): Promise<void> {
    const path = join(this.#path(runId), 'manifest.json');
    await withFileLock(path, async () => {
      const present = manifestSchema.parse(parseExactJson(await readFile(path, 'utf8')));
      await this.writeManifest({ ...present, ...changes });
    });
  }

  async has(runId: string): Promise<boolean> {
    return (await stat(join(this.#path(runId), 'manifest.json')).catch(() => null)) !== null;
  }

  /**
   * Every kept run, in the order they were started, those of other processes included, and what had to be set
   * aside.
   */
  async list(): Promise<{ runs: ListedRun[]; problems: KeptProblem[] }> {
    const names = await readdir(this.#folder).catch(() => []);
    const problems: KeptProblem[] = [];
    const found: ListedRun[] = [];
    // Few at a time: there may be thousands.
    const waiting = names.filter((name) => !name.includes('.'));
    const look = async (): Promise<void> => {
      for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
        const listed = await this.#inspect(name, problems);
        if (listed !== null) found.push(listed);
      }
    };
    await Promise.all(Array.from({ length: 16 }, look));
    found.sort((a, b) => a.manifest.startedAt.localeCompare(b.manifest.startedAt));
    return { runs: found, problems };
  }

  async #inspect(runId: string, problems: KeptProblem[]): Promise<ListedRun | null> {
    const path = join(this.#path(runId), 'manifest.json');
    try {
      const { mtimeMs: time } = await stat(path);
      const known = this.#known.get(runId);
      if (known?.time === time) return known;
      const manifest = manifestSchema.parse(parseExactJson(await readFile(path, 'utf8')));
      if (manifest.runId !== runId) throw new Error(`it names another run, ${manifest.runId}`);
      const listed = { manifest, time, bytes: await this.#bytes(runId) };
      this.#known.set(runId, listed);
      return listed;
    } catch (error) {
      this.#known.delete(runId);
      if (error instanceof Error && 'code' in error) {
        // Not written yet, deleted meanwhile, or a disk that refuses: nothing is wrong with what it holds.
        if (error.code === 'ENOENT') await this.#removeIfAbandoned(runId);
        return null;
      }
      const problem = await this.setAside(runId, 'manifest.json', error);
      if (problem !== null) problems.push(problem);
      return null;
    }
  }

  async #bytes(runId: string): Promise<number> {
    const names = await readdir(this.#path(runId)).catch(() => []);
    const sizes = await Promise.all(
      names.map((name) =>
        stat(join(this.#path(runId), name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    );
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  async #removeIfAbandoned(runId: string): Promise<void> {
    try {
      const { mtimeMs } = await stat(this.#path(runId));
      if (Date.now() - mtimeMs > ABANDONED_MS) await this.remove(runId);
    } catch {
      // Gone already.
    }
  }

  /**
   * Renames the folder of a run so that it is no longer found.
   * @returns null if another process has done so
   */
  async setAside(runId: string, file: string, error: unknown): Promise<KeptProblem | null> {
    const path = this.#path(runId);
    const aside = `${path}${DAMAGED}`;
    try {
      await rename(path, aside);
    } catch {
      return null;
    }
    this.#known.delete(runId);
    return { place: join(aside, file), reason: reasonOf(error) };
  }

  /** Whether a living process computes it. */
  isUnderWay({ manifest, time }: ListedRun): boolean {
    const { state, owner } = manifest;
    if (state !== 'starting' && state !== 'running' && state !== 'paused') return false;
    if (Date.now() - time > SILENT_MS) return false;
    if (owner.machine !== hostname()) return true;
    return owner.pid === process.pid ? livingHere.has(owner.instance) : isAlive(owner.pid);
  }

  async remove(runId: string): Promise<void> {
    this.#known.delete(runId);
    await rm(this.#path(runId), { recursive: true, force: true, maxRetries: 3 });
  }

  /** The id is made here or has been found as the name of a folder: it is no path. */
  #path(runId: string): string {
    return join(this.#folder, runId);
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'ZodError' && 'issues' in error) {
    const [first] = error.issues as { path: PropertyKey[]; message: string }[];
    if (first !== undefined) return `${first.path.map(String).join('.')}: ${first.message}`;
  }
  return error instanceof Error ? error.message : String(error);
}
