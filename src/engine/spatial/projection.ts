/**
 * Projection of positions onto joints and stops, Siconos developer's notes §10: of a state that violates
 * h_E(q) = 0 or h_I(q) ≥ 0,
 *
 *     q ← q + N ᵗ∇h Λ   with   C ∋ h + ∇h N ᵗ∇h Λ ⊥ Λ ∈ C*,     C = {0} for equations, ≥ 0 for stops.
 *
 * (Of (10.6) see docs/theory/errata.md.) One linearisation is not enough; iterated, it is
 * Newton's method for h, and converges quadratically. The metric N⁻¹ decides where on the constraints it
 * ends:
 *
 *     euclidean   N = 1 in the numbers of q, as in the source; mixes metres with units of quaternions
 *     velocity    N = T (ᵗT T)⁻¹ ᵗT, that is displacements δ = (ᵗT T)⁻¹ ᵗH Λ of mass centres and ½ϑ of
 *                 rotation vectors alike
 *     mass        δ = M⁻¹ ᵗH Λ: what is heavy gives way least
 *
 * In the last two δ is applied as a turn, Q ∘ Exp(δ_Ω), so that |Q| = 1 holds by construction. In the first
 * one, |Q| − 1 = 0 is among the equations (10.7). Left out ("ignored"), |Q| drifts, because the gradient of
 * R(Q) s has a radial part; normalising each time instead ("renormalised") spoils what the linearisation has
 * achieved, and convergence is linear. Both are kept for comparison.
 *
 * A stop may have another bound than zero (`bounds`), which bodies that spring back from it should not be
 * lifted to in one leap, and may be held there (`holds`) like an equation: one that bodies rest on should
 * stay closed, wherever the equations move them.
 *
 * Contacts, 0 ≤ g(q) ⊥ Λ ≥ 0, may stand behind the stops (`ProjectedContacts`): they are found again, with
 * their points and normals, at the positions of each iteration. How many there are changes with them. They
 * may be held like stops, too.
 *
 * A stop that overshoots in one iteration is let go in the next: the answer satisfies everything, and is the
 * nearest such state to second order in the violation, as after a step of integration, not to the last digit.
 */
import { AffineVariationalInequality } from '../problems/avi';
import { type Solver, createSolverResult } from '../solvers/solver';
import { squaredNorm } from './quaternion';
import type { Space } from './marker';
import type { SpatialStatus } from './status';
import { type SpatialSystem, unitsOfEquations, unitsOfLimits } from './system';

export type ProjectionMetric = 'euclidean' | 'velocity' | 'mass';
export type QuaternionNorm = 'constrained' | 'ignored' | 'renormalised';

export interface ProjectionSettings {
  metric: ProjectionMetric;
  /** of the Euclidean metric; `constrained` when left out */
  norm?: QuaternionNorm;
  /** largest violation, m or rad */
  tolerance?: number;
  maxIterations?: number;
}

/** In units of the rows (`unitsOfEquations`): a few roundings of coordinates of the order of their bodies. */
export const DEFAULT_TOLERANCE = 1e-13;
/** Three to five are usual after a step. */
const DEFAULT_ITERATIONS = 30;
/**
 * Far from the origin rounding is larger: a violation below this that is no longer halved is the last one.
 */
export const STAGNANT_VIOLATION = 1e-9;
/** Relative residual of the linearised problem; what it leaves, the next iteration corrects. */
const SOLVED = 1e-9;
/**
 * Joints in space are often redundant, such as two hinges on one axis. Away from h = 0 their linearisations
 * contradict each other, by terms of second order in the violation, and the linear problem has no solution.
 * With this part added to the diagonal it has: what contradicts goes into multipliers of the null space of N
 * ᵗ∇h, which move nothing, and the rest is short of the full step by 10⁻⁸, which the next iteration makes up
 * for. Smaller, the multipliers would become so large that residuals drown in their rounding.
 */
const REGULARISATION = 1e-8;

