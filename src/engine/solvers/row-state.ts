/** Where a row is in its box: between its bounds, at its lower bound, at its upper bound. */
export const BETWEEN = 0;
export const AT_LOWER = 1;
export const AT_UPPER = 2;
