/**
 * Slopes of the cubic that is monotone wherever the data are: weighted harmonic means of the secants on both
 * sides. Fritsch and Butland 1984.
 */
export function monotoneSlopes(t: Float64Array, y: Float64Array): Float64Array {
  const n = t.length;
  const step = (i: number): number => t[i + 1] - t[i];
  const secant = (i: number): number => (y[i + 1] - y[i]) / step(i);
  const slopes = new Float64Array(n);
  if (n === 2) return slopes.fill(secant(0));
  for (let i = 1; i < n - 1; i++) {
    const [before, after] = [secant(i - 1), secant(i)];
    if (before * after <= 0) continue;
    const [w1, w2] = [2 * step(i) + step(i - 1), step(i) + 2 * step(i - 1)];
    slopes[i] = (w1 + w2) / (w1 / before + w2 / after);
  }
  slopes[0] = endSlope(step(0), step(1), secant(0), secant(1));
  slopes[n - 1] = endSlope(step(n - 2), step(n - 3), secant(n - 2), secant(n - 3));
  return slopes;
}

/** The parabola through the last three points, as far as it keeps the shape. */
function endSlope(h0: number, h1: number, s0: number, s1: number): number {
  const slope = ((2 * h0 + h1) * s0 - h0 * s1) / (h0 + h1);
  if (slope * s0 <= 0) return 0;
  return s0 * s1 <= 0 && Math.abs(slope) > 3 * Math.abs(s0) ? 3 * s0 : slope;
}
