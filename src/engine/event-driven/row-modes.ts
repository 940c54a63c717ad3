/**
 * Modes of a row: on which piece of its law it is. The index sets of the Siconos manual follow from them: I0 holds all contacts, I2 the
 * ACTIVE ones, and I1, contacts that are closed and do not separate, is formed at an impact.
 */

/** λ at its lower bound, output positive: an open contact, a blocking diode, a relay on y > 0 */
export const LOWER = 0;
/** output kept at zero by λ: a contact of I2, a conducting diode, a relay that slides */
export const ACTIVE = 1;
/** λ at its upper bound, output negative */
export const UPPER = 2;
