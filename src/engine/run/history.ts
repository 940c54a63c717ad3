/**
 * States of a run that it can go back to: a bounded number of them, spread over all of it. From the nearest
 * one before a moment the run is computed forward again, with the same bits.
 */
import type { SavedHistory } from '../certificate/history';
import type { SimulationMemory } from './schemes/scheme';

/**
 * Moves between the first snapshots; each time there is no room for more, every other one is dropped and the
 * distance doubles.
 */
const FIRST_DISTANCE = 256;
const MOST_SNAPSHOTS = 128;
/** Memory for snapshots, bytes. */
const SNAPSHOT_BYTES = 64 * 2 ** 20;
/** Fewer would make going back as slow as starting again. */
const LEAST_SNAPSHOTS = 4;

export interface Snapshot {
  /** moves of the run when it was taken */
  readonly move: number;
  /** recorded rows */
  readonly rows: number;
  /** points of each section so far */
  readonly points: readonly number[];
  /** how many changes of parameters had been made */
  readonly changes: number;
  readonly memory: SimulationMemory;
  /** the certificate over time so far */
  readonly certificate: SavedHistory;
}

export class RunHistory {
  #distance = FIRST_DISTANCE;
  #snapshots: Snapshot[] = [];
  #capacity = 0;

  /** Moves from the present one to the next that a snapshot is to be taken at. */
  movesToNext(move: number): number {
    return this.#distance - (move % this.#distance);
  }

  isDue(move: number): boolean {
    return move > 0 && move % this.#distance === 0 && this.#snapshots.at(-1)?.move !== move;
  }

  /** Keeps one that is newer than all others. */
  keep(snapshot: Snapshot): void {
    if (this.#capacity === 0)
      this.#capacity = Math.min(
        MOST_SNAPSHOTS,
        Math.max(LEAST_SNAPSHOTS, Math.floor(SNAPSHOT_BYTES / bytesOf(snapshot.memory))),
      );
    this.#snapshots.push(snapshot);
    while (this.#snapshots.length > this.#capacity) {
      this.#distance *= 2;
      this.#snapshots = this.#snapshots.filter(({ move }) => move % this.#distance === 0);
    }
  }

  /**
   * The newest at or before a move, and forgets those after it.
   * @param changes most changes of parameters before it
   */
  goBack(move: number, changes: number): Snapshot | null {
    this.#snapshots = this.#snapshots.filter((one) => one.move <= move && one.changes <= changes);
    return this.#snapshots.at(-1) ?? null;
  }
}

/** Size of the typed arrays at any depth. */
function bytesOf(value: unknown): number {
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (typeof value !== 'object' || value === null) return 16;
  return Object.values(value).reduce<number>((sum, part) => sum + bytesOf(part), 64);
}
