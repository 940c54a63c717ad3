/**
 * The middle of a step by half steps as the certificate sees it. Joints φ(t, q) = 0 determine it from either
 * end,
 *
 *     φ(t_½, q⁻ + ½h V) = 0,  V = v⁻ + M⁻¹ ᵗG(q⁻) μ,      φ(t_½, q⁺ − ½h W) = 0,  W = v⁺ − M⁻¹ ᵗG(q⁺) ν,
 *
 * so it is found from the recorded states alone, twice, and both have to agree. Of the impulse p that is
 * recorded of a joint the part λ = p − μ − ν acts in the middle.
 */
import type { LagrangianForm, RelationForm } from '../../model/forms';
import { type NonSmoothDynamicalSystem, isHeld } from '../../model/nsds';
import type { CheckContext } from './relations';

/*
 * Inverses for the certificate, which shares no factorisation with the time loop: the sweep operator on a
 * symmetric positive semidefinite matrix. Rows that depend on those swept before are left out; a system that
 * has solutions is then solved by one in which theirs is zero. Goodnight 1979.
 */

/** A diagonal below this part of what it began with is what cancellation leaves of zero. */
const DEPENDENT = 1e-13;

export class Sweep {
  rank = 0;
  readonly #isSwept: Uint8Array;
  readonly #first: Float64Array;
  readonly #work: Float64Array;

  constructor(
    readonly size: number,
    /** n × n, row-major: the matrix before and its inverse after `invert` */
    readonly matrix = new Float64Array(size * size),
  ) {
    this.#isSwept = new Uint8Array(size);
    this.#first = new Float64Array(size);
    this.#work = new Float64Array(size);
  }

  invert(): void {
    const { size: n, matrix: a } = this;
    const isSwept = this.#isSwept.fill(0);
    for (let i = 0; i < n; i++) this.#first[i] = a[i * n + i];
    for (this.rank = 0; this.rank < n; this.rank++) {
      let pivot = -1;
      let most = DEPENDENT;
      for (let i = 0; i < n; i++) {
        const left = this.#first[i] > 0 ? a[i * n + i] / this.#first[i] : 0;
        if (isSwept[i] === 1 || !(left > most)) continue;
        most = left;
        pivot = i;
      }
      if (pivot < 0) return;
      isSwept[pivot] = 1;
      this.#sweep(pivot);
    }
  }

