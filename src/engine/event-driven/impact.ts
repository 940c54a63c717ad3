/**
 * The impact equations (S1, "LCP at velocity level") over I1, all contacts that are closed and do not separate, with the joints:
 *
 *     M (v⁺ − v⁻) = ᵗC P,     w = ẏ⁺ + e ẏ⁻ = W P + (1 + e) ẏ⁻,     0 ≤ w ⊥ P ≥ 0,     ẏ⁺ = 0 in joints.
 *
 * Contacts that separate stay out: with ẏ⁻ > 0 Newton's law would let them gain energy. A neighbour's impulse may turn one of them
 * round, and a further impact at the same time follows; with equal e each of them loses energy or keeps it. Such a sequence may be infinite,
 * with speeds that shrink geometrically. It is ended by an impact without restitution over all closed contacts,
 *
 *     0 ≤ ẏ⁺ = W P + ẏ⁻ ⊥ P ≥ 0,
 *
 * the projection of v⁻ onto the velocities that no contact forbids, in the metric of M, which loses energy ½ ᵗP W P.
 */
import { createSolver } from '../solvers/registry';
import { ContactProblem } from './contact-problem';
import { problemFailure } from './failures';
import type { RowLaws } from './row-laws';
import type { RowState } from './row-state';
import type { SmoothFlow } from './smooth-flow';

/** A joint that moves faster than this many times what counts as rest is given a velocity that it cannot have; slower is drift. */
const JOINT_DRIFT = 1e4;

export class Impact {
  /** P by row; 0 on rows that took no part */
  readonly impulse: Float64Array;
  /** ẏ⁻ by row */
  readonly before: Float64Array;
  /** 1 for contacts whose restitution is taken for 0 */
  readonly isPlastic: Uint8Array;
  /** 1 for contacts that are closed whatever rounding has left of their gap */
  readonly isFlagged: Uint8Array;
  readonly #problem: ContactProblem;

  constructor(
    private readonly laws: RowLaws,
    private readonly flow: SmoothFlow,
    private readonly state: RowState,
    solver: string,
    tolerance: number,
  ) {
    this.impulse = new Float64Array(laws.count);
    this.before = new Float64Array(laws.count);
    this.isPlastic = new Uint8Array(laws.count);
    this.isFlagged = new Uint8Array(laws.count);
    this.#problem = new ContactProblem(laws.count, true, flow, createSolver(solver, laws.count), tolerance);
  }

  /** Whether a contact closes, or a joint moves, at the state that has been read. */
  get isDue(): boolean {
    const { laws, state } = this;
    for (let row = 0; row < laws.count; row++) {
      const speed = state.speed[row];
      if (laws.kind[row] === 'joint' && Math.abs(speed) > JOINT_DRIFT * state.atRest(row)) return true;
      if (laws.kind[row] === 'contact' && this.isClosed(row) && speed < -state.atRest(row)) return true;
    }
    return false;
  }

  isClosed(row: number): boolean {
    return this.isFlagged[row] === 1 || this.state.y[row] <= this.state.closed(row);
  }

  /**
   * Solves for P and changes the velocities in x, which `state` has read.
   * @param isLast whether this impact ends a sequence: over all closed contacts, without restitution
   * @throws {EngineError} when the problem has no certified solution
   */
  solve(clock: Float64Array, x: Float64Array, isLast: boolean): void {
    const { laws, state, flow, impulse } = this;
    const p = this.#problem;
    const { problem } = p;
    p.count = 0;
    impulse.fill(0);
    for (let row = 0; row < laws.count; row++) {
      this.before[row] = state.speed[row];
      const isContact = laws.kind[row] === 'contact';
      if (!isContact && laws.kind[row] !== 'joint') continue;
      if (isContact && !this.isClosed(row)) continue;
      if (isContact && !isLast && state.speed[row] > state.atRest(row)) continue;
      p.list[p.count++] = row;
    }
    p.fill();
    for (let i = 0; i < p.count; i++) {
      const row = p.list[i];
      const e = isLast || this.isPlastic[row] === 1 ? 0 : laws.restitution[row];
      problem.lower[i] = laws.kind[row] === 'joint' ? -Infinity : 0;
      problem.upper[i] = Infinity;
      problem.q[i] = (1 + e) * state.speed[row];
    }
    if (!p.solve()) {
      const names = Array.from(p.list.subarray(0, p.count), (row) => laws.names[row]);
      throw problemFailure('problem of impacts', names, p.result, clock[0]);
    }
    for (let i = 0; i < p.count; i++) {
      impulse[p.list[i]] = problem.z[i];
      if (problem.z[i] !== 0) flow.push(p.list[i], impulse, x);
    }
  }
}
