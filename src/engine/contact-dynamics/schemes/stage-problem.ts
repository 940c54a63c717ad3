/**
 * Impulses of contacts and joints that keep the velocities of one end of a Galerkin step: with H and G at a
 * place, and u on entry what it is without them,
 *
 *     u ← u + M⁻¹ (ᵗH R + ᵗG λ),     G u = ω,     K_μ ∋ R ⊥ U + μ |U_T| e_N ∈ K*_μ,     U = H u.
 *
 * H has the rows of stops, friction and limited motors of joints too, whose bounds are those of the part of
 * the step over which R acts.
 *
 * From accelerations, u is what they add to velocities v in a time τ, which does not get to the normals of
 * contacts nor through joints, with γ of `contact-drift.ts` and of joints; friction is a law of velocities,
 *
 *     G u = τ γ,     U_N = H_N u + τ γ_N,     U_T = H_T (v + u) + τ' γ_T,
 *
 * with τ' from where H is to the end of the step. The same holds of stops, and of friction and motors.
 *
 * What is prescribed has its part in U. Nothing springs back here. Contacts that persist keep their impulse
 * as the guess of the next step.
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
import type { KinematicBodies } from '../contacts/kinematic-bodies';
import { ContactFrames, FRAME_NUMBERS } from '../contacts/contact-frames';
import type { ContactList } from '../contacts/contact-list';
import type { JointRows, RowChoice } from '../joint-rows';
import type { BodyMobility } from '../mobility';
import { dot } from '../../spatial/matrix3';
import { StepOperator } from '../step-operator';
import { ContactCopy } from './contact-copy';
import type { ContactDrift } from './contact-drift';

const DIMENSION = 3;
/** Place of the work of prescribed motions among works. */
export const PRESCRIBED = 6;

/** What the stages of a step share with its impact. */
export interface StageParts {
  readonly system: SpatialSystem;
  readonly mobility: BodyMobility;
  /** limits, friction and motors of joints */
  readonly jointRows: JointRows;
  readonly laws: readonly ContactLaw[];
  readonly solver: FrictionSolver;
  readonly tolerance: number;
  /** bodies that move as prescribed, which the scheme places; null where none does */
  readonly kinematicBodies: KinematicBodies | null;
  /** takes what a solver says of its problem */
  readonly result: SolverResult;
}

/** Forces from accelerations. */
export interface Accelerations {
  /** τ and τ', s */
  readonly time: number;
  readonly ahead: number;
  /** velocities that γ belongs to, and those that u is added to */
  readonly speeds: Float64Array;
  readonly base: Float64Array;
  /** γ of the contacts that the stage is given */
  readonly drift: ContactDrift;
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
   * @param choice which rows of joints have one @param of null where forces are those of velocities
   */
  solve(
    contacts: ContactList,
    hasForce: (c: number) => boolean,
    q: Float64Array,
    u: Float64Array,
    before: Float64Array,
    h: number,
    choice: RowChoice,
    of: Accelerations | null = null,
  ): SpatialStatus | 'unsolved' {
    const { system, mobility } = this.parts;
    const { active, problem, joints } = this;
    this.noise = this.iterations = 0;
    this.positions.set(q);
    this.contacts.take(contacts);
    this.#marked.take(contacts);
    for (let c = 0; c < contacts.count; c++) this.#marked.mark(c, hasForce(c));
    mobility.update(q);
    joints.fill(0);
    this.rows.fill(0);
    if (of === null) {
      mobility.aim(q, before, 0);
      if (!mobility.bring(u, joints)) return 'drivesContradict';
    } else {
      // Whether speeds that are prescribed can be reached is asked by the impact of the step.
      mobility.aimAccelerations(q, of.speeds, of.time);
      mobility.project(u, joints);
    }
    if (system.isPlanar) holdVelocities(u);
    active.update(this.#marked, q, u, before, h, choice);
    problem.count = active.count;
    return problem.count === 0 ? 'ok' : this.#push(q, u, h, of);
  }

  /** Row of the contact with a force at a place; −1 for none. */
  rowOf(place: number): number {
    const { active, contacts } = this;
    for (let row = 0; row < active.contactCount; row++)
      if (contacts.places[active.contacts[row]] === place) return row;
    return -1;
  }

  /**
   * Work of a part of its impulses, with what is prescribed as it is placed.
   * @param out along normals, along tangents, and at `PRESCRIBED` what prescribed motions do, J
   */
  addWork(mean: Float64Array, frames: ContactFrames, r: Float64Array, part: number, out: Float64Array): void {
    const { contactCount } = this.active;
    if (contactCount === 0) return;
    const rates = this.#ratesOf(frames, mean);
    if (this.parts.kinematicBodies !== null)
      for (let at = 0; at < DIMENSION * contactCount; at++) {
        const axis = at % DIMENSION;
        const carried = this.#carriedAlong(frames, (at - axis) / DIMENSION, axis);
        rates[at] += carried;
        out[PRESCRIBED] -= part * r[at] * carried;
      }
    for (let at = 0; at < DIMENSION * contactCount; at += DIMENSION) {
      out[0] += part * r[at] * rates[at];
      out[1] += part * (r[at + 1] * rates[at + 1] + r[at + 2] * rates[at + 2]);
    }
  }

  /** What is prescribed of the velocity of a contact along an axis of its frame, m/s. */
  #carriedAlong({ axes }: ContactFrames, row: number, axis: number): number {
    const { kinematicBodies } = this.parts;
    if (kinematicBodies === null) return 0;
    const { active, contacts } = this;
    const at = FRAME_NUMBERS * row;
    const { after } = kinematicBodies;
    const velocity = kinematicBodies.relative(after, contacts.bodies, active.contacts[row], axes, at);
    return dot(axes, at + DIMENSION * (axis + 1), velocity, 0);
  }

