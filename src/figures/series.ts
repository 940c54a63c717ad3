/** Parts of series that charts have in common. */

/** A series that does not move and answers no pointer: plots have gestures of their own. */
const STILL = { silent: true, animation: false, clip: true } as const;

/** Points; drawn as one path, with identical symbols, where there are many. */
export const MANY_POINTS = { ...STILL, large: true, largeThreshold: 5_000, progressive: 0 } as const;

/** A line without symbols through the rows of its dataset. */
export const PLAIN_LINE = { ...STILL, encode: { x: 0, y: 1 }, showSymbol: false } as const;
