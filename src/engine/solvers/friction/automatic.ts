/**
 * The automatic choice for problems with friction. Sweeps come first, nearly always the end of it, and hand
 * over early where another method is the shorter way (`gauss-seidel/nsgs.ts`): Newton's method for problems
 * of few contacts, and for those whose factors are cheap beside sweeps and whose contacts are not redundant;
 * Newton's method by bodies for redundant contacts whose guess was near, as in a stack from step to step, and
 * that from the guess itself where a few sweeps have not done (`#beginShort`); the
 * interior point for all others that are symmetric, where W of low rank with a wide spectrum makes sweeps
 * stall. Where most contacts have a guess, as in a pile from step to step, Newton's method by bodies goes
 * on from where sweeps end (`GOING_ON`) before the interior point begins from nothing. Then it takes the
 * first of these that ends in a certified answer, each from where the best before it stopped:
 *
 *     1  SemiSmoothNewton   if sweeps have handed over to it; or BodyNewton, from where they stop
 *     2  InteriorPoint      begins in the interior, whatever the guess; BodyNewton is tried on its way
 *     3  BodyNewton         folds that hold up the interior point; where bodies are known
 *     4  NSGS               from the interior point, which knows what is open, what sticks and what slides
 *     5  ExtrapolatedNSGS   slips that let sweeps circle around the solution
 *     6  Faceted+Proximal   masses a million times others: pivots find what sticks where iterations cannot
 *                           tell; small problems
 *     7  ADMM               its factors serve all steps
 *     8  InteriorPoint      on another, slower path (its θ), where the first was held up; sweeps from there
 *     9  Proximal           few, costly steps
 *    10  SemiSmoothNewton
 *    11  Tresca             no factors
 *    12  CompliancePath     folds turned along a path of compliant contacts; where bodies are known
 *
 * All but sweeps work on contacts brought to the same mobility where masses differ by much
 * (`equilibrated.ts`). Above `FACTORED` contacts methods with a factor in each of hundreds of steps are left
 * out, and sweeps are tried to their end before the interior point, unless bodies are known to factorise by
 * (`shifted-system.ts`, `body-newton.ts`); then the second path comes before sweeps, and the path of
 * compliant contacts after the first 3000 of them. Where W is not symmetric, as with rolling friction, sweeps
 * hand over to Newton's method by bodies, and the interior point, ADMM and Tresca are left out. A problem
 * that is not finite is refused (`unsuitable`). `reason` says what was tried and how far each came.
 */
import type { FrictionContactProblem } from '../../problems/friction-contact';
import { type SolverResult, createSolverResult } from '../solver';
import { FrictionAdmm } from './admm';
import { BodyNewton } from './body-newton';
import { CompliancePath } from './compliance-path';
import { Equilibrated } from './equilibrated';
import { ExtrapolatedSweeps } from './gauss-seidel/extrapolation';
import { FacetedCone } from './faceted';
import { ConvexFixedPoint, tresca } from './fixed-point';
import { FrictionInteriorPoint } from './interior-point';
import { FrictionNewton } from './newton';
import { type Alternative, NonsmoothGaussSeidel, SweepOutlook } from './gauss-seidel/nsgs';
import { ProximalPoint } from './proximal';
import { type FrictionSolver, acceptFriction, concludeFriction, isSolved, workOfSweep } from './solver';

/*
 * Contacts that lie in a face of two bodies: from the third on their reactions are not determined, and W has
 * no rank for them.
 */

/**
 * How many contacts on average are coupled with the same others, as those between the same two bodies are;
 * the contact itself counts.
 */
function contactsInFaces({ W, count }: FrictionContactProblem): number {
  let alike = 0;
  for (let c = 0; c < count; c++)
    for (let k = W.rowStart[c]; k < W.rowStart[c + 1]; k++) if (hasSameRow(c, W.columns[k], W)) alike++;
  return alike / count;
}

