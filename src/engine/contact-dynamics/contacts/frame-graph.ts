/**
 * The graph of local frames (Solfec, local dynamics, "the graph of local frames"): frames are its vertices,
 * and two of them are neighbours where they share something that can move, because W has a block for each
 * such pair and no other. Frames come and go with the contacts of a simulation; inserting or removing one
 * costs as much as it has neighbours.
 *
 * What can move is a group: a body, or bodies that joints hold together, through which an impulse at one of
 * them is felt at all. A frame lies between two groups, or between a group and what does not move (−1), or
 * within one group.
 *
 * A frame keeps its number until it is removed; numbers of removed frames are given out again, the one freed
 * last first. Block rows follow the ranks of frames, contacts before rows of joints and these before
 * moment rows of contacts, and among frames of one rank their numbers.
 */
import type { BlockRows } from '../../linalg/block-rows';
import type { StateArchive } from '../../state-archive';

/** Growth of storage that is full. */
const GROWTH = 2;
const NONE = -1;
const RANKS = 3;

/** Ranks of frames: contacts, rows of joints, moment rows of contacts. */
export const [CONTACT, JOINT, COMPANION] = [0, 1, 2] as const;
export type Rank = typeof CONTACT | typeof JOINT | typeof COMPANION;

export class FrameGraph {
  /** frames that are there */
  count = 0;
  /** changes whenever a frame comes or goes */
  revision = 0;
  /** numbers of frames from 0 on that have ever been given out */
  extent = 0;
  /** groups by frame, 2 each; −2 in the first place of a number that is free */
  #groups: Int32Array;
  #ranks: Uint8Array;
  /** number given out next among those that are free, and behind each of them the one after it */
  #free = NONE;
  #nextFree: Int32Array;
  /** first link of each group's list of frames */
  #heads: Int32Array;
  /** lists of frames by group: link 2 f + s is that of side s of frame f */
  #next: Int32Array;
  #previous: Int32Array;
  /** 1 where a frame has been met in the walk that goes on, by frame: the number of the walk */
  #met: Int32Array;
  #walk = 0;

  /** @param groups number of groups, @param frames room to begin with */
  constructor(groups: number, frames = 16) {
    this.#heads = new Int32Array(groups).fill(NONE);
    this.#groups = new Int32Array(2 * frames);
    this.#ranks = new Uint8Array(frames);
    this.#nextFree = new Int32Array(frames);
    this.#next = new Int32Array(2 * frames);
    this.#previous = new Int32Array(2 * frames);
    this.#met = new Int32Array(frames);
  }

