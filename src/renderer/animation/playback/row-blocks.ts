/**
 * Rows of a recording in blocks, of which a bounded amount is kept. A block of level L holds each 2ᴸ-th row:
 * fast playing reads what it shows and not what it passes over. Each block ends with the first row of the
 * next, so that what lies between two rows lies in one block.
 */
import { lastAtMost } from './time-index';

export interface Block {
  readonly level: number;
  readonly index: number;
  /** s */
  readonly times: Float64Array;
  /** one for each signal */
  readonly columns: readonly Float64Array[];
  /** false where the recording ended before the block did */
  readonly complete: boolean;
}

/** Two neighbouring rows about a time; the same one twice at the end of what is recorded. */
export interface Bracket {
  readonly block: Block;
  readonly row: number;
  readonly next: number;
  /** 0 at the first, 1 at the second */
  readonly fraction: number;
}

/** Reads `count` rows from `first` on, each `every`-th: times and one column for each signal. */
export type ReadRows = (
  first: number,
  count: number,
  every: number,
) => Promise<{ times: Float64Array; columns: readonly Float64Array[] }>;

/** Values of a block, about: 4 MiB. */
const BLOCK_VALUES = 2 ** 19;
const LEAST_ROWS = 8;
const MOST_ROWS = 512;
/** Values kept, 64 MiB; at least the block that is shown and the next ones. */
const KEPT_VALUES = 2 ** 23;
const LEAST_KEPT = 4;

export class RowBlocks {
  /** rows of a block without the one it shares with the next */
  readonly rows: number;
  readonly #read: ReadRows;
  readonly #mostKept: number;
  /** least recently used first */
  readonly #blocks = new Map<string, Block>();
  readonly #pending = new Map<string, Promise<Block>>();

  /** @param signals number of signals read */
  constructor(read: ReadRows, signals: number) {
    this.#read = read;
    this.rows = Math.max(LEAST_ROWS, Math.min(MOST_ROWS, Math.floor(BLOCK_VALUES / (signals + 1))));
    this.#mostKept = Math.max(LEAST_KEPT, Math.floor(KEPT_VALUES / (this.rows * (signals + 1))));
  }

  /** Blocks held now: what the bound is on. */
  get kept(): number {
    return this.#blocks.size;
  }

  /** Number of the block of a level that has a row. */
  blockOf(level: number, row: number): number {
    return Math.floor(row / (this.rows * 2 ** level));
  }

  /** Number of blocks of a level. @param rows of the recording */
  count(level: number, rows: number): number {
    return rows === 0 ? 0 : this.blockOf(level, rows - 1) + 1;
  }

  /**
   * Loads a block unless it is there.
   * @param rows recorded rows at this moment: what was incomplete may have grown
   */
  async load(level: number, index: number, rows: number): Promise<Block> {
    const key = `${level} ${index}`;
    const known = this.#blocks.get(key);
    const first = index * this.rows * 2 ** level;
    if (known !== undefined) {
      this.#touch(key, known);
      const recorded = Math.min(this.rows + 1, Math.ceil((rows - first) / 2 ** level));
      if (known.complete || known.times.length >= recorded) return known;
    }
    const pending = this.#pending.get(key) ?? this.#fetch(key, level, index, first);
    this.#pending.set(key, pending);
    return pending;
  }

  /** What is loaded of a level about a time; null where that is nothing. */
  find(level: number, t: number): Bracket | null {
    for (const [key, block] of this.#blocks) {
      const { times, level: own } = block;
      if (own !== level || times.length === 0 || !(times[0] <= t)) continue;
      // Behind the last row of a recording there is only that row. A complete block ends where the next one
      // begins.
      if (block.complete && t >= times[times.length - 1] && !this.#isLast(block, t)) continue;
      this.#touch(key, block);
      return bracket(block, t);
    }
    return null;
  }

  async #fetch(key: string, level: number, index: number, first: number): Promise<Block> {
    const every = 2 ** level;
    try {
      const { times, columns } = await this.#read(first, this.rows * every + 1, every);
      const block = { level, index, times, columns, complete: times.length === this.rows + 1 };
      this.#blocks.delete(key);
      this.#blocks.set(key, block);
      for (const oldest of this.#blocks.keys()) {
        if (this.#blocks.size <= this.#mostKept) break;
        this.#blocks.delete(oldest);
      }
      return block;
    } finally {
      this.#pending.delete(key);
    }
  }

  /**
   * A block may end just where the recording does: then there is no next one, and it answers for its last
   * row.
   */
  #isLast({ level, index, times }: Block, t: number): boolean {
    return t === times[times.length - 1] && !this.#blocks.has(`${level} ${index + 1}`);
  }

  #touch(key: string, block: Block): void {
    this.#blocks.delete(key);
    this.#blocks.set(key, block);
  }
}

/** The rows of a block about a time of it. Of rows at one time, as at an impact, the last counts. */
export function bracket(block: Block, t: number): Bracket {
  const { times } = block;
  const row = Math.max(0, lastAtMost(times, t));
  const next = Math.min(row + 1, times.length - 1);
  const span = times[next] - times[row];
  return { block, row, next, fraction: span > 0 ? Math.max(0, Math.min(1, (t - times[row]) / span)) : 0 };
}