function hasSameRow(c: number, other: number, { rowStart, columns }: FrictionContactProblem['W']): boolean {
  if (c === other) return true;
  const shift = rowStart[other] - rowStart[c];
  if (rowStart[other + 1] - rowStart[c + 1] !== shift) return false;
  for (let k = rowStart[c]; k < rowStart[c + 1]; k++) if (columns[k] !== columns[k + shift]) return false;
  return true;
}

/* One solver from where another ends, however near to a solution that is. */

class StartedBy implements FrictionSolver {
  constructor(
    private readonly first: FrictionSolver,
    private readonly second: FrictionSolver,
  ) {}

  /** Where the first refuses the problem, so does this. */
  solve(problem: FrictionContactProblem, tolerance: number, result: SolverResult): void {
    this.first.solve(problem, tolerance, result);
    if (result.status === 'converged' || result.status === 'unsuitable') return;
    const { iterations, solver } = result;
    this.second.solve(problem, tolerance, result);
    result.iterations += iterations;
    result.solver = `${solver}+${result.solver}`;
  }
}

/** Contacts up to which a step of a method with factors is less work than some thousand sweeps. */
const FACTORED = 2000;
/** Sweeps at first: where nothing else is to be had, and while they come nearer fast enough. */
const SWEEPS = 1500;
const MOST_SWEEPS = 10_000;
/**
 * Contacts up to which Newton's method finds what is open, sticks and slides in a few steps, redundant or
 * not.
 */
const FEW_CONTACTS = 40;
/** Work of a step of Newton's method over that of a sweep, up to which it is tried. */
const CHEAP_FACTORS = 30;
/**
 * Contacts in a face of two bodies, on average, from which they are redundant and derivatives nearly
 * singular.
 */
const FACE = 2.5;
/** Steps that are expected, and the part of their work that sweeps have before. */
const EXPECTED_BY_BODIES = { steps: 5, trial: 0.4 } as const;
/** The same with moments, whose bounds change from step to step with what presses them. */
const EXPECTED_WITH_MOMENTS = { steps: 15, trial: 0.4 } as const;
/** The same from a guess that sweeps have worked on, see `GOING_ON_STEPS`. */
const EXPECTED_GOING_ON = { steps: 40, trial: 0.2 } as const;
const EXPECTED_NEWTON = { steps: 10, trialOfFew: 0.3, trial: 0.6 } as const;
const EXPECTED_INTERIOR = { steps: 25, trial: 0.08, trialOfSingle: 0.28 } as const;
const FIRST_NEWTON_STEPS = 35;
/**
 * Steps of Newton's method by bodies from where sweeps stop, from interior points on the way, and from the
 * best of both; and failed proximal steps that end the first two.
 */
const FIRST_BODY_STEPS = 15;
/**
 * Sweeps, and steps of Newton's method by bodies, from the guess of redundant contacts; and a over mobilities
 * there.
 */
const SHORT_SWEEPS = 5;
const SHORT_BODY_STEPS = 8;
const GUESSED_MOBILITY = 1e-4;
/**
 * Steps of Newton's method by bodies from where sweeps stop that began at the last step's reactions, and a
 * over mobilities there. It goes on as long as it likes: in piles that move it takes 20 to 150 steps at
 * half of the cost of those of the interior point, which knows no guess, and misses none of what that
 * solves.
 */
