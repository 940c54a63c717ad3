/**
 * Contacts of bodies of very different masses, brought to the same mobility before another solver sees them:
 * with one positive factor s_c for each contact,
 *
 *     r = s_c r',     u' = s_c u,     W' = S W S,     q' = S q,
 *
 * is the same problem, because a factor changes no cone and no direction. s_c = (mean of the diagonal of
 * W_cc)^−½ gives every contact the mobility 1. Methods with one parameter for all contacts, a penalty, a
 * proximal term or a step length, need it; sweeps do not, they do the same before and after. The residual
 * that counts is that of the problem as it was given, so that the scaled one is solved more precisely where
 * that is asked for. Problems that are even enough are handed on as they are.
 */
import { copyPattern } from '../../linalg/block-rows';
import { type ContactFactors, FREEDOMS, FrictionContactProblem } from '../../problems/friction-contact';
import { type SolverResult, createSolverResult } from '../solver';
import { type FrictionSolver, concludeFriction, isSolved } from './solver';

/* What W is made of, with one factor for each contact: S W S = (S B) ᵗ(S B) + S E S. */

export class ScaledFactors implements ContactFactors {
  values = new Float64Array(0);
  diagonal = new Float64Array(0);
  #by: Float64Array = new Float64Array(0);
  #d = 0;
  #count = 0;

  constructor(private given: ContactFactors) {}

  /** @param by factor of each contact @param d dimension of the problem @param count contacts */
  take(given: ContactFactors, by: Float64Array, d: number, count: number): void {
    this.given = given;
    this.#by = by;
    this.#d = d;
    this.#count = count;
  }

  get columns(): number {
    return this.given.columns;
  }

  get rowStart(): Int32Array {
    return this.given.rowStart;
  }

  get blockColumns(): Int32Array {
    return this.given.blockColumns;
  }

  /** With factors of their own, rows do not have the normal reaction of another. */
  get pressedBy(): null {
    return null;
  }

  get scale(): number {
    return this.given.scale;
  }

  /** It is W that is given which is in other units. */
  set scale(scale: number) {
    this.given.scale = scale;
  }

  form(): boolean {
    const given = this.given;
    const by = this.#by;
    const d = this.#d;
    const count = this.#count;
    if (!given.form() || given.pressedBy !== null) return false;
    const entries = d * FREEDOMS;
    if (this.diagonal.length < d * count) this.diagonal = new Float64Array(d * count);
    if (this.values.length < entries * given.rowStart[count])
      this.values = new Float64Array(entries * given.rowStart[count]);
    for (let c = 0; c < count; c++) {
      for (let i = d * c; i < d * (c + 1); i++) this.diagonal[i] = by[c] * by[c] * given.diagonal[i];
      for (let k = entries * given.rowStart[c]; k < entries * given.rowStart[c + 1]; k++)
        this.values[k] = by[c] * given.values[k];
    }
    return true;
  }
}

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

/*
 * Solves a problem in units in which a reaction and the velocity it causes are of one size: r = s r̂, Ŵ = s
 * W, with 1/s the mean of W_NN. The natural map adds reactions and velocities, and a residual relative to the
 * larger of them says little of the smaller where masses are far from one. s is a power of two, so that the
 * way there and back changes no bit.
 */

export class NaturalUnits implements FrictionSolver {
  constructor(private readonly solver: FrictionSolver) {}

  get attempts(): number {
    return this.solver.attempts ?? 1;
  }

  get reason(): string {
    return this.solver.reason ?? '';
  }

  /** `problem.measure` is that of the scaled problem: residual, and its scale as a velocity. */
  solve(problem: FrictionContactProblem, tolerance: number, result: SolverResult): void {
    const s = unitOf(problem);
    scale(problem, s);
    this.solver.solve(problem, tolerance, result);
    scale(problem, 1 / s);
  }
}

/** s; 1 where W says nothing of it. */
function unitOf({ W, count, dimension: d }: FrictionContactProblem): number {
  let sum = 0;
  for (let row = 0; row < count; row++) sum += W.values[d * d * W.diagonal[row]];
  const mean = sum / count;
  return mean > 0 && mean < Infinity ? 2 ** -Math.round(Math.log2(mean)) : 1;
}

function scale({ W, r, factors, count, dimension: d }: FrictionContactProblem, s: number): void {
  if (s === 1) return;
  if (factors !== null) factors.scale *= s;
  const entries = d * d * W.rowStart[count];
  for (let k = 0; k < entries; k++) W.values[k] *= s;
  for (let i = 0; i < d * count; i++) r[i] /= s;
}
