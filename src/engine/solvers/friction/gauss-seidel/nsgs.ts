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
import { CHANGE, WORK, ANSWER, FREE, SIZE, slideInSpace } from '../local-slide';
import { type FrictionSolver, acceptFriction, concludeFriction, invertDiagonal, isSolved } from '../solver';
import { projectOntoCone } from '../../../linalg/friction-cone';

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

  /**
   * @param most sweeps
   * @param alternative asked for once a solve, when sweeps are slow; it receives the expected residual over
   *   the tolerance
   */
  constructor(
    most: number,
    private readonly alternative: (distance: number) => Alternative,
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
    this.#alternative ??= this.alternative(distance);
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

/*
 * One sweep of non-smooth Gauss–Seidel in space: each contact in turn takes the reaction that solves its own
 * problem while the others keep theirs. With s = q_c + Σ_{j≠c} W_cj r_j,
 *
 *     opens     s_N ≥ 0:                 r = 0, for which û_N = s_N + μ |s_T| ≥ μ |û_T|;
 *     sticks    r = −W_cc⁻¹ s            where that is within the cone;
 *     slides    else, see `local-slide.ts`.
 *
 * Columns of contacts with r_N = 0 are passed over: all of their reaction is zero then.
 */

/**
 * @param inverse of the diagonal blocks (`invertDiagonal`)
 * @param relaxation factor of each change of a reaction; other than 1, what leaves the cone is projected back
 * @param work `WORK` numbers; receives |Δr|² and |r|²
 */
function sweepSpace(
  problem: FrictionContactProblem,
  inverse: Float64Array,
  relaxation: number,
  work: Float64Array,
): void {
  const { W, q, r, mu, count } = problem;
  const { rowStart, columns, diagonal, values } = W;
  let change = 0;
  let size = 0;
  for (let c = 0; c < count; c++) {
    const at = 3 * c;
    let s0 = q[at];
    let s1 = q[at + 1];
    let s2 = q[at + 2];
    const middle = diagonal[c];
    const end = rowStart[c + 1];
    for (let k = rowStart[c]; k < end; k++) {
      if (k === middle) continue;
      const j = 3 * columns[k];
      const x0 = r[j];
      if (x0 === 0) continue;
      const x1 = r[j + 1];
      const x2 = r[j + 2];
      const v = 9 * k;
      s0 += values[v] * x0 + values[v + 1] * x1 + values[v + 2] * x2;
      s1 += values[v + 3] * x0 + values[v + 4] * x1 + values[v + 5] * x2;
      s2 += values[v + 6] * x0 + values[v + 7] * x1 + values[v + 8] * x2;
    }
    const old0 = r[at];
    const old1 = r[at + 1];
    const old2 = r[at + 2];
    let r0 = 0;
    let r1 = 0;
    let r2 = 0;
    // NaN goes the long way, and shows in the change.
    if (!(s0 >= 0)) {
      const i = 9 * c;
      r0 = -(inverse[i] * s0 + inverse[i + 1] * s1 + inverse[i + 2] * s2);
      r1 = -(inverse[i + 3] * s0 + inverse[i + 4] * s1 + inverse[i + 5] * s2);
      r2 = -(inverse[i + 6] * s0 + inverse[i + 7] * s1 + inverse[i + 8] * s2);
      const bound = mu[c] * r0;
      if (!(bound >= 0 && r1 * r1 + r2 * r2 <= bound * bound)) {
        work[FREE] = s0;
        work[FREE + 1] = s1;
        work[FREE + 2] = s2;
        const hasSlid = old1 !== 0 || old2 !== 0;
        work[ANSWER + 1] = hasSlid ? old1 : r1;
        work[ANSWER + 2] = hasSlid ? old2 : r2;
        slideInSpace(values, 9 * middle, mu[c], work, r, at);
        r0 = work[ANSWER];
        r1 = work[ANSWER + 1];
        r2 = work[ANSWER + 2];
      }
    }
    if (relaxation !== 1) {
      work[ANSWER] = old0 + relaxation * (r0 - old0);
      work[ANSWER + 1] = old1 + relaxation * (r1 - old1);
      work[ANSWER + 2] = old2 + relaxation * (r2 - old2);
      projectOntoCone(work, ANSWER, mu[c]);
      r0 = work[ANSWER];
      r1 = work[ANSWER + 1];
      r2 = work[ANSWER + 2];
    }
    r[at] = r0;
    r[at + 1] = r1;
    r[at + 2] = r2;
    change += (r0 - old0) * (r0 - old0) + (r1 - old1) * (r1 - old1) + (r2 - old2) * (r2 - old2);
    size += r0 * r0 + r1 * r1 + r2 * r2;
  }
  work[CHANGE] = change;
  work[SIZE] = size;
}

/*
 * One sweep of non-smooth Gauss–Seidel in the plane, as below. A contact that slides does so to one of two
 * sides: with friction exhausted along d = ±1, r = r_N (1, μ d) and u_N = 0,
 *
 *     r_N = −s_N/(w_NN + μ d w_NT),     u_T = s_T + r_N (w_TN + μ d w_TT),     d u_T ≤ 0.
 *
 * The side to which the reaction of sticking leaves the cone is tried first.
 */

/** Parameters and what it leaves: see `sweepSpace`. */
function sweepPlane(
  problem: FrictionContactProblem,
  inverse: Float64Array,
  relaxation: number,
  work: Float64Array,
): void {
  const { W, q, r, mu, count } = problem;
  const { rowStart, columns, diagonal, values: w } = W;
  let change = 0;
  let size = 0;
  for (let c = 0; c < count; c++) {
    const at = 2 * c;
    let s0 = q[at];
    let s1 = q[at + 1];
    const middle = diagonal[c];
    const end = rowStart[c + 1];
    for (let k = rowStart[c]; k < end; k++) {
      if (k === middle) continue;
      const j = 2 * columns[k];
      const x0 = r[j];
      if (x0 === 0) continue;
      const x1 = r[j + 1];
      const v = 4 * k;
      s0 += w[v] * x0 + w[v + 1] * x1;
      s1 += w[v + 2] * x0 + w[v + 3] * x1;
    }
    let r0 = 0;
    let r1 = 0;
    if (!(s0 >= 0)) {
      const i = 4 * c;
      r0 = -(inverse[i] * s0 + inverse[i + 1] * s1);
      r1 = -(inverse[i + 2] * s0 + inverse[i + 3] * s1);
      const bound = mu[c] * r0;
      if (!(Math.abs(r1) <= bound)) {
        const v = 4 * middle;
        let d = r1 >= 0 ? mu[c] : -mu[c];
        r0 = -s0 / (w[v] + d * w[v + 1]);
        const slip = s1 + r0 * (w[v + 2] + d * w[v + 3]);
        if (!(r0 >= 0 && d * slip <= 0)) {
          d = -d;
          r0 = -s0 / (w[v] + d * w[v + 1]);
        }
        r1 = d * r0;
      }
    }
    const old0 = r[at];
    const old1 = r[at + 1];
    if (relaxation !== 1) {
      work[ANSWER] = old0 + relaxation * (r0 - old0);
      work[ANSWER + 1] = old1 + relaxation * (r1 - old1);
      work[ANSWER + 2] = 0;
      projectOntoCone(work, ANSWER, mu[c]);
      r0 = work[ANSWER];
      r1 = work[ANSWER + 1];
    }
    r[at] = r0;
    r[at + 1] = r1;
    change += (r0 - old0) * (r0 - old0) + (r1 - old1) * (r1 - old1);
    size += r0 * r0 + r1 * r1;
  }
  work[CHANGE] = change;
  work[SIZE] = size;
}

/* One sweep of non-smooth Gauss–Seidel with a solver of one contact of choice, in the plane or in space. */

class LocalSweep {
  /** [0] velocity without the contact's own reaction, [1] its reaction; both three entries */
  readonly #free = new Float64Array(3);
  readonly #force = new Float64Array(3);

  /**
   * Parameters and what it leaves: see `sweepSpace`. Where the solver of a contact fails, the contact keeps
   * its reaction.
   */
  sweep(
    { W, q, r, mu, dimension: d, count }: FrictionContactProblem,
    local: LocalSolver,
    relaxation: number,
    work: Float64Array,
  ): void {
    const s = d * d;
    const free = this.#free;
    const force = this.#force;
    let change = 0;
    let size = 0;
    for (let c = 0; c < count; c++) {
      const at = d * c;
      const middle = W.diagonal[c];
      for (let i = 0; i < d; i++) {
        let sum = q[at + i];
        for (let k = W.rowStart[c]; k < W.rowStart[c + 1]; k++) {
          if (k === middle) continue;
          const v = s * k + d * i;
          for (let j = 0; j < d; j++) sum += W.values[v + j] * r[d * W.columns[k] + j];
        }
        free[i] = sum;
        force[i] = r[at + i];
      }
      local.solve(W.values, s * middle, free, mu[c], force);
      if (relaxation !== 1) {
        force[2] = d === 3 ? force[2] : 0;
        for (let i = 0; i < d; i++) force[i] = r[at + i] + relaxation * (force[i] - r[at + i]);
        projectOntoCone(force, 0, mu[c]);
      }
      for (let i = 0; i < d; i++) {
        change += (force[i] - r[at + i]) * (force[i] - r[at + i]);
        size += force[i] * force[i];
        r[at + i] = force[i];
      }
    }
    work[CHANGE] = change;
    work[SIZE] = size;
  }
}
