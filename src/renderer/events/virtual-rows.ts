/** Rows of equal height of which only those in sight are drawn. */

/** Rows drawn above and below the visible ones, so that none is missing while the list scrolls. */
const MARGIN = 8;

export interface VisibleRows {
  first: number;
  /** one past the last */
  end: number;
}

/** @param top how far the list has scrolled, px @param height of what is seen of it, px */
export function visibleRows(count: number, rowHeight: number, top: number, height: number): VisibleRows {
  const first = Math.max(0, Math.min(count, Math.floor(top / rowHeight)) - MARGIN);
  const end = Math.min(count, Math.ceil((top + height) / rowHeight) + MARGIN);
  return { first, end: Math.max(first, end) };
}

/** Where the list has to scroll so that a row is seen whole; the present position where it is. */
export function scrolledTo(row: number, rowHeight: number, top: number, height: number): number {
  const above = row * rowHeight;
  if (above < top) return above;
  return above + rowHeight > top + height ? above + rowHeight - height : top;
}

/** Row that a key leads to from another; null for keys that lead nowhere. @param page rows of a page */
export function rowAfterKey(key: string, row: number, count: number, page: number): number | null {
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: row + 1,
    ArrowUp: row - 1,
    PageDown: row + page,
    PageUp: row - page,
    Home: 0,
    End: count - 1,
  };
  const wanted = moves[key];
  return wanted === undefined || count === 0 ? null : Math.min(count - 1, Math.max(0, wanted));
}