  #push(q: Float64Array, u: Float64Array, h: number, of: Accelerations | null): SpatialStatus | 'unsolved' {
    const { laws, mobility, solver, tolerance, result, system, jointRows } = this.parts;
    const { active, problem, frames } = this;
    this.#reserve(problem.count);
    this.#operator.form(this.#marked, q);
    frames.measure(u, problem.q);
    this.#carry(of === null);
    if (of !== null) this.#accelerate(of);
    for (let row = 0; row < active.contactCount; row++)
      problem.mu[row] = laws[this.contacts.materials[active.contacts[row]]].friction;
    const { contactCount, jointCount } = active;
    for (let k = 0; k < jointCount; k++)
      jointRows.write(active.jointRows[k], contactCount + k, problem, u, this.#still, this.#work);
    if (of !== null) for (let k = 0; k < jointCount; k++) this.#accelerateRow(of, q, k);
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

  /** Adds what is prescribed to velocities of contacts. @param all also to those along normals */
  #carry(all: boolean): void {
    const { active, problem, frames } = this;
    if (this.parts.kinematicBodies === null) return;
    for (let row = 0; row < active.contactCount; row++)
      for (let a = all ? 0 : 1; a < DIMENSION; a++)
        problem.q[DIMENSION * row + a] += this.#carriedAlong(frames, row, a);
  }

  /** Velocities of contacts where u is what accelerations add. */
  #accelerate({ time, ahead, base, drift }: Accelerations): void {
    const { active, problem, frames } = this;
    frames.measure(base, this.#work);
    for (let row = 0; row < active.contactCount; row++) {
      const at = FRAME_NUMBERS * row + DIMENSION;
      const to = DIMENSION * row;
      const from = DIMENSION * active.contacts[row];
      problem.q[to] += time * dot(frames.axes, at, drift.values, from);
      for (let a = 1; a < DIMENSION; a++)
        problem.q[to + a] +=
          this.#work[to + a] + ahead * dot(frames.axes, at + DIMENSION * a, drift.values, from);
    }
  }

  /** The same of a row of joints, which has been written. */
  #accelerateRow({ time, ahead, base, speeds }: Accelerations, q: Float64Array, k: number): void {
    const { jointRows } = this.parts;
    const { jointRows: numbers, contactCount } = this.active;
    const row = numbers[k];
    const { kind, rows, component } = jointRows.list[row];
    rows.gamma(q, speeds, this.#gamma, 0);
    const rate =
      kind === 'limit' ? -time * this.#gamma[0] : jointRows.rate(row, base) - ahead * this.#gamma[0];
    this.problem.q[DIMENSION * (contactCount + k) + component] += jointRows.scales[row] * rate;
  }

  readonly #gamma = new Float64Array(1);
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
