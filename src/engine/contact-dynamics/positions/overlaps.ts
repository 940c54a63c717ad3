/**
 * Removal of overlaps. A contact is noticed when it has closed, and what it overlaps by then stays, because
 * the law at it speaks of velocities. After the step, positions go to the nearest ones, in the metric of M,
 * at which gaps of the active contacts, continued to the end of the step, are not below −½ tolerance, to
 * first order, as soon as one of them is below −tolerance:
 *
 *     q⁺ ← q⁺ ⊕ P ᵗH_N Λ,     0 ≤ y + ½ tolerance + H_N P ᵗH_N Λ ⊥ Λ ≥ 0,     y = gap(q_½) + ½h U_N⁺
 *
 * (the last term being what the scheme moves them by from where frames are).
 *
 * So contacts stay closed, and what is corrected is well above rounding.
 *
 * Only what rests is lifted, U_N⁺ = 0 up to what the solver leaves. A body that springs back takes its
 * overlap away itself; lifted, it would be in the air a step later, fall and spring back for ever instead of
 * coming to rest. The others must not become deeper, y = −½ tolerance.
 *
 * The overlap of a contact that yields is what carries its load, and stays; it too must not become deeper.
 * Moments of contacts are zero with μ, and the normal of their blocks follows Λ without acting on anything.
 *
 * Piles go no farther than to what is about to touch them (below).
 *
 * This is the friction-contact problem with the same W and μ = 0, and the solver of the step solves it.
 * Velocities stay.
 *
 * To lift a body is work. It is paid from what contacts have dissipated: what a body has fallen into another
 * is a part of that. Where the account does not suffice the displacement is shortened, so that energy never
 * exceeds what it would be without dissipation. A contact with e = 1 dissipates nothing, and its overlaps
 * stay.
 */
import { FrictionContactProblem } from '../../problems/friction-contact';
import type { FrictionSolver } from '../../solvers/friction/solver';
import { createSolverResult } from '../../solvers/solver';
import { dot } from '../../spatial/matrix3';
import type { SpatialSystem } from '../../spatial/system';
import type { ActiveFrames } from '../contacts/active-frames';
import { type ContactFrames, FRAME_NUMBERS } from '../contacts/contact-frames';
import { type ContactList, GEOMETRY } from '../contacts/contact-list';
import type { KinematicBodies } from '../contacts/kinematic-bodies';
import type { ContactLaw } from '../../model/contact-laws/contact-law';
import type { BodyMobility } from '../mobility';
import type { StepScheme } from '../schemes/scheme';

/*
 * How far the removal of overlaps may move bodies. Its problem knows active contacts only; a pile that is
 * lifted by more than the gap to what falls on it would swallow that, and the overlap would be found behind
 * the middle of a body, where its normal points the other way. Bodies that active contacts and joints link
 * are one pile, and all of it goes the same part of its way,
 *
 *     part = min( 1,  gap/(−H_N x) of contacts that are not active,  ½ margin/|x_P| of active points P ),
 *
 * x being the displacement: two piles that move half the margin of detection each do not reach what detection
 * has not seen yet. The rest is for later steps. Kinematic bodies that move are taken to stand still: what
 * they come nearer by in a step is an overlap like others.
 */

const GAP = GEOMETRY - 1;
const NORMAL = 3;

export class LiftRoom {
  /** by group: another group of its pile, itself for the last one */
  readonly #parent: Int32Array;
  /** by group that is the last one of its pile */
  readonly #part: Float64Array;
  #isActive = new Uint8Array(0);
  readonly #motion = new Float64Array(3);

  /** @param margin gap up to which contacts are known, m */
  constructor(
    private readonly system: SpatialSystem,
    private readonly mobility: BodyMobility,
    private readonly frames: ContactFrames,
    private readonly active: ActiveFrames,
    private readonly margin: number,
  ) {
    this.#parent = new Int32Array(mobility.members.length);
    this.#part = new Float64Array(mobility.members.length);
  }

