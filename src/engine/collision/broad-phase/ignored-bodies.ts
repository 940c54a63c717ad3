/** Pairs of bodies whose shapes do not touch, in a sorted array: asked in the time loop, where text or sets of numbers would allocate. */
import { widened } from '../growth';

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
