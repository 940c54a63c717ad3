/** Answers what is asked of the constraints of a recording. */
import type { ChunkLayout, ChunkSource } from '../chunks';
import { type Series, TrajectoryReader, type WindowRows } from '../reading';
import type { RecordedConstraint } from './constraint';
import { ConstraintIndex, type Lane, type LostEnergy, sampledRows } from './constraint-index';
import type { Loss } from './tally';

/*
 * A recording with one more column: the sum of some of its columns, so that what adds up is read as signals
 * are.
 */

class SummedSource implements ChunkSource {
  readonly layout: ChunkLayout;
  /** number of the column that is the sum */
  readonly sum: number;

  constructor(
    private readonly source: ChunkSource,
    private readonly columns: readonly number[],
  ) {
    const { columns: count, rowsPerChunk } = source.layout;
    this.sum = count;
    this.layout = { columns: count + 1, rowsPerChunk };
  }

  rows(): number {
    return this.source.rows();
  }

  column(chunk: number, column: number): Float64Array {
    if (column !== this.sum) return this.source.column(chunk, column);
    const total = new Float64Array(this.layout.rowsPerChunk);
    for (const one of this.columns) {
      const values = this.source.column(chunk, one);
      for (let k = 0; k < total.length; k++) total[k] += values[k];
    }
    return total;
  }
}

export interface ConstraintWindow {
  readonly constraints: readonly RecordedConstraint<number>[];
  readonly holds: 'before' | 'after';
  /** s */
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** stretches of time that can be told apart */
  readonly buckets: number;
}

export interface LossesWindow extends ConstraintWindow {
  /** energies, which are reported at the same rows, and as curves */
  readonly columns: readonly number[];
}

/** Energy lost at some rows, and what else stands in them. */
export interface Losses {
  /** s */
  readonly t: Float64Array;
  /** by constraint */
  readonly lost: readonly LostEnergy[];
  /** largest losses of single events in the whole recording, by constraint */
  readonly largest: readonly (readonly Loss[])[];
  /** by column: its values in these rows, and in the first row of all */
  readonly values: readonly Float64Array[];
  readonly start: Float64Array;
  /** by column: its curve with every extremum, and that of their sum; null without columns */
  readonly curves: readonly Series[];
  readonly total: Series | null;
  /** rows that one point of the curves stands for; 1 when every row is there */
  readonly rowsPerBucket: number;
}

interface Extent {
  rows: number;
  recordedFrom: number;
  recordedTo: number;
}

const NOTHING: Extent = { rows: 0, recordedFrom: 0, recordedTo: 0 };

export class ConstraintReader {
  readonly #indices = new Map<string, ConstraintIndex>();
  readonly #reader: TrajectoryReader;
  /** readers of the sums of columns, by their numbers: what they know of a long run is kept */
  readonly #sums = new Map<string, { reader: TrajectoryReader; sum: number }>();

  constructor(private readonly source: ChunkSource) {
    this.#reader = new TrajectoryReader(source);
  }

  /** States over time; none before the first step. */
  lanes(window: ConstraintWindow): Extent & { lanes: Lane[] } {
    const found = this.#window(window);
    if (found === null) return { ...NOTHING, lanes: [] };
    const lanes = this.#indicesOf(window).map((index) => index.lane(found, window.buckets));
    return { ...extentOf(found), lanes };
  }

  /**
   * Energy lost over time, and the largest losses of the whole recording; `buckets` is the number of rows at
   * most, about.
   */
  losses(window: LossesWindow): Extent & Losses {
    const found = this.#window(window);
    const { columns } = window;
    if (found === null)
      return {
        ...NOTHING,
        t: new Float64Array(0),
        lost: [],
        largest: [],
        values: [],
        start: new Float64Array(0),
        curves: [],
        total: null,
        rowsPerBucket: 1,
      };
    const indices = this.#indicesOf(window);
    const rows = sampledRows(found, window.buckets);
    const { series, rowsPerBucket } = this.#energies(columns, window);
    return {
      ...extentOf(found),
      curves: series.slice(0, columns.length),
      total: series[columns.length] ?? null,
      rowsPerBucket,
      t: this.#reader.valuesAt(0, rows),
      lost: indices.map((index) => index.lost(rows)),
      largest: indices.map((index) => index.losses(found.rows)),
      values: columns.map((column) => this.#reader.valuesAt(column, rows)),
      start: Float64Array.from(columns, (column) => this.#reader.valuesAt(column, Int32Array.of(0))[0]),
    };
  }

  /** Curves of the columns and of their sum. */
  #energies(columns: readonly number[], { from, to, buckets }: LossesWindow) {
    if (columns.length === 0) return this.#reader.window([], from, to, buckets);
    const key = columns.join();
    let known = this.#sums.get(key);
    if (known === undefined) {
      const summed = new SummedSource(this.source, columns);
      known = { reader: new TrajectoryReader(summed), sum: summed.sum };
      this.#sums.set(key, known);
    }
    return known.reader.window([...columns, known.sum], from, to, buckets);
  }

  #window({ from, to }: ConstraintWindow): WindowRows | null {
    const found = this.#reader.extent(from, to);
    // A state holds between two rows.
    return found === null || found.rows < 2 ? null : found;
  }

  #indicesOf({ constraints, holds }: ConstraintWindow): ConstraintIndex[] {
    return constraints.map((constraint) => {
      const known = this.#indices.get(constraint.name);
      if (known !== undefined) return known;
      const made = new ConstraintIndex(this.source, constraint, holds);
      this.#indices.set(constraint.name, made);
      return made;
    });
  }
}

const extentOf = ({ first, end, recordedFrom, recordedTo }: WindowRows): Extent => ({
  rows: end - first,
  recordedFrom,
  recordedTo,
});
