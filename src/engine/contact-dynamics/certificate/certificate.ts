/**
 * What can be said of a step of contact dynamics without asking how it was computed: velocities of contact
 * points from those of the bodies, forces and moments from the impulses as vectors of the world. Nothing of
 * H, W or the solver is used.
 *
 * - cone: distance of R, with what the contact pulls added, from K_μ, relative to the impulses of a step:
 *   their Euclidean norm over all contacts, the largest so far, as the residual of the field has it. A
 *   problem solved to a tolerance is judged to be so, however many contacts share the norm
 * - law: what the law of the contact says of R, U⁺, U⁻ and the gap (`laws/`): of a rigid one |R − P_K(R − ρ
 *   Û)| with Û of U⁺ + e U⁻; ρ, which turns velocities into impulses, is the mass that the contact feels
 *   along its normal when its bodies are free; where impacts have a law of their own e is zero here, and that
 *   law is judged by `ImpactCheck`
 *   contacts that are closed and left out obey it with R = 0, open ones have no R (`ContactRowsCheck`)
 * - momentum: m ΔV − Σ ±R, and I ΔΩ − ᵗR Σ s×(±R), or what it is for the kind of body (`checked-bodies.ts`);
 *   Δ is that of all impulses, from the velocities after loads alone, and those of joints are ᵗH λ with
 *   Jacobians of their own
 *
 *   both relative to the impulses of a step or the momentum of a body, whichever is larger: at rest there is
 *   hardly any momentum, and a body that slides far has small impulses
 *
 * - joints: |G u⁺ − b|, relative to the largest speed so far, b = ω + aim h γ(q_*, u⁻) of the scheme; with
 *   combined projection |G(q⁺) u⁺ − ω|
 * - moments: the laws of rolling and spinning friction, see `MomentCheck`, relative to the same
 * - limits, drives: the laws of limits, and of friction and motors, see `JointRowCheck`
 * - motion: positions from velocities, and velocities from loads, see `FreeMotionCheck`; of steps with
 *   contact forces besides impulses, with these forces, see `GalerkinCheck`, whose laws are judged as above
 * - gaps: overlap beyond what the scheme explains, see `GapCheck`, and contacts that detection has not found
 *   or has found elsewhere, see `PlaneDistances`, `PairDistances` and `ScriptedCheck`; positions: how far
 *   joints are off, see `JointPositionCheck`
 */
import type { StateArchive } from '../../state-archive';
import {
  COMPLEMENTARITY,
  CONE,
  type Certificate,
  type ContactResidual,
  DYNAMICS,
  ResidualMaxima,
  type SavedMaxima,
} from '../../certificate/residual-maxima';
import { dot, lengthOf } from '../../spatial/matrix3';
import { isDrive, lengthsOf } from '../../spatial/system';
import type { ContactDynamics } from '../contact-dynamics';
import { ROUNDINGS } from '../rounding';
import { FRAME_NUMBERS } from '../contacts/contact-frames';
import type { ContactMaterial } from '../../model/contact-laws/registry';
import { AdhesionState, type ContactList, GEOMETRY, momentNumbers } from '../contacts/contact-list';
import { type Adhesion, type ContactLaw, CheckedContact } from '../../model/contact-laws/contact-law';
import { createContactLaw } from '../../model/contact-laws/registry';
import { BondRecord } from './bond-record';
import { ContactRowsCheck } from './contact-rows-check';
import { FreeMotionCheck } from './free-motion-check';
import { GalerkinCheck, frameDefect } from './galerkin-check';
import { GapCheck } from './gap-check';
import { ImpactCheck, MomentCheck } from './impact-check';
import { JointPositionCheck, JointRowCheck, driveSpeedsOf } from './joint-check';
import { ProjectedContactsCheck } from './projected-contacts-check';
import { CheckedBodies } from './checked-bodies';
import { type ContactDrift, DIFFERENCE } from '../schemes/contact-drift';
import type { DetectionCheck } from './scripted-check';

/** The quantities that are judged, in the order of the register, and what each is part of. */
const PARTS = [
  ['cone', CONE],
  ['law', COMPLEMENTARITY],
  ['momentum', DYNAMICS],
  ['joints', DYNAMICS],
  ['limits', COMPLEMENTARITY],
  ['drives', CONE],
  ['moments', COMPLEMENTARITY],
  ['gaps', CONE],
  ['positions', DYNAMICS],
  ['motion', DYNAMICS],
] as const;
export const CONTACT_RESIDUALS: readonly ContactResidual[] = PARTS.map(([name]) => name);
const NOWHERE = -1;
const [FRICTION_CONE, LAW, MOMENTUM, JOINTS, LIMITS, DRIVES, MOMENTS, GAPS, POSITIONS, MOTION] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
];

