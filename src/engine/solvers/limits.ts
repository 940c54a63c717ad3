/** Sizes at which the solvers change their ways. */

/** Up to this size a set of rows is the bits of a number, and workspaces have room for it from the beginning. */
export const TINY = 16;

/** Up to this size dense factors win over sparse ones, and several of them are kept. */
export const SMALL = 32;

/** Largest dense factor: n² doubles (72 MB) and ⅓ n³ operations (some ten seconds). */
export const DENSE_LIMIT = 3000;

/** Largest face of an indefinite symmetric operator that active-set methods factor densely, once for each exchange. */
export const DENSE_FACE_LIMIT = 500;
