/**
 * Contact dynamics of rigid bodies with joints (S4 (1)–(11), S3): positions by half steps, impulses from the friction-contact problem
 * between them. A step is
 *
 *     1  q_½ = q ⊕ ½h u
 *     2  B: u_f = u + M⁻¹ h f(t_½, q_½), brought onto the joints, G u_f = 0
 *     3  contacts at q_½, their local frames H, those with gap ≤ 0 active
 *     4  W = H P ᵗH and q = H u_f + e H u⁻                        (`DelassusBlocks`)
 *     5  R from K_μ ∋ R ⊥ Û ∈ K*_μ, Û that of U + e U⁻ = W R + q  (`FrictionContactProblem`)
 *     6  u⁺ = u_f + P ᵗH R,   q⁺ = q_½ ⊕ ½h u⁺
 *
 * Impulses R are those over the step; S3 writes forces, R/h, and W with the factor h. Frames of contacts that persist keep their
 * impulse as the guess of the next step.
 */
import { FrictionContactProblem } from '../problems/friction-contact';
import type { FrictionSolver } from '../solvers/friction/solver';
import { createSolverResult } from '../solvers/status';
import { HalfStep } from '../spatial/half-step';
import { PositionProjection } from '../spatial/projection';
import { RigidBodyMotion, type RigidBodyMotionSettings } from '../spatial/rigid-body-motion';
import type { SpatialStatus } from '../spatial/status';
import type { SpatialSystem } from '../spatial/system';
import { createSolver } from '../solvers/registry';
import { type ContactList, type ContactMaterial, type ContactSource, GEOMETRY } from './contact-list';
import { ContactFrames } from './contact-frames';
import { DelassusBlocks } from './delassus-blocks';
import { FrameGraph } from './frame-graph';
import { BodyMobility } from './mobility';

const DIMENSION = 3;
const GAP = GEOMETRY - 1;
const NONE = -1;

export interface ContactDynamicsSettings {
  /** s */
  readonly t0: number;
  /** s */
  readonly h: number;
  readonly motion: RigidBodyMotionSettings;
  /** largest relative residual of the problem of a step */
  readonly tolerance: number;
  /** whether positions are brought onto the joints after each step */
  readonly projects: boolean;
}

/** `unsolved`: the friction-contact problem; what the solver said stands in `result`. */
export type ContactDynamicsStatus = SpatialStatus | 'unsolved';

export class ContactDynamics {
  /** [0] time, s */
  readonly clock: Float64Array;
  /** positions of all bodies */
  readonly q: Float64Array;
  /** velocities of all bodies */
  readonly u: Float64Array;
  steps = 0;
  /** contacts of the last step, at its middle */
  contacts: ContactList | null = null;
  /** active ones among them, in the order of the rows */
  activeCount = 0;
  active = new Int32Array(0);
  readonly frames: ContactFrames;
  readonly mobility: BodyMobility;
  readonly result = createSolverResult();
  /** the problem of the last step */
  readonly problem = new FrictionContactProblem(DIMENSION, 16, 64);
  /** velocities at the start of the last step, and those without contacts */
  readonly before: Float64Array;
  readonly free: Float64Array;
  /** q_½ of the last step */
  readonly middle: Float64Array;
  readonly #graph: FrameGraph;
  readonly #delassus: DelassusBlocks;
  readonly #halfStep: HalfStep;
  readonly #projection: PositionProjection | null;
  readonly #impulse: Float64Array;
  /** frame by place of a contact, −1 where there is none */
  #frameOf = new Int32Array(0);
  /** row, contact of the present step, and place by frame */
  #rowOf = new Int32Array(0);
  #contactOf = new Int32Array(0);
  #placeOf = new Int32Array(0);
  /** impulse of the last step by frame, in the world */
  #kept = new Float64Array(0);
  #compiled = -1;
  #local = new Float64Array(0);

  constructor(
    readonly system: SpatialSystem,
    private readonly source: ContactSource,
    private readonly materials: readonly ContactMaterial[],
    private readonly solver: FrictionSolver,
    private readonly settings: ContactDynamicsSettings,
  ) {
    this.clock = Float64Array.of(settings.t0);
    this.q = system.initialPositions();
    this.u = system.initialVelocities();
    this.before = this.u.slice();
    this.free = this.u.slice();
    this.middle = this.q.slice();
    this.mobility = new BodyMobility(system);
    this.frames = new ContactFrames(this.mobility);
    this.#graph = new FrameGraph(this.mobility.members.length);
    this.#delassus = new DelassusBlocks(this.mobility);
    this.#halfStep = new HalfStep(new RigidBodyMotion(system, settings.motion));
    this.#impulse = new Float64Array(system.velocities);
    const rows = system.equations.count + system.limits.count;
    this.#projection =
      settings.projects && rows > 0
        ? new PositionProjection(system, { metric: 'mass' }, createSolver('auto', rows))
        : null;
  }

  /** Time of the last complete step, s. */
  get time(): number {
    return this.clock[0];
  }

