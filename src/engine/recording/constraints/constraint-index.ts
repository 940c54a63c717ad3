/**
 * A constraint along a recording. Blocks of rows are summed up on first use, so that wide windows of long
 * runs touch no row again; what is narrower than that is followed row by row.
 */
import type { ChunkSource } from '../chunks';
import type { RecordedConstraint, StateRule } from './constraint';
import { ConstraintTally, type Loss } from './tally';

/** Rows of a block. */
const BLOCK = 256;

/** Rows [first, end) of a recording. */
export interface RowRange {
  readonly first: number;
  readonly end: number;
}

export interface Lane {
  /** times at which another set of states begins, s; ascending */
  readonly t: Float64Array;
  /** states in each of these stretches, as bits; several where one pixel stands for many rows */
  readonly states: Uint8Array;
  /** end of the last of them, s */
  readonly end: number;
  /** times of impacts, s; one for each pixel that has any */
  readonly impactTimes: Float64Array;
  /** in the window: seconds in each state, changes of the state, impacts */
  readonly seconds: Float64Array;
  readonly changes: number;
  readonly impacts: number;
  /** rows that one stretch stands for, at least; 1 where every change is there */
  readonly rowsPerStretch: number;
}

/** Energy lost since the first row, at some rows. */
export interface LostEnergy {
  /** J */
  readonly normal: Float64Array;
  readonly tangential: Float64Array;
}

/**
 * Rows of a window at which sums are reported: every one of a narrow window, about this many of a wider
 * one, where they stand at the ends of blocks.
 */
export function sampledRows({ first, end }: RowRange, samples: number): Int32Array {
  const count = end - first;
  if (count <= 0) return new Int32Array(0);
  const every = Math.max(1, Math.ceil(count / samples));
  if (every < BLOCK) {
    const rows = Int32Array.from({ length: Math.ceil(count / every) }, (_, k) => first + k * every);
    return rows[rows.length - 1] === end - 1 ? rows : Int32Array.from([...rows, end - 1]);
  }
  const stride = Math.ceil(every / BLOCK) * BLOCK;
  const rows: number[] = [];
  for (let row = Math.ceil((first + 1) / BLOCK) * BLOCK - 1; row < end - 1; row += stride) rows.push(row);
  return Int32Array.from([...(rows[0] === first ? [] : [first]), ...rows, end - 1]);
}

/** Numbers that grow. */
class Growing {
  length = 0;
  #values = new Float64Array(256);

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = new Float64Array(2 * this.length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.length++] = value;
  }

  at(index: number): number {
    return this.#values[index];
  }
}

export class ConstraintIndex {
  readonly #source: ChunkSource;
  readonly #constraint: RecordedConstraint<number>;
  readonly #holds: 'before' | 'after';
  readonly #columns: readonly number[];
  /** follows the rows of blocks, from the first one on */
  readonly #summing: ConstraintTally;
  /**
   * of each block: time of its first row, its states, what follows counts and sums up since the first row at
   * its end
   */
  readonly #times = new Growing();
  readonly #masks = new Growing();
  readonly #changes = new Growing();
  readonly #impacts = new Growing();
  readonly #seconds: readonly Growing[];
  readonly #normal = new Growing();
  readonly #tangential = new Growing();

  constructor(source: ChunkSource, constraint: RecordedConstraint<number>, holds: 'before' | 'after') {
    this.#source = source;
    this.#constraint = constraint;
    this.#holds = holds;
    const { rule, present, impact, work } = constraint;
    const all = [0, ...columnsOf(rule), ...(impact === null ? [] : [impact])];
    if (present !== undefined) all.push(present);
    for (const { multiplier, velocity } of work) all.push(multiplier, velocity);
    this.#columns = [...new Set(all)];
    this.#summing = new ConstraintTally(constraint, holds);
    this.#seconds = Array.from(this.#summing.seconds, () => new Growing());
  }

