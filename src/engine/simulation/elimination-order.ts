/**
 * Order in which the rows of a changing one-step problem are eliminated. Rows that stay keep their places relative to
 * each other, so that a contact that is inserted, never closes and is removed again leaves the sums of all other rows as
 * they were, to the last bit. A new row stands behind the last of its neighbours. When the factor has grown much larger
 * than it needs to be, all rows are ordered anew.
 */
import type { SparseRows } from '../linalg/csr';
import { reverseCuthillMcKee } from '../linalg/ordering';

/** An envelope that is larger than this many times that of a new order costs more than a new order does. */
const WORN = 2;

/**
 * @param pattern square and structurally symmetric
 * @param kept rows that have a place, in their order
 */
export function extendOrder(pattern: SparseRows, kept: Int32Array): Int32Array {
  const extended = insertRows(pattern, kept);
  const fresh = reverseCuthillMcKee(pattern);
  return envelope(pattern, extended) <= WORN * envelope(pattern, fresh) ? extended : fresh;
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