  /** One step. After a failure the state is that of the middle of the step, and of no use. */
  advance(): ContactDynamicsStatus {
    const { q, u, clock, before, mobility } = this;
    const { h, t0 } = this.settings;
    before.set(u);
    let status = this.#halfStep.begin(clock, q, u, h);
    if (status !== 'ok') return status;
    this.middle.set(q);
    mobility.update(q);
    mobility.restrict(u);
    this.free.set(u);
    const contacts = this.source.detect(q);
    if (contacts === null) return 'notFinite';
    this.contacts = contacts;
    this.#activate(contacts);
    if (this.activeCount > 0 && !this.#solve(contacts)) return 'unsolved';
    status = this.#halfStep.finish(q, u, h, null);
    if (status !== 'ok') return status;
    this.steps++;
    clock[0] = t0 + this.steps * h;
    return this.#projection === null ? 'ok' : this.#projection.project(q);
  }

  /** Frames of contacts that have closed come, and of those that have opened or are not there any more go. */
  #activate(contacts: ContactList): void {
    const graph = this.#graph;
    const { groupOf } = this.mobility;
    this.#contactOf.fill(NONE);
    for (let c = 0; c < contacts.count; c++) {
      const place = contacts.places[c];
      this.#reservePlace(place);
      let frame = this.#frameOf[place];
      if (frame !== NONE && contacts.isNew[c] === 1) {
        graph.remove(frame);
        this.#frameOf[place] = frame = NONE;
      }
      if (contacts.geometry[GEOMETRY * c + GAP] > 0) continue;
      if (frame === NONE) {
        const first = contacts.bodies[2 * c];
        const second = contacts.bodies[2 * c + 1];
        frame = graph.insert(first < 0 ? NONE : groupOf[first], second < 0 ? NONE : groupOf[second]);
        this.#reserveFrame(frame);
        this.#frameOf[place] = frame;
        this.#placeOf[frame] = place;
        for (let k = 0; k < DIMENSION; k++) this.#kept[DIMENSION * frame + k] = 0;
      }
      this.#contactOf[frame] = c;
    }
    for (let frame = 0; frame < graph.extent; frame++) {
      if (this.#contactOf[frame] !== NONE || !graph.has(frame)) continue;
      this.#frameOf[this.#placeOf[frame]] = NONE;
      graph.remove(frame);
    }
    this.activeCount = graph.count;
    if (this.active.length < graph.count) this.active = new Int32Array(2 * graph.count);
    let row = 0;
    for (let frame = 0; frame < graph.extent; frame++)
      if (graph.has(frame)) this.active[row++] = this.#contactOf[frame];
  }

  /** @returns whether the problem was solved; u is u⁺ then */
  #solve(contacts: ContactList): boolean {
    const { problem, frames, q, u, result, settings } = this;
    this.#assemble(contacts, q);
    this.solver.solve(problem, settings.tolerance, result);
    if (result.status !== 'converged') return false;
    const graph = this.#graph;
    for (let frame = 0; frame < graph.extent; frame++) {
      const row = this.#rowOf[frame];
      if (row !== NONE) frames.toWorld(row, problem.r, DIMENSION * row, this.#kept, DIMENSION * frame);
    }
    this.#impulse.fill(0);
    frames.addImpulses(problem.r, this.#impulse);
    this.system.applyInverseMass(this.#impulse);
    this.mobility.restrict(this.#impulse);
    for (let i = 0; i < u.length; i++) u[i] += this.#impulse[i];
    return true;
  }

  #assemble(contacts: ContactList, q: Float64Array): void {
    const { problem, frames } = this;
    const graph = this.#graph;
    const count = graph.count;
    this.#reserveProblem(count);
    problem.count = count;
    if (this.#compiled !== graph.revision) {
      graph.compile(problem.W, this.#rowOf);
      this.#compiled = graph.revision;
    }
    frames.clear(count);
    for (let row = 0; row < count; row++) {
      const c = this.active[row];
      frames.add(q, contacts.bodies[2 * c], contacts.bodies[2 * c + 1], contacts.geometry, GEOMETRY * c);
      problem.mu[row] = this.materials[contacts.materials[c]].friction;
    }
    this.#delassus.fill(problem.W, frames);
    problem.revision++;
    frames.measure(this.free, problem.q);
    frames.measure(this.before, this.#local);
    for (let row = 0; row < count; row++) {
      const { restitution, tangentialRestitution } = this.materials[contacts.materials[this.active[row]]];
      const at = DIMENSION * row;
      problem.q[at] += restitution * this.#local[at];
      problem.q[at + 1] += tangentialRestitution * this.#local[at + 1];
      problem.q[at + 2] += tangentialRestitution * this.#local[at + 2];
    }
    for (let frame = 0; frame < graph.extent; frame++) {
      const row = this.#rowOf[frame];
      if (row !== NONE) frames.toLocal(row, this.#kept, DIMENSION * frame, problem.r, DIMENSION * row);
    }
  }

  #reservePlace(place: number): void {
    const known = this.#frameOf.length;
    if (place < known) return;
    const larger = new Int32Array(Math.max(2 * known, place + 1)).fill(NONE, known);
    larger.set(this.#frameOf);
    this.#frameOf = larger;
  }

  #reserveFrame(frame: number): void {
    const known = this.#contactOf.length;
    if (frame < known) return;
    const room = Math.max(2 * known, frame + 1);
    this.#contactOf = grown(this.#contactOf, room);
    this.#placeOf = grown(this.#placeOf, room);
    this.#rowOf = new Int32Array(room);
    this.#compiled = -1;
    const kept = new Float64Array(DIMENSION * room);
    kept.set(this.#kept);
    this.#kept = kept;
  }

  #reserveProblem(count: number): void {
    const { problem } = this;
    if (problem.mu.length >= count && this.#local.length >= DIMENSION * count) return;
    const room = 2 * count;
    problem.mu = new Float64Array(room);
    problem.q = new Float64Array(DIMENSION * room);
    problem.r = new Float64Array(DIMENSION * room);
    problem.u = new Float64Array(DIMENSION * room);
    this.#local = new Float64Array(DIMENSION * room);
  }
}

function grown(array: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(length).fill(NONE, array.length);
  larger.set(array);
  return larger;
}
