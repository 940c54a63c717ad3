/**
 * Primal-dual interior-point method, after Acary et al. 2022 who solve the convex problem that is left when s
 * = μ |u_T| is held; here s is an unknown as well. With x = (μ r_N, r_T) and y = (û_N/μ, û_T), which are both
 * in the cone {|x_T| ≤ x_0}, and T = diag(μ, 1, 1), the problem is
 *
 *     W T⁻¹ x + q + μ |y_T| e_N − T y = 0,     x ∘ y = σ e → 0.
 *
 * Newton's step, in the scaling of Nesterov and Todd (below, S y = S⁻¹ x = λ) with dx = S dx̂, dy = S⁻¹ dŷ:
 * the second equation gives dx̂ + dŷ = c, λ ∘ c = σ e − λ ∘ λ − dx̂' ∘ dŷ' with the step dx̂', dŷ' for σ = 0
 * that predicts how far σ may fall (Mehrotra 1992). With G = I − θ μ e_N tᵀ, t = y_T/|y_T|, the first
 * becomes, ρ being its residual,
 *
 *     (1 + L W R) dx̂ = c − L ρ,     L = S T⁻¹ G⁻¹,   R = T⁻¹ S,   G⁻¹ = I + θ μ e_N tᵀ,
 *
 * one sparse LU for both steps (`ShiftedSystem`), regular whatever the rank of W. The last column of G is
 * Newton's for θ = 1; but where a contact sticks, t is the direction of a slip that vanishes, and means
 * nothing a step further; and the matrix of θ = 1 may well be singular along the way. θ a little below 1
 * keeps most of Newton's speed and follows paths along which θ = 1 is stopped by the boundary. Where a
 * solution of xᵀy = σ ends as σ falls, the iteration drifts to another one, full step after full step with a
 * ρ that hardly changes; then θ nearer to 1 shortens the drift. σ is kept in proportion to what is left of ρ,
 * since a pair on the boundary before the velocities fit cannot turn any more, and steps stay where the pairs
 * are about equally far from it.
 *
 * Without friction a contact has x = r_N and y = û_N, cones of one entry, and its r_T stays 0.
 */
import { multiplyBlocks } from '../../linalg/block-rows';
import type { FrictionContactProblem } from '../../problems/friction-contact';
import { type SolverResult, createSolverResult } from '../solver';
import { ShiftedSystem, createScales } from './shifted-system';
import { type FrictionSolver, concludeFriction, isSolved, meanDiagonal, workOfInteriorPoint } from './solver';

/*
 * Pairs of points x, y inside second-order cones {|x_T| ≤ x_0} of one to three entries, and the scaling of
 * Nesterov and Todd 1998 that brings both to the same point λ,
 *
 *     S y = S⁻¹ x = λ,     S = η (w_0, w_Tᵀ; w_T, I + w_T w_Tᵀ/(1 + w_0)),     η² = √(x° x / y° y),
 *
 * in which x° x = x_0² − |x_T|², and w, with w° w = 1, is the normed sum of x/√(x° x) and of y/√(y° y) with
 * its tangents reversed (Vandenberghe 2010 §4). In Jordan's product, a ∘ b = (aᵀb, a_0 b_T + b_0 a_T),
 * complementarity is x ∘ y = 0, and λ ∘ λ = σ e on the central path.
 */

/** Least value of x° x relative to x_0²: what rounding leaves of it near the boundary. */
const BOUNDARY = 1e-15;

/** x° x for `size` entries from `at`, not below what rounding leaves. */
function determinant(x: Float64Array, at: number, size: number): number {
  let tangent = 0;
  for (let k = 1; k < size; k++) tangent += x[at + k] * x[at + k];
  const length = Math.sqrt(tangent);
  return Math.max((x[at] - length) * (x[at] + length), BOUNDARY * x[at] * x[at]);
}

