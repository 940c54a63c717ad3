/**
 * Euler–Moreau: the (θ, θ_r)-method for systems of first order,
 *
 *     M (x_{k+1} − x_k) = hθ f(t_{k+1}, x_{k+1}) + h(1−θ) f(t_k, x_k) + hθ_r r_{k+1} + h(1−θ_r) r_k.
 *
 * Newton's method on it (Siconos developer's notes §8 with docs/theory/errata.md). With Rf(x) = M(x − x_k) −
 * hθ f(t_{k+1}, x) − h(1−θ) f(t_k, x_k) and W = M − hθ ∇f(x^α), linearising about x^α gives
 *
 *     W (x^{α+1} − x^α) = −Rf(x^α) + h(1−θ_r) r_k + hθ_r r^{α+1},
 *     r^{α+1} = g + K (x^{α+1} − x^α) + B (λ^{α+1} − λ^α).
 *
 * The K-term is folded
 * into the matrix, which is the same as multiplying by K̃ = I − hθ_r W⁻¹K afterwards and needs one
 * factorisation less:
 *
 *     Ŵ = W − hθ_r K,     x^{α+1} = x_free + hθ_r Ŵ⁻¹ B λ^{α+1},
 *     x_free = x^α + Ŵ⁻¹ [ −Rf(x^α) + h(1−θ_r) r_k + hθ_r (g − B λ^α) ].
 *
 * Relations at γ. With a γ of its own (Acary, Bonnefon and Brogliato 2010) a step has one multiplier,
 * λ_{k+γ}, whose input acts throughout, and the relation and the law hold at x_{k+γ} = γ x_{k+1} + (1−γ) x_k
 * and t_{k+γ} = γ t_{k+1} + (1−γ) t_k:
 *
 *     M (x_{k+1} − x_k) = hθ f_{k+1} + h(1−θ) f_k + h r_{k+γ},     r_{k+γ} = g(t_{k+γ}, x_{k+γ}, λ_{k+γ}),
 *     y_{k+γ} = h(t_{k+γ}, x_{k+γ}, λ_{k+γ}),     −y_{k+γ} ∈ N(λ_{k+γ}).
 *
 * It is the method above with θ_r = 1 and γC for C, γK for K, since ∂x_{k+γ}/∂x_{k+1} = γ: W_λ = D + hγ C
 * Ŵ⁻¹B, Ŵ = W − hγK, y_free = h at γ x_free + (1−γ) x_k. For γ = θ = ½ and a law without dissipation, ⟨y, λ⟩
 * = 0, the stored energy of a lossless passive circuit stays to rounding: it changes by h ⟨λ_{k+½}, y_{k+½}⟩.
 * With γ < 1 the law holds between the ends of steps only, so that y = h(x_k) may be outside of it by what a
 * step changes. γ = 1 is θ_r = 1.
 *
 * K couples the systems that a relation r = g(t, x, λ) links, so those are advanced as one block.
 */
import { sparseFromPattern } from '../linalg/sparse';
import type { FirstOrderForm } from '../model/forms';
import type { Term, StepWriter } from '../straight-line/writer';
import {
  type IterationBlock,
  MOMENTUM_ROUNDING,
  type OneStepIntegrator,
  type StepContext,
  singularIteration,
} from './step';
import { IterationMatrix } from './iteration-matrix';

interface Member {
  system: number;
  form: FirstOrderForm;
  /** first coordinate within the block */
  at: number;
  /** first coordinate within the model */
  dof: number;
  // Copies, so that no plug-in can write into the state.
  x: Float64Array;
  rate: Float64Array;
  jacobian: Float64Array;
}

class Block implements IterationBlock {
  readonly systems: readonly number[];
  readonly isDiagonal: boolean;
  readonly size: number;
  /** f(t_k, x_k) and f at the iterate */
  readonly rate0: Float64Array;
  readonly rate1: Float64Array;
  readonly rhs: Float64Array;
  /** M (x^α − x_k) */
  readonly inertia: Float64Array;
  readonly matrix: ReturnType<typeof sparseFromPattern>;
  readonly solver: IterationMatrix;
  /** whether Ŵ is the same for every iterate and step */
  readonly isConstant: boolean;
  readonly isAffine: boolean;
  readonly isAutonomous: boolean;
  /** hθ_r K, size × size, refilled by `addStateInput` at each linearisation; null when no relation has one */
  readonly stateInput: Float64Array | null;

