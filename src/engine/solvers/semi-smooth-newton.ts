/**
 * Semi-smooth Newton with a line search on the Fischer–Burmeister merit function ψ = ½ |Φ|², which is
 * differentiable. The step solves H d = −Φ with H in the generalised Jacobian
 *
 *     of the Fischer–Burmeister equations (De Luca, Facchinei and Kanzow 1996), or
 *     of the natural map z − Π_[l,u](z − w), whose steps solve for the rows now taken for active
 *     (Hintermüller, Ito and Kunisch 2003), with the first one in reserve.
 *
 * Where H is singular, or d does not descend, the step goes down the gradient of ψ. The line search compares
 * with the worst of the last few merits (Grippo, Lampariello and Lucidi 1986), so that full steps are not cut
 * by a temporary rise. A stationary point of ψ solves the problem if W is a P₀-matrix; else it need not, and
 * the solver says that it stalled.
 */
import type { AffineVariationalInequality } from '../problems/avi';
import { Crossover, NewtonMatrix } from './newton-matrix';
import { Scaling } from './scaling';
import { type Solver, type SolverResult, type SolverStatus, clip, conclude } from './solver';

/*
 * The problem as equations Φ = 0. With the Fischer–Burmeister function
 *
 *     φ(a, b) = a + b − √(a² + b²),   φ = 0 ⟺ a ≥ 0, b ≥ 0, a b = 0,
 *
 * a row with both bounds reads φ(z − l, −φ(u − z, −w)) = 0, one with a lower bound φ(z − l, w) = 0, one with
 * an upper bound −φ(u − z, −w) = 0, a free one w = 0 and a fixed one z − l = 0 (Billups 1995). Each row has
 * derivatives a ≥ 0 by z and b ≥ 0 by w, so that the Jacobian is diag(a) + diag(b) W. Everything is in the
 * units of `Scaling`.
 */

/** Derivative at the kink (0, 0): the element of the generalised Jacobian in the direction (1, 1). */
const AT_KINK = 1 - Math.SQRT1_2;

class FischerBurmeister {
  /** Φ */
  values = new Float64Array(0);
  /** ∂Φ_i/∂z_i and ∂Φ_i/∂w_i */
  a = new Float64Array(0);
  b = new Float64Array(0);
  /** [0]: ½ Σ Φ² */
  readonly merit = new Float64Array(1);
  /** value and derivatives of φ at the last point */
  readonly #phi = new Float64Array(3);

  prepare(n: number): void {
    if (this.values.length >= n) return;
    this.values = new Float64Array(n);
    this.a = new Float64Array(n);
    this.b = new Float64Array(n);
  }

  /** Evaluates at `problem.z` and `problem.w`. */
  evaluate(problem: AffineVariationalInequality, scaling: Scaling): void {
    const { size: n } = problem;
    let sum = 0;
    for (let i = 0; i < n; i++) {
      this.#evaluateRow(problem, scaling.values, i);
      sum += this.values[i] * this.values[i];
    }
    this.merit[0] = 0.5 * sum;
  }

  #evaluateRow(problem: AffineVariationalInequality, s: Float64Array, i: number): void {
    const { z, w, lower, upper } = problem;
    const hasLower = lower[i] !== Number.NEGATIVE_INFINITY;
    const hasUpper = upper[i] !== Number.POSITIVE_INFINITY;
    let value = s[i] * w[i];
    let a = 0;
    let b = 1;
    if (lower[i] === upper[i]) {
      value = (z[i] - lower[i]) / s[i];
      a = 1;
      b = 0;
    } else {
      if (hasUpper) {
        this.#evaluatePhi((upper[i] - z[i]) / s[i], -value);
        value = -this.#phi[0];
        a = this.#phi[1];
        b = this.#phi[2];
      }
      if (hasLower) {
        this.#evaluatePhi((z[i] - lower[i]) / s[i], value);
        value = this.#phi[0];
        a = this.#phi[1] + this.#phi[2] * a;
        b = this.#phi[2] * b;
      }
    }
    this.values[i] = value;
    this.a[i] = a;
    this.b[i] = b;
  }

  #evaluatePhi(a: number, b: number): void {
    const r = Math.hypot(a, b);
    const phi = this.#phi;
    if (r === 0) {
      phi[0] = 0;
      phi[1] = AT_KINK;
      phi[2] = AT_KINK;
      return;
    }
    // For a + b > 0 the difference cancels; 2 a b / (a + b + r) is the same number.
    phi[0] = a + b > 0 ? (2 * a * b) / (a + b + r) : a + b - r;
    phi[1] = 1 - a / r;
    phi[2] = 1 - b / r;
  }
}