const GOING_ON_STEPS = 200;
const GOING_ON_MOBILITY = 0.1;
const FINISHING_STEPS = 30;
const BODY_STEPS = 500;
const PATH_STEPS = 6000;
const PATIENCE = 2;
/** Residual of sweeps up to which Newton's method by bodies is tried: the guess, the last step, was near. */
const NEAR = 1e-3;
/** a over mobilities where sweeps stop. */
const EARLY_MOBILITY = 1e-3;
const MORE_SWEEPS = 3000;
const EXTRAPOLATED_SWEEPS = 20_000;
/** Steps of the interior point by bodies on each of its paths, and by contacts. */
const STEPS_BY_BODIES = [150, 1200] as const;
const STEPS_BY_CONTACTS = 150;
const ADMM_STEPS = 1000;
const PROXIMAL_STEPS = 50;
const NEWTON_STEPS = 100;
/** θ of the two interior points. */
const FIRST_PATH = 0.9;
const OTHER_PATH = 0.7;
const FACETS = 8;
const PRODUCTS = 20_000;
const DEPTH = 5;
/** Places in the list of fallbacks, in the order in which they are tried. */
const ORDER = [0, 1, 2, 3, 4, 8, 1, 5, 6, 7] as const;
/** The same where factors are those of bodies. */
const ORDER_BY_BODIES = [0, 10, 1, 2, 3, 4, 8, 1, 5, 6, 7, 12] as const;
/** Without the methods that factorise in each of hundreds of steps. */
const ORDER_OF_LARGE = [2, 0, 1, 4, 7] as const;
/** The interior point first where its factors are those of bodies. */
const ORDER_OF_BODIES = [0, 10, 8, 10, 1, 12, 2, 7] as const;
/** Places before those where factors are those of bodies and most contacts have a guess. */
const ORDER_OF_GUESSED = [13] as const;
/** Those that take a W that is not symmetric; above `FACTORED` contacts those of them without factors. */
const ORDER_OF_UNSYMMETRIC = [1, 2, 3, 5, 6] as const;
const ORDER_OF_LARGE_UNSYMMETRIC = [2, 1] as const;
/** The same where factors are those of bodies. */
const ORDER_OF_UNSYMMETRIC_BODIES = [10, 1, 2, 3, 5, 6, 12] as const;
const ORDER_OF_LARGE_UNSYMMETRIC_BODIES = [10, 2, 1, 12] as const;
/** Places of Newton's methods that sweeps may hand over to. */
const EARLY_NEWTON = 9;
const LONG_BY_BODIES = 10;
const EARLY_BY_BODIES = 11;
const GOING_ON = 13;
const NONE = -1;
/** Solvers that one solve may try. */
const ATTEMPTS = 2 + ORDER_OF_GUESSED.length + ORDER_BY_BODIES.length;

/** Sweeps are made to their end, however slow. */
const NOTHING_ELSE: Alternative = { worth: SWEEPS, trial: 1 };

