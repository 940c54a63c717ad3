/**
 * Contact dynamics of bodies, rigid or pseudo-rigid, with joints (Solfec, basics (1)–(11), and local
 * dynamics): positions and free velocities by a scheme (`schemes/`), impulses from the friction-contact
 * problem. A step, written down for positions by half steps, is
 *
 *     1  q_½ = q ⊕ ½h u
 *     2  B: u_f = u + M⁻¹ h f(t_½, q_½), brought onto the joints, G u_f = b      (`BodyMobility`)
 *     3  contacts at q_½, their local frames H, those that are closed active; rows of joints (`JointRows`)
 *        likewise
 *     4  W = H P ᵗH and q = H u_f + e H u⁻                        (`StepOperator`)
 *     5  R from K_μ ∋ R ⊥ Û ∈ K*_μ, Û that of U + e U⁻ = W R + q  (`FrictionContactProblem`)
 *     6  u⁺ = u_f + P ᵗH R, zero where contacts hold bodies at rest (`RestingGroups`),   q⁺ = q_½ ⊕ ½h u⁺
 *
 * The θ-method has q ⊕ h u in place of q_½, and repeats 2 and 4–6 where loads depend on u⁺. Combined
 * projection repeats them with other b (`position-corrections.ts`). With rows of joints at q⁺ they are
 * repeated with G(q⁺) and H(q⁺) of the last q⁺ until that stays, which contracts by h |u| |∂G| and ends at
 *
 *     M (u⁺ − u⁻) = p + ᵗG(q⁺) λ + ᵗH R,     G(q⁺) u⁺ = ω;
 *
 * with those at q⁻ nothing is repeated.
 *
 * Impulses R are those over the step, where Solfec, local dynamics has forces R/h and W with the factor h.
 * Frames of contacts that persist keep their impulse as the guess of the next step. What is not a rigid
 * contact changes W, q and R as its law says (`model/contact-laws/contact-law.ts`). Laws of impact other than
 * Newton's act between 4 and 5, which has e = 0 then (`impact-phase.ts`).
 */
import { FrictionContactProblem } from '../problems/friction-contact';
import type { FrictionSolver } from '../solvers/friction/solver';
import { createSolverResult } from '../solvers/solver';
import { requireStableStep } from '../spatial/bodies/critical-step';
import type { StateArchive } from '../state-archive';
import { holdPositions, holdVelocities } from '../spatial/plane-of-motion';
import type { RigidBody } from '../spatial/bodies/rigid-body';
import { type SpatialSystem, requireInertia } from '../spatial/system';
import { ActiveFrames } from './contacts/active-frames';
import { CombinedProjection } from './positions/combined-projection';
import { PositionCorrections, createProjection } from './positions/position-corrections';
import { TouchingContacts } from './positions/touching-contacts';
import type { ContactMaterial } from '../model/contact-laws/registry';
import { type ContactList, type ContactSource, momentNumbers } from './contacts/contact-list';
import { ContactFrames } from './contacts/contact-frames';
import { MomentRows } from './moment-rows';
import { EndRows } from './end-rows';
import { EnergyTerms, type EnergyStep } from './energy-terms';
import { LawTerms } from './law-terms';
import { ImpactPhase } from './impact-phase';
import type { ContactLaw } from '../model/contact-laws/contact-law';
import { createContactLaw } from '../model/contact-laws/registry';
import { JointRows } from './joint-rows';
import { BodyMobility } from './mobility';
import { KinematicBodies } from './contacts/kinematic-bodies';
import { JointReactions } from './reactions';
import { RestingGroups } from './rest';
import { SpatialGalerkinSteps } from './schemes/galerkin-steps';
import { createScheme } from './schemes/registry';
import type { StepScheme } from './schemes/scheme';
import type { ContactDynamicsSettings, ContactDynamicsStatus } from './settings';
import { Settling } from './settling';
import { StepAims } from './step-aims';
import { StepOperator } from './step-operator';

