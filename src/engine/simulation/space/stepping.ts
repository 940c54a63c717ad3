/** Time-stepping of bodies in space: contact dynamics as one of the simulations. */
import type { ContactDetection } from '../../collision/contact-detection';
import { ContactDynamicsCertificate, JUDGED } from '../../contact-dynamics/certificate';
import { larger } from '../../contact-dynamics/laws/natural-map';
import type { ContactDynamics, ContactDynamicsStatus } from '../../contact-dynamics/contact-dynamics';
import { GEOMETRY } from '../../contact-dynamics/contact-list';
import { PlaneDistances } from '../../contact-dynamics/plane-distances';
import { ENERGY } from '../../contact-dynamics/energy-ledger';
import type { SimulationSettings } from '../../document/settings';
import type { PassedConditions } from '../../event-driven/conditions/passed-conditions';
import type { StepCounters } from '../../integrators/step';
import { rotateBack } from '../../spatial/quaternion';
import { POSITIONS } from '../../spatial/rigid-body';
import type { Certificate } from '../certificate/certificate';
import type { StateLayout } from '../layout';
import type { Section, SectionPlan } from '../sections/section';
import { SteppedSection } from '../sections/stepped-section';
import type { Completeness, Moment, Simulation, SimulationMemory, SimulationPath } from '../schemes/scheme';
import { worseOf } from '../schemes/worse-of';
import { shapesOverPlanes } from './over-planes';
import { countSteps, endWarnings } from '../schemes/step-count';
import { type CompiledSpace, overlapWarnings } from './compile';
import { createDynamics } from './dynamics';
import { stateFailure } from '../step-failures';
import { bondsStay, otherBodies, stepFailure, withoutSolution } from './failures';
import type { SpaceMemory } from './memory';
import type { Conditioned } from '../prepare';
import { passedConditionsInSpace } from './passed-conditions';
import { JointSignals } from './joint-signals';
import { TautLinks } from './taut-links';
import { WorstElement } from './worst-element';
import { ChoiceWatch } from './choice-watch';
import { UniquenessWatch } from './uniqueness';
import {
  type ContactPlaces,
  ENERGY_SIGNALS,
  NUMERICAL,
  placeContacts,
  placeSpace,
  type SpacePlaces,
  OBSTACLE_NUMBERS,
} from './layout';

/** Entries of the ledger by signal. */
const LEDGER = ENERGY_SIGNALS.map(({ of }) => Int32Array.from(of, (name) => ENERGY[name]));
const GAP = GEOMETRY - 1;
const [COUNT, OVERLAP, NORMAL, TANGENTIAL, SLIP] = [0, 1, 2, 3, 4];
/**
 * The certificate judges each contact and each body by itself, with masses in place of the mobilities that solvers measure with: a body is felt by a contact at
 * its corner as a fourth of its mass, one of a slender stone as a twentieth. So what is solved to a tolerance may be off by that many.
 */
const SHARES = 30;
/** Nothing is satisfied that is off by more, whatever was asked for. */
const MOST = 1e-3;
/** Number of a velocity of a joint at the start, relative to the speeds there are, above which the user is told. */
const ROUNDING = 1e-9;

/** Impacts have no rows of their own: no section is taken on them, and states between two steps are on a line. */
const NO_IMPULSES = { v: 0, ndof: 0, y: 0, yDot: 0, lambda: 0, rows: 0 } as const;

export class SpaceStepping implements Simulation {
  readonly rows: readonly Float64Array[];
  readonly rowCount = 1;
  readonly isKept = false;
  readonly events = [];
  readonly hasConstantStep = true;
  readonly rejectedSteps = 0;
  readonly totalSteps: number;
  readonly warnings: readonly string[];
  readonly dynamics: ContactDynamics;
  readonly #state: Float64Array;
  readonly #places: SpacePlaces;
  readonly #contactPlaces: readonly ContactPlaces[];
  readonly #check: ContactDynamicsCertificate;
  readonly #h: number;
  readonly #joints: JointSignals;
  readonly #elements: WorstElement;
  /** null where positions are brought onto the joints, which do not come apart then */
  readonly #taut: TautLinks | null;
  readonly #choice: ChoiceWatch;
  readonly #conditions: PassedConditions | null;
  readonly #uniqueness: UniquenessWatch;
  #slips = new Float64Array(0);
  /** by interaction of contact: bonds made at the start, and those that hold */
  readonly #bonds: Int32Array;
  readonly #held: Int32Array;
  readonly #worst = new Float64Array(2);
  /** largest T + |V|, and what the scheme has added, J */
  readonly #energies = new Float64Array(2);
  #solverIterations = 0;
  #worstElement: string | null = null;
  readonly #sections: SteppedSection[] = [];

