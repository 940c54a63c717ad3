/**
 * Exact solution on a face of the box. With the rows split into F (between the bounds) and B (at a bound),
 * z_B is given and
 *
 *     W_FF z_F = −(q_F + W_FB z_B),     w = W z + q.
 *
 * This is the step that all active-set methods share, and in simulations the same few faces come again and
 * again: their factors are kept for as long as W is the same (`revision`), so that a step on a known face
 * costs one substitution.
 */
import { BandLU, factorDense, solveDense } from '../linalg/lu';
import { factorCholesky, solveCholesky, EnvelopeCholesky } from '../linalg/cholesky';
import type { AffineVariationalInequality } from '../problems/avi';
import {
  AT_LOWER,
  AT_UPPER,
  BETWEEN,
  DENSE_FACE_LIMIT,
  DENSE_LIMIT,
  MOST_ROWS_DENSE,
  Scaling,
  MOST_ROWS_OF_BITS,
} from './scaling';
import { SmallFactors } from './small-factors';

/* Banded LU factor of an unsymmetric problem on one face, kept while operator and face stay. */

/** A band counts as narrow when its factor takes less than this part of a dense one's storage. */
const NARROW = 0.25;

class BandFactor {
  readonly #lu = new BandLU();
  readonly #scaling = new Scaling();
  /** whether each row was free when the factor was made */
  #free = new Uint8Array(0);
  /** place of a free row in the factor, row of each place */
  #place = new Int32Array(0);
  #rows = new Int32Array(0);
  #x = new Float64Array(0);
  #count = 0;
  #isRegular = false;
  #problem: AffineVariationalInequality | null = null;
  #revision = -1;

