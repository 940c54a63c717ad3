/**
 * Zero-order hold for linear systems M ẋ = A x + b(t) + r with constant A: r is held over the step, as a
 * sampled controller does, and the step is exact,
 *
 *     x_{k+1} = Φ x_k + Ψ₀ (b_k + r_{k+1}) + Ψ₁ (b_{k+1} − b_k),
 *     Φ = e^{Gh},   Ψ₀ = ∫₀ʰ e^{Gs} ds M⁻¹,   Ψ₁ = ∫₀ʰ e^{G(h−s)} s/h ds M⁻¹,   G = M⁻¹A,
 *
 * for sources b that are constant or linear over the step; others are taken as linear between their two ends.
 * The three matrices are blocks of one exponential (Van Loan 1978):
 *
 *         ⎡ G  M⁻¹  0  ⎤       ⎡ Φ  Ψ₀  Ψ₁ ⎤
 *     exp ⎢ 0   0  I/h ⎥ h  =  ⎢ 0  I   I  ⎥
 *         ⎣ 0   0   0  ⎦       ⎣ 0  0   I  ⎦
 */
import { EngineError } from '../errors';
import { expm } from '../linalg/expm';
import { factorLU, solveLU } from '../linalg/lu';
import type { FirstOrderForm } from '../model/forms';
import type { StepWriter } from '../straight-line/writer';
import { type IterationBlock, type OneStepIntegrator, type StepContext, singularIteration } from './step';

interface Member extends IterationBlock {
  readonly system: number;
  readonly form: FirstOrderForm;
  readonly dof: number;
  phi: Float64Array;
  psi0: Float64Array;
  psi1: Float64Array;
  readonly source0: Float64Array;
  readonly source1: Float64Array;
  readonly zero: Float64Array;
  readonly work: Float64Array;
}

function unsuitable(id: string): EngineError {
  return new EngineError({
    code: 'integrator-unsuitable',
    message: `“${id}” is not linear with a constant matrix A, which a zero-order hold needs.`,
    where: id,
    remedy: 'Choose Euler–Moreau for this system.',
  });
}

export class ZeroOrderHold implements OneStepIntegrator {
  readonly type = 'ZeroOrderHold';
  readonly unknown = 'position';
  readonly isLinear = true;
  readonly isConstant = true;
  readonly isSymmetric = false;
  readonly blocks: readonly Member[];

  constructor(
    private readonly context: StepContext,
    readonly systems: readonly number[],
    forms: readonly FirstOrderForm[],
  ) {
    this.blocks = systems.map((system, i): Member => {
      const form = forms[i];
      if (form.rateKind !== 'constant') throw unsuitable(context.ids[system]);
      const vector = (): Float64Array => new Float64Array(form.size);
      return {
        systems: [system],
        isDiagonal: false,
        system,
        form,
        dof: context.offsets[system],
        phi: new Float64Array(0),
        psi0: new Float64Array(0),
        psi1: new Float64Array(0),
        source0: vector(),
        source1: vector(),
        zero: vector(),
        work: vector(),
      };
    });
    this.changeStep();
    for (const member of this.blocks) member.form.rate(context.clock0, member.zero, member.source0);
    this.begin();
  }

  changeStep(): void {
    for (const member of this.blocks) this.#discretise(member);
  }

  #discretise(member: Member): void {
    const { form } = member;
    const n = form.size;
    const h = this.context.h[0];
    const A = new Float64Array(n * n);
    form.rateJacobian(this.context.clock, member.zero, A);
    const inverseMass = this.#inverseMass(member);
    const width = 3 * n;
    const block = new Float64Array(width * width);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        let g = 0;
        for (let k = 0; k < n; k++) g += inverseMass[i * n + k] * A[k * n + j];
        block[i * width + j] = h * g;
        block[i * width + n + j] = h * inverseMass[i * n + j];
      }
      block[(n + i) * width + 2 * n + i] = 1;
    }
    const exponential = expm(block, width);
    const part = (column: number): Float64Array => {
      const out = new Float64Array(n * n);
      for (let i = 0; i < n; i++)
        for (let j = 0; j < n; j++) out[i * n + j] = exponential[i * width + column * n + j];
      return out;
    };
    member.phi = part(0);
    member.psi0 = part(1);
    member.psi1 = part(2);
    this.context.counters.factorisations++;
  }

  #inverseMass({ form, system }: Member): Float64Array {
    const n = form.size;
    const inverse = new Float64Array(n * n);
    for (let i = 0; i < n; i++) inverse[i * n + i] = 1;
    if (form.mass === null) return inverse;
    const lu = form.mass.slice();
    const pivots = new Int32Array(n);
    if (!factorLU(lu, 0, n, pivots, 0)) throw singularIteration(this.context, system, 'M');
    const column = new Float64Array(n);
    for (let j = 0; j < n; j++) {
      column.fill(0);
      column[j] = 1;
      solveLU(lu, 0, n, pivots, 0, column, 0);
      for (let i = 0; i < n; i++) inverse[i * n + j] = column[i];
    }
    return inverse;
  }

  begin(): void {
    for (let m = 0; m < this.blocks.length; m++) {
      const { form, zero, source1 } = this.blocks[m];
      form.rate(this.context.clock, zero, source1);
    }
  }

  linearise(): void {
    // Φ and Ψ are constant.
  }

  computeFree(): void {
    const { state, start, q, inputOffset } = this.context;
    for (let m = 0; m < this.blocks.length; m++) {
      const { form, dof, phi, psi0, psi1, source0, source1 } = this.blocks[m];
      const n = form.size;
      for (let i = 0; i < n; i++) {
        let x = 0;
        for (let j = 0; j < n; j++) {
          const at = i * n + j;
          x +=
            phi[at] * start[q + dof + j] +
            psi0[at] * (source0[j] + inputOffset[dof + j]) +
            psi1[at] * (source1[j] - source0[j]);
        }
        state[q + dof + i] = x;
      }
    }
  }

  complete(): void {
    // x is all there is.
  }

  residual(): void {
    // The step is explicit in x and r.
  }

  accept(): void {
    for (let m = 0; m < this.blocks.length; m++) this.blocks[m].source0.set(this.blocks[m].source1);
  }

  inputsChanged(): void {
    this.begin();
    this.accept();
  }

  writeFree(w: StepWriter): boolean {
    if (!this.blocks.every(({ form }) => form.isAutonomous)) return false;
    const { state, start, q } = this.context;
    for (const { form, dof, phi, psi0, source0 } of this.blocks) {
      const n = form.size;
      for (let i = 0; i < n; i++) {
        // Each source's part belongs to the term of its column, as in `computeFree`.
        const terms = Array.from({ length: n }, (_, j) => {
          const moved = w.sum([[phi[i * n + j], w.get(start, q + dof + j)]]);
          const part = psi0[i * n + j] * source0[j];
          return part === 0 ? moved : `(${moved} + ${w.literal(part)})`;
        });
        w.set(state, q + dof + i, terms.filter((term) => term !== '0').join(' + ') || '0');
      }
    }
    return true;
  }

  /** Ψ₀ takes the place of Ŵ⁻¹. */
  applyInverse(block: number, x: Float64Array): void {
    const { form, dof, psi0, work } = this.blocks[block];
    const n = form.size;
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let j = 0; j < n; j++) sum += psi0[i * n + j] * x[dof + j];
      work[i] = sum;
    }
    for (let i = 0; i < n; i++) x[dof + i] = work[i];
  }

  outputWeight(): number {
    return 1;
  }

  inputWeight(): number {
    return 1;
  }
}