  constructor(
    readonly members: readonly Member[],
    theta: number,
    coupled: boolean,
  ) {
    this.systems = members.map(({ system }) => system);
    this.size = members.reduce((sum, { form }) => sum + form.size, 0);
    const n = this.size;
    this.rate0 = new Float64Array(n);
    this.rate1 = new Float64Array(n);
    this.rhs = new Float64Array(n);
    this.inertia = new Float64Array(n);
    this.stateInput = coupled ? new Float64Array(n * n) : null;
    this.isAffine = !coupled && members.every(({ form }) => form.rateKind !== 'nonlinear');
    this.isAutonomous = members.every(({ form }) => form.isAutonomous);
    // With θ = 0 the Jacobian drops out of Ŵ = M − hθ∇f.
    this.isConstant = !coupled && (theta === 0 || members.every(({ form }) => form.rateKind === 'constant'));
    this.matrix = sparseFromPattern(this.#pattern(coupled));
    this.solver = new IterationMatrix(this.matrix, false);
    this.isDiagonal = this.solver.isDiagonal;
  }

  /** Entries of Ŵ that may differ from zero. */
  #pattern(coupled: boolean): number[][] {
    const n = this.size;
    if (coupled) return Array.from({ length: n }, () => Array.from({ length: n }, (_, j) => j));
    return this.members.flatMap(({ form, at, jacobian, x }) => {
      const full = form.rateKind !== 'constant';
      if (!full) form.rateJacobian(new Float64Array(1), x, jacobian);
      return Array.from({ length: form.size }, (_, i) =>
        Array.from({ length: form.size }, (_unused, j) => j)
          .filter((j) => {
            const inMass = form.mass !== null && form.mass[i * form.size + j] !== 0;
            return full || i === j || inMass || jacobian[i * form.size + j] !== 0;
          })
          .map((j) => at + j),
      );
    });
  }
}

export class EulerMoreau implements OneStepIntegrator {
  readonly type = 'EulerMoreau';
  readonly unknown = 'position';
  readonly isLinear: boolean;
  readonly isConstant: boolean;
  readonly isSymmetric = false;
  readonly blocks: readonly Block[];
  readonly systems: readonly number[];

  readonly share: number;
  private readonly thetaR: number;
  readonly #blockOfSystem = new Map<number, Block>();

  /**
   * @param groups systems that share one block because a relation with ∇ₓg ≠ 0 links them; other systems are
   *   blocks of their own
   */
  constructor(
    private readonly context: StepContext,
    systems: readonly number[],
    forms: readonly FirstOrderForm[],
    private readonly theta: number,
    /** θ_r, of no account with a γ */
    weight: number,
    groups: readonly (readonly number[])[],
    /** γ of relations; null where they hold at the end of the step */
    gamma: number | null = null,
  ) {
    this.thetaR = gamma === null ? weight : 1;
    this.share = gamma ?? 1;
    this.systems = systems;
    const grouped = new Set(groups.flat());
    const formOf = new Map(systems.map((s, i) => [s, forms[i]]));
    const all = [
      ...groups.map((group) => ({ group, coupled: true })),
      ...systems.filter((s) => !grouped.has(s)).map((s) => ({ group: [s], coupled: false })),
    ];
    this.blocks = all.map(({ group, coupled }) => {
      let at = 0;
      const members = group.map((system): Member => {
        const form = formOf.get(system);
        if (form === undefined) throw new Error('a group has a system of another integrator');
        const member = {
          system,
          form,
          at,
          dof: context.offsets[system],
          x: new Float64Array(form.size),
          rate: new Float64Array(form.size),
          jacobian: new Float64Array(form.size * form.size),
        };
        at += form.size;
        return member;
      });
      return new Block(members, theta, coupled);
    });
    for (const block of this.blocks) for (const s of block.systems) this.#blockOfSystem.set(s, block);
    this.isLinear = this.blocks.every(({ isAffine }) => isAffine);
    this.isConstant = this.blocks.every(({ isConstant }) => isConstant);
    for (const block of this.blocks) if (block.isConstant) this.#factor(block);
  }

  changeStep(): void {
    for (const block of this.blocks) if (block.isConstant) this.#factor(block);
  }

  begin(): void {
    const { context, theta } = this;
    const { start, q } = context;
    for (let b = 0; b < this.blocks.length; b++) {
      const block = this.blocks[b];
      // An autonomous affine block takes one evaluation for both ends; with θ = 1 the start does not count.
      if (theta === 1 || (block.isAffine && block.isAutonomous)) continue;
      this.#rate(block, context.clock0, start, q, block.rate0);
    }
  }

