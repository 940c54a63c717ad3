/** What kept runs take of the disk, and which go so that it is not more than their user grants. */
import { MoreauError } from '@contract/errors';
import type { HostEvents, RemovedRuns, RunStorage, StoredRun } from '@contract/methods';
import { Attendance } from './attendance';
import { freeBytes, overLimit, removable } from './disk-limit';
import type { ListedRun, RunStore } from './run-store';

/** A deleted run can be restored for so long, ms. */
const RESTORABLE_MS = 24 * 3600 * 1000;
/**
 * No run is begun with less than that left on the disk, bytes: the system and the files of its user need it.
 */
const LEAST_FREE_BYTES = 128 * 2 ** 20;

export interface HousekeepingActions {
  /** removes the files of a run, and forgets it where it is known */
  remove(runId: string): Promise<void>;
  onRemoved(removed: HostEvents['run.removed']): void;
}

export class Housekeeping {
  readonly attendance: Attendance;
  readonly #store: RunStore;
  readonly #limit: () => number;
  readonly #actions: HousekeepingActions;
  /** one removal at a time */
  #removing: Promise<void> = Promise.resolve();
  /** whether the exceeded limit has been reported */
  #isOver = false;

  /** @param limit bytes; 0 is none */
  constructor(store: RunStore, limit: () => number, actions: HousekeepingActions) {
    this.#store = store;
    this.#limit = limit;
    this.#actions = actions;
    this.attendance = new Attendance(store.folder);
  }

  /** @throws {MoreauError} `disk-full` */
  async requireSpace(): Promise<void> {
    const { folder } = this.#store;
    const free = await freeBytes(folder);
    if (free === null || free >= LEAST_FREE_BYTES) return;
    throw new MoreauError({
      code: 'disk-full',
      message: `Only ${Math.floor(free / 2 ** 20)} MiB are free on the disk of ${folder}; a run needs at least ${LEAST_FREE_BYTES / 2 ** 20} MiB.`,
      where: folder,
      remedy: 'Delete old runs, or free other space on that disk.',
    });
  }

  async storage(): Promise<RunStorage> {
    const { runs } = await this.#store.list();
    const open = await this.attendance.documents();
    const limit = this.#limit();
    return {
      folder: this.#store.folder,
      runs: runs.map((listed) => this.#described(listed, open)),
      bytes: totalOf(runs),
      limit: limit === 0 ? null : limit,
      free: await freeBytes(this.#store.folder),
    };
  }

  #described(listed: ListedRun, open: ReadonlySet<string>): StoredRun {
    const { runId, name, title, state, startedAt, pinned, documents, deletedAt } = listed.manifest;
    const isGoing = this.#store.isUnderWay(listed);
    const wasGoing = state === 'starting' || state === 'running' || state === 'paused';
    return {
      runId,
      name,
      title,
      state: wasGoing && !isGoing ? 'interrupted' : state,
      startedAt,
      bytes: listed.bytes,
      pinned,
      inUse: isGoing || documents.some((document) => open.has(document)),
      isDeleted: deletedAt !== null,
    };
  }

  /** Removes for good all that are neither pinned nor in use. */
  async clear(): Promise<RemovedRuns> {
    const { runs } = await this.#store.list();
    return this.#removeAll(await this.#removable(runs));
  }

  /** Makes room when kept runs take more than is granted, and says so. */
  keepWithinLimit(): void {
    this.#removing = this.#removing.then(() => this.#makeRoom()).catch(() => undefined);
  }

  async #makeRoom(): Promise<void> {
    const listed = await this.#store.list();
    const longAgo = listed.runs.filter(({ manifest: { deletedAt } }) => isLongAgo(deletedAt));
    await this.#removeAll(longAgo);
    const runs = listed.runs.filter((run) => !longAgo.includes(run));
    const limit = this.#limit();
    const removed = await this.#removeAll(overLimit(runs, await this.#removable(runs), limit));
    const over = limit === 0 ? 0 : Math.max(0, totalOf(runs) - removed.bytes - limit);
    const isNews = over > 0 && !this.#isOver;
    this.#isOver = over > 0;
    if (removed.runs.length > 0 || isNews) this.#actions.onRemoved({ ...removed, limit, over });
  }

  async #removable(runs: readonly ListedRun[]): Promise<ListedRun[]> {
    return removable(runs, await this.attendance.documents(), (run) => this.#store.isUnderWay(run));
  }

  async #removeAll(going: readonly ListedRun[]): Promise<RemovedRuns> {
    const removed: RemovedRuns = { runs: [], bytes: 0 };
    for (const { manifest, bytes } of going) {
      const { runId, name, title, deletedAt } = manifest;
      await this.#actions.remove(runId);
      removed.bytes += bytes;
      if (deletedAt === null) removed.runs.push({ runId, name, title });
    }
    return removed;
  }

  async close(): Promise<void> {
    await this.#removing;
    await this.attendance.close();
  }
}

const totalOf = (runs: readonly ListedRun[]): number => runs.reduce((sum, { bytes }) => sum + bytes, 0);

/** Deleted long enough ago that it can no longer be restored. */
const isLongAgo = (deletedAt: number | null): boolean =>
  deletedAt !== null && Date.now() - deletedAt > RESTORABLE_MS;
