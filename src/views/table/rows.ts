/**
 * Which rows of a long table are seen: scroll bars reach a bounded length only, so that beyond it they stand
 * for parts of the table.
 */

/** Height of a row, px. */
export const ROW_HEIGHT = 22;
/** Longest content that every browser scrolls through to the pixel, px. */
const MOST_PX = 8_000_000;

/** Height of all rows, px. */
export const contentHeight = (rows: number): number => Math.min(MOST_PX, rows * ROW_HEIGHT);

/** The first row that is seen. @param top px from the top @param height of what is seen, px */
export function firstVisible(rows: number, top: number, height: number): number {
  const visible = Math.floor(height / ROW_HEIGHT);
  const last = Math.max(0, rows - visible);
  const span = contentHeight(rows) - height;
  if (rows * ROW_HEIGHT <= MOST_PX || span <= 0)
    return Math.min(last, Math.max(0, Math.floor(top / ROW_HEIGHT)));
  return Math.min(last, Math.round((Math.max(0, top) / span) * last));
}

/** Where to scroll to for a row to be the first one that is seen, px. */
export function scrollTop(rows: number, row: number, height: number): number {
  if (rows * ROW_HEIGHT <= MOST_PX) return row * ROW_HEIGHT;
  const last = Math.max(1, rows - Math.floor(height / ROW_HEIGHT));
  return (Math.min(row, last) / last) * (contentHeight(rows) - height);
}
