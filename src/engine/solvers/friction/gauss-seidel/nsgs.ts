/**
 * Non-smooth Gauss–Seidel: sweeps over the contacts, each solved alone and exactly (Jean and Moreau 1987;
 * Jourdan, Alart and Jean 1998), as a fixed-point iteration whose steps Anderson's method combines. Piles
 * whose W is far from diagonally dominant take a tenth of the sweeps with it; with `depth` 0 there are plain
 * sweeps only. A contact is solved by the code written out in the sweeps, or by any solver of one contact
 * (`one-contact/registry.ts`).
 *
 * The change of a sweep costs nothing and falls in proportion to the residual once it falls at all. The
 * factor between the two is measured whenever the residual is; so it is only measured when it is likely to be
 * small enough.
 */
import type { FrictionContactProblem } from '../../../problems/friction-contact';
import type { LocalSolver } from '../../one-contact/local-solver';
import { createLocalSolver } from '../../one-contact/registry';
import type { SolverResult } from '../../solver';
import { AndersonAcceleration } from '../anderson';
import { CHANGE, WORK } from '../local-slide';
import { type FrictionSolver, acceptFriction, concludeFriction, invertDiagonal, isSolved } from '../solver';
import { LocalSweep, sweepPlane, sweepSpace } from './sweeps';

/**
 * The residual is expected to be this part of what the change of the sweep says: a measurement too early
 * costs less than sweeps.
 */
const EARLY = 0.5;

export interface NsgsSettings {
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
    { maxIterations, relaxation, depth, local }: NsgsSettings,
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

/*
 * Whether sweeps go on or hand over to a method with factors. Their rate over the second half of the sweeps
 * so far tells how many are left, were it to stay; the other method is worth as many sweeps as take its
 * expected work (`solver.ts`). A rate that is measured early says little, so sweeps first have a part of that
 * worth to show what they can; and one that is slow seldom becomes better, so that they end when those left
 * are a third of it.
 */

/** Sweeps before the first look, and by what their number grows from look to look. */
const FIRST_LOOK = 20;
const NEXT_LOOK = 1.2;
/** So few sweeps left are made without asking what else there is. */
const MOST_SWEEPS_UNASKED = 60;
const MOST_LEFT = 0.3;

/** Another method, in sweeps. */
export interface Alternative {
  /** what it costs */
  readonly worth: number;
  /** part of that which sweeps have before it may take over */
  readonly trial: number;
}

export class SweepOutlook {
  /** expected residual over the tolerance after each sweep */
  readonly #course: Float64Array;
  #look = FIRST_LOOK;
  #alternative: Alternative | null = null;

  /** @param most sweeps @param alternative asked for once a solve, when sweeps are slow */
  constructor(
    most: number,
    private readonly alternative: () => Alternative,
  ) {
    this.#course = new Float64Array(most + 1);
  }

  begin(): void {
    this.#look = FIRST_LOOK;
    this.#alternative = null;
  }

  /** @param sweep made by now, from 1 @param distance its expected residual over the tolerance */
  goesOn(sweep: number, distance: number): boolean {
    this.#course[sweep] = distance;
    if (sweep < this.#look) return true;
    this.#look = Math.ceil(NEXT_LOOK * sweep);
    const left = this.#sweepsLeft(sweep);
    if (left <= MOST_SWEEPS_UNASKED) return true;
    this.#alternative ??= this.alternative();
    const { worth, trial } = this.#alternative;
    if (sweep >= trial * worth) return left <= MOST_LEFT * worth;
    this.#look = Math.min(this.#look, Math.ceil(trial * worth));
    return true;
  }

  /** Infinite where they come no nearer. */
  #sweepsLeft(sweep: number): number {
    const middle = Math.floor(sweep / 2);
    const rate = Math.log(this.#course[middle] / this.#course[sweep]) / (sweep - middle);
    return rate > 0 ? Math.log(this.#course[sweep]) / rate : Number.POSITIVE_INFINITY;
  }
}
