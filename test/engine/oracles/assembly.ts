/**
 * The matrix of the one-step problem in two ways. With Ŵ_i the iteration matrix of system i (M_i − hθA_i of
 * first order, M_i + hθC_i + h²θ²K_i of second order), C_α^i and B_α^i the blocks of interaction α for system
 * i, DS_α the systems that α links, and γ the factor by which λ enters the step,
 *
 *     block by block   M_αα = D_α + γ Σ_{i ∈ DS_α} C_α^i Ŵ_i⁻¹ B_α^i,
 *                      M_αβ =       γ Σ_{i ∈ DS_α ∩ DS_β} C_α^i Ŵ_i⁻¹ B_β^i(2.15), (2.16), (2.39), (2.40)
 *     by product       M = D + γ C Ŵ⁻¹ B                             §2.3
 *
 * The first follows the linked-interaction map and is what a change of few interactions updates; the second
 * multiplies sparse matrices laid out like C in (2.14). Both solve with the factors of Ŵ_i, for all columns
 * that touch a system at once. (Of (2.14) see docs/theory/errata.md.)
 *
 * γ = h for a force or a rate that acts over the step (h θ_r with the weight θ_r), γ = 1 for an impulse; both
 * lead to the same velocities (docs/theory/errata.md).
 */
import { type MatrixEntry, type SparseRows, sparseFromEntries } from '@engine/linalg/sparse';
import { factorLU, solveLU } from '@engine/linalg/lu';
import { type BlockPattern, blockPattern } from '@engine/topology/describe';
import { InteractionGraph } from '@engine/topology/interaction-graph';

export interface AssemblySystem {
  readonly size: number;
  /** Ŵ_i, size × size */
  readonly iteration: Float64Array;
}

export interface AssemblyInteraction {
  /**
   * positions of the linked systems, each once; the columns of C and the rows of B are theirs, in this order
   */
  readonly systems: readonly number[];
  /** length of y and λ */
  readonly size: number;
  /** size × Σ sizes of the systems */
  readonly C: Float64Array;
  /** Σ sizes of the systems × size */
  readonly B: Float64Array;
  /** size × size; null is zero */
  readonly D: Float64Array | null;
}

/** Sparse matrix of dense blocks. Block k of the pattern has size(row) × size(column) entries, row-major. */
export interface BlockMatrix {
  readonly pattern: BlockPattern;
  /** first row of each interaction, and the end */
  readonly offsets: Int32Array;
  readonly blocks: readonly Float64Array[];
}

export type Assembly<Matrix> =
  | { readonly status: 'assembled'; readonly matrix: Matrix }
  /**
   * Ŵ of the system is singular to rounding: the step size sits on an eigenvalue, or the mass matrix is
   * singular
   */
  | { readonly status: 'singular'; readonly system: number };

/** Blocks by the formulas (2.15) and (2.16). */
export function assembleByBlocks(
  systems: readonly AssemblySystem[],
  interactions: readonly AssemblyInteraction[],
  gamma: number,
): Assembly<BlockMatrix> {
  const graph = graphOfInteractions(systems.length, interactions);
  const factors = systems.map(factorise);
  const singular = factors.indexOf(null);
  if (singular >= 0) return { status: 'singular', system: singular };
  const places = interactions.map((interaction) => placesOf(interaction, systems));
  const responses = systems.map((system, i) =>
    responsesOf(i, system, factors[i], interactions, places, graph.interactionsOf(i)),
  );
  const pattern = blockPattern(graph);
  const blocks: Float64Array[] = [];
  interactions.forEach((row, alpha) => {
    for (let k = pattern.rowStart[alpha]; k < pattern.rowStart[alpha + 1]; k++) {
      const beta = pattern.columns[k];
      const block = new Float64Array(row.size * interactions[beta].size);
      for (const i of graph.commonSystems(alpha, beta)) {
        const response = responses[i].get(beta);
        const place = places[alpha].get(i);
        if (response === undefined || place === undefined) throw new Error('A linked system has no block.');
        addProduct(row, place, systems[i].size, response, gamma, block);
      }
      if (alpha === beta) row.D?.forEach((value, entry) => (block[entry] += value));
      blocks.push(block);
    }
  });
  const offsets = cumulated(interactions.map(({ size }) => size));
  return { status: 'assembled', matrix: { pattern, offsets, blocks } };
}

