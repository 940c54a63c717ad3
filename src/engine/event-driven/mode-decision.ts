/**
 * Which rows are ACTIVE after an event (S1, "LCP at acceleration level", in both orders and for all boxes). Of the rows whose
 * output is zero, together with its derivatives below the one that λ controls, find
 *
 *     w = W λ + b,     −w ∈ N_[l,u](λ):
 *
 * w > 0 sends a row to its LOWER mode, w < 0 to UPPER, and a λ between its bounds makes it ACTIVE. A tie, w = 0 with λ at
 * a bound, is left undetermined by S1. It occurs at each take-off, where the force has just become zero. Its next derivative decides:
 *
 *     w′ = W λ′ + b′,     0 ≤ w′ ⊥ λ′ ≥ 0 at a lower bound, 0 ≥ w′ ⊥ λ′ ≤ 0 at an upper one, w′ = 0 on ACTIVE rows,
 *
 * where b′ = d/dt (W λ + b) along ẋ with λ held: no form gives that derivative, and it is taken from the flow ahead, to
 * second order,
 *
 *     b′ ≈ (−3 w(0) + 4 w(δ) − w(2δ)) / 2δ,   w(s) at (t + s, x + s ẋ + s²/2 ẍ).
 *
 * Without ẍ in the displaced state the error would be of first order in δ; it comes from ẋ at x + δ ẋ. A tie that remains
 * after that, as of a ball without weight that touches a table, is decided for contact: λ then starts at its bound, and
 * its event function is moved by a tolerance, so that it cannot go below unnoticed.
 */
import { createSolver } from '../solvers/registry';
import { ContactProblem } from './contact-problem';
import { problemFailure, undefinedDegree } from './failures';
import type { RowLaws } from './row-laws';
import { ACTIVE, LOWER, UPPER } from './row-modes';
import type { SmoothFlow } from './smooth-flow';

/**
 * Values of w below this part of its terms, the largest of the run so far, are zero. Rounding at an event is larger than that of one sum: the state there
 * carries the tolerance of the integration.
 */
const TIE = 1e-9;
/** The same of w′, from differences. */
const TIE_OF_DERIVATIVE = 1e-6;
/** Rounding of w, differences within it included, as a part of its terms. */
const NOISE = 1e-13;

export class ModeDecision {
  /** rows that may be ACTIVE, filled by the caller before `decide` */
  readonly isCandidate: Uint8Array;
  /** 1 for candidates whose λ starts at a bound because a tie remained */
  readonly isTie: Uint8Array;
  /** magnitude of what counts as zero in λ of each candidate */
  readonly zeroForce: Float64Array;
  /** largest terms of w found so far, by row */
  readonly scales: Float64Array;
  /** largest multipliers found so far, by row: what is small in λ where W has no diagonal entry */
  readonly forces: Float64Array;
  readonly #problem: ContactProblem;
  readonly #b: Float64Array;
  readonly #drifts: Float64Array;
  readonly #lambda: Float64Array;
  /** 1 lower, 2 upper: rows with a tie */
  readonly #tied: Int8Array;
  readonly #rate: Float64Array;
  readonly #ahead: Float64Array;
  readonly #x: Float64Array;
  readonly #clock = new Float64Array(1);
  readonly #w: readonly Float64Array[];
  /** mode found for each candidate; those of the flow stand as they are until all are known */
  readonly #found: Int8Array;
  readonly #free: Float64Array;

