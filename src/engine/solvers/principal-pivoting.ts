/**
 * Block principal pivoting for symmetric positive definite LCPs, with Murty's least-index rule as the safeguard that
 * makes it finite. J. J. Júdice and F. M. Pires, 1994, doi:10.1016/0305-0548(94)90106-6; K. G. Murty, 1974.
 *
 * Given a guess F of the contacts that push (z > 0), solve W_FF z_F = −q_F, w_G = q_G + W_GF z_F. Where z_F ≥ 0 and
 * w_G ≥ 0 that is the solution; otherwise exchange every variable of the wrong sign at once. Block exchanges may
 * cycle: when the number of wrong signs has not fallen for a few rounds, exchange only the last wrong one, which
 * cannot cycle on a P-matrix, until it has fallen again.
 *
 * In a simulation the last step's F is nearly always the answer, and with an unchanged W the factor is kept: a resting
 * stack costs two triangular solves a step.
 */
import { EnvelopeCholesky } from '../linalg/envelope';
import type { LinearComplementarityProblem } from '../problems/lcp';
import type { SolverResult } from './status';

/** Rounds without progress before single exchanges: 10 is the value of Júdice and Pires. */
const PATIENCE = 10;
/** Signs below this fraction of the data are zero to rounding; exchanging them would chase noise. */
const SIGN_TOLERANCE = 1e-14;

export class PrincipalPivoting {
  readonly #cholesky: EnvelopeCholesky;
  /** 1 where z is basic */
  readonly #basic: Uint8Array;
  /** place of a basic row in the factor */
  readonly #place: Int32Array;
  /** row of each place */
  readonly #rows: Int32Array;
  readonly #x: Float64Array;
  #count = 0;
  #factoredProblem: LinearComplementarityProblem | null = null;
  #factoredRevision = -1;
  #factorised = false;
  readonly #factoredBasic: Uint8Array;

  constructor(capacity: number) {
    this.#cholesky = new EnvelopeCholesky(capacity);
    this.#basic = new Uint8Array(capacity);
    this.#factoredBasic = new Uint8Array(capacity);
    this.#place = new Int32Array(capacity);
    this.#rows = new Int32Array(capacity);
    this.#x = new Float64Array(capacity);
  }

  /** Starts from the signs of `problem.z`. The problem's matrix must be symmetric. */
  solve(problem: LinearComplementarityProblem, tolerance: number, result: SolverResult): void {
    const { size: n, q, z } = problem;
    const basic = this.#basic;
    let scale = 0;
    for (let i = 0; i < n; i++) {
      scale = Math.max(scale, Math.abs(q[i]));
      basic[i] = z[i] > 0 ? 1 : 0;
    }
    const limit = 100 + 20 * n;
    let best = n + 1;
    let patience = PATIENCE;
    result.status = 'maxIterations';
    for (let iteration = 1; iteration <= limit; iteration++) {
      result.iterations = iteration;
      if (!this.#solveBasic(problem)) {
        result.status = 'singular';
        break;
      }
      let wrong = 0;
      let last = -1;
      for (let i = 0; i < n; i++) {
        if (!this.#isWrong(problem, i, scale)) continue;
        wrong++;
        last = i;
      }
      if (wrong === 0) {
        result.status = 'converged';
        break;
      }
      if (wrong < best) {
        best = wrong;
        patience = PATIENCE;
      } else {
        patience--;
      }
      if (patience >= 0) {
        for (let i = 0; i < n; i++) if (this.#isWrong(problem, i, scale)) basic[i] ^= 1;
      } else {
        basic[last] ^= 1;
      }
    }
    for (let i = 0; i < n; i++) if (basic[i] === 0 || !(z[i] > 0)) z[i] = 0;
    problem.certify();
    result.residual = problem.measure[0];
    if (result.status === 'converged' && !(result.residual <= tolerance)) result.status = 'maxIterations';
  }

  #isWrong(problem: LinearComplementarityProblem, i: number, scale: number): boolean {
    if (this.#basic[i] === 1) return problem.z[i] * problem.diagonal(i) < -SIGN_TOLERANCE * scale;
    return problem.w[i] < -SIGN_TOLERANCE * scale;
  }

  /** z_F and w_G for the present F. @returns false when W_FF is singular */
  #solveBasic(problem: LinearComplementarityProblem): boolean {
    const { size: n, q, z } = problem;
    if (!this.#isFactored(problem)) this.#factor(problem);
    if (!this.#factorised) return false;
    const x = this.#x;
    for (let k = 0; k < this.#count; k++) x[k] = -q[this.#rows[k]];
    this.#cholesky.solve(x);
    for (let i = 0; i < n; i++) z[i] = this.#basic[i] === 1 ? x[this.#place[i]] : 0;
    problem.multiply();
    return true;
  }

  #isFactored(problem: LinearComplementarityProblem): boolean {
    if (this.#factoredProblem !== problem || this.#factoredRevision !== problem.revision) return false;
    for (let i = 0; i < problem.size; i++) if (this.#basic[i] !== this.#factoredBasic[i]) return false;
    return true;
  }

  #factor(problem: LinearComplementarityProblem): void {
    const { size: n, rowStart, columns, values } = problem;
    const cholesky = this.#cholesky;
    let count = 0;
    for (let i = 0; i < n; i++) {
      this.#factoredBasic[i] = this.#basic[i];
      if (this.#basic[i] === 0) continue;
      this.#place[i] = count;
      this.#rows[count++] = i;
    }
    this.#count = count;
    this.#factoredProblem = problem;
    this.#factoredRevision = problem.revision;
    cholesky.begin(count);
    for (let k = 0; k < count; k++) {
      const row = this.#rows[k];
      let first = k;
      for (let entry = rowStart[row]; entry < rowStart[row + 1]; entry++) {
        const column = columns[entry];
        if (this.#basic[column] === 1 && this.#place[column] < first) first = this.#place[column];
      }
      cholesky.beginRow(k, first);
      for (let entry = rowStart[row]; entry < rowStart[row + 1]; entry++) {
        const column = columns[entry];
        if (this.#basic[column] === 1 && this.#place[column] <= k)
          cholesky.set(k, this.#place[column], values[entry]);
      }
    }
    this.#factorised = cholesky.factor();
  }
}
