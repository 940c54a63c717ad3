/**
 * Impulses of contacts and joints that keep the velocities of one end of a Galerkin step: with H and G at a
 * place, and u on entry what it is without them,
 *
 *     u ← u + M⁻¹ (ᵗH R + ᵗG λ),     G u = ω,     K_μ ∋ R ⊥ U + μ |U_T| e_N ∈ K*_μ,     U = H u.
 *
 * H has the rows of stops, friction and limited motors of joints too, whose bounds are those of the part of
 * the step over which R acts.
 * Nothing springs back here. Contacts that persist keep their impulse as the guess of the next step.
 */
import { FrictionContactProblem } from '../../problems/friction-contact';
import type { ContactLaw } from '../../model/contact-laws/contact-law';
import type { FrictionSolver } from '../../solvers/friction/solver';
import type { SolverResult } from '../../solvers/solver';
import { holdVelocities } from '../../spatial/plane-of-motion';
import type { SpatialStatus } from '../../spatial/status';
import type { SpatialSystem } from '../../spatial/system';
import type { StateArchive } from '../../state-archive';
import { ActiveFrames } from '../contacts/active-frames';
import { ContactFrames } from '../contacts/contact-frames';
import { type ContactList, GEOMETRY } from '../contacts/contact-list';
import type { JointRows, RowChoice } from '../joint-rows';
import type { BodyMobility } from '../mobility';
import { StepOperator } from '../step-operator';

const DIMENSION = 3;
const GAP = GEOMETRY - 1;

/** What the stages of a step share with its impact. */
export interface StageParts {
  readonly system: SpatialSystem;
  readonly mobility: BodyMobility;
  /** limits, friction and motors of joints */
  readonly jointRows: JointRows;
  readonly laws: readonly ContactLaw[];
  readonly solver: FrictionSolver;
  readonly tolerance: number;
  /** takes what a solver says of its problem */
  readonly result: SolverResult;
}

/** Contacts at one moment: a copy, since detection has one list for all places it looks at. */
export class ContactCopy implements ContactList {
  count = 0;
  places = new Int32Array(0);
  isNew = new Uint8Array(0);
  bodies = new Int32Array(0);
  geometry = new Float64Array(0);
  materials = new Int32Array(0);
  /** contact by place, −1 for none */
  #at = new Int32Array(0);

  take({ count, places, isNew, bodies, geometry, materials }: ContactList): void {
    if (this.places.length < count) this.#reserve(2 * count);
    for (let c = 0; c < this.count; c++) this.#at[this.places[c]] = -1;
    this.count = count;
    for (let c = 0; c < count; c++) {
      this.places[c] = places[c];
      this.isNew[c] = isNew[c];
      this.materials[c] = materials[c];
      this.#enter(places[c], c);
    }
    for (let k = 0; k < 2 * count; k++) this.bodies[k] = bodies[k];
    for (let k = 0; k < GEOMETRY * count; k++) this.geometry[k] = geometry[k];
  }

  /** The contact at a place; −1 where there is none. */
  at(place: number): number {
    return place < this.#at.length ? this.#at[place] : -1;
  }

  gap(c: number): number {
    return this.geometry[GEOMETRY * c + GAP];
  }

  /** Lets a contact count as closed, or as open. */
  mark(c: number, isClosed: boolean): void {
    this.geometry[GEOMETRY * c + GAP] = isClosed ? 0 : Number.POSITIVE_INFINITY;
  }

  exchange(archive: StateArchive): void {
    this.count = archive.value(this.count);
    this.places = archive.array(this.places);
    this.isNew = archive.array(this.isNew);
    this.bodies = archive.array(this.bodies);
    this.geometry = archive.array(this.geometry);
    this.materials = archive.array(this.materials);
    this.#at = archive.array(this.#at);
  }

  #enter(place: number, c: number): void {
    if (place >= this.#at.length) {
      const known = this.#at;
      this.#at = new Int32Array(2 * place + 2).fill(-1);
      this.#at.set(known);
    }
    this.#at[place] = c;
  }

  #reserve(room: number): void {
    const { places } = this;
    this.places = new Int32Array(room);
    this.places.set(places);
    this.isNew = new Uint8Array(room);
    this.bodies = new Int32Array(2 * room);
    this.geometry = new Float64Array(GEOMETRY * room);
    this.materials = new Int32Array(room);
  }
}

export class StageProblem {
  readonly problem = new FrictionContactProblem(DIMENSION, 16, 64);
  readonly frames: ContactFrames;
  /** contacts that have forces; their numbers are those of `contacts` */
  readonly active: ActiveFrames;
  /** those that the stage has been given, with their gaps; and where it is */
  readonly contacts = new ContactCopy();
  readonly positions: Float64Array;
  /** λ by row of G, N s or N m s */
  readonly joints: Float64Array;
  /** R by row of `JointRows.list`, N s or N m s */
  readonly rows: Float64Array;
  /** what the solver leaves of velocities that should be zero, m/s */
  noise = 0;
  iterations = 0;
  readonly #marked = new ContactCopy();
  readonly #operator: StepOperator;
  readonly #impulse: Float64Array;
  readonly #still: Float64Array;

