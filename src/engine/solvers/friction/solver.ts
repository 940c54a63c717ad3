/** What every solver of a friction-contact problem is, and how each ends. */
import type { BlockRows } from '../../linalg/block-rows';
import { invertBlock } from '../../linalg/small-blocks';
import { FREEDOMS, type FrictionContactProblem } from '../../problems/friction-contact';
import type { SolverResult, SolverStatus } from '../solver';

export interface FrictionSolver {
  /**
   * Solves in place in `problem.r`, which on entry holds a guess (zeros, or the last step), and fills
   * `result` and `problem.u`. Allocates nothing once its workspace has grown to the problem's size.
   * @param tolerance largest relative residual (`FrictionContactProblem.certify`) of an answer that counts as
   *   converged
   */
  solve(problem: FrictionContactProblem, tolerance: number, result: SolverResult): void;
  /** of one that chooses among others: how many of them the last solve took */
  readonly attempts?: number;
  /** and what each of them came to, in words */
  readonly reason?: string;
}

/** Settings of a friction solver by the keys of its definition's fields. */
export type FrictionSettings = Readonly<Record<string, number>>;

/**
 * The residual is relative to the largest of |q|, |r| and |u|, so that a reaction that grows without end
 * makes it small. Where the natural map is off by more than this part of |q|, or the tolerance where that is
 * larger, the contacts move nearly as they would without reactions: nothing is solved.
 */
const UNTRUSTWORTHY = 1e-3;

/** Multiplies r out and measures it. @returns whether it solves the problem to the tolerance */
export function isSolved(problem: FrictionContactProblem, tolerance: number): boolean {
  const residual = problem.certify();
  const scale = problem.measure[1];
  // NaN fails the comparison, and what is relative to infinity says nothing.
  if (!(residual <= tolerance && scale < Number.POSITIVE_INFINITY)) return false;
  // Rounding of such a reaction swallows the velocity that is added to it.
  const bound = Math.max(UNTRUSTWORTHY, tolerance) * problem.measure[2];
  return (residual + Number.EPSILON) * scale <= bound || scale === 0;
}

/**
 * Ends a solve: multiplies the answer out, and lets a belief in convergence stand only if the residual
 * agrees.
 * @param status what the algorithm believes
 * @param shortfall what a belief in convergence becomes when the residual is above the tolerance
 */
export function concludeFriction(
  problem: FrictionContactProblem,
  tolerance: number,
  result: SolverResult,
  status: SolverStatus,
  shortfall: SolverStatus = 'stalled',
): void {
  const holds = isSolved(problem, tolerance);
  result.residual = problem.measure[0];
  result.status = status === 'converged' && !holds ? shortfall : status;
}

/** Ends a solve whose present r `isSolved` has just accepted. */
export function acceptFriction(problem: FrictionContactProblem, result: SolverResult): void {
  result.residual = problem.measure[0];
  result.status = 'converged';
}

/*
 * What steps of solvers cost, in multiplications of a product with W, counted from the pattern: no clock
 * decides which solver goes on. The factors are what steps took beside such products on piles of ten to a
 * thousand contacts, rounded.
 */

/**
 * By row of a contact: solving it and combining sweeps; derivatives and the line search; scalings, cones, two
 * solutions and their refinement; derivatives by bodies.
 */
const SWEEP = 40;
const NEWTON = 600;
const INTERIOR_POINT = 2500;
const BODY_NEWTON = 700;
/** Products with W in a step. */
const OF_NEWTON = 4;
const OF_INTERIOR_POINT = 6;
/** Pivots as triangular factors in place of inverses. */
const GRADED = 2;

const entries = ({ W, dimension: d, count }: FrictionContactProblem): number => d * d * W.rowStart[count];
const rows = ({ dimension: d, count }: FrictionContactProblem): number => d * count;

export const workOfSweep = (problem: FrictionContactProblem): number =>
  entries(problem) + SWEEP * rows(problem);

/** @param products of blocks of its factors */
export const workOfNewton = (problem: FrictionContactProblem, products: number): number =>
  problem.dimension ** 3 * products + OF_NEWTON * entries(problem) + NEWTON * rows(problem);

/** @param products of blocks of its factors @param size rows of those blocks */
export const workOfInteriorPoint = (
  problem: FrictionContactProblem,
  products: number,
  size: number,
): number =>
  GRADED * size ** 3 * products + OF_INTERIOR_POINT * entries(problem) + INTERIOR_POINT * rows(problem);

/** @param products of blocks of its factors, which are of bodies */
export const workOfBodyNewton = (problem: FrictionContactProblem, products: number): number =>
  GRADED * FREEDOMS ** 3 * products + BODY_NEWTON * rows(problem);

/*
 * The diagonal blocks of W and their inverses: a contact alone sticks with r = −W_cc⁻¹ s, s being its
 * velocity without reaction.
 */

/**
 * @param inverse size² entries for each contact, row-major; NaN where the block is singular, which no
 *   comparison with the cone passes
 */
export function invertDiagonal({ size, rows, diagonal, values }: BlockRows, inverse: Float64Array): void {
  const s = size * size;
  for (let c = 0; c < rows; c++) {
    if (invertBlock(size, values, s * diagonal[c], inverse, s * c)) continue;
    for (let k = 0; k < s; k++) inverse[s * c + k] = Number.NaN;
  }
}

/** Mean of the diagonal of W: the size of its mobility. */
export function meanDiagonal({ size, rows, diagonal, values }: BlockRows): number {
  let sum = 0;
  for (let c = 0; c < rows; c++) {
    for (let k = 0; k < size; k++) sum += values[size * size * diagonal[c] + (size + 1) * k];
  }
  return rows > 0 ? sum / (size * rows) : 0;
}

/*
 * A solver whose method is for symmetric W: one that descends a quadratic function, or that factors W as a
 * symmetric matrix. A problem whose W is not, as of contacts with rolling friction, is refused.
 */

export class SymmetricOnly implements FrictionSolver {
  /** @param name what it is known by */
  constructor(
    private readonly name: string,
    private readonly solver: FrictionSolver,
  ) {}

  solve(problem: FrictionContactProblem, tolerance: number, result: SolverResult): void {
    if (problem.isSymmetric) {
      this.solver.solve(problem, tolerance, result);
      return;
    }
    result.solver = this.name;
    result.iterations = 0;
    concludeFriction(problem, tolerance, result, 'unsuitable');
  }
}
