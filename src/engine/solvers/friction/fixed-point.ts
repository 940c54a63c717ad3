/**
 * Fixed points over convex problems: what makes Coulomb's law non-convex is held (below), the convex
 * quadratic programme that is left, minimum of ½ rᵀ W r + (q + shift)ᵀ r over a product of sets, is solved by
 * projected gradients with Nesterov's acceleration and restarts (O’Donoghue and Candès 2015; for contacts
 * Mazhar et al. 2015), and what was held is renewed (Haslinger 1983; Laborde and Renard 2008). A step takes
 * one product with W and no factors: memory and time grow with the contacts only.
 */
import { multiplyBlocks } from '../../linalg/block-rows';
import { projectOntoCone } from '../../linalg/friction-cone';
import type { FrictionContactProblem } from '../../problems/friction-contact';
import type { SolverResult } from '../solver';
import { type FrictionSolver, concludeFriction, isSolved } from './solver';

/**
 * Products of the power iteration for the largest eigenvalue of W, and what it is multiplied by, coming from
 * below.
 */
const POWER_STEPS = 30;
const EIGENVALUE_MARGIN = 1.1;
/** Steps between looks at the residual of a convex problem. */
const LOOK = 10;
/** A convex problem is solved until its own residual is this part of what it was. */
const REDUCTION = 0.05;
/** Steps of one convex problem at most. */
const STAGE = 2000;

export class ConvexFixedPoint implements FrictionSolver {
  limit: number;
  #held = new Float64Array(0);
  #point = new Float64Array(0);
  #gradient = new Float64Array(0);
  #right = new Float64Array(0);
  readonly #cone = new Float64Array(3);
  /** [0] step length, [1] |Δr|² of a step, [2] (y − r₊)ᵀ(r₊ − r) */
  readonly #numbers = new Float64Array(3);

  /** @param maxIterations products with W */
  constructor(
    private readonly stage: ConvexStage,
    maxIterations: number,
  ) {
    this.limit = maxIterations;
  }

  solve(problem: FrictionContactProblem, tolerance: number, result: SolverResult): void {
    result.solver = this.stage.name;
    const n = problem.dimension * problem.count;
    this.#prepare(n, problem.count);
    this.#findStepLength(problem, n);
    let products = 0;
    while (!isSolved(problem, tolerance) && products < this.limit) {
      this.#hold(problem);
      products += this.#solveStage(problem, n, Math.min(STAGE, this.limit - products));
    }
    result.iterations = products;
    concludeFriction(
      problem,
      tolerance,
      result,
      'converged',
      products < this.limit ? 'stalled' : 'maxIterations',
    );
  }

  #prepare(n: number, contacts: number): void {
    if (this.#held.length < contacts) this.#held = new Float64Array(contacts);
    if (this.#point.length >= n) return;
    this.#point = new Float64Array(n);
    this.#gradient = new Float64Array(n);
    this.#right = new Float64Array(n);
  }

  /** 1/λ_max by power iteration from a vector that no symmetry of a pile is orthogonal to. */
  #findStepLength({ W }: FrictionContactProblem, n: number): void {
    const x = this.#point;
    const y = this.#gradient;
    this.#right.fill(0, 0, n);
    for (let i = 0; i < n; i++) x[i] = 1 + ((i * 7919) % 101) / 101;
    let eigenvalue = 0;
    for (let k = 0; k < POWER_STEPS; k++) {
      let length = 0;
      for (let i = 0; i < n; i++) length += x[i] * x[i];
      const factor = length > 0 ? 1 / Math.sqrt(length) : 0;
      for (let i = 0; i < n; i++) x[i] *= factor;
      multiplyBlocks(W, x, this.#right, y);
      eigenvalue = 0;
      for (let i = 0; i < n; i++) {
        eigenvalue += y[i] * y[i];
        x[i] = y[i];
      }
      eigenvalue = Math.sqrt(eigenvalue);
    }
    this.#numbers[0] = eigenvalue > 0 ? 1 / (EIGENVALUE_MARGIN * eigenvalue) : 1;
  }

  /** Holds by the present r and u, the latter multiplied out by `certify`. */
  #hold({ q, r, u, mu, dimension: d, count }: FrictionContactProblem): void {
    for (let c = 0; c < count; c++) {
      const at = d * c;
      const slip = d === 3 ? Math.hypot(u[at + 1], u[at + 2]) : Math.abs(u[at + 1]);
      this.#held[c] = this.stage.hold(mu[c], r[at], slip);
      for (let k = 0; k < d; k++) this.#right[at + k] = q[at + k];
      this.#right[at] += this.stage.shift(this.#held[c]);
    }
  }

