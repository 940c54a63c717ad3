/**
 * The path of compliant contacts, for problems of which it is known what W is made of. The equations of a
 * proximal step from the reactions c (`body-step.ts`), F(z, a) = 0, have one solution where a is large, r
 * near c, and their solutions solve the problem as a falls to nothing: what the compliance a leaves of the
 * law is a |r − c|. Newton's method from one a to a smaller one fails where the path turns back: slips make
 * the law non-monotone, so that there are folds, and a has to rise for some while before it falls again. So
 * neither a nor z is prescribed. The path is followed by its length: from a point on it a prediction goes
 * along the tangent (w, 1), w = dz/dτ = −F_z⁻¹ F_τ, τ = ln a, and Newton's method for F = 0 in the plane
 * across the tangent brings it back (Allgower and Georg 1990).
 *
 * F is smooth in pieces, one for each combination of open, sticking and sliding contacts. The path goes from
 * piece to piece, and in each the sign of det F_z tells the direction: τ falls where it is that of the start
 * and rises where it is the other one, as in pivots after Lemke. At a corner whose other side lies across
 * from the tangent, no step is short enough; so the tangent is taken from a point beyond.
 *
 * Where a path cannot be followed, or rounding ends it, another one begins from the reactions where it ends.
 */
import { type ContactFactors, FREEDOMS, type FrictionContactProblem } from '../../problems/friction-contact';
import type { SolverResult } from '../solver';
import { BodyStep } from './body-step';
import { type FrictionSolver, concludeFriction, isSolved, meanDiagonal } from './solver';

const DIMENSION = 3;
/** a over the mobilities: where the first path begins, and the largest at which one may. */
const FIRST = 1e-1;
const LARGEST = 1e3;
/** a where a path begins over that where the last one ended, and over that where it could not begin. */
const AGAIN = 10;
/** Residual over the best so far from which the next path begins at the best in place of the last answer. */
const LOST = 30;
/** Residual asked of a point of the path, relative to that of the problem, to its tolerance and at most. */
const INNER = 0.01;
const FINEST = 0.01;
const COARSE = 1e-3;
/** Where Newton's method ends without it, |F| up to this many times what is asked for is rounding. */
const ROUNDING = 10;
/** Points at rounding in a row that end a path. */
const MOST_ROUNDED = 3;
/** Length of the first prediction, the longest, and factors after a quick, a slow and no way back. */
const LENGTH = 0.3;
const LONGEST = 1;
const LONGER = 1.6;
const SHORTER = 0.7;
const MUCH_SHORTER = 0.3;
/** Length at which a point beyond the corner is looked at, how far beyond, what that grows by, and most. */
const SHORTEST = 1e-3;
const BEYOND = 2;
const FARTHER = 4;
const FARTHEST = 300;
/** Newton's steps back to the path: quick, slow and most. */
const QUICK = 2;
const SLOW = 4;
const BACK_STEPS = 8;
/** Steps of length ½ⁿ back to the path, what each has to take from |F|², and the longest in τ. */
const HALVINGS = 3;
const DECREASE = 0.1;
const FAR = 1;
/** Difference of τ for F_τ. */
const DIFFERENCE = 1e-4;
/** Part of the size of dz/dτ in the metric of the path that is that of its last point. */
const RENEWAL = 0.2;
const JUMP = 10;
/** Steps of Newton's method for the first point of a path. */
const START_STEPS = 12;
/** Places in `#numbers`. */
const TAU = 0;
const SIZE = 1;
const LENGTH_NOW = 2;
const DIRECTION = 3;
const ORIENTATION = 4;
const LEAST = 5;
const MOST = 6;
const CHANGE = 7;
const LENGTH_THERE = 8;
const NUMBERS = 9;
/** Of `#correct`: steps it took, or none led back. */
const FAILED = -1;

