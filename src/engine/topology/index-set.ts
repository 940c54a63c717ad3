/**
 * A set of interactions, by handle. Membership is one bit, so that inserting and removing are O(1) and
 * allocate nothing while the capacity holds; members come in increasing order of their handles, which depends
 * on the set alone and not on the way it came about: two runs that reach the same contacts by different paths
 * see them in the same order.
 */

const BITS = 32;

/** What a reader may do with an index set. */
export interface ReadonlyIndexSet {
  /** number of members */
  readonly size: number;
  /** changes whenever the set does */
  readonly revision: number;
  has(handle: number): boolean;
  /**
   * Smallest member ≥ `from`; −1 when there is none. `for (let a = s.next(0); a >= 0; a = s.next(a + 1))`
   * visits all.
   */
  next(from: number): number;
  /** Writes the members in increasing order. @returns their number */
  write(out: Int32Array): number;
}

export class IndexSet implements ReadonlyIndexSet {
  #words: Int32Array;
  #size = 0;
  #revision = 0;

  /** @param capacity handles below this need no further memory; larger ones grow the set */
  constructor(capacity = BITS) {
    this.#words = new Int32Array(Math.max(1, Math.ceil(capacity / BITS)));
  }

  get size(): number {
    return this.#size;
  }

  get revision(): number {
    return this.#revision;
  }

  has(handle: number): boolean {
    const word = handle >>> 5;
    return word < this.#words.length && ((this.#words[word] >>> (handle & 31)) & 1) === 1;
  }

  /** @returns whether the set changed */
  insert(handle: number): boolean {
    if (this.has(handle)) return false;
    const word = handle >>> 5;
    if (word >= this.#words.length) {
      const larger = new Int32Array(Math.max(2 * this.#words.length, word + 1));
      larger.set(this.#words);
      this.#words = larger;
    }
    this.#words[word] |= 1 << (handle & 31);
    this.#size++;
    this.#revision++;
    return true;
  }

  /** @returns whether the set changed */
  remove(handle: number): boolean {
    if (!this.has(handle)) return false;
    this.#words[handle >>> 5] &= ~(1 << (handle & 31));
    this.#size--;
    this.#revision++;
    return true;
  }

  next(from: number): number {
    const words = this.#words;
    let word = from >>> 5;
    if (word >= words.length) return -1;
    let bits = words[word] & (-1 << (from & 31));
    while (bits === 0) {
      if (++word >= words.length) return -1;
      bits = words[word];
    }
    // bits & −bits is the lowest bit that is set.
    return word * BITS + 31 - Math.clz32(bits & -bits);
  }

  write(out: Int32Array): number {
    let count = 0;
    for (let handle = this.next(0); handle >= 0; handle = this.next(handle + 1)) out[count++] = handle;
    return count;
  }
}
