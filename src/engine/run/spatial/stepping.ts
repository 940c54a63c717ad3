/** Time-stepping of 3D bodies: contact dynamics as one of the simulations. */
import type { ContactDetection } from '../../collision/contact-detection';
import { EnergyBalance } from '../../certificate/energy-balance';
import type { Certificate } from '../../certificate/residual-maxima';
import {
  CONTACT_RESIDUALS,
  ContactDynamicsCertificate,
  type ContactElements,
} from '../../contact-dynamics/certificate/certificate';
import type { ContactDynamics } from '../../contact-dynamics/contact-dynamics';
import { GEOMETRY } from '../../contact-dynamics/contacts/contact-list';
import { ENERGY } from '../../contact-dynamics/energy-terms';
import type { SimulationSettings } from '../../document/settings';
import { ConditionedElement } from '../../event-driven/conditions/conditioned-elements';
import { PassedConditions, type PassedSettings } from '../../event-driven/conditions/passed-conditions';
import type { StepCounters } from '../../integrators/step';
import type { Adhesion } from '../../model/contact-laws/contact-law';
import { createContactLaw } from '../../model/contact-laws/registry';
import { certifiedLimit } from '../../model/settings/friction-solvers';
import type { StateLayout } from '../../preparation/layout';
import type { Conditioned } from '../../preparation/prepare';
import { type CompiledSpace, overlapWarnings } from '../../preparation/spatial/compile';
import { JointSignals } from '../../preparation/spatial/joint-signals';
import {
  COUNT,
  type ContactPlaces,
  ENERGY_SIGNALS,
  NUMERICAL,
  KINEMATIC_NUMBERS,
  NORMAL,
  OVERLAP,
  SLIP,
  type SpacePlaces,
  TANGENTIAL,
  placeContacts,
  placeSpace,
} from '../../preparation/spatial/layout';
import { type Archived, StateArchive } from '../../state-archive';
import { rotateBack } from '../../spatial/quaternion';
import { POSITIONS } from '../../spatial/bodies/rigid-body';
import { isDrive } from '../../spatial/system';
import { stateFailure } from '../../time-stepping/failures';
import {
  type Completeness,
  type Moment,
  type Simulation,
  type SimulationMemory,
  type SimulationPath,
  type SpaceMemory,
  type RunControl,
  countSteps,
  endWarnings,
} from '../schemes/scheme';
import type { Section, SectionPlan } from '../../preparation/section';
import { SteppedSection } from '../sections/stepped-section';
import { detectionChecks } from './detection-checks';
import { DividedSteps } from './divided-steps';
import { createDynamics } from './dynamics';
import {
  ChoiceWatch,
  UniquenessWatch,
  bondsStay,
  otherBodies,
  stepFailure,
  withoutSolution,
} from './failures';
import { SpaceStepControl } from './step-control';
import { TautLinks } from './taut-links';

/*
 * Conditions of time that steps of 3D bodies may pass over: those of their loads, their moments of
 * inertia, and of motions that are prescribed.
 */

/**
 * @param conditioned the model with functions whose conditions can be held; not the one that is simulated
 * @param q, u of all bodies, as the simulation has them
 * @returns null where functions come to no condition that could change
 */
function passedConditionsInSpace(
  { model: { conditions }, space }: Conditioned,
  q: Float64Array,
  u: Float64Array,
  settings: PassedSettings,
): PassedConditions | null {
  if (conditions === undefined || space === null) return null;
  const { system, motions } = space;
  const size = q.length + u.length;
  const read = (x: Float64Array): void => {
    x.set(q);
    x.set(u, q.length);
  };
  const state = new Float64Array(size);
  const [positions, velocities] = [state.subarray(0, q.length), state.subarray(q.length)];
  const force = new Float64Array(u.length);
  const inertia = new Float64Array(9);
  const calls = [
    (clock: Float64Array): void => system.force(clock, positions, velocities, force),
    ...system.changing.map(
      ({ body }) =>
        (clock: Float64Array) =>
          body.law?.(clock, inertia.fill(0)),
    ),
    ...motions.map((motion) => (clock: Float64Array) => motion.consult(clock)),
  ];
  const { sequences, trace } = conditions;
  const all = Int32Array.from({ length: size }, (_, i) => i);
  const x = new Float64Array(size);
  read(x);
  const clock = Float64Array.of(settings.t0);
  const none = new Float64Array(0);
  const element = new ConditionedElement(
    sequences,
    calls,
    all,
    all,
    state,
    new Float64Array(size),
    false,
    0,
    none,
    clock,
    x,
  );
  const isSampled = element.sequences.length < sequences.length || trace.unfollowed.length > 0;
  if (!element.hasConditions && !isSampled) return null;
  const elements = element.hasConditions ? [element] : [];
  return new PassedConditions(elements, trace.sites, isSampled, size, 0, settings, read);
}

