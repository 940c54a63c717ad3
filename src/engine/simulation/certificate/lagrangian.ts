/** Non-linear Moreau–Jean and Schatzman–Paoli as the certificate sees them. */
import type { IntegratorAssignment } from '../../integrators/registry';
import type { LagrangianForm } from '../../model/forms';
import type { NonSmoothDynamicalSystem } from '../../model/nsds';
import type { DynamicsMemory } from '../state';
import { type DynamicsCheck, CANCELLATION } from './dynamics-check';
import type { EnergyLedger } from './energy';
import type { Ledger } from './ledger';
import type { CheckContext } from './relations';

interface Member {
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
  readonly entry: Float64Array;
  /** [0] residual of the positions, [1] their scale */
  readonly kinematic: Float64Array;
}

function members(
  context: CheckContext,
  model: NonSmoothDynamicalSystem,
  systems: readonly number[],
): Member[] {
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
      entry: new Float64Array(2),
      kinematic: new Float64Array(2),
    };
  });
}

function gather({ position, velocity, dof }: Member, { q, v }: CheckContext, state: Float64Array): void {
  for (let i = 0; i < position.length; i++) {
    position[i] = state[q + dof + i];
    velocity[i] = state[v + dof + i];
  }
}

/** Adds ½ ᵗv M(q) v of the state to the kinetic energy, and ½ ᵗq K q of linear systems to the potential one. */
function addEnergies(member: Member, context: CheckContext, { sums }: EnergyLedger): void {
  const { form, position, velocity, mass } = member;
  gather(member, context, context.state);
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
function magnitudeOfMomentum({ form, mass, dof }: Member, i: number, state: Float64Array, v: number): number {
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
function momentum({ form, mass, velocity }: Member, i: number): number {
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

function saveScales(all: readonly Member[], { momentum, kinematic }: DynamicsMemory): void {
  for (const member of all) {
    momentum[member.system] = member.entry[1];
    kinematic[member.system] = member.kinematic[1];
  }
}

function loadScales(all: readonly Member[], { momentum, kinematic }: DynamicsMemory): void {
  for (const member of all) {
    member.entry[1] = momentum[member.system];
    member.kinematic[1] = kinematic[member.system];
  }
}

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
      ledger.enter('dynamics', member.entry, clock, worstDof, -1);
      const worstPosition = this.#kinematics(member);
      ledger.enter('dynamics', member.kinematic, clock, worstPosition, -1);
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
    const { clock, state, before, q, v, input } = this.context;
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
      const rounding = CANCELLATION * magnitudeOfMomentum(member, i, state, v);
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

/**
 * M (q⁺ − 2q + q⁻) + ½hθ C (q⁺ − q⁻) + h²(1−θ) C v + h² K (q + θ²(q⁺ − q)) = h² [θ F⁺ + (1−θ) F] + h p, where q⁻ is
 * the position before the step's start. The first step has none: there the central difference that was recorded as its
 * velocity gives it.
 */
export class SchatzmanPaoliCheck implements DynamicsCheck {
  readonly #members: Member[];
  readonly #theta: number;
  /** by member: 1 once q before the step's start is known */
  readonly #hasPrevious: Uint8Array;

  constructor(
    private readonly context: CheckContext,
    model: NonSmoothDynamicalSystem,
    { systems, numbers }: IntegratorAssignment,
    private readonly energy: EnergyLedger,
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

  check(ledger: Ledger): void {
    const { clock, state, before, q, v } = this.context;
    const h = this.context.h[0];
    for (let m = 0; m < this.#members.length; m++) {
      const member = this.#members[m];
      const { form, dof, previous } = member;
      if (this.#hasPrevious[m] === 0)
        for (let i = 0; i < form.size; i++) previous[i] = state[q + dof + i] - 2 * h * state[v + dof + i];
      const worstDof = this.#dynamics(member);
      ledger.enter('dynamics', member.entry, clock, worstDof, -1);
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

  #dynamics({ form, dof, force0, force1, previous, entry }: Member): number {
    const { clock, state, before, q, v, input } = this.context;
    const theta = this.#theta;
    const h = this.context.h[0];
    const n = form.size;
    const { linear, constantMass } = form;
    if (linear === null || constantMass === null) return dof;
    externalForce(form, clock, force1);
    let worst = 0;
    let worstDof = dof;
    for (let i = 0; i < n; i++) {
      let inertia = 0;
      let magnitude = 0;
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
      if (!(residual <= worst) && !Number.isNaN(worst)) {
        worst = residual;
        worstDof = dof + i;
      }
    }
    force0.set(force1);
    entry[0] = worst;
    return worstDof;
  }
}

function externalForce({ linear }: LagrangianForm, clock: Float64Array, out: Float64Array): void {
  out.fill(0);
  if (linear === null) return;
  linear.force?.(clock, out);
  for (let i = 0; i < out.length; i++) out[i] += linear.constantForce[i];
}
