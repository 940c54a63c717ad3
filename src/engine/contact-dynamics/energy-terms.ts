/**
 * Where the energy goes in a step. With ū = ½ (u⁻ + u⁺), M constant,
 *
 *     T⁺ − T⁻ = ū·M (u⁺ − u⁻) = ū·(h f + h g + ᵗG λ + ᵗH R),
 *
 * which is Moreau's identity ½ (u⁺ + u⁻)·p for all impulses p of the step, to rounding: h f those of the
 * loads, h g that of the gyroscopic term, ᵗG λ those of joints and ᵗH R those of contacts with their moments,
 * limits, friction and motors. With the elastic energy W of pseudo-rigid bodies
 *
 *     T⁺ + V⁺ + W⁺ = T⁻ + V⁻ + W⁻ + loads + damping + potential + gyroscopic + joints
 *                    + contacts + limits + friction + motors + corrections
 *
 * holds of every step. Some of the terms are what a scheme does that nature does not:
 *
 *     potential     work of elasticity and of the loads that have a potential, plus V⁺ + W⁺ − V⁻ − W⁻;
 *                   zero for a constant force where q⁺ − q⁻ = h ū, O(h³) in a step for others
 *     gyroscopic    zero in nature; O(h³) of the conserving treatment, zero of spheres
 *     joints        zero in nature; O(h³)
 *     corrections   what projection and the removal of overlaps do to V and W
 *
 * Where steps have contact forces, all of this holds of u⁻ to the velocities just before the impact, and the
 * last impulses act from there to u⁺.
 *
 * Where the inertia of bodies is a function of time, T⁺ belongs to I⁺ and T⁻ to I⁻, the rotations' share of
 * ū·M (u⁺ − u⁻) is ½ (Ω⁻ + Ω⁺)·(I⁺ Ω⁺ − I⁻ Ω⁻), and
 *
 *     inertia       −½ Ω⁻·(I⁺ − I⁻) Ω⁺
 *
 * is what changes it does: T⁺ − T⁻ less the former.
 *
 * Where kinematic bodies move, works of contacts are those of the relative velocities, and −R·½ (U_o⁻ + U_o⁺)
 * is what the kinematic bodies do.
 */
import type { StateArchive } from '../state-archive';
import type { SpatialSystem } from '../spatial/system';
import { multiplyMatrix } from '../spatial/matrix3';
import type { ActiveFrames } from './contacts/active-frames';
import type { ContactFrames } from './contacts/contact-frames';
import type { JointRows } from './joint-rows';
import type { BodyMobility } from './mobility';
import type { KinematicBodies } from './contacts/kinematic-bodies';
import { type SpatialGalerkinSteps, STAGE_WORKS } from './schemes/galerkin-steps';
import type { StepScheme } from './schemes/scheme';

/** Places of the terms, J: energies at the end of a step, then work in it, positive where it adds energy. */
export const ENERGY = {
  kinetic: 0,
  potential: 1,
  strain: 2,
  loads: 3,
  damping: 4,
  potentialDefect: 5,
  gyroscopic: 6,
  joints: 7,
  contactNormal: 8,
  contactTangent: 9,
  contactMoments: 10,
  limits: 11,
  friction: 12,
  motors: 13,
  corrections: 14,
  kinematicBodies: 15,
  inertia: 16,
} as const;
export const ENERGIES = Object.keys(ENERGY).length;
/** Works stand from here on. */
const FIRST_WORK: number = ENERGY.loads;

/** What a step was made of. */
export interface EnergyStep {
  readonly before: Float64Array;
  /** after loads and gyroscopic term only */
  readonly unbound: Float64Array;
  readonly u: Float64Array;
  /** with the f of loads, elasticity and damping */
  readonly scheme: StepScheme;
  readonly jointImpulses: Float64Array;
  /** forces of contacts and joints besides impulses; null where steps have none */
  readonly stages: SpatialGalerkinSteps | null;
}

export class EnergyTerms {
  /** of the last step */
  readonly step = new Float64Array(ENERGIES);
  /** energies now, and works since the start */
  readonly total = new Float64Array(ENERGIES);
  readonly #mean: Float64Array;
  readonly #potentialForce: Float64Array;
  readonly #damping: Float64Array;
  readonly #momentum = new Float64Array(3);
  readonly #stageWorks = new Float64Array(Object.keys(STAGE_WORKS).length);
  #rates = new Float64Array(0);