const DIMENSION = 3;
/** Part of the tolerance where bodies that stop would lose momentum. */
const FINER = 1e-2;

export type { ContactDynamicsSettings, ContactDynamicsStatus };

export class ContactDynamics {
  /** [0] time, s */
  readonly clock: Float64Array;
  /** [0] length of the step, s: it may change between steps where `settings.hMax` says so */
  readonly length: Float64Array;
  /** positions of all bodies */
  readonly q: Float64Array;
  /** velocities of all bodies */
  readonly u: Float64Array;
  /** [0] time at the start of the last step, s */
  readonly begun = new Float64Array(1);
  /** q at the start of the step */
  readonly start: Float64Array;
  /**
   * impulses of joints that the step has been begun with, as `StepScheme.expectReactions` asks for; null
   * where it does not
   */
  readonly expected: Float64Array | null;
  steps = 0;
  /** time at which the next step ends, s; null where it follows from the length */
  aimedEnd: number | null = null;
  /** of the solver of friction in the last step, over all repetitions of its problem */
  iterations = 0;
  /** contacts of the last step, where its frames are */
  contacts: ContactList | null = null;
  readonly frames: ContactFrames;
  readonly mobility: BodyMobility;
  /**
   * what the automatic choice of the solver tried in the last step, and what came of it; null where its first
   * choice did
   */
  choice: string | null = null;
  readonly result = createSolverResult();
  /**
   * the problem of the last step: rows of active contacts, then those of active rows of joints, then
   * moment rows of contacts
   */
  readonly problem = new FrictionContactProblem(DIMENSION, 16, 64);
  /**
   * velocities at the start of the last step; those after loads alone; and those with joints, but without
   * contacts
   */
  readonly before: Float64Array;
  /** velocities that restitution compares with: `before`, or those just before the impact of a step */
  readonly approach: Float64Array;
  readonly unbound: Float64Array;
  readonly free: Float64Array;
  /** q_* of the last step, where its frames are */
  readonly middle: Float64Array;
  /** where the rows of joints of the last step are formed: q_*, or q⁻ or q⁺ before its correction */
  readonly jointPositions: Float64Array;
  /** q⁺ of the last step before positions were corrected */
  readonly uncorrected: Float64Array;
  /** limits, friction and motors */
  readonly jointRows: JointRows;
  /** groups of bodies at rest in the last step */
  readonly resting: RestingGroups;
  readonly reactions: JointReactions;
  readonly scheme: StepScheme;
  /** the scheme, where it has contact forces; null where it has impulses only */
  readonly stages: SpatialGalerkinSteps | null;
  /** coordinates of the joints after the last step, angles with whole turns */
  readonly coordinates: Float64Array;
  /** null where impacts obey Newton's law, in the problem of the step */
  readonly impacts: ImpactPhase | null;
  readonly #energy: EnergyTerms;
  readonly #record: EnergyStep;
  readonly #frames: ActiveFrames;
  readonly #operator: StepOperator;
  readonly #settling: Settling;
  readonly #laws: readonly ContactLaw[];
  /** null where all contacts are rigid and none pulls */
  readonly #terms: LawTerms | null;
  /** further rows of contacts, as of rolling friction; null where there are none */
  readonly momentRows: MomentRows | null;
  /** those that move; null where none does */
  readonly kinematicBodies: KinematicBodies | null;
  /** null where velocities satisfy joints as the scheme says */
  readonly #combined: CombinedProjection | null;
  readonly #corrections: PositionCorrections;
  readonly #impulse: Float64Array;
  /** null where rows of joints are formed once a step */
  readonly #endRows: EndRows | null;
  /**
   * λ of the joints in the last step without contacts, which the gyroscopic term of the next one knows of;
   * null without joints
   */
  readonly #expected: Float64Array | null;
  /** [0] time at the end of the step, s */
  readonly #end: Float64Array;
  /** [0] length of the last complete step, and of the one before it, s */
  readonly #completed: Float64Array;
  readonly #formerLength: Float64Array;
  /** body whose function of time has given an inertia that no body has; null when all is well */
  unfit: RigidBody | null = null;
  /** what velocities of contacts aim at */
  readonly aims: StepAims;
  /** U⁺ by row */
  #work = new Float64Array(0);
  /** e (U⁻ + b) by row */
  former = new Float64Array(0);

