/**
 * Schatzman–Paoli: a central difference scheme at position level for Lagrangian linear time-invariant
 * systems,
 *
 *     M (q_{k+1} − 2 q_k + q_{k−1}) + ½hθ C (q_{k+1} − q_{k−1}) + h²(1−θ) C v_k + h² K q_{k+θ²}
 *         = h² (θ F_{k+1} + (1−θ) F_k) + h p,
 *     v_{k+1} = (q_{k+1} − q_{k−1}) / 2h,      q_{k+θ²} = q_k + θ² (q_{k+1} − q_k),
 *
 * with Newton's law on positions, 0 ≤ y_{k+1} + e y_{k−1} ⊥ p ≥ 0. The unknown is q_{k+1}:
 *
 *     W = M + ½hθ C + h²θ² K,    q_free = q_k − W⁻¹R,
 *     R = M (q_{k−1} − q_k) + h²K q_k + h²C [θ (q_k − q_{k−1})/2h + (1−θ) v_k] − h² (θ F_{k+1} + (1−θ) F_k).
 *
 * Paoli and Schatzman 2002. The recorded velocity is the central difference, that of the step's start. The
 * scheme starts from q_{−1} = q_0 − h v_0 + ½h² a_0, which keeps its order.
 */
import { type SparseRows, SparseSum, rowDot } from '../linalg/sparse';
import { isSparseSymmetric } from '../linalg/sparse';
import type { LagrangianForm, LinearForces } from '../model/forms';
import {
  type IterationBlock,
  type Level,
  type Multiplier,
  type OneStepIntegrator,
  type StepContext,
  singularIteration,
} from './step';
import { IterationMatrix } from './iteration-matrix';

interface Member extends IterationBlock {
  readonly system: number;
  readonly dof: number;
  readonly form: LagrangianForm;
  readonly mass: SparseRows;
  readonly linear: LinearForces;
  readonly sum: SparseSum;
  readonly matrix: IterationMatrix;
  /** q_{k−1} */
  readonly previous: Float64Array;
  readonly force0: Float64Array;
  readonly force1: Float64Array;
  readonly work: Float64Array;
  readonly rhs: Float64Array;
}

export class SchatzmanPaoli implements OneStepIntegrator {
  readonly type = 'SchatzmanPaoli';
  readonly unknown = 'position';
  readonly isLinear = true;
  readonly isConstant = true;
  readonly isSymmetric: boolean;
  readonly blocks: readonly Member[];

  readonly #weights = new Float64Array(3);

  constructor(
    private readonly context: StepContext,
    readonly systems: readonly number[],
    forms: readonly LagrangianForm[],
    private readonly theta: number,
  ) {
    this.blocks = systems.map((system, i) => createMember(system, context.offsets[system], forms[i]));
    this.isSymmetric = this.blocks.every(
      ({ linear }) => isSparseSymmetric(linear.damping) && isSparseSymmetric(linear.stiffness),
    );
    this.changeStep();
    for (const member of this.blocks) {
      this.#force(member, context.clock0, member.force0);
      this.#force(member, context.clock0, member.force1);
      this.#startBefore(member);
    }
  }

