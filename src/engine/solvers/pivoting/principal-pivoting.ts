/**
 * Block principal pivoting on a box, with Murty's least-index rule as the safeguard that makes it finite for
 * P-matrices. Júdice and Pires 1994; Murty 1974.
 *
 * Given a guess which rows are between their bounds and which at one of them, solve for that face. Where
 * every z between is inside its box and every w at a bound has its sign, that is the solution; otherwise
 * exchange every row of the wrong sign at once. Block exchanges may cycle: when the number of wrong rows has
 * not fallen for a few rounds, exchange only the last wrong one, which cannot cycle on a P-matrix, until it
 * has fallen again.
 *
 * In a simulation the last step's face is nearly always the answer, and its factor is kept while W is the
 * same: a resting stack costs two triangular solves a step.
 */
import type { AffineVariationalInequality } from '../../problems/avi';
import { FaceSolver } from '../face';
import { AT_LOWER, AT_UPPER, BETWEEN, MOST_ROWS_OF_BITS } from '../scaling';
import { SmallFactors } from '../small-factors';
import type { StepWriter, Term } from '../../straight-line/writer';
import {
  type Solver,
  type SolverResult,
  type SolverStatus,
  type WrittenSolution,
  clip,
  settle,
  writeIsAnswer,
} from '../solver';

/*
 * The step of a simulation in which nothing switches: a face whose factor is kept is solved once more, and
 * one pass over the rows finds residual, rounding and signs. It answers what block pivoting from the same
 * start would answer on its first face, bit by bit, or nothing at all.
 */

/** Data below this leave the fast way: differences of theirs may underflow. */
const SMALLEST_SCALE = 1e-200;

class LastFace {
  /** the guess, put back where the face is not the answer */
  readonly #guess = new Float64Array(MOST_ROWS_OF_BITS);

  /** operator whose bounds are known */
  #problem: AffineVariationalInequality | null = null;
  #revision = -1;
  /** whether all rows are [0, ∞), which leaves little to look at */
  #isLcp = false;

  /**
   * @param diagonal W(i, i), 1 where it is not positive
   * @param noise what a sign must exceed to count, as a fraction of the data
   * @returns whether z and w are the solution on a kept face, with `measure` as `certify` leaves it; if not,
   *   z is as before
   */
  solve(
    problem: AffineVariationalInequality,
    factors: SmallFactors,
    diagonal: Float64Array,
    noise: number,
  ): boolean {
    if (this.#problem !== problem || this.#revision !== problem.revision) {
      this.#problem = problem;
      this.#revision = problem.revision;
      this.#isLcp = problem.kind === 'LCP';
    }
    const { size: n, z, lower, upper } = problem;
    const guess = this.#guess;
    let free = 0;
    let isShifted = false;
    if (this.#isLcp) {
      for (let i = 0; i < n; i++) {
        const x = z[i];
        guess[i] = x;
        z[i] = 0;
        // NaN is between its bounds.
        if (!(x <= 0)) free |= 1 << i;
      }
    } else {
      for (let i = 0; i < n; i++) {
        const x = z[i];
        const l = lower[i];
        const u = upper[i];
        guess[i] = x;
        let bound = 0;
        // Fixed rows (l = u) count as at the lower bound.
        if (x <= l || l === u) bound = l;
        else if (x >= u) bound = u;
        else free |= 1 << i;
        z[i] = bound;
        if (bound !== 0) isShifted = true;
      }
    }
    if (factors.select(free)) {
      factors.substitute(problem, isShifted);
      problem.multiply();
      if (
        this.#isLcp
          ? this.#solvesLcp(problem, free, diagonal, noise)
          : this.#isSolution(problem, free, diagonal, noise)
      )
        return true;
    }
    for (let i = 0; i < n; i++) z[i] = guess[i];
    return false;
  }

  /** `#isSolution` for rows [0, ∞). */
  #solvesLcp(
    { size: n, z, w, q, measure }: AffineVariationalInequality,
    free: number,
    diagonal: Float64Array,
    noise: number,
  ): boolean {
    let worst = 0;
    let scale = 0;
    let largest = 0;
    let breach = 0;
    for (let i = 0; i < n; i++) {
      const y = w[i];
      const size = Math.abs(q[i]);
      if (size > scale) scale = size;
      if (((free >> i) & 1) === 0) {
        if (y < breach) breach = y;
        else if (Number.isNaN(y)) return false;
        continue;
      }
      if (!(z[i] > 0)) return false;
      const x = diagonal[i] * z[i];
      if (x > largest) largest = x;
      const value = Math.abs(y < x ? y : x);
      if (value > worst) worst = value;
      else if (Number.isNaN(value)) return false;
    }
    if (!(scale > SMALLEST_SCALE && -breach <= noise * scale)) return false;
    if (-breach > worst) worst = -breach;
    measure[0] = worst / scale;
    measure[1] = (Number.EPSILON * largest) / scale;
    measure[2] = scale;
    return true;
  }

  #isSolution(
    problem: AffineVariationalInequality,
    free: number,
    diagonal: Float64Array,
    noise: number,
  ): boolean {
    const { size: n, z, w, q, lower, upper, measure } = problem;
    let worst = 0;
    let scale = 0;
    let largest = 0;
    let breach = 0;
    for (let i = 0; i < n; i++) {
      const d = diagonal[i];
      const l = lower[i];
      const u = upper[i];
      const x = z[i];
      const y = w[i];
      const size = Math.abs(q[i]);
      if (size > scale) scale = size;
      const dx = d * x;
      const reach = Math.abs(dx);
      if (reach > largest) largest = reach;
      let value = y;
      if (l !== Number.NEGATIVE_INFINITY) {
        const dl = d * l;
        if (Math.abs(dl) > scale) scale = Math.abs(dl);
        if (dx - dl < value) value = dx - dl;
      }
      if (u !== Number.POSITIVE_INFINITY) {
        const du = d * u;
        if (Math.abs(du) > scale) scale = Math.abs(du);
        if (dx - du > value) value = dx - du;
      }
      value = Math.abs(value);
      if (value > worst) worst = value;
      else if (Number.isNaN(value)) return false;
      if (((free >> i) & 1) !== 0) {
        // Also NaN; and at a bound, or past it by rounding, the general way decides.
        if (!(x > l && x < u)) return false;
      } else if (l !== u) {
        const wrong = x === l ? -y : y;
        if (!(wrong <= breach) && !Number.isNaN(breach)) breach = wrong;
      }
    }
    if (!(scale > SMALLEST_SCALE && breach <= noise * scale)) return false;
    measure[0] = worst / scale;
    measure[1] = (Number.EPSILON * largest) / scale;
    measure[2] = scale;
    return true;
  }
}

