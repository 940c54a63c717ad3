/**
 * A solver that sees every problem in its natural units. Solvers end, tell signs and judge their answers by
 * one scale for all rows; where rows differ by many orders, as of bodies of 1 kg and 1 µg or of volts beside
 * nanoamperes, a row that is altogether wrong would pass beside a larger one. So w_i is counted in units
 * 1/r_i and z_j in units c_j, all powers of two, which are exact:
 *
 *     W' = R W C,   q' = R q,   l' = C⁻¹ l,   u' = C⁻¹ u,     z = C z',   w = R⁻¹ w',
 *
 * which leaves signs, faces and the law as they are. r_i = s_i / d_i and c_i = s_i d_i, with s_i near 1/√W_ii
 * (`Scaling`), and d = 1 for symmetric W, which stays symmetric. Of others d balances rows and columns off
 * the diagonal (Parlett and Reinsch 1969), so that a monotone operator whose y and λ have been given other
 * units is one again. A problem in natural units is handed on as it is.
 */
import { AffineVariationalInequality } from '../problems/avi';
import { Scaling } from './scaling';
import type { StepWriter, Term } from '../straight-line/writer';
import { type Solver, type SolverResult, type WrittenSolution, isAnswer, writeIsAnswer } from './solver';

/** Rows and columns that differ by less are balanced enough. */
const BALANCED = 4;
/** Each sweep brings what is linked by one more entry together. */
const MAX_SWEEPS = 60;

/** The power of two that takes a size to [1, 2). */
const unitOf = (size: number): number => 2 ** -Math.floor(Math.log2(size));

/** Whether all rows are [0, ∞). */
const isPlainLcp = ({ kind }: AffineVariationalInequality): boolean => kind === 'LCP';

export class EquilibratedSolver implements Solver {
  readonly #scaling = new Scaling();
  #row = new Float64Array(0);
  #column = new Float64Array(0);
  #sums = new Float64Array(0);
  #problem: AffineVariationalInequality | null = null;
  #revision = -1;
  #isNatural = true;
  #scaled: AffineVariationalInequality | null = null;

  constructor(private readonly solver: Solver) {}

  solve(problem: AffineVariationalInequality, tolerance: number, result: SolverResult): void {
    if (this.#problem !== problem || this.#revision !== problem.revision) this.#prepare(problem);
    const scaled = this.#scaled;
    if (this.#isNatural || scaled === null) {
      this.solver.solve(problem, tolerance, result);
      return;
    }
    const { size: n } = problem;
    const r = this.#row;
    const c = this.#column;
    for (let i = 0; i < n; i++) {
      scaled.q[i] = r[i] * problem.q[i];
      scaled.z[i] = problem.z[i] / c[i];
    }
    this.solver.solve(scaled, tolerance, result);
    for (let i = 0; i < n; i++) problem.z[i] = c[i] * scaled.z[i];
    problem.certify();
    if (result.status !== 'converged' || isAnswer(problem, tolerance)) return;
    // In natural units a row may be lost beside others that is not so in its own: an answer has to hold in
    // both.
    this.solver.solve(problem, tolerance, result);
    if (result.status !== 'converged') return;
    for (let i = 0; i < n; i++) scaled.z[i] = problem.z[i] / c[i];
    scaled.certify();
    if (isAnswer(scaled, tolerance)) return;
    result.status = 'stalled';
    result.residual = Math.max(scaled.measure[0], problem.measure[0]);
  }

  write(
    w: StepWriter,
    problem: AffineVariationalInequality,
    tolerance: number,
    q: readonly string[],
    guess: readonly string[],
  ): WrittenSolution | null {
    this.#prepare(problem);
    const scaled = this.#scaled;
    if (this.#isNatural || scaled === null)
      return this.solver.write?.(w, problem, tolerance, q, guess) ?? null;
    if (!isPlainLcp(problem)) return null;
    const r = this.#row;
    const c = this.#column;
    const inUnits = (names: readonly string[], unit: (i: number) => number): string[] =>
      names.map((name, i) => w.constant(w.sum([[unit(i), name]])));
    const written = this.solver.write?.(
      w,
      scaled,
      tolerance,
      inUnits(q, (i) => r[i]),
      inUnits(guess, (i) => 1 / c[i]),
    );
    if (written === undefined || written === null) return null;
    const z = inUnits(written.z, (i) => c[i]);
    const { rowStart, columns, values } = problem;
    const scale = w.constant(`max(${q.map((name) => `abs(${name})`).join(', ')})`);
    const sizes: string[] = [];
    const residuals = q.map((offset, i) => {
      const terms: Term[] = [];
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++) terms.push([values[k], z[columns[k]]]);
      const diagonal = problem.diagonal(i);
      const size = w.constant(w.sum([[diagonal > 0 ? diagonal : 1, z[i]]]));
      sizes.push(size);
      return w.constant(`abs(min(${size}, ${w.add(offset, terms)}))`);
    });
    return {
      z,
      isSolved: `${written.isSolved} && ${writeIsAnswer(w, tolerance, scale, residuals, sizes)}`,
    };
  }

  /** Units of an operator, and the operator in them. */
  #prepare(problem: AffineVariationalInequality): void {
    this.#problem = problem;
    this.#revision = problem.revision;
    const { size: n, rowStart, columns, values } = problem;
    if (this.#row.length < n) {
      this.#row = new Float64Array(n);
      this.#column = new Float64Array(n);
      this.#sums = new Float64Array(2 * n);
    }
    const r = this.#row;
    const c = this.#column;
    this.#scaling.update(problem);
    const s = this.#scaling.values;
    for (let i = 0; i < n; i++) {
      r[i] = s[i];
      c[i] = s[i];
    }
    this.#adopt(problem);
    let isNatural = true;
    for (let i = 1; i < n; i++) isNatural &&= r[i] === r[0] && c[i] === c[0];
    if (!problem.symmetric && this.#balance(problem)) isNatural = false;
    this.#isNatural = isNatural;
    if (isNatural) return;
    const scaled = this.#roomFor(problem);
    scaled.size = n;
    scaled.isFull = problem.isFull;
    scaled.hasFriction = problem.hasFriction;
    for (let i = 0; i < n; i++) {
      scaled.rowStart[i + 1] = rowStart[i + 1];
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++) {
        scaled.columns[k] = columns[k];
        scaled.values[k] = r[i] * values[k] * c[columns[k]];
      }
      scaled.lower[i] = problem.lower[i] / c[i];
      scaled.upper[i] = problem.upper[i] / c[i];
    }
    scaled.revision++;
  }

