/**
 * Removal of overlaps. A contact is noticed when it has closed, and what it overlaps by then stays, because the law at it speaks of
 * velocities. After the step, positions go to the nearest ones, in the metric of M, at which gaps of the active contacts, continued to the end
 * of the step, are not below −½ tolerance, to first order, as soon as one of them is below −tolerance:
 *
 *     q⁺ ← q⁺ ⊕ P ᵗH_N Λ,     0 ≤ y + ½ tolerance + H_N P ᵗH_N Λ ⊥ Λ ≥ 0,     y = gap(q_½) + ½h U_N⁺
 *
 * (the last term being what the scheme moves them by from where frames are).
 *
 * So contacts stay closed, and what is corrected is well above rounding.
 *
 * Only what rests is lifted, U_N⁺ = 0 up to what the solver leaves. A body that springs back takes its overlap away itself; lifted, it would be in the air
 * a step later, fall and spring back for ever instead of coming to rest. The others must not become deeper, y = −½ tolerance.
 *
 * The overlap of a contact that yields is what carries its load, and stays; it too must not become deeper. Moments of contacts are zero with μ, and
 * the normal of their blocks follows Λ without acting on anything.
 *
 * Piles go no farther than to what is about to touch them (`lift-room.ts`).
 *
 * This is the friction-contact problem with the same W and μ = 0, and the solver of the step solves it. Velocities stay.
 *
 * To lift a body is work. It is paid from what contacts have dissipated: what a body has fallen into another is a part of that. Where
 * the account does not suffice the displacement is shortened, so that energy never exceeds what it would be without dissipation. A
 * contact with e = 1 dissipates nothing, and its overlaps stay.
 */
import { FrictionContactProblem } from '../problems/friction-contact';
import type { FrictionSolver } from '../solvers/friction/solver';
import { createSolverResult } from '../solvers/status';
import type { SpatialSystem } from '../spatial/system';
import type { ActiveFrames } from './active-frames';
import type { ContactFrames } from './contact-frames';
import { type ContactList, GEOMETRY } from './contact-list';
import type { ContactLaw } from './laws/contact-law';
import { LiftRoom } from './lift-room';
import type { BodyMobility } from './mobility';
import type { Obstacles } from './obstacles';
import type { StepScheme } from './schemes/scheme';

/** What is left is corrected in the next step. */
const SOLVED = 1e-8;
const DIMENSION = 3;

export class OverlapRemoval {
  readonly result = createSolverResult();
  /** [0] energy that contacts have dissipated and that has not been spent, J */
  readonly #account = new Float64Array(1);
  readonly #problem = new FrictionContactProblem(DIMENSION, 16, 1);
  readonly #displacement: Float64Array;
  readonly #given: Float64Array;
  /** what the scheme has moved bodies by since contacts were looked for */
  readonly #moved: Float64Array;
  readonly #room: LiftRoom;
  /** U⁻, 3 by row */
  #earlier = new Float64Array(0);

  /** @param tolerance overlap that may stay, m @param margin gap up to which contacts are known, m */
  constructor(
    private readonly system: SpatialSystem,
    private readonly mobility: BodyMobility,
    private readonly frames: ContactFrames,
    private readonly active: ActiveFrames,
    private readonly laws: readonly ContactLaw[],
    private readonly solver: FrictionSolver,
    private readonly tolerance: number,
    private readonly scheme: StepScheme,
    private readonly obstacles: Obstacles | null,
    margin: number,
  ) {
    this.#moved = new Float64Array(system.velocities);
    this.#room = new LiftRoom(system, mobility, frames, active, margin);
    this.#displacement = new Float64Array(system.velocities);
    this.#given = new Float64Array(system.positions);
  }

