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
 * F is smooth in pieces, one for each combination of open, sticking and sliding contacts, and the path goes
 * from piece to piece. It is followed in two ways:
 *
 *     leaps    over many pieces at once; the law finds the piece where they end, and the sign of det F_z in
 *              it tells whether τ falls there or rises, as in pivots after Lemke.
 *     walks    to where the first contact leaves its piece, found to rounding with all contacts held in
 *              theirs. From there that one is in the other piece, and the path goes to where it stays in it.
 *
 * A leap is a few factors for some dozen pieces, a walk one for a piece. Where the path turns in a corner
 * there may be nothing across the tangent; leaps fail there, and walks do not. So some walks follow a leap
 * that failed, more each time.
 *
 * Where a path cannot be followed, or rounding ends it, another one begins from the reactions where it ends.
 */
import { type ContactFactors, FREEDOMS, type FrictionContactProblem } from '../../problems/friction-contact';
import { BodySolver } from './body-solver';
import { Boundary } from './boundary';
import { isSolved, meanDiagonal } from './solver';

const DIMENSION = 3;
/** a over the mobilities: where the first path begins, and the largest at which one may. */
const FIRST = 1e-1;
const LARGEST = 1e3;
/** a where a path begins over that where the last one ended, and over that where it could not begin. */
const AGAIN = 10;
/** Residual over the best so far from which the next path begins at the best in place of the last answer. */
const LOST = 30;
/**
 * Residual asked of a point of the path, relative to that of the problem, to its tolerance and at most; and
 * of the end of a walk.
 */
const INNER = 0.01;
const EXACT = 1e-5;
const FINEST = 0.01;
const COARSE = 1e-3;
/** Where Newton's method ends without it, |F| up to this many times what is asked for is rounding. */
const ROUNDING = 10;
/** Points at rounding in a row that end a path. */
const MOST_ROUNDED = 8;
/** Length of the first prediction, the longest, and factors after a quick, a slow and no way back. */
const LENGTH = 0.3;
const LONGEST = 1;
const LONGER = 1.6;
const SHORTER = 0.7;
const MUCH_SHORTER = 0.3;
/** Walks after a leap that failed: at first, and most. */
const FEW_WALKS = 4;
const MOST_WALKS = 128;
/** Predictions of a walk until it has found where the first contact leaves its piece. */
const TRIES = 12;
/** Distance of the end of a walk from the tangent over its length, from which it is on another path. */
const ASIDE = 0.5;
/** Walks up to this length have none; as many in a row end a path. */
const NO_LENGTH = 1e-10;
const MOST_STANDING = 30;
/** Newton's steps back to the path: quick, slow and most. */
const QUICK = 2;
const SLOW = 4;
const BACK_STEPS = 8;
/** Steps of length ½ⁿ back to the path, what each has to take from |F|², and the longest in τ. */
const HALVINGS = 3;
const DECREASE = 0.1;
const FAR = 1;
/** Part of |F|² that a step with factors of another point may leave. */
const GOOD = 0.01;
/** Difference of τ for F_τ. */
const DIFFERENCE = 1e-4;
/** Points from one origin of z to the next. */
const RECENTRED = 4;
/** Part of the size of dz/dτ in the metric of the path that is that of its last point. */
const RENEWAL = 0.2;
const JUMP = 10;
/** Steps of Newton's method for the first point of a path. */
const START_STEPS = 20;
/** Places in `#numbers`. */
const TAU = 0;
const SIZE = 1;
const LENGTH_NOW = 2;
const WALK_NOW = 3;
const DIRECTION = 4;
const ORIENTATION = 5;
const MOST = 6;
const MOST_EXACT = 7;
const DEFECT = 8;
const NUMBERS = 9;
/** Of `#correct`: steps it took, or none led back. */
const FAILED = -1;

