/**
 * Contacts of bodies of very different masses, brought to the same mobility before another solver sees them: with one positive
 * factor s_c for each contact,
 *
 *     r = s_c r',     u' = s_c u,     W' = S W S,     q' = S q,
 *
 * is the same problem, because a factor changes no cone and no direction. s_c = (mean of the diagonal of W_cc)^−½ gives every contact
 * the mobility 1. Methods with one parameter for all contacts, a penalty, a proximal term or a step length, need it; sweeps do not,
 * they do the same before and after. The residual that counts is that of the problem as it was given, so that the scaled one is
 * solved more precisely where that is asked for. Problems that are even enough are handed on as they are.
 */
import { copyPattern } from '../../linalg/block-rows';
import { FrictionContactProblem } from '../../problems/friction-contact';
import { createSolverResult, type SolverResult } from '../status';
import { ScaledFactors } from './scaled-factors';
import { concludeFriction, type FrictionSolver, isSolved } from './solver';

/** Largest over smallest mobility from which contacts are scaled. */
const UNEVEN = 100;
/** Tolerances of the scaled problem, relative to the one that is asked for, tried in turn. */
const TOLERANCES = [1, 1e-2, 1e-4] as const;

export class Equilibrated implements FrictionSolver {
  readonly #inner = createSolverResult();
  #scaled = new FrictionContactProblem(3, 0, 0);
  #made: ScaledFactors | null = null;
  /** s_c */
  #factors = new Float64Array(0);

  constructor(private readonly solver: FrictionSolver) {}

  solve(problem: FrictionContactProblem, tolerance: number, result: SolverResult): void {
    if (this.#factors.length < problem.count) this.#factors = new Float64Array(problem.count);
    if (!this.#findFactors(problem)) {
      this.solver.solve(problem, tolerance, result);
      return;
    }
    this.#scale(problem);
    const inner = this.#inner;
    const { r, dimension: d, count } = problem;
    let iterations = 0;
    for (const factor of TOLERANCES) {
      this.solver.solve(this.#scaled, factor * tolerance, inner);
      iterations += inner.iterations;
      for (let i = 0; i < d * count; i++) r[i] = this.#factors[Math.floor(i / d)] * this.#scaled.r[i];
      if (inner.status !== 'converged' || isSolved(problem, tolerance)) break;
    }
    result.solver = inner.solver;
    result.iterations = iterations;
    const holds = isSolved(problem, tolerance);
    concludeFriction(problem, tolerance, result, holds ? 'converged' : inner.status);
  }

  /** @returns whether the mobilities differ by much */
  #findFactors({ W, dimension: d, count }: FrictionContactProblem): boolean {
    let smallest = Number.POSITIVE_INFINITY;
    let largest = 0;
    for (let c = 0; c < count; c++) {
      let trace = 0;
      for (let k = 0; k < d; k++) trace += W.values[d * d * W.diagonal[c] + (d + 1) * k];
      const mobility = trace / d;
      this.#factors[c] = mobility > 0 ? 1 / Math.sqrt(mobility) : 1;
      if (!(mobility > 0)) continue;
      smallest = Math.min(smallest, mobility);
      largest = Math.max(largest, mobility);
    }
    return largest > UNEVEN * smallest;
  }

  #scale({ W, q, r, mu, dimension: d, count, isSymmetric, factors }: FrictionContactProblem): void {
    const blocks = W.rowStart[count];
    const room = this.#scaled;
    if (room.dimension !== d || room.mu.length < count || room.W.columns.length < blocks)
      this.#scaled = new FrictionContactProblem(d, count, blocks);
    const to = this.#scaled;
    const s = this.#factors;
    to.count = count;
    to.revision++;
    to.isSymmetric = isSymmetric;
    to.factors = null;
    if (factors !== null) {
      this.#made ??= new ScaledFactors(factors);
      this.#made.take(factors, s, d, count);
      to.factors = this.#made;
    }
    copyPattern(W, to.W);
    for (let c = 0; c < count; c++) {
      to.mu[c] = mu[c];
      for (let k = 0; k < d; k++) {
        to.q[d * c + k] = s[c] * q[d * c + k];
        to.r[d * c + k] = r[d * c + k] / s[c];
      }
      for (let block = W.rowStart[c]; block < W.rowStart[c + 1]; block++) {
        const factor = s[c] * s[W.columns[block]];
        for (let k = 0; k < d * d; k++) to.W.values[d * d * block + k] = factor * W.values[d * d * block + k];
      }
    }
  }
}