  /** The largest losses of single events, in complete blocks of the recording. @param rows that are there */
  losses(rows: number): readonly Loss[] {
    this.#extend(rows);
    const tail = this.#tail(rows);
    return [...this.#summing.losses, ...tail];
  }

  /** Losses behind the last complete block. */
  #tail(rows: number): readonly Loss[] {
    const tally = new ConstraintTally(this.#constraint, this.#holds);
    this.#follow(tally, this.#times.length * BLOCK, rows, () => undefined);
    return tally.losses;
  }

  /**
   * @param range rows, of which there are
   * @param buckets at most this many stretches, and a few more, are returned
   */
  lane({ first, end }: RowRange, buckets: number): Lane {
    const wide = (end - first) / buckets >= 4 * BLOCK;
    return wide ? this.#wideLane(first, end, buckets) : this.#exactLane(first, end, buckets);
  }

  #exactLane(first: number, end: number, buckets: number): Lane {
    const tally = new ConstraintTally(this.#constraint, this.#holds);
    const starts: number[] = [];
    const masks: number[] = [];
    const impacts: number[] = [];
    let last = NaN;
    this.#follow(tally, first, end, (t, before) => {
      if (tally.isImpact) impacts.push(t);
      if (t > before && (masks.length === 0 || masks[masks.length - 1] !== 1 << tally.state)) {
        starts.push(before);
        masks.push(1 << tally.state);
      }
      last = t;
    });
    const lane = {
      end: last,
      seconds: tally.seconds.slice(),
      changes: tally.changes,
      impacts: tally.impacts,
      impactTimes: thinned(impacts, 2 * buckets),
    };
    const rowsPerStretch = starts.length > 2 * buckets ? (end - first) / (2 * buckets) : 1;
    return { ...lane, rowsPerStretch, ...merged(starts, masks, last, 2 * buckets) };
  }

  #wideLane(first: number, end: number, buckets: number): Lane {
    this.#extend(end);
    const from = Math.floor(first / BLOCK);
    const to = Math.min(this.#times.length, Math.ceil(end / BLOCK));
    const starts: number[] = [];
    const masks: number[] = [];
    const impacts: number[] = [];
    const count = to - from;
    for (let b = 0; b < buckets; b++) {
      const begin = from + Math.floor((b * count) / buckets);
      const stop = from + Math.floor(((b + 1) * count) / buckets);
      if (stop <= begin) continue;
      let mask = 0;
      for (let k = begin; k < stop; k++) mask |= this.#masks.at(k);
      if (this.#impactsBetween(begin, stop) > 0) impacts.push(this.#times.at(begin));
      const states = mask & 0x7f;
      if (masks.length > 0 && masks[masks.length - 1] === states) continue;
      starts.push(this.#times.at(begin));
      masks.push(states);
    }
    // Rows behind the last complete block.
    const tally = new ConstraintTally(this.#constraint, this.#holds);
    let last = NaN;
    this.#follow(tally, Math.max(first, to * BLOCK), end, (t) => (last = t));
    if (tally.mask !== 0) {
      starts.push(this.#times.length > to ? this.#times.at(to) : this.#value(Math.max(0, to * BLOCK - 1), 0));
      masks.push(tally.mask & 0x7f);
    }
    const sum = (values: Growing): number => values.at(to - 1) - (from > 0 ? values.at(from - 1) : 0);
    return {
      t: Float64Array.from(starts),
      states: Uint8Array.from(masks),
      end: Number.isNaN(last) ? this.#value(end - 1, 0) : last,
      impactTimes: Float64Array.from(impacts),
      seconds: Float64Array.from(this.#seconds, (values, k) => sum(values) + tally.seconds[k]),
      changes: sum(this.#changes) + tally.changes,
      impacts: sum(this.#impacts) + tally.impacts,
      rowsPerStretch: (end - first) / buckets,
    };
  }

  #impactsBetween(begin: number, stop: number): number {
    return this.#impacts.at(stop - 1) - (begin > 0 ? this.#impacts.at(begin - 1) : 0);
  }

  /** Energy lost since the first row, at rows that `sampledRows` has chosen. */
  lost(rows: Int32Array): LostEnergy {
    const lost = { normal: new Float64Array(rows.length), tangential: new Float64Array(rows.length) };
    if (rows.length === 0) return lost;
    this.#extend(rows[rows.length - 1] + 1);
    const isKnown = (row: number): boolean =>
      (row + 1) % BLOCK === 0 && (row + 1) / BLOCK <= this.#times.length;
    for (let i = 0; i < rows.length;) {
      if (isKnown(rows[i])) {
        const block = (rows[i] + 1) / BLOCK - 1;
        lost.normal[i] = this.#normal.at(block);
        lost.tangential[i] = this.#tangential.at(block);
        i++;
        continue;
      }
      let last = i;
      while (last + 1 < rows.length && !isKnown(rows[last + 1]) && rows[last + 1] - rows[last] < BLOCK)
        last++;
      this.#followTo(rows.subarray(i, last + 1), (k, normal, tangential) => {
        lost.normal[i + k] = normal;
        lost.tangential[i + k] = tangential;
      });
      i = last + 1;
    }
    return lost;
  }

  /** Sums at rows that lie close together, from the block before them on. */
  #followTo(rows: Int32Array, take: (k: number, normal: number, tangential: number) => void): void {
    const block = Math.min(this.#times.length, Math.floor(rows[0] / BLOCK));
    const base = block === 0 ? [0, 0] : [this.#normal.at(block - 1), this.#tangential.at(block - 1)];
    const tally = new ConstraintTally(this.#constraint, this.#holds);
    // At the first row of all nothing is lost yet.
    let k = rows[0] === 0 ? 1 : 0;
    this.#follow(tally, block * BLOCK, rows[rows.length - 1] + 1, (_, __, row) => {
      if (row === rows[k]) take(k++, base[0] + tally.lost[0], base[1] + tally.lost[1]);
    });
  }

  /** Sums up complete blocks. */
  #extend(rows: number): void {
    const complete = Math.floor(rows / BLOCK);
    const known = this.#times.length;
    if (known >= complete) return;
    const tally = this.#summing;
    let changes = known > 0 ? this.#changes.at(known - 1) : 0;
    let impacts = known > 0 ? this.#impacts.at(known - 1) : 0;
    if (known === 0) this.#times.push(this.#value(0, 0));
    tally.begin();
    const finish = (): void => {
      changes += tally.changes;
      impacts += tally.impacts;
      this.#masks.push(tally.mask);
      this.#changes.push(changes);
      this.#impacts.push(impacts);
      tally.seconds.forEach((value, k) => {
        const sums = this.#seconds[k];
        sums.push((sums.length > 0 ? sums.at(sums.length - 1) : 0) + value);
      });
      this.#normal.push(tally.lost[0]);
      this.#tangential.push(tally.lost[1]);
      tally.begin();
    };
    this.#follow(
      tally,
      known * BLOCK,
      complete * BLOCK,
      (t, _, row) => {
        if (row % BLOCK === 0) this.#times.push(t);
        if (row % BLOCK === BLOCK - 1) finish();
      },
      known > 0,
    );
  }

  /**
   * Follows rows [first, end), with the one before them where there is one.
   * @param goesOn whether the tally has followed the row before
   */
  #follow(
    tally: ConstraintTally,
    first: number,
    end: number,
    visit: (t: number, before: number, row: number) => void,
    goesOn = false,
  ): void {
    const { rowsPerChunk } = this.#source.layout;
    const from = Math.max(0, first - 1);
    const values: Float64Array[] = [];
    let before = NaN;
    for (let row = from; row < end;) {
      const chunk = Math.floor(row / rowsPerChunk);
      const start = row % rowsPerChunk;
      const stop = Math.min(rowsPerChunk, start + end - row);
      // A source may hand out the same array again.
      for (const column of this.#columns)
        values[column] = this.#source.column(chunk, column).slice(start, stop);
      let i = 0;
      const read = (column: number): number => values[column][i];
      const times = values[0];
      for (; i < stop - start; i++) {
        const t = times[i];
        const isBefore = row + i < first || (row + i === 0 && first === 0);
        if (isBefore) {
          if (!goesOn) tally.enter(t, read);
        } else {
          tally.follow(t, read);
          visit(t, before, row + i);
        }
        before = t;
      }
      row += stop - start;
    }
  }

  #value(row: number, column: number): number {
    const { rowsPerChunk } = this.#source.layout;
    return this.#source.column(Math.floor(row / rowsPerChunk), column)[row % rowsPerChunk];
  }
}