  /**
   * z_F for the free rows, those with state 0 and z = 0; z of the others is given.
   * @returns false when the band of W_FF is not narrow, or W_FF is singular to rounding
   */
  solve(problem: AffineVariationalInequality, state: Uint8Array): boolean {
    const { rowStart, columns, values, q, z } = problem;
    if (!this.#isCurrent(problem, state)) this.#factor(problem, state);
    if (!this.#isRegular) return false;
    const x = this.#x;
    const s = this.#scaling.values;
    for (let k = 0; k < this.#count; k++) {
      const row = this.#rows[k];
      let sum = -q[row];
      for (let e = rowStart[row]; e < rowStart[row + 1]; e++) sum -= values[e] * z[columns[e]];
      x[k] = s[row] * sum;
    }
    this.#lu.solve(x);
    for (let k = 0; k < this.#count; k++) z[this.#rows[k]] = s[this.#rows[k]] * x[k];
    return true;
  }

  #isCurrent(problem: AffineVariationalInequality, state: Uint8Array): boolean {
    if (this.#problem !== problem || this.#revision !== problem.revision) return false;
    for (let i = 0; i < problem.size; i++) if ((state[i] === 0 ? 1 : 0) !== this.#free[i]) return false;
    return true;
  }

  #factor(problem: AffineVariationalInequality, state: Uint8Array): void {
    const { size: n, rowStart, columns, values } = problem;
    this.#prepare(problem);
    let count = 0;
    for (let i = 0; i < n; i++) {
      this.#free[i] = state[i] === 0 ? 1 : 0;
      if (state[i] !== 0) continue;
      this.#place[i] = count;
      this.#rows[count++] = i;
    }
    this.#count = count;
    let lower = 0;
    let upper = 0;
    for (let k = 0; k < count; k++) {
      const row = this.#rows[k];
      for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
        if (state[columns[e]] !== 0 || values[e] === 0) continue;
        const offset = this.#place[columns[e]] - k;
        if (offset > upper) upper = offset;
        else if (-offset > lower) lower = -offset;
      }
    }
    this.#isRegular = 2 * lower + upper + 1 <= NARROW * Math.max(count, 1 / NARROW);
    if (!this.#isRegular) return;
    this.#lu.begin(count, lower, upper);
    const s = this.#scaling.values;
    for (let k = 0; k < count; k++) {
      const row = this.#rows[k];
      for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
        const column = columns[e];
        if (state[column] === 0 && values[e] !== 0)
          this.#lu.set(k, this.#place[column], s[row] * values[e] * s[column]);
      }
    }
    this.#isRegular = this.#lu.factor();
  }

  #prepare(problem: AffineVariationalInequality): void {
    const { size: n } = problem;
    this.#problem = problem;
    this.#revision = problem.revision;
    this.#scaling.update(problem);
    if (this.#free.length >= n) return;
    this.#free = new Uint8Array(n);
    this.#place = new Int32Array(n);
    this.#rows = new Int32Array(n);
    this.#x = new Float64Array(n);
  }
}

/*
 * LU factors of the faces of a small problem, the last few kept: a problem that changes between a few faces,
 * such as a circuit with a few switches, is factored once for each of them.
 */

/** Doubles that kept factors may take together: 512 kB, which stays in the cache of the processor. */
const CACHE_DOUBLES = 65_536;
/** More slots would cost more to search than to factor. */
const MOST_SLOTS = 16;

class DenseFactors {
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

/* Sparse Cholesky factor of a symmetric problem on one face, kept while operator and face stay. */

export class EnvelopeFactor {
  /** rows that the last solve moved to a bound because they depended on others */
  dropped = 0;
  readonly #cholesky: EnvelopeCholesky;
  /** whether each row was free when the factor was made */
  #free: Uint8Array;
  /** place of a free row in the factor, row of each place */
  #place: Int32Array;
  #rows: Int32Array;
  #x: Float64Array;
  /** whether the row at each place depends on those before it */
  #skipped: Uint8Array;
  #count = 0;
  #isDefinite = false;
  #problem: AffineVariationalInequality | null = null;
  #revision = -1;

  constructor(capacity: number) {
    this.#cholesky = new EnvelopeCholesky(capacity);
    this.#free = new Uint8Array(capacity);
    this.#place = new Int32Array(capacity);
    this.#rows = new Int32Array(capacity);
    this.#x = new Float64Array(capacity);
    this.#skipped = new Uint8Array(capacity);
  }

  /**
   * z_F for the free rows, those with state 0 and z = 0; z of the others is given. A free row that depends on
   * the free rows before it is moved to a bound, which changes its `state` and z; without a finite bound it
   * stays free, at 0.
   * @returns false when W_FF is not positive semidefinite to rounding
   */
  solve(problem: AffineVariationalInequality, state: Uint8Array): boolean {
    const { size: n, rowStart, columns, values, q, z } = problem;
    this.dropped = 0;
    if (!this.#isCurrent(problem, state)) this.#factor(problem, state);
    if (!this.#isDefinite) return false;
    const x = this.#x;
    const rows = this.#rows;
    // Most bounds are zero, and contribute nothing.
    let isShifted = false;
    for (let i = 0; i < n; i++) if (z[i] !== 0) isShifted = true;
    for (let k = 0; k < this.#count; k++) {
      const row = rows[k];
      let sum = -q[row];
      if (isShifted) for (let e = rowStart[row]; e < rowStart[row + 1]; e++) sum -= values[e] * z[columns[e]];
      x[k] = sum;
    }
    this.#cholesky.solve(x);
    for (let k = 0; k < this.#count; k++) if (this.#skipped[k] === 0) z[rows[k]] = x[k];
    return true;
  }

  #isCurrent(problem: AffineVariationalInequality, state: Uint8Array): boolean {
    if (this.#problem !== problem || this.#revision !== problem.revision) return false;
    const free = this.#free;
    for (let i = 0; i < problem.size; i++) if ((state[i] === 0 ? 1 : 0) !== free[i]) return false;
    return true;
  }

  #grow(n: number): void {
    this.#free = new Uint8Array(n);
    this.#place = new Int32Array(n);
    this.#rows = new Int32Array(n);
    this.#x = new Float64Array(n);
    this.#skipped = new Uint8Array(n);
  }

  #factor(problem: AffineVariationalInequality, state: Uint8Array): void {
    const { size: n } = problem;
    if (n > this.#rows.length) this.#grow(n);
    this.#problem = problem;
    this.#revision = problem.revision;
    let count = 0;
    for (let i = 0; i < n; i++) {
      this.#free[i] = state[i] === 0 ? 1 : 0;
      if (state[i] !== 0) continue;
      this.#place[i] = count;
      this.#rows[count++] = i;
    }
    this.#count = count;
    this.#assemble(problem, state);
    this.#isDefinite = this.#cholesky.factor(this.#skipped);
    if (this.#isDefinite) this.#dropDependent(problem, state);
  }

  /** The factor is also that of the face without the dependent rows, and is kept as that. */
  #dropDependent(problem: AffineVariationalInequality, state: Uint8Array): void {
    const { lower, upper, z } = problem;
    for (let k = 0; k < this.#count; k++) {
      if (this.#skipped[k] === 0) continue;
      const row = this.#rows[k];
      if (lower[row] !== Number.NEGATIVE_INFINITY) {
        state[row] = AT_LOWER;
        z[row] = lower[row];
      } else if (upper[row] !== Number.POSITIVE_INFINITY) {
        state[row] = AT_UPPER;
        z[row] = upper[row];
      } else continue;
      this.#free[row] = 0;
      this.dropped++;
    }
  }

  #assemble(problem: AffineVariationalInequality, state: Uint8Array): void {
    const { rowStart, columns, values } = problem;
    const cholesky = this.#cholesky;
    const place = this.#place;
    cholesky.begin(this.#count);
    for (let k = 0; k < this.#count; k++) {
      const row = this.#rows[k];
      let first = k;
      for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
        const column = columns[e];
        // An explicit zero, as in a dense problem, needs no room.
        if (state[column] === 0 && place[column] < first && values[e] !== 0) first = place[column];
      }
      cholesky.beginRow(k, first);
      for (let e = rowStart[row]; e < rowStart[row + 1]; e++) {
        const column = columns[e];
        if (state[column] === 0 && place[column] >= first && place[column] <= k)
          cholesky.set(k, place[column], values[e]);
      }
    }
  }
}

/* Cholesky factor of a symmetric problem in full rows on one face, kept while operator and face stay. */

class FullFactor {
  /** whether each row was free when the factor was made */
  #free = new Uint8Array(0);
  /** the free rows in order */
  #rows = new Int32Array(0);
  #factor = new Float64Array(0);
  #x = new Float64Array(0);
  #count = 0;
  #isDefinite = false;
  #problem: AffineVariationalInequality | null = null;
  #revision = -1;

  /**
   * z_F for the free rows, those with state 0 and z = 0; z of the others is given.
   * @returns false when W_FF is not safely positive definite
   */
  solve(problem: AffineVariationalInequality, state: Uint8Array): boolean {
    const { size: n, values, q, z } = problem;
    if (!this.#isCurrent(problem, state)) this.#compute(problem, state);
    if (!this.#isDefinite) return false;
    const x = this.#x;
    const rows = this.#rows;
    // Most bounds are zero, and contribute nothing.
    let isShifted = false;
    for (let i = 0; i < n; i++) if (z[i] !== 0) isShifted = true;
    for (let k = 0; k < this.#count; k++) {
      const row = rows[k];
      let sum = -q[row];
      if (isShifted) for (let j = 0; j < n; j++) sum -= values[row * n + j] * z[j];
      x[k] = sum;
    }
    solveCholesky(this.#factor, this.#count, x);
    for (let k = 0; k < this.#count; k++) z[rows[k]] = x[k];
    return true;
  }

  #isCurrent(problem: AffineVariationalInequality, state: Uint8Array): boolean {
    if (this.#problem !== problem || this.#revision !== problem.revision) return false;
    const free = this.#free;
    for (let i = 0; i < problem.size; i++) if ((state[i] === BETWEEN ? 1 : 0) !== free[i]) return false;
    return true;
  }

  #compute(problem: AffineVariationalInequality, state: Uint8Array): void {
    const { size: n, values } = problem;
    if (n > this.#rows.length) {
      this.#free = new Uint8Array(n);
      this.#rows = new Int32Array(n);
      this.#x = new Float64Array(n);
    }
    this.#problem = problem;
    this.#revision = problem.revision;
    const rows = this.#rows;
    let count = 0;
    for (let i = 0; i < n; i++) {
      this.#free[i] = state[i] === BETWEEN ? 1 : 0;
      if (state[i] === BETWEEN) rows[count++] = i;
    }
    this.#count = count;
    if (this.#factor.length < count * count) this.#factor = new Float64Array(n * n);
    const factor = this.#factor;
    for (let k = 0; k < count; k++) {
      const line = k * count;
      const row = rows[k] * n;
      for (let j = 0; j <= k; j++) factor[line + j] = values[row + rows[j]];
    }
    this.#isDefinite = factorCholesky(factor, count);
  }
}

export class FaceSolver {
  /** BETWEEN, AT_LOWER or AT_UPPER for each row; the caller's to set before `solve` */
  state: Uint8Array;
  /** rows that `solve` has moved to a bound because they depended on others, since `prepare` */
  dropped = 0;
  /** factors of problems of up to `MOST_ROWS_OF_BITS` rows */
  readonly small = new SmallFactors();
  readonly #dense = new DenseFactors();
  readonly #full = new FullFactor();
  readonly #envelope: EnvelopeFactor;
  readonly #band = new BandFactor();

  constructor(capacity: number) {
    this.state = new Uint8Array(capacity);
    this.#envelope = new EnvelopeFactor(capacity);
  }

  /** Makes room, and sets the state of each row by where z stands in its box. */
  prepare(problem: AffineVariationalInequality): void {
    const { size: n, z, lower, upper } = problem;
    if (this.state.length < n) this.state = new Uint8Array(n);
    const { state } = this;
    for (let i = 0; i < n; i++) {
      // Fixed rows (l = u) count as at the lower bound. NaN is between, and is found out by the residual.
      if (z[i] <= lower[i] || lower[i] === upper[i]) state[i] = AT_LOWER;
      else if (z[i] >= upper[i]) state[i] = AT_UPPER;
      else state[i] = BETWEEN;
    }
    this.dropped = 0;
  }

  /**
   * Fills z for the present states. Of a symmetric operator, a row that depends on the free rows before it is
   * moved to a bound: if W is semidefinite and the rows agree, its w is zero there as well, and nothing is
   * lost.
   * @returns false when W_FF is singular to rounding
   */
  solve(problem: AffineVariationalInequality): boolean {
    if (problem.symmetric && problem.size > MOST_ROWS_DENSE) {
      this.#setBounds(problem);
      if (problem.isFull && problem.size <= DENSE_LIMIT && this.#full.solve(problem, this.state)) return true;
      if (this.#envelope.solve(problem, this.state)) {
        this.dropped += this.#envelope.dropped;
        return true;
      }
      if (problem.size > DENSE_FACE_LIMIT) return false;
    }
    if (!problem.symmetric && problem.size > MOST_ROWS_DENSE) {
      this.#setBounds(problem);
      if (this.#band.solve(problem, this.state)) return true;
    }
    const factors = problem.size > MOST_ROWS_OF_BITS ? this.#dense : this.small;
    for (;;) {
      this.#setBounds(problem);
      if (factors.solve(problem, this.state)) return true;
      const { dependent } = factors;
      if (dependent < 0 || !problem.symmetric || !this.#drop(problem, dependent)) return false;
    }
  }

  /** Whether every row is at a bound. */
  isVertex(problem: AffineVariationalInequality): boolean {
    for (let i = 0; i < problem.size; i++) if (this.state[i] === BETWEEN) return false;
    return true;
  }

  #setBounds(problem: AffineVariationalInequality): void {
    const { size: n, z, lower, upper } = problem;
    const { state } = this;
    for (let i = 0; i < n; i++) {
      if (state[i] === BETWEEN) z[i] = 0;
      else z[i] = state[i] === AT_LOWER ? lower[i] : upper[i];
    }
  }

  /** @returns false for a row that has no bound to move to */
  #drop(problem: AffineVariationalInequality, row: number): boolean {
    if (problem.lower[row] !== Number.NEGATIVE_INFINITY) this.state[row] = AT_LOWER;
    else if (problem.upper[row] !== Number.POSITIVE_INFINITY) this.state[row] = AT_UPPER;
    else return false;
    this.dropped++;
    return true;
  }
}
