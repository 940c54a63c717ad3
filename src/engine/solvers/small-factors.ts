/**
 * LU factors of the faces of a problem of up to `MOST_ROWS_OF_BITS` rows, the last few kept. A set of free
 * rows is a number whose bits are the rows, so that a face is found by comparing integers; and of operators
 * this small the bookkeeping costs more than the arithmetic, which is why they have a file of their own.
 *
 * With the free rows F and a permutation P of them, P W_FF = L U, L with unit diagonal, both row by row in
 * one block. Row pivots are compared in the units of `Scaling`, s_i |a_ik|: those of the columns cancel, and
 * what is stored are factors of W itself, so that a solution needs no units any more. A symmetric positive
 * definite W_FF needs no exchanges and half of the work. Golub and Van Loan 2013 §3.4.
 */
import type { AffineVariationalInequality } from '../problems/avi';
import type { StepWriter } from '../straight-line/writer';
import { BETWEEN, Scaling, MOST_ROWS_OF_BITS } from './scaling';

/** As of dense factors: a pivot below this fraction of its column is what cancellation leaves of zero. */
const SINGULAR = 1e-13;
/**
 * A symmetric W_FF with all pivots above this fraction of its diagonal is far enough from singular to need no
 * exchanges.
 */
const DEFINITE = 1e-8;
/** Faces that are kept: more would cost more to search than to factor. */
const SLOTS = 16;

export class SmallFactors {
  /** row whose column was dependent when the last factorisation failed, −1 otherwise */
  dependent = -1;
  /** slots in use, slot that is replaced next, slot of the last solve */
  #used = 0;
  #next = 0;
  #latest = 0;
  #problem: AffineVariationalInequality | null = null;
  #revision = -1;
  readonly #scaling = new Scaling();
  /** free rows of each slot, as bits */
  readonly #keys = new Int32Array(SLOTS);
  /** number of free rows */
  readonly #counts = new Int32Array(SLOTS);
  /** row at which the factorisation failed, −1 for a regular one */
  readonly #failures = new Int32Array(SLOTS);
  /** L and U of each slot: row k of the factors starts at (slot TINY + k) TINY; 1/U_kk on the diagonal */
  readonly #factors = new Float64Array(SLOTS * MOST_ROWS_OF_BITS * MOST_ROWS_OF_BITS);
  /** row of W that row k of the factors comes from, and row whose z column k stands for */
  readonly #sources = new Int32Array(SLOTS * MOST_ROWS_OF_BITS);
  readonly #rows = new Int32Array(SLOTS * MOST_ROWS_OF_BITS);
  /** largest entry of each column before the elimination, in units of the rows */
  readonly #sizes = new Float64Array(MOST_ROWS_OF_BITS);
  /** place of a row among the free ones */
  readonly #place = new Int32Array(MOST_ROWS_OF_BITS);
  readonly #x = new Float64Array(MOST_ROWS_OF_BITS);