/** D + γ C Ŵ⁻¹ B by products of sparse matrices. Columns increase within each row. */
export function assembleByProduct(
  systems: readonly AssemblySystem[],
  interactions: readonly AssemblyInteraction[],
  gamma: number,
): Assembly<SparseRows> {
  const stateOffsets = cumulated(systems.map(({ size }) => size));
  const rowOffsets = cumulated(interactions.map(({ size }) => size));
  const C = new EntryRows(rowOffsets[interactions.length]);
  const B = new EntryRows(stateOffsets[systems.length]);
  const D = new EntryRows(rowOffsets[interactions.length]);
  interactions.forEach((interaction, alpha) => {
    const { size } = interaction;
    const states = interaction.systems.flatMap((i) => range(stateOffsets[i], stateOffsets[i + 1]));
    for (let row = 0; row < size; row++) {
      states.forEach((state, column) => {
        C.add(rowOffsets[alpha] + row, state, interaction.C[row * states.length + column]);
        B.add(state, rowOffsets[alpha] + row, interaction.B[column * size + row]);
      });
      for (let column = 0; column < size; column++)
        D.add(rowOffsets[alpha] + row, rowOffsets[alpha] + column, interaction.D?.[row * size + column] ?? 0);
    }
  });
  for (let i = 0; i < systems.length; i++) {
    const factor = factorise(systems[i]);
    if (factor === null) return { status: 'singular', system: i };
    divideRows(B, stateOffsets[i], systems[i].size, factor);
  }
  // Row by row: M_r = D_r + γ Σ_k C_rk (Ŵ⁻¹B)_k. Gustavson 1978.
  C.rows.forEach((row, r) => {
    for (const [k, value] of row)
      for (const [column, entry] of B.rows[k]) D.add(r, column, gamma * value * entry);
  });
  return { status: 'assembled', matrix: D.build() };
}

/** The same matrix by rows, zeros inside of blocks left out. */
export function blockRows({ pattern, offsets, blocks }: BlockMatrix): SparseRows {
  const rows = new EntryRows(offsets[offsets.length - 1]);
  pattern.interactions.forEach((_, alpha) => {
    const size = offsets[alpha + 1] - offsets[alpha];
    for (let k = pattern.rowStart[alpha]; k < pattern.rowStart[alpha + 1]; k++) {
      const start = offsets[pattern.columns[k]];
      const columns = offsets[pattern.columns[k] + 1] - start;
      for (let i = 0; i < size; i++)
        for (let j = 0; j < columns; j++) rows.add(offsets[alpha] + i, start + j, blocks[k][i * columns + j]);
    }
  });
  return rows.build();
}

/**
 * C x of all interactions: with the free states of all systems the vector q of the one-step problem, up to
 * what the law and explicit time add. (2.13), (2.38)
 * @param states one vector for each system
 */
export function freeOutput(
  interactions: readonly AssemblyInteraction[],
  states: readonly Float64Array[],
): Float64Array {
  return Float64Array.from(
    interactions.flatMap(({ systems, size, C }) => {
      const z = systems.flatMap((i) => [...states[i]]);
      return range(0, size).map((row) => z.reduce((sum, x, k) => sum + C[row * z.length + k] * x, 0));
    }),
  );
}

