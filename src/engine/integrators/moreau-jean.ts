/**
 * Moreau–Jean θ-method for Lagrangian linear time-invariant systems.
 *
 * Writing v_{k+θ} = θ v_{k+1} + (1−θ) v_k and q_{k+1} = q_k + h v_{k+θ}, the equation of motion over one step is
 *
 *     M (v_{k+1} − v_k) = −h C v_{k+θ} − h K q_{k+θ} + h F_{k+θ} + p,
 *     q_{k+θ} = θ q_{k+1} + (1−θ) q_k = q_k + hθ v_{k+θ}.
 *
 * Substituting v_{k+θ} = v_k + θ (v_{k+1} − v_k) collects the unknown on the left:
 *
 *     Ŵ (v_{k+1} − v_k) = −h C v_k − h K q_k − h²θ K v_k + h F_{k+θ} + p,     Ŵ = M + hθ C + h²θ² K,
 *
 * so that v_{k+1} = v_free + Ŵ⁻¹ p. S0 §2.2 with the corrected Ŵ (the printed reference to (2.12) is wrong).
 *
 * Systems with a base motion c(t) are advanced in absolute coordinates u = q + c, u̇ = v + ċ, and recorded in relative
 * ones. The inertial force −M c̈ thereby enters as its exact impulse −M (ċ_{k+1} − ċ_k), also where c̈ jumps.
 *
 * All systems of a model are advanced together in flat arrays. Those with diagonal M, C and K form elementwise runs;
 * the others keep dense blocks.
 */
import { factorLU, solveLU } from '../linalg/lu';
import { isSymmetric } from '../linalg/symmetric';
import type { LagrangianLinearTI } from '../model/systems/lagrangian-linear-ti';
import { EngineError } from '../errors';

/** Consecutive coordinates that are advanced elementwise. */
interface DiagonalRun {
  from: number;
  to: number;
}

interface DenseBlock {
  system: LagrangianLinearTI;
  /** first coordinate */
  dof: number;
  /** offset of the block in the flat matrices */
  at: number;
}

interface Plugin {
  system: LagrangianLinearTI;
  dof: number;
  out: Float64Array;
}

const isDiagonal = (a: Float64Array | null, n: number): boolean =>
  a === null || a.every((value, index) => value === 0 || index % (n + 1) === 0);

export class MoreauJean {
  /** first coordinate of each system */
  readonly offsets: Int32Array;
  readonly size: number;
  /** velocity at the end of the step without contact impulses */
  readonly freeVelocity: Float64Array;
  /** external force at the start and the end of the step, N */
  force0: Float64Array;
  force1: Float64Array;
  /** base motion at the start and the end of the step; zero where a system has none */
  basePosition0: Float64Array;
  basePosition1: Float64Array;
  baseVelocity0: Float64Array;
  baseVelocity1: Float64Array;
  /** whether some system has a base motion */
  readonly hasBase: boolean;
  /** whether Ŵ is symmetric for every system, which makes the Delassus operator symmetric */
  readonly symmetric: boolean;

  readonly #runs: DiagonalRun[] = [];
  readonly #blocks: DenseBlock[] = [];
  /** dense block of each system; null for diagonal ones */
  readonly #blockOf: (DenseBlock | null)[] = [];
  readonly #forces: Plugin[] = [];
  readonly #bases: Plugin[] = [];
  // Diagonal systems: entries of C, K and Ŵ⁻¹ by coordinate.
  readonly #damping: Float64Array;
  readonly #stiffness: Float64Array;
  readonly #inverse: Float64Array;
  // Dense systems: LU factors of Ŵ.
  readonly #factors: Float64Array;
  readonly #pivots: Int32Array;
  readonly #scratch: Float64Array;