/** Merits the line search looks back on. */
const MEMORY = 5;
/** Part of the predicted decrease that is asked for. */
const SUFFICIENT = 1e-4;
/** Step lengths below this mean that there is no descent left. */
const SHORTEST = 1e-12;
/**
 * A direction descends when the cosine of its angle to the steepest descent is above this: long chains need
 * 1e-7.
 */
const DESCENT = 1e-12;
/**
 * From this residual on it is tried whether the active rows are found: then the exact answer is one solve
 * away.
 */
const CROSSOVER_RESIDUAL = 1e-3;

export type NewtonVariant = 'NewtonFischerBurmeister' | 'NewtonMin';

export class SemiSmoothNewton implements Solver {
  readonly #equations = new FischerBurmeister();
  readonly #matrix = new NewtonMatrix();
  readonly #scaling = new Scaling();
  readonly #crossover: Crossover;
  /** derivatives of the natural map */
  #a = new Float64Array(0);
  #b = new Float64Array(0);
  #direction = new Float64Array(0);
  #gradient = new Float64Array(0);
  #start = new Float64Array(0);
  readonly #memory = new Float64Array(MEMORY);
  /** [0]: slope of ψ along the direction */
  readonly #slope = new Float64Array(1);

  constructor(
    capacity: number,
    private readonly variant: NewtonVariant,
    private readonly maxIterations: number,
  ) {
    this.#crossover = new Crossover(capacity);
  }

  solve(problem: AffineVariationalInequality, tolerance: number, result: SolverResult): void {
    result.solver = this.variant;
    this.#prepare(problem);
    clip(problem);
    const status = this.#iterate(problem, tolerance, result);
    clip(problem);
    if (status === 'converged') this.#crossover.improve(problem, tolerance);
    conclude(problem, tolerance, result, status);
  }

  #prepare(problem: AffineVariationalInequality): void {
    const { size: n } = problem;
    this.#equations.prepare(n);
    this.#scaling.update(problem);
    if (this.#direction.length >= n) return;
    this.#a = new Float64Array(n);
    this.#b = new Float64Array(n);
    this.#direction = new Float64Array(n);
    this.#gradient = new Float64Array(n);
    this.#start = new Float64Array(n);
  }