  /**
   * Moves q. @param solved problem of the step, for its W @param u u⁺ @param before u⁻ @param dissipated by contacts in the step, J
   * @returns false when the problem is not solved or q is not finite; q stays as it was then
   */
  remove(
    clock: Float64Array,
    q: Float64Array,
    u: Float64Array,
    before: Float64Array,
    h: number,
    contacts: ContactList,
    solved: FrictionContactProblem,
    dissipated: number,
  ): boolean {
    this.#account[0] += dissipated;
    if (!(this.#measure(contacts, u, before, h, solved) < 0)) return true;
    const problem = this.#problem;
    this.solver.solve(problem, SOLVED, this.result);
    if (this.result.status !== 'converged') return false;
    const displacement = this.#displacement;
    displacement.fill(0);
    this.frames.addImpulses(problem.r, displacement);
    this.system.applyInverseMass(displacement);
    this.mobility.restrict(displacement);
    const { newPart, oldPart } = this.scheme;
    for (let i = 0; i < u.length; i++) this.#moved[i] = h * (newPart * u[i] + oldPart * before[i]);
    this.#room.shorten(contacts, q, this.#moved, displacement);
    this.#given.set(q);
    if (this.#move(clock, q)) return true;
    q.set(this.#given);
    return false;
  }

  /** The problem. @returns the least y + tolerance, m; negative where something is to be done */
  #measure(
    { geometry, materials }: ContactList,
    u: Float64Array,
    before: Float64Array,
    h: number,
    { W, revision, measure, isSymmetric }: FrictionContactProblem,
  ): number {
    const { frames, active, laws } = this;
    const problem = this.#problem;
    const { count } = active;
    problem.count = count;
    if (problem.mu.length < count) {
      problem.mu = new Float64Array(2 * count);
      problem.q = new Float64Array(2 * DIMENSION * count);
      problem.r = new Float64Array(2 * DIMENSION * count);
      problem.u = new Float64Array(2 * DIMENSION * count);
    }
    const { q } = problem;
    const noise = measure[0] * measure[1];
    frames.measure(u, q);
    const { newPart, oldPart } = this.scheme;
    if (oldPart !== 0) frames.measure(before, this.#former(count));
    if (this.obstacles !== null)
      for (let k = 0; k < DIMENSION * active.contactCount; k++) {
        q[k] += this.obstacles.rowsAfter[k];
        if (oldPart !== 0) this.#earlier[k] += this.obstacles.rowsBefore[k];
      }
    let least = 0;
    for (let row = 0; row < count; row++) {
      const at = DIMENSION * row;
      q[at + 1] = q[at + 2] = 0;
      if (row >= active.contactCount || !laws[materials[active.contacts[row]]].isRigid) {
        q[at] = 0;
        continue;
      }
      let gap = geometry[GEOMETRY * active.contacts[row] + GEOMETRY - 1] + newPart * h * q[at];
      if (oldPart !== 0) gap += oldPart * h * this.#earlier[at];
      if (q[at] > noise) q[at] = Math.max(0, gap + 0.5 * this.tolerance);
      else {
        q[at] = gap + 0.5 * this.tolerance;
        least = Math.min(least, gap + this.tolerance);
      }
    }
    problem.r.fill(0, 0, DIMENSION * count);
    problem.W.rows = W.rows;
    problem.W.rowStart = W.rowStart;
    problem.W.columns = W.columns;
    problem.W.diagonal = W.diagonal;
    problem.W.values = W.values;
    problem.revision = revision;
    problem.isSymmetric = isSymmetric;
    return least;
  }

  #former(count: number): Float64Array {
    if (this.#earlier.length < DIMENSION * count) this.#earlier = new Float64Array(2 * DIMENSION * count);
    return this.#earlier;
  }

  /** As far as the account allows. */
  #move(clock: Float64Array, q: Float64Array): boolean {
    const { system } = this;
    const account = this.#account;
    const before = system.potentialEnergy(clock, q);
    if (!this.#displace(q, 1)) return false;
    let price = system.potentialEnergy(clock, q) - before;
    if (price > account[0]) {
      // A part of the way costs that part, of weights exactly. Below rounding of the potential nothing is known of the price.
      q.set(this.#given);
      if (!this.#displace(q, Math.max(0, account[0]) / price)) return false;
      price = system.potentialEnergy(clock, q) - before;
      if (price > account[0] + Number.EPSILON * Math.abs(before)) {
        q.set(this.#given);
        return true;
      }
    }
    account[0] -= Math.max(0, price);
    return true;
  }

  /** q ← q ⊕ part · displacement */
  #displace(q: Float64Array, part: number): boolean {
    const displacement = this.#displacement;
    const { bodies, positionsAt, velocitiesAt } = this.system;
    for (let k = 0; k < bodies.length; k++) {
      const at = positionsAt[k];
      if (!bodies[k].displace(q, at, displacement, velocitiesAt[k], part)) continue;
      if (!bodies[k].normalise(q, at)) return false;
    }
    return Number.isFinite(q[0]);
  }
}
