/** Lagrangian systems as the certificate gathers and measures them one by one. */
import type { EnergyBalance } from '../../certificate/energy-balance';
import { LargestResidual } from '../../certificate/residual-maxima';
import type { LagrangianForm } from '../../model/forms';
import type { NonSmoothDynamicalSystem } from '../../model/nsds';
import type { DynamicsMemory } from '../state';
import type { CheckContext } from './relations';

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
export function gatherMembers(
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
 */
export function addEnergies(member: LagrangianMember, context: CheckContext, { sums }: EnergyBalance): void {
  const { form, position, velocity, mass } = member;
  gatherMembers(member, context, context.state);
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
