/** Which bodies meet in a contact: the pattern of ᵗB K B with K of diagonal blocks, found once and kept while contacts stay on their bodies. */
import { type BlockRows, createBlockRows } from '../../linalg/block-rows';
import { type ContactFactors, FREEDOMS } from '../../problems/contact-factors';

export class BodyPattern {
  readonly system: BlockRows;
  /** block of `system` for each pair of blocks of a contact, contact by contact, row by row */
  readonly placeOf: Int32Array;
  readonly #rowStart: Int32Array;
  readonly #columns: Int32Array;

  constructor(count: number, { columns, rowStart, blockColumns }: ContactFactors) {
    this.#rowStart = rowStart.slice(0, count + 1);
    this.#columns = blockColumns.slice(0, rowStart[count]);
    const rows = Array.from({ length: columns }, (_, i) => new Set([i]));
    const pairs: number[] = [];
    for (let c = 0; c < count; c++)
      for (let a = rowStart[c]; a < rowStart[c + 1]; a++)
        for (let b = rowStart[c]; b < rowStart[c + 1]; b++) {
          rows[blockColumns[a]].add(blockColumns[b]);
          pairs.push(blockColumns[a], blockColumns[b]);
        }
    this.system = createBlockRows(
      FREEDOMS,
      columns,
      rows.reduce((sum, { size }) => sum + size, 0),
    );
    const { system } = this;
    system.rows = columns;
    const places = rows.map((row, i) => {
      const sorted = [...row].sort((x, y) => x - y);
      const first = system.rowStart[i];
      system.rowStart[i + 1] = first + sorted.length;
      sorted.forEach((j, k) => (system.columns[first + k] = j));
      const found = new Map(sorted.map((j, k) => [j, first + k]));
      system.diagonal[i] = found.get(i) ?? 0;
      return found;
    });
    this.placeOf = Int32Array.from(
      { length: pairs.length / 2 },
      (_, k) => places[pairs[2 * k]].get(pairs[2 * k + 1]) ?? 0,
    );
  }

  /** Whether contacts have the bodies that this pattern was made for. */
  fits(count: number, { columns, rowStart, blockColumns }: ContactFactors): boolean {
    if (columns !== this.system.rows || count + 1 !== this.#rowStart.length) return false;
    for (let c = 0; c <= count; c++) if (rowStart[c] !== this.#rowStart[c]) return false;
    for (let k = 0; k < this.#columns.length; k++) if (blockColumns[k] !== this.#columns[k]) return false;
    return true;
  }
}