/** Unilateral rows that are found again at each position. */
export interface ProjectedContacts {
  /** of those found last */
  readonly count: number;
  /** violation that stays, m */
  readonly tolerance: number;
  /** Finds them at q. @returns false where that fails */
  find(q: Float64Array): boolean;
  /** Whether one is to be at its gap, like an equation. */
  isHeld(contact: number): boolean;
  /** Writes their gaps, m. @param at entry of the first */
  position(out: Float64Array, at: number): void;
  /** Writes their gradients at q, behind `row` rows; see `SpatialRows`. */
  jacobian(q: Float64Array, out: Float64Array, width: number, space: Space, row: number): void;
  /** A solver of problems with a number of rows. */
  solver(rows: number): Solver;
}

export class PositionProjection {
  /** largest violation before each iteration and at the end, in units of the rows */
  readonly violations: Float64Array;
  /**
   * h that stops are brought to at least, by row of `limits`, m or rad; zero by default
   */
  readonly bounds: Float64Array;
  /** 1 where a stop is to be at its bound */
  readonly holds: Uint8Array;
  /** iterations of the last projection */
  iterations = 0;
  readonly result = createSolverResult();
  #problem: AffineVariationalInequality;
  /** ∇h by q in the Euclidean metric, H by v in the others */
  #jacobian: Float64Array;
  /** N ᵗ∇h, transposed: one row of displacements for each row of h */
  #directions: Float64Array;
  readonly #width: number;
  readonly #equations: number;
  readonly #norms: number;
  /** rows of equations and stops */
  readonly #fixed: number;
  /** what is one, by row of the problem */
  #units: Float64Array;
  /**
   * that of contacts: half their tolerance, in which they may be below −½ tolerance by the tolerance of rows
   */
  readonly #contactUnit: number;
  #solver: Solver;
  readonly #given: Float64Array;
  readonly #displacement: Float64Array;
  readonly #norm: QuaternionNorm;
  readonly #tolerance: number;
  readonly #maxIterations: number;