/**
 * Ids by place: pairs of materials for contacts, bodies for momenta and motion, rows of G for joints, rows of
 * equations for positions, joints for limits and drives. Empty where no element is singled out.
 */
export type ContactElements = Readonly<Partial<Record<ContactResidual, readonly string[]>>>;

export const createContactMaxima = (elements: ContactElements): ResidualMaxima<ContactResidual> =>
  new ResidualMaxima(PARTS.map(([name, kind]) => ({ name, kind, elements: elements[name] ?? [] })));

export class ContactDynamicsCertificate {
  readonly #maxima: ResidualMaxima<ContactResidual>;
  /** [0] Euclidean norm of the impulses of a step, [1] momentum of a body, [2] speed: the largest so far */
  readonly #scales = new Float64Array(3);
  readonly #force: Float64Array;
  readonly #impulse = new Float64Array(3);
  readonly #bodies: CheckedBodies;
  /** null where positions are not projected onto contacts */
  readonly #projected: ProjectedContactsCheck | null;
  readonly #areHeld: boolean;
  /** largest radius of gyration, m */
  readonly #extent: number;
  /** u⁺ − u without impulses */
  readonly #change: Float64Array;
  readonly #jacobian: Float64Array;
  readonly #targets: Float64Array;
  /** forces of the joints by velocities */
  readonly #jointImpulse: Float64Array;
  readonly #rows: JointRowCheck;
  readonly #laws: readonly ContactLaw[];
  readonly #judged = new CheckedContact();
  /** gaps of contacts where they were found, m */
  #found = new Float64Array(0);
  readonly #bonds = new BondRecord();
  /** bonds by place, followed by velocities of points */
  readonly #adhesion = new AdhesionState();
  /** null where no contact has moments */
  readonly #moments: MomentCheck | null;
  readonly #impacts: ImpactCheck | null;
  readonly #gaps: GapCheck;
  readonly #which: ContactRowsCheck;
  readonly #closes: (place: number) => boolean;
  readonly #positions: JointPositionCheck;
  readonly #motion: FreeMotionCheck | GalerkinCheck;
  /** null where steps have no contact forces */
  readonly #forces: GalerkinCheck | null;
  /** what turns the rate of a row of joints into m/s, by row */
  readonly #ways: Float64Array;
  readonly #driveSpeeds: Float64Array;