/** Writes w to `scaling` from `at`, 3 entries, and η behind it: 4 entries for each cone. */
export function scaleCone(
  x: Float64Array,
  y: Float64Array,
  at: number,
  size: number,
  scaling: Float64Array,
  place: number,
): void {
  const ofX = Math.sqrt(determinant(x, at, size));
  const ofY = Math.sqrt(determinant(y, at, size));
  let product = 0;
  for (let k = 0; k < size; k++) product += x[at + k] * y[at + k];
  const factor = 1 / Math.sqrt(2 * (1 + product / (ofX * ofY)));
  let tangent = 0;
  for (let k = 1; k < size; k++) {
    const w = factor * (x[at + k] / ofX - y[at + k] / ofY);
    scaling[place + k] = w;
    tangent += w * w;
  }
  // From w° w = 1, which rounding may have spoilt.
  scaling[place] = Math.sqrt(1 + tangent);
  scaling[place + 3] = Math.sqrt(ofX / ofY);
}

/** to ← S x, or S⁻¹ x: S⁻¹ has w with its tangents reversed and 1/η. */
export function applyScaling(
  scaling: Float64Array,
  place: number,
  size: number,
  isInverse: boolean,
  x: Float64Array,
  at: number,
  to: Float64Array,
  atTo: number,
): void {
  const sign = isInverse ? -1 : 1;
  const eta = isInverse ? 1 / scaling[place + 3] : scaling[place + 3];
  let sum = 0;
  for (let k = 1; k < size; k++) sum += sign * scaling[place + k] * x[at + k];
  const first = x[at];
  const along = first + sum / (1 + scaling[place]);
  to[atTo] = eta * (scaling[place] * first + sum);
  for (let k = 1; k < size; k++) to[atTo + k] = eta * (x[at + k] + sign * scaling[place + k] * along);
}

/** Entry (i, j) of S, or of S⁻¹; both are symmetric. */
export function entryOfScaling(
  scaling: Float64Array,
  place: number,
  isInverse: boolean,
  i: number,
  j: number,
): number {
  const eta = isInverse ? 1 / scaling[place + 3] : scaling[place + 3];
  if (i === 0 && j === 0) return eta * scaling[place];
  if (i === 0 || j === 0) return (isInverse ? -eta : eta) * scaling[place + i + j];
  const product = (scaling[place + i] * scaling[place + j]) / (1 + scaling[place]);
  return eta * (i === j ? 1 + product : product);
}

/** c ← the solution of λ ∘ c = t; c may be t. */
export function divideCone(
  lambda: Float64Array,
  at: number,
  size: number,
  t: Float64Array,
  c: Float64Array,
): void {
  let sum = 0;
  for (let k = 1; k < size; k++) sum += lambda[at + k] * t[k];
  const first = (lambda[at] * t[0] - sum) / determinant(lambda, at, size);
  for (let k = 1; k < size; k++) c[k] = (t[k] - first * lambda[at + k]) / lambda[at];
  c[0] = first;
}

/** t += factor · a ∘ b */
export function addJordanProduct(
  size: number,
  a: Float64Array,
  atA: number,
  b: Float64Array,
  atB: number,
  factor: number,
  t: Float64Array,
): void {
  for (let k = 0; k < size; k++) t[0] += factor * a[atA + k] * b[atB + k];
  for (let k = 1; k < size; k++) t[k] += factor * (a[atA] * b[atB + k] + b[atB] * a[atA + k]);
}

/** Largest length for which x + length · d is in the cone, or `most` if that is less. */
export function lengthInCone(
  x: Float64Array,
  d: Float64Array,
  at: number,
  size: number,
  most: number,
): number {
  // (x + t d)° (x + t d) = a t² + 2 b t + c, of which the smallest positive root is sought.
  let a = d[at] * d[at];
  let b = x[at] * d[at];
  for (let k = 1; k < size; k++) {
    a -= d[at + k] * d[at + k];
    b -= x[at + k] * d[at + k];
  }
  const c = determinant(x, at, size);
  let length = most;
  if (d[at] < 0) length = Math.min(length, -x[at] / d[at]);
  const discriminant = b * b - a * c;
  if (discriminant < 0) return length;
  const q = b >= 0 ? -(b + Math.sqrt(discriminant)) : -(b - Math.sqrt(discriminant));
  if (a !== 0 && q / a > 0) length = Math.min(length, q / a);
  if (q !== 0 && c / q > 0) length = Math.min(length, c / q);
  return length;
}

