/** Combinations of rows that are zero, by elimination with pivots by row. */

/** Entries below this part of the largest of their row are rounding. */
const SINGULAR = 1e-11;

/** @returns u with ᵗu a = 0, a basis of them, each with as few rows as elimination leaves */
export function eliminateRows(a: readonly (readonly number[])[]): number[][] {
  const left = a.map((row, k) => {
    const size = Math.max(...row.map(Math.abs), 0);
    const scale = size === 0 ? 1 : 1 / size;
    return {
      row: row.map((value) => value * scale),
      u: a.map((_, j) => (j === k ? scale : 0)),
      isPivot: false,
    };
  });
  const columns = a.length === 0 ? 0 : a[0].length;
  for (let c = 0; c < columns; c++) {
    const free = left.filter(({ isPivot }) => !isPivot);
    if (free.length === 0) break;
    const pivot = free.reduce((best, one) => (Math.abs(one.row[c]) > Math.abs(best.row[c]) ? one : best));
    if (!(Math.abs(pivot.row[c]) > SINGULAR)) continue;
    pivot.isPivot = true;
    for (const other of free) {
      if (other === pivot || other.row[c] === 0) continue;
      const factor = other.row[c] / pivot.row[c];
      other.row.forEach((value, j) => {
        const term = factor * pivot.row[j];
        const next = value - term;
        other.row[j] = Math.abs(next) > SINGULAR * (Math.abs(value) + Math.abs(term)) ? next : 0;
      });
      other.row[c] = 0;
      other.u.forEach((value, j) => (other.u[j] = value - factor * pivot.u[j]));
    }
  }
  return left.filter(({ isPivot }) => !isPivot).map(({ u }) => u);
}
