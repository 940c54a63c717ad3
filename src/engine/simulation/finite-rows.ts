/** No row is recorded in which a signal is not finite: curves would have gaps, and results after it would be made up. */
import { NOT_FINITE_REMEDY } from '../document/expressions';
import { EngineError } from '../errors';
import type { StateLayout } from './layout';

export class FiniteRows {
  readonly #slots: Int32Array;

  constructor(private readonly layout: Pick<StateLayout, 'signals' | 'slots'>) {
    this.#slots = Int32Array.from(layout.slots);
  }

  /** @throws {EngineError} that names the first signal of the row that is not finite */
  check(row: Float64Array): void {
    const slots = this.#slots;
    // A product with zero is NaN for infinities too: one comparison for the whole row. Two sums do not wait for each other.
    let even = 0;
    let odd = 0;
    for (let i = 1; i < slots.length; i += 2) {
      even += 0 * row[slots[i - 1]];
      odd += 0 * row[slots[i]];
    }
    if (slots.length % 2 === 1) even += 0 * row[slots[slots.length - 1]];
    if (even + odd !== 0) throw this.#failure(row);
  }

  #failure(row: Float64Array): EngineError {
    const i = this.#slots.findIndex((slot) => !Number.isFinite(row[slot]));
    const { name } = this.layout.signals[i];
    const time = row[0];
    return new EngineError({
      code: 'not-finite',
      message: `The signal “${name}” is ${row[this.#slots[i]]} at t = ${time} s.`,
      where: name.split(/[.[]/)[0],
      ...(Number.isFinite(time) ? { time } : {}),
      remedy: `${NOT_FINITE_REMEDY} A smaller step helps where the motion itself stays bounded.`,
    });
  }
}
