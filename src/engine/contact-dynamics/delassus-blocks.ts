/**
 * W in blocks (Solfec, local dynamics). A frame α between the bodies i and j measures the relative velocity
 *
 *     U_α = H_iα u_i + H_jα u_j,
 *
 * the sign of the side being a part of H, and an impulse R_α changes the velocities by A_b⁻¹ ᵗH_bα R_α. So
 *
 *     W_αβ = Σ_b H_bα A_b⁻¹ ᵗH_bβ     over all bodies b that both frames have.
 *
 * Where two frames lie between the same two bodies there are two terms in one block (docs/theory/errata.md).
 *
 * Bodies held together by joints are one group. With G the rows of its joints, velocities that satisfy G
 * u = 0 are changed by
 *
 *     P = A⁻¹ − A⁻¹ ᵗG (G A⁻¹ ᵗG)⁻¹ G A⁻¹
 *
 * in place of A⁻¹, and W_αβ = H_α P ᵗH_β over the group. `Mobility` hides which of both it is.
 */
import type { BlockRows } from '../linalg/block-rows';

/** What an impulse does to a group. */
export interface Mobility {
  /** number of velocities of each group */
  readonly sizes: Int32Array;
  /**
   * Multiplies by A⁻¹, or P.
   * @param x `sizes[group]` entries from `at` on, in place
   */
  apply(group: number, x: Float64Array, at: number): void;
}

/**
 * The rows of the frames, by side. Sides of one group stand in its velocities; a frame within a group has one
 * side only.
 */
export interface FrameRows {
  /**
   * group of each side, 2 by block row; −1 where nothing moves, and in the second place of a frame within a
   * group
   */
  readonly groups: Int32Array;
  /** first entry in `values` of each side: dimension rows of `sizes[group]` entries */
  readonly at: Int32Array;
  readonly values: Float64Array;
}

export class DelassusBlocks {
  /** A⁻¹ ᵗH of all sides, transposed like H */
  #moved = new Float64Array(0);
  /** next block to be filled below the diagonal, by row */
  #cursor = new Int32Array(0);

  constructor(private readonly mobility: Mobility) {}

  /** Fills the values of a pattern (`FrameGraph.compile`) whose block rows are those of `rows`. */
  fill(W: BlockRows, rows: FrameRows): void {
    const { rows: count, rowStart, columns, diagonal } = W;
    if (this.#cursor.length < count) this.#cursor = new Int32Array(2 * count);
    if (this.#moved.length < rows.values.length) this.#moved = new Float64Array(rows.values.length);
    this.#move(count, W.size, rows);
    for (let i = 0; i < count; i++) this.#cursor[i] = rowStart[i];
    for (let i = 0; i < count; i++) {
      for (let k = diagonal[i]; k < rowStart[i + 1]; k++) {
        const j = columns[k];
        this.#block(W, k, rows, i, j);
        // Rows above have been through already: their blocks stand in the order of the columns here.
        if (j === i) mirror(W, k);
        else transpose(W, k, this.#cursor[j]++);
      }
    }
  }

  /** A⁻¹ ᵗH, side by side. */
  #move(count: number, size: number, { groups, at, values }: FrameRows): void {
    const moved = this.#moved;
    for (let side = 0; side < 2 * count; side++) {
      const group = groups[side];
      if (group < 0) continue;
      const n = this.mobility.sizes[group];
      const first = at[side];
      for (let k = first; k < first + size * n; k++) moved[k] = values[k];
      for (let r = 0; r < size; r++) this.mobility.apply(group, moved, first + r * n);
    }
  }

  #block(W: BlockRows, k: number, rows: FrameRows, i: number, j: number): void {
    const d = W.size;
    const { groups, at, values } = rows;
    const { sizes } = this.mobility;
    const first = k * d * d;
    for (let e = 0; e < d * d; e++) W.values[first + e] = 0;
    for (let a = 2 * i; a < 2 * i + 2; a++) {
      const group = groups[a];
      if (group < 0) continue;
      const n = sizes[group];
      for (let b = 2 * j; b < 2 * j + 2; b++)
        if (groups[b] === group) addProduct(W.values, first, d, values, at[a], this.#moved, at[b], n);
    }
  }
}

/** out += X ᵗY with d × n matrices. */
function addProduct(
  out: Float64Array,
  first: number,
  d: number,
  x: Float64Array,
  xAt: number,
  y: Float64Array,
  yAt: number,
  n: number,
): void {
  for (let r = 0; r < d; r++)
    for (let c = 0; c < d; c++) {
      let sum = 0;
      for (let m = 0; m < n; m++) sum += x[xAt + r * n + m] * y[yAt + c * n + m];
      out[first + r * d + c] += sum;
    }
}

/** Block `to` becomes the transposed of block `from`. */
function transpose({ values, size: d }: BlockRows, from: number, to: number): void {
  for (let r = 0; r < d; r++)
    for (let c = 0; c < d; c++) values[to * d * d + c * d + r] = values[from * d * d + r * d + c];
}

/** The lower half of a block becomes that of its upper one: rounding has made them different. */
function mirror({ values, size: d }: BlockRows, block: number): void {
  for (let r = 0; r < d; r++)
    for (let c = 0; c < r; c++) values[block * d * d + r * d + c] = values[block * d * d + c * d + r];
}
