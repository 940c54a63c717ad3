/** Non-linear Moreau–Jean as the certificate sees it. */
import type { EnergyBalance } from '../../certificate/energy-balance';
import { DYNAMICS, LargestResidual } from '../../certificate/residual-maxima';
import type { AssignedIntegrator } from '../../integrators/registry';
import type { LagrangianForm } from '../../model/forms';
import type { NonSmoothDynamicalSystem } from '../../model/nsds';
import type { DynamicsMemory } from '../state';
import { CANCELLATION, type DynamicsCheck, type StepMaxima } from './dynamics-check';
import type { CheckContext } from './relations';

/* Lagrangian systems as the certificate gathers and measures them one by one. */

/** A Lagrangian system and its work arrays. */
export interface LagrangianMember {
  readonly system: number;
  readonly form: LagrangianForm;
  readonly dof: number;
  readonly position: Float64Array;
  readonly velocity: Float64Array;
  readonly mass: Float64Array;
  readonly force0: Float64Array;
  readonly force1: Float64Array;
  /** q one step before the step's start */
  readonly previous: Float64Array;
  /** residuals of the equation of motion, and of the positions */
  readonly motion: LargestResidual;
  readonly kinematic: LargestResidual;
}

/** The members of an assignment. */
export function members(
  context: CheckContext,
  model: NonSmoothDynamicalSystem,
  systems: readonly number[],
): LagrangianMember[] {
  return systems.map((s) => {
    const form = model.systems[s].form as LagrangianForm;
    const vector = (): Float64Array => new Float64Array(form.size);
    return {
      system: s,
      form,
      dof: context.offsets[s],
      position: vector(),
      velocity: vector(),
      mass: new Float64Array(form.constantMass === null ? form.size * form.size : 0),
      force0: vector(),
      force1: vector(),
      previous: vector(),
      motion: new LargestResidual(),
      kinematic: new LargestResidual(),
    };
  });
}

/** Position and velocity of a member from a state. */
function gatherMembers(
  { position, velocity, dof }: LagrangianMember,
  { q, v }: CheckContext,
  state: Float64Array,
): void {
  for (let i = 0; i < position.length; i++) {
    position[i] = state[q + dof + i];
    velocity[i] = state[v + dof + i];
  }
}

/**
 * Adds ½ ᵗv M(q) v of the state to the kinetic energy, and ½ ᵗq K q of linear systems to the potential one.
 * @param state the present one when left out
 */
export function addEnergies(
  member: LagrangianMember,
  context: CheckContext,
  { sums }: EnergyBalance,
  state = context.state,
): void {
  const { form, position, velocity, mass } = member;
  gatherMembers(member, context, state);
  if (form.constantMass === null) form.mass(position, mass);
  let kinetic = 0;
  for (let i = 0; i < form.size; i++) kinetic += velocity[i] * momentum(member, i);
  sums.kinetic[0] += 0.5 * kinetic;
  const stiffness = form.linear?.stiffness ?? null;
  if (stiffness === null) return;
  let potential = 0;
  for (let i = 0; i < form.size; i++)
    for (let k = stiffness.rowStart[i]; k < stiffness.rowStart[i + 1]; k++)
      potential += position[i] * stiffness.values[k] * position[stiffness.columns[k]];
  sums.potential[0] += 0.5 * potential;
}

/** Σ |M_ij v_j| of a state. */
export function magnitudeOfMomentum(
  { form, mass, dof }: LagrangianMember,
  i: number,
  state: Float64Array,
  v: number,
): number {
  const n = form.size;
  const { constantMass } = form;
  let sum = 0;
  if (constantMass === null) {
    for (let j = 0; j < n; j++) sum += Math.abs(mass[i * n + j] * state[v + dof + j]);
    return sum;
  }
  const { rowStart, columns, values } = constantMass;
  for (let k = rowStart[i]; k < rowStart[i + 1]; k++)
    sum += Math.abs(values[k] * state[v + dof + columns[k]]);
  return sum;
}

/** Row i of M times the member's velocity array. */
export function momentum({ form, mass, velocity }: LagrangianMember, i: number): number {
  const n = form.size;
  const { constantMass } = form;
  let sum = 0;
  if (constantMass === null) {
    for (let j = 0; j < n; j++) sum += mass[i * n + j] * velocity[j];
    return sum;
  }
  const { rowStart, columns, values } = constantMass;
  for (let k = rowStart[i]; k < rowStart[i + 1]; k++) sum += values[k] * velocity[columns[k]];
  return sum;
}

/** The scales of members into and from what a certificate remembers. */
export function saveScales(all: readonly LagrangianMember[], { momentum, kinematic }: DynamicsMemory): void {
  for (const member of all) {
    momentum[member.system] = member.motion.entry[1];
    kinematic[member.system] = member.kinematic.entry[1];
  }
}

export function loadScales(all: readonly LagrangianMember[], { momentum, kinematic }: DynamicsMemory): void {
  for (const member of all) {
    member.motion.entry[1] = momentum[member.system];
    member.kinematic.entry[1] = kinematic[member.system];
  }
}

