/**
 * Block principal pivoting on a box, with Murty's least-index rule as the safeguard that makes it finite for
 * P-matrices. J. J. Júdice and F. M. Pires, 1994, doi:10.1016/0305-0548(94)90106-6; K. G. Murty, 1974.
 *
 * Given a guess which rows are between their bounds and which at one of them, solve for that face. Where every z
 * between is inside its box and every w at a bound has its sign, that is the solution; otherwise exchange every row
 * of the wrong sign at once. Block exchanges may cycle: when the number of wrong rows has not fallen for a few
 * rounds, exchange only the last wrong one, which cannot cycle on a P-matrix, until it has fallen again.
 *
 * In a simulation the last step's face is nearly always the answer, and its factor is kept while W is the same: a
 * resting stack costs two triangular solves a step.
 */
import type { AffineVariationalInequality } from '../problems/avi';
import { FaceSolver } from './face';
import { LastFace } from './last-face';
import { TINY } from './limits';
import { AT_LOWER, AT_UPPER, BETWEEN } from './row-state';
import { clip, settle, type Solver } from './solver';
import type { SolverResult, SolverStatus } from './status';

/** Rounds without progress before single exchanges: 10 is the value of Júdice and Pires. */
const PATIENCE = 10;
/** Signs below this fraction of the data are zero to rounding; exchanging them would chase noise. */
const SIGN_TOLERANCE = 1e-14;
/** Faces to try once rows had to be dropped as dependent: then no rule makes the exchanges finite. */
const PATIENCE_SINGULAR = 12;

/** How the next face follows from the wrong rows of the last. */
export type ExchangeRule = 'block' | 'leastIndex';

export class PrincipalPivoting implements Solver {
  readonly #face: FaceSolver;
  readonly #lastFace = new LastFace();
  #diagonal = new Float64Array(0);
  #problem: AffineVariationalInequality | null = null;
  #revision = -1;
  /** [0]: what a sign must exceed to count */
  readonly #noise = new Float64Array(1);
  /** rows of the wrong sign: their number, the first and the last of them */
  #wrong = 0;
  #first = 0;
  #last = 0;

  /**
   * @param name in results
   * @param limit most faces to try; 0 lets it grow with the size of the problem
   */
  constructor(
    capacity: number,
    private readonly name = 'PrincipalPivoting',
    private readonly rule: ExchangeRule = 'block',
    /** may be changed between solves */
    public limit = 0,
  ) {
    this.#face = new FaceSolver(capacity);
  }

  /** Starts from where `problem.z` stands in its box. */
  solve(problem: AffineVariationalInequality, tolerance: number, result: SolverResult): void {
    result.solver = this.name;
    this.#prepare(problem);
    if (problem.size <= TINY) {
      this.#face.small.prepare(problem);
      if (
        !this.#face.small.isEmpty &&
        this.#lastFace.solve(problem, this.#face.small, this.#diagonal, SIGN_TOLERANCE)
      ) {
        result.iterations = 1;
        settle(problem, tolerance, result, 'converged');
        return;
      }
    }
    const status = this.#pivot(problem, result);
    // The last face has been assessed already, unless rounding has put z outside of its box.
    if (clip(problem) || status !== 'converged') problem.certify();
    settle(problem, tolerance, result, status);
  }

