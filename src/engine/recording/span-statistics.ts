/**
 * What a signal does in a span of time: extrema with their times, ends, and the means over the time,
 *
 *     mean = 1/T ∫ y dt,        rms = √(1/T ∫ y² dt),        T = t_end − t_begin,
 *
 * of the curve as it is drawn: straight between two rows, upright where two rows have one time. Both
 * integrals are exact for that curve: over a step from a to b of the width w they are w (a + b)/2 and w
 * (a² + a b + b²)/3. Rows of an event-driven run, which lie close together around events, get no more weight
 * than their time.
 */
import type { ChunkSource } from './chunks';
import { TrajectoryReader } from './reading';

interface SignalStatistics {
  /** least and greatest value, and when they are first taken, s */
  readonly least: number;
  readonly leastAt: number;
  readonly greatest: number;
  readonly greatestAt: number;
  /** over the time; null of a single moment */
  readonly mean: number | null;
  readonly rms: number | null;
  /** at the first and at the last row */
  readonly first: number;
  readonly last: number;
}

export interface SpanStatistics {
  /** rows within the span, ends included */
  readonly rows: number;
  /** times of the first and the last of them, s; null where there is none */
  readonly begin: number | null;
  readonly end: number | null;
  /** by column; empty without rows */
  readonly signals: readonly SignalStatistics[];
}

/** @param from, to ends of the span, s @param columns of the recording, in which they are reported */
export function spanStatistics(
  source: ChunkSource,
  columns: readonly number[],
  from: number | undefined,
  to: number | undefined,
): SpanStatistics {
  const { first, end } = new TrajectoryReader(source).inside(from, to);
  if (end <= first) return { rows: 0, begin: null, end: null, signals: [] };
  const found = columns.map((column) => statisticsOf(source, column, first, end));
  const [{ begin, last }] = found.length > 0 ? found : [statisticsOf(source, 0, first, end)];
  return { rows: end - first, begin, end: last, signals: found.map(({ signal }) => signal) };
}

function statisticsOf(
  source: ChunkSource,
  column: number,
  first: number,
  end: number,
): { begin: number; last: number; signal: SignalStatistics } {
  const { rowsPerChunk } = source.layout;
  const times = new Float64Array(rowsPerChunk);
  let begin = NaN;
  let start = NaN;
  let t = NaN;
  let y = NaN;
  let least = Infinity;
  let leastAt = NaN;
  let greatest = -Infinity;
  let greatestAt = NaN;
  // Sums of terms of very different size: what each addition loses is carried along (Neumaier).
  let sum = 0;
  let sumLost = 0;
  let squares = 0;
  let squaresLost = 0;
  for (let row = first; row < end;) {
    const chunk = Math.floor(row / rowsPerChunk);
    const offset = row % rowsPerChunk;
    const stop = Math.min(rowsPerChunk, offset + end - row);
    // A source may hand out the same array again.
    times.set(source.column(chunk, 0));
    const values = source.column(chunk, column);
    for (let i = offset; i < stop; i++) {
      const time = times[i];
      const value = values[i];
      if (row === first && i === offset) {
        begin = time;
        start = value;
      } else {
        const width = time - t;
        const area = (width * (y + value)) / 2;
        const total = sum + area;
        sumLost += Math.abs(sum) >= Math.abs(area) ? sum - total + area : area - total + sum;
        sum = total;
        const square = (width * (y * y + y * value + value * value)) / 3;
        const all = squares + square;
        squaresLost += squares >= square ? squares - all + square : square - all + squares;
        squares = all;
      }
      if (value < least) {
        least = value;
        leastAt = time;
      }
      if (value > greatest) {
        greatest = value;
        greatestAt = time;
      }
      t = time;
      y = value;
    }
    row += stop - offset;
  }
  const duration = t - begin;
  const isMoment = !(duration > 0);
  return {
    begin,
    last: t,
    signal: {
      least,
      leastAt,
      greatest,
      greatestAt,
      mean: isMoment ? null : (sum + sumLost) / duration,
      rms: isMoment ? null : Math.sqrt((squares + squaresLost) / duration),
      first: start,
      last: y,
    },
  };
}
