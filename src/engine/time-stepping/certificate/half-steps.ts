/**
 * Half steps as the certificate sees them: relations of their systems, and their discrete equations. With the
 * middle found from the recorded states (`middle.ts`),
 *
 *     M(q_½) (W − V) = h F(t_½, q_m, ½ (V + W)) + ᵗG(q_½) λ + ᵗH(q_½) R,     q_m = q_½ + ¼h (W − V),
 *
 * laws on velocities hold of H W, and of H V where restitution compares; joints are closed at q⁺, and v⁺
 * keeps them so Rows that yield under their multiplier hold at q_m = ½ (q⁻ + q⁺) and t_½.
 *
 * Energy: T + V against the work of forces and damping, of contacts, ½ (V + W)·ᵗH R, and of prescribed
 * motions, −λ·∂φ/∂t. Joints do none, so that what the scheme loses or gains by them shows.
 */
import type { EnergyBalance } from '../../certificate/energy-balance';
import { DYNAMICS } from '../../certificate/residual-maxima';
import type { AssignedIntegrator } from '../../integrators/registry';
import type { RelationForm } from '../../model/forms';
import { type Interaction, type NonSmoothDynamicalSystem, isHeld } from '../../model/nsds';
import type { DynamicsMemory } from '../state';
import type { ContactCheck } from './contacts';
import { CANCELLATION, type DynamicsCheck, type StepMaxima } from './dynamics-check';
import {
  addEnergies,
  loadScales,
  magnitudeOfMomentum,
  type LagrangianMember,
  members,
  momentum,
  saveScales,
} from './lagrangian';
import { CLOSED, type MiddleCheck } from './middle';
import type { CheckContext } from './relations';

interface Looked {
  readonly relation: RelationForm;
  readonly row: number;
  readonly dofs: Int32Array;
  readonly z: Float64Array;
  readonly lambda: Float64Array;
  readonly y: Float64Array;
  readonly offset: Float64Array;
  readonly rate: Float64Array;
  readonly C: Float64Array;
  readonly D: Float64Array;
  readonly kind: 'joint' | 'velocity' | 'position' | 'mean';
  readonly isContact: boolean;
  readonly isImpulse: boolean;
}

export class HalfStepRelations {
  /** work of prescribed motions in the step, J */
  readonly work = new Float64Array(1);
  /** inputs of the step that are not of joints, by coordinate */
  readonly contactInput: Float64Array;
  readonly #looked: Looked[] = [];

  /** @param isVelocity by row, whether the law holds on ẏ */
  constructor(
    model: NonSmoothDynamicalSystem,
    private readonly context: CheckContext,
    private readonly contacts: ContactCheck,
    readonly middle: MiddleCheck,
    isVelocity: Uint8Array,
  ) {
    this.contactInput = new Float64Array(context.size);
    let row = 0;
    for (const interaction of model.interactions) {
      if (this.takes(interaction)) this.#add(interaction, row, isVelocity[row] === 1);
      row += interaction.relation.size;
    }
  }

  takes({ systems }: Interaction): boolean {
    return systems.length > 0 && systems.every((s) => this.middle.isTaken(s));
  }