  /**
   * A row without a diagonal entry, as of an ideal switch or of the cone of friction, has the units that
   * those it is linked with give it: its largest entry there becomes one. Its own entries alone would not say
   * what w and z of it are counted in.
   */
  #adopt({ size: n, rowStart, columns, values }: AffineVariationalInequality): void {
    const r = this.#row;
    const c = this.#column;
    // Largest entries of rows and columns beside rows that have a diagonal entry, in units of those; −1 marks
    // such rows.
    const sums = this.#sums.fill(0, 0, 2 * n);
    for (let i = 0; i < n; i++)
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++) if (columns[k] === i && values[k] > 0) sums[i] = -1;
    for (let i = 0; i < n; i++)
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++) {
        const j = columns[k];
        const size = Math.abs(values[k]);
        if (sums[i] >= 0 && sums[j] < 0) sums[i] = Math.max(sums[i], size * c[j]);
        if (sums[i] < 0 && sums[j] >= 0) sums[n + j] = Math.max(sums[n + j], size * r[i]);
      }
    for (let i = 0; i < n; i++) {
      if (sums[i] > 0) r[i] = unitOf(sums[i]);
      if (sums[i] >= 0 && sums[n + i] > 0) c[i] = unitOf(sums[n + i]);
    }
  }

  /** Brings the sums of rows and columns off the diagonal together. @returns whether they were apart */
  #balance({ size: n, rowStart, columns, values }: AffineVariationalInequality): boolean {
    const r = this.#row;
    const c = this.#column;
    const sums = this.#sums;
    let isApart = false;
    for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
      sums.fill(0, 0, 2 * n);
      for (let i = 0; i < n; i++)
        for (let k = rowStart[i]; k < rowStart[i + 1]; k++) {
          const j = columns[k];
          if (i === j) continue;
          const size = Math.abs(r[i] * values[k] * c[j]);
          sums[i] += size;
          sums[n + j] += size;
        }
      let isChanged = false;
      for (let i = 0; i < n; i++) {
        const ratio = sums[i] / sums[n + i];
        if (!(ratio > 0 && ratio < Number.POSITIVE_INFINITY)) continue;
        if (ratio <= BALANCED && ratio >= 1 / BALANCED) continue;
        // Half of the way: both ends of an entry move at once.
        const d = 2 ** Math.round(0.25 * Math.log2(ratio));
        if (d === 1) continue;
        r[i] /= d;
        c[i] *= d;
        isChanged = true;
      }
      if (!isChanged) break;
      isApart = true;
    }
    return isApart;
  }

  #roomFor(problem: AffineVariationalInequality): AffineVariationalInequality {
    const { symmetric, q, values } = problem;
    const present = this.#scaled;
    if (
      present?.symmetric === symmetric &&
      present.q.length >= q.length &&
      present.values.length >= values.length
    )
      return present;
    return (this.#scaled = new AffineVariationalInequality(q.length, values.length, symmetric));
  }
}
