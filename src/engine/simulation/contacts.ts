/**
 * The rows of all relations in flat arrays: gaps y, gap velocities ẏ, Jacobian rows ∇h, their responses Ŵ⁻¹ ᵗ∇h, and
 * the Delassus operator
 *
 *     W_αβ = Σ_i ∇h_α^i Ŵ_i⁻¹ ᵗ∇h_β^i          (i over the systems that α and β share)
 *
 * which maps impulses to gap velocities. λ is an impulse here, so no h stands before Ŵ⁻¹ (S0 §2.2, the warning
 * resolved). Where every Jacobian is constant, W is assembled once for the whole run.
 */
import { addScaledRow, rowDot, type SparseRows, sparseFromPattern } from '../linalg/csr';
import { reverseCuthillMcKee } from '../linalg/ordering';
import { checkFinite, type MoreauJean } from '../integrators/moreau-jean';
import type { NonSmoothDynamicalSystem } from '../model/nsds';
import type { LagrangianRheonomous } from '../model/relations/lagrangian-rheonomous';

/** Rounding errors of a gap in units of the magnitudes that cancel in it: a few operations of half a unit each. */
const GAP_ROUNDING = 8 * Number.EPSILON;

/** A relation evaluated by script functions. */
interface ScriptedRelation {
  readonly id: string;
  readonly relation: LagrangianRheonomous;
  readonly row: number;
  /** coordinates of the linked systems, concatenated */
  readonly dofs: Int32Array;
  /** copies handed to the script, so that it cannot write into the state */
  readonly q: Float64Array;
  readonly out: Float64Array;
  readonly jacobian: Float64Array;
}

export class Contacts {
  readonly rows: number;
  /** first row of each interaction */
  readonly offsets: Int32Array;
  /** coefficient of restitution by row */
  readonly restitution: Float64Array;
  /**
   * Gap by row below which a contact counts as closed, m. Bodies that are modelled as touching have a gap that is zero
   * to rounding only; without this margin the sign of 1e-17 m would decide whether a stack stands or falls.
   */
  readonly closedGap: Float64Array;
  readonly jacobian: SparseRows;
  /** Ŵ⁻¹ ᵗ∇h by row */
  readonly response: SparseRows;
  readonly delassus: SparseRows;
  /** rows in an order that keeps the envelope of W thin */
  readonly order: Int32Array;
  /** ∂h/∂t where the rows were last linearised; zero for relations without explicit time */
  readonly timeDerivative: Float64Array;
  /** whether no Jacobian comes from a script, so that W is assembled once */
  readonly hasConstantJacobian: boolean;

  readonly #offset: Float64Array;
  readonly #scripted: ScriptedRelation[] = [];
  readonly #isScripted: Uint8Array;
  readonly #systemsOfRow: number[][] = [];
  readonly #work: Float64Array;

