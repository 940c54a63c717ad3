/**
 * The automatic solver. It takes the first of these that ends in a certified answer:
 *
 *     1  closed form               one unknown with W > 0
 *     2  PrincipalPivoting         from the last face; nearly always the end of it in a simulation
 *     3  Lemke, and InteriorPoint  singular, semidefinite or unsymmetric operators; in this order up
 *                                  to `PIVOTING_SIZE` unknowns, above it the other way round if W is
 *                                  symmetric
 *     4  Enumeration               up to `ENUMERATED` unknowns, any operator: decides
 *     5  NewtonFischerBurmeister, NewtonMin: what is left
 *     6  CPG if W is symmetric, else PGS
 *
 * A proof that there is no solution (`infeasible`, `noSolution`) ends the chain as well, and one that the
 * answer is `unresolved`. When nothing succeeds, the status is that of Lemke's method where it could be
 * applied. Nothing is analysed in advance: what an operator is good for shows in the attempt, whose factors
 * are kept while the operator stays. Where step 2 keeps failing on the same operator, it is given one face
 * only until it succeeds again; in problems with friction always a few.
 */
import type { AffineVariationalInequality } from '../problems/avi';
import { ConjugateProjectedGradient } from './projected-gradient';
import { EnumerationSolver } from './pivoting/enumeration';
import { ProjectedGaussSeidel } from './gauss-seidel';
import { InteriorPoint } from './interior-point';
import { Lemke } from './pivoting/lemke';
import { PrincipalPivoting } from './pivoting/principal-pivoting';
import { SemiSmoothNewton } from './semi-smooth-newton';
import type { StepWriter } from '../straight-line/writer';
import {
  type Solver,
  type SolverResult,
  type WrittenSolution,
  conclude,
  createSolverResult,
  writeIsAnswer,
} from './solver';

/** From here on the sparse steps of the interior-point method take less than Lemke's many exchanges. */
const PIVOTING_SIZE = 400;
/** Problems of this size are enumerated in milliseconds. */
const ENUMERATED = 12;
const ENUMERATED_NODES = 200_000;
/** Failures of step 2 in a row after which it gets one face only. */
const FAILURES_BEFORE_ONE_FACE = 3;
/**
 * Faces for step 2 in problems with friction, whose operators are no P-matrices: what the first few do not
 * solve the others hardly ever do. A constant, because memory must not decide which of several solutions is
 * found.
 */
const FEW_FACES = 4;
const NEWTON_STEPS = 200;
const INTERIOR_STEPS = 100;
const PRODUCTS = 20_000;

/** Solvers behind step 2, built when first needed: most models never do. */
interface Fallbacks {
  readonly lemke: Solver;
  readonly interiorPoint: Solver;
  readonly enumeration: Solver;
  readonly fischerBurmeister: Solver;
  readonly newtonMin: Solver;
  readonly gradient: Solver;
  readonly gaussSeidel: Solver;
}

const isConverged = ({ status }: SolverResult): boolean => status === 'converged';

export class AutomaticSolver implements Solver {
  readonly #pivoting: PrincipalPivoting;
  #fallbacks: Fallbacks | null = null;
  readonly #attempt = createSolverResult();
  /** [0] failures of step 2 in a row */
  readonly #failures = new Int32Array(1);
  #answer = new Float64Array(0);
  #revision = -1;

  constructor(private readonly capacity: number) {
    this.#pivoting = new PrincipalPivoting(capacity);
  }

  solve(problem: AffineVariationalInequality, tolerance: number, result: SolverResult): void {
    if (problem.size === 1 && problem.values[0] > 0 && problem.rowStart[1] === 1) {
      this.#solveSingle(problem, tolerance, result);
      return;
    }
    if (this.#revision !== problem.revision) {
      this.#revision = problem.revision;
      this.#failures[0] = 0;
    }
    this.#pivoting.limit = problem.hasFriction
      ? FEW_FACES
      : this.#failures[0] > FAILURES_BEFORE_ONE_FACE
        ? 1
        : 0;
    this.#pivoting.solve(problem, tolerance, result);
    if (isConverged(result)) {
      this.#failures[0] = 0;
      return;
    }
    this.#failures[0]++;
    this.#fallBack(problem, tolerance, result);
    if (isConverged(result)) this.#settleOnFace(problem, tolerance, result);
  }

