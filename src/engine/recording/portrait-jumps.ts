/** Jumps in a density image: the straight lines that the image of points alone would not show. */

/**
 * Counts the cells between two, ends left out, once each, along the straight line from centre to centre (one cell for each
 * step of the longer side, as in Bresenham's algorithm).
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
  const steps = Math.max(Math.abs(toColumn - fromColumn), Math.abs(toLine - fromLine));
  for (let k = 1; k < steps; k++) {
    const column = Math.round(fromColumn + ((toColumn - fromColumn) * k) / steps);
    const line = Math.round(fromLine + ((toLine - fromLine) * k) / steps);
    counts[line * width + column]++;
  }
}
