/** Maxima of residuals: what is no number is larger than any. */

/** The larger of the two, NaN if one is none. */
export const larger = (a: number, b: number): number => (a >= b || Number.isNaN(a) ? a : b);