  constructor(
    systems: readonly LagrangianLinearTI[],
    private readonly h: number,
    private readonly theta: number,
    private readonly parameters: object,
    t0: number,
  ) {
    this.offsets = new Int32Array(systems.length + 1);
    systems.forEach((system, i) => (this.offsets[i + 1] = this.offsets[i] + system.ndof));
    const size = this.offsets[systems.length];
    this.size = size;
    const zeros = (): Float64Array => new Float64Array(size);
    this.freeVelocity = zeros();
    this.force0 = zeros();
    this.force1 = zeros();
    this.basePosition0 = zeros();
    this.basePosition1 = zeros();
    this.baseVelocity0 = zeros();
    this.baseVelocity1 = zeros();
    this.#damping = zeros();
    this.#stiffness = zeros();
    this.#inverse = zeros();
    this.#scratch = zeros();
    this.#pivots = new Int32Array(size);

    let entries = 0;
    systems.forEach((system, i) => {
      const dof = this.offsets[i];
      const { ndof } = system;
      if (
        isDiagonal(system.mass, ndof) &&
        isDiagonal(system.damping, ndof) &&
        isDiagonal(system.stiffness, ndof)
      ) {
        this.#addDiagonal(system, dof);
        this.#blockOf.push(null);
      } else {
        const block = { system, dof, at: entries };
        this.#blocks.push(block);
        this.#blockOf.push(block);
        entries += ndof * ndof;
      }
      if (system.force !== null) this.#forces.push({ system, dof, out: new Float64Array(ndof) });
      if (system.base !== null) this.#bases.push({ system, dof, out: new Float64Array(ndof) });
      this.force0.set(system.constantForce, dof);
      this.force1.set(system.constantForce, dof);
    });
    this.hasBase = this.#bases.length > 0;
    this.symmetric = this.#blocks.every(
      ({ system }) => isSymmetric(system.damping, system.ndof) && isSymmetric(system.stiffness, system.ndof),
    );
    this.#factors = new Float64Array(entries);
    for (const block of this.#blocks) this.#factorBlock(block);
    this.evaluate(Float64Array.of(t0));
    this.accept();
  }

