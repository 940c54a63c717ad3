/**
 * What is read off a signal over whole periods: mean, RMS, ripple, the fundamental, and the distortion beside
 * it,
 *
 *     THD = √(rms² − mean² − a²/2) / (a/√2),   a the amplitude of the fundamental,
 *
 * which counts all harmonics. The signal is the curve as it is drawn, straight between rows and upright where
 * two rows have one time; of that curve all integrals are exact, those with sine and cosine by their closed
 * forms. A smooth signal is off by what the curve is: a sine of n rows a period has its RMS and fundamental
 * off by (2π/n)²/12, and a THD of about (2π/n)²/11. How far off is measured: the same curve through every
 * second row, which keeps jumps and the ends of what is smooth between them, gives measures that are off by
 * four times as much where the rows resolve the signal; the difference is said as the error. Between two
 * jumps without a row there is nothing to leave out, and the curve may be anything that is monotone.
 */
import type { ChunkSource } from './chunks';
import { TrajectoryReader } from './reading';

export interface PeriodMeasures {
  /** s */
  readonly period: number;
  /** ends of what is measured, whole periods apart, s */
  readonly begin: number;
  readonly end: number;
  readonly mean: number;
  readonly rms: number;
  /** greatest minus least value */
  readonly ripple: number;
  /** amplitude of the fundamental */
  readonly fundamental: number;
  /** null where there is no fundamental to compare with */
  readonly thd: number | null;
  /** by how much these may be off because rows are far apart */
  readonly error: { readonly mean: number; readonly rms: number; readonly thd: number | null };
}

/** Of the extent of a signal, by which it must pass its middle for that to be a period. */
const BAND = 0.1;
/** Phase of half a row distance below which a closed form would cancel. */
const SMALL = 0.3;
/** Rows of a span beyond which nothing is measured: they stand in memory. */
const MOST_ROWS = 10_000_000;
/** A fundamental below this part of the rest is none. */
const NOTHING = 1e-9;

/** Rows of one column as points. */
class Points {
  constructor(
    readonly t: Float64Array,
    readonly y: Float64Array,
  ) {}

  /** Those of a span, with those before and behind its ends. */
  static of(source: ChunkSource, column: number, from: number | undefined, to: number | undefined): Points {
    const { first, end } = new TrajectoryReader(source).inside(from, to);
    const rows = end - first > MOST_ROWS ? 0 : source.rows();
    const [low, high] = [Math.max(0, first - 1), Math.min(rows, end + 1)];
    const { rowsPerChunk } = source.layout;
    const t = new Float64Array(Math.max(0, high - low));
    const y = new Float64Array(t.length);
    for (let row = low; row < high;) {
      const chunk = Math.floor(row / rowsPerChunk);
      const offset = row % rowsPerChunk;
      const stop = Math.min(rowsPerChunk, offset + high - row);
      t.set(source.column(chunk, 0).subarray(offset, stop), row - low);
      y.set(source.column(chunk, column).subarray(offset, stop), row - low);
      row += stop - offset;
    }
    return new Points(t, y);
  }

  /** Every second one, jumps and the last one of what is smooth between them kept. */
  halved(): Points {
    const { t, y } = this;
    let first = 0;
    const kept: number[] = [];
    for (let k = 0; k < t.length; k++) {
      if (k > 0 && t[k] === t[k - 1]) first = k;
      const isLast = k + 1 === t.length || t[k + 1] === t[k];
      if (isLast || (k - first) % 2 === 0) kept.push(k);
    }
    return new Points(
      Float64Array.from(kept, (k) => t[k]),
      Float64Array.from(kept, (k) => y[k]),
    );
  }

  /** Calls back with each straight piece between two times, cut off at these. */
  pieces(from: number, to: number, call: (t0: number, y0: number, t1: number, y1: number) => void): void {
    const { t, y } = this;
    for (let k = 0; k + 1 < t.length; k++) {
      if (t[k + 1] < from || t[k] > to) continue;
      const width = t[k + 1] - t[k];
      const at = (time: number): number =>
        width === 0 ? y[k + 1] : y[k] + ((time - t[k]) / width) * (y[k + 1] - y[k]);
      const [t0, t1] = [Math.max(t[k], from), Math.min(t[k + 1], to)];
      call(t0, t0 === t[k] ? y[k] : at(t0), t1, t1 === t[k + 1] ? y[k + 1] : at(t1));
    }
  }
}

/** Distance of the rising passages of the middle; null where there are fewer than two. */
function foundPeriod({ t, y }: Points): number | null {
  const low = y.reduce((least, one) => Math.min(least, one), Infinity);
  const high = y.reduce((most, one) => Math.max(most, one), -Infinity);
  if (!(high > low)) return null;
  const middle = (low + high) / 2;
  const band = BAND * (high - low);
  let isLow = false;
  let [first, last, count] = [NaN, NaN, 0];
  let passed = NaN;
  for (let k = 0; k < t.length; k++) {
    if (y[k] < middle - band) isLow = true;
    if (k > 0 && y[k - 1] < middle && y[k] >= middle)
      passed = t[k - 1] + ((middle - y[k - 1]) / (y[k] - y[k - 1])) * (t[k] - t[k - 1]);
    if (!isLow || y[k] <= middle + band) continue;
    isLow = false;
    if (count === 0) first = passed;
    last = passed;
    count++;
  }
  return count < 2 || !(last > first) ? null : (last - first) / (count - 1);
}

