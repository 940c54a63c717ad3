/**
 * Half steps for Lagrangian systems, M(q) v̇ = F(t, q, v) + p: positions by two half steps, velocities by a
 * whole one between them,
 *
 *     q_½ = q_k + ½h V,     M(q_½) (W − V) = h F(t_½, q_m, ½ (V + W)) + p,     q_{k+1} = q_½ + ½h W,
 *     q_m = ½ (q_k + q_{k+1}) = q_½ + ¼h (W − V).
 *
 * V and W are v_k and v_{k+1} but for what joints do at both ends of the step (`HalfSteps`, which has made
 * q_½ and V before the step begins). Forces are those of the implicit midpoint rule: the step is symmetric,
 * of order 2, and stiff springs do not limit it. Newton's method in W,
 *
 *     Ŵ = M(q_½) − ½h ∇_v F − ¼h² ∇_q F.
 */
import { type SparseRows, expandInto, sparseFromPattern } from '../linalg/sparse';
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

class Member implements IterationBlock {
  readonly systems: readonly number[];
  readonly isDiagonal: boolean;
  /** whether Ŵ is the same at all iterates */
  readonly isConstant: boolean;
  /** whether F depends on neither q nor v */
  readonly isDead: boolean;
  readonly mass: Float64Array;
  readonly force: Float64Array;
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
    const { linear, constantMass } = form;
    this.systems = [system];
    this.isDead = linear !== null && linear.stiffness === null && linear.damping === null;
    this.isConstant = linear !== null && constantMass !== null;
    this.mass = new Float64Array(n * n);
    if (constantMass !== null) expandInto(constantMass, n, this.mass);
    this.force = new Float64Array(n);
    this.rhs = new Float64Array(n);
    this.inertia = new Float64Array(n);
    this.jacobianQ = new Float64Array(n * n);
    this.jacobianV = new Float64Array(n * n);
    this.position = new Float64Array(n);
    this.velocity = new Float64Array(n);
    const isDiagonal =
      this.isDead && constantMass !== null && this.mass.every((m, k) => m === 0 || k % (n + 1) === 0);
    const columns = (i: number): number[] => (isDiagonal ? [i] : Array.from({ length: n }, (_, j) => j));
    this.matrix = sparseFromPattern(Array.from({ length: n }, (_, i) => columns(i)));
    this.isDiagonal = isDiagonal;
    this.solver = new IterationMatrix(this.matrix, false);
  }
}

export class MoreauHalfSteps implements OneStepIntegrator {
  readonly type = 'MoreauHalfStep';
  readonly unknown = 'velocity';
  readonly hasMiddle = true;
  readonly isLinear: boolean;
  readonly isConstant: boolean;
  readonly isSymmetric: boolean;
  readonly blocks: readonly Member[];

  constructor(
    private readonly context: StepContext,
    readonly systems: readonly number[],
    forms: readonly LagrangianForm[],
  ) {
    this.blocks = systems.map((system, i) => new Member(system, forms[i], context.offsets[system]));
    this.isLinear = forms.every(({ linear }) => linear !== null);
    this.isConstant = this.blocks.every(({ isConstant }) => isConstant);
    // ∇F need not be symmetric, and masses are.
    this.isSymmetric = this.blocks.every(({ isDead }) => isDead);
    for (const member of this.blocks) if (member.isConstant) this.#factor(member);
  }

  changeStep(): void {
    for (const member of this.blocks) if (member.isConstant) this.#factor(member);
  }

  /** The iteration starts at the velocities that have led to the middle. */
  begin(): void {
    const { state, middle, v } = this.context;
    for (let m = 0; m < this.blocks.length; m++) {
      const { dof, form } = this.blocks[m];
      for (let i = v + dof; i < v + dof + form.size; i++) state[i] = middle[i];
    }
  }

  linearise(): void {
    for (let m = 0; m < this.blocks.length; m++) {
      const member = this.blocks[m];
      if (!member.isConstant) this.#factor(member);
    }
  }

