/** How thorough a test is: quick by default, complete where the variable MOREAU_PROVE is set. */
export const isProving = process.env.MOREAU_PROVE !== undefined;

/** The quick size of a sample, or the full one where everything is to be proven. */
export const sample = (quick: number, full: number): number => (isProving ? full : quick);
