/**
 * All contacts at once, as complementarity problems.
 *
 * Newton's law over the contacts that do not separate, as in the event-driven scheme:
 *
 *     0 ≤ ẏ⁺ + e ẏ⁻ = W P + (1 + e) ẏ⁻ ⊥ P ≥ 0.
 *
 * Contacts that separate stay out, because with ẏ⁻ > 0 the law would let them gain energy. Impulses of the
 * others may turn one of them round, so the problem is posed again, over its answer, until no contact
 * approaches: what took part has ẏ⁺ ≥ −e ẏ⁻ ≥ 0, and only contacts that stayed out can be left. Each round is
 * one `count`, and their number is limited: a body in a narrow wedge may need more than any limit. No energy
 * is gained: where P_i > 0, ẏ_i⁺ = −e_i ẏ_i⁻, so ΔT = ½ ᵗP (ẏ⁺ + ẏ⁻) = ½ Σ (1 − e_i) P_i ẏ_i⁻ ≤ 0.
 *
 * Poisson's hypothesis, over all contacts:
 *
 *     compression   0 ≤ ẏ^C = W P^C + ẏ⁻ ⊥ P^C ≥ 0,
 *     expansion     0 ≤ ẏ⁺ = ẏ^C + W P^E ⊥ P^E − e P^C ≥ 0.
 *
 * Here separating contacts may take part: without approach there is no compression. After the expansion no
 * contact approaches, so one round is enough. No energy is gained, whatever the e_i ≤ 1: P^E is the least of
 * ½ ᵗP W P + ᵗP ẏ^C, which is ΔT of the expansion, over P ≥ e P^C. There P^C is one to choose from, with ᵗP^C
 * ẏ^C = 0, so that
 *
 *     ΔT^E ≤ ½ ᵗP^C W P^C = −ΔT^C.
 *
 * With e = 1 on contacts that all approach or rest both laws agree: the reflection at the face on which P^C
 * stands. (Moreau 1988; Pfeiffer and Glocker 1996, ch. 8.)
 */
import { AffineVariationalInequality } from '../problems/avi';
import { createSolver } from '../solvers/registry';
import { type Solver, type SolverResult, createSolverResult } from '../solvers/solver';
import { type ImpactRows, REST_PER_SPEED, approaches, balance, measureData } from './impact-rows';
import type { ImpactLaw, ImpactResult } from './status';

/** Relative natural residual of an answer that is taken, an order below what counts as rest. */
const CERTIFIED = 1e-12;

export class SimultaneousImpacts implements ImpactLaw {
  readonly impulse: Float64Array;
  readonly work = null;
  readonly compression: Float64Array | null;
  /** how the last complementarity problem ended */
  readonly solverResult: SolverResult = createSolverResult();
  readonly #problem: AffineVariationalInequality;
  readonly #solver: Solver;
  readonly #before: Float64Array;
  readonly #after: Float64Array;
  readonly #phase: Float64Array;
  /** contacts of the present problem */
  readonly #list: Int32Array;
  readonly #scales = new Float64Array(2);

  /**
   * @param restitution e by contact: of velocities for Newton's law, of impulses for Poisson's hypothesis
   * @param maxRounds largest number of rounds of Newton's law
   * @param solver name in the registry of solvers
   */
  constructor(
    private readonly law: 'Newton' | 'Poisson',
    private readonly rows: ImpactRows,
    private readonly restitution: Float64Array,
    private readonly maxRounds: number,
    solver = 'auto',
  ) {
    const m = rows.count;
    this.impulse = new Float64Array(m);
    this.compression = law === 'Poisson' ? new Float64Array(m) : null;
    this.#before = new Float64Array(m);
    this.#after = new Float64Array(m);
    this.#phase = new Float64Array(m);
    this.#list = new Int32Array(m);
    this.#problem = new AffineVariationalInequality(m, m * m, true);
    this.#solver = createSolver(solver, m);
  }

  solve(velocity: Float64Array, result: ImpactResult): void {
    const { rows, impulse } = this;
    impulse.fill(0);
    this.compression?.fill(0);
    result.status = 'separated';
    result.count = 0;
    result.energyChange = 0;
    rows.contactVelocities(velocity, this.#before);
    if (!measureData(rows.W, this.#before, this.restitution, this.#scales, result)) return;
    this.#after.set(this.#before);
    const rest = REST_PER_SPEED * this.#scales[0];
    while (result.status === 'separated' && approaches(this.#after, rest)) {
      if (result.count === this.maxRounds) {
        result.status = 'impactLimit';
        break;
      }
      const isSolved = this.law === 'Newton' ? this.#newton(rest) : this.#poisson();
      if (isSolved) result.count++;
      else result.status = 'noCertifiedSolution';
    }
    rows.push(impulse, velocity);
    balance(impulse, this.#before, this.#after, result);
  }

  /** @returns whether the problem has been solved */
  #newton(rest: number): boolean {
    const y = this.#after;
    const list = this.#list;
    const problem = this.#problem;
    let size = 0;
    for (let i = 0; i < y.length; i++) {
      if (y[i] > rest) continue;
      problem.q[size] = (1 + this.restitution[i]) * y[i];
      problem.lower[size] = 0;
      list[size++] = i;
    }
    this.#fill(size);
    return this.#apply();
  }

  #poisson(): boolean {
    const y = this.#after;
    const problem = this.#problem;
    const m = y.length;
    for (let i = 0; i < m; i++) {
      problem.q[i] = y[i];
      problem.lower[i] = 0;
      this.#list[i] = i;
    }
    this.#fill(m);
    if (!this.#apply()) return false;
    this.compression?.set(this.impulse);
    let hasExpansion = false;
    for (let i = 0; i < m; i++) {
      problem.q[i] = y[i];
      problem.lower[i] = this.restitution[i] * problem.z[i];
      if (problem.lower[i] > 0) hasExpansion = true;
      problem.z[i] = problem.lower[i];
    }
    if (!hasExpansion) return true;
    // Solvers read bounds again when the operator counts as another.
    problem.revision++;
    return this.#apply();
  }

  /** W among the contacts of the list */
  #fill(size: number): void {
    const problem = this.#problem;
    const list = this.#list;
    const { count: m, W } = this.rows;
    for (let i = 0; i < size; i++) {
      problem.rowStart[i + 1] = (i + 1) * size;
      problem.z[i] = 0;
      for (let j = 0; j < size; j++) {
        problem.columns[i * size + j] = j;
        problem.values[i * size + j] = W[list[i] * m + list[j]];
      }
    }
    problem.size = size;
    problem.isFull = true;
    problem.revision++;
  }

  #apply(): boolean {
    const problem = this.#problem;
    this.#solver.solve(problem, CERTIFIED, this.solverResult);
    if (this.solverResult.status !== 'converged') return false;
    const phase = this.#phase;
    phase.fill(0);
    for (let k = 0; k < problem.size; k++) {
      const i = this.#list[k];
      phase[i] = problem.z[k];
      this.impulse[i] += phase[i];
    }
    this.rows.changeVelocities(phase, this.#after);
    return true;
  }
}
