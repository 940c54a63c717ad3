/**
 * Moreau–Jean θ-method for Lagrangian linear time-invariant systems.
 *
 * Writing v_{k+θ} = θ v_{k+1} + (1−θ) v_k and q_{k+1} = q_k + h v_{k+θ}, the equation of motion over one step
 * is
 *
 *     M (v_{k+1} − v_k) = −h C v_{k+θ} − h K q_{k+θ} + h F_{k+θ} + p,
 *     q_{k+θ} = θ q_{k+1} + (1−θ) q_k = q_k + hθ v_{k+θ}.
 *
 * Substituting v_{k+θ} = v_k + θ (v_{k+1} − v_k) collects the unknown on the left:
 *
 *     Ŵ (v_{k+1} − v_k) = −h C v_k − h K q_k − h²θ K v_k + h F_{k+θ} + p,     Ŵ = M + hθ C + h²θ² K,
 *
 * so that v_{k+1} = v_free + Ŵ⁻¹ p. Siconos developer's notes §2.2 with this Ŵ (docs/theory/errata.md).
 *
 * Systems with a base motion c(t) are advanced in absolute coordinates u = q + c, u̇ = v + ċ, and recorded in
 * relative ones. The inertial force −M c̈ thereby enters as its exact impulse −M (ċ_{k+1} − ċ_k), also where
 * c̈ jumps.
 *
 * Systems with diagonal M, C and K form elementwise runs over consecutive coordinates; the others keep their
 * own factorised matrix.
 */
import { SparseProduct, type SparseRows, SparseSum } from '../linalg/sparse';
import { isSparseSymmetric } from '../linalg/sparse';
import type { LagrangianForm, LinearForces } from '../model/forms';
import type { StepWriter } from '../straight-line/writer';
import {
  type IterationBlock,
  type Level,
  type Multiplier,
  type OneStepIntegrator,
  type StepContext,
  singularIteration,
} from './step';
import { IterationMatrix } from './iteration-matrix';
import type { ChainFactor } from '../linalg/cholesky';

/** Consecutive coordinates that are advanced elementwise. */
interface DiagonalRun {
  from: number;
  to: number;
}

interface CoupledBlock {
  system: number;
  form: LagrangianForm;
  /** first coordinate */
  dof: number;
  /** products with C and K; null where there is none */
  damping: SparseProduct | null;
  stiffness: SparseProduct | null;
  sum: SparseSum;
  matrix: IterationMatrix;
  /** K and the factor of Ŵ where both are those of a chain without damping; null elsewhere */
  chain: Chain | null;
}

interface Chain extends ChainFactor {
  readonly stiffness: Record<'lower' | 'main' | 'upper', Float64Array>;
}

interface Plugin {
  linear: LinearForces;
  dof: number;
  out: Float64Array;
}

const isDiagonal = (a: SparseRows | null): boolean => {
  if (a === null) return true;
  for (let i = 0; i < a.rows; i++) {
    for (let k = a.rowStart[i]; k < a.rowStart[i + 1]; k++)
      if (a.columns[k] !== i && a.values[k] !== 0) return false;
  }
  return true;
};

const diagonalEntry = (a: SparseRows | null, i: number): number => {
  let value = 0;
  if (a !== null)
    for (let k = a.rowStart[i]; k < a.rowStart[i + 1]; k++) if (a.columns[k] === i) value += a.values[k];
  return value;
};

export class MoreauJeanLinear implements OneStepIntegrator {
  readonly type = 'MoreauJean';
  readonly unknown = 'velocity';
  readonly isLinear = true;
  readonly isConstant = true;
  readonly isSymmetric: boolean;
  readonly blocks: readonly IterationBlock[];

  readonly #runs: DiagonalRun[] = [];
  readonly #coupled: CoupledBlock[] = [];
  /** matrix of each block; null for diagonal ones */
  readonly #coupledOf: (CoupledBlock | null)[] = [];
  readonly #forces: Plugin[] = [];
  readonly #bases: Plugin[] = [];
  // By coordinate of the model: forces and base motion at both ends of the step, entries of diagonal systems.
  readonly #force0: Float64Array;
  readonly #force1: Float64Array;
  readonly #basePosition0: Float64Array;
  readonly #basePosition1: Float64Array;
  readonly #baseVelocity0: Float64Array;
  readonly #baseVelocity1: Float64Array;
  readonly #mass: Float64Array;
  readonly #damping: Float64Array;
  readonly #stiffness: Float64Array;
  readonly #inverse: Float64Array;
  readonly #work: Float64Array;
  readonly #rhs: Float64Array;
  readonly #product: Float64Array;
  readonly #weights = new Float64Array(3);
  /** coordinates of all its systems, as runs for the position update */
  readonly #ranges: DiagonalRun[] = [];

