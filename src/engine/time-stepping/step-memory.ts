/** What rows remember from one step to the next: what restitution acts on, and which contacts pushed. */
import type { CarryOver, SimulationState } from './state';
import type { StepWriter } from '../straight-line/writer';
import { PERCUSSION, PREVIOUS_POSITION, SWITCHED } from './row-kinds';

export class StepMemory {
  /** y_ref by row: ẏ⁻, or the y of the step before the last where the law holds on positions */
  readonly reference: Float64Array;
  /** y one step back */
  readonly #previousOutput: Float64Array;
  /** 1 where the multiplier was positive in the last step */
  readonly #pushed: Uint8Array;

  /** @param kind by row, see `RelationRows` */
  constructor(private readonly kind: Uint8Array) {
    this.reference = new Float64Array(kind.length);
    this.#previousOutput = new Float64Array(kind.length);
    this.#pushed = new Uint8Array(kind.length);
  }

  /** The output before the first step follows from its velocity. @param h s */
  start(y: Float64Array, yDot: Float64Array, h: number): void {
    for (let row = 0; row < y.length; row++) this.#previousOutput[row] = y[row] - h * yDot[row];
  }

  save(): Pick<SimulationState, 'previousOutput' | 'pushed'> {
    return { previousOutput: this.#previousOutput.slice(), pushed: this.#pushed.slice() };
  }

  /** Takes over what rows that stay remember, after `start`. */
  load(carried: CarryOver): void {
    carried.rows(carried.state.previousOutput, this.#previousOutput);
    carried.rows(carried.state.pushed, this.#pushed);
  }

  /** Begins a step with the outputs at its start. */
  begin(y: Float64Array, yDot: Float64Array): void {
    const { kind, reference } = this;
    for (let row = 0; row < kind.length; row++) {
      reference[row] = (kind[row] & PREVIOUS_POSITION) === 0 ? yDot[row] : this.#previousOutput[row];
      this.#previousOutput[row] = y[row];
    }
    this.#endPercussions();
  }

  /** Of contacts that pushed in the last step restitution along the tangent compares with nothing. */
  #endPercussions(): void {
    const { kind, reference } = this;
    for (let row = 1; row < kind.length; row++)
      if ((kind[row] & PERCUSSION) !== 0 && this.#pushed[row - 1] === 1) reference[row] = 0;
  }

  /**
   * Takes ẏ in the middle of the step for what restitution compares with.
   * @param isMiddle 1 for rows that belong there
   */
  beginMiddle(yDot: Float64Array, isMiddle: Uint8Array): void {
    for (let row = 0; row < yDot.length; row++) if (isMiddle[row] === 1) this.reference[row] = yDot[row];
    this.#endPercussions();
  }

  /** Takes ẏ for what restitution compares with. */
  compareWith(yDot: Float64Array): void {
    this.reference.set(yDot);
  }

  /** Writes `begin`; y and ẏ of row i stand in the state at `y + i` and `yDot + i`. */
  writeBegin(w: StepWriter, state: Float64Array, y: number, yDot: number): void {
    const { kind, reference } = this;
    for (let row = 0; row < kind.length; row++) {
      const isPrevious = (kind[row] & PREVIOUS_POSITION) !== 0;
      w.set(reference, row, isPrevious ? w.get(this.#previousOutput, row) : w.get(state, yDot + row));
      w.set(this.#previousOutput, row, w.get(state, y + row));
    }
  }

  /**
   * Whether a contact pushes that did not before the step, or has been run through without taking part.
   * @param presence 1 by row where it is there; null where all are
   */
  hasClosed(
    lambda: Float64Array,
    gap: Float64Array,
    closedGap: Float64Array,
    active: Uint8Array,
    presence: Uint8Array | null,
  ): boolean {
    const { kind } = this;
    for (let row = 0; row < kind.length; row++) {
      if ((kind[row] & SWITCHED) === 0) continue;
      if (lambda[row] > 0 && this.#pushed[row] === 0) return true;
      if (presence !== null && presence[row] === 0) continue;
      if (active[row] === 0 && gap[row] < -closedGap[row]) return true;
    }
    return false;
  }

  /** Ends a step. @returns how many contacts closed in it: rows whose multiplier became positive */
  end(lambda: Float64Array): number {
    const { kind } = this;
    let closed = 0;
    for (let row = 0; row < kind.length; row++) {
      if ((kind[row] & SWITCHED) === 0) continue;
      const pushes = lambda[row] > 0 ? 1 : 0;
      if (pushes > this.#pushed[row]) closed++;
      this.#pushed[row] = pushes;
    }
    return closed;
  }

  /** Writes `end`. @returns name of its result */
  writeEnd(w: StepWriter, state: Float64Array, lambda: number): string {
    const { kind } = this;
    const closed = w.variable('0');
    for (let row = 0; row < kind.length; row++) {
      if ((kind[row] & SWITCHED) === 0) continue;
      const pushes = w.constant(`${w.get(state, lambda + row)} > 0 ? 1 : 0`);
      w.line(`if (${pushes} > ${w.get(this.#pushed, row)}) ${closed}++;`);
      w.set(this.#pushed, row, pushes);
    }
    return closed;
  }
}