export class CompliancePath implements FrictionSolver {
  limit: number;
  readonly #step = new BodyStep();
  /**
   * τ; size of dz/dτ in the metric; length of the next prediction; whether τ falls (−1) or rises (1); sign
   * of det F_z at the start; least residual; |F|² asked for; change of τ and length of the prediction at a
   * corner
   */
  readonly #numbers = new Float64Array(NUMBERS);
  /** points at rounding in a row */
  #rounded = 0;
  #freedoms = 0;
  /** r of the least residual */
  #best = new Float64Array(0);
  /** on the path: z, dz/dτ and the same where a corner was met; prediction and normal of the plane across */
  #z = new Float64Array(0);
  #w = new Float64Array(0);
  #before = new Float64Array(0);
  #predicted = new Float64Array(0);
  #normal = new Float64Array(0);
  /** on the way back: z, the trial, the direction, and dz/dτ there */
  #back = new Float64Array(0);
  #trial = new Float64Array(0);
  #direction = new Float64Array(0);
  #slope = new Float64Array(0);

  /** @param maxIterations factorisations */
  constructor(maxIterations: number) {
    this.limit = maxIterations;
  }

  /** Problems of which only W is known, or in the plane, are refused (`unsuitable`). */
  solve(problem: FrictionContactProblem, tolerance: number, result: SolverResult): void {
    result.solver = 'CompliancePath';
    result.iterations = 0;
    const { factors } = problem;
    if (problem.dimension !== DIMENSION || factors?.form() !== true) {
      concludeFriction(problem, tolerance, result, 'unsuitable');
      return;
    }
    this.#prepare(problem, factors);
    this.#iterate(problem, factors, tolerance);
    const { steps } = this.#step;
    result.iterations = steps;
    concludeFriction(
      problem,
      tolerance,
      result,
      'converged',
      steps < this.limit ? 'stalled' : 'maxIterations',
    );
  }

  #prepare(problem: FrictionContactProblem, factors: ContactFactors): void {
    const step = this.#step;
    step.prepare(problem, factors);
    if (this.#best.length < step.centre.length) this.#best = new Float64Array(step.centre.length);
    const m = step.z.length;
    this.#freedoms = FREEDOMS * factors.columns;
    if (this.#z.length >= m) return;
    this.#z = new Float64Array(m);
    this.#w = new Float64Array(m);
    this.#before = new Float64Array(m);
    this.#predicted = new Float64Array(m);
    this.#normal = new Float64Array(m);
    this.#back = new Float64Array(m);
    this.#trial = new Float64Array(m);
    this.#direction = new Float64Array(m);
    this.#slope = new Float64Array(m);
  }

  /** Path after path. */
  #iterate(problem: FrictionContactProblem, factors: ContactFactors, tolerance: number): void {
    const { r, measure, count } = problem;
    const n = DIMENSION * count;
    const numbers = this.#numbers;
    const step = this.#step;
    const { centre } = step;
    numbers[LEAST] = Number.POSITIVE_INFINITY;
    let relative = FIRST;
    let isDone = isSolved(problem, tolerance);
    while (!isDone && step.steps < this.limit && relative <= LARGEST) {
      this.#keep(problem);
      if (measure[0] > LOST * numbers[LEAST]) {
        for (let i = 0; i < n; i++) r[i] = this.#best[i];
        relative = FIRST;
        problem.certify();
      }
      for (let i = 0; i < n; i++) centre[i] = r[i];
      const goal = this.#goalOf(problem, tolerance);
      const most = Math.min(this.limit, step.steps + START_STEPS);
      if (!step.advance(problem, factors, relative, goal, most)) {
        relative *= AGAIN;
        for (let i = 0; i < n; i++) r[i] = centre[i];
        problem.certify();
        continue;
      }
      isDone = this.#follow(problem, factors, tolerance, relative);
      relative = Math.min(FIRST, AGAIN * Math.exp(numbers[TAU]));
    }
    if (isDone) return;
    problem.certify();
    this.#keep(problem);
    for (let i = 0; i < n; i++) r[i] = this.#best[i];
  }

  /** Keeps the answer if there was none better. */
  #keep({ r, measure, count }: FrictionContactProblem): void {
    if (!(measure[0] < this.#numbers[LEAST])) return;
    this.#numbers[LEAST] = measure[0];
    for (let i = 0; i < DIMENSION * count; i++) this.#best[i] = r[i];
  }

  /** What a point on the path may add to velocities. */
  #goalOf({ measure }: FrictionContactProblem, tolerance: number): number {
    return Math.max(FINEST * tolerance, INNER * Math.min(measure[0], COARSE)) * measure[1];
  }

