/**
 * Lemke's complementary pivoting on the dense tableau, with lexicographic ties so that it cannot cycle.
 * C. E. Lemke, 1965, doi:10.1287/mnsc.11.7.681; R. W. Cottle, J.-S. Pang and R. E. Stone, The Linear Complementarity
 * Problem, algorithm 4.4.5 and §4.9.
 *
 * Tableau of w − W z − d z₀ = q, columns [w | z | z₀ | q]. Its w part is B⁻¹ of the current basis, whose rows decide
 * ties: among the candidate rows the lexicographically smallest (q, B⁻¹)/pivot leaves.
 */
import type { LinearComplementarityProblem } from '../problems/lcp';
import type { SolverResult } from './status';

/** Entries of the entering column below this fraction of its largest are rounding, not pivots. */
const PIVOT_TOLERANCE = 1e-11;

export class Lemke {
  #tableau = new Float64Array(0);
  /** variable basic in each row: i for w_i, n + i for z_i, 2n for z₀ */
  #basis = new Int32Array(0);
  /** unit in which z_i is counted: a power of two near 1/W(i, i), so that the whole tableau is in velocities */
  #scale = new Float64Array(0);

  solve(problem: LinearComplementarityProblem, tolerance: number, result: SolverResult): void {
    const { size: n, q, z } = problem;
    result.iterations = 0;
    this.#prepare(problem);
    let mostNegative = -1;
    for (let i = 0; i < n; i++)
      if (q[i] < 0 && (mostNegative < 0 || q[i] < q[mostNegative])) mostNegative = i;
    z.fill(0, 0, n);
    if (mostNegative < 0) {
      result.status = 'converged';
    } else {
      this.#fill(problem);
      result.status = this.#pivotLoop(n, mostNegative, result);
      if (result.status === 'converged') this.#extract(n, z);
    }
    problem.certify();
    result.residual = problem.measure[0];
    if (result.status === 'converged' && !(result.residual <= tolerance)) result.status = 'maxIterations';
  }

  #extract(n: number, z: Float64Array): void {
    const width = 2 * n + 2;
    for (let i = 0; i < n; i++) {
      const unknown = this.#basis[i] - n;
      if (unknown < 0 || unknown >= n) continue;
      z[unknown] = Math.max(0, this.#scale[unknown] * this.#tableau[i * width + width - 1]);
    }
  }

  /** Grows the workspace and chooses the units of z. */
  #prepare(problem: LinearComplementarityProblem): void {
    const { size: n } = problem;
    const width = 2 * n + 2;
    if (this.#tableau.length < n * width) {
      this.#tableau = new Float64Array(n * width);
      this.#basis = new Int32Array(n);
      this.#scale = new Float64Array(n);
    }
    for (let i = 0; i < n; i++) {
      const diagonal = problem.diagonal(i);
      // A power of two scales without rounding.
      this.#scale[i] = diagonal > 0 ? 2 ** -Math.round(Math.log2(diagonal)) : 1;
    }
  }

  #fill(problem: LinearComplementarityProblem): void {
    const { size: n, rowStart, columns, values, q } = problem;
    const width = 2 * n + 2;
    const tableau = this.#tableau;
    const scale = this.#scale;
    tableau.fill(0, 0, n * width);
    for (let i = 0; i < n; i++) {
      const row = i * width;
      tableau[row + i] = 1;
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++)
        tableau[row + n + columns[k]] = -values[k] * scale[columns[k]];
      tableau[row + 2 * n] = -1;
      tableau[row + 2 * n + 1] = q[i];
      this.#basis[i] = i;
    }
  }

  #pivotLoop(n: number, firstRow: number, result: SolverResult): SolverResult['status'] {
    let entering = 2 * n;
    let row = firstRow;
    const limit = 50 + 20 * n;
    for (let iteration = 1; iteration <= limit; iteration++) {
      result.iterations = iteration;
      const leaving = this.#basis[row];
      this.#pivot(n, row, entering);
      this.#basis[row] = entering;
      if (leaving === 2 * n) return 'converged';
      entering = leaving < n ? leaving + n : leaving - n;
      row = this.#leavingRow(n, entering);
      if (row < 0) return 'ray';
    }
    return 'maxIterations';
  }

  #pivot(n: number, row: number, column: number): void {
    const tableau = this.#tableau;
    const width = 2 * n + 2;
    const base = row * width;
    const inverse = 1 / tableau[base + column];
    for (let j = 0; j < width; j++) tableau[base + j] *= inverse;
    tableau[base + column] = 1;
    for (let i = 0; i < n; i++) {
      if (i === row) continue;
      const other = i * width;
      const factor = tableau[other + column];
      if (factor === 0) continue;
      for (let j = 0; j < width; j++) tableau[other + j] -= factor * tableau[base + j];
      tableau[other + column] = 0;
    }
  }

  /** Row of the lexicographic minimum ratio; z₀ leaves whenever it is among the ties. −1: secondary ray. */
  #leavingRow(n: number, entering: number): number {
    const tableau = this.#tableau;
    const width = 2 * n + 2;
    let largest = 0;
    for (let i = 0; i < n; i++) largest = Math.max(largest, tableau[i * width + entering]);
    let best = -1;
    for (let i = 0; i < n; i++) {
      if (!(tableau[i * width + entering] > PIVOT_TOLERANCE * Math.max(1, largest))) continue;
      if (best < 0 || this.#isLess(n, i, best, entering)) best = i;
    }
    return best;
  }

  #isLess(n: number, a: number, b: number, entering: number): boolean {
    const tableau = this.#tableau;
    const width = 2 * n + 2;
    const pivotA = tableau[a * width + entering];
    const pivotB = tableau[b * width + entering];
    const ratioA = tableau[a * width + width - 1] / pivotA;
    const ratioB = tableau[b * width + width - 1] / pivotB;
    const tie = PIVOT_TOLERANCE * Math.max(Math.abs(ratioA), Math.abs(ratioB));
    if (Math.abs(ratioA - ratioB) > tie) return ratioA < ratioB;
    if (this.#basis[a] === 2 * n) return true;
    if (this.#basis[b] === 2 * n) return false;
    for (let j = 0; j < n; j++) {
      const difference = tableau[a * width + j] / pivotA - tableau[b * width + j] / pivotB;
      if (difference !== 0) return difference < 0;
    }
    return false;
  }
}