  #add(interaction: Interaction, row: number, isVelocity: boolean): void {
    const { offsets } = this.context;
    const { relation, systems, law } = interaction;
    const { size, columns, C, D } = relation;
    const dofs: number[] = [];
    for (const s of systems) for (let dof = offsets[s]; dof < offsets[s + 1]; dof++) dofs.push(dof);
    this.#looked.push({
      relation,
      row,
      dofs: Int32Array.from(dofs),
      z: new Float64Array(columns),
      lambda: new Float64Array(size),
      y: new Float64Array(size),
      offset: new Float64Array(size),
      rate: new Float64Array(size),
      C: C?.slice() ?? new Float64Array(size * columns),
      D: D?.slice() ?? new Float64Array(size * size),
      kind: kindOf(interaction, isVelocity),
      isContact: this.contacts.isContact[row] === 1,
      isImpulse: law.multiplier === 'impulse',
    });
  }

  /** Finds the middle, and which contacts are closed there. */
  begin(): void {
    const { q, v, h } = this.context;
    const { gap, gapVelocity, magnitude } = this.contacts;
    const { middle } = this;
    middle.evaluate();
    for (let k = 0; k < this.#looked.length; k++) {
      const looked = this.#looked[k];
      const { relation, row, dofs, z, y, C, rate, kind, isContact, lambda } = looked;
      if (kind === 'position' || kind === 'mean') continue;
      lambda.fill(0);
      this.#linearise(looked, middle.clock, middle.first);
      relation.timeDerivative(middle.clock, z, rate);
      if (!isContact) continue;
      relation.output(middle.clock, z, lambda, y);
      for (let i = 0; i < relation.size; i++) {
        let speed = rate[i];
        let terms = Math.abs(y[i]) + h[0] * Math.abs(speed);
        for (let j = 0; j < dofs.length; j++) {
          const value = C[i * dofs.length + j];
          speed += value * middle.first[v + dofs[j]];
          terms +=
            Math.abs(value * middle.first[q + dofs[j]]) + h[0] * Math.abs(value * middle.first[v + dofs[j]]);
        }
        gap[row + i] = y[i];
        gapVelocity[row + i] = speed;
        if (terms > magnitude[row + i]) magnitude[row + i] = terms;
      }
    }
  }

  #linearise({ relation, dofs, z, C, D, lambda }: Looked, clock: Float64Array, at: Float64Array): void {
    const { q } = this.context;
    for (let j = 0; j < dofs.length; j++) z[j] = at[q + dofs[j]];
    if (relation.C === null || (relation.hasFeedthrough && relation.D === null))
      relation.outputJacobians(clock, z, lambda, C, D);
  }

  /** y and d by row, and inputs of the step. */
  evaluate(lambda: Float64Array, y: Float64Array, scale: Float64Array): void {
    this.work[0] = 0;
    this.contactInput.fill(0);
    for (let k = 0; k < this.#looked.length; k++) {
      const looked = this.#looked[k];
      for (let i = 0; i < looked.relation.size; i++) looked.lambda[i] = lambda[looked.row + i];
      if (looked.kind === 'position') this.#evaluatePosition(looked, y);
      else if (looked.kind === 'mean') this.#evaluateMean(looked, y);
      else this.#evaluateVelocity(looked, y);
      this.#gatherInput(looked, scale);
      if (looked.kind === 'joint') this.#evaluateJoint(looked, y);
    }
  }

  #evaluatePosition(looked: Looked, y: Float64Array): void {
    const { relation, row, z, lambda } = looked;
    const { clock, state } = this.context;
    this.#linearise(looked, clock, state);
    relation.output(clock, z, lambda, looked.y);
    y.set(looked.y, row);
  }

  /** Rows that yield: y of ½ (q⁻ + q⁺) in the middle of the step. */
  #evaluateMean({ relation, row, dofs, z, C, D, lambda, y: own }: Looked, y: Float64Array): void {
    const { before, state, q } = this.context;
    const { clock } = this.middle;
    for (let j = 0; j < dofs.length; j++) z[j] = 0.5 * (before[q + dofs[j]] + state[q + dofs[j]]);
    if (relation.C === null || relation.D === null) relation.outputJacobians(clock, z, lambda, C, D);
    relation.output(clock, z, lambda, own);
    y.set(own, row);
  }

  /** ẏ of W, and of joints the impulse in the middle. */
  #evaluateVelocity({ relation, row, dofs, C, rate, kind, lambda }: Looked, y: Float64Array): void {
    const { q, v, h } = this.context;
    const { middle } = this;
    for (let i = 0; i < relation.size; i++) {
      let speed = rate[i];
      let terms = 0;
      for (let j = 0; j < dofs.length; j++) {
        const value = C[i * dofs.length + j];
        speed += value * middle.second[v + dofs[j]];
        terms += Math.abs(value * middle.second[q + dofs[j]]);
      }
      // W is known to what rounding leaves of positions within half a step.
      const rounding = (2 * CLOSED * terms) / h[0];
      y[row + i] = Math.sign(speed) * Math.max(0, Math.abs(speed) - rounding);
      if (kind !== 'joint') continue;
      lambda[i] -= middle.opening[row + i] + middle.closing[row + i];
      // A drive works with its own speed; its parts at the ends of the step do with that of the middle to the
      // second order.
      this.work[0] -= (lambda[i] + middle.opening[row + i] + middle.closing[row + i]) * rate[i];
    }
  }

  /**
   * How far a joint is open at q⁺, as the velocity that would open it in half a step, or φ̇ of v⁺ where that
   * is more.
   */
  #evaluateJoint(looked: Looked, y: Float64Array): void {
    const { relation, row, dofs, z, C, offset } = looked;
    const { clock, state, q, v, h } = this.context;
    this.#linearise(looked, clock, state);
    this.middle.offsets(row, offset);
    relation.timeDerivative(clock, z, looked.y);
    for (let i = 0; i < relation.size; i++) {
      let speed = looked.y[i];
      let terms = 0;
      for (let j = 0; j < dofs.length; j++) {
        const value = C[i * dofs.length + j];
        speed += value * state[v + dofs[j]];
        terms += Math.abs(value) * (Math.abs(state[q + dofs[j]]) + Math.abs(h[0] * state[v + dofs[j]]));
      }
      const open = (2 * Math.max(0, Math.abs(offset[i]) - CLOSED * (terms + norm(C, i, dofs.length)))) / h[0];
      y[row + i] = Math.max(open, Math.abs(speed));
    }
  }

  #gatherInput({ relation, row, dofs, lambda, C, D, isImpulse, kind }: Looked, scale: Float64Array): void {
    const { input, inputMagnitude, inertia, h } = this.context;
    const factor = isImpulse ? 1 : h[0];
    for (let i = 0; i < relation.size; i++) {
      let sum = 0;
      for (let j = 0; j < dofs.length; j++) {
        const value = C[i * dofs.length + j];
        sum += (value * value) / inertia[dofs[j]];
        const term = factor * value * lambda[i];
        input[dofs[j]] += term;
        inputMagnitude[dofs[j]] += Math.abs(term);
        if (kind !== 'joint') this.contactInput[dofs[j]] += term;
      }
      sum *= factor;
      if (relation.hasFeedthrough) sum += Math.abs(D[i * relation.size + i]);
      scale[row + i] = sum > 0 ? sum : 1;
    }
  }
}