  /** Ŵ at the iterate. @throws {EngineError} when it is singular */
  #factor(member: Member): void {
    const { context } = this;
    const { form, mass, jacobianQ, jacobianV, position, velocity, matrix, solver, isDead } = member;
    const h = context.h[0];
    if (form.constantMass === null) {
      this.#gatherMiddle(member);
      form.mass(position, mass);
    }
    const { rowStart, columns, values } = matrix;
    const n = form.size;
    if (!isDead) {
      this.#gather(member);
      form.forceJacobians(context.halfClock, position, velocity, jacobianQ, jacobianV);
    }
    for (let i = 0; i < n; i++)
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++) {
        const entry = i * n + columns[k];
        values[k] = mass[entry];
        if (!isDead) values[k] -= 0.5 * h * jacobianV[entry] + 0.25 * h * h * jacobianQ[entry];
      }
    context.counters.factorisations++;
    if (!solver.factor()) throw singularIteration(context, member.system, 'M − ½h∇ᵥF − ¼h²∇_qF');
  }

  #gatherMiddle({ form, dof, position }: Member): void {
    const { middle, q } = this.context;
    for (let i = 0; i < form.size; i++) position[i] = middle[q + dof + i];
  }

  /** q_m and ½ (V + W). */
  #gather({ form, dof, position, velocity }: Member): void {
    const { state, middle, q, v, h } = this.context;
    const quarter = 0.25 * h[0];
    for (let i = 0; i < form.size; i++) {
      const before = middle[v + dof + i];
      const after = state[v + dof + i];
      position[i] = middle[q + dof + i] + quarter * (after - before);
      velocity[i] = 0.5 * (before + after);
    }
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

  /** rhs ← M (W − V) − h F at the iterate */
  #residualFree(member: Member): void {
    const { state, middle, v, h, halfClock } = this.context;
    const { form, dof, mass, force, rhs, inertia, position, velocity } = member;
    const n = form.size;
    if (form.constantMass === null) {
      this.#gatherMiddle(member);
      form.mass(position, mass);
    }
    this.#gather(member);
    form.force(halfClock, position, velocity, force);
    for (let i = 0; i < n; i++) velocity[i] = state[v + dof + i] - middle[v + dof + i];
    for (let i = 0; i < n; i++) {
      let moved = 0;
      for (let j = 0; j < n; j++) moved += mass[i * n + j] * velocity[j];
      inertia[i] = moved;
      rhs[i] = moved - h[0] * force[i];
    }
  }

  complete(): void {
    const { state, middle, q, v, h } = this.context;
    const half = 0.5 * h[0];
    for (let m = 0; m < this.blocks.length; m++) {
      const { dof, form } = this.blocks[m];
      for (let i = dof; i < dof + form.size; i++) state[q + i] = middle[q + i] + half * state[v + i];
    }
  }

  residual(): void {
    const { context } = this;
    const h = context.h[0];
    for (let m = 0; m < this.blocks.length; m++) {
      const member = this.blocks[m];
      this.#residualFree(member);
      const { rhs, inertia, force, dof, form, mass } = member;
      let worst = 0;
      let scale = 0;
      for (let i = 0; i < form.size; i++) {
        const input = context.input[dof + i];
        let momentum = 0;
        for (let j = 0; j < form.size; j++)
          momentum += Math.abs(mass[i * form.size + j] * context.state[context.v + dof + j]);
        const value = Math.max(0, Math.abs(rhs[i] - input) - MOMENTUM_ROUNDING * momentum);
        if (!(value <= worst) && !Number.isNaN(worst)) worst = value;
        scale = Math.max(scale, Math.abs(inertia[i]), h * Math.abs(force[i]), Math.abs(input));
      }
      const relative = scale > 0 ? worst / scale : worst;
      if (!(relative <= context.residual[0]) && !Number.isNaN(context.residual[0]))
        context.residual[0] = relative;
    }
  }

  accept(): void {
    // Nothing is kept: the next step begins from q and v.
  }

  applyInverse(block: number, x: Float64Array): void {
    this.blocks[block].solver.solve(x, this.blocks[block].dof);
  }

  outputWeight(level: Level): number {
    return level === 'velocity' ? 1 : 0.5 * this.context.h[0];
  }

  inputWeight(multiplier: Multiplier): number {
    return multiplier === 'impulse' ? 1 : this.context.h[0];
  }
}