interface Measures {
  readonly mean: number;
  readonly rms: number;
  readonly ripple: number;
  readonly fundamental: number;
  readonly thd: number | null;
}

/** Of the curve between two times. @param base one of its values @param period s */
function measuresOf(points: Points, begin: number, end: number, base: number, period: number): Measures {
  const duration = end - begin;
  const omega = (2 * Math.PI) / period;
  let [sum, squares, cosine, sine] = [0, 0, 0, 0];
  let [least, greatest] = [Infinity, -Infinity];
  // Of what is above one of its values: squares of a large mean would leave nothing but rounding of a ripple.
  points.pieces(begin, end, (t0, first, t1, last) => {
    const [y0, y1] = [first - base, last - base];
    const width = t1 - t0;
    least = Math.min(least, first, last);
    greatest = Math.max(greatest, first, last);
    if (width === 0) return;
    sum += (width * (y0 + y1)) / 2;
    squares += (width * (y0 * y0 + y0 * y1 + y1 * y1)) / 3;
    // Of the middle value and the slope, about the middle of the piece.
    const a = (omega * width) / 2;
    const phase = omega * ((t0 + t1) / 2 - begin);
    const even = ((2 * Math.sin(a)) / omega) * ((y0 + y1) / 2);
    const a2 = a * a;
    const rest =
      a < SMALL
        ? a * a2 * (1 / 3 - a2 * (1 / 30 - a2 * (1 / 840 - a2 / 45_360)))
        : Math.sin(a) - a * Math.cos(a);
    const odd = ((2 * rest) / (omega * omega)) * ((y1 - y0) / width);
    cosine += Math.cos(phase) * even - Math.sin(phase) * odd;
    sine += Math.sin(phase) * even + Math.cos(phase) * odd;
  });
  const above = sum / duration;
  const mean = base + above;
  const variance = Math.max(0, squares / duration - above * above);
  const rms = Math.hypot(mean, Math.sqrt(variance));
  const fundamental = (2 / duration) * Math.hypot(cosine, sine);
  const rest = Math.max(0, variance - fundamental ** 2 / 2);
  return {
    ...{ mean, rms, fundamental },
    ripple: greatest - least,
    thd: fundamental > NOTHING * rms ? Math.sqrt(rest) / (fundamental / Math.SQRT2) : null,
  };
}

/**
 * What pieces between two jumps, without a row of their own, may hide: the mean of a monotone curve is off
 * that of its chord by less than half of its change, and its square is between those of its ends.
 * @returns of the means of the value and of its square
 */
function hidden({ t, y }: Points, begin: number, end: number): [number, number] {
  let [value, square] = [0, 0];
  for (let k = 0; k + 1 < t.length; k++) {
    const isAlone = (k === 0 || t[k] === t[k - 1]) && (k + 2 === t.length || t[k + 2] === t[k + 1]);
    if (!isAlone || t[k + 1] === t[k]) continue;
    const width = Math.min(t[k + 1], end) - Math.max(t[k], begin);
    if (!(width > 0)) continue;
    value += (width * Math.abs(y[k + 1] - y[k])) / 2;
    const squares = [y[k] ** 2, y[k + 1] ** 2, y[k] * y[k + 1] < 0 ? 0 : y[k] ** 2];
    const chord = (y[k] ** 2 + y[k] * y[k + 1] + y[k + 1] ** 2) / 3;
    square += width * Math.max(Math.max(...squares) - chord, chord - Math.min(...squares));
  }
  return [value / (end - begin), square / (end - begin)];
}

/**
 * @param column of the recording
 * @param from, to ends of the span, s: as many whole periods are measured as end with it
 * @param given period, s; `found`: that of the signal itself
 * @returns null where there is no whole period
 */
export function periodMeasures(
  source: ChunkSource,
  column: number,
  from: number | undefined,
  to: number | undefined,
  given: number | 'found',
): PeriodMeasures | null {
  const points = Points.of(source, column, from, to);
  const { t, y } = points;
  if (t.length < 2) return null;
  const period = given === 'found' ? foundPeriod(points) : given;
  if (period === null) return null;
  const end = Math.min(to ?? Infinity, t[t.length - 1]);
  const start = Math.max(from ?? -Infinity, t[0]);
  // Rounding of both ends does not cost a period.
  const count = Math.floor((end - start) / period + 1e-9);
  if (count < 1) return null;
  const begin = Math.max(start, end - count * period);
  const measures = measuresOf(points, begin, end, y[0], period);
  const coarse = measuresOf(points.halved(), begin, end, y[0], period);
  const [value, square] = hidden(points, begin, end);
  const { mean, rms, thd } = measures;
  return {
    ...{ period, begin, end, ...measures },
    error: {
      mean: Math.abs(mean - coarse.mean) + value,
      // Of the mean square: the root of a spike between rows halves more slowly than the rows are apart.
      rms: rms - Math.sqrt(Math.max(0, rms ** 2 - Math.abs(rms ** 2 - coarse.rms ** 2) - square)),
      thd: thd === null || coarse.thd === null ? null : Math.abs(thd - coarse.thd),
    },
  };
}
