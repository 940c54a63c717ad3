/** Wall time of all spells in which something went on. */
export class Stopwatch {
  /** ms; null while nothing goes on */
  #since: number | null = null;
  /** of the spells before that, ms */
  #before = 0;

  start(): void {
    this.stop();
    this.#since = performance.now();
  }

  stop(): void {
    if (this.#since !== null) this.#before += performance.now() - this.#since;
    this.#since = null;
  }

  /** The present spell included, s. */
  get seconds(): number {
    const spell = this.#since === null ? 0 : performance.now() - this.#since;
    return (this.#before + spell) / 1000;
  }
}