/** M(q_*) (v⁺ − v⁻) = h [θ F⁺ + (1−θ) F⁻] + p,  q⁺ = q⁻ + h [θ v⁺ + (1−θ) v⁻] */
export class MoreauJeanCheck implements DynamicsCheck {
  readonly #members: LagrangianMember[];
  readonly #theta: number;
  readonly #massAt: number;

  constructor(
    private readonly context: CheckContext,
    model: NonSmoothDynamicalSystem,
    { systems, numbers, choices }: AssignedIntegrator,
    private readonly energy: EnergyBalance,
  ) {
    this.#members = members(context, model, systems);
    this.#theta = numbers.theta;
    this.#massAt = choices.massPoint === 'end' ? 1 : 0.5;
  }

  start(): void {
    const { clock, state } = this.context;
    for (const member of this.#members) {
      gatherMembers(member, this.context, state);
      member.form.force(clock, member.position, member.velocity, member.force0);
      addEnergies(member, this.context, this.energy);
    }
  }

  inputsChanged(): void {
    const { clock, state } = this.context;
    for (const member of this.#members) {
      gatherMembers(member, this.context, state);
      member.form.force(clock, member.position, member.velocity, member.force0);
    }
  }

  reach(): void {
    const { reached, before, q, v } = this.context;
    const h = this.context.h[0];
    for (let m = 0; m < this.#members.length; m++) {
      const { dof, form } = this.#members[m];
      for (let i = dof; i < dof + form.size; i++)
        reached[q + i] =
          before[q + i] + h * (this.#theta * reached[v + i] + (1 - this.#theta) * before[v + i]);
    }
  }

  check(maxima: StepMaxima): void {
    const { clock, state, reached } = this.context;
    for (let m = 0; m < this.#members.length; m++) {
      const member = this.#members[m];
      this.#dynamics(member);
      maxima.enter(DYNAMICS, member.motion, clock);
      this.#kinematics(member);
      maxima.enter(DYNAMICS, member.kinematic, clock);
      if (reached === state) addEnergies(member, this.context, this.energy);
      else this.#addProjected(member);
    }
  }

  /**
   * Energies of projected positions, the work of the projection, and the force that the next step begins
   * with.
   */
  #addProjected(member: LagrangianMember): void {
    const { clock, state, reached } = this.context;
    const { kinetic, potential, work } = this.energy.sums;
    const [t, v] = [kinetic[0], potential[0]];
    addEnergies(member, this.context, this.energy, reached);
    const led = kinetic[0] - t + (potential[0] - v);
    kinetic[0] = t;
    potential[0] = v;
    addEnergies(member, this.context, this.energy);
    work[0] += kinetic[0] - t + (potential[0] - v) - led;
    gatherMembers(member, this.context, state);
    member.form.force(clock, member.position, member.velocity, member.force0);
  }

  save(memory: DynamicsMemory): void {
    saveScales(this.#members, memory);
  }

  load(memory: DynamicsMemory): void {
    loadScales(this.#members, memory);
  }

  #dynamics(member: LagrangianMember): void {
    const { clock, reached: state, before, q, v, input, inputMagnitude } = this.context;
    const { form, dof, position, velocity, mass, force0, force1, motion } = member;
    const h = this.context.h[0];
    const n = form.size;
    gatherMembers(member, this.context, state);
    form.force(clock, position, velocity, force1);
    for (let i = 0; i < n; i++) {
      position[i] = this.#massAt * state[q + dof + i] + (1 - this.#massAt) * before[q + dof + i];
      velocity[i] = state[v + dof + i] - before[v + dof + i];
    }
    if (form.constantMass === null) form.mass(position, mass);
    const { entry } = motion;
    motion.begin(dof);
    for (let i = 0; i < n; i++) {
      const inertia = momentum(member, i);
      const force = h * (this.#theta * force1[i] + (1 - this.#theta) * force0[i]);
      const scale = Math.max(Math.abs(inertia), Math.abs(force), Math.abs(input[dof + i]));
      if (scale > entry[1]) entry[1] = scale;
      const rounding = CANCELLATION * (magnitudeOfMomentum(member, i, state, v) + inputMagnitude[dof + i]);
      const residual = Math.max(0, Math.abs(inertia - force - input[dof + i]) - rounding);
      motion.take(residual, dof + i);
      force0[i] = force1[i];
    }
  }

  #kinematics({ form, dof, kinematic }: LagrangianMember): void {
    const { reached: state, before, q, v } = this.context;
    const h = this.context.h[0];
    const { entry } = kinematic;
    kinematic.begin(dof);
    for (let i = dof; i < dof + form.size; i++) {
      const moved = h * (this.#theta * state[v + i] + (1 - this.#theta) * before[v + i]);
      const scale = Math.max(Math.abs(state[q + i]), Math.abs(moved));
      if (scale > entry[1]) entry[1] = scale;
      const residual = Math.abs(state[q + i] - before[q + i] - moved);
      kinematic.take(residual, i);
    }
  }
}
