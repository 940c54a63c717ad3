/**
 * What a solver of one contact is for a non-smooth Gauss–Seidel method, which goes from contact to contact.
 */
import { projectOntoCone } from '../../linalg/friction-cone';

/*
 * How far a force is from a solution of one contact, by the natural map in units that do not matter:
 *
 *     d |r − P_K(r − û/d)| / max(|q|, d |r|),     û = M r + q + μ |u_T| e_N,
 *
 * where d, the largest |entry| of M, turns a force into a velocity. It is 0 at solutions only.
 */

/**
 * @param size 3, or 2 for a contact in the plane
 * @param M size × size from entry `at`, row-major
 * @param q, r size entries
 */
export function contactResidual(
  size: 2 | 3,
  M: Float64Array,
  at: number,
  q: Float64Array,
  mu: number,
  r: Float64Array,
): number {
  let d = 0;
  for (let k = 0; k < size * size; k++) d = Math.max(d, Math.abs(M[at + k]));
  // Without mobility any unit of force will do.
  if (d === 0) d = 1;
  const point = new Float64Array(3);
  let [ofQ, ofR] = [0, 0];
  for (let i = 0; i < size; i++) {
    let u = q[i];
    for (let j = 0; j < size; j++) u += M[at + size * i + j] * r[j];
    point[i] = u / d;
    ofQ = Math.hypot(ofQ, q[i]);
    ofR = Math.hypot(ofR, r[i]);
  }
  const slip = Math.hypot(point[1], point[2]);
  for (let i = 0; i < size; i++) point[i] = r[i] - point[i];
  point[0] -= mu * slip;
  projectOntoCone(point, 0, mu);
  let defect = 0;
  for (let i = 0; i < size; i++) defect = Math.hypot(defect, r[i] - point[i]);
  const scale = Math.max(ofQ, d * ofR);
  return scale > 0 ? (d * defect) / scale : d * defect;
}

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