  /**
   * The path from the proximal step at `relative` that the equations hold.
   * @returns whether it led to a solution, which is the present r then; else r is the last point
   */
  #follow(
    problem: FrictionContactProblem,
    factors: ContactFactors,
    tolerance: number,
    relative: number,
  ): boolean {
    const numbers = this.#numbers;
    const step = this.#step;
    const [z, w, predicted, normal] = [this.#z, this.#w, this.#predicted, this.#normal];
    const m = this.#freedoms;
    for (let i = 0; i < m; i++) z[i] = step.z[i];
    numbers[TAU] = Math.log(relative);
    numbers[LENGTH_NOW] = LENGTH;
    numbers[DIRECTION] = -1;
    this.#rounded = 0;
    let reach = 0;
    if (isSolved(problem, tolerance)) return true;
    if (!this.#findTangent(problem, factors, z, numbers[TAU], w)) return false;
    numbers[ORIENTATION] = step.sign;
    numbers[SIZE] = Math.max(norm(w, m), Number.MIN_VALUE);
    while (step.steps < this.limit && numbers[TAU] < Math.log(LARGEST)) {
      this.#keep(problem);
      const steep = norm(w, m) / numbers[SIZE];
      const unit = numbers[DIRECTION] / Math.sqrt(1 + steep * steep);
      const change = unit * numbers[LENGTH_NOW];
      const goal = this.#goalOf(problem, tolerance);
      numbers[MOST] = (goal * goal) / meanDiagonal(problem.W);
      for (let i = 0; i < m; i++) {
        predicted[i] = z[i] + change * w[i];
        normal[i] = (unit * w[i]) / (numbers[SIZE] * numbers[SIZE]);
      }
      const before = numbers[TAU];
      const taken = this.#correct(problem, factors, before + change, unit);
      if (taken === FAILED) {
        numbers[TAU] = before;
        if (reach > 0) reach *= FARTHER;
        else {
          numbers[LENGTH_NOW] *= MUCH_SHORTER;
          if (numbers[LENGTH_NOW] >= SHORTEST) continue;
          reach = BEYOND;
          this.#corner(change);
        }
        if (reach > FARTHEST || !this.#lookBeyond(problem, factors, reach)) break;
        continue;
      }
      reach = 0;
      for (let i = 0; i < m; i++) z[i] = this.#back[i];
      if (isSolved(problem, tolerance)) return true;
      if (this.#rounded >= MOST_ROUNDED) break;
      if (!this.#findTangent(problem, factors, z, numbers[TAU], w)) break;
      this.#orient();
      const size = Math.min(norm(w, m), JUMP * numbers[SIZE]);
      numbers[SIZE] *= Math.pow(size / numbers[SIZE], RENEWAL);
      const growth = taken <= QUICK ? LONGER : taken > SLOW ? SHORTER : 1;
      numbers[LENGTH_NOW] = Math.min(LONGEST, growth * numbers[LENGTH_NOW]);
    }
    this.#evaluate(problem, factors, z, numbers[TAU]);
    problem.certify();
    return false;
  }

  /** Keeps the tangent at a corner that no short prediction passes. @param change of τ of the last one */
  #corner(change: number): void {
    const numbers = this.#numbers;
    numbers[CHANGE] = change;
    numbers[LENGTH_THERE] = numbers[LENGTH_NOW];
    for (let i = 0; i < this.#freedoms; i++) this.#before[i] = this.#w[i];
  }

  /**
   * The tangent beyond a corner. @param reach how far, in predictions
   * @returns false where it has none
   */
  #lookBeyond(problem: FrictionContactProblem, factors: ContactFactors, reach: number): boolean {
    const numbers = this.#numbers;
    const predicted = this.#predicted;
    const change = reach * numbers[CHANGE];
    for (let i = 0; i < this.#freedoms; i++) predicted[i] = this.#z[i] + change * this.#before[i];
    if (!this.#findTangent(problem, factors, predicted, numbers[TAU] + change, this.#w)) return false;
    this.#orient();
    numbers[LENGTH_NOW] = reach * numbers[LENGTH_THERE];
    return true;
  }

  /** τ falls where det F_z has the sign of the start, and rises elsewhere. */
  #orient(): void {
    this.#numbers[DIRECTION] = -this.#numbers[ORIENTATION] * this.#step.sign;
  }

  /**
   * Newton's method from `#predicted` and `tau` in the plane across the tangent.
   * @param unit of the normal of that plane along τ
   * @returns factorisations it took to `#back` and τ, or `FAILED`
   */
  #correct(problem: FrictionContactProblem, factors: ContactFactors, tau: number, unit: number): number {
    const numbers = this.#numbers;
    const step = this.#step;
    const [back, trial, direction, slope, normal] = [
      this.#back,
      this.#trial,
      this.#direction,
      this.#slope,
      this.#normal,
    ];
    const m = this.#freedoms;
    for (let i = 0; i < m; i++) back[i] = this.#predicted[i];
    numbers[TAU] = tau;
    this.#evaluate(problem, factors, back, tau);
    for (let k = 0; ; k++) {
      const { merit } = step;
      if (merit <= numbers[MOST]) {
        this.#rounded = 0;
        return k;
      }
      let isLess = false;
      if (k < BACK_STEPS) {
        for (let i = 0; i < m; i++) direction[i] = -step.f[i];
        if (!this.#findTangent(problem, factors, back, numbers[TAU], slope)) return FAILED;
        step.solve(direction);
        let above = unit * (numbers[TAU] - tau);
        let across = unit;
        for (let i = 0; i < m; i++) {
          above += normal[i] * (back[i] - this.#predicted[i] + direction[i]);
          across += normal[i] * slope[i];
        }
        const change = -above / across;
        if (!(Math.abs(change) < FAR)) return FAILED;
        let part = 1;
        for (let halving = 0; halving <= HALVINGS; halving++) {
          for (let i = 0; i < m; i++) trial[i] = back[i] + part * (direction[i] + change * slope[i]);
          this.#evaluate(problem, factors, trial, numbers[TAU] + part * change);
          isLess = step.merit <= (1 - DECREASE * part) * merit || step.merit <= numbers[MOST];
          if (isLess) break;
          part *= 0.5;
        }
        if (isLess) {
          for (let i = 0; i < m; i++) back[i] = trial[i];
          numbers[TAU] += part * change;
        }
      }
      if (isLess) continue;
      if (!(merit <= ROUNDING * ROUNDING * numbers[MOST])) return FAILED;
      this.#rounded++;
      this.#evaluate(problem, factors, back, numbers[TAU]);
      return k;
    }
  }

  /** F and r at z and τ. */
  #evaluate(problem: FrictionContactProblem, factors: ContactFactors, z: Float64Array, tau: number): void {
    this.#step.choose(problem, factors, Math.exp(tau));
    this.#step.evaluate(problem, factors, z);
  }

  /**
   * dz/dτ with τ, and the factors of F_z there, F and r being those at z afterwards.
   * @returns false where F_z is singular
   */
  #findTangent(
    problem: FrictionContactProblem,
    factors: ContactFactors,
    z: Float64Array,
    tau: number,
    slope: Float64Array,
  ): boolean {
    const { f } = this.#step;
    this.#evaluate(problem, factors, z, tau - DIFFERENCE);
    for (let i = 0; i < this.#freedoms; i++) slope[i] = f[i];
    this.#evaluate(problem, factors, z, tau);
    for (let i = 0; i < this.#freedoms; i++) slope[i] = (slope[i] - f[i]) / DIFFERENCE;
    if (!this.#step.factor(problem, factors)) return false;
    this.#step.solve(slope);
    return true;
  }
}

function norm(x: Float64Array, size: number): number {
  let sum = 0;
  for (let i = 0; i < size; i++) sum += x[i] * x[i];
  return Math.sqrt(sum);
}