/** θ at first where nothing else is said. */
const FRICTION_IN_DERIVATIVE = 0.9;
/**
 * Where steps longer than this leave more than this part of ρ several times in a row, 1 − θ and the least σ
 * fall by these factors.
 */
const FULL = 0.5;
const LITTLE_GAIN = 0.5;
const SLOW_STEPS = 6;
const LESS_REMAINDER = 0.5;
const LEAST_REMAINDER = 0.01;
const LESS_BALANCE = 0.3;
/**
 * A step shorter than this is blocked: θ falls by a factor, or to 0 where it was small or the step before was
 * short as well; and grows again.
 */
const BLOCKED = 0.1;
const LESS_FRICTION = 0.8;
const SMALL_FRICTION = 0.2;
const FRICTION_AGAIN = 0.45;
const MORE_FRICTION = 0.15;
/**
 * Least σ, relative to the product of |ρ| and the size of reactions; and by what it grows after a blocked
 * step.
 */
const BALANCE = 0.1;
const MORE_BALANCE = 2;
/** Part of the way to the boundary that a step may go. */
const TO_BOUNDARY = 0.99;
/**
 * Least eigenvalue of λ ∘ λ of any contact after a step, relative to the mean of xᵀy, and by what steps are
 * shortened to keep it.
 */
const CENTRAL = 0.3;
const SHORTEN = 0.8;
/** Shorter ones are taken as they are. */
const LEAST_LENGTH = 1e-3;
/** A run of steps shorter than this ends the iteration. */
const SHORT_STEP = 0.02;
const SHORT_STEPS = 6;
/** Number of steps without a better answer that end it too. */
const FRUITLESS_STEPS = 300;
/**
 * Residual from which the finishing solver is tried, and by what it falls before the next trial. Nearer to
 * the solution than this, what is open, sticks and slides is known but for a few contacts. From farther away
 * it is as fast, but shares reactions out among redundant contacts on the boundary of their cones, and what
 * rests is no longer seen to rest.
 */
const FINISHED = 3e-5;
const NEARER = 0.1;
/**
 * Places in `#numbers`: mean of xᵀy, |ρ|, size of velocities, of reactions, length of the step, θ, least
 * residual, largest θ, |ρ| before, least σ, residual of the next trial to finish.
 */
const GAP = 0;
const DEFECT = 1;
const VELOCITY = 2;
const REACTION = 3;
const LENGTH = 4;
const THETA = 5;
const LEAST = 6;
const MOST_THETA = 7;
const DEFECT_BEFORE = 8;
const BALANCE_NOW = 9;
const NEXT_TRIAL = 10;
const NUMBERS = 11;

export class FrictionInteriorPoint implements FrictionSolver {
  limit: number;
  readonly #system = new ShiftedSystem();
  readonly #numbers = new Float64Array(NUMBERS);
  #slowSteps = 0;
  #x = new Float64Array(0);
  #y = new Float64Array(0);
  #dx = new Float64Array(0);
  #dy = new Float64Array(0);
  /** dx̂ and dŷ */
  #scaledDx = new Float64Array(0);
  #scaledDy = new Float64Array(0);
  #lambda = new Float64Array(0);
  /** r of the least residual */
  #best = new Float64Array(0);
  /** T⁻¹ x */
  #answers = new Float64Array(0);
  /** ρ */
  #defect = new Float64Array(0);
  /** θ μ t in the tangential entries */
  #slip = new Float64Array(0);
  #scaling = new Float64Array(0);
  #scales = createScales(0);
  readonly #t = new Float64Array(3);
  readonly #inner = createSolverResult();

