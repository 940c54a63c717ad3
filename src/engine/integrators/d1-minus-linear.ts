/**
 * Half-explicit steps with velocities that jump: what systems of `D1MinusLinear` are in the one-step problem
 * of a step, which is that of its impacts. Positions q_{k+1} and the velocities v⁻_{k+1} just before are
 * there when it begins (`ForceStages`), and
 *
 *     M(q_{k+1}) (v⁺_{k+1} − v⁻_{k+1}) = P.
 *
 * Schindler and Acary 2014.
 */
import type { LagrangianForm } from '../model/forms';
import { Mass } from './mass';
import {
  type IterationBlock,
  type Level,
  type OneStepIntegrator,
  type StepContext,
  singularIteration,
} from './step';

class Member implements IterationBlock {
  readonly systems: readonly number[];
  readonly isDiagonal: boolean;
  readonly mass: Mass;
  readonly force: Float64Array;
  // Copies, so that no plug-in can write into the state.
  readonly position: Float64Array;
  readonly velocity: Float64Array;

  constructor(
    readonly system: number,
    readonly form: LagrangianForm,
    /** first coordinate */
    readonly dof: number,
  ) {
    this.systems = [system];
    this.mass = new Mass(form, dof);
    this.isDiagonal = form.constantMass !== null && this.mass.isDiagonal;
    this.force = new Float64Array(form.size);
    this.position = new Float64Array(form.size);
    this.velocity = new Float64Array(form.size);
  }
}

export class D1MinusLinear implements OneStepIntegrator {
  readonly type = 'D1MinusLinear';
  readonly unknown = 'velocity';
  readonly isLinear = true;
  readonly isSymmetric = true;
  readonly isConstant: boolean;
  readonly blocks: readonly Member[];
  /** v⁻_{k+1} in the slots of velocities, indexed like the state */
  readonly leftLimit: Float64Array;

  constructor(
    private readonly context: StepContext,
    readonly systems: readonly number[],
    forms: readonly LagrangianForm[],
  ) {
    this.blocks = systems.map((system, i) => new Member(system, forms[i], context.offsets[system]));
    this.isConstant = forms.every(({ constantMass }) => constantMass !== null);
    this.leftLimit = new Float64Array(context.v + context.size);
  }

  changeStep(): void {
    // Only the stages depend on the length of a step.
  }

  begin(): void {
    // The stages have evaluated what there is.
  }

  linearise(): void {
    this.place(this.context.state);
  }

  /** M at a place. @param positions indexed like the state @throws {EngineError} when it is singular */
  place(positions: Float64Array): void {
    const { context } = this;
    for (let m = 0; m < this.blocks.length; m++) {
      const { mass, form, system } = this.blocks[m];
      if (form.constantMass === null) context.counters.factorisations++;
      if (!mass.place(positions, context.q)) throw singularIteration(context, system, 'M');
    }
  }

  /** a ← M⁻¹ F(t, q, v) in the slots of velocities, with M where it was placed last. */
  accelerate(clock: Float64Array, at: Float64Array, a: Float64Array): void {
    const { q, v } = this.context;
    for (let m = 0; m < this.blocks.length; m++) {
      const { form, dof, position, velocity, force, mass } = this.blocks[m];
      for (let i = 0; i < form.size; i++) {
        position[i] = at[q + dof + i];
        velocity[i] = at[v + dof + i];
      }
      form.force(clock, position, velocity, force);
      for (let i = 0; i < form.size; i++) a[v + dof + i] = force[i];
      mass.solve(a, v + dof);
    }
  }

  computeFree(): void {
    const { state, v } = this.context;
    for (let m = 0; m < this.blocks.length; m++) {
      const { dof, form } = this.blocks[m];
      for (let i = v + dof; i < v + dof + form.size; i++) state[i] = this.leftLimit[i];
    }
  }

  complete(): void {
    // Positions are known before.
  }

  residual(): void {
    // One pass solves the step.
  }

  accept(): void {
    // Nothing is kept: the next step begins from q and v.
  }

  applyInverse(block: number, x: Float64Array): void {
    const { mass, dof } = this.blocks[block];
    mass.solve(x, dof);
  }

  /** Impulses move no position of their own step. */
  outputWeight(level: Level): number {
    return level === 'velocity' ? 1 : 0;
  }

  inputWeight(): number {
    return 1;
  }
}
