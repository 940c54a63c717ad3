/**
 * The motion of a run as the animation reads it: poses at any time, exact rows, and what is ahead of what is
 * shown.
 */
import type { Dispatcher } from '@contract/methods';
import { fillPoses, interpolatePoses, POSE_NUMBERS, type PosePlan } from '@figures/animation/geometry/poses';
import { type Block, type Bracket, RowBlocks } from './row-blocks';
import { TimeIndex } from './time-index';

/** Most signals of one call, as the contract has it. */
const SIGNALS_A_CALL = 10_000;
/** Blocks read ahead of the one that is shown. */
const AHEAD = 2;
const TIME = 't';

/** What there is of a recording. */
export interface Recorded {
  /** of a run that goes on, those of the last news */
  readonly rows: number;
  /** mean distance of the rows, s */
  readonly spacing: number;
}

/** What has been written to the poses that are shown. */
export interface Shown {
  /** s: of the row, or between two rows */
  readonly time: number;
  readonly block: Block;
}

export class Trajectory {
  readonly plan: PosePlan;
  readonly #blocks: RowBlocks;
  readonly #index: TimeIndex;
  /** poses of two neighbouring rows about what is shown */
  readonly #before: Float64Array;
  readonly #after: Float64Array;
  /** time between the two, s */
  #span = 0;

  /** @param start 7 a body: poses of what does not move */
  constructor(
    private readonly dispatcher: Dispatcher,
    private readonly runId: string,
    plan: PosePlan,
    start: Float64Array,
  ) {
    this.plan = plan;
    this.#before = start.slice();
    this.#after = start.slice();
    const read = this.readRows.bind(this);
    this.#blocks = new RowBlocks(
      (first, count, every) => read(plan.signals, first, count, every),
      plan.signals.length,
    );
    this.#index = new TimeIndex(async (first, count, every) => (await read([], first, count, every)).times);
  }

  /** Level whose rows are about as far apart as the time of the run that one picture stands for, s. */
  level(perPicture: number, { spacing }: Recorded): number {
    return spacing > 0 && perPicture > 2 * spacing ? Math.floor(Math.log2(perPicture / spacing)) : 0;
  }

  /** Writes the poses at a time, between two rows. @returns null where nothing about it is loaded */
  interpolate(out: Float64Array, level: number, t: number): Shown | null {
    const found = this.#blocks.find(level, t);
    if (found === null) return null;
    this.#writeBoth(found);
    interpolatePoses(out, this.#before, this.#after, found.fraction, this.plan.bodies);
    const { times } = found.block;
    return {
      time: times[found.row] + found.fraction * (times[found.next] - times[found.row]),
      block: found.block,
    };
  }

  /** Loads what is about a time. */
  async seek(level: number, t: number, { rows }: Recorded): Promise<void> {
    if (rows === 0) return;
    const row = await this.#index.locate(t, rows);
    await this.#blocks.load(level, this.#blocks.blockOf(level, row), rows);
  }

  /**
   * Reads on behind what is shown, without waiting; and it itself again where the run has gone on meanwhile.
   */
  prefetch({ block: { level, index } }: Shown, { rows }: Recorded, loop: boolean): void {
    const count = this.#blocks.count(level, rows);
    for (let i = 0; i <= AHEAD; i++) {
      const next = index + i < count || !loop ? index + i : index + i - count;
      if (next >= count) return;
      // What could not be read ahead is read, and complained of, when it is to be shown.
      this.#blocks.load(level, next, rows).catch(() => undefined);
    }
  }

  /** Row that belongs to a time: the last that is not after it. */
  locate(t: number, { rows }: Recorded): Promise<number> {
    return this.#index.locate(t, rows);
  }

  /** Writes the poses of a row. @returns null where there is no such row */
  async exact(out: Float64Array, row: number, { rows }: Recorded): Promise<Shown | null> {
    if (row < 0 || row >= rows) return null;
    const block = await this.#blocks.load(0, this.#blocks.blockOf(0, row), rows);
    const { times } = block;
    const at = row - block.index * this.#blocks.rows;
    if (at >= times.length) return null;
    // The speed is that of the way to this row, unless the row is the first or has the time of the one
    // before.
    const toRow = at > 0 && times[at] > times[at - 1];
    const next = Math.min(at + 1, times.length - 1);
    this.#writeBoth(
      toRow ? { block, row: at - 1, next: at, fraction: 1 } : { block, row: at, next, fraction: 0 },
    );
    out.set(toRow ? this.#after : this.#before);
    return { time: times[at], block };
  }

  /** Speed of a body about what is shown, from two rows, m/s; NaN where there are none. */
  speed(body: number): number {
    const at = POSE_NUMBERS * body;
    const [a, b] = [this.#before, this.#after];
    return this.#span > 0
      ? Math.hypot(b[at] - a[at], b[at + 1] - a[at + 1], b[at + 2] - a[at + 2]) / this.#span
      : NaN;
  }

  /** Times and signals of rows, in as many calls as the contract wants. */
  async readRows(
    signals: readonly string[],
    firstRow: number,
    count: number,
    every: number,
  ): Promise<{ times: Float64Array; columns: readonly Float64Array[] }> {
    const names = [TIME, ...signals];
    const parts: Promise<readonly Float64Array[]>[] = [];
    for (let at = 0; at < names.length; at += SIGNALS_A_CALL) {
      const query = {
        runId: this.runId,
        signals: names.slice(at, at + SIGNALS_A_CALL),
        firstRow,
        count,
        every,
      };
      parts.push(this.dispatcher.dispatch('run.rows', query).then(({ columns }) => columns));
    }
    const [times = new Float64Array(0), ...columns] = (await Promise.all(parts)).flat();
    // A run that goes on may have one more row in a later part.
    const rows = columns.reduce((least, column) => Math.min(least, column.length), times.length);
    return { times: times.subarray(0, rows), columns };
  }

  #writeBoth({ block, row, next }: Bracket): void {
    fillPoses(this.#before, this.plan, block.columns, row);
    fillPoses(this.#after, this.plan, block.columns, next);
    this.#span = block.times[next] - block.times[row];
  }
}