  /**
   * @throws {EngineError} `step-above-critical` when h is too long for a pseudo-rigid body,
   *   `inertia-not-positive` when a function of time begins with an inertia that no body has
   */
  constructor(
    readonly system: SpatialSystem,
    private readonly source: ContactSource,
    materials: readonly ContactMaterial[],
    private readonly solver: FrictionSolver,
    readonly settings: ContactDynamicsSettings,
  ) {
    const { t0, h, hMax = h, motion, tolerance, kinematicBodies = [] } = settings;
    const { impacts = { type: 'Newton' } } = settings;
    this.kinematicBodies = kinematicBodies.length === 0 ? null : new KinematicBodies(kinematicBodies);
    requireStableStep(system, Math.max(h, hMax));
    this.length = Float64Array.of(h);
    this.#completed = Float64Array.of(h);
    this.#formerLength = Float64Array.of(h);
    this.clock = Float64Array.of(t0);
    this.#end = Float64Array.of(t0);
    this.coordinates = new Float64Array(system.coordinates.count);
    requireInertia(system, this.clock);
    this.q = system.initialPositions();
    this.u = system.initialVelocities();
    system.coordinates.follow(this.coordinates);
    system.coordinates.position(this.q, this.coordinates);
    system.coordinates.follow(this.coordinates);
    this.start = this.q.slice();
    this.before = this.u.slice();
    this.unbound = this.u.slice();
    this.free = this.u.slice();
    this.middle = this.q.slice();
    this.jointPositions = (settings.jointPoint ?? 'predicted') === 'predicted' ? this.middle : this.q.slice();
    this.uncorrected = this.q.slice();
    this.mobility = new BodyMobility(system);
    this.frames = new ContactFrames(this.mobility);
    this.jointRows = new JointRows(system, this.mobility, this.length, this.start);
    this.resting = new RestingGroups(system, this.mobility, this.frames);
    this.#laws = materials.map((material) => createContactLaw(material));
    const { mobility, jointRows, result, frames, length } = this;
    const parts = {
      ...{ system, mobility, jointRows, laws: this.#laws, solver, tolerance, result },
      kinematicBodies: this.kinematicBodies,
    };
    this.scheme =
      'closedGap' in motion ? new SpatialGalerkinSteps(motion, source, parts) : createScheme(system, motion);
    this.stages = this.scheme instanceof SpatialGalerkinSteps ? this.scheme : null;
    this.approach = this.stages?.leftLimit ?? this.before;
    this.reactions = new JointReactions(system, this.mobility, this.jointRows, this.stages);
    const numbers = momentNumbers(materials);
    this.#frames = new ActiveFrames(
      this.mobility,
      this.jointRows,
      this.#laws,
      this.scheme,
      numbers,
      this.kinematicBodies,
    );
    const active = this.#frames;
    const { scheme, kinematicBodies: moving } = this;
    this.aims = new StepAims(this.#laws, active, frames, scheme, length, system.velocities);
    this.momentRows = numbers === null ? null : new MomentRows(system, this.#frames, numbers);
    const isPlain = this.#laws.every(({ isRigid, pull }) => isRigid && pull === 0);
    this.#terms = isPlain ? null : new LawTerms(this.#laws, this.#frames, this.length, this.kinematicBodies);
    this.impacts =
      impacts.type === 'Newton'
        ? null
        : new ImpactPhase(this.#laws, this.#frames, impacts, tolerance, this.length);
    this.#endRows =
      settings.jointPoint === 'end' && this.mobility.rows + this.jointRows.list.length > 0
        ? new EndRows(this.jointPositions, this.mobility, this.jointRows, this.scheme)
        : null;
    this.#energy = new EnergyTerms(system, mobility, frames, active, jointRows, moving);
    const { resting, aims, impacts: impact } = this;
    this.#settling = new Settling({
      ...{ resting, active, aims, mobility, jointRows, impacts: impact },
      ...{ terms: this.#terms, kinematicBodies: moving, stages: this.stages },
    });
    this.#operator = new StepOperator(
      system,
      this.problem,
      this.mobility,
      this.frames,
      this.#frames,
      this.jointRows,
      this.momentRows,
      this.#terms,
    );
    this.#expected = this.#expectReactions();
    this.expected = this.#expected?.slice() ?? null;
    const { before, unbound, u, stages, reactions } = this;
    this.#record = { before, unbound, u, scheme, stages, jointImpulses: reactions.impulses };
    this.#impulse = new Float64Array(system.velocities);
    const projection = createProjection(system, this.jointRows, settings, this.#laws, this.kinematicBodies);
    this.#combined = CombinedProjection.create(
      projection,
      mobility,
      this.scheme,
      settings,
      (gaps) => new TouchingContacts(gaps, this.#frames, this.aims, this.impacts),
    );
    this.#corrections = new PositionCorrections(
      system,
      this.mobility,
      this.frames,
      this.#frames,
      this.#laws,
      solver,
      this.scheme,
      this.kinematicBodies,
      projection,
      settings,
      source.margin ?? Number.POSITIVE_INFINITY,
    );
  }

  /** Length of a step, s. */
  get h(): number {
    return this.length[0];
  }

  /** Time of the last complete step, s. */
  get time(): number {
    return this.clock[0];
  }

  /** Active ones among the contacts, in the order of the rows. */
  get active(): Int32Array {
    return this.#frames.contacts;
  }

  get activeCount(): number {
    return this.#frames.contactCount;
  }

  /** R of the last step, 3 by row, N s; `problem.r` is what the solver knows it by. */
  get impulses(): Float64Array {
    return this.impacts === null ? this.#rest : this.impacts.total;
  }

  /** R without impacts of laws other than Newton's. */
  get #rest(): Float64Array {
    return this.#terms === null ? this.problem.r : this.#terms.impulses;
  }