  #pivot(problem: AffineVariationalInequality, result: SolverResult): SolverStatus {
    const { size: n } = problem;
    const face = this.#face;
    face.prepare(problem);
    this.#measureNoise(problem);
    // A face of a sparse symmetric operator costs little, and waves of contact may run through all rows.
    const limit = this.limit > 0 ? this.limit : 100 + (problem.symmetric ? 20 : 4) * n;
    let best = n + 1;
    let patience = PATIENCE;
    let singular = 0;
    for (let iteration = 1; iteration <= limit; iteration++) {
      result.iterations = iteration;
      if (!face.solve(problem)) return 'singular';
      // Of rows that are not full the first certificate finds the diagonal, too.
      if (iteration > 1 || problem.isFull) problem.multiply();
      else problem.certify();
      this.#findWrong(problem);
      if (this.#wrong === 0) {
        problem.assess();
        return 'converged';
      }
      if (iteration === 1 && face.isVertex(problem)) {
        this.#openDegenerate(problem);
        continue;
      }
      if (face.dropped > 0 && ++singular > PATIENCE_SINGULAR) return 'singular';
      if (this.rule === 'leastIndex') this.#exchange(problem, this.#first);
      else {
        if (this.#wrong < best) {
          best = this.#wrong;
          patience = PATIENCE;
        } else patience--;
        if (patience >= 0) this.#exchangeWrong(problem);
        else this.#exchange(problem, this.#last);
      }
    }
    return 'maxIterations';
  }

  /** Makes room, and takes note of the diagonal. */
  #prepare(problem: AffineVariationalInequality): void {
    const { size: n, rowStart, columns, values } = problem;
    if (this.#problem === problem && this.#revision === problem.revision) return;
    this.#problem = problem;
    this.#revision = problem.revision;
    if (this.#diagonal.length < n) this.#diagonal = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      const end = rowStart[i + 1];
      let place = problem.isFull ? i * n + i : rowStart[i];
      while (place < end && columns[place] !== i) place++;
      this.#diagonal[i] = place < end && values[place] > 0 ? values[place] : 1;
    }
  }

  /** Signs count from a fraction of the data, as `certify` measures those. */
  #measureNoise({ size: n, q, lower, upper }: AffineVariationalInequality): void {
    const diagonal = this.#diagonal;
    let scale = 0;
    for (let i = 0; i < n; i++) {
      const size = Math.abs(q[i]);
      if (size > scale) scale = size;
      const l = diagonal[i] * Math.abs(lower[i]);
      if (l > scale && l !== Number.POSITIVE_INFINITY) scale = l;
      const u = diagonal[i] * Math.abs(upper[i]);
      if (u > scale && u !== Number.POSITIVE_INFINITY) scale = u;
    }
    this.#noise[0] = SIGN_TOLERANCE * scale;
  }

  #findWrong(problem: AffineVariationalInequality): void {
    const { size: n, z, w, lower, upper } = problem;
    const { state } = this.#face;
    const diagonal = this.#diagonal;
    const noise = this.#noise[0];
    let wrong = 0;
    let last = -1;
    let first = -1;
    for (let i = 0; i < n; i++) {
      // The common cases, spelled out because this is the loop of a warm start.
      if (state[i] === BETWEEN) {
        const d = diagonal[i];
        if (!(d * (z[i] - lower[i]) < -noise || d * (z[i] - upper[i]) > noise)) continue;
      } else if (state[i] === AT_LOWER && !(w[i] < -noise)) continue;
      else if (this.#target(problem, i) === state[i]) continue;
      wrong++;
      if (first < 0) first = i;
      last = i;
    }
    this.#wrong = wrong;
    this.#first = first;
    this.#last = last;
  }

  /** The state that the present z and w of a row ask for. */
  #target(problem: AffineVariationalInequality, i: number): number {
    const noise = this.#noise[0];
    const { z, w, lower, upper } = problem;
    const state = this.#face.state[i];
    if (state === BETWEEN) {
      const d = this.#diagonal[i];
      if (d * (z[i] - lower[i]) < -noise) return AT_LOWER;
      return d * (z[i] - upper[i]) > noise ? AT_UPPER : BETWEEN;
    }
    if (lower[i] === upper[i]) return state;
    if (state === AT_LOWER) return w[i] < -noise ? BETWEEN : AT_LOWER;
    return w[i] > noise ? BETWEEN : AT_UPPER;
  }

  /**
   * From a start without any guess, rows with w = 0 open together with those of the wrong sign: along a chain of
   * bodies of which one is pushed, all of them will be.
   */
  #openDegenerate(problem: AffineVariationalInequality): void {
    const { size: n, w, lower, upper } = problem;
    const { state } = this.#face;
    const noise = this.#noise[0];
    for (let i = 0; i < n; i++) {
      if (lower[i] === upper[i]) continue;
      if (state[i] === AT_LOWER ? w[i] <= noise : w[i] >= -noise) state[i] = BETWEEN;
    }
  }

  #exchange(problem: AffineVariationalInequality, i: number): void {
    this.#face.state[i] = this.#target(problem, i);
  }

  #exchangeWrong(problem: AffineVariationalInequality): void {
    for (let i = 0; i < problem.size; i++) this.#face.state[i] = this.#target(problem, i);
  }
}