  constructor(
    private readonly system: SpatialSystem,
    private readonly mobility: BodyMobility,
    private readonly frames: ContactFrames,
    private readonly active: ActiveFrames,
    private readonly rows: JointRows,
    private readonly kinematicBodies: KinematicBodies | null,
  ) {
    this.#mean = new Float64Array(system.velocities);
    this.#potentialForce = new Float64Array(system.velocities);
    this.#damping = new Float64Array(system.velocities);
  }

  exchange(archive: StateArchive): void {
    archive.fixed(this.step);
    archive.fixed(this.total);
  }

  /** Energies at the start of a step. */
  open(clock: Float64Array, q: Float64Array, u: Float64Array): void {
    this.step.fill(0);
    this.step[ENERGY.kinetic] = this.system.kineticEnergy(u);
    this.step[ENERGY.potential] = this.system.loadEnergy(clock, q);
    this.step[ENERGY.strain] = this.system.strainEnergy(q);
  }

  /** Work of all that acted. @param impulses R, 3 by row @param h s */
  work(step: EnergyStep, impulses: Float64Array, h: number): void {
    const mean = this.#mean;
    const { stages } = step;
    const end = stages?.leftLimit ?? step.u;
    for (let i = 0; i < mean.length; i++) mean[i] = 0.5 * (step.before[i] + end[i]);
    this.#workOfLoads(step, h);
    this.#workOfGyroscopicTerm(step, h);
    this.#workOfInertia(step);
    if (stages !== null) {
      this.#workOfForces(stages);
      for (let i = 0; i < mean.length; i++) mean[i] = 0.5 * (end[i] + step.u[i]);
    }
    this.#workOfJoints(step.jointImpulses);
    this.#workOfRows(impulses);
  }

  /** Energies at the end. @param clock at the end @param q before positions are corrected */
  close(clock: Float64Array, q: Float64Array, u: Float64Array): void {
    const { step, system } = this;
    const potential = system.loadEnergy(clock, q);
    const strain = system.strainEnergy(q);
    step[ENERGY.potentialDefect] += potential - step[ENERGY.potential] + (strain - step[ENERGY.strain]);
    step[ENERGY.kinetic] = system.kineticEnergy(u);
    step[ENERGY.potential] = potential;
    step[ENERGY.strain] = strain;
  }

  /** What corrections of positions have done, and the sums. */
  correct(clock: Float64Array, q: Float64Array): void {
    const { step, total } = this;
    const potential = this.system.loadEnergy(clock, q);
    const strain = this.system.strainEnergy(q);
    step[ENERGY.corrections] = potential - step[ENERGY.potential] + (strain - step[ENERGY.strain]);
    step[ENERGY.potential] = potential;
    step[ENERGY.strain] = strain;
    for (let k = 0; k < FIRST_WORK; k++) total[k] = step[k];
    for (let k = FIRST_WORK; k < ENERGIES; k++) total[k] += step[k];
  }