  /**
   * Shortens displacements, by velocities of all bodies.
   * @param q positions that they begin at
   * @param move by velocities, what the scheme has moved bodies by
   *   since contacts were looked for, m
   */
  shorten(contacts: ContactList, q: Float64Array, move: Float64Array, displacement: Float64Array): void {
    this.#gather();
    const { count, geometry, bodies } = contacts;
    const { contactCount, contacts: rows } = this.active;
    if (this.#isActive.length < count) this.#isActive = new Uint8Array(2 * count);
    this.#isActive.fill(0, 0, count);
    for (let row = 0; row < contactCount; row++) {
      this.#isActive[rows[row]] = 1;
      this.#reach(row, bodies, rows[row], q, displacement);
    }
    for (let c = 0; c < count; c++) {
      if (this.#isActive[c] === 1) continue;
      const at = GEOMETRY * c;
      const closing = -this.#along(geometry, at, bodies, c, q, displacement);
      if (!(closing > 0)) continue;
      const gap = geometry[at + GAP] + this.#along(geometry, at, bodies, c, q, move);
      this.#limit(bodies, c, Math.max(0, gap) / closing);
    }
    const { velocitiesAt, bodies: all } = this.system;
    for (let k = 0; k < all.length; k++) {
      const part = this.#part[this.#pile(this.mobility.groupOf[k])];
      if (part === 1) continue;
      for (let i = 0; i < all[k].velocities; i++) displacement[velocitiesAt[k] + i] *= part;
    }
  }

  /** Piles: what rows link. */
  #gather(): void {
    const parent = this.#parent;
    for (let group = 0; group < parent.length; group++) {
      parent[group] = group;
      this.#part[group] = 1;
    }
    const { groups, count } = this.frames;
    for (let row = 0; row < count; row++) {
      if (groups[2 * row] < 0 || groups[2 * row + 1] < 0) continue;
      const one = this.#pile(groups[2 * row]);
      const other = this.#pile(groups[2 * row + 1]);
      parent[Math.max(one, other)] = Math.min(one, other);
    }
  }

  #pile(group: number): number {
    const parent = this.#parent;
    let at = group;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]];
      at = parent[at];
    }
    return at;
  }

  /** Limits the ways of the points of an active contact. */
  #reach(
    row: number,
    bodies: Int32Array,
    contact: number,
    q: Float64Array,
    displacement: Float64Array,
  ): void {
    const { axes } = this.frames;
    for (let side = 0; side < 2; side++) {
      const body = bodies[2 * contact + side];
      if (body < 0) continue;
      const motion = this.#motion.fill(0);
      this.#move(body, axes, FRAME_NUMBERS * row, 1, q, displacement);
      const way = Math.sqrt(dot(motion, 0, motion, 0));
      if (way > 0.5 * this.margin) this.#limit(bodies, contact, (0.5 * this.margin) / way);
    }
  }

  /** Relative displacement of a contact along its normal. @param at its point in `geometry` */
  #along(
    geometry: Float64Array,
    at: number,
    bodies: Int32Array,
    contact: number,
    q: Float64Array,
    displacement: Float64Array,
  ): number {
    const motion = this.#motion.fill(0);
    for (let side = 0; side < 2; side++) {
      const body = bodies[2 * contact + side];
      if (body >= 0) this.#move(body, geometry, at, side === 0 ? -1 : 1, q, displacement);
    }
    return dot(geometry, at + NORMAL, motion, 0);
  }

  #move(
    body: number,
    points: Float64Array,
    at: number,
    sign: number,
    q: Float64Array,
    displacement: Float64Array,
  ): void {
    const { bodies, positionsAt, velocitiesAt } = this.system;
    bodies[body].addPointVelocity(
      q,
      positionsAt[body],
      displacement,
      velocitiesAt[body],
      points,
      at,
      sign,
      this.#motion,
    );
  }

  #limit(bodies: Int32Array, contact: number, part: number): void {
    for (let side = 0; side < 2; side++) {
      const body = bodies[2 * contact + side];
      if (body < 0) continue;
      const pile = this.#pile(this.mobility.groupOf[body]);
      this.#part[pile] = Math.min(this.#part[pile], part);
    }
  }
}

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
    private readonly kinematicBodies: KinematicBodies | null,
    margin: number,
  ) {
    this.#moved = new Float64Array(system.velocities);
    this.#room = new LiftRoom(system, mobility, frames, active, margin);
    this.#displacement = new Float64Array(system.velocities);
    this.#given = new Float64Array(system.positions);
  }

  /**
   * Moves q.
   * @param solved problem of the step, for its W
   * @param u u⁺
   * @param before u⁻
   * @param dissipated by
   * contacts in the step, J
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
    if (this.kinematicBodies !== null)
      for (let k = 0; k < DIMENSION * active.contactCount; k++) {
        q[k] += this.kinematicBodies.rowsAfter[k];
        if (oldPart !== 0) this.#earlier[k] += this.kinematicBodies.rowsBefore[k];
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
      // A part of the way costs that part, of weights exactly. Below rounding of the potential nothing is
      // known of the price.
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
