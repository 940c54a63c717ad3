/**
 * Which shapes are near one another. Every shape has a box in the tree that is wider than the shape, and is
 * put in again only when the shape leaves it; only then its neighbours are asked for. So a step costs what
 * has moved far, and not the number of shapes.
 *
 * A shape without bounds, a plane or a height field, is near everything.
 */
import { widened, widenedBytes } from '../growth';
import { AabbTree } from './aabb-tree';

/**
 * Sorts the first `count` numbers upwards, in place and without allocation (Williams 1964).
 */
export function sortAscending(values: Float64Array, count: number): void {
  for (let k = (count >> 1) - 1; k >= 0; k--) sift(values, k, count);
  for (let end = count - 1; end > 0; end--) {
    const largest = values[0];
    values[0] = values[end];
    values[end] = largest;
    sift(values, 0, end);
  }
}

function sift(values: Float64Array, from: number, count: number): void {
  const value = values[from];
  let k = from;
  for (;;) {
    let child = 2 * k + 1;
    if (child >= count) break;
    if (child + 1 < count && values[child + 1] > values[child]) child++;
    if (values[child] <= value) break;
    values[k] = values[child];
    k = child;
  }
  values[k] = value;
}

const BOX = 6;
/**
 * Room around a shape, of its extent: at a tenth, a shape that moves 1 % of its size per step is put in again
 * every tenth step.
 */
const FAT_MARGIN_OF_EXTENT = 0.1;
/** A shape that is not there: not yet, no longer, or disabled. */
const NOT_IN_TREE = -1;
const WITHOUT_BOUNDS = -2;

export class BroadPhase {
  readonly pairs = new PairList();
  readonly #tree = new AabbTree();
  #leaves = new Int32Array(16).fill(NOT_IN_TREE);
  #hasMoved = new Uint8Array(16);
  #moved = new Int32Array(16);
  /**
   * of shapes that came or went since the last step: pairs of theirs that are in the list are not theirs any
   * more
   */
  #isOther = new Uint8Array(16);
  readonly #wide = new Float64Array(BOX);
  #candidates = new Float64Array(256);
  #candidateCount = 0;
  #count = 0;
  readonly #unbounded: number[] = [];
  readonly #mayTouch: (first: number, second: number) => boolean;

  /** @param mayTouch asked once for each pair that comes near; pairs of which it says no are left out */
  constructor(mayTouch: (first: number, second: number) => boolean) {
    this.#mayTouch = mayTouch;
  }

