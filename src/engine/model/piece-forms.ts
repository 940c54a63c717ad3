/**
 * Conditions that are smaller and larger values of sums of states, of sines of the time and of a function of
 * it that is affine by pieces, as a comparison of a controller or of a reference with a carrier is.
 */

/** c + s t just behind a time. */
export interface PieceOfTime {
  /** @param out [0] c, [1] s, [2] time at which the piece ends at the latest */
  pieceAt(time: number, out: Float64Array): void;
}

/** a sin(ω t + φ) */
export interface Wave {
  readonly amplitude: number;
  /** ω, rad/s */
  readonly frequency: number;
  /** φ, rad */
  readonly phase: number;
}

export interface PieceAtom {
  /** slots of a row, or components of a state, with their factors */
  readonly terms: readonly (readonly [slot: number, factor: number])[];
  readonly waves: readonly Wave[];
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