  constructor(
    private readonly laws: RowLaws,
    private readonly flow: SmoothFlow,
    solver: string,
    tolerance: number,
    /** δ of the differences, s */
    private readonly difference: number,
  ) {
    const { count } = laws;
    const isMechanical = laws.kind.every((kind) => kind !== 'output');
    this.#problem = new ContactProblem(count, isMechanical, flow, createSolver(solver, count), tolerance);
    this.isCandidate = new Uint8Array(count);
    this.isTie = new Uint8Array(count);
    this.zeroForce = new Float64Array(count);
    this.scales = new Float64Array(count);
    this.forces = new Float64Array(count);
    this.#b = new Float64Array(count);
    this.#drifts = new Float64Array(count);
    this.#lambda = new Float64Array(count);
    this.#tied = new Int8Array(count);
    this.#rate = new Float64Array(flow.size);
    this.#ahead = new Float64Array(flow.size);
    this.#x = new Float64Array(flow.size);
    this.#w = [0, 1, 2].map(() => new Float64Array(count));
    this.#found = new Int8Array(count);
    this.#free = new Float64Array(flow.size);
  }

  /**
   * Sets the modes of the candidates, with those of the other rows as they stand in the flow.
   * @throws {EngineError} when a problem has no certified solution, or a multiplier does not control its row
   */
  decide(clock: Float64Array, x: Float64Array): void {
    const { laws, flow } = this;
    const p = this.#problem;
    const { problem } = p;
    p.count = 0;
    this.isTie.fill(0);
    for (let row = 0; row < laws.count; row++) {
      if (this.isCandidate[row] === 0) continue;
      flow.modes[row] = ACTIVE;
      p.list[p.count++] = row;
    }
    this.#lambda.fill(0);
    flow.setModes(this.#lambda);
    if (p.count === 0) return;
    flow.freeRate(clock, x, this.#rate);
    flow.offsets(clock, x, this.#rate, this.#b, this.#drifts);
    p.fill();
    for (let i = 0; i < p.count; i++) {
      const row = p.list[i];
      if (!p.controls(i)) throw undefinedDegree(laws.names[row], clock[0]);
      problem.lower[i] = laws.lower[row];
      problem.upper[i] = laws.upper[row];
      problem.q[i] = this.#b[row];
    }
    if (!p.solve()) throw this.#failure('problem of accelerations', clock);
    this.#readModes();
    if (this.#tied.includes(1) || this.#tied.includes(2)) this.#decideTies(clock, x);
    for (let row = 0; row < laws.count; row++)
      if (this.isCandidate[row] === 1) flow.modes[row] = this.#found[row];
    flow.setModes(this.#lambda);
  }

  /** Takes note of the multipliers of the flow: they are largest between events. */
  noteForces(): void {
    const { lambda } = this.flow;
    for (let row = 0; row < lambda.length; row++)
      if (Math.abs(lambda[row]) > this.forces[row]) this.forces[row] = Math.abs(lambda[row]);
  }

  #failure(what: string, clock: Float64Array): Error {
    const p = this.#problem;
    const names = Array.from(p.list.subarray(0, p.count), (row) => this.laws.names[row]);
    return problemFailure(what, names, p.result, clock[0]);
  }

  #readModes(): void {
    const { laws } = this;
    const found = this.#found;
    const p = this.#problem;
    const { values, z, w, q } = p.problem;
    const n = p.count;
    this.#tied.fill(0);
    for (let i = 0; i < n; i++) {
      const row = p.list[i];
      let terms = Math.abs(q[i]) + Math.abs(this.#drifts[row]) + this.#magnitude(row);
      for (let j = 0; j < n; j++) terms += Math.abs(values[i * n + j] * z[j]);
      // What cancels at an event, such as a force that vanishes, does not say what is small there; earlier events do.
      if (terms > this.scales[row]) this.scales[row] = terms;
      const zero = TIE * this.scales[row];
      const d = p.diagonal(i);
      if (Math.abs(z[i]) > this.forces[row]) this.forces[row] = Math.abs(z[i]);
      const zeroForce = Math.max(d > 0 ? zero / d : 0, TIE * this.forces[row]);
      this.zeroForce[row] = zeroForce;
      this.#lambda[row] = z[i];
      const isLow = z[i] - laws.lower[row] <= zeroForce;
      const isHigh = laws.upper[row] - z[i] <= zeroForce;
      found[row] = ACTIVE;
      if (w[i] > zero) found[row] = LOWER;
      else if (w[i] < -zero) found[row] = UPPER;
      else if (isLow) this.#tied[row] = 1;
      else if (isHigh) this.#tied[row] = 2;
    }
  }

  #decideTies(clock: Float64Array, x: Float64Array): void {
    const p = this.#problem;
    const { problem } = p;
    const delta = this.difference;
    this.#differentiate(clock, x);
    let count = 0;
    for (let i = 0; i < p.count; i++) {
      const row = p.list[i];
      if (this.#found[row] === ACTIVE) p.list[count++] = row;
    }
    p.count = count;
    p.fill();
    const [w0, w1, w2] = this.#w;
    for (let i = 0; i < count; i++) {
      const row = p.list[i];
      const tied = this.#tied[row];
      problem.lower[i] = tied === 1 ? 0 : -Infinity;
      problem.upper[i] = tied === 2 ? 0 : Infinity;
      problem.q[i] = (-3 * w0[row] + 4 * w1[row] - w2[row]) / (2 * delta);
    }
    if (!p.solve()) throw this.#failure('problem of derivatives of accelerations', clock);
    for (let i = 0; i < count; i++) {
      const row = p.list[i];
      if (this.#tied[row] === 0) continue;
      // Rounding of w comes back divided by δ.
      const noise = (NOISE * this.scales[row]) / delta;
      const zero = Math.max(TIE_OF_DERIVATIVE * Math.abs(problem.q[i]), noise);
      if (problem.w[i] > zero) this.#found[row] = LOWER;
      else if (problem.w[i] < -zero) this.#found[row] = UPPER;
      else this.isTie[row] = 1;
    }
  }

  /** Σ |C_k ẋ_k| of a row: what cancels in its offset. */
  #magnitude(row: number): number {
    const { rows, places } = this.flow;
    if (this.laws.degree[row] === 0) return 0;
    let sum = 0;
    for (let k = rows.rowStart[row]; k < rows.rowStart[row + 1]; k++)
      sum += Math.abs(rows.C[k] * this.#rate[places.velocity[rows.dofs[k]]]);
    return sum;
  }

  /** w at the state and at δ and 2δ along the flow, with λ held. */
  #differentiate(clock: Float64Array, x: Float64Array): void {
    const rate = this.#rate;
    const ahead = this.#ahead;
    const delta = this.difference;
    for (let k = 0; k < 3; k++) {
      const s = k * delta;
      this.#clock[0] = clock[0] + s;
      for (let i = 0; i < x.length; i++) {
        const curvature = k === 0 ? 0 : ahead[i] - rate[i];
        this.#x[i] = k === 0 ? x[i] : x[i] + s * (rate[i] + 0.5 * k * curvature);
      }
      this.#heldRate(this.#x, k === 0 ? rate : this.#free);
      this.flow.offsets(this.#clock, this.#x, k === 0 ? rate : this.#free, this.#w[k], this.#drifts);
      this.#addFeedthrough(this.#w[k]);
      if (k > 0) continue;
      for (let i = 0; i < x.length; i++) this.#x[i] = x[i] + delta * rate[i];
      this.#clock[0] = clock[0] + delta;
      this.#heldRate(this.#x, ahead);
    }
  }

  /** ẋ at the displaced time with all multipliers held. */
  #heldRate(x: Float64Array, out: Float64Array): void {
    const p = this.#problem;
    this.flow.freeRate(this.#clock, x, out);
    for (let i = 0; i < p.count; i++) this.flow.push(p.list[i], this.#lambda, out);
  }

  /** D λ of degree-0 candidates, which `offsets` leaves out. */
  #addFeedthrough(w: Float64Array): void {
    const p = this.#problem;
    for (let i = 0; i < p.count; i++) {
      const row = p.list[i];
      if (this.laws.degree[row] !== 0) continue;
      for (let j = 0; j < p.count; j++)
        w[row] += this.flow.rows.feedthrough(row, p.list[j]) * this.#lambda[p.list[j]];
    }
  }
}
