/** Ascending times in an array that grows. */
export class Times {
  count = 0;
  #values = new Float64Array(64);

  /** One time counts once. */
  add(time: number): boolean {
    if (this.count > 0 && this.#values[this.count - 1] === time) return false;
    if (this.count === this.#values.length) {
      const larger = new Float64Array(2 * this.count);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.count++] = time;
    return true;
  }

  taken(): Float64Array {
    return this.#values.slice(0, this.count);
  }
}