  #addDiagonal(system: LagrangianLinearTI, dof: number): void {
    const { h, theta } = this;
    for (let i = 0; i < system.ndof; i++) {
      const at = i * (system.ndof + 1);
      const c = system.damping?.[at] ?? 0;
      const k = system.stiffness?.[at] ?? 0;
      const w = system.mass[at] + h * theta * c + h * theta * (h * theta) * k;
      if (!(Math.abs(w) > 0)) throw this.#singular(system);
      this.#damping[dof + i] = c;
      this.#stiffness[dof + i] = k;
      this.#inverse[dof + i] = 1 / w;
    }
    const last = this.#runs.at(-1);
    if (last?.to === dof) last.to = dof + system.ndof;
    else this.#runs.push({ from: dof, to: dof + system.ndof });
  }

  #factorBlock({ system, dof, at }: DenseBlock): void {
    const { h, theta } = this;
    for (let k = 0; k < system.ndof * system.ndof; k++) {
      this.#factors[at + k] =
        system.mass[k] +
        h * theta * (system.damping?.[k] ?? 0) +
        h * theta * (h * theta) * (system.stiffness?.[k] ?? 0);
    }
    if (!factorLU(this.#factors, at, system.ndof, this.#pivots, dof)) throw this.#singular(system);
  }

  #singular(system: LagrangianLinearTI): EngineError {
    return new EngineError({
      code: 'iteration-matrix-singular',
      message: `The iteration matrix M + hθC + h²θ²K of “${system.id}” is singular at h = ${this.h} s.`,
      where: system.id,
      remedy: 'Check the signs of C and K, or change the time step.',
    });
  }

  /**
   * Calls the script functions of forces and base motions, into the arrays that end in 1.
   * @param clock clock[0] is the time; as a plain argument it would be boxed at every call
   */
  evaluate(clock: Float64Array): void {
    if (this.#forces.length === 0 && !this.hasBase) return;
    const t = clock[0];
    for (const { system, dof, out } of this.#forces) {
      out.fill(0);
      system.force?.call(t, out, this.parameters);
      checkFinite(out, system.force?.name ?? '', system.id, t);
      for (let i = 0; i < out.length; i++) this.force1[dof + i] = system.constantForce[i] + out[i];
    }
    for (const { system, dof, out } of this.#bases) {
      out.fill(0);
      system.base?.position.call(t, out, this.parameters);
      checkFinite(out, system.base?.position.name ?? '', system.id, t);
      this.basePosition1.set(out, dof);
      out.fill(0);
      system.base?.velocity.call(t, out, this.parameters);
      checkFinite(out, system.base?.velocity.name ?? '', system.id, t);
      this.baseVelocity1.set(out, dof);
    }
  }

  /** Makes the end of the step the start of the next one. */
  accept(): void {
    if (this.#forces.length > 0) this.force0.set(this.force1);
    if (this.hasBase) {
      this.basePosition0.set(this.basePosition1);
      this.baseVelocity0.set(this.baseVelocity1);
    }
  }

  /** Fills `freeVelocity` from the state at the start of the step. */
  computeFree(q: Float64Array, v: Float64Array): void {
    const { h, theta, freeVelocity, force0, force1 } = this;
    const damping = this.#damping;
    const stiffness = this.#stiffness;
    const inverse = this.#inverse;
    const { basePosition0, baseVelocity0, baseVelocity1 } = this;
    for (const { from, to } of this.#runs) {
      for (let i = from; i < to; i++) {
        const u = q[i] + basePosition0[i];
        const uDot = v[i] + baseVelocity0[i];
        const k = stiffness[i];
        const residual =
          -h * damping[i] * uDot -
          h * k * u -
          h * h * theta * k * uDot +
          h * (theta * force1[i] + (1 - theta) * force0[i]);
        freeVelocity[i] = uDot + inverse[i] * residual - baseVelocity1[i];
      }
    }
    for (const block of this.#blocks) this.#freeBlock(block, q, v);
  }

  #freeBlock({ system, dof, at }: DenseBlock, q: Float64Array, v: Float64Array): void {
    const { h, theta, force0, force1, basePosition0, baseVelocity0, baseVelocity1 } = this;
    const { ndof: n, damping, stiffness } = system;
    const x = this.#scratch;
    for (let i = 0; i < n; i++) {
      let sum = h * (theta * force1[dof + i] + (1 - theta) * force0[dof + i]);
      for (let j = 0; j < n; j++) {
        const uDot = v[dof + j] + baseVelocity0[dof + j];
        if (damping !== null) sum -= h * damping[i * n + j] * uDot;
        if (stiffness !== null) {
          const k = stiffness[i * n + j];
          sum -= h * k * (q[dof + j] + basePosition0[dof + j]) + h * h * theta * k * uDot;
        }
      }
      x[dof + i] = sum;
    }
    solveLU(this.#factors, at, n, this.#pivots, dof, x, dof);
    for (let i = dof; i < dof + n; i++)
      this.freeVelocity[i] = v[i] + baseVelocity0[i] + x[i] - baseVelocity1[i];
  }

  /** q_{k+1} = q_k + h (θ v_{k+1} + (1−θ) v_k), in place; for relative coordinates the rule holds for q + c. */
  advancePosition(q: Float64Array, vOld: Float64Array, vNew: Float64Array): void {
    const { h, theta, size } = this;
    if (!this.hasBase) {
      for (let i = 0; i < size; i++) q[i] += h * (theta * vNew[i] + (1 - theta) * vOld[i]);
      return;
    }
    const { basePosition0, basePosition1, baseVelocity0, baseVelocity1 } = this;
    for (let i = 0; i < size; i++) {
      const velocity = theta * (vNew[i] + baseVelocity1[i]) + (1 - theta) * (vOld[i] + baseVelocity0[i]);
      q[i] = q[i] + basePosition0[i] + h * velocity - basePosition1[i];
    }
  }

  /** x ← Ŵ⁻¹ x for the coordinates of one system; x is indexed by coordinate of the whole model. */
  applyInverse(system: number, x: Float64Array): void {
    const from = this.offsets[system];
    const block = this.#blockOf[system];
    if (block === null) {
      for (let i = from; i < this.offsets[system + 1]; i++) x[i] *= this.#inverse[i];
    } else {
      solveLU(this.#factors, block.at, block.system.ndof, this.#pivots, from, x, from);
    }
  }

  /** Whether M, C and K of the system are diagonal, and Ŵ⁻¹ with them. */
  isDiagonal(system: number): boolean {
    return this.#blockOf[system] === null;
  }
}

/** @throws {EngineError} naming the function when it left a value that is not finite */
export function checkFinite(out: Float64Array, name: string, element: string, t: number): void {
  for (let i = 0; i < out.length; i++) {
    if (Number.isFinite(out[i])) continue;
    throw new EngineError({
      code: 'script-not-finite',
      message: `The script function “${name}” of “${element}” gave ${out[i]} in entry ${i} at t = ${t} s.`,
      where: element,
      time: t,
      remedy: 'Check it for a division by zero or a square root of a negative number at this time.',
    });
  }
}