function graphOfInteractions(
  systems: number,
  interactions: readonly AssemblyInteraction[],
): InteractionGraph {
  const graph = new InteractionGraph();
  for (let i = 0; i < systems; i++) graph.insertSystem(String(i));
  interactions.forEach((interaction, alpha) => graph.insertInteraction(String(alpha), interaction.systems));
  return graph;
}

interface Factor {
  readonly values: Float64Array;
  readonly pivots: Int32Array;
}

function factorise({ size, iteration }: AssemblySystem): Factor | null {
  const values = Float64Array.from(iteration);
  const pivots = new Int32Array(size);
  return factorLU(values, 0, size, pivots, 0) ? { values, pivots } : null;
}

/** First column in C, and row in B, of each system of an interaction. */
function placesOf(
  { systems: linked }: AssemblyInteraction,
  systems: readonly AssemblySystem[],
): Map<number, number> {
  const places = new Map<number, number>();
  let place = 0;
  for (const i of linked) {
    places.set(i, place);
    place += systems[i].size;
  }
  return places;
}

/** Ŵ_i⁻¹ B_β^i of all interactions β at system i, each column after column. */
function responsesOf(
  i: number,
  { size: n }: AssemblySystem,
  factor: Factor | null,
  interactions: readonly AssemblyInteraction[],
  places: readonly ReadonlyMap<number, number>[],
  linked: readonly number[],
): Map<number, Float64Array> {
  const responses = new Map<number, Float64Array>();
  if (factor === null) return responses;
  for (const beta of linked) {
    const { size, B } = interactions[beta];
    const place = places[beta].get(i) ?? 0;
    const columns = new Float64Array(n * size);
    for (let column = 0; column < size; column++) {
      for (let row = 0; row < n; row++) columns[column * n + row] = B[(place + row) * size + column];
      solveLU(factor.values, 0, n, factor.pivots, 0, columns, column * n);
    }
    responses.set(beta, columns);
  }
  return responses;
}

/**
 * block += γ C_α^i (Ŵ_i⁻¹ B_β^i), with C_α^i in the columns from `place` on and the response column after
 * column
 */
function addProduct(
  { size, C }: AssemblyInteraction,
  place: number,
  n: number,
  response: Float64Array,
  gamma: number,
  block: Float64Array,
): void {
  const width = C.length / size;
  const columns = response.length / n;
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < columns; column++) {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += C[row * width + place + k] * response[column * n + k];
      block[row * columns + column] += gamma * sum;
    }
  }
}

/** Replaces n rows of B from `offset` on by Ŵ⁻¹ times them: all columns that any of them has become full. */
function divideRows(B: EntryRows, offset: number, n: number, { values, pivots }: Factor): void {
  const touched = new Set(range(offset, offset + n).flatMap((row) => [...B.rows[row].keys()]));
  const column = new Float64Array(n);
  for (const c of [...touched].sort((a, b) => a - b)) {
    for (let k = 0; k < n; k++) column[k] = B.rows[offset + k].get(c) ?? 0;
    solveLU(values, 0, n, pivots, 0, column, 0);
    for (let k = 0; k < n; k++) B.rows[offset + k].set(c, column[k]);
  }
}

/** Sparse matrix in the making: entries of each row by column. */
class EntryRows {
  readonly rows: Map<number, number>[];

  constructor(rows: number) {
    this.rows = Array.from({ length: rows }, () => new Map<number, number>());
  }

  add(row: number, column: number, value: number): void {
    if (value !== 0) this.rows[row].set(column, (this.rows[row].get(column) ?? 0) + value);
  }

  build(): SparseRows {
    return sparseFromEntries(
      this.rows.length,
      this.rows.flatMap((row, i) => [...row].map(([j, value]): MatrixEntry => [i, j, value])),
    );
  }
}

function cumulated(sizes: readonly number[]): Int32Array {
  const offsets = new Int32Array(sizes.length + 1);
  sizes.forEach((size, k) => (offsets[k + 1] = offsets[k] + size));
  return offsets;
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, k) => from + k);
