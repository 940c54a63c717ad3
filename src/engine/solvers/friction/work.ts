/**
 * What steps of solvers cost, in multiplications of a product with W, counted from the pattern: no clock decides which solver goes on. The factors are what
 * steps took beside such products on piles of ten to a thousand contacts, rounded.
 */
import type { FrictionContactProblem } from '../../problems/friction-contact';

/** By row of a contact: solving it and combining sweeps; derivatives and the line search; scalings, cones, two solutions and their refinement. */
const SWEEP = 40;
const NEWTON = 600;
const INTERIOR_POINT = 2500;
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
