/**
 * What a solver of one contact is for a non-smooth Gauss–Seidel method, which goes from contact to contact.
 */
export type LocalStatus =
  /** the answer satisfies the law; where nothing else is said, no other force does */
  | 'converged'
  /** the answer satisfies the law, as do other forces, and is the one nearest to the guess */
  | 'several'
  /** no force satisfies the law: the guess is left as it was */
  | 'noSolution'
  /** the steps of an iteration were used up: the answer is its last iterate */
  | 'maxIterations'
  /** data that are not finite, or μ < 0: the guess is left as it was */
  | 'unsuitable';

export interface LocalSolver {
  /** 2 in the plane, 3 in space */
  readonly size: 2 | 3;
  /**
   * Solves u = W r + q with Coulomb's law for one contact. Allocates nothing but the boxes in which V8 hands
   * numbers to functions that it does not inline, such as μ.
   * @param values blocks of W, size × size, row-major; that of the contact begins at entry `at`
   * @param q velocity of the contact without its own force, size entries, the normal one first
   * @param mu coefficient of friction
   * @param r guess in, answer out, size entries
   */
  solve(values: Float64Array, at: number, q: Float64Array, mu: number, r: Float64Array): LocalStatus;
}

/** Whether the data of a contact are numbers: any that is not finite makes the sum so. */
export function isSuitable(
  size: number,
  values: Float64Array,
  at: number,
  q: Float64Array,
  mu: number,
  r: Float64Array,
): boolean {
  let sum = mu;
  for (let k = 0; k < size * size; k++) sum += Math.abs(values[at + k]);
  for (let k = 0; k < size; k++) sum += Math.abs(q[k]) + Math.abs(r[k]);
  return mu >= 0 && sum < Infinity;
}

/* What a contact does under a force, as numbers for workspaces. */

export const TAKE_OFF = 0;
export const STICK = 1;
export const SLIDE = 2;