  /** Takes a shape out, and with the next `update` its pairs. Its number may be used again. */
  remove(shape: number): void {
    if (shape >= this.#leaves.length) return;
    const leaf = this.#leaves[shape];
    if (leaf === NOT_IN_TREE) return;
    if (leaf === WITHOUT_BOUNDS) this.#unbounded.splice(this.#unbounded.indexOf(shape), 1);
    else this.#tree.remove(leaf);
    this.#leaves[shape] = NOT_IN_TREE;
    this.#isOther[shape] = 1;
  }

  /**
   * Brings the pairs up to date.
   * @param bounds six numbers of each shape, with whatever distance still counts as near; infinite without
   *   bounds
   * @param isPresent 1 of shapes that are there; one that is not there any more has been taken out by
   *   `remove`
   * @param count numbers of shapes that are in use or have been
   */
  update(bounds: Float64Array, isPresent: Uint8Array, count: number): void {
    this.#reserve(count);
    this.#count = count;
    this.#candidateCount = 0;
    let moved = 0;
    for (let k = 0; k < count; k++) {
      this.#hasMoved[k] = 0;
      const leaf = this.#leaves[k];
      if (isPresent[k] === 0 || leaf === WITHOUT_BOUNDS) continue;
      if (leaf >= 0) {
        if (this.#tree.holds(leaf, bounds, BOX * k)) continue;
        this.#tree.remove(leaf);
      } else {
        this.#isOther[k] = 1;
        if (!isBounded(bounds, BOX * k)) {
          this.#leaves[k] = WITHOUT_BOUNDS;
          this.#unbounded.push(k);
          continue;
        }
      }
      this.#widen(bounds, BOX * k);
      this.#leaves[k] = this.#tree.insert(k, this.#wide, 0);
      this.#hasMoved[k] = 1;
      this.#moved[moved++] = k;
    }
    for (let k = 0; k < moved; k++) this.#ask(this.#moved[k]);
    for (let k = 0; k < count; k++) if (this.#isOther[k] === 1) this.#pairWithGround(k);
    sortAscending(this.#candidates, this.#candidateCount);
    this.pairs.merge(this.#candidates, this.#candidateCount, this.#stays);
    this.#isOther.fill(0, 0, count);
  }

  readonly #stays = (first: number, second: number): boolean => {
    if (this.#isOther[first] === 1 || this.#isOther[second] === 1) return false;
    if (this.#hasMoved[first] === 0 && this.#hasMoved[second] === 0) return true;
    if (this.#leaves[first] < 0 || this.#leaves[second] < 0) return true;
    return this.#tree.overlap(this.#leaves[first], this.#leaves[second]);
  };

  #ask(shape: number): void {
    const found = this.#tree.query(this.#leaves[shape]);
    for (let k = 0; k < found; k++) {
      const other = this.#tree.found[k];
      // Of two that have both moved, each finds the other.
      if (other === shape || (this.#hasMoved[other] === 1 && other < shape)) continue;
      this.#propose(shape, other);
    }
  }

  /** A shape that has come, and all others where one of the two has no bounds. */
  #pairWithGround(shape: number): void {
    const leaf = this.#leaves[shape];
    if (leaf === NOT_IN_TREE) return;
    const unbounded = this.#unbounded;
    if (leaf !== WITHOUT_BOUNDS) {
      for (let k = 0; k < unbounded.length; k++) this.#propose(shape, unbounded[k]);
      return;
    }
    for (let other = 0; other < this.#count; other++)
      if (other !== shape && this.#leaves[other] !== NOT_IN_TREE) this.#propose(shape, other);
  }

  #propose(one: number, other: number): void {
    const first = Math.min(one, other);
    const second = Math.max(one, other);
    if (!this.#mayTouch(first, second)) return;
    if (this.#candidateCount === this.#candidates.length) {
      this.#candidates = widened(this.#candidates, 2 * this.#candidateCount);
    }
    this.#candidates[this.#candidateCount++] = first * MOST_SHAPES + second;
  }

  #widen(bounds: Float64Array, at: number): void {
    const extent = Math.max(
      bounds[at + 3] - bounds[at],
      bounds[at + 4] - bounds[at + 1],
      bounds[at + 5] - bounds[at + 2],
    );
    for (let k = 0; k < 3; k++) {
      this.#wide[k] = bounds[at + k] - FAT_MARGIN_OF_EXTENT * extent;
      this.#wide[3 + k] = bounds[at + 3 + k] + FAT_MARGIN_OF_EXTENT * extent;
    }
  }

  #reserve(count: number): void {
    const known = this.#leaves.length;
    if (count <= known) return;
    const room = 2 * count;
    const leaves = new Int32Array(room).fill(NOT_IN_TREE);
    leaves.set(this.#leaves);
    this.#leaves = leaves;
    this.#hasMoved = new Uint8Array(room);
    this.#moved = new Int32Array(room);
    this.#isOther = widenedBytes(this.#isOther, room);
  }
}

function isBounded(bounds: Float64Array, at: number): boolean {
  for (let k = 0; k < BOX; k++) if (!Number.isFinite(bounds[at + k])) return false;
  return true;
}

/*
 * Pairs of shapes that are near one another, in the order of their numbers, with what each remembers from
 * step to step. The order depends on nothing but the numbers, so that solvers see contacts in the same order
 * however the pairs came about.
 */

/** Numbers of shapes are below this; two of them fit a double exactly. */
const MOST_SHAPES = 2 ** 26;
/** numbers that a pair remembers */
export const MEMORY = 3;

class PairList {
  count = 0;
  /** first · MOST_SHAPES + second, ascending; first < second */
  keys = new Float64Array(64);
  /** `MEMORY` numbers each, zero for a new pair */
  memory = new Float64Array(64 * MEMORY);
  #nextKeys = new Float64Array(64);
  #nextMemory = new Float64Array(64 * MEMORY);
  /** pairs that have come and gone with the last `merge`, ascending */
  begun = new Float64Array(64);
  begunCount = 0;
  ended = new Float64Array(64);
  endedCount = 0;

  /**
   * Takes pairs in and lets others go.
   * @param candidates sorted keys, some of them known already, some of them twice
   * @param stays whether a pair of the list stays; one that does not, and is proposed all the same, has come
   *   again
   */
  merge(
    candidates: Float64Array,
    candidateCount: number,
    stays: (first: number, second: number) => boolean,
  ): void {
    this.#reserve(this.count + candidateCount);
    this.begunCount = 0;
    this.endedCount = 0;
    const { keys, memory } = this;
    const next = this.#nextKeys;
    const nextMemory = this.#nextMemory;
    let to = 0;
    let c = 0;
    for (let k = 0; k <= this.count; k++) {
      const own = k < this.count ? keys[k] : Infinity;
      while (c < candidateCount && candidates[c] < own) {
        const key = candidates[c++];
        if (to > 0 && next[to - 1] === key) continue;
        this.#begin(to++, key);
      }
      if (k === this.count) break;
      const isProposed = c < candidateCount && candidates[c] === own;
      while (c < candidateCount && candidates[c] === own) c++;
      if (!stays(firstOf(own), secondOf(own))) {
        this.ended[this.endedCount++] = own;
        if (isProposed) this.#begin(to++, own);
        continue;
      }
      next[to] = own;
      for (let m = 0; m < MEMORY; m++) nextMemory[MEMORY * to + m] = memory[MEMORY * k + m];
      to++;
    }
    this.count = to;
    this.#nextKeys = keys;
    this.#nextMemory = memory;
    this.keys = next;
    this.memory = nextMemory;
  }

  /** Puts a pair without memory at a place of the next list. */
  #begin(to: number, key: number): void {
    this.#nextKeys[to] = key;
    for (let m = 0; m < MEMORY; m++) this.#nextMemory[MEMORY * to + m] = 0;
    this.begun[this.begunCount++] = key;
  }

  #reserve(count: number): void {
    if (count <= this.#nextKeys.length) return;
    const room = 2 * count;
    this.keys = widened(this.keys, room);
    this.memory = widened(this.memory, MEMORY * room);
    this.#nextKeys = new Float64Array(room);
    this.#nextMemory = new Float64Array(MEMORY * room);
    this.begun = new Float64Array(room);
    this.ended = new Float64Array(room);
  }
}

export function firstOf(key: number): number {
  return (key / MOST_SHAPES) | 0;
}

export function secondOf(key: number): number {
  return (key % MOST_SHAPES) | 0;
}

/*
 * Pairs of bodies whose shapes do not touch, in a sorted array: asked in the time loop, where text or sets of
 * numbers would allocate.
 */

/** Numbers of bodies are below this; −1, the ground, counts as 0. */
const MOST_BODIES = 2 ** 26;

export class IgnoredBodies {
  #keys = new Float64Array(16);
  #count = 0;

  add(first: number, second: number): void {
    const at = this.#search(first, second);
    const key = keyOf(first, second);
    if (at < this.#count && this.#keys[at] === key) return;
    if (this.#count === this.#keys.length) this.#keys = widened(this.#keys, 2 * this.#count);
    this.#keys.copyWithin(at + 1, at, this.#count++);
    this.#keys[at] = key;
  }

  has(first: number, second: number): boolean {
    if (this.#count === 0) return false;
    const at = this.#search(first, second);
    return at < this.#count && this.#keys[at] === keyOf(first, second);
  }

  /** The first place with a key that is not smaller. */
  #search(first: number, second: number): number {
    const key = keyOf(first, second);
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#keys[middle] < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function keyOf(first: number, second: number): number {
  return (Math.min(first, second) + 1) * MOST_BODIES + Math.max(first, second) + 1;
}
