/** Outputs and speeds of rows that are C x and a function of time: the two parts of them. */
import type { LinearForm } from '../../smooth/event-functions';
import type { Assembly } from '../assembly';

/** What rounding may leave between a value and its two parts, relative to what cancels. */
const SAME = 1e-12;

export class TimedOutputs {
  readonly #clock = new Float64Array(1);
  readonly #none: Float64Array;
  readonly #lambda: Float64Array;
  readonly #values: Float64Array;
  readonly #output = new Float64Array(1);

  constructor(private readonly parts: Pick<Assembly, 'rows' | 'laws' | 'flow'>) {
    const { laws, flow } = parts;
    this.#none = new Float64Array(flow.size);
    this.#lambda = new Float64Array(laws.count);
    this.#values = new Float64Array(laws.count);
  }

  /** The output of a row, or the speed where its law follows that, at any time and state. */
  #value(row: number, time: number, x: Float64Array): number {
    const { rows, laws } = this.parts;
    this.#clock[0] = time;
    if (laws.followsSpeed[row] === 1) {
      rows.speeds(this.#clock, x, this.#values);
      return this.#values[row];
    }
    rows.output(row, this.#clock, x, this.#lambda, this.#output);
    return this.#output[0];
  }

  /** What it is besides C x. @param time s */
  at(row: number, time: number): number {
    return this.#value(row, time, this.#none);
  }

  /**
   * ± C x of a row whose directions are constant.
   * @param time, x where the sum is compared with the whole, s
   * @returns null where it is not the whole
   */
  formOf(row: number, time: number, x: Float64Array, sign: 1 | -1 = 1): LinearForm | null {
    const { rows, flow, laws } = this.parts;
    const { position, velocity } = flow.places;
    const places = laws.followsSpeed[row] === 1 ? velocity : position;
    let sum = this.at(row, time);
    let size = Math.abs(sum);
    const entries: number[] = [];
    for (let k = rows.rowStart[row]; k < rows.rowStart[row + 1]; k++) {
      if (rows.C[k] === 0) continue;
      const term = rows.C[k] * x[places[rows.dofs[k]]];
      sum += term;
      size += Math.abs(term);
      entries.push(k);
    }
    const whole = this.#value(row, time, x);
    if (!(Math.abs(sum - whole) <= SAME * (size + Math.abs(whole)))) return null;
    return {
      indices: Int32Array.from(entries, (k) => places[rows.dofs[k]]),
      values: Float64Array.from(entries, (k) => sign * rows.C[k]),
      offset: new Float64Array(2),
    };
  }
}