  #iterate(problem: AffineVariationalInequality, tolerance: number, result: SolverResult): SolverStatus {
    const equations = this.#equations;
    problem.certify();
    equations.evaluate(problem, this.#scaling);
    this.#memory.fill(equations.merit[0]);
    for (let iteration = 0; iteration < this.maxIterations; iteration++) {
      result.iterations = iteration;
      if (problem.measure[0] <= tolerance) return 'converged';
      if (problem.measure[0] <= CROSSOVER_RESIDUAL && this.#crossover.improve(problem, tolerance)) {
        if (problem.measure[0] <= tolerance) return 'converged';
        equations.evaluate(problem, this.#scaling);
      }
      if (!this.#step(problem)) return 'stalled';
      this.#memory[iteration % MEMORY] = equations.merit[0];
      problem.certify();
    }
    result.iterations = this.maxIterations;
    return problem.measure[0] <= tolerance ? 'converged' : 'maxIterations';
  }

  /** One step along the first direction that descends. @returns false when none does */
  #step(problem: AffineVariationalInequality): boolean {
    this.#computeGradient(problem);
    if (this.variant === 'NewtonMin' && this.#findMinDirection(problem) && this.#search(problem)) return true;
    if (this.#findNewtonDirection(problem) && this.#search(problem)) return true;
    this.#findGradientDirection(problem);
    return this.#search(problem);
  }

  /** ∇ψ = ᵗH Φ, in scaled units. */
  #computeGradient(problem: AffineVariationalInequality): void {
    const { size: n, rowStart, columns, values } = problem;
    const { values: phi, a, b } = this.#equations;
    const s = this.#scaling.values;
    const gradient = this.#gradient;
    for (let i = 0; i < n; i++) gradient[i] = a[i] * phi[i];
    for (let i = 0; i < n; i++) {
      const factor = b[i] * phi[i] * s[i];
      if (factor === 0) continue;
      for (let e = rowStart[i]; e < rowStart[i + 1]; e++)
        gradient[columns[e]] += factor * values[e] * s[columns[e]];
    }
  }

  #findNewtonDirection(problem: AffineVariationalInequality): boolean {
    const { values: phi, a, b } = this.#equations;
    if (!this.#matrix.factor(problem, this.#scaling, a, b)) return false;
    for (let i = 0; i < problem.size; i++) this.#direction[i] = -phi[i];
    this.#matrix.solve(this.#direction);
    return this.#descends(problem.size);
  }

  /** Newton on the natural map: z to its bound where that is nearer than w to zero, else w to zero. */
  #findMinDirection(problem: AffineVariationalInequality): boolean {
    const { size: n, z, w, lower, upper } = problem;
    const s = this.#scaling.values;
    for (let i = 0; i < n; i++) {
      const y = s[i] * w[i];
      const toLower = (z[i] - lower[i]) / s[i];
      const toUpper = (z[i] - upper[i]) / s[i];
      const isAtBound = toLower < y || toUpper > y || lower[i] === upper[i];
      this.#a[i] = isAtBound ? 1 : 0;
      this.#b[i] = isAtBound ? 0 : 1;
      this.#direction[i] = -Math.max(toUpper, Math.min(toLower, y));
    }
    if (!this.#matrix.factor(problem, this.#scaling, this.#a, this.#b)) return false;
    this.#matrix.solve(this.#direction);
    return this.#descends(n);
  }

  #findGradientDirection(problem: AffineVariationalInequality): void {
    for (let i = 0; i < problem.size; i++) this.#direction[i] = -this.#gradient[i];
    this.#descends(problem.size);
  }

  /** Whether ψ falls clearly along the direction; leaves its slope. */
  #descends(n: number): boolean {
    let slope = 0;
    let square = 0;
    let steepest = 0;
    for (let i = 0; i < n; i++) {
      steepest += this.#gradient[i] * this.#gradient[i];
      slope += this.#gradient[i] * this.#direction[i];
      square += this.#direction[i] * this.#direction[i];
    }
    this.#slope[0] = slope;
    // A direction with NaN or infinities fails the comparison, too.
    return slope < -DESCENT * Math.sqrt(steepest * square);
  }

  /**
   * Halves the step until the merit has fallen enough.
   * @returns false, with z as before, when it never does
   */
  #search(problem: AffineVariationalInequality): boolean {
    const { size: n, z } = problem;
    const s = this.#scaling.values;
    const { merit } = this.#equations;
    let reference = 0;
    for (let k = 0; k < MEMORY; k++) reference = Math.max(reference, this.#memory[k]);
    for (let i = 0; i < n; i++) this.#start[i] = z[i];
    for (let step = 1; step > SHORTEST; step *= 0.5) {
      for (let i = 0; i < n; i++) z[i] = this.#start[i] + step * s[i] * this.#direction[i];
      problem.multiply();
      this.#equations.evaluate(problem, this.#scaling);
      if (merit[0] <= reference + SUFFICIENT * step * this.#slope[0]) return true;
    }
    for (let i = 0; i < n; i++) z[i] = this.#start[i];
    problem.multiply();
    this.#equations.evaluate(problem, this.#scaling);
    return false;
  }
}