  /**
   * @param friction θ at first, below 1: another one takes another path, and may pass where this one is held
   *   up
   * @param finish solver that is tried on the way from near enough; the path goes on where it fails
   */
  constructor(
    maxIterations: number,
    private readonly friction = FRICTION_IN_DERIVATIVE,
    private readonly finish: FrictionSolver | null = null,
  ) {
    this.limit = maxIterations;
  }

  /** Begins in the interior, whatever guess `problem.r` holds, except when that is a solution. */
  solve(problem: FrictionContactProblem, tolerance: number, result: SolverResult): void {
    result.solver = 'FrictionInteriorPoint';
    result.iterations = 0;
    if (!isSolved(problem, tolerance)) this.#iterate(problem, tolerance, result);
    concludeFriction(
      problem,
      tolerance,
      result,
      'converged',
      result.iterations < this.limit ? 'stalled' : 'maxIterations',
    );
  }

  /** Work of a step, as `solver.ts` counts it; the factors are planned for it. */
  workOfStep(problem: FrictionContactProblem): number {
    const { products, size } = this.#system.productsFor(problem);
    return workOfInteriorPoint(problem, products, size);
  }

  #iterate(problem: FrictionContactProblem, tolerance: number, result: SolverResult): void {
    const numbers = this.#numbers;
    this.#prepare(problem);
    this.#begin(problem);
    let short = 0;
    let fruitless = 0;
    numbers[LEAST] = Number.POSITIVE_INFINITY;
    numbers[THETA] = numbers[MOST_THETA] = this.friction;
    numbers[BALANCE_NOW] = BALANCE;
    // What a solve does depends on nothing that an earlier one has left.
    numbers[DEFECT_BEFORE] = Number.POSITIVE_INFINITY;
    numbers[NEXT_TRIAL] = FINISHED;
    this.#slowSteps = 0;
    for (let step = 1; step <= this.limit; step++) {
      this.#measure(problem);
      if (!this.#factor(problem)) break;
      result.iterations = step;
      this.#findStep(problem, 0, false);
      const predicted = this.#lengthOfStep(problem, 1);
      const gap = numbers[GAP];
      const left = this.#gapAfter(problem, predicted) / gap;
      const balance = (numbers[BALANCE_NOW] * numbers[DEFECT] * numbers[REACTION]) / gap;
      const sigma = Math.min(1, Math.max(balance, left * left * left));
      this.#findStep(problem, sigma * gap, true);
      this.#advance(problem, this.#centralLength(problem));
      this.#answer(problem);
      if (isSolved(problem, tolerance)) return;
      fruitless = this.#keep(problem) ? 0 : fruitless + 1;
      if (this.#isFinished(problem, tolerance, result)) return;
      short = numbers[LENGTH] < SHORT_STEP ? short + 1 : 0;
      this.#adapt(short > 1);
      if (short === SHORT_STEPS || fruitless === FRUITLESS_STEPS || !(numbers[GAP] > 0)) break;
    }
    this.#takeBest(problem);
  }

  /** Whether the finishing solver gets from here to a solution, which is the present r then. */
  #isFinished(problem: FrictionContactProblem, tolerance: number, result: SolverResult): boolean {
    const { measure } = problem;
    const numbers = this.#numbers;
    if (this.finish === null || !(measure[0] <= numbers[NEXT_TRIAL])) return false;
    numbers[NEXT_TRIAL] = NEARER * measure[0];
    const inner = this.#inner;
    this.finish.solve(problem, tolerance, inner);
    if (inner.status !== 'converged') return false;
    result.solver = `${result.solver}+${inner.solver}`;
    result.iterations += inner.iterations;
    return true;
  }

