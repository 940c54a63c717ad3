/**
 * LU factors of the faces of a small problem, the last few kept: a problem that changes between a few faces, such as a
 * circuit with a few switches, is factored once for each of them.
 */
import { factorDense, solveDense } from '../linalg/dense-lu';
import type { AffineVariationalInequality } from '../problems/avi';
import { DENSE_LIMIT } from './limits';
import { Scaling } from './scaling';

/** Doubles that kept factors may take together: 512 kB, which stays in the cache of the processor. */
const CACHE_DOUBLES = 65_536;
/** More slots would cost more to search than to factor. */
const MOST_SLOTS = 16;

export class DenseFactors {
  /** row whose column was dependent when the last factorisation failed, −1 otherwise */
  dependent = -1;
  #capacity = 0;
  #slots = 0;
  #used = 0;
  /** slot that is replaced next, slot of the last solve */
  #next = 0;
  #latest = 0;
  #problem: AffineVariationalInequality | null = null;
  #revision = -1;
  #factors = new Float64Array(0);
  #pivots = new Int32Array(0);
  /** whether each row is free, slot by slot */
  #free = new Uint8Array(0);
  /** free rows in order, slot by slot */
  #rows = new Int32Array(0);
  readonly #counts = new Int32Array(MOST_SLOTS);
  /** row at which the factorisation of a slot failed, −1 for a regular one */
  readonly #failures = new Int32Array(MOST_SLOTS);
  readonly #scaling = new Scaling();
  #place = new Int32Array(0);
  #x = new Float64Array(0);

  /**
   * z_F for the free rows, those with state 0 and z = 0; z of the others is given.
   * @returns false when W_FF is singular to rounding
   */
  solve(problem: AffineVariationalInequality, state: Uint8Array): boolean {
    const { size: n, z, rowStart, columns, values, q } = problem;
    this.dependent = -1;
    if (n > DENSE_LIMIT) return false;
    this.#prepare(problem);
    const slot = this.#find(n, state);
    this.dependent = this.#failures[slot];
    if (this.dependent >= 0) return false;
    const base = slot * this.#capacity;
    const count = this.#counts[slot];
    const rows = this.#rows;
    const x = this.#x;
    const s = this.#scaling.values;
    // Most bounds are zero, and contribute nothing.
    let isShifted = false;
    for (let i = 0; i < n; i++) if (z[i] !== 0) isShifted = true;
    for (let k = 0; k < count; k++) {
      const row = rows[base + k];
      let sum = -q[row];
      if (isShifted) for (let e = rowStart[row]; e < rowStart[row + 1]; e++) sum -= values[e] * z[columns[e]];
      x[k] = s[row] * sum;
    }
    solveDense(this.#factors, base * this.#capacity, count, this.#pivots, base, x);
    for (let k = 0; k < count; k++) {
      const row = rows[base + k];
      z[row] = s[row] * x[k];
    }
    return true;
  }

  /** Makes room, and forgets the factors of another operator. */
  #prepare(problem: AffineVariationalInequality): void {
    if (problem.size > this.#capacity) this.#grow(problem.size);
    if (this.#problem === problem && this.#revision === problem.revision) return;
    this.#problem = problem;
    this.#revision = problem.revision;
    this.#used = 0;
    this.#next = 0;
    this.#scaling.update(problem);
  }

  #grow(n: number): void {
    this.#capacity = n;
    this.#slots = Math.max(1, Math.min(MOST_SLOTS, Math.floor(CACHE_DOUBLES / (n * n))));
    this.#factors = new Float64Array(this.#slots * n * n);
    this.#pivots = new Int32Array(this.#slots * n);
    this.#free = new Uint8Array(this.#slots * n);
    this.#rows = new Int32Array(this.#slots * n);
    this.#place = new Int32Array(n);
    this.#x = new Float64Array(n);
    this.#problem = null;
  }

  /** The slot with the factors of this face, which are computed if there are none. */
  #find(n: number, state: Uint8Array): number {
    // The face of the last solve is the likeliest.
    if (this.#used > 0 && this.#matches(this.#latest, n, state)) return this.#latest;
    let slot = 0;
    while (slot < this.#used && !this.#matches(slot, n, state)) slot++;
    if (slot >= this.#used) {
      slot = this.#next;
      this.#next = (slot + 1) % this.#slots;
      this.#used = Math.max(this.#used, slot + 1);
      this.#factor(slot, state);
    }
    this.#latest = slot;
    return slot;
  }

  #matches(slot: number, n: number, state: Uint8Array): boolean {
    const base = slot * this.#capacity;
    const free = this.#free;
    for (let i = 0; i < n; i++) if ((state[i] === 0 ? 1 : 0) !== free[base + i]) return false;
    return true;
  }

  #factor(slot: number, state: Uint8Array): void {
    const problem = this.#problem;
    if (problem === null) return;
    const { size: n, rowStart, columns, values } = problem;
    const base = slot * this.#capacity;
    const start = base * this.#capacity;
    const factors = this.#factors;
    const rows = this.#rows;
    const place = this.#place;
    const s = this.#scaling.values;
    let count = 0;
    for (let i = 0; i < n; i++) {
      this.#free[base + i] = state[i] === 0 ? 1 : 0;
      if (state[i] !== 0) continue;
      place[i] = count;
      rows[base + count++] = i;
    }
    this.#counts[slot] = count;
    factors.fill(0, start, start + count * count);
    for (let k = 0; k < count; k++) {
      const row = rows[base + k];
      for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
        const column = columns[e];
        if (state[column] === 0) factors[start + place[column] * count + k] = s[row] * values[e] * s[column];
      }
    }
    const failure = factorDense(factors, start, count, this.#pivots, base);
    this.#failures[slot] = failure < 0 ? -1 : rows[base + failure];
  }
}
