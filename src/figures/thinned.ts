/** Points of a curve that are distinct on the screen. */

/**
 * A polyline without the points that lie within `reachX` and `reachY` of the last one kept. No point of the
 * curve is then farther from what is drawn than that; the ends and points that are not numbers, which
 * interrupt the curve, are kept.
 * @param reachX in units of x; 0 keeps every point
 * @param reachY in units of y
 * @returns (x, y) pairs in one flat array, the form the chart library takes without copying objects
 */
export function thinned(x: Float64Array, y: Float64Array, reachX: number, reachY: number): Float64Array {
  const last = x.length - 1;
  const flat = new Float64Array(2 * x.length);
  let count = 0;
  let keptX = NaN;
  let keptY = NaN;
  for (let i = 0; i <= last; i++) {
    const xi = x[i] ?? NaN;
    const yi = y[i] ?? NaN;
    // False, too, where one of them is not a number.
    if (i < last && Math.abs(xi - keptX) < reachX && Math.abs(yi - keptY) < reachY) continue;
    flat[count++] = keptX = xi;
    flat[count++] = keptY = yi;
  }
  return flat.slice(0, count);
}