  constructor(
    private readonly context: StepContext,
    readonly systems: readonly number[],
    forms: readonly LagrangianForm[],
    private readonly theta: number,
  ) {
    const zeros = (): Float64Array => new Float64Array(context.size);
    this.#force0 = zeros();
    this.#force1 = zeros();
    this.#basePosition0 = zeros();
    this.#basePosition1 = zeros();
    this.#baseVelocity0 = zeros();
    this.#baseVelocity1 = zeros();
    this.#mass = zeros();
    this.#damping = zeros();
    this.#stiffness = zeros();
    this.#inverse = zeros();
    this.#work = zeros();
    this.#rhs = zeros();
    this.#product = zeros();
    this.isSymmetric = forms.every(
      ({ linear }) =>
        linear !== null && isSparseSymmetric(linear.damping) && isSparseSymmetric(linear.stiffness),
    );
    const blocks: IterationBlock[] = [];
    forms.forEach((form, i) => blocks.push(this.#add(systems[i], form)));
    this.blocks = blocks;
    this.changeStep();
    this.begin();
    this.accept();
  }

  #add(system: number, form: LagrangianForm): IterationBlock {
    const { linear, constantMass: mass, size } = form;
    if (linear === null || mass === null)
      throw new Error('a linear integrator was given a non-linear system');
    const dof = this.context.offsets[system];
    extend(this.#ranges, dof, dof + size);
    const diagonal = isDiagonal(mass) && isDiagonal(linear.damping) && isDiagonal(linear.stiffness);
    if (diagonal) {
      for (let i = 0; i < size; i++) {
        this.#mass[dof + i] = diagonalEntry(mass, i);
        this.#damping[dof + i] = diagonalEntry(linear.damping, i);
        this.#stiffness[dof + i] = diagonalEntry(linear.stiffness, i);
      }
      extend(this.#runs, dof, dof + size);
      this.#coupledOf.push(null);
    } else {
      const sum = new SparseSum(size, [mass, linear.damping, linear.stiffness]);
      const symmetric = isSparseSymmetric(linear.damping) && isSparseSymmetric(linear.stiffness);
      const block = {
        system,
        form,
        dof,
        damping: linear.damping === null ? null : new SparseProduct(linear.damping),
        stiffness: linear.stiffness === null ? null : new SparseProduct(linear.stiffness),
        sum,
        matrix: new IterationMatrix(sum.result, symmetric),
        chain: null,
      };
      this.#coupled.push(block);
      this.#coupledOf.push(block);
    }
    this.#force0.set(linear.constantForce, dof);
    this.#force1.set(linear.constantForce, dof);
    if (linear.force !== null) this.#forces.push({ linear, dof, out: new Float64Array(size) });
    if (linear.base !== null) this.#bases.push({ linear, dof, out: new Float64Array(size) });
    return { systems: [system], isDiagonal: diagonal };
  }

  changeStep(): void {
    const { theta, context } = this;
    const h = context.h[0];
    for (const [i, system] of this.systems.entries()) {
      if (this.#coupledOf[i] !== null) continue;
      for (let dof = context.offsets[system]; dof < context.offsets[system + 1]; dof++) {
        const w =
          this.#mass[dof] + h * theta * this.#damping[dof] + h * theta * (h * theta) * this.#stiffness[dof];
        if (!(Math.abs(w) > 0)) throw singularIteration(context, system, 'M + hθC + h²θ²K');
        this.#inverse[dof] = 1 / w;
      }
    }
    this.#weights[0] = 1;
    this.#weights[1] = h * theta;
    this.#weights[2] = h * theta * (h * theta);
    for (const block of this.#coupled) {
      const { sum, matrix, system, damping, stiffness } = block;
      sum.combine(this.#weights);
      context.counters.factorisations++;
      if (!matrix.factor()) throw singularIteration(context, system, 'M + hθC + h²θ²K');
      const factor = damping === null && this.#bases.length === 0 ? matrix.chain : null;
      const diagonals = stiffness?.diagonals ?? null;
      block.chain = factor === null || diagonals === null ? null : { ...factor, stiffness: diagonals };
    }
  }

  begin(): void {
    const { clock } = this.context;
    for (const { linear, dof, out } of this.#forces) {
      linear.force?.(clock, out);
      for (let i = 0; i < out.length; i++) this.#force1[dof + i] = linear.constantForce[i] + out[i];
    }
    for (const { linear, dof, out } of this.#bases) {
      linear.base?.position(clock, out);
      this.#basePosition1.set(out, dof);
      linear.base?.velocity(clock, out);
      this.#baseVelocity1.set(out, dof);
    }
  }

  linearise(): void {
    // Ŵ is constant.
  }

  computeFree(): void {
    const { theta, context } = this;
    const { start, state, q, v } = context;
    const h = context.h[0];
    const damping = this.#damping;
    const stiffness = this.#stiffness;
    const inverse = this.#inverse;
    const force0 = this.#force0;
    const force1 = this.#force1;
    if (this.#bases.length > 0) {
      this.#computeFreeAbsolute();
    } else {
      for (let r = 0; r < this.#runs.length; r++) {
        const { from, to } = this.#runs[r];
        for (let i = from; i < to; i++) {
          const uDot = start[v + i];
          const k = stiffness[i];
          const residual =
            -h * damping[i] * uDot -
            h * k * start[q + i] -
            h * h * theta * k * uDot +
            h * (theta * force1[i] + (1 - theta) * force0[i]);
          state[v + i] = uDot + inverse[i] * residual;
        }
      }
    }
    for (let b = 0; b < this.#coupled.length; b++) {
      const block = this.#coupled[b];
      if (block.chain === null) this.#freeBlock(block);
      else this.#freeChain(block.chain, block.dof);
    }
  }

  /**
   * `#freeBlock` in two passes: each coordinate's right side goes at once into the substitution, whose next
   * number has to wait for the last one. The same operations in the same order.
   */
  #freeChain({ lower, inverse, stiffness }: Chain, dof: number): void {
    const { theta, context } = this;
    const { start, state } = context;
    const h = context.h[0];
    const n = inverse.length;
    const x = this.#rhs;
    const force0 = this.#force0;
    const force1 = this.#force1;
    const { lower: before, main: own, upper: after } = stiffness;
    const ahead = h * h * theta;
    const q = context.q + dof;
    const v = context.v + dof;
    let previous = 0;
    // K acts on u_k + hθ u̇_k.
    let present = h * start[q] + ahead * start[v];
    let value = 0;
    for (let i = 0; i < n; i++) {
      const next = i + 1 < n ? h * start[q + i + 1] + ahead * start[v + i + 1] : 0;
      let product = i > 0 ? before[i] * previous : 0;
      product += own[i] * present;
      if (i + 1 < n) product += after[i] * next;
      const right = h * (theta * force1[dof + i] + (1 - theta) * force0[dof + i]) - product;
      value = (right - lower[i] * value) * inverse[i];
      x[i] = value;
      previous = present;
      present = next;
    }
    let rest = x[n - 1];
    for (let i = n - 1; i > 0; i--) {
      const change = rest * inverse[i];
      rest = x[i - 1] - lower[i] * change;
      state[v + i] = start[v + i] + change;
    }
    state[v] = start[v] + rest * inverse[0];
  }

  #computeFreeAbsolute(): void {
    const { theta, context } = this;
    const { start, state, q, v } = context;
    const h = context.h[0];
    for (let r = 0; r < this.#runs.length; r++) {
      const { from, to } = this.#runs[r];
      for (let i = from; i < to; i++) {
        const u = start[q + i] + this.#basePosition0[i];
        const uDot = start[v + i] + this.#baseVelocity0[i];
        const k = this.#stiffness[i];
        const residual =
          -h * this.#damping[i] * uDot -
          h * k * u -
          h * h * theta * k * uDot +
          h * (theta * this.#force1[i] + (1 - theta) * this.#force0[i]);
        state[v + i] = uDot + this.#inverse[i] * residual - this.#baseVelocity1[i];
      }
    }
  }

  #freeBlock({ form, damping, stiffness, dof, matrix }: CoupledBlock): void {
    const { theta, context } = this;
    const { start, state, q, v } = context;
    const h = context.h[0];
    const n = form.size;
    const rhs = this.#rhs;
    const product = this.#product;
    const work = this.#work;
    const force0 = this.#force0;
    const force1 = this.#force1;
    const basePosition0 = this.#basePosition0;
    const baseVelocity0 = this.#baseVelocity0;
    const baseVelocity1 = this.#baseVelocity1;
    for (let i = 0; i < n; i++) rhs[i] = h * (theta * force1[dof + i] + (1 - theta) * force0[dof + i]);
    if (damping !== null) {
      for (let i = 0; i < n; i++) work[i] = h * (start[v + dof + i] + baseVelocity0[dof + i]);
      damping.multiply(work, product, 0, n);
      for (let i = 0; i < n; i++) rhs[i] -= product[i];
    }
    if (stiffness !== null) {
      const ahead = h * h * theta;
      for (let i = 0; i < n; i++) {
        // K acts on u_k + hθ u̇_k.
        const uDot = start[v + dof + i] + baseVelocity0[dof + i];
        work[i] = h * (start[q + dof + i] + basePosition0[dof + i]) + ahead * uDot;
      }
      stiffness.multiply(work, product, 0, n);
      for (let i = 0; i < n; i++) rhs[i] -= product[i];
    }
    matrix.solve(rhs, 0);
    for (let i = 0; i < n; i++) {
      const uDot = start[v + dof + i] + baseVelocity0[dof + i];
      state[v + dof + i] = uDot + rhs[i] - baseVelocity1[dof + i];
    }
  }

  complete(): void {
    const { theta, context } = this;
    const { start, state, q, v } = context;
    const h = context.h[0];
    const hasBase = this.#bases.length > 0;
    for (let r = 0; r < this.#ranges.length; r++) {
      const { from, to } = this.#ranges[r];
      if (!hasBase) {
        for (let i = from; i < to; i++)
          state[q + i] = start[q + i] + h * (theta * state[v + i] + (1 - theta) * start[v + i]);
        continue;
      }
      for (let i = from; i < to; i++) {
        const velocity =
          theta * (state[v + i] + this.#baseVelocity1[i]) +
          (1 - theta) * (start[v + i] + this.#baseVelocity0[i]);
        state[q + i] = start[q + i] + this.#basePosition0[i] + h * velocity - this.#basePosition1[i];
      }
    }
  }

  residual(): void {
    // One linear solve leaves nothing but rounding, which the certificate looks at.
  }

  accept(): void {
    if (this.#forces.length > 0) this.#force0.set(this.#force1);
    if (this.#bases.length > 0) {
      this.#basePosition0.set(this.#basePosition1);
      this.#baseVelocity0.set(this.#baseVelocity1);
    }
  }

  inputsChanged(): void {
    this.begin();
    this.accept();
  }

  writeFree(w: StepWriter): boolean {
    if (this.#coupled.length > 0 || this.#bases.length > 0) return false;
    const { theta, context } = this;
    const { state, start, q, v } = context;
    const h = context.h[0];
    const varies = this.#forces.length > 0;
    if (varies) {
      w.call(`${w.bind(this)}.begin();`, this.#force1);
    }
    for (const { from, to } of this.#runs) {
      for (let i = from; i < to; i++) {
        const c = -h * this.#damping[i];
        const k = this.#stiffness[i];
        const uDot = w.get(start, v + i);
        let residual = c === 0 ? '' : `${w.literal(c)} * ${uDot}`;
        if (k !== 0) {
          residual += ` - ${w.literal(h * k)} * ${w.get(start, q + i)}`;
          if (h * h * theta * k !== 0) residual += ` - ${w.literal(h * h * theta * k)} * ${uDot}`;
        }
        const force = varies
          ? `${w.literal(h)} * (${w.literal(theta)} * ${w.get(this.#force1, i)} + ${w.literal(1 - theta)} * ${w.get(this.#force0, i)})`
          : w.literal(h * (theta * this.#force1[i] + (1 - theta) * this.#force0[i]));
        residual = residual === '' ? force : `${residual} + ${force}`;
        w.set(state, v + i, `${uDot} + ${w.literal(this.#inverse[i])} * (${residual})`);
      }
    }
    return true;
  }

  writeEnd(w: StepWriter): void {
    const { theta, context } = this;
    const { state, start, q, v } = context;
    const h = w.literal(context.h[0]);
    for (const { from, to } of this.#ranges) {
      for (let i = from; i < to; i++) {
        const uDot = `${w.literal(theta)} * ${w.get(state, v + i)} + ${w.literal(1 - theta)} * ${w.get(start, v + i)}`;
        w.set(state, q + i, `${w.get(start, q + i)} + ${h} * (${uDot})`);
        if (this.#forces.length > 0) w.set(this.#force0, i, w.get(this.#force1, i));
      }
    }
  }

  applyInverse(block: number, x: Float64Array): void {
    const system = this.systems[block];
    const { offsets } = this.context;
    const coupled = this.#coupledOf[block];
    if (coupled !== null) {
      coupled.matrix.solve(x, coupled.dof);
      return;
    }
    for (let i = offsets[system]; i < offsets[system + 1]; i++) x[i] *= this.#inverse[i];
  }

  outputWeight(level: Level): number {
    return level === 'velocity' ? 1 : this.context.h[0] * this.theta;
  }

  inputWeight(multiplier: Multiplier): number {
    return multiplier === 'impulse' ? 1 : this.context.h[0];
  }
}

/** Appends a range, or lengthens the last one when it follows on. */
function extend(runs: DiagonalRun[], from: number, to: number): void {
  const last = runs.at(-1);
  if (last?.to === from) last.to = to;
  else runs.push({ from, to });
}
