/**
 * The operator of the one-step problem, block by block from the graph (Siconos developer's notes §2.1.1 and
 * §2.2):
 *
 *     W_αβ = D_αβ + Σ_i a C_α^i Ŵ_i⁻¹ γ B_β^i          (i over the systems that α and β share)
 *
 * With λ an impulse γ is 1 and no h stands before Ŵ⁻¹; with λ a force it is the h of the integrator's scheme
 * (docs/theory/errata.md). For contacts this is the Delassus
 * operator.
 */
import type { OneStepIntegrator, StepContext } from '../integrators/step';
import { type SparseRows, sparseFromPattern } from '../linalg/sparse';
import { reverseCuthillMcKee } from '../linalg/ordering';
import { IMPULSE, LAGRANGIAN, VELOCITY_LEVEL } from './row-kinds';
import type { StepRelations } from './rows';

/*
 * Order in which the rows of a changing one-step problem are eliminated. Rows that stay keep their places
 * relative to each other, so that a contact that is inserted, never closes and is removed again leaves the
 * sums of all other rows as they were, to the last bit. A new row stands behind the last of its neighbours.
 * When the factor has grown much larger than it needs to be, all rows are ordered again.
 */

/** An envelope that is larger than this many times that of a new order costs more than a new order does. */
const WORN_ENVELOPE_RATIO = 2;

/**
 * @param pattern square and structurally symmetric
 * @param kept rows that have a place, in their order
 */
export function extendOrder(pattern: SparseRows, kept: Int32Array): Int32Array {
  const extended = insertRows(pattern, kept);
  const fresh = reverseCuthillMcKee(pattern);
  return envelope(pattern, extended) <= WORN_ENVELOPE_RATIO * envelope(pattern, fresh) ? extended : fresh;
}

function insertRows({ rows, rowStart, columns }: SparseRows, kept: Int32Array): Int32Array {
  if (kept.length === rows) return kept;
  // The place of a new row is that of the kept one it stands behind; −1 is before all of them.
  const place = new Int32Array(rows).fill(-1);
  kept.forEach((row, k) => (place[row] = k));
  const isKept = new Uint8Array(rows);
  for (const row of kept) isKept[row] = 1;
  const behind: number[][] = Array.from({ length: kept.length + 1 }, () => []);
  for (let row = 0; row < rows; row++) {
    if (isKept[row] === 1) continue;
    for (let k = rowStart[row]; k < rowStart[row + 1]; k++)
      place[row] = Math.max(place[row], place[columns[k]]);
    behind[place[row] + 1].push(row);
  }
  const order = new Int32Array(rows);
  let count = 0;
  for (const row of behind[0]) order[count++] = row;
  kept.forEach((row, k) => {
    order[count++] = row;
    for (const next of behind[k + 1]) order[count++] = next;
  });
  return order;
}

/** Entries between the first of each row and its diagonal, in the given order. */
function envelope({ rowStart, columns }: SparseRows, order: Int32Array): number {
  const place = new Int32Array(order.length);
  order.forEach((row, k) => (place[row] = k));
  let size = 0;
  order.forEach((row, k) => {
    let first = k;
    for (let e = rowStart[row]; e < rowStart[row + 1]; e++) first = Math.min(first, place[columns[e]]);
    size += k - first + 1;
  });
  return size;
}

/** Differences of W_αβ and W_βα below this fraction of their row's largest entries are rounding. */
const SYMMETRY_ROUNDING = 64 * Number.EPSILON;

/** What an operator is made of: matrices that answer impulses, block by block. */
export type MotionBlocks = Pick<
  OneStepIntegrator,
  'blocks' | 'applyInverse' | 'unknown' | 'isConstant' | 'isSymmetric'
>;

/** A block: the integrator that owns it and its number there. */
export interface BlockOwner<Owner extends MotionBlocks = MotionBlocks> {
  readonly integrator: Owner;
  readonly block: number;
}

export interface DelassusOptions {
  readonly assembly: 'blocks' | 'product';
  /** whether all steps have one length */
  readonly isStepFixed: boolean;
}

export class Delassus {
  readonly operator: SparseRows;
  /** Ŵ⁻¹ γ B by row, over state slots of the unknowns */
  readonly response: SparseRows;
  /** rows in an order that keeps the envelope of W thin */
  readonly order: Int32Array;
  /** whether W is symmetric in every step */
  readonly isSymmetric: boolean;

  /** the response over coordinates */
  readonly #responseDofs: Int32Array;
  readonly #ownersOfRow: BlockOwner[][];
  readonly #work: Float64Array;
  /** place of W_βα for each stored W_αβ */
  readonly #entriesByColumn: Int32Array;

