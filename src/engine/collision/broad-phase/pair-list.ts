/**
 * Pairs of shapes that are near one another, in the order of their numbers, with what each remembers from
 * step to step. The order depends on nothing but the numbers, so that solvers see contacts in the same order
 * however the pairs came about.
 */
import { widened } from '../growth';

/** Numbers of shapes are below this; two of them fit a double exactly. */
export const MOST_SHAPES = 2 ** 26;
/** numbers that a pair remembers */
export const MEMORY = 3;

export class PairList {
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