  /** Intensity β of the bonds of active contacts in the last step, by row; null where no law has bonds. */
  get intensities(): Float64Array | null {
    return this.#terms?.adhesion?.intensity ?? null;
  }

  /** Contacts that have closed, and stops of joints that have been reached, so far. */
  get events(): number {
    return this.#frames.closings + this.#frames.stops;
  }

  /**
   * Whether contacts that were open in the last step end it in an overlap, to first order of h, or stops of
   * joints have been passed.
   */
  get endsInOverlap(): boolean {
    const { contacts, middle, before, u, scheme } = this;
    if (this.jointRows.arePassed(this.q)) return true;
    if (this.#combined?.findsContacts === true) return false;
    return contacts !== null && this.#frames.endInOverlap(contacts, middle, before, u, scheme, this.h);
  }

  /**
   * How much later gaps are measured than after a step as long as the one before, s: they are those of q_*,
   * taken back by lag h u⁻. Zero where all steps have one length.
   */
  get gapsAhead(): number {
    const { part, lag } = this.scheme;
    return (part - lag) * (this.h - this.#formerLength[0]);
  }

  /** Time from where gaps were measured in the step before to where they are in this one, s. */
  get timeBetweenGaps(): number {
    return this.#formerLength[0] + this.gapsAhead;
  }

  /** Contacts that have closed so far. */
  get closings(): number {
    return this.#frames.closings;
  }

  /** Rows of joints that take part. */
  get activeJointRowCount(): number {
    return this.#frames.jointCount;
  }

  /**
   * Impulses of the joints in the last step by row of `system.equations`, then of `system.drives`, N s or N m
   * s.
   */
  get jointImpulses(): Float64Array {
    return this.reactions.impulses;
  }

  /** q⁺ where G(q⁺) u⁺ = ω holds; null where velocities satisfy joints as the scheme says. */
  get boundAt(): Float64Array | null {
    return this.#combined === null ? null : this.#combined.positions;
  }

  /** Energies after the last step and work in it, J; places in `ENERGY`. */
  get energy(): Float64Array {
    return this.#energy.step;
  }

  /** Energies after the last step and work since the start, J. */
  get totalEnergy(): Float64Array {
    return this.#energy.total;
  }

  /** U⁺ at the active contacts of the last step. @param out 3 by row */
  measureContacts(out: Float64Array): void {
    this.frames.measure(this.u, out);
    this.kinematicBodies?.addTo(out, this.activeCount);
  }

  /**
   * Mean force and moment that a joint, limits, friction and motors included, has put on its second body in
   * the last step.
   * @param out force, N, and moment about the joint's point on that body, N m, in the world's frame
   */
  appliedOn(joint: number, out: Float64Array): void {
    this.reactions.appliedOn(joint, this.jointPositions, this.length[0], out);
  }

  /** Counts angles of joints on from those. @param coordinates of all joints */
  recall(coordinates: Float64Array): void {
    this.coordinates.set(coordinates);
    this.system.coordinates.follow(coordinates);
  }

  /** Time, state, and what the next step knows of those before. */
  exchange(archive: StateArchive): void {
    for (const values of [this.clock, this.q, this.u, this.coordinates, this.middle]) archive.fixed(values);
    if (this.jointPositions !== this.middle) archive.fixed(this.jointPositions);
    archive.fixed(this.#completed);
    if (this.#expected !== null) archive.fixed(this.#expected);
    this.steps = archive.value(this.steps);
    this.source.exchange(archive);
    this.settings.projectedContacts?.source.exchange(archive);
    this.#frames.exchange(archive);
    this.aims.exchange(archive);
    this.stages?.exchange(archive);
    this.jointRows.exchange(archive);
    this.#energy.exchange(archive);
    if (archive.isLoading) this.system.coordinates.follow(this.coordinates);
  }

  /**
   * Time at the end of the step, s: that of steps of one length by their number, which does not add
   * roundings.
   */
  #timeOfEnd(): number {
    const { t0, h, hMax } = this.settings;
    if (this.aimedEnd !== null) return this.aimedEnd;
    return hMax === undefined ? t0 + (this.steps + 1) * h : this.clock[0] + this.length[0];
  }

  /** One step. After a failure the state is that of the middle of the step, and of no use. */
  advance(): ContactDynamicsStatus {
    const { q, u, clock, before, mobility, scheme } = this;
    const [h] = this.length;
    this.#formerLength[0] = this.#completed[0];
    before.set(u);
    this.begun.set(clock);
    this.start.set(q);
    if (this.#expected !== null) this.expected?.set(this.#expected);
    this.iterations = 0;
    this.choice = null;
    this.aims.open(before);
    this.impacts?.clear();
    this.resting.clear();
    this.#end[0] = this.#timeOfEnd();
    this.unfit = this.system.takeInertia(clock, this.#end);
    if (this.unfit !== null) return 'inertiaNotPositive';
    this.#energy.open(clock, q, u);
    const begun = scheme.begin(clock, q, u, h);
    this.iterations += this.stages?.iterations ?? 0;
    if (begun !== 'ok') return begun;
    this.middle.set(q);
    if (this.settings.jointPoint === 'start') this.jointPositions.set(this.start);
    else this.jointPositions.set(q);
    if (this.#expected === null) mobility.update(this.jointPositions);
    this.#endRows?.begin();
    mobility.aim(q, before, scheme.aim * h);
    this.#combined?.begin();
    if (!this.#bind()) return 'drivesContradict';
    if (this.stages === null) this.kinematicBodies?.place(clock, h, scheme.part);
    // An impact takes no time.
    else this.kinematicBodies?.placeAt(clock[0] + h);
    const led = this.#combined?.findsContacts === true ? this.free : null;
    const reach = this.#frames.reach(this.source.radii, before, led, h);
    const contacts =
      this.stages?.contacts ?? this.source.detect(q, this.kinematicBodies?.poses ?? null, reach);
    if (contacts === null) return 'notFinite';
    this.contacts = contacts;
    const chosen = this.#combined?.choose(q, this.free, contacts, reach) ?? 'ok';
    if (chosen !== 'ok') return chosen;
    this.#frames.update(contacts, q, this.free, before, h, this.stages?.rows.impact);
    if (this.jointPositions !== this.middle) this.jointRows.linearise(this.jointPositions);
    let found = this.#push(contacts);
    while (found === 'again') found = this.#bind() ? this.#push(contacts) : 'drivesContradict';
    if (found !== 'ok') return found;
    if (this.problem.count > 0) {
      this.#terms?.adhesion?.commit(this.frames, u);
      this.measureContacts(this.#work);
      this.aims.keep(this.problem, this.#work, u);
    }
    this.stages?.keep(this.#frames, this.problem.r, this.reactions.rowImpulses);
    this.#energy.work(this.#record, this.impulses, h);
    let status = scheme.finish(q, u);
    if (status !== 'ok') return status;
    this.steps++;
    this.#completed[0] = h;
    clock[0] = this.#end[0];
    this.#energy.close(clock, q, u);
    this.uncorrected.set(q);
    if (this.settings.jointPoint === 'end') this.jointPositions.set(q);
    status = this.#corrections.correct(this, contacts);
    if (this.system.isPlanar) holdPositions(q, this.middle);
    this.system.coordinates.position(q, this.coordinates);
    this.system.coordinates.follow(this.coordinates);
    this.#energy.correct(clock, q);
    return status;
  }

  /**
   * Tells the scheme of the impulses of joints, if there are any and it asks for them.
   * @returns where they are kept from step to step
   */
  #expectReactions(): Float64Array | null {
    const { mobility, scheme } = this;
    if (mobility.rows === 0 || scheme.expectReactions === undefined) return null;
    const expected = new Float64Array(mobility.rows);
    scheme.expectReactions((middle, out) => {
      mobility.update(middle);
      mobility.addImpulses(expected, out);
    });
    return expected;
  }

  /** u_p onto the joints. @returns false when a prescribed speed cannot be reached */
  #bind(): boolean {
    const { u, mobility, reactions } = this;
    this.unbound.set(u);
    reactions.clear();
    if (!mobility.bring(u, reactions.impulses)) return false;
    if (this.system.isPlanar) holdVelocities(u);
    this.#expected?.set(reactions.impulses);
    this.free.set(u);
    return true;
  }

  /**
   * u⁺ with contacts.
   * @returns `again` when loads, or what joints aim at, have changed with it: u is u_p then
   */
  #push(contacts: ContactList): ContactDynamicsStatus | 'again' {
    this.problem.count = this.#frames.count;
    const solved = this.problem.count > 0 ? this.#solve(contacts) : 'ok';
    if (solved !== 'ok') return solved;
    const moved = this.#endRows?.revise(this.middle, this.u, this.unbound) ?? 'ok';
    if (moved !== 'ok' && moved !== 'again') return moved;
    const revised = this.scheme.revise(this.u);
    if (moved === 'again' && revised === 'ok') {
      this.u.set(this.unbound);
      return 'again';
    }
    if (revised !== 'ok' || this.#combined === null) return revised;
    const bound = this.#combined.revise(this.q, this, this.unbound);
    if (bound === 'again') this.u.set(this.unbound);
    return bound;
  }

  /** u ← u⁺, where impacts and problem are solved. */
  #solve(contacts: ContactList): ContactDynamicsStatus {
    const { tolerance } = this.settings;
    if (!this.#assemble(contacts, this.q)) return 'impactUnsolved';
    const solved = this.#answer(tolerance);
    if (solved !== 'ok' || !this.#settling.haveLost(this.problem, tolerance)) return solved;
    const { solver } = this.result;
    this.u.set(this.free);
    let finer = this.#answer(FINER * tolerance);
    if (finer !== 'ok') {
      this.u.set(this.free);
      finer = this.#answer(tolerance);
    }
    // What found the reactions, not what made them more precise.
    this.result.solver = solver;
    return finer;
  }

  #answer(tolerance: number): ContactDynamicsStatus {
    const { problem, frames, u, result, mobility, reactions, impacts } = this;
    if (impacts === null) this.solver.solve(problem, tolerance, result);
    else impacts.solveRest(problem, this.solver, tolerance, result);
    this.iterations += result.iterations;
    const tried = (this.solver.attempts ?? 1) > 1 ? (this.solver.reason ?? '') : null;
    this.choice = result.status === 'converged' ? (this.choice ?? tried) : tried;
    if (result.status !== 'converged') return 'unsolved';
    const noise = problem.measure[0] * problem.measure[1];
    if (this.stages !== null) this.stages.noise[1] = noise;
    this.#frames.keep(frames, problem, noise, this.length[0]);
    this.#impulse.fill(0);
    this.#terms?.take(problem);
    this.momentRows?.take(problem);
    impacts?.take(this.#rest);
    frames.addImpulses(this.impulses, this.#impulse);
    this.system.applyInverseMass(this.#impulse);
    mobility.restrict(this.#impulse, reactions.impulses);
    for (let i = 0; i < u.length; i++) u[i] += this.#impulse[i];
    if (this.system.isPlanar) holdVelocities(u);
    const { jointCount, jointRows, contactCount } = this.#frames;
    for (let k = 0; k < jointCount; k++)
      reactions.rowImpulses[jointRows[k]] =
        this.jointRows.scales[jointRows[k]] *
        problem.r[DIMENSION * (contactCount + k) + this.jointRows.list[jointRows[k]].component];
    this.#settling.settle(problem, this.former, noise, u, this.free);
    return 'ok';
  }

  /** @returns whether the law of impacts has come to an end */
  #assemble(contacts: ContactList, q: Float64Array): boolean {
    const { problem, frames, jointRows, free, approach, impacts } = this;
    const active = this.#frames;
    const { count, contactCount, jointCount } = active;
    this.#reserve(count);
    this.#terms?.read(contacts);
    this.#operator.form(contacts, q);
    const former = this.former;
    frames.measure(free, problem.q);
    frames.measure(approach, former);
    this.kinematicBodies?.carry(frames, active, contacts, this.momentRows, problem.q, former);
    if (impacts?.collide(problem, contacts, former) === false) return false;
    this.aims.find(contacts, former, q, this.gapsAhead);
    this.aims.write(contacts, problem, former, impacts === null);
    for (let k = 0; k < jointCount; k++)
      jointRows.write(active.jointRows[k], contactCount + k, problem, free, approach, former);
    this.#terms?.add(problem, contacts, frames);
    this.momentRows?.write(problem, contacts, former);
    impacts?.apply(problem);
    active.guess(frames, problem);
    jointRows.guess(active.jointRows, jointCount, contactCount, approach, problem);
    return true;
  }

  #reserve(count: number): void {
    const { problem } = this;
    if (problem.mu.length >= count && this.former.length >= DIMENSION * count) return;
    const room = 2 * count;
    problem.mu = new Float64Array(room);
    problem.q = new Float64Array(DIMENSION * room);
    problem.r = new Float64Array(DIMENSION * room);
    problem.u = new Float64Array(DIMENSION * room);
    this.former = new Float64Array(DIMENSION * room);
    this.#work = new Float64Array(DIMENSION * room);
    this.aims.reserve(room);
  }
}