  constructor(
    model: NonSmoothDynamicalSystem,
    private readonly integrator: MoreauJean,
    private readonly parameters: object,
  ) {
    const { interactions } = model;
    this.offsets = new Int32Array(interactions.length + 1);
    interactions.forEach(({ relation }, i) => (this.offsets[i + 1] = this.offsets[i] + relation.size));
    this.rows = this.offsets[interactions.length];
    this.restitution = new Float64Array(this.rows);
    this.closedGap = new Float64Array(this.rows);
    this.timeDerivative = new Float64Array(this.rows);
    this.#offset = new Float64Array(this.rows);
    this.#isScripted = new Uint8Array(this.rows);
    this.#work = new Float64Array(integrator.size);

    const pattern: number[][] = [];
    const constants: number[][] = [];
    interactions.forEach(({ id, systems, relation, law }, i) => {
      const row = this.offsets[i];
      const dofs = systems.flatMap((s) =>
        Array.from({ length: model.systems[s].ndof }, (_, k) => integrator.offsets[s] + k),
      );
      const matrix = relation.type === 'LagrangianLinear' ? relation.H : relation.constantJacobian;
      for (let r = 0; r < relation.size; r++) {
        const entries = matrix?.subarray(r * dofs.length, (r + 1) * dofs.length);
        const used = dofs
          .map((dof, k) => ({ dof, value: entries?.[k] ?? 0 }))
          .filter(({ value }) => matrix === null || value !== 0);
        pattern.push(used.map(({ dof }) => dof));
        constants.push(used.map(({ value }) => value));
        this.#systemsOfRow.push([...systems]);
        this.restitution[row + r] = law.e;
        if (relation.type === 'LagrangianLinear') this.#offset[row + r] = relation.b[r];
        else this.#isScripted[row + r] = 1;
      }
      if (relation.type === 'LagrangianRheonomous') {
        this.#scripted.push({
          id,
          relation,
          row,
          dofs: Int32Array.from(dofs),
          q: new Float64Array(dofs.length),
          out: new Float64Array(relation.size),
          jacobian: new Float64Array(relation.size * dofs.length),
        });
      }
    });
    this.hasConstantJacobian = this.#scripted.every(({ relation }) => relation.jacobian === null);
    this.jacobian = sparseFromPattern(pattern);
    constants.flat().forEach((value, k) => (this.jacobian.values[k] = value));
    this.response = this.#responsePattern(pattern);
    this.delassus = this.#delassusPattern();
    this.order = reverseCuthillMcKee(this.delassus);
    if (this.hasConstantJacobian) this.#assemble();
  }

  /** Ŵ⁻¹ fills the whole block of a system that a row touches, unless the system's matrices are diagonal. */
  #responsePattern(pattern: readonly number[][]): SparseRows {
    const { offsets } = this.integrator;
    return sparseFromPattern(
      pattern.map((dofs, row) => {
        const filled = new Set<number>();
        for (const s of this.#systemsOfRow[row]) {
          const touched = dofs.filter((dof) => dof >= offsets[s] && dof < offsets[s + 1]);
          if (this.integrator.isDiagonal(s)) for (const dof of touched) filled.add(dof);
          else if (touched.length > 0)
            for (let dof = offsets[s]; dof < offsets[s + 1]; dof++) filled.add(dof);
        }
        return [...filled].sort((a, b) => a - b);
      }),
    );
  }

  #delassusPattern(): SparseRows {
    const rowsOfDof: number[][] = Array.from({ length: this.integrator.size }, () => []);
    for (let row = 0; row < this.rows; row++) {
      for (let k = this.jacobian.rowStart[row]; k < this.jacobian.rowStart[row + 1]; k++) {
        rowsOfDof[this.jacobian.columns[k]].push(row);
      }
    }
    const neighbours = Array.from({ length: this.rows }, (_, row) => new Set([row]));
    for (let row = 0; row < this.rows; row++) {
      for (let k = this.response.rowStart[row]; k < this.response.rowStart[row + 1]; k++) {
        for (const other of rowsOfDof[this.response.columns[k]]) {
          // Both directions, so that the pattern is symmetric whatever cancels in the values.
          neighbours[row].add(other);
          neighbours[other].add(row);
        }
      }
    }
    return sparseFromPattern(neighbours.map((set) => [...set].sort((a, b) => a - b)));
  }

  /** Values of the responses and of W from the present Jacobian. */
  #assemble(): void {
    const { jacobian, response, delassus } = this;
    const work = this.#work;
    for (let row = 0; row < this.rows; row++) {
      for (let k = jacobian.rowStart[row]; k < jacobian.rowStart[row + 1]; k++)
        work[jacobian.columns[k]] = jacobian.values[k];
      for (const system of this.#systemsOfRow[row]) this.integrator.applyInverse(system, work);
      for (let k = response.rowStart[row]; k < response.rowStart[row + 1]; k++)
        response.values[k] = work[response.columns[k]];
      // Column `row` of W; for the symmetric operators of this scheme it is also its row.
      for (let k = delassus.rowStart[row]; k < delassus.rowStart[row + 1]; k++) {
        const other = delassus.columns[k];
        this.#setDelassus(other, row, rowDot(jacobian, other, work));
      }
      for (let k = response.rowStart[row]; k < response.rowStart[row + 1]; k++) work[response.columns[k]] = 0;
    }
    if (this.integrator.symmetric) this.#symmetrise();
  }

  #setDelassus(row: number, column: number, value: number): void {
    const { rowStart, columns, values } = this.delassus;
    let low = rowStart[row];
    let high = rowStart[row + 1] - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (columns[middle] < column) low = middle + 1;
      else high = middle;
    }
    values[low] = value;
  }

  /** Removes the last-bit differences between W_αβ and W_βα: a solver may rely on exact symmetry. */
  #symmetrise(): void {
    const { rowStart, columns, values } = this.delassus;
    for (let row = 0; row < this.rows; row++) {
      for (let k = rowStart[row]; k < rowStart[row + 1] && columns[k] < row; k++)
        this.#setDelassus(columns[k], row, values[k]);
    }
  }

  /** Gaps and gap velocities of the state (q, v) at time clock[0], where the rows have been linearised. */
  evaluate(
    clock: Float64Array,
    q: Float64Array,
    v: Float64Array,
    gap: Float64Array,
    gapVelocity: Float64Array,
  ): void {
    for (let row = 0; row < this.rows; row++) {
      gapVelocity[row] = rowDot(this.jacobian, row, v) + this.timeDerivative[row];
      if (this.#isScripted[row] === 0) gap[row] = rowDot(this.jacobian, row, q) + this.#offset[row];
    }
    if (this.#scripted.length === 0) return;
    const t = clock[0];
    for (const scripted of this.#scripted) {
      const { relation, row, out } = scripted;
      this.#gather(scripted, q);
      out.fill(0);
      relation.h.call(t, scripted.q, out, this.parameters);
      checkFinite(out, relation.h.name, scripted.id, t);
      gap.set(out, row);
    }
  }

  /** Sets `closedGap` from the magnitudes that cancel in the gaps of the initial positions. */
  setClosedGap(q: Float64Array, gap: Float64Array): void {
    const { rowStart, columns, values } = this.jacobian;
    for (let row = 0; row < this.rows; row++) {
      let scale = Math.abs(this.#offset[row]) + Math.abs(gap[row]);
      for (let k = rowStart[row]; k < rowStart[row + 1]; k++) scale += Math.abs(values[k] * q[columns[k]]);
      this.closedGap[row] = GAP_ROUNDING * scale;
    }
  }

  /** Whether some relation is evaluated by script functions. */
  get hasScripts(): boolean {
    return this.#scripted.length > 0;
  }

  /** Brings ∂h/∂t and the Jacobians to time clock[0] and position q; W follows with `updateDelassus`. */
  linearise(clock: Float64Array, q: Float64Array): void {
    if (this.#scripted.length === 0) return;
    const t = clock[0];
    for (const scripted of this.#scripted) {
      const { relation, row, out } = scripted;
      this.#gather(scripted, q);
      out.fill(0);
      relation.hDot.call(t, scripted.q, out, this.parameters);
      checkFinite(out, relation.hDot.name, scripted.id, t);
      this.timeDerivative.set(out, row);
      if (relation.jacobian === null) continue;
      scripted.jacobian.fill(0);
      relation.jacobian.call(t, scripted.q, scripted.jacobian, this.parameters);
      checkFinite(scripted.jacobian, relation.jacobian.name, scripted.id, t);
      this.jacobian.values.set(scripted.jacobian, this.jacobian.rowStart[row]);
    }
  }

  /** Assembles responses and W from the present Jacobians where those are not constant. @returns true when W changed */
  updateDelassus(): boolean {
    if (this.hasConstantJacobian) return false;
    this.#assemble();
    return true;
  }

  #gather({ dofs, q: copy }: ScriptedRelation, q: Float64Array): void {
    for (let k = 0; k < dofs.length; k++) copy[k] = q[dofs[k]];
  }

  /** v += Σ_α Ŵ⁻¹ ᵗ∇h_α p_α */
  addResponse(impulse: Float64Array, v: Float64Array): void {
    for (let row = 0; row < this.rows; row++)
      if (impulse[row] !== 0) addScaledRow(this.response, row, impulse[row], v);
  }
}
