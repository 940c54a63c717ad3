/**
 * Whether the problem of some rows has one solution whatever their bounds: W is a P-matrix then (Cottle, Pang
 * and Stone 1992, §3.3).
 */

/** Rows of which all principal minors are looked at. */
const MOST_ROWS = 6;
/** Part of the product of its diagonal that a minor is above. */
const REGULAR = 1e-9;

/**
 * Whether all principal minors of W among some rows are positive. A row that no multiplier moves does not
 * count: its own sign is what it is.
 * @param W n × n, column by column
 */
export function hasOneSolution(W: ArrayLike<number>, n: number): boolean {
  const rows = Array.from({ length: n }, (_, i) => i).filter((i) =>
    Array.from({ length: n }, (_, j) => W[j * n + i]).some((entry) => entry !== 0),
  );
  if (rows.length > MOST_ROWS) return false;
  for (let set = 1; set < 1 << rows.length; set++) {
    const list = rows.filter((_, k) => (set & (1 << k)) !== 0);
    let scale = 1;
    for (const i of list) scale *= Math.abs(W[i * n + i]);
    if (!(determinant(W, n, list) > REGULAR * scale)) return false;
  }
  return true;
}

function determinant(W: ArrayLike<number>, n: number, list: readonly number[]): number {
  const size = list.length;
  const a = list.map((i) => list.map((j) => W[j * n + i]));
  let product = 1;
  for (let c = 0; c < size; c++) {
    let pivot = c;
    for (let i = c + 1; i < size; i++) if (Math.abs(a[i][c]) > Math.abs(a[pivot][c])) pivot = i;
    if (a[pivot][c] === 0) return 0;
    if (pivot !== c) {
      [a[pivot], a[c]] = [a[c], a[pivot]];
      product = -product;
    }
    product *= a[c][c];
    for (let i = c + 1; i < size; i++) {
      const factor = a[i][c] / a[c][c];
      for (let j = c; j < size; j++) a[i][j] -= factor * a[c][j];
    }
  }
  return product;
}