function columnsOf(rule: StateRule<number>): number[] {
  switch (rule.kind) {
    case 'box':
      return [rule.lambda];
    case 'friction':
      return rule.second === undefined
        ? [rule.normal, rule.tangential]
        : [rule.normal, rule.tangential, rule.second];
    case 'graph':
      return [rule.y, rule.lambda];
    case 'surface':
      return rule.slip === null ? [rule.count] : [rule.count, rule.slip];
    case 'presence':
      return [rule.present];
  }
}

/** Stretches as they are, or many of them as the states of equal stretches of time. */
function merged(starts: number[], masks: number[], end: number, most: number): Pick<Lane, 't' | 'states'> {
  if (starts.length <= most) return { t: Float64Array.from(starts), states: Uint8Array.from(masks) };
  const width = (end - starts[0]) / most;
  const t: number[] = [];
  const states: number[] = [];
  let k = 0;
  for (let b = 0; b < most; b++) {
    const until = starts[0] + (b + 1) * width;
    // What has begun before goes on into the bucket.
    let mask = masks[Math.max(0, k - 1)];
    for (; k < starts.length && starts[k] < until; k++) mask |= masks[k];
    if (states[states.length - 1] === mask) continue;
    t.push(starts[0] + b * width);
    states.push(mask);
  }
  return { t: Float64Array.from(t), states: Uint8Array.from(states) };
}

/** Ascending times, at most about `most`: one for each of `most` equal stretches of time. */
function thinned(times: number[], most: number): Float64Array {
  if (times.length <= most) return Float64Array.from(times);
  const width = (times[times.length - 1] - times[0]) / most;
  let last = -1;
  return Float64Array.from(
    times.filter((t) => {
      const bucket = Math.floor((t - times[0]) / width);
      if (bucket === last) return false;
      last = bucket;
      return true;
    }),
  );
}
