/**
 * Units. An operator may mix the compliances of light and heavy bodies, or volts with amperes. Solvers
 * therefore count z_i in units s_i and w_i in units 1/s_i, with s_i a power of two (exact) near 1/√W_ii: then
 * S W S has a diagonal near 1, and tolerances and pivots compare like with like.
 */
import type { AffineVariationalInequality } from '../problems/avi';

/** A double and its bits; all platforms that run this store the low word first. */
const double = new Float64Array(1);
const words = new Int32Array(double.buffer);
/** Place of the exponent in the high word, its width and its bias. */
const EXPONENT_SHIFT = 20;
const EXPONENT_MASK = 0x7ff;
const BIAS = 1023;

export class Scaling {
  /** s_i; a power of two */
  values = new Float64Array(0);
  #problem: AffineVariationalInequality | null = null;
  #revision = -1;

  /** Computes s unless the operator is the one of the last call. */
  update(problem: AffineVariationalInequality): void {
    const { size: n, rowStart, columns, values } = problem;
    if (this.#problem === problem && this.#revision === problem.revision) return;
    this.#problem = problem;
    this.#revision = problem.revision;
    if (this.values.length < n) this.values = new Float64Array(n);
    const s = this.values;
    for (let i = 0; i < n; i++) {
      let size = 0;
      const end = rowStart[i + 1];
      let place = rowStart[i];
      while (place < end && columns[place] !== i) place++;
      if (place < end) size = values[place];
      // A row without a diagonal entry, as of an ideal switch, takes the unit of its largest entry.
      if (!(size > 0))
        for (let k = rowStart[i]; k < rowStart[i + 1]; k++) size = Math.max(size, Math.abs(values[k]));
      double[0] = size;
      const exponent = ((words[1] >> EXPONENT_SHIFT) & EXPONENT_MASK) - BIAS;
      // Zero, subnormal and infinite sizes have no unit of their own. The shift halves and rounds down.
      const isNormal = exponent > -BIAS && exponent <= BIAS;
      words[0] = 0;
      words[1] = (BIAS - (isNormal ? exponent >> 1 : 0)) << EXPONENT_SHIFT;
      s[i] = double[0];
    }
  }
}

/* Sizes at which the solvers change their ways. */

/**
 * Up to this size a set of rows is the bits of a number, and workspaces have room for it from the beginning.
 */
export const MOST_ROWS_OF_BITS = 16;

/** Up to this size dense factors win over sparse ones, and several of them are kept. */
export const MOST_ROWS_DENSE = 32;

/** Largest dense factor: n² doubles (72 MB) and ⅓ n³ operations (some ten seconds). */
export const DENSE_LIMIT = 3000;

/**
 * Largest face of an indefinite symmetric operator that active-set methods factor densely, once for each
 * exchange.
 */
export const DENSE_FACE_LIMIT = 500;

/** Where a row is in its box: between its bounds, at its lower bound, at its upper bound. */
export const BETWEEN = 0;
export const AT_LOWER = 1;
export const AT_UPPER = 2;
