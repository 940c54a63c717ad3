/**
 * Conditions that are smaller and larger values of sums of states and of a function of the time that is
 * affine by pieces, as a comparison of a controller with its carrier is.
 */

/** c + s t just behind a time. */
export interface PieceOfTime {
  /** @param out [0] c, [1] s, [2] time at which the piece ends at the latest */
  pieceAt(time: number, out: Float64Array): void;
}

export interface PieceAtom {
  /** slots of a row, or components of a state, with their factors */
  readonly terms: readonly (readonly [slot: number, factor: number])[];
  readonly time: PieceOfTime;
}

/** The smaller and the larger of two, in `PieceForms.tree`. */
export const SMALLER = -1;
export const LARGER = -2;

export interface PieceForms {
  readonly atoms: readonly PieceAtom[];
  /** in postfix notation: numbers of atoms, SMALLER and LARGER */
  readonly tree: readonly number[];
}
