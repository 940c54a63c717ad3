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
import type { SolverResult } from '../solver';
import { BodyStep, OPEN, SLIDING, STICKING } from './body-step';
import { type FrictionSolver, concludeFriction, isSolved, meanDiagonal } from './solver';

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
/** How far outside a piece a contact may be at the end of a walk, over what is uncertain of its reaction. */
const BEYOND = 10;
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
const LEAST = 6;
const MOST = 7;
const MOST_EXACT = 8;
const DEFECT = 9;
const REACH = 10;
const NUMBERS = 11;
/** Of `#correct`: steps it took, or none led back. */
const FAILED = -1;
/** Of `#contact`. */
const NONE = -1;
/** Boundaries of pieces: p_N = 0 of open and sliding contacts, |p_T| = μ p_N of sticking and sliding ones. */
const NORMAL = 0;
const CONE = 1;
const BOUNDARIES = [NORMAL, CONE] as const;

export class CompliancePath implements FrictionSolver {
  limit: number;
  readonly #step = new BodyStep();
  /**
   * τ; size of dz/dτ in the metric; length of the next leap and of the longest walk; whether τ falls (−1) or
   * rises (1); sign of det F_z where it falls; least residual; |F|² asked for at the end of leaps and of
   * walks; what of it is left; length to the first boundary
   */
  readonly #numbers = new Float64Array(NUMBERS);
  /** change of p of a contact */
  readonly #changed = new Float64Array(DIMENSION);
  /** points at rounding in a row */
  #rounded = 0;
  /** walks without length in a row */
  #standing = 0;
  /** walks until the next leap, and after it if it fails */
  #walks = 0;
  #moreWalks = 0;
  /** the first contact that leaves its piece, and by which boundary */
  #contact = NONE;
  #boundary = NORMAL;
  #freedoms = 0;
  /** r of the least residual */
  #best = new Float64Array(0);
  /** pieces where a leap begins */
  #pieces = new Uint8Array(0);
  /** by contact, where a walk begins: p, and its change along the tangent */
  #p = new Float64Array(0);
  #dp = new Float64Array(0);
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
    const n = step.centre.length;
    if (this.#best.length < n) {
      this.#best = new Float64Array(n);
      this.#p = new Float64Array(n);
      this.#dp = new Float64Array(n);
      this.#pieces = new Uint8Array(step.pieces.length);
    }
    const m = step.z.length;
    this.#freedoms = FREEDOMS * factors.columns;
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
    if (isSolved(problem, tolerance)) return true;
    if (!this.#findTangent(problem, factors, z, numbers[TAU], w)) return false;
    numbers[ORIENTATION] = step.sign;
    numbers[SIZE] = Math.max(norm(w, m), Number.MIN_VALUE);
    while (step.steps < this.limit && numbers[TAU] < Math.log(LARGEST)) {
      this.#keep(problem);
      numbers[MOST] = squareOf(goalOf(problem, INNER, tolerance), problem);
      numbers[MOST_EXACT] = squareOf(goalOf(problem, EXACT, tolerance), problem);
      const steep = norm(w, m) / numbers[SIZE];
      const unit = numbers[DIRECTION] / Math.sqrt(1 + steep * steep);
      for (let i = 0; i < m; i++) this.#tangent[i] = unit * w[i];
      this.#findBoundary(problem, factors, unit);
      const isLeap = this.#walks === 0 && numbers[REACH] < numbers[LENGTH_NOW];
      if (isLeap ? this.#leap(problem, factors, unit) : this.#walk(problem, factors, unit)) {
        for (let i = 0; i < m; i++) z[i] = this.#back[i];
        if (isSolved(problem, tolerance)) return true;
        if (this.#rounded >= MOST_ROUNDED || this.#standing >= MOST_STANDING) break;
        if (!isLeap && this.#contact !== NONE) this.#enter(factors.pressedBy);
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

  /** Along the tangent and back to the path in whatever piece that is. @returns whether there is a way back */
  #leap(problem: FrictionContactProblem, factors: ContactFactors, unit: number): boolean {
    const numbers = this.#numbers;
    const { pieces } = this.#step;
    const before = numbers[TAU];
    for (let c = 0; c < problem.count; c++) this.#pieces[c] = pieces[c];
    this.#contact = NONE;
    this.#step.isHeld = false;
    this.#predict(numbers[LENGTH_NOW]);
    const taken = this.#correct(problem, factors, before + unit * numbers[LENGTH_NOW], unit);
    this.#step.isHeld = true;
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
   * Along the tangent and back to the path in the present piece, no farther than to its first boundary, by
   * which `#contact` leaves it then.
   * @returns whether there is a way back
   */
  #walk(problem: FrictionContactProblem, factors: ContactFactors, unit: number): boolean {
    const numbers = this.#numbers;
    const step = this.#step;
    const before = numbers[TAU];
    let length = Math.min(numbers[REACH], numbers[WALK_NOW]);
    if (numbers[REACH] > numbers[WALK_NOW]) this.#contact = NONE;
    let isShorter = false;
    for (let tries = 0; tries < TRIES; tries++) {
      const { steps } = step;
      this.#predict(length);
      const taken = this.#correct(problem, factors, before + unit * length, unit);
      if (taken === FAILED || this.#isAside(before + unit * length, length)) {
        length *= MUCH_SHORTER;
        this.#contact = NONE;
        isShorter = true;
      } else if (this.#findLeft(problem, factors, length)) length = numbers[REACH];
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

  /** Length along the tangent to where the first contact leaves its piece, which contact, and how. */
  #findBoundary(problem: FrictionContactProblem, factors: ContactFactors, unit: number): void {
    const { mu, count } = problem;
    const numbers = this.#numbers;
    const none = this.#uncertainty(problem, numbers[MOST_EXACT]);
    numbers[REACH] = Number.POSITIVE_INFINITY;
    for (let c = 0; c < count; c++) {
      this.#step.change(c, factors, this.#tangent, unit, this.#dp, DIMENSION * c);
      for (let i = DIMENSION * c; i < DIMENSION * (c + 1); i++) this.#p[i] = this.#step.p[i];
      for (const boundary of BOUNDARIES) {
        if (!this.#has(c, boundary, factors.pressedBy)) continue;
        const reach = this.#distance(c, boundary, mu[c], none);
        if (reach >= numbers[REACH]) continue;
        numbers[REACH] = reach;
        this.#contact = c;
        this.#boundary = boundary;
      }
    }
  }

  /** The same of contacts that have left their pieces at the end of a walk. @returns whether one has */
  #findLeft(problem: FrictionContactProblem, { pressedBy }: ContactFactors, length: number): boolean {
    const { mu, count } = problem;
    const numbers = this.#numbers;
    const [target, by] = [this.#contact, this.#boundary];
    const allowed = BEYOND * this.#uncertainty(problem, Math.max(numbers[DEFECT], numbers[MOST_EXACT]));
    numbers[REACH] = Number.POSITIVE_INFINITY;
    for (let c = 0; c < count; c++)
      for (const boundary of BOUNDARIES) {
        if (!this.#has(c, boundary, pressedBy) || (c === target && boundary === by)) continue;
        const outside = -this.#inside(c, boundary, mu[c], this.#step.p);
        if (!(outside > allowed)) continue;
        const inside = Math.max(0, this.#inside(c, boundary, mu[c], this.#p));
        const reach = (length * inside) / (inside + outside);
        if (reach >= numbers[REACH]) continue;
        numbers[REACH] = reach;
        this.#contact = c;
        this.#boundary = boundary;
      }
    return numbers[REACH] < Number.POSITIVE_INFINITY;
  }

  /** Reaction that this |F|² makes uncertain. */
  #uncertainty({ W }: FrictionContactProblem, square: number): number {
    return Math.sqrt(square / meanDiagonal(W));
  }

  /** Whether the piece of a contact has that boundary. Rows of moments open with their contact. */
  #has(c: number, boundary: number, pressedBy: Int32Array | null): boolean {
    const piece = this.#step.pieces[c];
    if (boundary === CONE) return piece !== OPEN;
    return piece !== STICKING && (pressedBy === null || pressedBy[c] === NONE);
  }

  /** How far p of a contact is from the boundary, positive in its piece. */
  #inside(c: number, boundary: number, mu: number, p: Float64Array): number {
    const at = DIMENSION * c;
    const piece = this.#step.pieces[c];
    if (boundary === NORMAL) return piece === OPEN ? -p[at] : p[at];
    const beyond = Math.sqrt(p[at + 1] * p[at + 1] + p[at + 2] * p[at + 2]) - mu * p[at];
    return piece === SLIDING ? beyond : -beyond;
  }

  /** Change of that with p at the last `evaluate`. @param dp, at change of p, 3 entries from there */
  #rate(c: number, boundary: number, mu: number, dp: Float64Array, at: number): number {
    const { p, pieces } = this.#step;
    const i = DIMENSION * c;
    if (boundary === NORMAL) return pieces[c] === OPEN ? -dp[at] : dp[at];
    const length = Math.sqrt(p[i + 1] * p[i + 1] + p[i + 2] * p[i + 2]);
    const along = length > 0 ? (p[i + 1] * dp[at + 1] + p[i + 2] * dp[at + 2]) / length : 0;
    return pieces[c] === SLIDING ? along - mu * dp[at] : mu * dp[at] - along;
  }

  /** Length at which a contact reaches the boundary, from `#p` along `#dp`. @param none of that is none */
  #distance(c: number, boundary: number, mu: number, none: number): number {
    const [p, dp] = [this.#p, this.#dp];
    const i = DIMENSION * c;
    const inside = this.#inside(c, boundary, mu, p);
    const rate = this.#rate(c, boundary, mu, dp, i);
    if (boundary === NORMAL) return rate < 0 ? Math.max(0, -inside / rate) : Number.POSITIVE_INFINITY;
    if (inside <= none && rate < 0) return 0;
    // (μ p_N)² = |p_T|²
    const square = mu * mu;
    const second = square * dp[i] * dp[i] - dp[i + 1] * dp[i + 1] - dp[i + 2] * dp[i + 2];
    const first = square * p[i] * dp[i] - p[i + 1] * dp[i + 1] - p[i + 2] * dp[i + 2];
    if (inside <= none) return positive((-2 * first) / second);
    const zeroth = square * p[i] * p[i] - p[i + 1] * p[i + 1] - p[i + 2] * p[i + 2];
    const root = Math.sqrt(first * first - second * zeroth);
    const sum = -first - (first < 0 ? -root : root);
    return Math.min(positive(sum / second), positive(zeroth / sum));
  }

  /** The first contact that leaves its piece is in the other one. */
  #enter(pressedBy: Int32Array | null): void {
    const { pieces } = this.#step;
    const c = this.#contact;
    if (this.#boundary === CONE) {
      pieces[c] = pieces[c] === STICKING ? SLIDING : STICKING;
      return;
    }
    pieces[c] = pieces[c] === OPEN ? SLIDING : OPEN;
    if (pressedBy === null) return;
    for (let k = 0; k < pieces.length; k++) if (pressedBy[k] === c) pieces[k] = pieces[c];
  }

  /** The direction after a walk: into the new piece, or onwards in the old one. */
  #turn({ mu }: FrictionContactProblem, factors: ContactFactors, unit: number): void {
    const numbers = this.#numbers;
    const c = this.#contact;
    let onwards = unit;
    if (c === NONE) {
      const metric = 1 / (numbers[SIZE] * numbers[SIZE]);
      for (let i = 0; i < this.#freedoms; i++) onwards += metric * this.#w[i] * this.#tangent[i];
    } else {
      this.#step.change(c, factors, this.#w, 1, this.#changed, 0);
      onwards = this.#rate(c, this.#boundary, mu[c], this.#changed, 0);
    }
    numbers[DIRECTION] = onwards > 0 ? 1 : -1;
    numbers[ORIENTATION] = -numbers[DIRECTION] * this.#step.sign;
  }

  /**
   * Newton's method from `#predicted` and `tau`: to the boundary of `#contact` or, if that is none, in the
   * plane across the tangent. Where pieces are held it begins with the factors of the tangent.
   * @param unit of the tangent along τ
   * @returns steps it took to `#back` and τ, or `FAILED`
   */
  #correct(problem: FrictionContactProblem, factors: ContactFactors, tau: number, unit: number): number {
    const numbers = this.#numbers;
    const step = this.#step;
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
  #defect({ W, mu }: FrictionContactProblem): number {
    const { merit, p } = this.#step;
    const c = this.#contact;
    if (c === NONE) return merit;
    const off = this.#inside(c, this.#boundary, mu[c], p);
    return merit + meanDiagonal(W) * off * off;
  }

  /** Change of τ of a step of Newton's method by `#direction` and that times `slope`. */
  #changeOf(
    { mu }: FrictionContactProblem,
    factors: ContactFactors,
    slope: Float64Array,
    tau: number,
    unit: number,
  ): number {
    const numbers = this.#numbers;
    const step = this.#step;
    const [direction, changed, c] = [this.#direction, this.#changed, this.#contact];
    if (c !== NONE) {
      step.change(c, factors, direction, 0, changed, 0);
      const off =
        this.#inside(c, this.#boundary, mu[c], step.p) + this.#rate(c, this.#boundary, mu[c], changed, 0);
      step.change(c, factors, slope, 1, changed, 0);
      return -off / this.#rate(c, this.#boundary, mu[c], changed, 0);
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
    this.#step.choose(problem, factors, Math.exp(tau));
    this.#step.evaluate(problem, factors, z);
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
    const step = this.#step;
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

const positive = (x: number): number => (x > 0 ? x : Number.POSITIVE_INFINITY);

function norm(x: Float64Array, size: number): number {
  let sum = 0;
  for (let i = 0; i < size; i++) sum += x[i] * x[i];
  return Math.sqrt(sum);
}