  /** f of a block at the states that stand in `from`. */
  #rate(block: Block, clock: Float64Array, from: Float64Array, first: number, out: Float64Array): void {
    for (let m = 0; m < block.members.length; m++) {
      const { form, dof, at, x, rate } = block.members[m];
      for (let i = 0; i < x.length; i++) x[i] = from[first + dof + i];
      form.rate(clock, x, rate);
      for (let i = 0; i < x.length; i++) out[at + i] = rate[i];
    }
  }

  /** Clears what relations with ∇ₓg ≠ 0 have added to the iteration matrices. */
  clearStateInput(): void {
    for (const { stateInput } of this.blocks) stateInput?.fill(0);
  }

  /**
   * Adds hθ_r K of one relation, with a γ hγK, to the matrix of the block that its systems form.
   * @param K columns × columns, row-major
   * @param systems linked systems, in the order of the columns
   */
  addStateInput(systems: readonly number[], K: Float64Array, columns: number): void {
    const block = this.#blockOfSystem.get(systems[0]);
    const stateInput = block?.stateInput ?? null;
    if (block === undefined || stateInput === null)
      throw new Error('the systems of a state input share no block');
    const weight = this.context.h[0] * this.thetaR * this.share;
    let row = 0;
    for (const s of systems) {
      const into = block.members[block.systems.indexOf(s)];
      for (let i = 0; i < into.form.size; i++, row++) {
        let column = 0;
        for (const other of systems) {
          const from = block.members[block.systems.indexOf(other)];
          for (let j = 0; j < from.form.size; j++, column++)
            stateInput[(into.at + i) * block.size + from.at + j] += weight * K[row * columns + column];
        }
      }
    }
  }

  linearise(): void {
    for (let b = 0; b < this.blocks.length; b++) if (!this.blocks[b].isConstant) this.#factor(this.blocks[b]);
  }

  /** Ŵ = M − hθ∇f − hθ_r K at the iterate. */
  #factor(block: Block): void {
    const { context, theta } = this;
    const { state, q, clock } = context;
    const weight = context.h[0] * theta;
    const { rowStart, columns, values } = block.matrix;
    for (let m = 0; m < block.members.length; m++) {
      const { form, at, dof, x, jacobian } = block.members[m];
      const n = form.size;
      if (theta !== 0) {
        for (let i = 0; i < n; i++) x[i] = state[q + dof + i];
        form.rateJacobian(clock, x, jacobian);
      }
      for (let i = 0; i < n; i++) {
        for (let k = rowStart[at + i]; k < rowStart[at + i + 1]; k++) {
          const j = columns[k] - at;
          if (j < 0 || j >= n) {
            values[k] = 0;
            continue;
          }
          const mass = form.mass === null ? (i === j ? 1 : 0) : form.mass[i * n + j];
          values[k] = theta === 0 ? mass : mass - weight * jacobian[i * n + j];
        }
      }
    }
    const { stateInput } = block;
    context.counters.factorisations++;
    if (stateInput !== null) {
      for (let k = 0; k < values.length; k++) {
        const rest = values[k];
        values[k] -= stateInput[k];
        stateInput[k] = rest;
      }
      if (block.solver.factor()) return;
      // Of an input such as √|x| sgn x the slope at 0 drowns all else: there the iteration does without it.
      for (let k = 0; k < values.length; k++) values[k] = stateInput[k];
    }
    if (!block.solver.factor()) throw singularIteration(context, block.systems[0], 'M − hθ∇f');
  }

  computeFree(): void {
    const { context } = this;
    const { state, start, q } = context;
    for (let b = 0; b < this.blocks.length; b++) {
      const block = this.blocks[b];
      const { rhs, members } = block;
      // An affine block is solved from x_k at once, whatever the iterate.
      const from = block.isAffine ? start : state;
      this.#residualFree(block, from);
      for (let m = 0; m < members.length; m++) {
        const { at, dof, form } = members[m];
        for (let i = 0; i < form.size; i++) rhs[at + i] = context.inputOffset[dof + i] - rhs[at + i];
      }
      block.solver.solve(rhs, 0);
      for (let m = 0; m < members.length; m++) {
        const { at, dof, form } = members[m];
        for (let i = 0; i < form.size; i++) state[q + dof + i] = from[q + dof + i] + rhs[at + i];
      }
    }
  }

  /** rhs ← Rf(x) − h(1−θ_r) r_k for the states x that stand in `from` */
  #residualFree(block: Block, from: Float64Array): void {
    const { context, theta, thetaR } = this;
    const { start, q, clock, input0 } = context;
    const h = context.h[0];
    const { rhs, rate0, rate1, inertia, members } = block;
    this.#rate(block, clock, from, q, rate1);
    const twoRates = theta !== 1 && !(block.isAffine && block.isAutonomous);
    for (let m = 0; m < members.length; m++) {
      const { at, dof, form, x } = members[m];
      const n = form.size;
      for (let i = 0; i < n; i++) x[i] = from[q + dof + i] - start[q + dof + i];
      for (let i = 0; i < n; i++) {
        let moved = x[i];
        if (form.mass !== null) {
          moved = 0;
          for (let j = 0; j < n; j++) moved += form.mass[i * n + j] * x[j];
        }
        inertia[at + i] = moved;
        // Where f is affine and autonomous x is x_k, and both ends have the same rate.
        const rate = twoRates ? theta * rate1[at + i] + (1 - theta) * rate0[at + i] : rate1[at + i];
        rhs[at + i] = moved - h * rate - h * (1 - thetaR) * input0[dof + i];
      }
    }
  }

  complete(): void {
    // x is all there is.
  }

  residual(): void {
    const { context } = this;
    const h = context.h[0];
    for (let b = 0; b < this.blocks.length; b++) {
      const block = this.blocks[b];
      if (block.isAffine) continue;
      this.#residualFree(block, context.state);
      let worst = 0;
      let scale = 0;
      for (let m = 0; m < block.members.length; m++) {
        const { at, dof, form } = block.members[m];
        for (let i = 0; i < form.size; i++) {
          const input = context.input[dof + i];
          let momentum = 0;
          for (let j = 0; j < form.size; j++) {
            const mass = form.mass === null ? (i === j ? 1 : 0) : form.mass[i * form.size + j];
            momentum += Math.abs(mass * context.state[context.q + dof + j]);
          }
          const value = Math.max(0, Math.abs(block.rhs[at + i] - input) - MOMENTUM_ROUNDING * momentum);
          if (!(value <= worst) && !Number.isNaN(worst)) worst = value;
          scale = Math.max(
            scale,
            Math.abs(block.inertia[at + i]),
            h * Math.abs(block.rate1[at + i]),
            Math.abs(input),
          );
        }
      }
      const relative = scale > 0 ? worst / scale : worst;
      if (!(relative <= context.residual[0]) && !Number.isNaN(context.residual[0]))
        context.residual[0] = relative;
    }
  }

  accept(): void {
    // Nothing is carried over but the state and r, which the context keeps.
  }

  writeFree(w: StepWriter): boolean {
    const isWritable = ({ isAffine, isAutonomous, isConstant, members, solver }: Block): boolean =>
      isAffine && isAutonomous && isConstant && members.length === 1 && solver.isWritable;
    if (!this.blocks.every(isWritable)) return false;
    const { state, start, q, input0 } = this.context;
    const h = this.context.h[0];
    for (const { members, solver } of this.blocks) {
      const [{ form, dof }] = members;
      const n = form.size;
      const { A, b } = affineParts(form, this.context.clock);
      // With x = x_k the inertia term vanishes, and the right side is h f(x_k) + h(1−θ_r) r_k.
      const rhs = Array.from({ length: n }, (_, i) => {
        const terms = Array.from({ length: n }, (_, j): Term => [A[i * n + j], w.get(start, q + dof + j)]);
        const rate = `${w.literal(h)} * (${w.add(b[i] === 0 ? '' : w.literal(b[i]), terms)})`;
        const kept = h * (1 - this.thetaR);
        return w.constant(kept === 0 ? rate : `${rate} + ${w.literal(kept)} * ${w.get(input0, dof + i)}`);
      });
      solver.write(w, rhs)?.forEach((change, i) => {
        w.set(state, q + dof + i, `${w.get(start, q + dof + i)} + ${change}`);
      });
    }
    return true;
  }

  applyInverse(index: number, x: Float64Array): void {
    const block = this.blocks[index];
    const { members, rhs } = block;
    if (members.length === 1) {
      block.solver.solve(x, members[0].dof);
      return;
    }
    for (let m = 0; m < members.length; m++)
      for (let i = 0; i < members[m].form.size; i++) rhs[members[m].at + i] = x[members[m].dof + i];
    block.solver.solve(rhs, 0);
    for (let m = 0; m < members.length; m++)
      for (let i = 0; i < members[m].form.size; i++) x[members[m].dof + i] = rhs[members[m].at + i];
  }

  outputWeight(): number {
    return 1;
  }

  inputWeight(): number {
    return this.context.h[0] * this.thetaR;
  }
}

/** f = A x + b of a form that is affine and autonomous. */
function affineParts(form: FirstOrderForm, clock: Float64Array): { A: Float64Array; b: Float64Array } {
  const n = form.size;
  const A = new Float64Array(n * n);
  const b = new Float64Array(n);
  form.rateJacobian(clock, new Float64Array(n), A);
  form.rate(clock, new Float64Array(n), b);
  return { A, b };
}