export class AutomaticFriction implements FrictionSolver {
  readonly #sweeps = new NonsmoothGaussSeidel(
    { maxIterations: MOST_SWEEPS, relaxation: 1, depth: DEPTH },
    new SweepOutlook(MOST_SWEEPS, (distance) => this.#alternative(distance)),
  );
  readonly #newton = new FrictionNewton(FIRST_NEWTON_STEPS);
  readonly #byBodies = new BodyNewton(FIRST_BODY_STEPS, PATIENCE, EARLY_MOBILITY);
  readonly #longByBodies = new BodyNewton(BODY_STEPS);
  readonly #goingOn = new BodyNewton(GOING_ON_STEPS, Number.POSITIVE_INFINITY, GOING_ON_MOBILITY);
  readonly #shortSweeps = new NonsmoothGaussSeidel({
    maxIterations: SHORT_SWEEPS,
    relaxation: 1,
    depth: DEPTH,
  });
  readonly #shortByBodies = new BodyNewton(SHORT_BODY_STEPS, 1, GUESSED_MOBILITY);
  #problem: FrictionContactProblem | null = null;
  /** [0] of the present solve */
  readonly #tolerance = new Float64Array(1);
  /** place of the method that sweeps hand over to before all others, or none */
  #early = NONE;
  /** whether that was enough in the last solve */
  #isShort = false;
  /** whether they are many contacts, and most of them have a reaction to begin with */
  #isGuessed = false;
  readonly #interior = [
    new FrictionInteriorPoint(STEPS_BY_BODIES[0], FIRST_PATH, new BodyNewton(FINISHING_STEPS, PATIENCE)),
    new FrictionInteriorPoint(STEPS_BY_BODIES[1], OTHER_PATH, new BodyNewton(FINISHING_STEPS, PATIENCE)),
  ] as const;
  /** built when first needed */
  #fallbacks: readonly FrictionSolver[] | null = null;
  readonly #attempt = createSolverResult();
  /** answer of the least residual so far */
  #best = new Float64Array(0);
  readonly #residual = new Float64Array(1);
  /** solvers of the last solve in the order they were tried, with the steps and the residual of each */
  #count = 0;
  #isSymmetric = true;
  readonly #names: string[] = Array.from({ length: ATTEMPTS }, () => '');
  readonly #numbers = new Float64Array(2 * ATTEMPTS);

  /** 1 where sweeps did, or Newton's method that took over from them early, which is the shorter way. */
  get attempts(): number {
    return this.#isShort ? 1 : this.#count;
  }

  /** What was tried in the last solve, and how far each came. */
  get reason(): string {
    const attempts = this.#names.slice(0, this.#count).map((name, k) => {
      const [steps, residual] = this.#numbers.subarray(2 * k, 2 * k + 2);
      return `${name}: residual ${residual.toExponential(1)} after ${steps}`;
    });
    const all = attempts.join('; ');
    return this.#isSymmetric ? all : `W is not symmetric, only solvers that take it: ${all}`;
  }

  solve(problem: FrictionContactProblem, tolerance: number, result: SolverResult): void {
    this.#count = 0;
    this.#isSymmetric = problem.isSymmetric;
    this.#problem = problem;
    this.#tolerance[0] = tolerance;
    this.#early = NONE;
    this.#isShort = false;
    const guesses = guessesOf(problem);
    const isLarge = problem.count > FEW_CONTACTS;
    this.#isGuessed = isLarge && 2 * guesses > problem.count;
    if (guesses > 0 && isLarge && this.#accepts(problem, tolerance, result)) return;
    if (this.#beginShort(problem, tolerance, result)) return;
    this.#sweeps.solve(problem, tolerance, result);
    this.#note(result);
    if (result.status === 'converged') return;
    this.#fallBack(problem, tolerance, result);
  }

  /** Whether the guess is an answer: it stays as it is then, and steps of bodies at rest repeat. */
  #accepts(problem: FrictionContactProblem, tolerance: number, result: SolverResult): boolean {
    if (!isSolved(problem, tolerance)) return false;
    result.solver = 'NSGS';
    result.iterations = 0;
    acceptFriction(problem, result);
    this.#note(result);
    return true;
  }

  /**
   * Redundant contacts of known bodies with a guess, as in a stack from step to step: sweeps that start at
   * the solution end at once, and where something has changed they move the reactions of all corners far from
   * where Newton's method by bodies finds the solution in five steps. So it begins at the guess.
   *
   * @returns whether that was enough; if not, the guess is as before
   */
  #beginShort(problem: FrictionContactProblem, tolerance: number, result: SolverResult): boolean {
    const { count, r } = problem;
    if (count <= FEW_CONTACTS || !problem.isSymmetric || problem.factors === null) return false;
    if (guessesOf(problem) === 0 || contactsInFaces(problem) < FACE) return false;
    const n = problem.dimension * count;
    if (this.#best.length < n) this.#best = new Float64Array(n);
    for (let i = 0; i < n; i++) this.#best[i] = r[i];
    this.#shortSweeps.solve(problem, tolerance, result);
    this.#isShort = result.status === 'converged';
    if (!this.#isShort && problem.factors.form()) {
      for (let i = 0; i < n; i++) r[i] = this.#best[i];
      this.#shortByBodies.solve(problem, tolerance, result);
      this.#isShort = result.status === 'converged';
    }
    if (this.#isShort) this.#note(result);
    else for (let i = 0; i < n; i++) r[i] = this.#best[i];
    return this.#isShort;
  }

  /** What slow sweeps hand over to. @param distance their expected residual over the tolerance */
  #alternative(distance: number): Alternative {
    const problem = this.#problem;
    if (problem === null) return NOTHING_ELSE;
    const sweep = workOfSweep(problem);
    if (problem.count <= FEW_CONTACTS) return this.#newtonAfter(sweep, this.#newton.workOfStep(problem));
    const bodies = [problem, sweep] as const;
    if (!problem.isSymmetric)
      return (
        this.#bodiesAfter(...bodies, LONG_BY_BODIES, this.#longByBodies, EXPECTED_WITH_MOMENTS) ??
        NOTHING_ELSE
      );
    const goingOn = this.#isGuessed
      ? this.#bodiesAfter(...bodies, GOING_ON, this.#goingOn, EXPECTED_GOING_ON)
      : null;
    if (goingOn !== null) return goingOn;
    const isRedundant = contactsInFaces(problem) >= FACE;
    const isNear = isRedundant && distance * this.#tolerance[0] <= NEAR;
    const byBodies = isNear
      ? this.#bodiesAfter(...bodies, EARLY_BY_BODIES, this.#byBodies, EXPECTED_BY_BODIES)
      : null;
    if (byBodies !== null) return byBodies;
    if (problem.factors?.form() !== true) {
      if (problem.count > FACTORED) return NOTHING_ELSE;
      const newton = this.#newton.workOfStep(problem);
      if (newton <= CHEAP_FACTORS * sweep && !isRedundant) return this.#newtonAfter(sweep, newton);
    }
    const { steps, trial, trialOfSingle } = EXPECTED_INTERIOR;
    const worth = (steps * this.#interior[0].workOfStep(problem)) / sweep;
    return { worth, trial: isRedundant ? trial : trialOfSingle };
  }

  /**
   * Newton's method by bodies, at that place in the list; null where bodies are not known.
   * @param solver the one there, whose plan of the factors it needs when sweeps hand over to it
   */
  #bodiesAfter(
    problem: FrictionContactProblem,
    sweep: number,
    place: number,
    solver: BodyNewton,
    { steps, trial }: { readonly steps: number; readonly trial: number },
  ): Alternative | null {
    const { factors } = problem;
    if (factors?.form() !== true) return null;
    this.#early = place;
    return { worth: (steps * solver.workOfStep(problem, factors)) / sweep, trial };
  }

  #newtonAfter(sweep: number, step: number): Alternative {
    this.#early = EARLY_NEWTON;
    const { steps, trialOfFew, trial } = EXPECTED_NEWTON;
    const isFew = (this.#problem?.count ?? 0) <= FEW_CONTACTS;
    return { worth: (steps * step) / sweep, trial: isFew ? trialOfFew : trial };
  }

  #fallBack(problem: FrictionContactProblem, tolerance: number, result: SolverResult): void {
    const n = problem.dimension * problem.count;
    if (!isFinite(problem)) {
      problem.r.fill(0, 0, n);
      result.solver = 'auto';
      concludeFriction(problem, tolerance, result, 'unsuitable');
      return;
    }
    if (this.#best.length < n) this.#best = new Float64Array(n);
    this.#residual[0] = Number.POSITIVE_INFINITY;
    this.#keep(problem, n, result, result);
    this.#fallbacks ??= this.#build();
    const isByBodies = problem.factors?.form() === true;
    this.#interior.forEach((interior, path) => {
      interior.limit = isByBodies ? STEPS_BY_BODIES[path] : STEPS_BY_CONTACTS;
    });
    const isGuessed = this.#isGuessed && isByBodies && problem.isSymmetric;
    const order = [...(isGuessed ? ORDER_OF_GUESSED : []), ...orderFor(problem, isByBodies)];
    for (let k = this.#early === NONE ? 0 : -1; k < order.length; k++) {
      const place = k < 0 ? this.#early : order[k];
      if (k >= 0 && place === this.#early) continue;
      // A start that is not a number, or far away, is no help.
      for (let i = 0; i < n; i++) problem.r[i] = this.#best[i];
      this.#fallbacks[place].solve(problem, tolerance, this.#attempt);
      this.#note(this.#attempt);
      this.#keep(problem, n, this.#attempt, result);
      this.#isShort = k < 0 && this.#attempt.status === 'converged';
      if (this.#attempt.status === 'converged') return;
    }
    for (let i = 0; i < n; i++) problem.r[i] = this.#best[i];
    result.residual = problem.certify();
  }

  #note({ solver, iterations, residual }: SolverResult): void {
    this.#names[this.#count] = solver;
    this.#numbers[2 * this.#count] = iterations;
    this.#numbers[2 * this.#count + 1] = residual;
    this.#count++;
  }

  /** Keeps the answer of an attempt if there was none better. */
  #keep(problem: FrictionContactProblem, n: number, attempt: SolverResult, result: SolverResult): void {
    const { solver, iterations, residual, status } = attempt;
    if (!(residual < this.#residual[0])) return;
    this.#residual[0] = residual;
    for (let i = 0; i < n; i++) this.#best[i] = problem.r[i];
    result.solver = solver;
    result.iterations = iterations;
    result.residual = residual;
    result.status = status;
  }

  #build(): readonly FrictionSolver[] {
    return [
      new Equilibrated(this.#interior[0]),
      new NonsmoothGaussSeidel({ maxIterations: MORE_SWEEPS, relaxation: 1, depth: DEPTH }),
      new ExtrapolatedSweeps(EXTRAPOLATED_SWEEPS),
      new Equilibrated(new StartedBy(new FacetedCone(FACETS), new ProximalPoint(PROXIMAL_STEPS))),
      new Equilibrated(new FrictionAdmm(ADMM_STEPS)),
      new Equilibrated(new ProximalPoint(PROXIMAL_STEPS)),
      new Equilibrated(new FrictionNewton(NEWTON_STEPS)),
      new Equilibrated(new ConvexFixedPoint(tresca, PRODUCTS)),
      new Equilibrated(this.#interior[1]),
      new Equilibrated(this.#newton),
      this.#longByBodies,
      this.#byBodies,
      new CompliancePath(PATH_STEPS),
      this.#goingOn,
    ];
  }
}

/** Fallbacks in the order in which they are tried. */
function orderFor({ count, isSymmetric }: FrictionContactProblem, isByBodies: boolean): readonly number[] {
  if (isSymmetric && count <= FACTORED) return isByBodies ? ORDER_BY_BODIES : ORDER;
  if (isSymmetric) return isByBodies ? ORDER_OF_BODIES : ORDER_OF_LARGE;
  if (isByBodies) return count > FACTORED ? ORDER_OF_LARGE_UNSYMMETRIC_BODIES : ORDER_OF_UNSYMMETRIC_BODIES;
  return count > FACTORED ? ORDER_OF_LARGE_UNSYMMETRIC : ORDER_OF_UNSYMMETRIC;
}

/** Contacts that have a reaction to begin with. */
function guessesOf({ r, dimension: d, count }: FrictionContactProblem): number {
  let guesses = 0;
  for (let c = 0; c < count; c++) if (r[d * c] > 0) guesses++;
  return guesses;
}

function isFinite({ q, mu, W, dimension: d, count }: FrictionContactProblem): boolean {
  let sum = 0;
  for (let i = 0; i < d * count; i++) sum += Math.abs(q[i]);
  for (let c = 0; c < count; c++) sum += Math.abs(mu[c]);
  const entries = d * d * W.rowStart[count];
  for (let k = 0; k < entries; k++) sum += Math.abs(W.values[k]);
  return Number.isFinite(sum);
}
