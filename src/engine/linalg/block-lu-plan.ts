/** Where the blocks of the sparse LU factors of a pattern stand: found once, and kept while the pattern stays. */
import type { BlockRows } from './block-rows';
import { type SparseRows, sparseFromPattern } from './csr';
import { minimumDegree } from './minimum-degree';

export class BlockLuPlan {
  readonly size: number;
  /** order[i]: block row that is eliminated i-th; place: the inverse */
  readonly order: Int32Array;
  readonly place: Int32Array;
  /** blocks of row i of L without its diagonal, ascending, and of U without its diagonal */
  readonly lowerStart: Int32Array;
  readonly lowerColumns: Int32Array;
  readonly upperStart: Int32Array;
  readonly upperColumns: Int32Array;
  readonly #rowStart: Int32Array;
  readonly #columns: Int32Array;

  constructor(W: BlockRows) {
    const n = W.rows;
    this.size = W.size;
    this.#rowStart = W.rowStart.slice(0, n + 1);
    this.#columns = W.columns.slice(0, W.rowStart[n]);
    const pattern = symmetricPattern(W);
    this.order = minimumDegree(pattern);
    this.place = new Int32Array(n);
    this.order.forEach((c, i) => (this.place[c] = i));
    const upper = this.#fill(pattern);
    const lower: number[][] = Array.from({ length: n }, () => []);
    upper.forEach((columns, i) => {
      for (const j of columns) lower[j].push(i);
    });
    ({ rowStart: this.upperStart, columns: this.upperColumns } = sparseFromPattern(upper));
    ({ rowStart: this.lowerStart, columns: this.lowerColumns } = sparseFromPattern(lower));
  }

  /** Products of two blocks that a factorisation takes. */
  get products(): number {
    let sum = 0;
    for (let i = 0; i < this.order.length; i++) {
      const length = this.upperStart[i + 1] - this.upperStart[i];
      sum += length * (length + 1);
    }
    return sum;
  }

  /** Whether W has the pattern that this plan was made for. */
  fits(W: BlockRows): boolean {
    const blocks = W.rowStart[W.rows];
    if (W.size !== this.size || W.rows !== this.order.length || blocks !== this.#columns.length) return false;
    for (let i = 0; i <= W.rows; i++) if (W.rowStart[i] !== this.#rowStart[i]) return false;
    for (let k = 0; k < blocks; k++) if (W.columns[k] !== this.#columns[k]) return false;
    return true;
  }

  /** Columns of each row of U: those of the matrix, and of the rows of which this one is the first column. */
  #fill(pattern: SparseRows): number[][] {
    const n = pattern.rows;
    const upper: number[][] = [];
    const children: number[][] = Array.from({ length: n }, () => []);
    const mark = new Int32Array(n).fill(-1);
    for (let i = 0; i < n; i++) {
      const row: number[] = [];
      const add = (j: number): void => {
        if (j <= i || mark[j] === i) return;
        mark[j] = i;
        row.push(j);
      };
      const c = this.order[i];
      for (let k = pattern.rowStart[c]; k < pattern.rowStart[c + 1]; k++) add(this.place[pattern.columns[k]]);
      for (const child of children[i]) upper[child].forEach(add);
      row.sort((a, b) => a - b);
      upper.push(row);
      if (row.length > 0) children[row[0]].push(i);
    }
    return upper;
  }
}

function symmetricPattern(W: BlockRows): SparseRows {
  const rows = Array.from({ length: W.rows }, () => new Set<number>());
  for (let i = 0; i < W.rows; i++) {
    for (let k = W.rowStart[i]; k < W.rowStart[i + 1]; k++) {
      const j = W.columns[k];
      if (i === j) continue;
      rows[i].add(j);
      rows[j].add(i);
    }
  }
  return sparseFromPattern(rows.map((row) => [...row]));
}
