/**
 * Which runs compute, and which wait for their turn. More than the cores at once would only share them, and
 * each holds its engine in memory.
 *
 * Of those that wait, one that follows a slider comes first, then those that were started one by one, then
 * members of groups. The one that follows a slider does not wait for others to end: beside them, one such run
 * computes at a time.
 */
import type { RunState } from '@contract/methods';

/** Runs that hold a worker, paused ones included; each has a thread and up to a gibibyte of heap. */
export const MOST_WORKERS = 16;

export const URGENCIES = ['live', 'single', 'group'] as const;
/** `live`: follows a slider; `single`: started by itself; `group`: with others */
export type Urgency = (typeof URGENCIES)[number];

export interface QueuedRun {
  readonly state: RunState;
  readonly urgency: Urgency;
  /** Leaves the state `queued`. */
  begin(): void;
}

const isComputing = ({ state }: QueuedRun): boolean => state === 'starting' || state === 'running';

export class RunQueue<R extends QueuedRun> {
  readonly #atOnce: () => number;
  readonly #runs = new Set<R>();
  #isClosed = false;

  /** @param atOnce how many compute at a time */
  constructor(atOnce: () => number) {
    this.#atOnce = atOnce;
  }

  /** Takes a run, which begins at once where there is room. */
  add(run: R): void {
    this.#runs.add(run);
    this.advance();
  }

  /** Those that wait, in the order in which they will begin. */
  get waiting(): R[] {
    const waiting = [...this.#runs].filter(({ state }) => state === 'queued');
    return URGENCIES.flatMap((urgency) => waiting.filter((run) => run.urgency === urgency));
  }

  /** Some run has come into another state: others may begin. */
  advance(): void {
    for (const run of this.#runs) if (isOver(run)) this.#runs.delete(run);
    if (this.#isClosed) return;
    for (const run of this.waiting) if (this.#hasRoom(run)) run.begin();
  }

  #hasRoom({ urgency }: R): boolean {
    const runs = [...this.#runs];
    if (runs.filter(({ state }) => state !== 'queued' && !OVER.has(state)).length >= MOST_WORKERS)
      return false;
    const computing = runs.filter(isComputing);
    if (computing.length < this.#atOnce()) return true;
    return urgency === 'live' && !computing.some((run) => run.urgency === 'live');
  }

  /** Nothing begins any more. */
  close(): void {
    this.#isClosed = true;
  }
}

const OVER: ReadonlySet<RunState> = new Set(['done', 'failed', 'cancelled', 'interrupted']);
const isOver = ({ state }: QueuedRun): boolean => OVER.has(state);