export class CompliancePath extends BodySolver {
  readonly #boundary = new Boundary(this.step);
  /**
   * τ; size of dz/dτ in the metric; length of the next leap and of the longest walk; whether τ falls (−1) or
   * rises (1); sign of det F_z where it falls; |F|² asked for at the end of leaps and of walks; and what is
   * left of it
   */
  readonly #numbers = new Float64Array(NUMBERS);
  /** points at rounding in a row */
  #rounded = 0;
  /** walks without length in a row */
  #standing = 0;
  /** walks until the next leap, and after it if it fails */
  #walks = 0;
  #moreWalks = 0;
  #freedoms = 0;
  /** pieces where a leap begins */
  #pieces = new Uint8Array(0);
  /** on the path: z, dz/dτ and the tangent of length 1; prediction */
  #z = new Float64Array(0);
  #w = new Float64Array(0);
  #tangent = new Float64Array(0);
  #predicted = new Float64Array(0);
  /** on the way back: z, the trial, the direction, and dz/dτ there */
  #back = new Float64Array(0);
  #trial = new Float64Array(0);
  #direction = new Float64Array(0);
  #slope = new Float64Array(0);

  /** @param maxIterations factorisations */
  constructor(maxIterations: number) {
    super('CompliancePath', maxIterations);
  }