/** Names the elements that figures of the certificate belong to. */
export function residualElements({ contacts, model, moving, system }: CompiledSpace): ContactElements {
  const ofContacts = contacts.map(({ id }) => id);
  const ofBodies = moving.map((body) => model.bodies[body].id);
  const { joints } = system;
  // Rows of all equations come first, then those of the speeds that motors prescribe.
  const ofJoints = joints.map(({ id }) => id);
  const equations = joints.flatMap(({ id, rows }) => rows.flatMap(({ labels }) => labels.map(() => id)));
  const drives = joints.flatMap(({ id, motors }) => motors.filter(isDrive).map(() => id));
  return {
    cone: ofContacts,
    law: ofContacts,
    moments: ofContacts,
    gaps: ofContacts,
    momentum: ofBodies,
    motion: ofBodies,
    joints: [...equations, ...drives],
    limits: ofJoints,
    drives: ofJoints,
    positions: equations,
  };
}

/** Entries of `ENERGY` by signal. */
const ENTRIES = ENERGY_SIGNALS.map(({ of }) => Int32Array.from(of, (name) => ENERGY[name]));
/** Works that nature does: all but what the scheme adds. */
const WORKS = Int32Array.from(
  ENERGY_SIGNALS.slice(3, NUMERICAL).flatMap(({ of }) => of.map((name) => ENERGY[name])),
);
const GAP = GEOMETRY - 1;
/**
 * Number of a velocity of a joint at the start, relative to the speeds there are, above which the user is
 * told.
 */
const ROUNDING = 1e-9;

/**
 * Impacts have no rows of their own: no section is taken on them, and states between two steps are on a line.
 * Nothing is reset.
 */
const NO_JUMPS = { v: 0, ndof: 0, y: 0, yDot: 0, lambda: 0, rows: 0, resets: 0, observables: 0 } as const;

export class SpaceStepping implements Simulation, Archived {
  readonly rows: readonly Float64Array[];
  readonly rowCount = 1;
  readonly isKept = false;
  readonly events = [];
  readonly hasConstantStep: boolean;
  readonly totalSteps: number;
  readonly warnings: readonly string[];
  readonly dynamics: ContactDynamics;
  readonly #state: Float64Array;
  readonly #places: SpacePlaces;
  readonly #contactPlaces: readonly ContactPlaces[];
  /** by interaction of contact; null where its law does not bond */
  readonly #adhesions: readonly (Adhesion | null)[];
  readonly #check: ContactDynamicsCertificate;
  readonly #h: number;
  readonly #joints: JointSignals;
  /** null where positions are brought onto the joints, which do not come apart then */
  readonly #taut: TautLinks | null;
  readonly #choice: ChoiceWatch;
  readonly #conditions: PassedConditions | null;
  readonly #uniqueness: UniquenessWatch;
  #slips = new Float64Array(0);
  /** by interaction of contact: bonds made at the start, and those that hold */
  readonly #bonds: Int32Array;
  readonly #held: Int32Array;
  readonly #balance = new EnergyBalance();
  #solverIterations = 0;
  /** contacts that had closed before the numbers of the model were changed last */
  #formerClosings = 0;
  /** null where all steps have one length */
  readonly #control: SpaceStepControl | null;
  /** null where all steps have one length, or step control chooses it */
  readonly #divided: DividedSteps | null;
  readonly #tEnd: number;
  readonly #sections: SteppedSection[] = [];