  #sweep(k: number): void {
    const { size: n, matrix: a } = this;
    const d = a[k * n + k];
    for (let j = 0; j < n; j++) a[k * n + j] /= d;
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      const b = a[i * n + k];
      if (b === 0) continue;
      for (let j = 0; j < n; j++) a[i * n + j] -= b * a[k * n + j];
      a[i * n + k] = -b / d;
    }
    a[k * n + k] = 1 / d;
  }

  /** x ← A⁻¹ x from `at` on */
  apply(x: Float64Array, at: number): void {
    const { size: n, matrix: a } = this;
    const work = this.#work;
    for (let i = 0; i < n; i++) {
      work[i] = 0;
      if (this.#isSwept[i] === 0) continue;
      for (let j = 0; j < n; j++) if (this.#isSwept[j] === 1) work[i] += a[i * n + j] * x[at + j];
    }
    for (let i = 0; i < n; i++) x[at + i] = work[i];
  }
}

const MAX_ITERATIONS = 60;
/** Rounding of φ in units of what cancels in it: what joints may be off. */
export const CLOSED = 64 * Number.EPSILON;

interface HeldRelation {
  readonly relation: RelationForm;
  /** first row in the model, and among all that are held */
  readonly row: number;
  readonly first: number;
  readonly dofs: Int32Array;
  /** whether y keeps what it was at the start of the step */
  readonly isRelative: boolean;
  readonly target: Float64Array;
  readonly z: Float64Array;
  readonly y: Float64Array;
  readonly C: Float64Array;
  readonly D: Float64Array;
  readonly lambda: Float64Array;
}

interface HeldSystem {
  readonly form: LagrangianForm;
  readonly dof: number;
  readonly position: Float64Array;
  readonly inverse: Sweep;
}

export class MiddleCheck {
  /** q_½ and V from the start, and q_½ and W from the end of the step, indexed like the state */
  readonly first: Float64Array;
  readonly second: Float64Array;
  /** μ and ν by row of the model */
  readonly opening: Float64Array;
  readonly closing: Float64Array;
  /** whether joints depended on one another, which leaves their impulses open */
  isRedundant = false;
  /** [0] t_½, s */
  readonly clock = new Float64Array(1);
  /** t⁻ */
  readonly #clock0 = new Float64Array(1);
  readonly #held: readonly HeldRelation[];
  readonly #masses: readonly HeldSystem[];
  /** coordinates of systems that are advanced by half steps, and of those that are held */
  readonly #dofs: Int32Array;
  readonly #heldDofs: Int32Array;
  readonly #rows: number;
  /** G and M⁻¹ᵗG, rows by coordinates of the model */
  readonly #G: Float64Array;
  readonly #R: Float64Array;
  readonly #scale: Float64Array;
  readonly #inverse: Sweep;
  readonly #x: Float64Array;
  readonly #sum: Float64Array;
  /** [0] largest φ of the last two iterations */
  readonly #worst = new Float64Array(2);

  /** @param isTaken whether a system is advanced by half steps */
  constructor(
    model: NonSmoothDynamicalSystem,
    private readonly context: CheckContext,
    readonly isTaken: (system: number) => boolean,
  ) {
    const { offsets, before, size } = context;
    const coordinates = (systems: readonly number[]): number[] =>
      systems.flatMap((s) => Array.from({ length: offsets[s + 1] - offsets[s] }, (_, k) => offsets[s] + k));
    const all = model.systems.map((_, s) => s).filter(isTaken);
    this.#dofs = Int32Array.from(coordinates(all));
    const held: HeldRelation[] = [];
    const linked = new Set<number>();
    let row = 0;
    let count = 0;
    for (const interaction of model.interactions) {
      const { relation, systems } = interaction;
      if (systems.every(isTaken) && isHeld(interaction)) {
        for (const s of systems) linked.add(s);
        held.push({
          relation,
          row,
          first: count,
          dofs: Int32Array.from(coordinates(systems)),
          isRelative: relation.isJoint !== true,
          target: new Float64Array(relation.size),
          z: new Float64Array(relation.columns),
          y: new Float64Array(relation.size),
          C: relation.C?.slice() ?? new Float64Array(relation.size * relation.columns),
          D: new Float64Array(relation.size ** 2),
          lambda: new Float64Array(relation.size),
        });
        count += relation.size;
      }
      row += relation.size;
    }
    this.#held = held;
    this.#rows = count;
    const members = all.filter((s) => linked.has(s));
    this.#heldDofs = Int32Array.from(coordinates(members));
    this.#masses = members.map((s) => {
      const form = model.systems[s].form as LagrangianForm;
      return {
        form,
        dof: offsets[s],
        position: new Float64Array(form.size),
        inverse: new Sweep(form.size),
      };
    });
    for (const { form, inverse } of this.#masses) {
      if (form.constantMass === null) continue;
      const { rowStart, columns: places, values } = form.constantMass;
      for (let i = 0; i < form.size; i++)
        for (let k = rowStart[i]; k < rowStart[i + 1]; k++)
          inverse.matrix[i * form.size + places[k]] = values[k];
      inverse.invert();
    }
    this.first = new Float64Array(before.length);
    this.second = new Float64Array(before.length);
    this.opening = new Float64Array(row);
    this.closing = new Float64Array(row);
    this.#G = new Float64Array(count * size);
    this.#R = new Float64Array(count * size);
    this.#scale = new Float64Array(count);
    this.#inverse = new Sweep(count);
    this.#x = new Float64Array(count);
    this.#sum = new Float64Array(count);
  }

  start(): void {
    this.#clock0[0] = this.context.clock[0];
  }

  /** Finds the middle of the step from its recorded ends. */
  evaluate(): void {
    const { before, state, h, clock } = this.context;
    this.clock[0] = this.#clock0[0] + 0.5 * h[0];
    this.isRedundant = false;
    for (let k = 0; k < this.#held.length; k++) {
      const held = this.#held[k];
      if (held.isRelative) this.#output(held, this.#clock0, before, held.target);
    }
    this.#close(before, this.#clock0, 0.5 * h[0], this.first, this.opening);
    this.#close(state, clock, -0.5 * h[0], this.second, this.closing);
    const rows = this.#held;
    for (let k = 0; k < rows.length; k++)
      for (let r = rows[k].row; r < rows[k].row + rows[k].relation.size; r++) this.closing[r] *= -1;
    this.#clock0[0] = clock[0];
  }

  /**
   * φ of a held relation at the end of the step, into `y`, by the place of the relation among the held ones.
   */
  offsets(row: number, out: Float64Array): void {
    const { state, clock } = this.context;
    for (let k = 0; k < this.#held.length; k++) {
      const held = this.#held[k];
      if (held.row !== row) continue;
      this.#output(held, clock, state, out);
      for (let r = 0; r < held.target.length; r++) out[r] -= held.target[r];
    }
  }

  /** Takes out of a defect of momenta, by coordinate, what impulses of joints in the middle could be. */
  removeJoints(defect: Float64Array): void {
    const { size } = this.context;
    const x = this.#x;
    this.#linearise(this.clock, this.first);
    for (let i = 0; i < this.#rows; i++) {
      x[i] = 0;
      for (let j = 0; j < this.#heldDofs.length; j++) {
        const dof = this.#heldDofs[j];
        x[i] += this.#R[i * size + dof] * defect[dof];
      }
    }
    this.#solve();
    for (let i = 0; i < this.#rows; i++)
      for (let j = 0; j < this.#heldDofs.length; j++) {
        const dof = this.#heldDofs[j];
        defect[dof] -= this.#G[i * size + dof] * x[i];
      }
  }

  #output(
    { relation, dofs, z, lambda }: HeldRelation,
    clock: Float64Array,
    at: Float64Array,
    out: Float64Array,
  ): void {
    const { q } = this.context;
    for (let j = 0; j < dofs.length; j++) z[j] = at[q + dofs[j]];
    relation.output(clock, z, lambda, out);
  }

  /**
   * @param from state at one end of the step, at the time `clock`
   * @param time from there to the middle, s
   * @param out q_½, and the velocity that leads there
   * @param impulses the impulses that take the velocity of the state to that one, by row
   */
  #close(
    from: Float64Array,
    clock: Float64Array,
    time: number,
    out: Float64Array,
    impulses: Float64Array,
  ): void {
    const { q, v, size } = this.context;
    const worst = this.#worst;
    const sum = this.#sum.fill(0);
    for (let k = 0; k < this.#dofs.length; k++) {
      const dof = this.#dofs[k];
      out[v + dof] = from[v + dof];
      out[q + dof] = from[q + dof] + time * from[v + dof];
    }
    if (this.#rows === 0) return;
    this.#linearise(clock, from);
    worst[0] = Number.POSITIVE_INFINITY;
    for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
      worst[1] = worst[0];
      this.#measure(out);
      // No tolerance: the iteration ends where rounding does not let it get nearer.
      if (worst[0] === 0 || (iteration > 1 && !(worst[0] < 0.5 * worst[1]))) break;
      this.#solve();
      for (let i = 0; i < this.#rows; i++) {
        const impulse = this.#x[i] / time;
        sum[i] -= impulse;
        for (let j = 0; j < this.#heldDofs.length; j++) {
          const dof = this.#heldDofs[j];
          out[v + dof] -= this.#R[i * size + dof] * impulse;
        }
      }
      for (let j = 0; j < this.#heldDofs.length; j++) {
        const dof = this.#heldDofs[j];
        out[q + dof] = from[q + dof] + time * out[v + dof];
      }
    }
    for (let k = 0; k < this.#held.length; k++) {
      const { row, first, relation } = this.#held[k];
      for (let r = 0; r < relation.size; r++) impulses[row + r] = sum[first + r];
    }
  }

  #measure(at: Float64Array): void {
    this.#worst[0] = 0;
    for (let k = 0; k < this.#held.length; k++) {
      const held = this.#held[k];
      this.#output(held, this.clock, at, held.y);
      for (let r = 0; r < held.y.length; r++) {
        const phi = held.y[r] - held.target[r];
        this.#x[held.first + r] = phi;
        this.#worst[0] = Math.max(this.#worst[0], Math.abs(phi) * this.#scale[held.first + r]);
      }
    }
  }

  #linearise(clock: Float64Array, at: Float64Array): void {
    const { q, size } = this.context;
    const n = this.#rows;
    const [G, R, A, scale] = [this.#G, this.#R, this.#inverse.matrix, this.#scale];
    for (let m = 0; m < this.#masses.length; m++) {
      const { form, dof, position, inverse } = this.#masses[m];
      if (form.constantMass !== null) continue;
      for (let i = 0; i < form.size; i++) position[i] = at[q + dof + i];
      form.mass(position, inverse.matrix);
      inverse.invert();
    }
    G.fill(0);
    for (let k = 0; k < this.#held.length; k++) {
      const { relation, first, dofs, z, C, D, lambda } = this.#held[k];
      for (let j = 0; j < dofs.length; j++) z[j] = at[q + dofs[j]];
      if (relation.C === null) relation.outputJacobians(clock, z, lambda, C, D);
      for (let r = 0; r < relation.size; r++)
        for (let j = 0; j < dofs.length; j++) G[(first + r) * size + dofs[j]] = C[r * dofs.length + j];
    }
    R.set(G);
    for (let i = 0; i < n; i++)
      for (let m = 0; m < this.#masses.length; m++) {
        const { dof, inverse } = this.#masses[m];
        inverse.apply(R, i * size + dof);
      }
    for (let i = 0; i < n; i++)
      for (let j = 0; j <= i; j++) {
        let sum = 0;
        for (let k = 0; k < this.#heldDofs.length; k++) {
          const dof = this.#heldDofs[k];
          sum += G[i * size + dof] * R[j * size + dof];
        }
        A[i * n + j] = A[j * n + i] = sum;
      }
    for (let i = 0; i < n; i++) scale[i] = A[i * n + i] > 0 ? 1 / Math.sqrt(A[i * n + i]) : 1;
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) A[i * n + j] *= scale[i] * scale[j];
    this.#inverse.invert();
    if (this.#inverse.rank < n) this.isRedundant = true;
  }

  /** x ← (G M⁻¹ ᵗG)⁻¹ x */
  #solve(): void {
    const [x, scale] = [this.#x, this.#scale];
    for (let i = 0; i < x.length; i++) x[i] *= scale[i];
    this.#inverse.apply(x, 0);
    for (let i = 0; i < x.length; i++) x[i] *= scale[i];
  }
}
