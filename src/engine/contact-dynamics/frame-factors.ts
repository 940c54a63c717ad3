/**
 * W of contact dynamics as B ᵗB + E (`problems/contact-factors.ts`). P of each group is factorised, P = L ᵗL with as many columns as P has rank, and
 * B = H L. E is what the diagonal of W has beyond that: the softness of compliant contacts, and the mobilities that decouple rows of joints.
 */
import { SemidefiniteCholesky } from '../linalg/semidefinite-cholesky';
import { type ContactFactors, FREEDOMS } from '../problems/contact-factors';
import type { FrictionContactProblem } from '../problems/friction-contact';
import type { ActiveFrames } from './active-frames';
import type { FrameRows, Mobility } from './delassus-blocks';

/** What the diagonal of W has beyond that of B ᵗB and is more than rounding, relative to it. */
const ADDED = 1e-9;

export class FrameFactors implements ContactFactors {
  columns = 0;
  rowStart = new Int32Array(1);
  blockColumns = new Int32Array(0);
  values = new Float64Array(0);
  diagonal = new Float64Array(0);
  scale = 1;
  /** first block column of each group, and L of each, columns one after the other */
  readonly #first: Int32Array;
  readonly #roots: readonly Float64Array[];
  readonly #ranks: Int32Array;
  readonly #cholesky: SemidefiniteCholesky;
  readonly #square: Float64Array;
  /** revision of the problem that it has been formed for */
  #formed = -1;

  constructor(
    private readonly problem: FrictionContactProblem,
    private readonly rows: FrameRows,
    private readonly mobility: Mobility,
    private readonly active: Pick<ActiveFrames, 'companionCount'>,
  ) {
    const { sizes } = mobility;
    const largest = sizes.reduce((most, size) => Math.max(most, size), 0);
    this.#roots = Array.from(sizes, (n) => new Float64Array(n * n));
    this.#first = new Int32Array(sizes.length);
    this.#ranks = new Int32Array(sizes.length);
    this.#cholesky = new SemidefiniteCholesky(largest);
    this.#square = new Float64Array(largest * largest);
  }

  form(): boolean {
    const { problem } = this;
    // What companions add to W is no diagonal.
    if (this.active.companionCount > 0) return false;
    if (this.#formed === problem.revision) return true;
    this.#takeRoots();
    this.#lay();
    for (let c = 0; c < problem.count; c++) this.#fill(c);
    this.#formed = problem.revision;
    return true;
  }

  #takeRoots(): void {
    const { sizes } = this.mobility;
    const cholesky = this.#cholesky;
    const square = this.#square;
    this.columns = 0;
    for (let group = 0; group < sizes.length; group++) {
      const n = sizes[group];
      for (let k = 0; k < n * n; k++) square[k] = k % (n + 1) === 0 ? 1 : 0;
      for (let k = 0; k < n; k++) this.mobility.apply(group, square, n * k);
      cholesky.factor(square, n);
      cholesky.root(this.#roots[group]);
      this.#ranks[group] = cholesky.rank;
      this.#first[group] = this.columns;
      this.columns += Math.ceil(cholesky.rank / FREEDOMS);
    }
  }

  /** Places of the blocks. */
  #lay(): void {
    const { count, dimension } = this.problem;
    const { groups } = this.rows;
    if (this.rowStart.length <= count) {
      this.rowStart = new Int32Array(2 * count + 1);
      this.diagonal = new Float64Array(2 * dimension * count);
    }
    let blocks = 0;
    for (let c = 0; c < count; c++) {
      this.rowStart[c] = blocks;
      for (let side = 2 * c; side < 2 * c + 2; side++)
        if (groups[side] >= 0) blocks += this.#width(groups[side]);
    }
    this.rowStart[count] = blocks;
    if (this.blockColumns.length >= blocks) return;
    this.blockColumns = new Int32Array(2 * blocks);
    this.values = new Float64Array(2 * blocks * dimension * FREEDOMS);
  }

  /** Block columns of a group. */
  #width(group: number): number {
    return Math.ceil(this.#ranks[group] / FREEDOMS);
  }

  /** B and E of a contact. */
  #fill(c: number): void {
    const { problem, rows, values, blockColumns } = this;
    const { dimension: d, W } = problem;
    let block = this.rowStart[c];
    const from = d * FREEDOMS * block;
    const to = d * FREEDOMS * this.rowStart[c + 1];
    for (let k = from; k < to; k++) values[k] = 0;
    for (let side = 2 * c; side < 2 * c + 2; side++) {
      const group = rows.groups[side];
      if (group < 0) continue;
      const width = this.#width(group);
      for (let k = 0; k < width; k++) blockColumns[block + k] = this.#first[group] + k;
      this.#multiply(group, rows.at[side], block);
      block += width;
    }
    for (let a = 0; a < d; a++) {
      let square = 0;
      for (let k = this.rowStart[c]; k < this.rowStart[c + 1]; k++)
        for (let j = 0; j < FREEDOMS; j++) square += values[FREEDOMS * (d * k + a) + j] ** 2;
      const own = W.values[d * d * W.diagonal[c] + (d + 1) * a] / this.scale;
      this.diagonal[d * c + a] = own - square > ADDED * own ? own - square : 0;
    }
  }

  /** H L of a side, from a block on. */
  #multiply(group: number, at: number, block: number): void {
    const { problem, rows, values } = this;
    const d = problem.dimension;
    const n = this.mobility.sizes[group];
    const root = this.#roots[group];
    for (let k = 0; k < this.#ranks[group]; k++) {
      const place = d * (block + Math.floor(k / FREEDOMS));
      for (let a = 0; a < d; a++) {
        let sum = 0;
        for (let m = 0; m < n; m++) sum += rows.values[at + a * n + m] * root[n * k + m];
        values[FREEDOMS * (place + a) + (k % FREEDOMS)] = sum;
      }
    }
  }
}