  /** Keeps the answer if there was none better. */
  #keep({ r, measure, dimension: d, count }: FrictionContactProblem): boolean {
    if (!(measure[0] < this.#numbers[LEAST])) return false;
    this.#numbers[LEAST] = measure[0];
    for (let i = 0; i < d * count; i++) this.#best[i] = r[i];
    return true;
  }

  #takeBest({ r, dimension: d, count }: FrictionContactProblem): void {
    if (this.#numbers[LEAST] < Number.POSITIVE_INFINITY)
      for (let i = 0; i < d * count; i++) r[i] = this.#best[i];
  }

  /** θ and the least σ of the next step. @param isStuck whether the last steps were short */
  #adapt(isStuck: boolean): void {
    const numbers = this.#numbers;
    const theta = numbers[THETA];
    if (numbers[LENGTH] < BLOCKED) {
      if (theta > 0) numbers[THETA] = theta > SMALL_FRICTION && !isStuck ? LESS_FRICTION * theta : 0;
      else numbers[THETA] = FRICTION_AGAIN;
      numbers[MOST_THETA] = this.friction;
      numbers[BALANCE_NOW] = Math.min(BALANCE, MORE_BALANCE * numbers[BALANCE_NOW]);
      this.#slowSteps = 0;
    } else {
      const isSlow =
        theta >= numbers[MOST_THETA] &&
        numbers[LENGTH] > FULL &&
        numbers[DEFECT] > LITTLE_GAIN * numbers[DEFECT_BEFORE];
      this.#slowSteps = isSlow ? this.#slowSteps + 1 : 0;
      if (this.#slowSteps >= SLOW_STEPS) {
        numbers[MOST_THETA] = 1 - Math.max(LEAST_REMAINDER, LESS_REMAINDER * (1 - numbers[MOST_THETA]));
        numbers[BALANCE_NOW] *= LESS_BALANCE;
      }
      numbers[THETA] =
        theta >= this.friction ? numbers[MOST_THETA] : Math.min(this.friction, theta + MORE_FRICTION);
    }
    numbers[DEFECT_BEFORE] = numbers[DEFECT];
  }

