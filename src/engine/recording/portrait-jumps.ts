/** Jumps in a density image: the straight lines that the image of points alone would not show. */

/** First and last of the steps of a side that lie between 0 and `cells`, one more on each side for rounding. */
function stepsInside(from: number, to: number, steps: number, cells: number): [number, number] {
  if (from === to) return from >= 0 && from < cells ? [1, steps - 1] : [1, 0];
  const [a, b] = [(-1 - from) / (to - from), (cells - from) / (to - from)].map((part) => part * steps);
  return [Math.max(1, Math.floor(Math.min(a, b))), Math.min(steps - 1, Math.ceil(Math.max(a, b)))];
}

/**
 * Counts the cells between two, ends left out, once each, along the straight line from centre to centre (one cell for each
 * step of the longer side, as in Bresenham's algorithm). Either may lie outside; what is outside is not gone through.
 * @param counts cells, row-major, lines of `width`; changed
 */
export function countSegment(
  counts: Uint32Array,
  width: number,
  fromColumn: number,
  fromLine: number,
  toColumn: number,
  toLine: number,
): void {
  const height = counts.length / width;
  const steps = Math.max(Math.abs(toColumn - fromColumn), Math.abs(toLine - fromLine));
  if (!Number.isFinite(steps)) return;
  const [firstOfX, lastOfX] = stepsInside(fromColumn, toColumn, steps, width);
  const [firstOfY, lastOfY] = stepsInside(fromLine, toLine, steps, height);
  const last = Math.min(lastOfX, lastOfY);
  for (let k = Math.max(firstOfX, firstOfY); k <= last; k++) {
    const column = Math.round(fromColumn + ((toColumn - fromColumn) * k) / steps);
    const line = Math.round(fromLine + ((toLine - fromLine) * k) / steps);
    if (column >= 0 && column < width && line >= 0 && line < height) counts[line * width + column]++;
  }
}
