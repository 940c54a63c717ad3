/** Non-linear Moreau–Jean as the certificate sees it. */
import type { IntegratorAssignment } from '../../integrators/registry';
import type { NonSmoothDynamicalSystem } from '../../model/nsds';
import type { DynamicsMemory } from '../state';
import { type DynamicsCheck, CANCELLATION } from './dynamics-check';
import type { EnergyLedger } from './energy';
import {
  addEnergies,
  gather,
  loadScales,
  magnitudeOfMomentum,
  type Member,
  members,
  momentum,
  saveScales,
} from './lagrangian-members';
import { DYNAMICS, type Ledger } from './ledger';
import type { CheckContext } from './relations';

/** M(q_*) (v⁺ − v⁻) = h [θ F⁺ + (1−θ) F⁻] + p,  q⁺ = q⁻ + h [θ v⁺ + (1−θ) v⁻] */
export class MoreauJeanCheck implements DynamicsCheck {
  readonly #members: Member[];
  readonly #theta: number;
  readonly #massAt: number;

  constructor(
    private readonly context: CheckContext,
    model: NonSmoothDynamicalSystem,
    { systems, numbers, choices }: IntegratorAssignment,
    private readonly energy: EnergyLedger,
  ) {
    this.#members = members(context, model, systems);
    this.#theta = numbers.theta;
    this.#massAt = choices.massPoint === 'end' ? 1 : 0.5;
  }

  start(): void {
    const { clock, state } = this.context;
    for (const member of this.#members) {
      gather(member, this.context, state);
      member.form.force(clock, member.position, member.velocity, member.force0);
      addEnergies(member, this.context, this.energy);
    }
  }

  check(ledger: Ledger): void {
    const { clock } = this.context;
    for (let m = 0; m < this.#members.length; m++) {
      const member = this.#members[m];
      const worstDof = this.#dynamics(member);
      ledger.enter(DYNAMICS, member.entry, clock, worstDof, -1);
      const worstPosition = this.#kinematics(member);
      ledger.enter(DYNAMICS, member.kinematic, clock, worstPosition, -1);
      addEnergies(member, this.context, this.energy);
    }
  }

  save(memory: DynamicsMemory): void {
    saveScales(this.#members, memory);
  }

  load(memory: DynamicsMemory): void {
    loadScales(this.#members, memory);
  }

  #dynamics(member: Member): number {
    const { clock, state, before, q, v, input, inputMagnitude } = this.context;
    const { form, dof, position, velocity, mass, force0, force1, entry } = member;
    const h = this.context.h[0];
    const n = form.size;
    gather(member, this.context, state);
    form.force(clock, position, velocity, force1);
    for (let i = 0; i < n; i++) {
      position[i] = this.#massAt * state[q + dof + i] + (1 - this.#massAt) * before[q + dof + i];
      velocity[i] = state[v + dof + i] - before[v + dof + i];
    }
    if (form.constantMass === null) form.mass(position, mass);
    let worst = 0;
    let worstDof = dof;
    for (let i = 0; i < n; i++) {
      const inertia = momentum(member, i);
      const force = h * (this.#theta * force1[i] + (1 - this.#theta) * force0[i]);
      const scale = Math.max(Math.abs(inertia), Math.abs(force), Math.abs(input[dof + i]));
      if (scale > entry[1]) entry[1] = scale;
      const rounding = CANCELLATION * (magnitudeOfMomentum(member, i, state, v) + inputMagnitude[dof + i]);
      const residual = Math.max(0, Math.abs(inertia - force - input[dof + i]) - rounding);
      if (!(residual <= worst) && !Number.isNaN(worst)) {
        worst = residual;
        worstDof = dof + i;
      }
      force0[i] = force1[i];
    }
    entry[0] = worst;
    return worstDof;
  }

  #kinematics({ form, dof, kinematic }: Member): number {
    const { state, before, q, v } = this.context;
    const h = this.context.h[0];
    let worst = 0;
    let worstDof = dof;
    for (let i = dof; i < dof + form.size; i++) {
      const moved = h * (this.#theta * state[v + i] + (1 - this.#theta) * before[v + i]);
      const scale = Math.max(Math.abs(state[q + i]), Math.abs(moved));
      if (scale > kinematic[1]) kinematic[1] = scale;
      const residual = Math.abs(state[q + i] - before[q + i] - moved);
      if (!(residual <= worst) && !Number.isNaN(worst)) {
        worst = residual;
        worstDof = i;
      }
    }
    kinematic[0] = worst;
    return worstDof;
  }
}
