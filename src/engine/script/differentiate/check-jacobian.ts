/** Comparison of a Jacobian the user wrote with the derived one. */

/** The entry in which two Jacobians differ most. */
export interface JacobianDifference {
  /** from 0 */
  readonly row: number;
  /** from 0 */
  readonly column: number;
  readonly given: number;
  readonly derived: number;
}

/**
 * Two exact Jacobians agree to rounding. This allows for the cancellation of a few hundred operations of the size of
 * the largest entry, and is far below any slip of the pen.
 */
export const EXACT_TOLERANCE = 1e-9;

/** Finite differences have an error of about ε^(2/3) ≈ 4·10⁻¹¹ times the third derivative, which may be large. */
export const DIFFERENCE_TOLERANCE = 1e-5;

/**
 * The worst entry of a Jacobian, if any is off by more than `tolerance` times the largest entry.
 * @param given row by row
 * @param derived of the same length
 * @param columns length of a row
 */
export function compareJacobians(
  given: Float64Array,
  derived: Float64Array,
  columns: number,
  tolerance: number = EXACT_TOLERANCE,
): JacobianDifference | null {
  let scale = 0;
  for (const value of derived) if (Number.isFinite(value)) scale = Math.max(scale, Math.abs(value));
  let worst = -1;
  let largest = scale === 0 ? tolerance : tolerance * scale;
  for (let i = 0; i < derived.length; i++) {
    if (Object.is(given[i], derived[i])) continue;
    const error = Math.abs(given[i] - derived[i]);
    // A NaN on either side is as wrong as an entry can be.
    if (error <= largest) continue;
    worst = i;
    largest = Number.isNaN(error) ? Infinity : error;
  }
  if (worst < 0) return null;
  const column = worst % columns;
  return { row: (worst - column) / columns, column, given: given[worst], derived: derived[worst] };
}

/**
 * Says the difference in words.
 * @param given what was given, as the subject of the sentence
 * @param place where it was evaluated, beginning with a blank; empty where that is clear
 */
export function describeDifference(
  { row, column, given: value, derived }: JacobianDifference,
  given = 'Your Jacobian',
  place = '',
): string {
  return (
    `${given} differs from the derived one in entry (${row}, ${column})${place}: ` +
    `${value} instead of ${derived}, a difference of ${value - derived}.`
  );
}
