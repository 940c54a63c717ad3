/**
 * Non-smooth Gauss–Seidel: sweeps over the contacts, each solved alone and exactly (M. Jean and J. J. Moreau, 1987; F. Jourdan,
 * P. Alart and M. Jean, Comput. Methods Appl. Mech. Engrg. 155, 1998), as a fixed-point iteration whose steps Anderson's method
 * combines. Piles whose W is far from diagonally dominant take a tenth of the sweeps with it; with `depth` 0 there are plain sweeps only.
 * A contact is solved by the code written out in the sweeps, or by any solver of one contact (`one-contact/registry.ts`).
 *
 * The change of a sweep costs nothing and falls in proportion to the residual once it falls at all. The factor between the two is
 * measured whenever the residual is; so it is only measured when it is likely to be small enough.
 */
import type { FrictionContactProblem } from '../../problems/friction-contact';
import type { SolverResult } from '../status';
import { createLocalSolver } from '../one-contact/registry';
import type { LocalSolver } from '../one-contact/local-solver';
import { AndersonAcceleration } from './anderson';
import { invertDiagonal } from './diagonal-blocks';
import { CHANGE, WORK } from './local-slide';
import type { SweepOutlook } from './outlook';
import { acceptFriction, concludeFriction, type FrictionSolver, isSolved } from './solver';
import { sweepPlane } from './sweep-plane';
import { LocalSweep } from './sweep-local';
import { sweepSpace } from './sweep-space';

/** The residual is expected to be this part of what the change of the sweep says: a measurement too early costs less than sweeps. */
const EARLY = 0.5;

export interface GaussSeidelSettings {
  /** sweeps */
  maxIterations: number;
  /** factor of each change, 0 … 2 */
  relaxation: number;
  /** steps that the acceleration remembers; 0: plain sweeps */
  depth: number;
  /** name of a solver of one contact; without it, the one written out in the sweeps */
  local?: string | undefined;
}

export class NonsmoothGaussSeidel implements FrictionSolver {
  /** sweeps before giving up; the automatic solver changes it */
  limit: number;
  readonly #anderson: AndersonAcceleration | null;
  readonly #relaxation: number;
  readonly #local: LocalSolver | null;
  readonly #localSweep = new LocalSweep();
  readonly #work = new Float64Array(WORK);
  /** [0] residual over change of a sweep, both absolute */
  readonly #numbers = new Float64Array(1);
  #inverse = new Float64Array(0);
  /** where the last sweep began */
  #start = new Float64Array(0);

  /**
   * @param outlook ends sweeps that are too slow as `stalled`
   * @throws {Error} for a solver of one contact that there is not
   */
  constructor(
    { maxIterations, relaxation, depth, local }: GaussSeidelSettings,
    private readonly outlook: SweepOutlook | null = null,
  ) {
    this.#local = local === undefined ? null : createLocalSolver(local);
    this.limit = maxIterations;
    this.#relaxation = relaxation;
    this.#anderson = depth > 0 ? new AndersonAcceleration(depth) : null;
  }

  solve(problem: FrictionContactProblem, tolerance: number, result: SolverResult): void {
    result.solver = 'NSGS';
    if (this.#local !== null && this.#local.size !== problem.dimension) {
      concludeFriction(problem, tolerance, result, 'unsuitable');
      result.iterations = 0;
      return;
    }
    const size = problem.dimension * problem.count;
    this.#prepare(problem, size);
    const { r } = problem;
    const work = this.#work;
    const numbers = this.#numbers;
    const anderson = this.#anderson;
    const start = this.#start;
    this.outlook?.begin();
    for (let i = 0; i < size; i++) start[i] = r[i];
    for (let sweep = 1; sweep <= this.limit; sweep++) {
      this.#sweep(problem);
      result.iterations = sweep;
      const change = Math.sqrt(work[CHANGE]);
      if (sweep === 1 || EARLY * numbers[0] * change <= tolerance * problem.measure[1]) {
        if (isSolved(problem, tolerance)) {
          acceptFriction(problem, result);
          return;
        }
        numbers[0] = (problem.measure[0] * problem.measure[1]) / change;
      }
      // NaN, or nothing that moves any more.
      if (!(change > 0)) break;
      const expected = numbers[0] * change;
      if (this.outlook?.goesOn(sweep, expected / (tolerance * problem.measure[1])) === false) break;
      if (anderson === null) continue;
      anderson.advance(start, r);
      for (let i = 0; i < size; i++) r[i] = start[i];
    }
    concludeFriction(
      problem,
      tolerance,
      result,
      'converged',
      result.iterations < this.limit ? 'stalled' : 'maxIterations',
    );
  }

  #sweep(problem: FrictionContactProblem): void {
    if (this.#local !== null) this.#localSweep.sweep(problem, this.#local, this.#relaxation, this.#work);
    else if (problem.dimension === 3) sweepSpace(problem, this.#inverse, this.#relaxation, this.#work);
    else sweepPlane(problem, this.#inverse, this.#relaxation, this.#work);
  }

  #prepare(problem: FrictionContactProblem, size: number): void {
    if (this.#start.length < size) this.#start = new Float64Array(size);
    if (this.#inverse.length < problem.dimension * size)
      this.#inverse = new Float64Array(problem.dimension * size);
    invertDiagonal(problem.W, this.#inverse);
    this.#anderson?.begin(size);
    this.#numbers[0] = 0;
  }
}
