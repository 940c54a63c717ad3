/** Non-linear Moreau–Jean as the certificate sees it. */
import type { EnergyBalance } from '../../certificate/energy-balance';
import { DYNAMICS } from '../../certificate/residual-maxima';
import type { AssignedIntegrator } from '../../integrators/registry';
import type { NonSmoothDynamicalSystem } from '../../model/nsds';
import type { DynamicsMemory } from '../state';
import { CANCELLATION, type DynamicsCheck, type StepMaxima } from './dynamics-check';
import {
  addEnergies,
  gatherMembers,
  loadScales,
  magnitudeOfMomentum,
  type LagrangianMember,
  members,
  momentum,
  saveScales,
} from './lagrangian-members';
import type { CheckContext } from './relations';

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

  check(maxima: StepMaxima): void {
    const { clock } = this.context;
    for (let m = 0; m < this.#members.length; m++) {
      const member = this.#members[m];
      this.#dynamics(member);
      maxima.enter(DYNAMICS, member.motion, clock);
      this.#kinematics(member);
      maxima.enter(DYNAMICS, member.kinematic, clock);
      addEnergies(member, this.context, this.energy);
    }
  }

  save(memory: DynamicsMemory): void {
    saveScales(this.#members, memory);
  }

  load(memory: DynamicsMemory): void {
    loadScales(this.#members, memory);
  }

  #dynamics(member: LagrangianMember): void {
    const { clock, state, before, q, v, input, inputMagnitude } = this.context;
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
    const { state, before, q, v } = this.context;
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
