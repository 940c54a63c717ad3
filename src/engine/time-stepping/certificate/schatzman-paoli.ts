/** Schatzman–Paoli as the certificate sees it. */
import type { EnergyBalance } from '../../certificate/energy-balance';
import { DYNAMICS } from '../../certificate/residual-maxima';
import type { AssignedIntegrator } from '../../integrators/registry';
import type { LagrangianForm } from '../../model/forms';
import type { NonSmoothDynamicalSystem } from '../../model/nsds';
import type { DynamicsMemory } from '../state';
import { CANCELLATION, type DynamicsCheck, type StepMaxima } from './dynamics-check';
import { addEnergies, loadScales, type LagrangianMember, members, saveScales } from './lagrangian';
import type { CheckContext } from './relations';

/**
 * With q the position at the step's start and q⁻ the one a step before that:
 *
 *     M (q⁺ − 2q + q⁻) + ½hθ C (q⁺ − q⁻) + h²(1−θ) C v + h² K (q + θ²(q⁺ − q)) = h² [θ F⁺ + (1−θ) F] + h p
 *     q⁺ − q⁻ = 2h v⁺,      v⁺ the velocity that is recorded with q⁺
 *
 * The first step has no q⁻ but the one that its v⁺ gives. There the second equation is that of the start,
 *
 *     M (q⁻ − q + h v) = ½h² (F − C v − K q).
 */
export class SchatzmanPaoliCheck implements DynamicsCheck {
  readonly #members: LagrangianMember[];
  readonly #theta: number;
  /** by member: 1 once q before the step's start is known */
  readonly #hasPrevious: Uint8Array;

  constructor(
    private readonly context: CheckContext,
    model: NonSmoothDynamicalSystem,
    { systems, numbers }: AssignedIntegrator,
    private readonly energy: EnergyBalance,
  ) {
    this.#members = members(context, model, systems);
    this.#theta = numbers.theta;
    this.#hasPrevious = new Uint8Array(systems.length);
  }

  start(): void {
    const { clock } = this.context;
    for (const member of this.#members) {
      externalForce(member.form, clock, member.force0);
      addEnergies(member, this.context, this.energy);
    }
  }

  inputsChanged(): void {
    for (const { form, force0 } of this.#members) externalForce(form, this.context.clock, force0);
  }

  check(maxima: StepMaxima): void {
    const { clock, state, before, q, v } = this.context;
    const h = this.context.h[0];
    for (let m = 0; m < this.#members.length; m++) {
      const member = this.#members[m];
      const { form, dof, previous } = member;
      if (this.#hasPrevious[m] === 0)
        for (let i = 0; i < form.size; i++) previous[i] = state[q + dof + i] - 2 * h * state[v + dof + i];
      this.#dynamics(member);
      maxima.enter(DYNAMICS, member.motion, clock);
      if (this.#hasPrevious[m] === 1) {
        this.#velocities(member);
        maxima.enter(DYNAMICS, member.kinematic, clock);
      } else {
        this.#beginning(member);
        maxima.enter(DYNAMICS, member.motion, clock);
      }
      member.force0.set(member.force1);
      for (let i = 0; i < form.size; i++) previous[i] = before[q + dof + i];
      this.#hasPrevious[m] = 1;
      addEnergies(member, this.context, this.energy);
    }
  }

  save(memory: DynamicsMemory): void {
    saveScales(this.#members, memory);
    this.#members.forEach(({ system, dof, previous }, m) => {
      memory.hasPrevious[system] = this.#hasPrevious[m];
      memory.previous.set(previous, dof);
    });
  }

  load(memory: DynamicsMemory): void {
    loadScales(this.#members, memory);
    this.#members.forEach(({ system, dof, previous }, m) => {
      this.#hasPrevious[m] = memory.hasPrevious[system];
      previous.set(memory.previous.subarray(dof, dof + previous.length));
    });
  }