  /** @returns products that were made */
  #solveStage(problem: FrictionContactProblem, n: number, limit: number): number {
    const { W, r } = problem;
    const y = this.#point;
    for (let i = 0; i < n; i++) y[i] = r[i];
    let theta = 1;
    let first = 0;
    for (let step = 1; step <= limit; step++) {
      multiplyBlocks(W, y, this.#right, this.#gradient);
      const next = 0.5 * (Math.sqrt(theta * theta * theta * theta + 4 * theta * theta) - theta * theta);
      const momentum = (theta * (1 - theta)) / (theta * theta + next);
      this.#move(problem, momentum);
      // Momentum that leads up the gradient is dropped.
      theta = this.#numbers[2] > 0 ? 1 : next;
      if (step === 1) first = this.#numbers[1];
      if (!(this.#numbers[1] > 0)) return step;
      if (step % LOOK === 0 && this.#numbers[1] <= REDUCTION * REDUCTION * first) return step;
    }
    return limit;
  }

  /** r ← P(y − τ g), y ← r + momentum · Δr. */
  #move({ r, mu, dimension: d, count }: FrictionContactProblem, momentum: number): void {
    const y = this.#point;
    const g = this.#gradient;
    const cone = this.#cone;
    const length = this.#numbers[0];
    let moved = 0;
    let uphill = 0;
    for (let c = 0; c < count; c++) {
      const at = d * c;
      cone[2] = 0;
      for (let k = 0; k < d; k++) cone[k] = y[at + k] - length * g[at + k];
      this.stage.project(cone, mu[c], this.#held[c]);
      for (let k = 0; k < d; k++) {
        const change = cone[k] - r[at + k];
        const fromPoint = cone[k] - y[at + k];
        moved += fromPoint * fromPoint;
        uphill -= fromPoint * change;
        r[at + k] = cone[k];
        y[at + k] = cone[k] + momentum * change;
      }
    }
    this.#numbers[1] = moved;
    this.#numbers[2] = uphill;
  }
}

/*
 * The convex problems in which fixed-point methods hold what makes the law non-convex: their sets, and the
 * shift of the velocity.
 */

/** What is held at each contact while a convex problem is solved. */
export interface ConvexStage {
  readonly name: string;
  /** @returns what is held at a contact with friction coefficient μ, reaction r_N and slip |u_T| */
  hold(mu: number, normal: number, slip: number): number;
  /** added to u_N by what is held */
  shift(held: number): number;
  /** x ← its projection onto the set: three entries, in the plane the last is zero */
  project(x: Float64Array, mu: number, held: number): void;
}

/** De Saxcé: s = μ |u_T| is held, and û = u + s e_N is complementary to r in the cone of Coulomb. */
export const deSaxce: ConvexStage = {
  name: 'DeSaxce',
  hold: (mu, _, slip) => mu * slip,
  shift: (held) => held,
  project: (x, mu) => {
    projectOntoCone(x, 0, mu);
  },
};

/** Tresca: the bound g = μ r_N of friction is held, r is in the half-cylinder r_N ≥ 0, |r_T| ≤ g. */
export const tresca: ConvexStage = {
  name: 'Tresca',
  hold: (mu, normal) => mu * Math.max(0, normal),
  shift: () => 0,
  project: (x, _, held) => {
    x[0] = Math.max(0, x[0]);
    const length = Math.sqrt(x[1] * x[1] + x[2] * x[2]);
    if (length <= held) return;
    x[1] *= held / length;
    x[2] *= held / length;
  },
};
