/** How the time per step grows with the size of a model: p in t ~ N^p. */
import type { Measurement } from './benchmark';

/** Name of the measurement that growth is computed from. */
export const TIME_PER_STEP = 'time per step, median';

export interface BenchmarkResult {
  name: string;
  measurements: Measurement[];
}

/** A family of benchmarks that differ in size only: `FAMILY-SIZE`. */
const FAMILIES = ['bead-column'] as const;

interface Point {
  size: number;
  /** ns */
  time: number;
}

function pointsOf(family: string, results: readonly BenchmarkResult[]): Point[] {
  return results
    .flatMap(({ name, measurements }) => {
      const size = Number(name.startsWith(`${family}-`) ? name.slice(family.length + 1) : Number.NaN);
      const time = measurements.find(({ quantity }) => quantity === TIME_PER_STEP)?.value ?? 0;
      return size > 0 && time > 0 ? [{ size, time }] : [];
    })
    .sort((a, b) => a.size - b.size);
}

/**
 * Slope of the straight line through the logarithms, by least squares; through two points it is the line
 * itself.
 */
export function exponent(points: readonly Point[]): number {
  const x = points.map(({ size }) => Math.log(size));
  const y = points.map(({ time }) => Math.log(time));
  const mean = (values: readonly number[]): number => values.reduce((sum, v) => sum + v, 0) / values.length;
  const [mx, my] = [mean(x), mean(y)];
  const covariance = x.reduce((sum, v, i) => sum + (v - mx) * (y[i] - my), 0);
  return covariance / x.reduce((sum, v) => sum + (v - mx) ** 2, 0);
}

/**
 * Exponents from each size to the next and over all, as further results; none of a family measured at one
 * size.
 */
export function growthResults(results: readonly BenchmarkResult[]): BenchmarkResult[] {
  return FAMILIES.flatMap((family) => {
    const points = pointsOf(family, results);
    if (points.length < 2) return [];
    const between = (part: readonly Point[]): Measurement => ({
      quantity: `p in ns/step ~ N^p, N = ${part[0].size} … ${part[part.length - 1].size}`,
      value: exponent(part),
      unit: '',
    });
    const pairs = points.slice(1).map((point, i) => between([points[i], point]));
    const all = points.length > 2 ? [between(points)] : [];
    return [{ name: `${family}, growth`, measurements: [...pairs, ...all] }];
  });
}