  #prepare(contacts: number): void {
    if (this.#pieces.length < contacts) this.#pieces = new Uint8Array(contacts);
    const m = this.step.z.length;
    if (this.#z.length >= m) return;
    this.#z = new Float64Array(m);
    this.#w = new Float64Array(m);
    this.#tangent = new Float64Array(m);
    this.#predicted = new Float64Array(m);
    this.#back = new Float64Array(m);
    this.#trial = new Float64Array(m);
    this.#direction = new Float64Array(m);
    this.#slope = new Float64Array(m);
  }

  /** Path after path. */
  protected iterate(problem: FrictionContactProblem, factors: ContactFactors, tolerance: number): boolean {
    const { r, measure, count } = problem;
    const n = DIMENSION * count;
    const numbers = this.#numbers;
    const { step } = this;
    const { centre } = step;
    this.#prepare(count);
    this.#freedoms = FREEDOMS * factors.columns;
    let relative = FIRST;
    let isDone = isSolved(problem, tolerance);
    while (!isDone && step.steps < this.limit && relative <= LARGEST) {
      this.keep(problem);
      if (measure[0] > LOST * this.least) {
        this.recall(problem);
        relative = FIRST;
        problem.certify();
      }
      for (let i = 0; i < n; i++) centre[i] = r[i];
      const most = Math.min(this.limit, step.steps + START_STEPS);
      step.isHeld = false;
      if (!step.advance(problem, factors, relative, goalOf(problem, INNER, tolerance), most)) {
        relative *= AGAIN;
        for (let i = 0; i < n; i++) r[i] = centre[i];
        problem.certify();
        continue;
      }
      isDone = this.#follow(problem, factors, tolerance, relative);
      relative = Math.min(FIRST, AGAIN * Math.exp(numbers[TAU]));
    }
    return isDone;
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
    const { step } = this;
    const boundary = this.#boundary;
    const [z, w] = [this.#z, this.#w];
    const m = this.#freedoms;
    for (let i = 0; i < m; i++) z[i] = step.z[i];
    numbers[TAU] = Math.log(relative);
    numbers[LENGTH_NOW] = LENGTH;
    numbers[WALK_NOW] = LENGTH;
    numbers[DIRECTION] = -1;
    this.#rounded = 0;
    this.#standing = 0;
    this.#walks = 0;
    this.#moreWalks = FEW_WALKS;
    let points = 0;
    if (isSolved(problem, tolerance)) return true;
    step.recentre(problem, factors, z);
    if (!this.#findTangent(problem, factors, z, numbers[TAU], w)) return false;
    numbers[ORIENTATION] = step.sign;
    numbers[SIZE] = Math.max(norm(w, m), Number.MIN_VALUE);
    while (step.steps < this.limit && numbers[TAU] < Math.log(LARGEST)) {
      this.keep(problem);
      numbers[MOST] = squareOf(goalOf(problem, INNER, tolerance), problem);
      numbers[MOST_EXACT] = squareOf(goalOf(problem, EXACT, tolerance), problem);
      const steep = norm(w, m) / numbers[SIZE];
      const unit = numbers[DIRECTION] / Math.sqrt(1 + steep * steep);
      for (let i = 0; i < m; i++) this.#tangent[i] = unit * w[i];
      boundary.lookAhead(problem, factors, this.#tangent, unit, numbers[MOST_EXACT]);
      const isLeap = this.#walks === 0 && boundary.reach < numbers[LENGTH_NOW];
      if (isLeap ? this.#leap(problem, factors, unit) : this.#walk(problem, factors, unit)) {
        for (let i = 0; i < m; i++) z[i] = this.#back[i];
        if (isSolved(problem, tolerance)) return true;
        if (this.#rounded >= MOST_ROUNDED || this.#standing >= MOST_STANDING) break;
        points++;
        if (points % RECENTRED === 0) step.recentre(problem, factors, z);
        if (!isLeap && !boundary.isNone) boundary.cross(factors.pressedBy);
        if (!this.#findTangent(problem, factors, z, numbers[TAU], w)) break;
        if (isLeap) numbers[DIRECTION] = -numbers[ORIENTATION] * step.sign;
        else this.#turn(problem, factors, unit);
        const size = Math.min(norm(w, m), JUMP * numbers[SIZE]);
        numbers[SIZE] *= Math.pow(size / numbers[SIZE], RENEWAL);
        if (this.#walks > 0) this.#walks--;
      } else {
        if (!isLeap || !this.#findTangent(problem, factors, z, numbers[TAU], w)) break;
        this.#walks = this.#moreWalks;
        this.#moreWalks = Math.min(MOST_WALKS, 2 * this.#moreWalks);
      }
    }
    this.#evaluate(problem, factors, z, numbers[TAU]);
    problem.certify();
    return false;
  }

  /** Along the tangent and back to the path in whatever piece that is. @returns whether there is a way */
  #leap(problem: FrictionContactProblem, factors: ContactFactors, unit: number): boolean {
    const numbers = this.#numbers;
    const { pieces } = this.step;
    const before = numbers[TAU];
    for (let c = 0; c < problem.count; c++) this.#pieces[c] = pieces[c];
    this.#boundary.clear();
    this.step.isHeld = false;
    this.#predict(numbers[LENGTH_NOW]);
    const taken = this.#correct(problem, factors, before + unit * numbers[LENGTH_NOW], unit);
    this.step.isHeld = true;
    if (taken === FAILED) {
      for (let c = 0; c < problem.count; c++) pieces[c] = this.#pieces[c];
      numbers[TAU] = before;
      numbers[LENGTH_NOW] *= MUCH_SHORTER;
      return false;
    }
    this.#moreWalks = Math.max(FEW_WALKS, this.#moreWalks / 2);
    const growth = taken <= QUICK ? LONGER : taken > SLOW ? SHORTER : 1;
    numbers[LENGTH_NOW] = Math.min(LONGEST, growth * numbers[LENGTH_NOW]);
    return true;
  }

  /**
   * Along the tangent and back to the path in the present piece, no farther than to its first boundary; there
   * is none at the end if it was not reached.
   * @returns whether there is a way back
   */
  #walk(problem: FrictionContactProblem, factors: ContactFactors, unit: number): boolean {
    const numbers = this.#numbers;
    const { step } = this;
    const boundary = this.#boundary;
    const before = numbers[TAU];
    let length = Math.min(boundary.reach, numbers[WALK_NOW]);
    if (boundary.reach > length) boundary.clear();
    let isShorter = false;
    for (let tries = 0; tries < TRIES; tries++) {
      const { steps } = step;
      this.#predict(length);
      const taken = this.#correct(problem, factors, before + unit * length, unit);
      if (taken === FAILED || this.#isAside(before + unit * length, length)) {
        length *= MUCH_SHORTER;
        boundary.clear();
        isShorter = true;
      } else if (boundary.lookBack(problem, factors, length, Math.max(numbers[DEFECT], numbers[MOST_EXACT])))
        length = boundary.reach;
      else {
        this.#standing = length <= NO_LENGTH ? this.#standing + 1 : 0;
        numbers[WALK_NOW] = isShorter
          ? length
          : Math.min(LONGEST, LONGER * Math.max(length, numbers[WALK_NOW]));
        return true;
      }
      numbers[TAU] = before;
      if (step.steps === steps) continue;
      this.#evaluate(problem, factors, this.#z, before);
      if (!step.factor(problem, factors)) return false;
    }
    return false;
  }

  /** @param length of the prediction */
  #predict(length: number): void {
    for (let i = 0; i < this.#freedoms; i++) this.#predicted[i] = this.#z[i] + length * this.#tangent[i];
  }

  /** Whether the end of a walk is far from where the tangent leads, at `tau` and that length. */
  #isAside(tau: number, length: number): boolean {
    const numbers = this.#numbers;
    let square = 0;
    for (let i = 0; i < this.#freedoms; i++) square += (this.#back[i] - this.#predicted[i]) ** 2;
    square = square / (numbers[SIZE] * numbers[SIZE]) + (numbers[TAU] - tau) ** 2;
    return length > NO_LENGTH && square > (ASIDE * length) ** 2;
  }

  /** The direction after a walk: into the new piece, or onwards in the old one. */
  #turn(problem: FrictionContactProblem, factors: ContactFactors, unit: number): void {
    const numbers = this.#numbers;
    let onwards = unit;
    if (this.#boundary.isNone) {
      const metric = 1 / (numbers[SIZE] * numbers[SIZE]);
      for (let i = 0; i < this.#freedoms; i++) onwards += metric * this.#w[i] * this.#tangent[i];
    } else onwards = this.#boundary.change(problem, factors, this.#w, 1);
    numbers[DIRECTION] = onwards > 0 ? 1 : -1;
    numbers[ORIENTATION] = -numbers[DIRECTION] * this.step.sign;
  }

  /**
   * Newton's method from `#predicted` and `tau`: to the boundary, or in the plane across the tangent where
   * there is none. Where pieces are held it begins with the factors of the tangent.
   * @param unit of the tangent along τ
   * @returns steps it took to `#back` and τ, or `FAILED`
   */
  #correct(problem: FrictionContactProblem, factors: ContactFactors, tau: number, unit: number): number {
    const numbers = this.#numbers;
    const { step } = this;
    const { isHeld } = step;
    const [back, trial, direction] = [this.#back, this.#trial, this.#direction];
    const m = this.#freedoms;
    const most = numbers[isHeld ? MOST_EXACT : MOST];
    let isStale = isHeld;
    for (let i = 0; i < m; i++) back[i] = this.#predicted[i];
    numbers[TAU] = tau;
    this.#evaluate(problem, factors, back, tau);
    let defect = this.#defect(problem);
    for (let k = 0; ; k++) {
      numbers[DEFECT] = defect;
      if (defect <= most) {
        this.#rounded = 0;
        return k;
      }
      let isLess = false;
      if (k < BACK_STEPS) {
        for (let i = 0; i < m; i++) direction[i] = -step.f[i];
        if (!isStale && !this.#findTangent(problem, factors, back, numbers[TAU], this.#slope)) return FAILED;
        step.isHeld = isHeld;
        const slope = isStale ? this.#w : this.#slope;
        step.solve(direction);
        const change = this.#changeOf(problem, factors, slope, tau, unit);
        let part = 1;
        for (let halving = 0; halving <= HALVINGS && Math.abs(change) < FAR; halving++) {
          for (let i = 0; i < m; i++) trial[i] = back[i] + part * (direction[i] + change * slope[i]);
          this.#evaluate(problem, factors, trial, numbers[TAU] + part * change);
          const left = this.#defect(problem);
          isLess = left <= (1 - DECREASE * part) * defect || left <= most;
          if (isLess) {
            isStale = isStale && left <= GOOD * defect;
            defect = left;
            break;
          }
          part *= 0.5;
        }
        if (isLess) {
          for (let i = 0; i < m; i++) back[i] = trial[i];
          numbers[TAU] += part * change;
          continue;
        }
        if (!(Math.abs(change) < FAR) && !isStale) return FAILED;
      }
      this.#evaluate(problem, factors, back, numbers[TAU]);
      if (isStale) {
        isStale = false;
        continue;
      }
      if (!(defect <= ROUNDING * ROUNDING * numbers[MOST])) return FAILED;
      this.#rounded = defect <= numbers[MOST] ? 0 : this.#rounded + 1;
      return k;
    }
  }

  /** |F|², and what p is off the boundary that is asked for. */
  #defect(problem: FrictionContactProblem): number {
    const off = this.#boundary.isNone ? 0 : this.#boundary.inside(problem);
    return this.step.merit + meanDiagonal(problem.W) * off * off;
  }

  /** Change of τ of a step of Newton's method by `#direction` and that times `slope`. */
  #changeOf(
    problem: FrictionContactProblem,
    factors: ContactFactors,
    slope: Float64Array,
    tau: number,
    unit: number,
  ): number {
    const numbers = this.#numbers;
    const boundary = this.#boundary;
    const direction = this.#direction;
    if (!boundary.isNone) {
      const off = boundary.inside(problem) + boundary.change(problem, factors, direction, 0);
      return -off / boundary.change(problem, factors, slope, 1);
    }
    const metric = 1 / (numbers[SIZE] * numbers[SIZE]);
    let above = unit * (numbers[TAU] - tau);
    let across = unit;
    for (let i = 0; i < this.#freedoms; i++) {
      const normal = metric * this.#tangent[i];
      above += normal * (this.#back[i] - this.#predicted[i] + direction[i]);
      across += normal * slope[i];
    }
    return -above / across;
  }

  /** F and r at z and τ. */
  #evaluate(problem: FrictionContactProblem, factors: ContactFactors, z: Float64Array, tau: number): void {
    this.step.choose(problem, factors, Math.exp(tau));
    this.step.evaluate(problem, factors, z);
  }

  /**
   * dz/dτ with τ in the present piece, and the factors of F_z there, F and r being those at z afterwards.
   * @returns false where F_z is singular
   */
  #findTangent(
    problem: FrictionContactProblem,
    factors: ContactFactors,
    z: Float64Array,
    tau: number,
    slope: Float64Array,
  ): boolean {
    const { step } = this;
    const { f } = step;
    step.isHeld = true;
    this.#evaluate(problem, factors, z, tau - DIFFERENCE);
    for (let i = 0; i < this.#freedoms; i++) slope[i] = f[i];
    this.#evaluate(problem, factors, z, tau);
    for (let i = 0; i < this.#freedoms; i++) slope[i] = (slope[i] - f[i]) / DIFFERENCE;
    if (!step.factor(problem, factors)) return false;
    step.solve(slope);
    return true;
  }
}

/** What a point on the path may add to velocities. @param part of the residual */
function goalOf({ measure }: FrictionContactProblem, part: number, tolerance: number): number {
  return Math.max(FINEST * tolerance, part * Math.min(measure[0], COARSE)) * measure[1];
}

/** |F|² that adds so much to velocities. */
const squareOf = (goal: number, { W }: FrictionContactProblem): number => (goal * goal) / meanDiagonal(W);

function norm(x: Float64Array, size: number): number {
  let sum = 0;
  for (let i = 0; i < size; i++) sum += x[i] * x[i];
  return Math.sqrt(sum);
}