  /**
   * @param first, second groups; −1 for what does not move
   * @param rank of the frame: rows of lower ranks come first
   * @returns number of the frame
   */
  insert(first: number, second: number, rank: Rank = CONTACT): number {
    let frame = this.#free;
    if (frame !== NONE) {
      this.#free = this.#nextFree[frame];
    } else {
      frame = this.extent++;
      if (frame >= this.#nextFree.length) this.#grow();
    }
    this.restore(frame, first, second, rank);
    return frame;
  }

  /** Inserts a frame with the number that it had when it was removed, which has not been released since. */
  restore(frame: number, first: number, second: number, rank: Rank): void {
    this.#groups[2 * frame] = first;
    this.#groups[2 * frame + 1] = second;
    this.#ranks[frame] = rank;
    this.#link(2 * frame, first);
    if (second !== first) this.#link(2 * frame + 1, second);
    this.count++;
    this.revision++;
  }

  /** @returns whether there was such a frame */
  remove(frame: number): boolean {
    if (!this.has(frame)) return false;
    this.suspend(frame);
    this.release(frame);
    return true;
  }

  /** Removes a frame whose number is not given out before it is released. */
  suspend(frame: number): void {
    const first = this.#groups[2 * frame];
    const second = this.#groups[2 * frame + 1];
    this.#unlink(2 * frame, first);
    if (second !== first) this.#unlink(2 * frame + 1, second);
    this.#groups[2 * frame] = -2;
    this.count--;
    this.revision++;
  }

  /** Lets the number of a frame that has been removed be given out again. */
  release(frame: number): void {
    this.#nextFree[frame] = this.#free;
    this.#free = frame;
  }

  exchange(archive: StateArchive): void {
    this.count = archive.value(this.count);
    this.extent = archive.value(this.extent);
    this.#free = archive.value(this.#free);
    this.#groups = archive.array(this.#groups);
    this.#ranks = archive.array(this.#ranks);
    this.#nextFree = archive.array(this.#nextFree);
    this.#heads = archive.array(this.#heads);
    this.#next = archive.array(this.#next);
    this.#previous = archive.array(this.#previous);
    this.#met = archive.array(this.#met);
    this.#walk = archive.value(this.#walk);
    if (archive.isLoading) this.revision++;
  }

  has(frame: number): boolean {
    return frame >= 0 && frame < this.extent && this.#groups[2 * frame] !== -2;
  }

  rank(frame: number): number {
    return this.#ranks[frame];
  }

  /** Group of a side, 0 or 1, of a frame. */
  group(frame: number, side: number): number {
    return this.#groups[2 * frame + side];
  }

  /**
   * Writes the pattern of W: a block row for each frame, in the order of ranks and numbers, with values left
   * as they are.
   * @param rowOf filled with the row of each frame number, −1 where there is none; `extent` entries at least
   * @returns number of blocks
   */
  compile(pattern: BlockRows, rowOf: Int32Array): number {
    rowOf.fill(NONE, 0, this.extent);
    let row = 0;
    for (let rank = 0; rank < RANKS; rank++)
      for (let frame = 0; frame < this.extent; frame++)
        if (this.has(frame) && this.#ranks[frame] === rank) rowOf[frame] = row++;
    reserveRows(pattern, this.count);
    pattern.rows = this.count;
    let block = 0;
    for (let rank = 0; rank < RANKS; rank++)
      for (let frame = 0; frame < this.extent; frame++)
        if (this.has(frame) && this.#ranks[frame] === rank)
          block = this.#compileRow(frame, pattern, rowOf, block);
    pattern.rowStart[this.count] = block;
    return block;
  }

  #compileRow(frame: number, pattern: BlockRows, rowOf: Int32Array, begin: number): number {
    const row = rowOf[frame];
    pattern.rowStart[row] = begin;
    this.#walk++;
    this.#met[frame] = this.#walk;
    reserveBlocks(pattern, begin + 1);
    pattern.columns[begin] = row;
    let block = begin + 1;
    for (let side = 0; side < 2; side++)
      block = this.#collect(this.group(frame, side), pattern, rowOf, block);
    sort(pattern.columns, begin, block);
    let at = begin;
    while (pattern.columns[at] !== row) at++;
    pattern.diagonal[row] = at;
    return block;
  }

  /** Adds the rows of frames at a group that have not been met. */
  #collect(group: number, pattern: BlockRows, rowOf: Int32Array, first: number): number {
    let block = first;
    if (group < 0) return block;
    for (let link = this.#heads[group]; link !== NONE; link = this.#next[link]) {
      const other = link >> 1;
      if (this.#met[other] === this.#walk) continue;
      this.#met[other] = this.#walk;
      reserveBlocks(pattern, block + 1);
      pattern.columns[block++] = rowOf[other];
    }
    return block;
  }

  #link(link: number, group: number): void {
    if (group < 0) return;
    const head = this.#heads[group];
    this.#next[link] = head;
    this.#previous[link] = NONE;
    if (head !== NONE) this.#previous[head] = link;
    this.#heads[group] = link;
  }

  #unlink(link: number, group: number): void {
    if (group < 0) return;
    const next = this.#next[link];
    const previous = this.#previous[link];
    if (previous === NONE) this.#heads[group] = next;
    else this.#next[previous] = next;
    if (next !== NONE) this.#previous[next] = previous;
  }

  #grow(): void {
    const room = GROWTH * this.#nextFree.length;
    this.#groups = enlarged(this.#groups, 2 * room);
    const ranks = new Uint8Array(room);
    ranks.set(this.#ranks);
    this.#ranks = ranks;
    this.#nextFree = enlarged(this.#nextFree, room);
    this.#next = enlarged(this.#next, 2 * room);
    this.#previous = enlarged(this.#previous, 2 * room);
    this.#met = enlarged(this.#met, room);
  }
}

function enlarged(array: Int32Array, length: number): Int32Array {
  const larger = new Int32Array(length);
  larger.set(array);
  return larger;
}

function reserveRows(pattern: BlockRows, rows: number): void {
  if (pattern.diagonal.length >= rows) return;
  const room = Math.max(rows, GROWTH * pattern.diagonal.length);
  pattern.rowStart = new Int32Array(room + 1);
  pattern.diagonal = new Int32Array(room);
}

function reserveBlocks(pattern: BlockRows, blocks: number): void {
  if (pattern.columns.length >= blocks) return;
  const room = Math.max(blocks, GROWTH * pattern.columns.length);
  pattern.columns = enlarged(pattern.columns, room);
  const values = new Float64Array(room * pattern.size * pattern.size);
  values.set(pattern.values);
  pattern.values = values;
}

/** Insertion sort of a row: few entries, and mostly in order. */
function sort(columns: Int32Array, begin: number, end: number): void {
  for (let i = begin + 1; i < end; i++) {
    const column = columns[i];
    let k = i;
    for (; k > begin && columns[k - 1] > column; k--) columns[k] = columns[k - 1];
    columns[k] = column;
  }
}