function kindOf(interaction: Interaction, isVelocity: boolean): Looked['kind'] {
  if (isHeld(interaction)) return 'joint';
  if (isVelocity) return 'velocity';
  return interaction.relation.hasFeedthrough ? 'mean' : 'position';
}

/** Σ |C_j| of a row: what rounding of angles, and of points at the origin, is measured by. */
function norm(C: Float64Array, row: number, columns: number): number {
  let sum = 0;
  for (let j = 0; j < columns; j++) sum += Math.abs(C[row * columns + j]);
  return sum;
}

export class HalfStepsCheck implements DynamicsCheck {
  readonly #members: LagrangianMember[];
  /** M (W − V) − h F − ᵗG λ − ᵗH R by coordinate */
  readonly #defect: Float64Array;

  constructor(
    private readonly context: CheckContext,
    model: NonSmoothDynamicalSystem,
    { systems }: AssignedIntegrator,
    private readonly energy: EnergyBalance,
    private readonly relations: HalfStepRelations,
  ) {
    this.#members = members(context, model, systems);
    this.#defect = new Float64Array(context.size);
  }

  start(): void {
    for (const member of this.#members) addEnergies(member, this.context, this.energy);
  }

  save(memory: DynamicsMemory): void {
    saveScales(this.#members, memory);
  }

  load(memory: DynamicsMemory): void {
    loadScales(this.#members, memory);
  }

  check(maxima: StepMaxima): void {
    const { clock } = this.context;
    const { middle, work } = this.relations;
    this.#defect.fill(0);
    for (let m = 0; m < this.#members.length; m++) this.#balance(this.#members[m]);
    // Impulses of redundant joints are not unique, and what they are in parts is not recorded.
    if (middle.isRedundant) middle.removeJoints(this.#defect);
    for (let m = 0; m < this.#members.length; m++) {
      const member = this.#members[m];
      this.#judge(member);
      maxima.enter(DYNAMICS, member.motion, clock);
      this.#kinematics(member);
      maxima.enter(DYNAMICS, member.kinematic, clock);
      addEnergies(member, this.context, this.energy);
    }
    // Of several checks the first enters it.
    this.energy.sums.work[0] += work[0];
    work[0] = 0;
  }

  #balance(member: LagrangianMember): void {
    const { q, v, h, input, inertia: weights } = this.context;
    const { first, second, clock } = this.relations.middle;
    const { form, dof, position, velocity, mass, force1, motion } = member;
    const { entry } = motion;
    const { sums } = this.energy;
    const n = form.size;
    for (let i = 0; i < n; i++) {
      const before = first[v + dof + i];
      const after = second[v + dof + i];
      position[i] = first[q + dof + i] + 0.25 * h[0] * (after - before);
      velocity[i] = 0.5 * (before + after);
    }
    form.force(clock, position, velocity, force1);
    if (form.linear !== null) this.#workOf(member);
    for (let i = 0; i < n; i++) {
      position[i] = first[q + dof + i];
      velocity[i] = second[v + dof + i] - first[v + dof + i];
    }
    if (form.constantMass === null) form.mass(position, mass);
    for (let i = 0; i < n; i++) {
      const change = momentum(member, i);
      const force = h[0] * force1[i];
      const p = input[dof + i];
      const scale = Math.max(Math.abs(change), Math.abs(force), Math.abs(p));
      if (scale > entry[1]) entry[1] = scale;
      this.#defect[dof + i] = change - force - p;
      const pushed = Math.max(Math.abs(force), Math.abs(p));
      sums.exchanged[0] += (0.5 * pushed * pushed) / weights[dof + i];
    }
  }

  /** Work of the forces without those of the springs, which have a potential, and of contacts. */
  #workOf({ form, dof, position, velocity, force1 }: LagrangianMember): void {
    const { h } = this.context;
    const stiffness = form.linear?.stiffness ?? null;
    let power = 0;
    for (let i = 0; i < form.size; i++) {
      let force = force1[i];
      if (stiffness !== null)
        for (let k = stiffness.rowStart[i]; k < stiffness.rowStart[i + 1]; k++)
          force += stiffness.values[k] * position[stiffness.columns[k]];
      power += velocity[i] * (h[0] * force + this.relations.contactInput[dof + i]);
    }
    this.energy.sums.work[0] += power;
  }

  #judge(member: LagrangianMember): void {
    const { v, inputMagnitude } = this.context;
    const { first, second } = this.relations.middle;
    const { form, dof, motion } = member;
    motion.begin(dof);
    for (let i = 0; i < form.size; i++) {
      const moments = magnitudeOfMomentum(member, i, first, v) + magnitudeOfMomentum(member, i, second, v);
      const rounding = CANCELLATION * (moments + inputMagnitude[dof + i]);
      const residual = Math.max(0, Math.abs(this.#defect[dof + i]) - rounding);
      motion.take(residual, dof + i);
    }
  }

  /** How far apart the two middles are. */
  #kinematics({ form, dof, kinematic }: LagrangianMember): void {
    const { q, v, h, state } = this.context;
    const { first, second } = this.relations.middle;
    const { entry } = kinematic;
    kinematic.begin(dof);
    for (let i = dof; i < dof + form.size; i++) {
      const scale = Math.max(Math.abs(state[q + i]), h[0] * Math.abs(state[v + i]));
      if (scale > entry[1]) entry[1] = scale;
      const residual = Math.abs(first[q + i] - second[q + i]);
      kinematic.take(residual, i);
    }
  }
}