  /** Forgets the factors of another operator. */
  prepare(problem: AffineVariationalInequality): void {
    if (this.#problem === problem && this.#revision === problem.revision) return;
    this.#problem = problem;
    this.#revision = problem.revision;
    this.#used = 0;
    this.#next = 0;
    this.#latest = 0;
  }

  /** Whether no factor is kept. */
  get isEmpty(): boolean {
    return this.#used === 0;
  }

  /** Makes a kept factor the one of `substitute`. @returns false when none, or no regular one, is kept */
  select(key: number): boolean {
    const keys = this.#keys;
    if (this.#used === 0) return false;
    let slot = this.#latest;
    if (keys[slot] !== key) {
      slot = 0;
      while (slot < this.#used && keys[slot] !== key) slot++;
      if (slot >= this.#used) return false;
      this.#latest = slot;
    }
    return this.#failures[slot] < 0;
  }

  /**
   * z_F for the free rows, those with state 0 and z = 0; z of the others is given.
   * @returns false when W_FF is singular to rounding
   */
  solve(problem: AffineVariationalInequality, state: Uint8Array): boolean {
    const { size: n, z } = problem;
    this.prepare(problem);
    let key = 0;
    // Most bounds are zero, and contribute nothing.
    let isShifted = false;
    for (let i = 0; i < n; i++) {
      if (state[i] === BETWEEN) key |= 1 << i;
      else if (z[i] !== 0) isShifted = true;
    }
    if (!this.select(key)) {
      this.dependent = this.#find(problem, key);
      if (this.dependent >= 0) return false;
    }
    this.substitute(problem, isShifted);
    return true;
  }

  /** z_F by the factor of the last solve. @param isShifted whether some z at a bound is not zero */
  substitute(problem: AffineVariationalInequality, isShifted: boolean): void {
    const { rowStart, columns, values, q, z } = problem;
    const slot = this.#latest;
    const base = slot * MOST_ROWS_OF_BITS;
    const count = this.#counts[slot];
    const factors = this.#factors;
    const sources = this.#sources;
    const rows = this.#rows;
    const x = this.#x;
    let line = base * MOST_ROWS_OF_BITS;
    for (let k = 0; k < count; k++) {
      const source = sources[base + k];
      let sum = -q[source];
      if (isShifted) {
        const end = rowStart[source + 1];
        for (let e = rowStart[source]; e < end; e++) sum -= values[e] * z[columns[e]];
      }
      for (let j = 0; j < k; j++) sum -= factors[line + j] * x[j];
      x[k] = sum;
      line += MOST_ROWS_OF_BITS;
    }
    for (let k = count - 1; k >= 0; k--) {
      line -= MOST_ROWS_OF_BITS;
      let sum = x[k];
      for (let j = k + 1; j < count; j++) sum -= factors[line + j] * x[j];
      sum *= factors[line + k];
      x[k] = sum;
      z[rows[base + k]] = sum;
    }
  }

  /**
   * A face as text.
   * @param key free rows, as bits
   * @returns what writes `substitute` for z = 0 of the other rows, and gives names of z by row, empty for
   *   those; null when W_FF is singular to rounding
   */
  names(
    problem: AffineVariationalInequality,
    key: number,
  ): ((w: StepWriter, q: readonly string[]) => string[]) | null {
    this.prepare(problem);
    if (!this.select(key) && this.#find(problem, key) >= 0) return null;
    const base = this.#latest * MOST_ROWS_OF_BITS;
    const count = this.#counts[this.#latest];
    const entry = (k: number, j: number): number => this.#factors[(base + k) * MOST_ROWS_OF_BITS + j];
    return (w, q) => {
      const x: string[] = [];
      const less = (text: string, k: number, from: number, to: number): string => {
        let rest = text;
        for (let j = from; j < to; j++)
          if (entry(k, j) !== 0) rest = `${rest} - ${w.seldom(entry(k, j))} * ${x[j]}`;
        return rest;
      };
      for (let k = 0; k < count; k++) x[k] = w.constant(less(`-${q[this.#sources[base + k]]}`, k, 0, k));
      const z = q.map(() => '');
      for (let k = count - 1; k >= 0; k--) {
        x[k] = w.constant(`(${less(x[k], k, k + 1, count)}) * ${w.seldom(entry(k, k))}`);
        z[this.#rows[base + k]] = x[k];
      }
      return z;
    };
  }

  /** Factors W_FF, unless that has failed before. @returns row whose column is dependent, or −1 */
  #find(problem: AffineVariationalInequality, key: number): number {
    const keys = this.#keys;
    if (this.#used > 0 && keys[this.#latest] === key) return this.#failures[this.#latest];
    const slot = this.#next;
    this.#next = (slot + 1) % SLOTS;
    this.#used = Math.max(this.#used, slot + 1);
    this.#latest = slot;
    keys[slot] = key;
    this.#gather(problem, slot, key, problem.symmetric);
    let column = -1;
    if (!problem.symmetric || !this.#factorDefinite(slot)) {
      if (problem.symmetric) this.#gather(problem, slot, key, false);
      this.#scaling.update(problem);
      column = this.#factor(slot);
    }
    this.#failures[slot] = column < 0 ? -1 : this.#rows[slot * MOST_ROWS_OF_BITS + column];
    return this.#failures[slot];
  }

  /** Copies W_FF, or at least its upper triangle. */
  #gather(problem: AffineVariationalInequality, slot: number, key: number, isUpper: boolean): void {
    const { size: n, rowStart, columns, values } = problem;
    const factors = this.#factors;
    const rows = this.#rows;
    const sources = this.#sources;
    const place = this.#place;
    const base = slot * MOST_ROWS_OF_BITS;
    let count = 0;
    for (let i = 0; i < n; i++) {
      if (((key >> i) & 1) === 0) continue;
      place[i] = count;
      rows[base + count] = i;
      sources[base + count++] = i;
    }
    this.#counts[slot] = count;
    const isFull = problem.isFull;
    for (let k = 0; k < count; k++) {
      const line = (base + k) * MOST_ROWS_OF_BITS;
      const row = rows[base + k];
      if (isFull) {
        // Of a symmetric block the upper triangle is all that is needed first.
        const from = isUpper ? k : 0;
        for (let j = from; j < count; j++) factors[line + j] = values[row * n + rows[base + j]];
        continue;
      }
      for (let j = 0; j < count; j++) factors[line + j] = 0;
      const end = rowStart[row + 1];
      for (let e = rowStart[row]; e < end; e++)
        if (((key >> columns[e]) & 1) !== 0) factors[line + place[columns[e]]] = values[e];
    }
  }

  /**
   * L D Lᵀ of a symmetric block, of which only the upper triangle is eliminated; stored as L and U = D Lᵀ.
   * @returns false when it is not safely definite
   */
  #factorDefinite(slot: number): boolean {
    const factors = this.#factors;
    const base = slot * MOST_ROWS_OF_BITS;
    const count = this.#counts[slot];
    const sizes = this.#sizes;
    for (let k = 0; k < count; k++) sizes[k] = factors[(base + k) * MOST_ROWS_OF_BITS + k];
    for (let k = 0; k < count; k++) {
      const line = (base + k) * MOST_ROWS_OF_BITS;
      const pivot = factors[line + k];
      if (!(pivot > DEFINITE * sizes[k])) return false;
      const inverse = 1 / pivot;
      factors[line + k] = inverse;
      for (let i = k + 1; i < count; i++) {
        const factor = factors[line + i] * inverse;
        const other = (base + i) * MOST_ROWS_OF_BITS;
        factors[other + k] = factor;
        for (let j = i; j < count; j++) factors[other + j] -= factor * factors[line + j];
      }
    }
    return true;
  }

  /** @returns −1, or the first column that depends on those before it to rounding */
  #factor(slot: number): number {
    const factors = this.#factors;
    const sources = this.#sources;
    const sizes = this.#sizes;
    const s = this.#scaling.values;
    const base = slot * MOST_ROWS_OF_BITS;
    const count = this.#counts[slot];
    for (let j = 0; j < count; j++) sizes[j] = 0;
    for (let k = 0; k < count; k++) {
      const line = (base + k) * MOST_ROWS_OF_BITS;
      const unit = s[sources[base + k]];
      for (let j = 0; j < count; j++) {
        const size = Math.abs(factors[line + j]) * unit;
        if (size > sizes[j]) sizes[j] = size;
      }
    }
    for (let k = 0; k < count; k++) {
      const line = (base + k) * MOST_ROWS_OF_BITS;
      let pivot = -1;
      let largest = 0;
      for (let i = k; i < count; i++) {
        const size = Math.abs(factors[(base + i) * MOST_ROWS_OF_BITS + k]) * s[sources[base + i]];
        if (size > largest) {
          largest = size;
          pivot = i;
        }
      }
      if (!(largest > SINGULAR * sizes[k])) return k;
      if (pivot !== k) this.#exchange(base, k, pivot, count);
      const inverse = 1 / factors[line + k];
      factors[line + k] = inverse;
      for (let i = k + 1; i < count; i++) {
        const other = (base + i) * MOST_ROWS_OF_BITS;
        const factor = factors[other + k] * inverse;
        factors[other + k] = factor;
        if (factor === 0) continue;
        for (let j = k + 1; j < count; j++) factors[other + j] -= factor * factors[line + j];
      }
    }
    return -1;
  }

  #exchange(base: number, a: number, b: number, count: number): void {
    const factors = this.#factors;
    const sources = this.#sources;
    const source = sources[base + a];
    sources[base + a] = sources[base + b];
    sources[base + b] = source;
    for (let j = 0; j < count; j++) {
      const value = factors[(base + a) * MOST_ROWS_OF_BITS + j];
      factors[(base + a) * MOST_ROWS_OF_BITS + j] = factors[(base + b) * MOST_ROWS_OF_BITS + j];
      factors[(base + b) * MOST_ROWS_OF_BITS + j] = value;
    }
  }
}