  constructor(private readonly parts: StageParts) {
    const { system, mobility, jointRows, laws } = parts;
    this.frames = new ContactFrames(mobility);
    this.active = new ActiveFrames(mobility, jointRows, laws, { forecast: 0, lag: 0, aim: 0, closedGap: 0 });
    this.positions = system.initialPositions();
    this.joints = new Float64Array(mobility.rows);
    this.rows = new Float64Array(jointRows.list.length);
    this.#still = new Float64Array(system.velocities);
    this.#impulse = new Float64Array(system.velocities);
    const { problem, frames, active } = this;
    this.#operator = new StepOperator(system, problem, mobility, frames, active, jointRows, null, null);
  }

  /** Impulses by row of a contact, 3 each, N s. */
  get impulses(): Float64Array {
    return this.problem.r;
  }

  exchange(archive: StateArchive): void {
    this.active.exchange(archive);
  }

  /** No forces. */
  clear(): void {
    this.active.contactCount = this.active.jointCount = 0;
    this.joints.fill(0);
    this.rows.fill(0);
    this.noise = 0;
    this.iterations = 0;
  }

  /**
   * @param q place of H and G @param u what changes
   * @param hasForce whether a contact has one, by its number
   * @param before u at the start of the step @param h s
   * @param choice which rows of joints have one
   */
  solve(
    contacts: ContactList,
    hasForce: (c: number) => boolean,
    q: Float64Array,
    u: Float64Array,
    before: Float64Array,
    h: number,
    choice: RowChoice,
  ): SpatialStatus | 'unsolved' {
    const { system, mobility } = this.parts;
    const { active, problem, joints } = this;
    this.noise = this.iterations = 0;
    this.positions.set(q);
    this.contacts.take(contacts);
    this.#marked.take(contacts);
    for (let c = 0; c < contacts.count; c++) this.#marked.mark(c, hasForce(c));
    mobility.update(q);
    mobility.aim(q, before, 0);
    joints.fill(0);
    this.rows.fill(0);
    if (!mobility.bring(u, joints)) return 'drivesContradict';
    if (system.isPlanar) holdVelocities(u);
    active.update(this.#marked, q, u, before, h, choice);
    problem.count = active.count;
    return problem.count === 0 ? 'ok' : this.#push(q, u, h);
  }

  /** Work of a part of its impulses. @param out along normals, and along tangents, J */
  addWork(mean: Float64Array, frames: ContactFrames, r: Float64Array, part: number, out: Float64Array): void {
    const { contactCount } = this.active;
    if (contactCount === 0) return;
    const rates = this.#ratesOf(frames, mean);
    for (let at = 0; at < DIMENSION * contactCount; at += DIMENSION) {
      out[0] += part * r[at] * rates[at];
      out[1] += part * (r[at + 1] * rates[at + 1] + r[at + 2] * rates[at + 2]);
    }
  }

  #push(q: Float64Array, u: Float64Array, h: number): SpatialStatus | 'unsolved' {
    const { laws, mobility, solver, tolerance, result, system, jointRows } = this.parts;
    const { active, problem, frames } = this;
    this.#reserve(problem.count);
    this.#operator.form(this.#marked, q);
    frames.measure(u, problem.q);
    for (let row = 0; row < active.contactCount; row++)
      problem.mu[row] = laws[this.contacts.materials[active.contacts[row]]].friction;
    const { contactCount, jointCount } = active;
    for (let k = 0; k < jointCount; k++)
      jointRows.write(active.jointRows[k], contactCount + k, problem, u, this.#still, this.#work);
    active.guess(frames, problem);
    solver.solve(problem, tolerance, result);
    this.iterations = result.iterations;
    if (result.status !== 'converged') return 'unsolved';
    this.noise = problem.measure[0] * problem.measure[1];
    active.keep(frames, problem, this.noise, h);
    const impulse = this.#impulse.fill(0);
    frames.addImpulses(problem.r, impulse);
    for (let k = 0; k < jointCount; k++) {
      const row = active.jointRows[k];
      const at = DIMENSION * (contactCount + k) + jointRows.list[row].component;
      this.rows[row] = jointRows.scales[row] * problem.r[at];
    }
    system.applyInverseMass(impulse);
    mobility.restrict(impulse, this.joints);
    for (let i = 0; i < u.length; i++) u[i] += impulse[i];
    if (system.isPlanar) holdVelocities(u);
    return 'ok';
  }

  #work = new Float64Array(0);

  #ratesOf(frames: ContactFrames, mean: Float64Array): Float64Array {
    if (this.#work.length < DIMENSION * frames.count)
      this.#work = new Float64Array(2 * DIMENSION * frames.count);
    frames.measure(mean, this.#work);
    return this.#work;
  }

  #reserve(count: number): void {
    const { problem } = this;
    if (this.#work.length < DIMENSION * count) this.#work = new Float64Array(2 * DIMENSION * count);
    if (problem.mu.length >= count) return;
    problem.mu = new Float64Array(2 * count);
    problem.q = new Float64Array(2 * DIMENSION * count);
    problem.r = new Float64Array(2 * DIMENSION * count);
    problem.u = new Float64Array(2 * DIMENSION * count);
  }
}
