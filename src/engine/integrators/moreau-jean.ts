/**
 * Moreau–Jean θ-method for non-linear Lagrangian systems M(q) v̇ = F(t, q, v) + p,
 *
 *     M(q_*) (v_{k+1} − v_k) = hθ F(t_{k+1}, q_{k+1}, v_{k+1}) + h(1−θ) F(t_k, q_k, v_k) + p,
 *     q_{k+1} = q_k + h (θ v_{k+1} + (1−θ) v_k).
 *
 * The mass is taken at the middle of the step, q_* = ½(q_k + q_{k+1}), which keeps order 2 at θ = ½, or at
 * its end. Newton's method in v, with q a function of v, ∂q_{k+1}/∂v = hθ:
 *
 *     R(v) = M(q_*)(v − v_k) − hθ F(t_{k+1}, q, v) − h(1−θ) F(t_k, q_k, v_k),
 *     Ŵ = M(q_*) − hθ ∇_v F − h²θ² ∇_q F,     v^{α+1} = v^α − Ŵ⁻¹ R(v^α) + Ŵ⁻¹ p.
 *
 * The derivative of M(q_*)(v − v_k) by q is left out: it is of the order of h times an impulse, so the
 * iteration contracts by O(h) and stays the cheaper one.
 */
import { sparseFromPattern, type SparseRows } from '../linalg/sparse';
import type { LagrangianForm } from '../model/forms';
import {
  type IterationBlock,
  type Level,
  MOMENTUM_ROUNDING,
  type Multiplier,
  type OneStepIntegrator,
  type StepContext,
  singularIteration,
} from './step';
import { IterationMatrix } from './iteration-matrix';

export type MassPoint = 'midpoint' | 'end';

class Member implements IterationBlock {
  readonly systems: readonly number[];
  readonly isDiagonal = false;
  readonly mass: Float64Array;
  readonly force0: Float64Array;
  readonly force1: Float64Array;
  readonly rhs: Float64Array;
  readonly inertia: Float64Array;
  readonly jacobianQ: Float64Array;
  readonly jacobianV: Float64Array;
  // Copies, so that no plug-in can write into the state.
  readonly position: Float64Array;
  readonly velocity: Float64Array;
  readonly matrix: SparseRows;
  readonly solver: IterationMatrix;

  constructor(
    readonly system: number,
    readonly form: LagrangianForm,
    /** first coordinate */
    readonly dof: number,
  ) {
    const n = form.size;
    this.systems = [system];
    this.mass = new Float64Array(n * n);
    this.force0 = new Float64Array(n);
    this.force1 = new Float64Array(n);
    this.rhs = new Float64Array(n);
    this.inertia = new Float64Array(n);
    this.jacobianQ = new Float64Array(n * n);
    this.jacobianV = new Float64Array(n * n);
    this.position = new Float64Array(n);
    this.velocity = new Float64Array(n);
    this.matrix = sparseFromPattern(Array.from({ length: n }, () => Array.from({ length: n }, (_, j) => j)));
    this.solver = new IterationMatrix(this.matrix, false);
  }
}

export class MoreauJean implements OneStepIntegrator {
  readonly type = 'MoreauJean';
  readonly unknown = 'velocity';
  readonly isLinear = false;
  readonly isConstant = false;
  /** ∇F of a general force is not symmetric */
  readonly isSymmetric = false;
  readonly blocks: readonly Member[];

  constructor(
    private readonly context: StepContext,
    readonly systems: readonly number[],
    forms: readonly LagrangianForm[],
    private readonly theta: number,
    private readonly massPoint: MassPoint,
  ) {
    this.blocks = systems.map((system, i) => new Member(system, forms[i], context.offsets[system]));
  }

  changeStep(): void {
    // Ŵ is made again at every linearisation.
  }

  begin(): void {
    if (this.theta === 1) return;
    const { start, q, v, clock0 } = this.context;
    for (let m = 0; m < this.blocks.length; m++) {
      const { form, dof, position, velocity, force0 } = this.blocks[m];
      for (let i = 0; i < form.size; i++) {
        position[i] = start[q + dof + i];
        velocity[i] = start[v + dof + i];
      }
      form.force(clock0, position, velocity, force0);
    }
  }

