/** After how many points of a section a motion repeats itself. */

/** Points that are as near as this to each other are one, relative to the extent of all of them: what heat maps tell by their colour uses the same. */
const SAME = 1e-6;

/**
 * Smallest k for which points k apart are the same; NaN where there is none up to half of their number, as of chaos or a motion that has not settled.
 * @param section row by row, the time first, which does not count @param width of a row
 */
export function recurrence(section: Float64Array, width: number): number {
  const count = width === 0 ? 0 : section.length / width;
  const near = nearness(section, count, width);
  for (let k = 1; 2 * k <= count; k++) if (repeatsAfter(k, section, count, near)) return k;
  return NaN;
}

/** Differences that count as none, by column. */
function nearness(section: Float64Array, count: number, width: number): Float64Array {
  const near = new Float64Array(width);
  for (let c = 1; c < width; c++) {
    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < count; i++) {
      const value = section[i * width + c];
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    // Of a fixed point nothing but rounding is left of the extent.
    near[c] = SAME * Math.max(high - low, Math.abs(high), Math.abs(low));
  }
  return near;
}

function repeatsAfter(k: number, section: Float64Array, count: number, near: Float64Array): boolean {
  const width = near.length;
  for (let i = 0; i + k < count; i++)
    for (let c = 1; c < width; c++)
      if (!(Math.abs(section[(i + k) * width + c] - section[i * width + c]) <= near[c])) return false;
  return true;
}
