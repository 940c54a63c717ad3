/**
 * Sparse vectors whose entries know what they were made of. Beside each value v stands its magnitude m, the same sum of
 * products taken with absolute values. Rounding leaves v wrong by a modest multiple of m·2⁻⁵³, so v counts as zero when
 * it is small relative to m. Unlike a comparison with a norm, this decision does not change when states, outputs or
 * multipliers are measured in other units: v and m scale alike.
 */

/**
 * Values below this fraction of what cancelled in them are zero. Sums over hundreds of terms leave 1e-13; matrices typed
 * with ten digits or more still cancel as meant.
 */
export const CANCELLED = 1e-10;

/** Magnitudes are brought back to 1 when they leave this range, long before anything overflows. */
const LARGE = 2 ** 200;

export class TrackedVector {
  readonly value: Float64Array;
  readonly magnitude: Float64Array;
  /** indices of the entries that may be non-zero, in the order they appeared */
  readonly support: Int32Array;
  count = 0;
  readonly #present: Uint8Array;

  constructor(length: number) {
    this.value = new Float64Array(length);
    this.magnitude = new Float64Array(length);
    this.support = new Int32Array(length);
    this.#present = new Uint8Array(length);
  }

  clear(): void {
    for (let k = 0; k < this.count; k++) {
      const i = this.support[k];
      this.value[i] = 0;
      this.magnitude[i] = 0;
      this.#present[i] = 0;
    }
    this.count = 0;
  }

  add(i: number, value: number, magnitude: number): void {
    if (magnitude === 0) return;
    if (this.#present[i] === 0) {
      this.#present[i] = 1;
      this.support[this.count++] = i;
    }
    this.value[i] += value;
    this.magnitude[i] += magnitude;
  }

  isNonZero(i: number): boolean {
    return Math.abs(this.value[i]) > CANCELLED * this.magnitude[i];
  }

  /** Whether an entry with index in [from, to) is non-zero. */
  hasNonZero(from = 0, to = this.value.length): boolean {
    for (let k = 0; k < this.count; k++) {
      const i = this.support[k];
      if (i >= from && i < to && this.isNonZero(i)) return true;
    }
    return false;
  }

  /** Multiplies by a power of two, which is exact, where the magnitudes have become very large or very small. */
  rescale(): void {
    let largest = 0;
    for (let k = 0; k < this.count; k++) largest = Math.max(largest, this.magnitude[this.support[k]]);
    if (largest === 0 || (largest < LARGE && largest > 1 / LARGE)) return;
    const factor = 2 ** -Math.round(Math.log2(largest));
    for (let k = 0; k < this.count; k++) {
      const i = this.support[k];
      this.value[i] *= factor;
      this.magnitude[i] *= factor;
    }
  }
}