  write(
    w: StepWriter,
    problem: AffineVariationalInequality,
    tolerance: number,
    q: readonly string[],
    guess: readonly string[],
  ): WrittenSolution | null {
    if (problem.size === 1 && problem.values[0] > 0 && problem.rowStart[1] === 1)
      return this.#writeSingle(w, problem, tolerance, q[0]);
    if (problem.hasFriction) return null;
    const written = this.#pivoting.write(w, problem, tolerance, q, guess);
    if (written === null) return null;
    // A success, as in `solve`.
    const isSolved = w.constant(written.isSolved);
    const failures = w.read(this.#failures, 0);
    w.line(`if (${isSolved} && ${failures} !== 0) ${failures} = 0;`);
    return { z: written.z, isSolved };
  }

  /** Writes `#solveSingle`. */
  #writeSingle(
    w: StepWriter,
    { values: [W], lower: [lower], upper: [upper] }: AffineVariationalInequality,
    tolerance: number,
    q: string,
  ): WrittenSolution {
    const [l, u] = [w.literal(lower), w.literal(upper)];
    const inside = w.constant(`-${q} / ${w.literal(W)}`);
    const inBox = w.constant(`max(${l}, min(${u}, ${inside}))`);
    const z = w.constant(`${inBox} === 0 ? 0 : ${inBox}`);
    const size = w.constant(w.sum([[W, z]]));
    const sides = [W * lower, W * upper].filter(Number.isFinite).map(Math.abs);
    const scale = w.constant(`max(abs(${q}), ${w.literal(Math.max(0, ...sides))})`);
    const middle = `min(${size} - ${w.literal(W * lower)}, ${q} + ${size})`;
    const residual = w.constant(`abs(max(${size} - ${w.literal(W * upper)}, ${middle}))`);
    return { z: [z], isSolved: writeIsAnswer(w, tolerance, scale, [residual], [`abs(${size})`]) };
  }

  /**
   * Takes the exact solution on the face of an answer, where that is regular: the same face then gives the
   * same bits, whichever solver has found it, and the next step finds its factor.
   */
  #settleOnFace(problem: AffineVariationalInequality, tolerance: number, result: SolverResult): void {
    const { size: n, z } = problem;
    if (this.#answer.length < n) this.#answer = new Float64Array(n);
    for (let i = 0; i < n; i++) this.#answer[i] = z[i];
    this.#pivoting.limit = 1;
    this.#pivoting.solve(problem, tolerance, this.#attempt);
    if (this.#attempt.status === 'converged') {
      result.residual = this.#attempt.residual;
      return;
    }
    for (let i = 0; i < n; i++) z[i] = this.#answer[i];
    problem.certify();
  }

  /** z = Π(−q / W). */
  #solveSingle(problem: AffineVariationalInequality, tolerance: number, result: SolverResult): void {
    const { q, z, values, lower, upper } = problem;
    z[0] = Math.max(lower[0], Math.min(upper[0], -q[0] / values[0]));
    // −0 would show as a negative zero in the results.
    if (z[0] === 0) z[0] = 0;
    result.solver = 'auto';
    result.iterations = 1;
    conclude(problem, tolerance, result, 'converged');
  }

  #fallBack(problem: AffineVariationalInequality, tolerance: number, result: SolverResult): void {
    this.#fallbacks ??= this.#build();
    const { lemke, interiorPoint, enumeration } = this.#fallbacks;
    const { fischerBurmeister, newtonMin, gradient, gaussSeidel } = this.#fallbacks;
    const isLarge = problem.symmetric && problem.size > PIVOTING_SIZE;
    if (isLarge && this.#ends(interiorPoint, problem, tolerance, result)) return;
    if (this.#ends(lemke, problem, tolerance, result)) return;
    this.#record(result);
    if (!isLarge && this.#ends(interiorPoint, problem, tolerance, result)) return;
    if (problem.size <= ENUMERATED) {
      if (this.#ends(enumeration, problem, tolerance, result)) return;
      // Every face has been looked at: what others could find would not be another answer.
      if (result.status === 'unresolved') return;
    }
    if (this.#ends(fischerBurmeister, problem, tolerance, result)) return;
    if (this.#ends(newtonMin, problem, tolerance, result)) return;
    if (this.#ends(problem.symmetric ? gradient : gaussSeidel, problem, tolerance, result)) return;
    this.#restore(problem, result);
  }

  #build(): Fallbacks {
    const { capacity } = this;
    return {
      lemke: new Lemke(),
      interiorPoint: new InteriorPoint(capacity, INTERIOR_STEPS),
      enumeration: new EnumerationSolver(ENUMERATED_NODES),
      fischerBurmeister: new SemiSmoothNewton(capacity, 'NewtonFischerBurmeister', NEWTON_STEPS),
      newtonMin: new SemiSmoothNewton(capacity, 'NewtonMin', NEWTON_STEPS),
      gradient: new ConjugateProjectedGradient(PRODUCTS),
      gaussSeidel: new ProjectedGaussSeidel({ maxIterations: PRODUCTS, relaxation: 1, regularization: 0 }),
    };
  }

  /** Tries one solver from a cold start. @returns whether the outcome is final */
  #ends(
    solver: Solver,
    problem: AffineVariationalInequality,
    tolerance: number,
    result: SolverResult,
  ): boolean {
    problem.z.fill(0, 0, problem.size);
    solver.solve(problem, tolerance, result);
    return result.status === 'converged' || result.status === 'infeasible' || result.status === 'noSolution';
  }

  #record(result: SolverResult): void {
    this.#attempt.status = result.status;
    this.#attempt.iterations = result.iterations;
    this.#attempt.solver = result.solver;
  }

  /** Nothing has succeeded: the last answer with the status that says most. */
  #restore(problem: AffineVariationalInequality, result: SolverResult): void {
    problem.certify();
    result.residual = problem.measure[0];
    if (this.#attempt.status === 'unsuitable') return;
    result.status = this.#attempt.status;
    result.iterations = this.#attempt.iterations;
    result.solver = this.#attempt.solver;
  }
}
