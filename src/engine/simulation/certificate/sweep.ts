/**
 * Inverses for the certificate, which shares no factorisation with the time loop: the sweep operator on a symmetric positive
 * semidefinite matrix. Rows that depend on those swept before are left out; a system that has solutions is then solved by one in
 * which theirs is zero. J. H. Goodnight, 1979, doi:10.1080/00031305.1979.10482685.
 */

/** A diagonal below this part of what it began with is what cancellation leaves of zero. */
const DEPENDENT = 1e-13;

export class Sweep {
  rank = 0;
  readonly #isSwept: Uint8Array;
  readonly #first: Float64Array;
  readonly #work: Float64Array;

  constructor(
    readonly size: number,
    /** n × n, row-major: the matrix before and its inverse after `invert` */
    readonly matrix = new Float64Array(size * size),
  ) {
    this.#isSwept = new Uint8Array(size);
    this.#first = new Float64Array(size);
    this.#work = new Float64Array(size);
  }

  invert(): void {
    const { size: n, matrix: a } = this;
    const isSwept = this.#isSwept.fill(0);
    for (let i = 0; i < n; i++) this.#first[i] = a[i * n + i];
    for (this.rank = 0; this.rank < n; this.rank++) {
      let pivot = -1;
      let most = DEPENDENT;
      for (let i = 0; i < n; i++) {
        const left = this.#first[i] > 0 ? a[i * n + i] / this.#first[i] : 0;
        if (isSwept[i] === 1 || !(left > most)) continue;
        most = left;
        pivot = i;
      }
      if (pivot < 0) return;
      isSwept[pivot] = 1;
      this.#sweep(pivot);
    }
  }

  #sweep(k: number): void {
    const { size: n, matrix: a } = this;
    const d = a[k * n + k];
    for (let j = 0; j < n; j++) a[k * n + j] /= d;
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      const b = a[i * n + k];
      if (b === 0) continue;
      for (let j = 0; j < n; j++) a[i * n + j] -= b * a[k * n + j];
      a[i * n + k] = -b / d;
    }
    a[k * n + k] = 1 / d;
  }

  /** x ← A⁻¹ x from `at` on */
  apply(x: Float64Array, at: number): void {
    const { size: n, matrix: a } = this;
    const work = this.#work;
    for (let i = 0; i < n; i++) {
      work[i] = 0;
      if (this.#isSwept[i] === 0) continue;
      for (let j = 0; j < n; j++) if (this.#isSwept[j] === 1) work[i] += a[i * n + j] * x[at + j];
    }
    for (let i = 0; i < n; i++) x[at + i] = work[i];
  }
}