  constructor(
    private readonly dynamics: ContactDynamics,
    materials: readonly ContactMaterial[],
    private readonly detectionChecks: readonly DetectionCheck[] = [],
    elements: ContactElements = {},
  ) {
    const { system } = dynamics;
    this.#maxima = createContactMaxima(elements);
    this.#bodies = new CheckedBodies(dynamics);
    this.#change = new Float64Array(system.velocities);
    this.#force = new Float64Array(system.velocities);
    const rows = system.equations.count + system.drives.count;
    this.#jacobian = new Float64Array(rows * system.velocities);
    this.#targets = new Float64Array(rows);
    this.#jointImpulse = new Float64Array(system.velocities);
    this.#rows = new JointRowCheck(dynamics);
    this.#laws = materials.map((material) => createContactLaw(material));
    const numbers = momentNumbers(materials);
    this.#moments = numbers === null ? null : new MomentCheck(dynamics, this.#bodies, numbers);
    this.#which = new ContactRowsCheck(dynamics, this.#bodies, this.#laws, this.#bonds, this.#adhesion);
    this.#gaps = new GapCheck(dynamics, this.#bodies, this.#laws);
    this.#projected = ProjectedContactsCheck.create(dynamics, this.#laws);
    this.#areHeld = this.#projected !== null && dynamics.settings.combined === true;
    this.#extent = Math.max(...lengthsOfBodies(dynamics));
    this.#closes = (place) => this.#bonds.closes(place);
    this.#positions = new JointPositionCheck(dynamics);
    this.#ways = waysOf(dynamics);
    this.#driveSpeeds = driveSpeedsOf(dynamics.system);
    const { stages } = dynamics;
    const { motion } = dynamics.settings;
    this.#forces =
      stages === null ? null : new GalerkinCheck(dynamics, stages, this.#bodies, this.#laws, this.#ways);
    if (this.#forces !== null) this.#motion = this.#forces;
    else if ('closedGap' in motion) throw new Error('steps with contact forces have stages');
    else this.#motion = new FreeMotionCheck(dynamics, motion);
    const { impacts } = dynamics;
    this.#impacts = impacts === null ? null : new ImpactCheck(dynamics, impacts, this.#laws, this.#bodies);
  }

  /** The largest relative value of each of `CONTACT_RESIDUALS`; a new array. */
  get worst(): Float64Array {
    return this.#maxima.worst;
  }

  /** The worst in the terms of all schemes, with what they are added up from; a new object. */
  get report(): Certificate {
    return { ...this.#maxima.report, contactParts: this.#maxima.relative };
  }

  get isFinite(): boolean {
    return this.#maxima.isFinite;
  }

  /** See `ResidualMaxima.overflown`. */
  get overflown(): string | null {
    return this.#maxima.overflown;
  }

  /** See `ResidualMaxima.takeRecent`. */
  takeRecent(out: Float64Array): void {
    this.#maxima.takeRecent(out);
  }

  save(): SavedMaxima {
    return this.#maxima.save();
  }

  /** Takes in what the certificate of the same run has seen before. */
  load(saved: SavedMaxima): void {
    this.#maxima.load(saved);
  }

  /** What it knows of the steps before, besides what it has found. */
  exchange(archive: StateArchive): void {
    this.#bonds.exchange(archive);
    this.#adhesion.exchange(archive);
    this.#gaps.exchange(archive);
    this.dynamics.settings.projectedContacts?.check.exchange(archive);
    this.#positions.exchange(archive);
    this.#rows.exchange(archive);
    this.#motion.exchange(archive);
    archive.fixed(this.#scales);
  }

  /**
   * Judges the step that has just been computed; bonds that break are known if each step from the first one
   * on is judged.
   */
  judge(): void {
    this.#force.fill(0);
    this.#jointImpulse.fill(0);
    const { contacts, activeCount, active } = this.dynamics;
    this.#forces?.judge();
    this.#measure();
    if (contacts !== null) {
      this.#bonds.update(this.dynamics.steps, contacts, active, activeCount);
      this.#bodies.read();
      this.#gaps.begin(contacts, this.#closes);
      for (let row = 0; row < activeCount; row++) this.#contact(row, contacts, active[row]);
      this.#which.begin(contacts);
      for (let c = 0; c < contacts.count; c++) this.#withoutRow(c, contacts);
      this.#gaps.end(contacts);
      this.#judgeImpacts(contacts);
      this.#judgeDetection(contacts);
    }
    this.#judgeProjection();
    this.#joints();
    this.#rows.judge(this.#jointImpulse);
    this.#enter(LIMITS, this.#rows.defects[0], 1, this.#rows.joints[0]);
    this.#enter(DRIVES, this.#rows.defects[1], 1, this.#rows.joints[1]);
    this.#positions.judge();
    this.#enter(POSITIONS, this.#positions.defect[0], 1, this.#positions.place[0]);
    this.#momenta();
    if (this.#forces === null) this.#motion.judge();
    else this.#enterForces(this.#forces);
    const [position, velocity, ofPosition, ofVelocity] = this.#motion.defects;
    this.#enter(MOTION, position, 1, ofPosition);
    this.#enter(MOTION, velocity, Math.max(this.#scales[0], this.#scales[1]), ofVelocity);
  }

  /** Laws of forces beside impacts. */
  #enterForces({ found, places, rows }: GalerkinCheck): void {
    const momentum = Math.max(this.#scales[0], this.#scales[1]);
    this.#enter(FRICTION_CONE, found[0], this.#scales[0], places[0]);
    this.#enter(LAW, found[1], momentum, places[1]);
    this.#enter(LIMITS, rows.defects[0], momentum, rows.joints[0]);
    this.#enter(DRIVES, rows.defects[1], momentum, rows.joints[1]);
    this.#enter(JOINTS, found[2], this.#scales[2], places[2]);
    this.#enter(GAPS, found[3], this.#extent, places[3]);
    // The impact of a step begins where its forces have led.
    const { unbound, stages } = this.dynamics;
    for (let i = 0; i < unbound.length; i++)
      this.#enter(MOTION, Math.abs(unbound[i] - (stages?.leftLimit[i] ?? 0)), this.#scales[2]);
    this.#forces?.end();
  }

  #judgeImpacts(contacts: NonNullable<ContactDynamics['contacts']>): void {
    if (this.#impacts === null) return;
    this.#impacts.judge(contacts);
    this.#enter(LAW, this.#impacts.defects[0], Math.max(this.#scales[0], this.#scales[1]));
    this.#enter(LAW, this.#impacts.defects[1], 1);
  }

  #judgeProjection(): void {
    if (this.#projected === null) return;
    this.#projected.judge();
    const { defects, laws } = this.#projected;
    for (let k = 0; k < 2; k++) if (defects[k] > 0) this.#enter(GAPS, defects[k], this.#extent, laws[k]);
    if (defects[2] > 0) this.#enter(LAW, defects[2], this.#scales[2], laws[2]);
  }

  #judgeDetection(contacts: NonNullable<ContactDynamics['contacts']>): void {
    const { middle, scheme, h } = this.dynamics;
    this.#detect(contacts, middle, scheme.lag * h);
    const { stages } = this.dynamics;
    if (stages === null || this.#forces === null) return;
    const { kinematicBodies, start } = this.dynamics;
    const [begin, end] = [this.dynamics.begun[0], this.dynamics.begun[0] + h];
    if (stages.drifts === null) this.#detect(stages.left.contacts, stages.predicted, 0);
    else {
      this.#detectBeside(stages.drifts[0], begin, DIFFERENCE * h);
      if (!stages.hasImpact) this.#detectBeside(stages.drifts[1], end, -DIFFERENCE * h);
    }
    kinematicBodies?.placeAt(begin);
    const { areFound, begun } = this.#forces.contacts;
    if (areFound) this.#detect(begun, start, 0);
    kinematicBodies?.placeAt(end);
  }

  /** Contacts beside an end of the step, that γ comes from. @param time of the end, @param delta δ, s */
  #detectBeside({ isRead, lists, places }: ContactDrift, time: number, delta: number): void {
    if (!isRead) return;
    for (let k = 0; k < 2; k++) {
      this.dynamics.kinematicBodies?.placeAt(time + (k + 1) * delta);
      this.#detect(lists[k], places[k], 0);
    }
  }

  /** @param q where contacts were found @param lag by which gaps have been put back along u⁻ since, s */
  #detect(contacts: ContactList, q: Float64Array, lag: number): void {
    if (this.detectionChecks.length === 0) return;
    const { before, steps } = this.dynamics;
    if (this.#found.length < contacts.count) this.#found = new Float64Array(2 * contacts.count);
    for (let c = 0; c < contacts.count; c++) {
      this.#found[c] = contacts.geometry[GEOMETRY * (c + 1) - 1];
      if (lag > 0) this.#found[c] += lag * this.#bodies.normalSpeed(c, before, 'start');
    }
    for (const check of this.detectionChecks) {
      check.judge(contacts, this.#found, q, steps);
      for (let k = 0; k < check.missed.length; k++)
        if (check.missed[k] > 0) this.#enter(GAPS, check.missed[k], 1, check.materials[k]);
    }
  }

  /**
   * The largest momentum and speed, and impulse. Turning counts by the speed at the radius of gyration,
   * √(1/(m M⁻¹_ii)) |u_i|: of a body that turns about its mass centre it is all there is.
   */
  #measure(): void {
    const { system, u, unbound, problem, impulses, activeCount } = this.dynamics;
    const forces = this.#forces;
    const scales = this.#scales;
    for (let k = 0; k < system.bodies.length; k++) {
      const { mass, inverseMassDiagonal } = system.bodies[k];
      for (let i = 0; i < inverseMassDiagonal.length; i++) {
        const at = system.velocitiesAt[k] + i;
        // What forces hold at rest has the speed of its loads in a step.
        const loaded = forces === null ? 0 : Math.abs(forces.loaded[at]);
        const rate = Math.max(Math.abs(u[at]), Math.abs(unbound[at]), loaded);
        const speed = rate / Math.sqrt(mass * inverseMassDiagonal[i]);
        scales[1] = Math.max(scales[1], mass * speed);
        scales[2] = Math.max(scales[2], speed);
      }
    }
    let solved = 0;
    let whole = 0;
    for (let k = 0; k < 3 * activeCount; k++) {
      solved += problem.r[k] * problem.r[k];
      whole += impulses[k] * impulses[k];
    }
    scales[0] = Math.max(scales[0], Math.sqrt(solved), Math.sqrt(whole), this.#forces?.norm[0] ?? 0);
  }

  #contact(row: number, contacts: NonNullable<ContactDynamics['contacts']>, c: number): void {
    const { frames, impulses, impacts, h } = this.dynamics;
    const place = FRAME_NUMBERS * row;
    const from = 3 * row;
    const bodies = this.#bodies;
    const impulse = this.#impulse;
    frames.toWorld(row, impulses, from, impulse, 0);
    bodies.push(row, impulse, this.#force);
    const { approaches, ends } = bodies;
    const { axes } = frames;
    this.#enter(GAPS, frameDefect(axes, place, contacts, c), this.#extent, contacts.materials[c]);
    const judged = this.#judged;
    for (let a = 0; a < 3; a++) {
      const axis = place + 3 + 3 * a;
      judged.impulse[a] = dot(axes, axis, impulse, 0);
      const aim = this.#gaps.aims[from + a];
      judged.velocity[a] = dot(axes, axis, ends, from) - aim;
      judged.earlier[a] = impacts === null ? dot(axes, axis, approaches, from) + aim : 0;
    }
    judged.numbers[CheckedContact.GAP] = contacts.geometry[GEOMETRY * c + GEOMETRY - 1];
    judged.numbers[CheckedContact.MASS] = bodies.mass(row);
    judged.numbers[CheckedContact.STEP] = h;
    judged.numbers[CheckedContact.PUSHED] = impacts?.normal[row] ?? 0;
    judged.numbers[CheckedContact.BONDED] = this.#bonds.holds(contacts.places[c]) ? 1 : 0;
    judged.numbers[CheckedContact.CLOSES] = this.#bonds.closes(contacts.places[c]) ? 1 : 0;
    const law = this.#laws[contacts.materials[c]];
    if (law.adhesion !== undefined) this.#adhere(law.adhesion, contacts.places[c], row, h);
    this.#projected?.enter(row, judged.impulse[0], this.#springsBack(law));
    law.judge(judged);
    this.#enter(FRICTION_CONE, judged.defects[0], this.#scales[0], contacts.materials[c]);
    this.#enter(LAW, judged.defects[1], Math.max(this.#scales[0], this.#scales[1]), contacts.materials[c]);
    // Where the projection holds contacts, no scheme explains gaps, and all of them are looked at.
    if (!this.#areHeld) this.#enter(GAPS, this.#gaps.excess[row], 1, contacts.materials[c]);
    if (this.#which.isOpen(row, contacts, this.#gaps.room[row]))
      this.#enter(
        LAW,
        lengthOf(impulse, 0),
        Math.max(this.#scales[0], this.#scales[1]),
        contacts.materials[c],
      );
    if (this.#moments !== null) this.#moment(this.#moments, row, contacts.materials[c]);
  }

  /** A contact that should have a row and has none. */
  #withoutRow(c: number, contacts: NonNullable<ContactDynamics['contacts']>): void {
    const defect = this.#which.missing(contacts, c);
    if (defect !== 0)
      this.#enter(LAW, defect, Math.max(this.#scales[0], this.#scales[1]), contacts.materials[c]);
  }

  /** Whether the contact that is judged may do, by restitution or by an impact. */
  #springsBack({ restitution }: ContactLaw): boolean {
    const { numbers, earlier } = this.#judged;
    const { measure } = this.dynamics.problem;
    const noise = Math.max(measure[0], ROUNDINGS) * measure[1];
    return numbers[CheckedContact.PUSHED] > 0 || (restitution > 0 && earlier[0] < noise);
  }

  /** Intensity and slip of the bond at a contact in this step, and its slip after it. */
  #adhere(adhesion: Adhesion, place: number, row: number, h: number): void {
    const { axes } = this.dynamics.frames;
    const at = FRAME_NUMBERS * row;
    const { ends } = this.#bodies;
    const { displacement, numbers, velocity } = this.#judged;
    const state = this.#adhesion;
    if (this.dynamics.steps === 1) state.begin(place, adhesion.start);
    else if (numbers[CheckedContact.BONDED] === 0) state.begin(place, 0);
    for (let a = 0; a < 3; a++) displacement[a] = dot(axes, at + 3 + 3 * a, state.slip, 3 * place);
    const slip = displacement[1] * displacement[1] + displacement[2] * displacement[2];
    const held = state.intensity[place];
    state.intensity[place] = held > 0 ? adhesion.evolve(held, numbers[CheckedContact.GAP], slip, h) : 0;
    numbers[CheckedContact.INTENSITY] = state.intensity[place];
    for (let i = 0; i < 3; i++)
      state.slip[3 * place + i] += h * (ends[3 * row + i] - velocity[0] * axes[at + 3 + i]);
  }

  /** Judges the moment of the contact that has just been judged, and adds it. */
  #moment(check: MomentCheck, row: number, material: number): void {
    const { impulse, numbers } = this.#judged;
    const { pull, breaks } = this.#laws[material];
    const isHeld = !breaks || numbers[CheckedContact.BONDED] === 1;
    const pressed = impulse[0] + (isHeld ? numbers[CheckedContact.STEP] * pull : 0);
    const defect = check.judge(row, material, pressed, numbers[CheckedContact.MASS]);
    this.#enter(MOMENTS, defect, Math.max(this.#scales[0], this.#scales[1]), material);
    this.#bodies.turn(row, check.moment, this.#force);
  }

  #momenta(): void {
    const { u, unbound, middle } = this.dynamics;
    const change = this.#change;
    for (let c = 0; c < change.length; c++) change[c] = u[c] - unbound[c];
    const { list } = this.#bodies;
    for (let k = 0; k < list.length; k++) {
      const defect = list[k].defect(middle, change, this.#force, this.#jointImpulse);
      this.#enter(MOMENTUM, defect, Math.max(this.#scales[0], this.#scales[1]), k);
    }
  }

  #joints(): void {
    const { system, before, middle, jointPositions, jointImpulses, scheme, h, boundAt } = this.dynamics;
    const { equations, drives, velocities } = system;
    const jacobian = this.#jacobian;
    const targets = this.#targets;
    equations.jacobian(jointPositions, jacobian, velocities, 'velocity');
    drives.jacobian(jointPositions, jacobian, velocities, 'velocity', equations.count);
    equations.gamma(middle, before, targets);
    drives.gamma(middle, before, targets, equations.count);
    for (let r = 0; r < targets.length; r++) {
      targets[r] *= boundAt === null ? scheme.aim * h : 0;
      if (r >= equations.count) targets[r] += this.#driveSpeeds[r - equations.count];
      for (let c = 0; c < velocities; c++)
        this.#jointImpulse[c] += jacobian[r * velocities + c] * jointImpulses[r];
    }
    if (boundAt !== null) {
      equations.jacobian(boundAt, jacobian, velocities, 'velocity');
      drives.jacobian(boundAt, jacobian, velocities, 'velocity', equations.count);
    }
    this.#aims();
  }

  /** Compares G u⁺ with what it should be. */
  #aims(): void {
    const { u } = this.dynamics;
    const targets = this.#targets;
    const jacobian = this.#jacobian;
    for (let r = 0; r < targets.length; r++) {
      let sum = -targets[r];
      for (let c = 0; c < u.length; c++) sum += jacobian[r * u.length + c] * u[c];
      this.#enter(JOINTS, this.#ways[r] * Math.abs(sum), this.#scales[2], r);
    }
  }

  #enter(quantity: number, value: number, scale: number, place = NOWHERE): void {
    this.#maxima.raise(quantity, scale > 0 ? value / scale : value, 1, this.dynamics.clock, place);
  }
}

/** Radii of gyration, m; 1 of what has none. */
const lengthsOfBodies = ({ system }: ContactDynamics): number[] =>
  system.bodies.map(({ mass, turnMobility }) => {
    const radius = Math.sqrt(1 / (mass * turnMobility));
    return Number.isFinite(radius) && radius > 0 ? radius : 1;
  });

/** The length of the joint for rows of angles, 1 for others: those of equations, then those of drives. */
function waysOf({ system }: ContactDynamics): Float64Array {
  const lengths = lengthsOf(system);
  const way = (unit: string, j: number): number => (unit === 'rad' ? lengths[j] : 1);
  const rows = system.joints.flatMap(({ rows: kinds }, j) =>
    kinds.flatMap(({ labels }) => labels.map(({ unit }) => way(unit, j))),
  );
  const drives = system.joints.flatMap(({ motors }, j) =>
    motors.filter(isDrive).map(({ coordinate }) => way(coordinate.labels[0].unit, j)),
  );
  return Float64Array.from([...rows, ...drives]);
}
