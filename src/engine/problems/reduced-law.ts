/**
 * What a law on one or several rows of relations becomes in the canonical one-step problem. With unknowns x in a box,
 * multipliers λ of the rows and their outputs y,
 *
 *     λ = λ⁰ + T x,       w = S y + K x + k,       −w ∈ N_[l,u](x).
 *
 * A row may have no unknown: its λ then follows from the others, and its y is free.
 */

/** [row, column, value] of a small matrix */
export type Entry = readonly [number, number, number];

export interface ReducedLaw {
  /** number of unknowns of each row */
  readonly unknowns: readonly number[];
  /** bounds by unknown */
  readonly lower: readonly number[];
  readonly upper: readonly number[];
  /** λ⁰ by row */
  readonly lambda0: readonly number[];
  /** T: [row, unknown, value]; zeros that are listed are stored */
  readonly lambda: readonly Entry[];
  /** S: [condition, row, value]; each condition has at most one row */
  readonly conditions: readonly Entry[];
  /** K: [condition, unknown, value] */
  readonly own: readonly Entry[];
  /**
   * Part of K in units of y per λ: values to be multiplied by the sum of the W_ii of the rows. A condition between
   * multipliers alone is so brought to units of y.
   */
  readonly mobile: readonly Entry[];
  /** k by condition */
  readonly offset: readonly number[];
}

/** −y ∈ N_[l,u](λ): the row as it stands. */
export const reduceBox = (lower: number, upper: number): ReducedLaw => ({
  unknowns: [1],
  lower: [lower],
  upper: [upper],
  lambda0: [0],
  lambda: [[0, 0, 1]],
  conditions: [[0, 0, 1]],
  own: [],
  mobile: [],
  offset: [0],
});