  /** @param solver of mixed linear complementarity problems, such as `createSolver('auto', …)` */
  constructor(
    readonly system: SpatialSystem,
    readonly settings: ProjectionSettings,
    solver: Solver,
    private readonly contacts: ProjectedContacts | null = null,
  ) {
    this.#solver = solver;
    const { metric, norm = 'constrained' } = settings;
    const { equations, limits, rigid } = system;
    this.#norm = norm;
    this.#tolerance = settings.tolerance ?? DEFAULT_TOLERANCE;
    this.#maxIterations = settings.maxIterations ?? DEFAULT_ITERATIONS;
    this.#width = metric === 'euclidean' ? system.positions : system.velocities;
    this.#norms = metric === 'euclidean' && norm === 'constrained' ? rigid.length : 0;
    this.#equations = equations.count + this.#norms;
    const rows = this.#equations + limits.count;
    this.#fixed = rows;
    this.#contactUnit = contacts === null ? 1 : (0.5 * contacts.tolerance) / this.#tolerance;
    this.#problem = AffineVariationalInequality.dense(new Float64Array(rows * rows), new Float64Array(rows));
    this.#problem.lower.fill(Number.NEGATIVE_INFINITY, 0, this.#equations);
    this.#jacobian = new Float64Array(rows * this.#width);
    this.#directions = metric === 'euclidean' ? this.#jacobian : new Float64Array(rows * this.#width);
    this.#units = new Float64Array(rows).fill(1);
    this.#units.set(unitsOfEquations(system));
    this.#units.set(unitsOfLimits(system), this.#equations);
    this.#given = new Float64Array(system.positions);
    this.#displacement = new Float64Array(this.#width);
    this.bounds = new Float64Array(limits.count);
    this.holds = new Uint8Array(limits.count);
    this.violations = new Float64Array(this.#maxIterations + 1);
  }

  /** Moves q onto joints and stops; on failure q stays as it was. */
  project(q: Float64Array): SpatialStatus {
    this.#given.set(q);
    for (let k = 0; k < this.holds.length; k++)
      this.#problem.lower[this.#equations + k] = this.holds[k] === 1 ? Number.NEGATIVE_INFINITY : 0;
    this.#resize(this.#fixed);
    const status = this.#iterate(q);
    if (status !== 'ok') q.set(this.#given);
    return status;
  }

  #iterate(q: Float64Array): SpatialStatus {
    const { settings, violations } = this;
    const { rigid } = this.system;
    for (let k = 0; k < rigid.length; k++) if (!(squaredNorm(q, rigid[k].qAt + 3) > 0)) return 'notFinite';
    if (settings.metric !== 'euclidean' && !this.#normalise(q)) return 'notFinite';
    for (this.iterations = 0; ; this.iterations++) {
      const k = this.iterations;
      if (this.contacts !== null) {
        if (!this.contacts.find(q)) return 'notFinite';
        this.#resize(this.#fixed + this.contacts.count);
      }
      const violation = this.#measure(q);
      violations[k] = violation;
      if (!Number.isFinite(violation)) return 'notFinite';
      if (violation <= this.#tolerance) return 'ok';
      if (k > 0 && violation <= STAGNANT_VIOLATION && violation > 0.5 * violations[k - 1]) return 'ok';
      if (k === this.#maxIterations) return 'projectionNotConverged';
      this.#linearise(q);
      if (!this.#solve()) return 'projectionUnsolved';
      if (!this.#move(q)) return 'notFinite';
    }
  }

  /** Rows of the problem, which contacts change. */
  #resize(rows: number): void {
    if (rows === this.#problem.size) return;
    if (rows > this.#problem.q.length) this.#enlarge(2 * rows);
    const problem = this.#problem;
    problem.size = rows;
    for (let i = 0; i < rows; i++) {
      problem.rowStart[i + 1] = (i + 1) * rows;
      for (let j = 0; j < rows; j++) problem.columns[i * rows + j] = j;
    }
    problem.revision++;
  }

  #enlarge(room: number): void {
    const { lower } = this.#problem;
    this.#problem = AffineVariationalInequality.dense(new Float64Array(room * room), new Float64Array(room));
    this.#problem.lower.set(lower);
    this.#problem.revision++;
    this.#jacobian = new Float64Array(room * this.#width);
    this.#directions =
      this.settings.metric === 'euclidean' ? this.#jacobian : new Float64Array(room * this.#width);
    const units = new Float64Array(room).fill(this.#contactUnit);
    units.set(this.#units.subarray(0, this.#fixed));
    this.#units = units;
    if (this.contacts !== null) this.#solver = this.contacts.solver(room);
  }

  /** h in the right side of the problem, in units of the rows. @returns the largest violation */
  #measure(q: Float64Array): number {
    const { system } = this;
    const right = this.#problem.q;
    const first = system.equations.count;
    system.equations.position(q, right);
    for (let k = 0; k < this.#norms; k++)
      right[first + k] = Math.sqrt(squaredNorm(q, system.rigid[k].qAt + 3)) - 1;
    system.limits.position(q, right, this.#equations);
    for (let k = 0; k < this.bounds.length; k++) right[this.#equations + k] -= this.bounds[k];
    const { size } = this.#problem;
    if (this.contacts !== null) {
      this.contacts.position(right, this.#fixed);
      for (let r = this.#fixed; r < size; r++) right[r] += 0.5 * this.contacts.tolerance;
    }
    let violation = 0;
    for (let r = 0; r < size; r++) right[r] /= this.#units[r];
    for (let r = 0; r < size; r++)
      violation = Math.max(violation, this.#isEquation(r) ? Math.abs(right[r]) : -right[r]);
    return violation;
  }

  #isEquation(r: number): boolean {
    if (r >= this.#fixed) return this.contacts?.isHeld(r - this.#fixed) === true;
    return r < this.#equations || this.holds[r - this.#equations] === 1;
  }

  /** ∇h N ᵗ∇h at q */
  #linearise(q: Float64Array): void {
    const { system } = this;
    const problem = this.#problem;
    const width = this.#width;
    const jacobian = this.#jacobian;
    const rows = problem.size;
    const space = this.settings.metric === 'euclidean' ? 'position' : 'velocity';
    system.equations.jacobian(q, jacobian, width, space);
    this.#addNorms(q);
    system.limits.jacobian(q, jacobian, width, space, this.#equations);
    this.contacts?.jacobian(q, jacobian, width, space, this.#fixed);
    for (let r = this.#fixed; r < rows; r++)
      problem.lower[r] = this.#isEquation(r) ? Number.NEGATIVE_INFINITY : 0;
    for (let r = 0; r < rows; r++)
      for (let j = r * width; j < (r + 1) * width; j++) jacobian[j] /= this.#units[r];
    this.#weigh();
    for (let r = 0; r < rows; r++) {
      for (let s = 0; s <= r; s++) {
        let sum = 0;
        for (let j = 0; j < width; j++) sum += jacobian[r * width + j] * this.#directions[s * width + j];
        problem.values[r * rows + s] = sum;
        problem.values[s * rows + r] = sum;
      }
      problem.z[r] = 0;
    }
    problem.revision++;
  }

  /** Gradients Q/|Q| of |Q| − 1. */
  #addNorms(q: Float64Array): void {
    const jacobian = this.#jacobian;
    for (let k = 0; k < this.#norms; k++) {
      const row = (this.system.equations.count + k) * this.#width;
      const at = this.system.rigid[k].qAt + 3;
      const norm = Math.sqrt(squaredNorm(q, at));
      jacobian.fill(0, row, row + this.#width);
      for (let i = at; i < at + 4; i++) jacobian[row + i] = q[i] / norm;
    }
  }

  /** (ᵗT T)⁻¹ ᵗH or M⁻¹ ᵗH; at |Q| = 1, ᵗT T = diag(1, ¼) */
  #weigh(): void {
    const { metric } = this.settings;
    if (metric === 'euclidean') return;
    const width = this.#width;
    const { rigid } = this.system;
    const directions = this.#directions;
    directions.set(this.#jacobian);
    for (let r = 0; r < this.#problem.size; r++) {
      if (metric === 'mass') this.system.applyInverseMass(directions, r * width);
      else
        for (let k = 0; k < rigid.length; k++)
          for (let i = 3; i < 6; i++) directions[r * width + rigid[k].vAt + i] *= 4;
    }
  }

  /** The linear problem, if need be with the regularised matrix. @returns whether there is an answer */
  #solve(): boolean {
    if (this.#attempt()) return true;
    const problem = this.#problem;
    for (let r = 0; r < problem.size; r++) {
      problem.values[r * (problem.size + 1)] *= 1 + REGULARISATION;
      problem.z[r] = 0;
    }
    problem.revision++;
    return this.#attempt();
  }

  #attempt(): boolean {
    this.#solver.solve(this.#problem, SOLVED, this.result);
    return this.result.status === 'converged';
  }

  #move(q: Float64Array): boolean {
    const width = this.#width;
    const { z, size } = this.#problem;
    const displacement = this.#displacement;
    displacement.fill(0);
    for (let r = 0; r < size; r++) {
      if (z[r] === 0) continue;
      for (let j = 0; j < width; j++) displacement[j] += z[r] * this.#directions[r * width + j];
    }
    if (this.settings.metric === 'euclidean') {
      for (let j = 0; j < width; j++) q[j] += displacement[j];
      return this.#norm === 'renormalised' ? this.#normalise(q) : true;
    }
    const { bodies, positionsAt, velocitiesAt } = this.system;
    for (let k = 0; k < bodies.length; k++)
      bodies[k].displace(q, positionsAt[k], displacement, velocitiesAt[k], 1);
    return this.#normalise(q);
  }

  #normalise(q: Float64Array): boolean {
    const { bodies, positionsAt } = this.system;
    for (let k = 0; k < bodies.length; k++) if (!bodies[k].normalise(q, positionsAt[k])) return false;
    return true;
  }
}