  #dynamics({ form, dof, force0, force1, previous, motion }: LagrangianMember): void {
    const { clock, state, before, q, v, input, inputMagnitude } = this.context;
    const theta = this.#theta;
    const h = this.context.h[0];
    const n = form.size;
    const { linear, constantMass } = form;
    if (linear === null || constantMass === null) return;
    externalForce(form, clock, force1);
    const { entry } = motion;
    motion.begin(dof);
    for (let i = 0; i < n; i++) {
      let inertia = 0;
      let magnitude = h * inputMagnitude[dof + i];
      for (let k = constantMass.rowStart[i]; k < constantMass.rowStart[i + 1]; k++) {
        const j = constantMass.columns[k];
        inertia += constantMass.values[k] * (state[q + dof + j] - 2 * before[q + dof + j] + previous[j]);
        magnitude += Math.abs(constantMass.values[k] * state[q + dof + j]);
      }
      let internal = 0;
      const { damping, stiffness } = linear;
      if (damping !== null)
        for (let k = damping.rowStart[i]; k < damping.rowStart[i + 1]; k++) {
          const j = damping.columns[k];
          internal +=
            damping.values[k] *
            (0.5 * h * theta * (state[q + dof + j] - previous[j]) +
              h * h * (1 - theta) * before[v + dof + j]);
        }
      if (stiffness !== null)
        for (let k = stiffness.rowStart[i]; k < stiffness.rowStart[i + 1]; k++) {
          const j = stiffness.columns[k];
          const moved = state[q + dof + j] - before[q + dof + j];
          internal += h * h * stiffness.values[k] * (before[q + dof + j] + theta * theta * moved);
        }
      const force = h * h * (theta * force1[i] + (1 - theta) * force0[i]);
      const p = h * input[dof + i];
      const scale = Math.max(Math.abs(inertia), Math.abs(internal), Math.abs(force), Math.abs(p));
      if (scale > entry[1]) entry[1] = scale;
      const residual = Math.max(0, Math.abs(inertia + internal - force - p) - CANCELLATION * magnitude);
      motion.take(residual, dof + i);
    }
  }

  /** Residual of the recorded velocities. */
  #velocities({ form, dof, previous, kinematic }: LagrangianMember): void {
    const { state, q, v } = this.context;
    const h = this.context.h[0];
    const { entry } = kinematic;
    kinematic.begin(dof);
    for (let i = 0; i < form.size; i++) {
      const q1 = state[q + dof + i];
      const moved = 2 * h * state[v + dof + i];
      entry[1] = Math.max(entry[1], Math.abs(q1), Math.abs(moved));
      const residual = Math.abs(q1 - previous[i] - moved);
      kinematic.take(residual, dof + i);
    }
  }

  /** Residual of the equation that gives the position before the first one. */
  #beginning({ form, dof, force0, previous, motion }: LagrangianMember): void {
    const { state, before, q, v } = this.context;
    const h = this.context.h[0];
    const { linear, constantMass } = form;
    const { entry } = motion;
    motion.begin(dof);
    if (linear === null || constantMass === null) return;
    const { damping, stiffness } = linear;
    for (let i = 0; i < form.size; i++) {
      let inertia = 0;
      let magnitude = 0;
      for (let k = constantMass.rowStart[i]; k < constantMass.rowStart[i + 1]; k++) {
        const j = constantMass.columns[k];
        const value = constantMass.values[k];
        inertia += value * (previous[j] - before[q + dof + j] + h * before[v + dof + j]);
        magnitude += Math.abs(value) * (Math.abs(state[q + dof + j]) + Math.abs(previous[j]));
      }
      let force = force0[i];
      if (damping !== null)
        for (let k = damping.rowStart[i]; k < damping.rowStart[i + 1]; k++)
          force -= damping.values[k] * before[v + dof + damping.columns[k]];
      if (stiffness !== null)
        for (let k = stiffness.rowStart[i]; k < stiffness.rowStart[i + 1]; k++)
          force -= stiffness.values[k] * before[q + dof + stiffness.columns[k]];
      force *= 0.5 * h * h;
      entry[1] = Math.max(entry[1], Math.abs(inertia), Math.abs(force));
      const residual = Math.max(0, Math.abs(inertia - force) - CANCELLATION * magnitude);
      motion.take(residual, dof + i);
    }
  }
}

function externalForce({ linear }: LagrangianForm, clock: Float64Array, out: Float64Array): void {
  out.fill(0);
  if (linear === null) return;
  linear.force?.(clock, out);
  for (let i = 0; i < out.length; i++) out[i] += linear.constantForce[i];
}