  #workOfLoads({ scheme, u }: EnergyStep, h: number): void {
    const { step } = this;
    const { force } = scheme;
    const mean = this.#mean;
    const conservative = this.#potentialForce;
    conservative.fill(0);
    scheme.addConservative(mean, u, conservative);
    const damping = this.#damping;
    damping.fill(0);
    scheme.addDamping(u, damping);
    let all = 0;
    let withPotential = 0;
    let damped = 0;
    for (let i = 0; i < mean.length; i++) {
      all += h * force[i] * mean[i];
      withPotential += h * conservative[i] * mean[i];
      damped += h * damping[i] * mean[i];
    }
    step[ENERGY.loads] = all - withPotential - damped;
    step[ENERGY.damping] = damped;
    step[ENERGY.potentialDefect] = withPotential;
  }

  /**
   * ū·(M (u_free − u⁻) − h f) of the rotations, with I⁺ Ω_free − I⁻ Ω⁻ where I changes; the rest is the
   * loads.
   */
  #workOfGyroscopicTerm({ unbound, before, scheme, stages }: EnergyStep, h: number): void {
    const { force } = scheme;
    const free = stages?.loaded ?? unbound;
    const { rigid } = this.system;
    const momentum = this.#momentum;
    let sum = 0;
    for (let k = 0; k < rigid.length; k++) {
      const at = rigid[k].vAt + 3;
      for (let i = 0; i < 3; i++) momentum[i] = free[at + i] - before[at + i];
      multiplyMatrix(rigid[k].body.inertia, momentum, 0, momentum, 0);
      rigid[k].body.addInertiaChange(before, at, -1, momentum, 0);
      for (let i = 0; i < 3; i++) sum += this.#mean[at + i] * (momentum[i] - h * force[at + i]);
    }
    this.step[ENERGY.gyroscopic] = sum;
  }

  #workOfInertia({ before, u }: EnergyStep): void {
    const { changing } = this.system;
    const change = this.#momentum;
    for (let k = 0; k < changing.length; k++) {
      const at = changing[k].vAt + 3;
      change.fill(0);
      changing[k].body.addInertiaChange(u, at, 1, change, 0);
      for (let i = 0; i < 3; i++) this.step[ENERGY.inertia] += 0.5 * before[at + i] * change[i];
    }
  }

  #workOfJoints(impulses: Float64Array): void {
    const { equations, velocities } = this.system;
    const { jacobian } = this.mobility;
    for (let r = 0; r < impulses.length; r++) {
      let rate = 0;
      for (let c = 0; c < velocities; c++) rate += jacobian[r * velocities + c] * this.#mean[c];
      this.step[r < equations.count ? ENERGY.joints : ENERGY.motors] += rate * impulses[r];
    }
  }

  #workOfRows(r: Float64Array): void {
    const { step, active } = this;
    const { contactCount, jointCount, jointRows, count } = active;
    if (count === 0) return;
    if (this.#rates.length < 3 * count) this.#rates = new Float64Array(6 * count);
    const rates = this.#rates;
    this.frames.measure(this.#mean, rates);
    if (this.kinematicBodies !== null) this.#workOfKinematicBodies(this.kinematicBodies, r, 3 * count);
    for (let at = 0; at < 3 * contactCount; at += 3) {
      step[ENERGY.contactNormal] += r[at] * rates[at];
      step[ENERGY.contactTangent] += r[at + 1] * rates[at + 1] + r[at + 2] * rates[at + 2];
    }
    for (let k = 0; k < jointCount; k++) {
      const { kind, component } = this.rows.list[jointRows[k]];
      const at = 3 * (contactCount + k) + component;
      step[WORK_OF[kind]] += r[at] * rates[at];
    }
    for (let at = 3 * (contactCount + jointCount); at < 3 * count; at += 3)
      step[ENERGY.contactMoments] += r[at + 1] * rates[at + 1] + r[at + 2] * rates[at + 2];
  }

  #workOfForces(stages: SpatialGalerkinSteps): void {
    const { step } = this;
    const works = this.#stageWorks.fill(0);
    stages.addWork(this.#mean, works);
    step[ENERGY.contactNormal] += works[STAGE_WORKS.normal];
    step[ENERGY.contactTangent] += works[STAGE_WORKS.tangent];
    step[ENERGY.joints] += works[STAGE_WORKS.joints];
    step[ENERGY.motors] += works[STAGE_WORKS.drives];
    step[ENERGY.limits] += works[STAGE_WORKS.limits];
    step[ENERGY.friction] += works[STAGE_WORKS.friction];
    step[ENERGY.kinematicBodies] += works[STAGE_WORKS.prescribed];
  }

  /**
   * Rates become those relative to the kinematic bodies; what is left of the work on the bodies is theirs.
   */
  #workOfKinematicBodies({ rowsBefore, rowsAfter }: KinematicBodies, r: Float64Array, entries: number): void {
    const rates = this.#rates;
    for (let k = 0; k < entries; k++) {
      const rate = 0.5 * (rowsBefore[k] + rowsAfter[k]);
      rates[k] += rate;
      this.step[ENERGY.kinematicBodies] -= r[k] * rate;
    }
  }
}

const WORK_OF = { limit: ENERGY.limits, friction: ENERGY.friction, motor: ENERGY.motors } as const;