  /** previous ← q_0 − h v_0 + ½h² a_0 */
  #startBefore(member: Member): void {
    const { form, mass, linear, previous, rhs } = member;
    const h = this.context.h[0];
    const { q0, v0 } = form;
    const inertia = new SparseSum(form.size, [mass]);
    inertia.combine(Float64Array.of(1));
    const solver = new IterationMatrix(inertia.result, true);
    if (!solver.factor()) throw singularIteration(this.context, member.system, 'M');
    for (let i = 0; i < form.size; i++) {
      const damping = linear.damping === null ? 0 : rowDot(linear.damping, i, v0);
      const spring = linear.stiffness === null ? 0 : rowDot(linear.stiffness, i, q0);
      rhs[i] = member.force0[i] - damping - spring;
    }
    solver.solve(rhs, 0);
    for (let i = 0; i < form.size; i++) previous[i] = q0[i] - h * v0[i] + 0.5 * h * h * rhs[i];
  }

  #force({ linear, work }: Member, clock: Float64Array, out: Float64Array): void {
    out.set(linear.constantForce);
    if (linear.force === null) return;
    linear.force(clock, work);
    for (let i = 0; i < out.length; i++) out[i] += work[i];
  }

  changeStep(): void {
    const { context, theta } = this;
    const h = context.h[0];
    this.#weights[0] = 1;
    this.#weights[1] = 0.5 * h * theta;
    this.#weights[2] = h * theta * (h * theta);
    for (const { sum, matrix, system } of this.blocks) {
      sum.combine(this.#weights);
      context.counters.factorisations++;
      if (!matrix.factor()) throw singularIteration(context, system, 'M + ½hθC + h²θ²K');
    }
  }

  begin(): void {
    for (let m = 0; m < this.blocks.length; m++)
      if (this.blocks[m].linear.force !== null)
        this.#force(this.blocks[m], this.context.clock, this.blocks[m].force1);
  }

  linearise(): void {
    // W is constant.
  }

  computeFree(): void {
    const { context, theta } = this;
    const { start, state, q, v } = context;
    const h = context.h[0];
    for (let m = 0; m < this.blocks.length; m++) {
      const { form, mass, linear, dof, previous, force0, force1, work, rhs, matrix } = this.blocks[m];
      const n = form.size;
      for (let i = 0; i < n; i++) work[i] = start[q + dof + i] - previous[i];
      for (let i = 0; i < n; i++)
        rhs[i] = rowDot(mass, i, work) + h * h * (theta * force1[i] + (1 - theta) * force0[i]);
      if (linear.stiffness !== null) {
        for (let i = 0; i < n; i++) work[i] = start[q + dof + i];
        for (let i = 0; i < n; i++) rhs[i] -= h * h * rowDot(linear.stiffness, i, work);
      }
      if (linear.damping !== null) {
        for (let i = 0; i < n; i++)
          work[i] =
            0.5 * h * theta * (start[q + dof + i] - previous[i]) + h * h * (1 - theta) * start[v + dof + i];
        for (let i = 0; i < n; i++) rhs[i] -= rowDot(linear.damping, i, work);
      }
      matrix.solve(rhs, 0);
      for (let i = 0; i < n; i++) state[q + dof + i] = start[q + dof + i] + rhs[i];
    }
  }

  complete(): void {
    const { state, q, v } = this.context;
    const h = this.context.h[0];
    for (let m = 0; m < this.blocks.length; m++) {
      const { form, dof, previous } = this.blocks[m];
      for (let i = 0; i < form.size; i++) state[v + dof + i] = (state[q + dof + i] - previous[i]) / (2 * h);
    }
  }

  residual(): void {
    // One linear solve leaves nothing but rounding, which the certificate looks at.
  }

  accept(): void {
    const { start, q } = this.context;
    for (let m = 0; m < this.blocks.length; m++) {
      const { form, dof, previous, force0, force1, linear } = this.blocks[m];
      for (let i = 0; i < form.size; i++) previous[i] = start[q + dof + i];
      if (linear.force !== null) force0.set(force1);
    }
  }

  inputsChanged(): void {
    this.begin();
    for (const { force0, force1, linear } of this.blocks) if (linear.force !== null) force0.set(force1);
  }

  savePrevious(previous: Float64Array): void {
    for (const member of this.blocks) previous.set(member.previous, member.dof);
  }

  loadPrevious(previous: Float64Array): void {
    for (const { previous: own, dof } of this.blocks) own.set(previous.subarray(dof, dof + own.length));
  }

  applyInverse(block: number, x: Float64Array): void {
    this.blocks[block].matrix.solve(x, this.blocks[block].dof);
  }

  outputWeight(level: Level): number {
    return level === 'position' ? 1 : 0.5 / this.context.h[0];
  }

  inputWeight(multiplier: Multiplier): number {
    const h = this.context.h[0];
    return multiplier === 'impulse' ? h : h * h;
  }
}

function createMember(system: number, dof: number, form: LagrangianForm): Member {
  const { linear, constantMass: mass, size } = form;
  if (linear === null || mass === null) throw new Error('Schatzman–Paoli was given a non-linear system');
  const sum = new SparseSum(size, [mass, linear.damping, linear.stiffness]);
  const symmetric = isSparseSymmetric(linear.damping) && isSparseSymmetric(linear.stiffness);
  const matrix = new IterationMatrix(sum.result, symmetric);
  return {
    systems: [system],
    isDiagonal: matrix.isDiagonal,
    system,
    dof,
    form,
    mass,
    linear,
    sum,
    matrix,
    previous: new Float64Array(size),
    force0: new Float64Array(size),
    force1: new Float64Array(size),
    work: new Float64Array(size),
    rhs: new Float64Array(size),
  };
}