  #prepare({ dimension: d, count }: FrictionContactProblem): void {
    const n = d * count;
    if (this.#scaling.length < 4 * count) this.#scaling = new Float64Array(4 * count);
    if (this.#scales.left.length < d * n) this.#scales = createScales(d * n);
    if (this.#x.length >= n) return;
    this.#x = new Float64Array(n);
    this.#y = new Float64Array(n);
    this.#dx = new Float64Array(n);
    this.#dy = new Float64Array(n);
    this.#lambda = new Float64Array(n);
    this.#scaledDx = new Float64Array(n);
    this.#scaledDy = new Float64Array(n);
    this.#answers = new Float64Array(n);
    this.#best = new Float64Array(n);
    this.#defect = new Float64Array(n);
    this.#slip = new Float64Array(n);
  }

  /** The middle of each cone, in the sizes of the velocities in q and of the reactions that change them. */
  #begin({ W, q, mu, dimension: d, count }: FrictionContactProblem): void {
    const s = d * d;
    const numbers = this.#numbers;
    let velocity = 0;
    for (let i = 0; i < d * count; i++) velocity = Math.max(velocity, Math.abs(q[i]));
    const mobility = meanDiagonal(W);
    numbers[VELOCITY] = velocity;
    numbers[REACTION] = mobility > 0 ? velocity / mobility : velocity;
    this.#x.fill(0, 0, d * count);
    this.#y.fill(0, 0, d * count);
    this.#slip.fill(0, 0, d * count);
    for (let c = 0; c < count; c++) {
      const size = mu[c] > 0 ? mu[c] : 1;
      const own = W.values[s * W.diagonal[c]];
      this.#x[d * c] = size * (own > 0 ? velocity / own : numbers[REACTION]);
      this.#y[d * c] = velocity / size;
    }
  }

  /** ρ, θ μ t and the mean of xᵀy. */
  #measure({ W, q, mu, dimension: d, count }: FrictionContactProblem): void {
    const numbers = this.#numbers;
    const [x, y] = [this.#x, this.#y];
    const defect = this.#defect;
    this.#answerOf(this.#answers, mu, d, count);
    multiplyBlocks(W, this.#answers, q, defect);
    let gap = 0;
    let sum = 0;
    for (let i = 0; i < d * count; i++) gap += x[i] * y[i];
    numbers[GAP] = gap / count;
    for (let c = 0; c < count; c++) {
      const at = d * c;
      if (!(mu[c] > 0)) {
        defect[at] -= y[at];
        for (let k = 1; k < d; k++) defect[at + k] = 0;
      } else {
        const slip = d === 3 ? Math.sqrt(y[at + 1] * y[at + 1] + y[at + 2] * y[at + 2]) : Math.abs(y[at + 1]);
        defect[at] += mu[c] * (slip - y[at]);
        for (let k = 1; k < d; k++) {
          defect[at + k] -= y[at + k];
          this.#slip[at + k] = slip > 0 ? (numbers[THETA] * mu[c] * y[at + k]) / slip : 0;
        }
      }
      for (let k = 0; k < d; k++) sum += defect[at + k] * defect[at + k];
    }
    numbers[DEFECT] = Math.sqrt(sum / count);
  }

  /** Scalings, λ, L, R, what undoes them, and the factors. */
  #factor(problem: FrictionContactProblem): boolean {
    const { mu, dimension: d, count } = problem;
    const { left, right, leftInverse, rightInverse } = this.#scales;
    for (let c = 0; c < count; c++) {
      const at = d * c;
      const size = mu[c] > 0 ? d : 1;
      const factor = mu[c] > 0 ? mu[c] : 1;
      scaleCone(this.#x, this.#y, at, size, this.#scaling, 4 * c);
      applyScaling(this.#scaling, 4 * c, size, false, this.#y, at, this.#lambda, at);
      for (let i = 0; i < d; i++)
        for (let j = 0; j < d; j++) {
          // Without friction there are no tangents.
          const isInside = i < size && j < size;
          const entry = isInside ? entryOfScaling(this.#scaling, 4 * c, false, i, j) : 0;
          const inverse = isInside ? entryOfScaling(this.#scaling, 4 * c, true, i, j) : i === j ? 1 : 0;
          const place = d * (at + i) + j;
          left[place] = j === 0 ? entry / factor : entry + left[d * (at + i)] * this.#slip[at + j];
          right[place] = i === 0 ? entry / factor : entry;
          leftInverse[place] = i === 0 ? factor * inverse : inverse;
          rightInverse[place] = j === 0 ? factor * inverse : inverse;
        }
      for (let j = 0; j < d; j++)
        for (let k = 1; k < size; k++)
          leftInverse[d * at + j] -= this.#slip[at + k] * leftInverse[d * (at + k) + j];
    }
    return this.#system.factor(problem, this.#scales);
  }

  /**
   * Steps towards x ∘ y = `aim` e.
   * @param isCorrected whether the present dx̂, dŷ are the prediction to correct by
   */
  #findStep({ mu, dimension: d, count }: FrictionContactProblem, aim: number, isCorrected: boolean): void {
    const t = this.#t;
    const [dx, dy] = [this.#scaledDx, this.#scaledDy];
    const scaling = this.#scaling;
    for (let c = 0; c < count; c++) {
      const at = d * c;
      const size = mu[c] > 0 ? d : 1;
      t.fill(0);
      t[0] = aim;
      addJordanProduct(size, this.#lambda, at, this.#lambda, at, -1, t);
      if (isCorrected) addJordanProduct(size, dx, at, dy, at, -1, t);
      divideCone(this.#lambda, at, size, t, t);
      for (let i = 0; i < d; i++) {
        dy[at + i] = i < size ? t[i] : 0;
        dx[at + i] = dy[at + i];
        for (let j = 0; j < d; j++) dx[at + i] -= this.#scales.left[d * (at + i) + j] * this.#defect[at + j];
      }
    }
    this.#system.solve(dx);
    for (let c = 0; c < count; c++) {
      const at = d * c;
      const size = mu[c] > 0 ? d : 1;
      for (let k = 0; k < size; k++) dy[at + k] -= dx[at + k];
      // Without friction there is no step along the tangents.
      for (let k = size; k < d; k++) this.#dx[at + k] = this.#dy[at + k] = 0;
      applyScaling(scaling, 4 * c, size, false, dx, at, this.#dx, at);
      applyScaling(scaling, 4 * c, size, true, dy, at, this.#dy, at);
    }
  }

  /** Largest length, at most `most`, at which x and y are in their cones. */
  #lengthOfStep({ mu, dimension: d, count }: FrictionContactProblem, most: number): number {
    let length = most;
    for (let c = 0; c < count; c++) {
      const size = mu[c] > 0 ? d : 1;
      length = lengthInCone(this.#x, this.#dx, d * c, size, length);
      length = lengthInCone(this.#y, this.#dy, d * c, size, length);
    }
    return length;
  }

  /**
   * Length after which no contact is far from the others in xᵀy: one that is near its boundary alone blocks
   * the steps that follow.
   */
  #centralLength(problem: FrictionContactProblem): number {
    let length = Math.min(1, TO_BOUNDARY * this.#lengthOfStep(problem, 2));
    const least = Math.min(CENTRAL, 0.9 * this.#centrality(problem, 0));
    while (length > LEAST_LENGTH && this.#centrality(problem, length) < least) length *= SHORTEN;
    return length;
  }

  /**
   * Least eigenvalue of λ ∘ λ after a step of that length relative to the mean of xᵀy; below 0 outside the
   * cones.
   */
  #centrality({ mu, dimension: d, count }: FrictionContactProblem, length: number): number {
    const [x, y, dx, dy] = [this.#x, this.#y, this.#dx, this.#dy];
    let least = Number.POSITIVE_INFINITY;
    let sum = 0;
    for (let c = 0; c < count; c++) {
      const end = d * c + (mu[c] > 0 ? d : 1);
      let product = 0;
      let ofX = 0;
      let ofY = 0;
      for (let i = d * c; i < end; i++) {
        const xi = x[i] + length * dx[i];
        const yi = y[i] + length * dy[i];
        product += xi * yi;
        ofX += i === d * c ? xi * xi : -xi * xi;
        ofY += i === d * c ? yi * yi : -yi * yi;
      }
      if (ofX < 0 || ofY < 0) return -1;
      sum += product;
      // Their mean is xᵀy, their product det x det y, the determinant of a cone being x₀² − |x_T|².
      const low = mu[c] > 0 ? product - Math.sqrt(Math.max(0, product * product - ofX * ofY)) : product;
      if (low < least) least = low;
    }
    return (least * count) / sum;
  }

  /** Mean of xᵀy after a step of that length. */
  #gapAfter({ dimension: d, count }: FrictionContactProblem, length: number): number {
    let gap = 0;
    for (let i = 0; i < d * count; i++)
      gap += (this.#x[i] + length * this.#dx[i]) * (this.#y[i] + length * this.#dy[i]);
    return gap / count;
  }

  #advance({ dimension: d, count }: FrictionContactProblem, length: number): void {
    this.#numbers[LENGTH] = length;
    for (let i = 0; i < d * count; i++) {
      this.#x[i] += length * this.#dx[i];
      this.#y[i] += length * this.#dy[i];
    }
  }

  #answer({ r, mu, dimension: d, count }: FrictionContactProblem): void {
    this.#answerOf(r, mu, d, count);
  }

  /** r ← T⁻¹ x */
  #answerOf(r: Float64Array, mu: Float64Array, d: number, count: number): void {
    for (let i = 0; i < d * count; i++) r[i] = this.#x[i];
    for (let c = 0; c < count; c++) if (mu[c] > 0) r[d * c] /= mu[c];
  }
}