  constructor(
    private readonly space: CompiledSpace,
    conditioned: Conditioned | null,
    { size, systemPlaces }: StateLayout,
    settings: SimulationSettings,
    /** its control blocks; null where there are none */
    private readonly blocks: RunControl | null,
    /** what to go on from with other numbers; absent starts at t₀ */
    past?: SpaceMemory,
  ) {
    const { materials, model } = space;
    const detection = space.detection();
    const samples = blocks?.samples ?? null;
    const isDivided = settings.stepControl === null && samples?.isOnGrid === false;
    this.dynamics = createDynamics(space, detection, settings, settings.t0, isDivided);
    this.#uniqueness = new UniquenessWatch(this.dynamics, space);
    this.#choice = new ChoiceWatch(this.dynamics);
    const checks = detectionChecks(space, this.dynamics.kinematicBodies, detection.margin);
    this.#check = new ContactDynamicsCertificate(this.dynamics, materials, checks, residualElements(space));
    const comesApart = !this.dynamics.settings.projects && space.system.joints.length > 0;
    this.#taut = comesApart ? new TautLinks(this.dynamics, space) : null;
    this.#h = settings.h;
    this.#places = placeSpace(model, 0, 0);
    this.#contactPlaces = placeContacts(model, this.#places.contacts);
    this.#adhesions = this.space.materials.map((material) => createContactLaw(material).adhesion ?? null);
    this.#bonds = new Int32Array(this.#contactPlaces.length);
    this.#held = new Int32Array(this.#contactPlaces.length);
    this.#state = new Float64Array(size);
    this.rows = [this.#state];
    this.#joints = new JointSignals(space, this.dynamics, this.#places, this.#state);
    const count = countSteps(settings);
    this.totalSteps = count.steps;
    const initial = this.#initialWarnings(detection);
    this.warnings = [...endWarnings(settings, count), ...(past === undefined ? initial : [])];
    if (systemPlaces.size !== space.moving.length) throw new Error('layout and model differ');
    this.hasConstantStep = settings.stepControl === null && !isDivided;
    this.#tEnd = isDivided ? settings.t0 + count.steps * settings.h : settings.tEnd;
    this.#divided =
      isDivided && samples !== null
        ? new DividedSteps(this.dynamics, samples, settings.t0, settings.h)
        : null;
    const { stepControl } = settings;
    this.#control =
      stepControl === null
        ? null
        : new SpaceStepControl(space, this.dynamics, detection, stepControl, settings);
    if (past !== undefined && past.archive !== null) past.archive.load(this);
    else {
      if (past !== undefined) this.#goOn(past, settings);
      this.#startEnergy();
      this.#write();
      if (past === undefined) this.#sample();
      else samples?.write(this.#state);
      this.#control?.start(this.#nextSample);
    }
    if (past !== undefined) this.#check.load(past.certificate);
    const { q, u, time } = this.dynamics;
    const span = { t0: time, tEnd: settings.t0 + this.totalSteps * settings.h, h: settings.h };
    this.#conditions = conditioned === null ? null : passedConditionsInSpace(conditioned, q, u, span);
    if (this.#conditions !== null) this.#conditions.passed = past?.passed ?? null;
    blocks?.judge(this.#state, this.#state);
  }

  exchange(archive: StateArchive): void {
    this.dynamics.exchange(archive);
    this.#check.exchange(archive);
    this.#balance.exchange(archive);
    this.#uniqueness.exchange(archive);
    this.#choice.exchange(archive);
    this.#taut?.exchange(archive);
    this.#control?.exchange(archive);
    this.#divided?.exchange(archive);
    archive.fixed(this.#state);
    archive.fixed(this.#bonds);
    this.#solverIterations = archive.value(this.#solverIterations);
    this.#formerClosings = archive.value(this.#formerClosings);
  }

  get time(): number {
    return this.dynamics.time;
  }

  get step(): number {
    return this.dynamics.steps;
  }

  get isAtEnd(): boolean {
    if (this.hasConstantStep) return this.dynamics.steps >= this.totalSteps;
    return this.dynamics.time >= this.#tEnd;
  }

  get eventCount(): number {
    return this.dynamics.closings + this.#formerClosings;
  }

  /** Figures of the certificate up to which a run counts as satisfied. */
  get #limit(): number {
    return certifiedLimit(this.dynamics.settings.tolerance);
  }

  get certificate(): Certificate {
    const report = { ...this.#check.report, limit: this.#limit };
    return this.blocks?.certificate(report) ?? report;
  }

  takeRecent(out: Float64Array): void {
    this.#check.takeRecent(out);
    this.blocks?.takeRecent(out);
  }

  /** What the scheme itself has added to the energy: all other work is in the balance. */
  get energyDrift(): number | null {
    return this.#balance.drift;
  }

  get energyGain(): number | null {
    return this.#balance.gain;
  }

  get findings(): readonly string[] {
    const apart = this.#check.worst[CONTACT_RESIDUALS.indexOf('positions')] > this.#limit;
    const taut = apart ? (this.#taut?.finding ?? null) : null;
    const found = [this.#uniqueness.finding, this.#choice.finding, taut];
    return [...found.filter((finding) => finding !== null), ...(this.#conditions?.findings ?? [])];
  }

  get complete(): Completeness {
    return this.#conditions?.complete ?? true;
  }

  get rejectedSteps(): number {
    return this.#control?.rejected ?? 0;
  }

  get counters(): StepCounters {
    return { factorisations: 0, newtonIterations: 0, solverIterations: this.#solverIterations };
  }

  get path(): SimulationPath {
    return 'general';
  }

  takeSection(plan: SectionPlan): Section {
    plan.complete(this.#state);
    const section = new SteppedSection({ ...plan, h: this.#h }, NO_JUMPS, this.#state);
    this.#sections.push(section);
    return section;
  }

  get moment(): Moment {
    const row = this.#state.slice();
    return { time: row[0], row };
  }

  save(): SimulationMemory {
    const archive = new StateArchive();
    archive.save(this);
    return this.#memory(archive);
  }

  handOver(): SimulationMemory {
    if (this.#adhesions.some((adhesion) => adhesion !== null)) throw bondsStay(this.time);
    return this.#memory(null);
  }

  #memory(archive: StateArchive | null): SimulationMemory {
    const { steps, q, u, coordinates, time } = this.dynamics;
    const state = {
      steps,
      time,
      q: q.slice(),
      u: u.slice(),
      coordinates: coordinates.slice(),
      closings: this.eventCount,
      solverIterations: this.#solverIterations,
      certificate: this.#check.save(),
      passed: this.#conditions?.passed ?? null,
      archive,
      control: this.blocks?.save() ?? null,
    };
    return { of: 'space', state };
  }

  #goOn(past: SpaceMemory, { t0, h }: SimulationSettings): void {
    const { dynamics } = this;
    const { steps, q, u, coordinates, solverIterations, time } = past;
    if (q.length !== dynamics.q.length || u.length !== dynamics.u.length) throw otherBodies(time);
    dynamics.q.set(q);
    dynamics.u.set(u);
    if (coordinates.length === dynamics.coordinates.length) dynamics.recall(coordinates);
    dynamics.steps = steps;
    dynamics.clock[0] = this.hasConstantStep ? t0 + steps * h : time;
    this.#divided?.goOn();
    this.#solverIterations = solverIterations;
    this.#formerClosings = past.closings;
  }

  advance(): void {
    const { dynamics } = this;
    this.#divided?.aim();
    const status = this.#control === null ? dynamics.advance() : this.#control.advance();
    if (status !== 'ok') throw stepFailure(status, dynamics, this.space, dynamics.h);
    this.#solverIterations += dynamics.iterations;
    if (!this.#uniqueness.look()) throw withoutSolution(dynamics, this.space, dynamics.time);
    this.#check.judge();
    this.#followEnergy();
    this.#taut?.look();
    this.#choice.look();
    if (!this.#check.isFinite) {
      // What is judged in numbers that have overflowed is not judged.
      const { report, overflown: residual } = this.#check;
      throw stateFailure({ what: 'residual', element: report.worstElement, residual }, dynamics);
    }
    this.#conditions?.follow(dynamics.time);
    this.#write();
    if (this.#sample()) this.#control?.forget();
    this.blocks?.judge(this.#state, this.#state);
    for (const section of this.#sections) section.step();
    this.#control?.next(this.#nextSample);
  }

  /** Time of the next sample of control blocks, s. */
  get #nextSample(): number {
    return this.blocks?.samples.nextTime ?? Infinity;
  }

  /** Samples control blocks that are due at the present. @returns whether there are some */
  #sample(): boolean {
    const { dynamics } = this;
    const samples = this.blocks?.samples;
    if (samples?.isDue(dynamics.time) !== true) return false;
    samples.sample(this.#state, dynamics.time);
    samples.write(this.#state);
    return true;
  }

  #startEnergy(): void {
    const { kinetic, potential } = this.#balance.sums;
    const { u, q, clock, system } = this.dynamics;
    kinetic[0] = system.kineticEnergy(u);
    potential[0] = system.loadEnergy(clock, q) + system.strainEnergy(q);
    this.#balance.start();
  }

  #followEnergy(): void {
    const { kinetic, potential, work } = this.#balance.sums;
    const { energy } = this.dynamics;
    this.#balance.begin();
    kinetic[0] = energy[ENERGY.kinetic];
    potential[0] = energy[ENERGY.potential] + energy[ENERGY.strain];
    for (let k = 0; k < WORKS.length; k++) work[0] += energy[WORKS[k]];
    this.#balance.finish();
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
    this.#writeKinematicBodies();
    this.#writeContacts();
    this.#writeIntensities();
    this.#writeEnergies();
  }

  /** Where kinematic bodies are now, and how they move. */
  #writeKinematicBodies(): void {
    const { motions } = this.space;
    const state = this.#state;
    for (let k = 0; k < motions.length; k++) {
      const at = this.#places.kinematicBodies + KINEMATIC_NUMBERS * k;
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
      for (let k = 0; k < ENTRIES.length; k++) {
        let sum = 0;
        for (let i = 0; i < ENTRIES[k].length; i++) sum += dynamics.totalEnergy[ENTRIES[k][i]];
        state[first + k] = sum;
      }
  }

  #writeContacts(): void {
    const state = this.#state;
    const own = this.#contactPlaces;
    for (let k = this.#places.contacts; k < this.#places.kinetic; k++) state[k] = 0;
    const { contacts, impulses, active, activeCount, momentRows } = this.dynamics;
    if (contacts === null) return;
    this.dynamics.stages?.addImpulses(this.#addForces);
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
      if (momentRows === null) continue;
      const { moments } = momentRows;
      if (rolling >= 0) state[rolling] += Math.sqrt(moments[r + 1] ** 2 + moments[r + 2] ** 2);
      if (spinning >= 0) state[spinning] += Math.abs(moments[r]);
    }
  }

  /** Adds impulses of forces besides those of an impact to the sums of an interaction. */
  readonly #addForces = (contact: number, normal: number, tangential: number): void => {
    const at = this.#contactPlaces[contact].first;
    this.#state[at + NORMAL] += normal;
    this.#state[at + TANGENTIAL] += tangential;
  };

  /** β of bonds: what the law says at the start, then that of the bonds made in the first step. */
  #writeIntensities(): void {
    const { intensities, active, activeCount, contacts, steps } = this.dynamics;
    if (intensities === null) return;
    const state = this.#state;
    const own = this.#contactPlaces;
    const held = this.#held.fill(0);
    for (let k = 0; k < own.length; k++) {
      const adhesion = this.#adhesions[k];
      if (adhesion === null) continue;
      state[own[k].leastIntensity] = adhesion.start;
      state[own[k].intensity] = steps === 0 ? adhesion.start : 0;
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

  /** Poses at the start, as the detection numbers them: bodies, then kinematic bodies that move. */
  #startPoses(): Float64Array {
    const { q, clock, kinematicBodies } = this.dynamics;
    if (kinematicBodies === null) return q;
    kinematicBodies.place(clock, 0, 0);
    const poses = new Float64Array(q.length + kinematicBodies.poses.length);
    poses.set(q);
    poses.set(kinematicBodies.poses, q.length);
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
