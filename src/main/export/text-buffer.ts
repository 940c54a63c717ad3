/**
 * Text on its way to a file, as bytes in one buffer that is used again and again. Building strings instead
 * would leave hundreds of mebibytes to be collected for a long run.
 */

/** Longest text of a float64. */
const MAX_NUMBER = 32;

export class TextBuffer {
  #bytes: Buffer;
  #length = 0;

  /** @param capacity bytes at first; it grows when needed */
  constructor(capacity: number) {
    this.#bytes = Buffer.allocUnsafe(capacity);
  }

  /** Appends any text. */
  text(text: string): void {
    this.#reserve(3 * text.length);
    this.#length += this.#bytes.write(text, this.#length, 'utf8');
  }

  /**
   * Appends a text that reads back to the same float64: the shortest one, but of −0, which readers would take
   * for an integer without a sign.
   */
  number(value: number): void {
    this.#reserve(MAX_NUMBER);
    const text = value === 0 && 1 / value < 0 ? '-0.0' : String(value);
    this.#length += this.#bytes.write(text, this.#length, 'latin1');
  }

  /** What has been appended since the last time; valid until the next append. */
  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    return taken;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.byteLength) return;
    const larger = Buffer.allocUnsafe(2 * (this.#length + more));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
