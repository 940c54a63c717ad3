/**
 * A group of bodies with joints: velocities that obey G u = b, and the impulses of the joints that bring others there,
 *
 *     x ← x + M⁻¹ ᵗG λ,     (G M⁻¹ ᵗG) λ = b − G x.
 *
 * G M⁻¹ ᵗG is positive semidefinite: joints that say the same leave their share undetermined, and one that satisfies them all is taken
 * (`SemidefiniteCholesky`), in which the rows that depend on others have none. Rows are taken in their natural units (`row-units.ts`), so that what depends on what is the same in
 * millimetres.
 */
import { SemidefiniteCholesky } from '../linalg/semidefinite-cholesky';
import type { SpatialSystem } from '../spatial/system';

/** A unit impulse is in the range of G M⁻¹ ᵗG when this part of it at most is left; what depends on others leaves parts of the order 1. */
const IN_RANGE = 1e-6;

export class Mechanism {
  readonly #size: number;
  /** G of the group, rows × size, and M⁻¹ ᵗG alike */
  readonly #rows: Float64Array;
  readonly #moved: Float64Array;
  /** of its rows, one over what is one */
  readonly #scales: Float64Array;
  readonly #product: Float64Array;
  readonly #cholesky: SemidefiniteCholesky;
  /** −λ */
  readonly #mu: Float64Array;
  readonly #velocities: Float64Array;

  /**
   * @param equations numbers of its rows among those of all joints
   * @param members its bodies
   * @param entries place of each of its velocities among those of all bodies @param units by row of all joints
   */
  constructor(
    private readonly equations: readonly number[],
    private readonly members: Int32Array,
    private readonly entries: Int32Array,
    private readonly system: SpatialSystem,
    units: Float64Array,
  ) {
    this.#scales = Float64Array.from(equations, (row) => 1 / units[row]);
    const count = equations.length;
    this.#size = entries.length;
    this.#rows = new Float64Array(count * this.#size);
    this.#moved = new Float64Array(count * this.#size);
    this.#product = new Float64Array(count * count);
    this.#cholesky = new SemidefiniteCholesky(count);
    this.#mu = new Float64Array(count);
    this.#velocities = new Float64Array(this.#size);
  }

  /** Number of rows that follow from others. */
  get redundant(): number {
    return this.equations.length - this.#cholesky.rank;
  }

  /** @param jacobian G of all joints, by all velocities */
  update(jacobian: Float64Array): void {
    const { equations, members, entries, system } = this;
    const rows = this.#rows;
    const moved = this.#moved;
    const n = this.#size;
    const count = equations.length;
    for (let r = 0; r < count; r++) {
      const from = equations[r] * system.velocities;
      for (let c = 0; c < n; c++)
        moved[r * n + c] = rows[r * n + c] = this.#scales[r] * jacobian[from + entries[c]];
      let to = r * n;
      for (let k = 0; k < members.length; k++) {
        const body = system.bodies[members[k]];
        body.applyInverseMass(moved, to);
        to += body.velocities;
      }
    }
    for (let r = 0; r < count; r++)
      for (let s = 0; s <= r; s++) {
        let sum = 0;
        for (let c = 0; c < n; c++) sum += rows[r * n + c] * moved[s * n + c];
        this.#product[r * count + s] = sum;
      }
    this.#cholesky.factor(this.#product, count);
  }

  /** Brings x to G x = 0. @param at where the group's velocities begin */
  restrict(x: Float64Array, at: number): void {
    this.#mu.fill(0);
    this.#bring(x, at);
  }

  /**
   * Brings velocities that stand among those of all bodies to G u = b.
   * @param targets b by row of all joints, null for zero @param multipliers takes up λ by row of all joints, if there is one
   */
  bringAll(u: Float64Array, targets: Float64Array | null, multipliers: Float64Array | null): void {
    const { entries, equations } = this;
    const own = this.#velocities;
    const mu = this.#mu;
    for (let c = 0; c < entries.length; c++) own[c] = u[entries[c]];
    for (let r = 0; r < mu.length; r++)
      mu[r] = targets === null ? 0 : -this.#scales[r] * targets[equations[r]];
    this.#bring(own, 0);
    for (let c = 0; c < entries.length; c++) u[entries[c]] = own[c];
    if (multipliers === null) return;
    for (let r = 0; r < mu.length; r++) multipliers[equations[r]] -= this.#scales[r] * mu[r];
  }

  /** With −b in μ on entry. */
  #bring(x: Float64Array, at: number): void {
    const n = this.#size;
    const mu = this.#mu;
    const rows = this.#rows;
    const moved = this.#moved;
    for (let r = 0; r < mu.length; r++) {
      let sum = mu[r];
      for (let c = 0; c < n; c++) sum += rows[r * n + c] * x[at + c];
      mu[r] = sum;
    }
    this.#cholesky.solve(mu);
    for (let r = 0; r < mu.length; r++) for (let c = 0; c < n; c++) x[at + c] -= mu[r] * moved[r * n + c];
  }

  /**
   * Whether the impulse of a row follows from the motion. Impulses that move nothing are the null space of A = G M⁻¹ ᵗG; they leave a
   * row alone exactly if its unit vector is in the range of A.
   * @param own number of the row within the group
   */
  isDetermined(own: number): boolean {
    const count = this.equations.length;
    if (this.redundant === 0) return true;
    const x = new Float64Array(count);
    x[own] = 1;
    this.#cholesky.solve(x);
    for (let r = 0; r < count; r++) {
      let sum = r === own ? -1 : 0;
      for (let s = 0; s < count; s++) sum += this.#product[Math.max(r, s) * count + Math.min(r, s)] * x[s];
      if (!(Math.abs(sum) <= IN_RANGE)) return false;
    }
    return true;
  }
}
