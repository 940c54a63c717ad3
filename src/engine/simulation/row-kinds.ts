/** What rows of relations are, for all who treat them by kind. */

/** Rounding errors of a gap in units of the magnitudes that cancel in it: a few operations of half a unit each. */
export const GAP_ROUNDING = 8 * Number.EPSILON;

/** What a row is: flags of `RelationRows.kind`. */
export const VELOCITY_LEVEL = 1;
/** the row takes part in a step only when its contact is closed or about to close */
export const SWITCHED = 2;
/** λ is the impulse over the step */
export const IMPULSE = 4;
/** the row belongs to a Lagrangian relation */
export const LAGRANGIAN = 8;
/** restitution acts on y at the start of the step before: impacts of Schatzman–Paoli */
export const PREVIOUS_POSITION = 16;
/** friction of the contact in the row before: it takes part exactly when that does */
export const FRICTION = 32;