  linearise(): void {
    const { context, theta } = this;
    const h = context.h[0];
    for (let m = 0; m < this.blocks.length; m++) {
      const member = this.blocks[m];
      const { form, mass, jacobianQ, jacobianV, position, velocity, matrix, solver } = member;
      this.#massAt(member);
      this.#gather(member);
      const { values } = matrix;
      if (theta === 0) {
        values.set(mass);
      } else {
        form.forceJacobians(context.clock, position, velocity, jacobianQ, jacobianV);
        for (let k = 0; k < values.length; k++)
          values[k] = mass[k] - h * theta * jacobianV[k] - h * theta * (h * theta) * jacobianQ[k];
      }
      context.counters.factorisations++;
      if (!solver.factor()) throw singularIteration(context, member.system, 'M − hθ∇ᵥF − h²θ²∇_qF');
    }
  }

  #gather({ form, dof, position, velocity }: Member): void {
    const { state, q, v } = this.context;
    for (let i = 0; i < form.size; i++) {
      position[i] = state[q + dof + i];
      velocity[i] = state[v + dof + i];
    }
  }

  /** M(q_*) */
  #massAt({ form, dof, position, mass }: Member): void {
    const { state, start, q } = this.context;
    const weight = this.massPoint === 'midpoint' ? 0.5 : 1;
    for (let i = 0; i < form.size; i++)
      position[i] = weight * state[q + dof + i] + (1 - weight) * start[q + dof + i];
    form.mass(position, mass);
  }

  computeFree(): void {
    const { state, v } = this.context;
    for (let m = 0; m < this.blocks.length; m++) {
      const member = this.blocks[m];
      const { rhs, dof, form, solver } = member;
      this.#residualFree(member);
      solver.solve(rhs, 0);
      for (let i = 0; i < form.size; i++) state[v + dof + i] -= rhs[i];
    }
  }

  /** rhs ← R at the iterate */
  #residualFree(member: Member): void {
    const { context, theta } = this;
    const { state, start, v, clock } = context;
    const h = context.h[0];
    const { form, dof, mass, force0, force1, rhs, inertia, position, velocity } = member;
    const n = form.size;
    this.#massAt(member);
    this.#gather(member);
    form.force(clock, position, velocity, force1);
    for (let i = 0; i < n; i++) velocity[i] = state[v + dof + i] - start[v + dof + i];
    for (let i = 0; i < n; i++) {
      let moved = 0;
      for (let j = 0; j < n; j++) moved += mass[i * n + j] * velocity[j];
      inertia[i] = moved;
      const force = theta === 1 ? force1[i] : theta * force1[i] + (1 - theta) * force0[i];
      rhs[i] = moved - h * force;
    }
  }

  complete(): void {
    const { context, theta } = this;
    const { state, start, q, v } = context;
    const h = context.h[0];
    for (let m = 0; m < this.blocks.length; m++) {
      const { dof, form } = this.blocks[m];
      for (let i = dof; i < dof + form.size; i++)
        state[q + i] = start[q + i] + h * (theta * state[v + i] + (1 - theta) * start[v + i]);
    }
  }

  residual(): void {
    const { context } = this;
    const h = context.h[0];
    for (let m = 0; m < this.blocks.length; m++) {
      const member = this.blocks[m];
      this.#residualFree(member);
      const { rhs, inertia, force1, dof, form, mass } = member;
      let worst = 0;
      let scale = 0;
      for (let i = 0; i < form.size; i++) {
        const input = context.input[dof + i];
        let momentum = 0;
        for (let j = 0; j < form.size; j++)
          momentum += Math.abs(mass[i * form.size + j] * context.state[context.v + dof + j]);
        const value = Math.max(0, Math.abs(rhs[i] - input) - MOMENTUM_ROUNDING * momentum);
        if (!(value <= worst) && !Number.isNaN(worst)) worst = value;
        scale = Math.max(scale, Math.abs(inertia[i]), h * Math.abs(force1[i]), Math.abs(input));
      }
      const relative = scale > 0 ? worst / scale : worst;
      if (!(relative <= context.residual[0]) && !Number.isNaN(context.residual[0]))
        context.residual[0] = relative;
    }
  }

  accept(): void {
    // F(t_k, q_k, v_k) is evaluated again: the iterate it was last evaluated at is not the accepted state.
  }

  applyInverse(block: number, x: Float64Array): void {
    this.blocks[block].solver.solve(x, this.blocks[block].dof);
  }

  outputWeight(level: Level): number {
    return level === 'velocity' ? 1 : this.context.h[0] * this.theta;
  }

  inputWeight(multiplier: Multiplier): number {
    return multiplier === 'impulse' ? 1 : this.context.h[0];
  }
}