/** Rounds without progress before single exchanges: 10 is the value of Júdice and Pires. */
const ROUNDS_WITHOUT_PROGRESS = 10;
/** Signs below this fraction of the data are zero to rounding; exchanging them would chase noise. */
const SIGN_TOLERANCE = 1e-14;
/** Faces to try once rows had to be dropped as dependent: then no rule makes the exchanges finite. */
const PATIENCE_SINGULAR = 12;

/** Each row doubles the faces that are written out. */
const MOST_ROWS_WRITTEN = 4;

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
    if (problem.size <= MOST_ROWS_OF_BITS) {
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

  /** Writes what `LastFace` does for rows [0, ∞), with a way of its own for each set of free rows. */
  write(
    w: StepWriter,
    problem: AffineVariationalInequality,
    tolerance: number,
    q: readonly string[],
    guess: readonly string[],
  ): WrittenSolution | null {
    const { size: n } = problem;
    if (n > MOST_ROWS_WRITTEN || problem.kind !== 'LCP') return null;
    this.#prepare(problem);
    const factors = new SmallFactors();
    const z = q.map(() => w.variable('0'));
    const isSolved = w.variable('false');
    const scale = w.constant(`max(${q.map((name) => `abs(${name})`).join(', ')})`);
    // NaN is between its bounds.
    const bits = guess.map((name, i) => `(${name} <= 0 ? 0 : ${1 << i})`);
    w.line(`switch (${bits.join(' | ')}) {`);
    for (let free = 0; free < 1 << n; free++) {
      const solution = factors.names(problem, free);
      if (solution === null) continue;
      w.line(`case ${free}: {`);
      this.#writeFace(w, problem, tolerance, scale, free, q, solution(w, q), z, isSolved);
      w.line('break; }');
    }
    w.line('}');
    return { z, isSolved };
  }

  /** @param x names of z_F by row, empty at a bound */
  #writeFace(
    w: StepWriter,
    { rowStart, columns, values }: AffineVariationalInequality,
    tolerance: number,
    scale: string,
    free: number,
    q: readonly string[],
    x: readonly string[],
    z: readonly string[],
    isSolved: string,
  ): void {
    const noise = w.constant(`${w.literal(Math.min(SIGN_TOLERANCE, 0.5 * tolerance))} * ${scale}`);
    const signs: string[] = [];
    const residuals: string[] = [];
    const sizes: string[] = [];
    q.forEach((offset, i) => {
      const terms: Term[] = [];
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++)
        if (x[columns[k]] !== '') terms.push([values[k], x[columns[k]]]);
      const rate = w.constant(w.add(offset, terms));
      if (((free >> i) & 1) === 0) {
        signs.push(`${rate} >= -${noise}`);
        return;
      }
      signs.push(`${x[i]} > 0`);
      residuals.push(`abs(${rate})`);
      sizes.push(w.constant(w.sum([[this.#diagonal[i], x[i]]])));
      w.line(`${z[i]} = ${x[i]};`);
    });
    const isAnswer = writeIsAnswer(w, tolerance, scale, residuals, sizes);
    w.line(`${isSolved} = ${[...signs, isAnswer].join(' && ')};`);
  }

  #pivot(problem: AffineVariationalInequality, result: SolverResult): SolverStatus {
    const { size: n } = problem;
    const face = this.#face;
    face.prepare(problem);
    this.#measureNoise(problem);
    // A face of a sparse symmetric operator costs little, and waves of contact may run through all rows.
    const limit = this.limit > 0 ? this.limit : 100 + (problem.symmetric ? 20 : 4) * n;
    let best = n + 1;
    let patience = ROUNDS_WITHOUT_PROGRESS;
    let singular = 0;
    for (let iteration = 1; iteration <= limit; iteration++) {
      result.iterations = iteration;
      if (!face.solve(problem)) return 'singular';
      // Of rows that are not full the first certificate finds the diagonal, too.
      if (iteration > 1 || problem.isFull) problem.multiply();
      else problem.certify();
      this.#findWrong(problem);
      if (this.#wrong === 0) {
        // A certificate has been assessed.
        if (iteration > 1 || problem.isFull) problem.assess();
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
          patience = ROUNDS_WITHOUT_PROGRESS;
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
   * From a start without any guess, rows with w = 0 open together with those of the wrong sign: along a chain
   * of bodies of which one is pushed, all of them will be.
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