  constructor(
    private readonly space: CompiledSpace,
    conditioned: Conditioned | null,
    { size, systemPlaces }: StateLayout,
    settings: SimulationSettings,
    /** what to go on from with other numbers; absent starts at t₀ */
    private readonly past?: SpaceMemory,
  ) {
    const { materials, model } = space;
    const detection = space.detection();
    this.dynamics = createDynamics(space, detection, settings, settings.t0);
    this.#uniqueness = new UniquenessWatch(this.dynamics, space);
    this.#choice = new ChoiceWatch(this.dynamics);
    const overPlanes = shapesOverPlanes(space);
    const distances =
      overPlanes.length > 0 ? new PlaneDistances(space.system, overPlanes, detection.margin) : null;
    this.#check = new ContactDynamicsCertificate(this.dynamics, materials, distances);
    this.#elements = new WorstElement(space);
    const comesApart = !this.dynamics.settings.projects && space.system.joints.length > 0;
    this.#taut = comesApart ? new TautLinks(this.dynamics, space) : null;
    this.#h = settings.h;
    this.#places = placeSpace(model, 0, 0);
    this.#contactPlaces = placeContacts(model, this.#places.contacts);
    this.#bonds = new Int32Array(this.#contactPlaces.length);
    this.#held = new Int32Array(this.#contactPlaces.length);
    this.#state = new Float64Array(size);
    this.rows = [this.#state];
    this.#joints = new JointSignals(space, this.dynamics, this.#places, this.#state);
    const count = countSteps(settings);
    this.totalSteps = count.steps;
    this.warnings = [...endWarnings(settings, count), ...this.#initialWarnings(detection)];
    if (systemPlaces.size !== space.moving.length) throw new Error('layout and model differ');
    if (past !== undefined) this.#goOn(past, settings);
    const { q, u, time } = this.dynamics;
    const span = { t0: time, tEnd: settings.t0 + this.totalSteps * settings.h, h: settings.h };
    this.#conditions = conditioned === null ? null : passedConditionsInSpace(conditioned, q, u, span);
    if (this.#conditions !== null) this.#conditions.passed = past?.passed ?? null;
    this.#write();
  }

  get time(): number {
    return this.dynamics.time;
  }

  get step(): number {
    return this.dynamics.steps;
  }

  get isAtEnd(): boolean {
    return this.dynamics.steps >= this.totalSteps;
  }

  get eventCount(): number {
    return this.dynamics.closings + (this.past?.closings ?? 0);
  }

  /** Figures of the certificate up to which a run counts as satisfied. */
  get #limit(): number {
    return Math.min(SHARES * this.dynamics.settings.tolerance, MOST);
  }

  get certificate(): Certificate {
    const [cone, law, momentum, joints, limits, drives, moments, gaps, positions, motion] = this.#check.worst;
    const present = {
      complementarity: Math.max(law, limits, moments),
      coneViolation: Math.max(cone, drives, gaps),
      dynamics: Math.max(momentum, joints, positions, motion),
      worstTime: this.dynamics.steps === 0 ? null : this.#worst[1],
      worstElement: this.#worstElement,
      limit: this.#limit,
    };
    return this.past === undefined ? present : worseOf(this.past.certificate, present);
  }

  takeRecent(out: Float64Array): void {
    const { recent } = this.#check;
    const [cone, law, momentum, joints, limits, drives, moments, gaps, positions, motion] = recent;
    out[0] = Math.max(momentum, joints, positions, motion);
    out[1] = Math.max(law, limits, moments);
    out[2] = Math.max(cone, drives, gaps);
    recent.fill(0);
  }

  /** What the scheme itself has added to the energy, relative to the largest one; all other work is in the balance. */
  get energyDrift(): number | null {
    const [largest, numerical] = this.#energies;
    return largest > 0 ? Math.abs(numerical) / largest : null;
  }

  get findings(): readonly string[] {
    const apart = this.#check.worst[JUDGED.indexOf('positions')] > this.#limit;
    const taut = apart ? (this.#taut?.finding ?? null) : null;
    const found = [this.#uniqueness.finding, this.#choice.finding, taut];
    return [...found.filter((finding) => finding !== null), ...(this.#conditions?.findings ?? [])];
  }

  get complete(): Completeness {
    return this.#conditions?.complete ?? true;
  }

  get counters(): StepCounters {
    return { factorisations: 0, newtonIterations: 0, solverIterations: this.#solverIterations };
  }

  get path(): SimulationPath {
    return 'general';
  }

  takeSection(plan: SectionPlan): Section {
    plan.complete(this.#state);
    const section = new SteppedSection({ ...plan, h: this.#h }, NO_IMPULSES, this.#state);
    this.#sections.push(section);
    return section;
  }

  get moment(): Moment {
    const row = this.#state.slice();
    return { time: row[0], row };
  }

  handOver(): SimulationMemory {
    const { dynamics, eventCount: closings, certificate } = this;
    const { q, u, steps } = dynamics;
    const solverIterations = this.#solverIterations;
    if (this.space.materials.some(({ kind }) => kind === 'adhesive')) throw bondsStay(dynamics.time);
    const { coordinates } = dynamics;
    const state = {
      steps,
      q: q.slice(),
      u: u.slice(),
      coordinates: coordinates.slice(),
      closings,
      solverIterations,
      certificate,
      passed: this.#conditions?.passed ?? null,
    };
    return { of: 'space', state };
  }

  #goOn({ steps, q, u, coordinates, solverIterations }: SpaceMemory, { t0, h }: SimulationSettings): void {
    const { dynamics } = this;
    if (q.length !== dynamics.q.length || u.length !== dynamics.u.length) throw otherBodies(t0 + steps * h);
    dynamics.q.set(q);
    dynamics.u.set(u);
    if (coordinates.length === dynamics.coordinates.length) dynamics.recall(coordinates);
    dynamics.steps = steps;
    dynamics.clock[0] = t0 + steps * h;
    this.#solverIterations = solverIterations;
  }

  advance(): void {
    const { dynamics } = this;
    const status: ContactDynamicsStatus = dynamics.advance();
    if (status !== 'ok') throw stepFailure(status, dynamics, this.space, this.#h);
    this.#solverIterations += dynamics.iterations;
    if (!this.#uniqueness.look()) throw withoutSolution(dynamics, this.space, dynamics.time);
    this.#check.judge();
    this.#taut?.look();
    this.#choice.look();
    this.#notice();
    if (!Number.isFinite(this.#worst[0])) throw this.#residualFailure();
    this.#conditions?.follow(dynamics.time);
    this.#write();
    for (const section of this.#sections) section.step();
  }

  /** What is judged in numbers that have overflowed is not judged. */
  #residualFailure(): Error {
    const { dynamics, complementarity } = this.certificate;
    const residual = !Number.isFinite(dynamics)
      ? 'equation of motion'
      : Number.isFinite(complementarity)
        ? 'bounds of the law'
        : 'law';
    return stateFailure({ what: 'residual', element: this.#worstElement, residual }, this.dynamics);
  }

  /** Keeps the time of the worst step. */
  #notice(): void {
    const { worst } = this.#check;
    let largest = 0;
    for (let k = 0; k < worst.length; k++) largest = larger(largest, worst[k]);
    if (largest === this.#worst[0]) return;
    this.#worst[0] = largest;
    this.#worst[1] = this.dynamics.time;
    this.#worstElement = this.#elements.find(this.#check);
  }

  #write(): void {
    const { dynamics, space } = this;
    const { system } = space;
    const state = this.#state;
    const places = this.#places;
    state[0] = dynamics.time;
    for (let i = 0; i < system.positions; i++) state[places.q + i] = dynamics.q[i];
    for (let i = 0; i < system.velocities; i++) state[places.v + i] = dynamics.u[i];
    this.#joints.write();
    this.#writeObstacles();
    this.#writeContacts();
    this.#writeIntensities();
    this.#writeEnergies();
  }

  /** Where obstacles are now, and how they move. */
  #writeObstacles(): void {
    const { motions } = this.space;
    const state = this.#state;
    for (let k = 0; k < motions.length; k++) {
      const at = this.#places.obstacles + OBSTACLE_NUMBERS * k;
      motions[k].pose(this.dynamics.clock, state, at);
      motions[k].velocity(this.dynamics.clock, state, at + POSITIONS);
      rotateBack(state, at + 3, state, at + POSITIONS + 3, state, at + POSITIONS + 3);
    }
  }

  #writeEnergies(): void {
    const { dynamics, space } = this;
    const state = this.#state;
    const first = this.#places.kinetic;
    if (dynamics.steps === 0) {
      state[first] = space.system.kineticEnergy(dynamics.u);
      state[first + 1] = space.system.loadEnergy(dynamics.clock, dynamics.q);
      state[first + 2] = space.system.strainEnergy(dynamics.q);
    } else
      for (let k = 0; k < LEDGER.length; k++) {
        let sum = 0;
        for (let i = 0; i < LEDGER[k].length; i++) sum += dynamics.totalEnergy[LEDGER[k][i]];
        state[first + k] = sum;
      }
    const energy = Math.abs(state[first]) + Math.abs(state[first + 1]) + state[first + 2];
    if (energy > this.#energies[0]) this.#energies[0] = energy;
    this.#energies[1] = state[first + NUMERICAL];
  }

  #writeContacts(): void {
    const state = this.#state;
    const own = this.#contactPlaces;
    for (let k = this.#places.contacts; k < this.#places.kinetic; k++) state[k] = 0;
    const { contacts, impulses, active, activeCount, companions } = this.dynamics;
    if (contacts === null) return;
    for (let c = 0; c < contacts.count; c++) {
      const at = own[contacts.materials[c]].first;
      state[at + OVERLAP] = Math.max(state[at + OVERLAP], -contacts.geometry[GEOMETRY * c + GAP]);
    }
    if (activeCount === 0) return;
    if (this.#slips.length < 3 * activeCount) this.#slips = new Float64Array(6 * activeCount);
    const slips = this.#slips;
    this.dynamics.measureContacts(slips);
    for (let row = 0; row < activeCount; row++) {
      const { first: at, rolling, spinning } = own[contacts.materials[active[row]]];
      const r = 3 * row;
      state[at + COUNT]++;
      state[at + NORMAL] += impulses[r];
      state[at + TANGENTIAL] += Math.sqrt(impulses[r + 1] ** 2 + impulses[r + 2] ** 2);
      const slip = Math.sqrt(slips[r + 1] ** 2 + slips[r + 2] ** 2);
      if (slip > state[at + SLIP]) state[at + SLIP] = slip;
      if (companions === null) continue;
      const { moments } = companions;
      if (rolling >= 0) state[rolling] += Math.sqrt(moments[r + 1] ** 2 + moments[r + 2] ** 2);
      if (spinning >= 0) state[spinning] += Math.abs(moments[r]);
    }
  }

  /** β of bonds: what the law says at the start, then that of the bonds made in the first step. */
  #writeIntensities(): void {
    const { intensities, active, activeCount, contacts, steps } = this.dynamics;
    if (intensities === null) return;
    const state = this.#state;
    const own = this.#contactPlaces;
    const held = this.#held.fill(0);
    for (let k = 0; k < own.length; k++) {
      const material = this.space.materials[k];
      if (material.kind !== 'adhesive') continue;
      state[own[k].leastIntensity] = material.intensity;
      state[own[k].intensity] = steps === 0 ? material.intensity : 0;
    }
    if (contacts === null) return;
    for (let row = 0; row < activeCount; row++) {
      const k = contacts.materials[active[row]];
      const { intensity, leastIntensity } = own[k];
      if (intensity < 0 || intensities[row] === 0) continue;
      held[k]++;
      state[intensity] += intensities[row];
      state[leastIntensity] = Math.min(state[leastIntensity], intensities[row]);
    }
    if (steps === 1) this.#bonds.set(held);
    for (let k = 0; k < own.length; k++) {
      if (own[k].intensity < 0) continue;
      if (this.#bonds[k] > 0) state[own[k].intensity] /= this.#bonds[k];
      if (held[k] < this.#bonds[k] || held[k] === 0) state[own[k].leastIntensity] = 0;
    }
  }

  /** Poses at the start, as the detection numbers them: bodies, then obstacles that move. */
  #startPoses(): Float64Array {
    const { q, clock, obstacles } = this.dynamics;
    if (obstacles === null) return q;
    obstacles.place(clock, 0, 0);
    const poses = new Float64Array(q.length + obstacles.poses.length);
    poses.set(q);
    poses.set(obstacles.poses, q.length);
    return poses;
  }

  #initialWarnings(detection: ContactDetection): string[] {
    const { space, dynamics } = this;
    const { mobility } = dynamics;
    const warnings: string[] = [];
    if (detection.step(this.#startPoses()) === 'ok') warnings.push(...overlapWarnings(space, detection));
    detection.manifolds.clear();
    mobility.update(dynamics.q);
    mobility.aim(dynamics.q, dynamics.u, 0);
    const restricted = dynamics.u.slice();
    mobility.bring(restricted, new Float64Array(mobility.rows));
    const speed = dynamics.u.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const change = restricted.reduce((most, value, i) => Math.max(most, Math.abs(value - dynamics.u[i])), 0);
    if (change > ROUNDING * speed)
      warnings.push(
        `The initial velocities do not satisfy the joints and prescribed speeds: the first step changes them by up to ${change.toPrecision(3)} (m/s or rad/s).`,
      );
    if (mobility.redundant > 0)
      warnings.push(
        `${mobility.redundant} of the equations of the joints follow from the others: their forces are not unique, the motion is.`,
      );
    return warnings;
  }
}