  /**
   * @param ownerOf the block of each system
   * @param kept rows that have been eliminated before, in that order; null when there are none
   */
  constructor(
    private readonly rows: StepRelations,
    context: StepContext,
    private readonly ownerOf: readonly BlockOwner[],
    private readonly options: DelassusOptions,
    kept: Int32Array | null = null,
  ) {
    this.#work = new Float64Array(context.size);
    this.#ownersOfRow = rows.systemsByRow.map((systems) => this.#owners(systems));
    const response = this.#responsePattern(context);
    this.#responseDofs = response.columns.slice();
    for (let row = 0; row < rows.count; row++) {
      for (let k = response.rowStart[row]; k < response.rowStart[row + 1]; k++) {
        const system = systemOf(context.offsets, response.columns[k]);
        const { unknown } = ownerOf[system].integrator;
        response.columns[k] += unknown === 'velocity' ? context.v : context.q;
      }
    }
    this.response = response;
    this.operator = this.#pattern(context);
    this.order = kept === null ? reverseCuthillMcKee(this.operator) : extendOrder(this.operator, kept);
    this.#entriesByColumn = transposePlaces(this.operator);
    const integrators = new Set(ownerOf.map(({ integrator }) => integrator));
    const isConstant = rows.isConstant && [...integrators].every((integrator) => integrator.isConstant);
    if (!isConstant) {
      this.isSymmetric = this.#isSymmetricByForm(integrators);
      return;
    }
    this.assemble(
      Int32Array.from({ length: rows.count }, (_, row) => row),
      rows.count,
    );
    // Weights that agree at one step length need not at another.
    this.isSymmetric = options.isStepFixed
      ? this.#isSymmetricToRounding()
      : this.#isSymmetricByForm(integrators);
    if (this.isSymmetric) this.#symmetrise();
  }

  #owners(systems: readonly number[]): BlockOwner[] {
    const owners: BlockOwner[] = [];
    for (const s of systems) {
      const owner = this.ownerOf[s];
      if (!owners.some((o) => o.integrator === owner.integrator && o.block === owner.block))
        owners.push(owner);
    }
    return owners;
  }

  /** Ŵ⁻¹ fills the whole block of a system that a row touches, unless the block is diagonal. */
  #responsePattern({ offsets }: StepContext): SparseRows {
    const { input } = this.rows;
    return sparseFromPattern(
      this.#ownersOfRow.map((owners, row) => {
        const touched = [...input.columns.subarray(input.rowStart[row], input.rowStart[row + 1])];
        const filled = new Set<number>();
        for (const { integrator, block } of owners) {
          const { systems, isDiagonal } = integrator.blocks[block];
          const inside = (dof: number): boolean =>
            systems.some((s) => dof >= offsets[s] && dof < offsets[s + 1]);
          const entering = touched.filter(inside);
          if (isDiagonal) for (const dof of entering) filled.add(dof);
          else if (entering.length > 0)
            for (const s of systems) for (let dof = offsets[s]; dof < offsets[s + 1]; dof++) filled.add(dof);
        }
        return [...filled].sort((a, b) => a - b);
      }),
    );
  }

  #pattern(context: StepContext): SparseRows {
    const { rows } = this;
    const readers: number[][] = Array.from({ length: context.size }, () => []);
    const { jacobian, feedthrough } = rows;
    for (let row = 0; row < rows.count; row++) {
      for (let k = jacobian.rowStart[row]; k < jacobian.rowStart[row + 1]; k++)
        readers[jacobian.columns[k]].push(row);
    }
    // Both directions, so that the pattern is symmetric whatever cancels in the values.
    const neighbours = Array.from({ length: rows.count }, (_, row) => new Set([row]));
    const join = (a: number, b: number): void => {
      neighbours[a].add(b);
      neighbours[b].add(a);
    };
    for (let row = 0; row < rows.count; row++) {
      for (let k = this.response.rowStart[row]; k < this.response.rowStart[row + 1]; k++)
        for (const reader of readers[this.#responseDofs[k]]) join(row, reader);
      for (let k = feedthrough.rowStart[row]; k < feedthrough.rowStart[row + 1]; k++)
        join(row, feedthrough.columns[k]);
    }
    return sparseFromPattern(neighbours.map((set) => [...set].sort((a, b) => a - b)));
  }

  /** Velocities answer impulses symmetrically where the iteration matrices are symmetric. */
  #isSymmetricByForm(integrators: ReadonlySet<MotionBlocks>): boolean {
    const { rows } = this;
    if (![...integrators].every(({ isSymmetric }) => isSymmetric)) return false;
    if (rows.feedthrough.columns.length > 0) return false;
    const impact = LAGRANGIAN | VELOCITY_LEVEL | IMPULSE;
    if (!this.options.isStepFixed) return rows.kind.every((kind) => (kind & impact) === impact);
    return (
      rows.isLagrangian &&
      rows.outputWeights.every((a) => a === rows.outputWeights[0]) &&
      rows.inputWeights.every((a) => a === rows.inputWeights[0])
    );
  }

  #isSymmetricToRounding(): boolean {
    const { rowStart, values } = this.operator;
    const mirror = this.#entriesByColumn;
    for (let row = 0; row < this.rows.count; row++) {
      let largest = 0;
      for (let k = rowStart[row]; k < rowStart[row + 1]; k++)
        largest = Math.max(largest, Math.abs(values[k]));
      for (let k = rowStart[row]; k < rowStart[row + 1]; k++)
        if (!(Math.abs(values[k] - values[mirror[k]]) <= SYMMETRY_ROUNDING * largest)) return false;
    }
    return true;
  }

  /** Removes the last-bit differences between W_αβ and W_βα: a solver may rely on exact symmetry. */
  #symmetrise(): void {
    const { rowStart, columns, values } = this.operator;
    const mirror = this.#entriesByColumn;
    for (let row = 0; row < this.rows.count; row++)
      for (let k = rowStart[row]; k < rowStart[row + 1] && columns[k] < row; k++)
        values[mirror[k]] = values[k];
  }

  /** Responses of the given rows, and the entries of W between them. */
  assemble(active: Int32Array, count: number): void {
    const { response } = this;
    const { input, feedthrough, inputWeights } = this.rows;
    const work = this.#work;
    const responseDofs = this.#responseDofs;
    for (let a = 0; a < count; a++) {
      const row = active[a];
      for (let k = input.rowStart[row]; k < input.rowStart[row + 1]; k++)
        work[input.columns[k]] += inputWeights[k] * input.values[k];
      const owners = this.#ownersOfRow[row];
      for (let o = 0; o < owners.length; o++) owners[o].integrator.applyInverse(owners[o].block, work);
      const from = response.rowStart[row];
      const to = response.rowStart[row + 1];
      for (let k = from; k < to; k++) response.values[k] = work[responseDofs[k]];
      if (this.options.assembly === 'blocks') this.#columnByBlocks(row);
      else this.#columnByProduct(row);
      for (let k = from; k < to; k++) work[responseDofs[k]] = 0;
    }
    this.#addFeedthrough(active, count, feedthrough);
  }

  /** Column `row` of W in the rows that share a system with it. */
  #columnByBlocks(row: number): void {
    const { operator } = this;
    const { jacobian, outputWeights } = this.rows;
    const work = this.#work;
    for (let k = operator.rowStart[row]; k < operator.rowStart[row + 1]; k++) {
      const other = operator.columns[k];
      let sum = 0;
      for (let j = jacobian.rowStart[other]; j < jacobian.rowStart[other + 1]; j++)
        sum += outputWeights[j] * jacobian.values[j] * work[jacobian.columns[j]];
      operator.values[this.#entriesByColumn[k]] = sum;
    }
  }

  /**
   * The same as a product with C of the whole model: Siconos developer's notes §2.3. Rows that share no
   * system with this one give zero.
   */
  #columnByProduct(row: number): void {
    const { operator } = this;
    const { jacobian, outputWeights, count } = this.rows;
    const work = this.#work;
    let k = operator.rowStart[row];
    const end = operator.rowStart[row + 1];
    for (let other = 0; other < count; other++) {
      let sum = 0;
      for (let j = jacobian.rowStart[other]; j < jacobian.rowStart[other + 1]; j++)
        sum += outputWeights[j] * jacobian.values[j] * work[jacobian.columns[j]];
      if (k < end && operator.columns[k] === other) operator.values[this.#entriesByColumn[k++]] = sum;
      else if (sum !== 0) throw new Error('rows that share no system are coupled');
    }
  }

  #addFeedthrough(active: Int32Array, count: number, { rowStart, columns, values }: SparseRows): void {
    if (columns.length === 0) return;
    const { operator } = this;
    for (let a = 0; a < count; a++) {
      const row = active[a];
      let place = operator.rowStart[row];
      for (let k = rowStart[row]; k < rowStart[row + 1]; k++) {
        while (operator.columns[place] < columns[k]) place++;
        operator.values[place] += values[k];
      }
    }
  }

  /** Assembles where Jacobians or iteration matrices have changed, and keeps W symmetric where it is. */
  update(active: Int32Array, count: number): void {
    this.assemble(active, count);
    if (this.isSymmetric) this.#symmetrise();
  }

  /** state ← state + Σ_α Ŵ⁻¹ γ B_α λ_α */
  addResponse(lambda: Float64Array, state: Float64Array): void {
    const { rowStart, columns, values } = this.response;
    for (let row = 0; row < lambda.length; row++) {
      const factor = lambda[row];
      if (factor === 0) continue;
      const end = rowStart[row + 1];
      for (let k = rowStart[row]; k < end; k++) state[columns[k]] += factor * values[k];
    }
  }
}

function systemOf(offsets: Int32Array, dof: number): number {
  let low = 0;
  let high = offsets.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (offsets[middle] <= dof) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** For each entry of a structurally symmetric pattern, the place of the entry opposite to it. */
function transposePlaces({ rows, rowStart, columns }: SparseRows): Int32Array {
  const next = rowStart.slice(0, rows);
  const places = new Int32Array(columns.length);
  // Rows are visited in order, so the entries of a column are met from top to bottom, as they stand in its
  // row.
  for (let row = 0; row < rows; row++)
    for (let k = rowStart[row]; k < rowStart[row + 1]; k++) places[k] = next[columns[k]]++;
  return places;
}
