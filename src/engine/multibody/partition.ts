/**
 * Which coordinates are dependent (u, as many as there are constraints) and which independent (v, the degrees
 * of freedom), and how good this choice is. Full pivoting of Φ_q chooses; as the mechanism moves, another
 * choice becomes better, and the change is kept in a list. The DAE lecture notes, “Coordinate Partitioning”.
 */
import type { ConstrainedSystem } from './constrained-system';
import { type EliminationStatus, FullPivoting, type LastRow } from '../linalg/full-pivoting';
import { SingularValues } from '../linalg/singular-values';

/** A change of the dependent coordinates. */
export interface PartitionSwitch {
  /** s */
  time: number;
  /** dependent coordinates before and after, from 0, ascending */
  before: readonly number[];
  after: readonly number[];
  /** κ₂(Φ_u) of both at that time */
  conditionBefore: number;
  conditionAfter: number;
}

export interface PartitionSettings {
  /** how the last row is pivoted */
  lastRow: LastRow;
  /** `everyStep`: the choice of full pivoting at each step; `whenNeeded`: when the limit is exceeded */
  policy: 'everyStep' | 'whenNeeded';
  /** largest ‖Φ_q‖₂ ‖Φ_u⁻¹‖₂ that a choice is kept with */
  limit: number;
}

/**
 * The better the choice, the smoother the equation that is integrated: near the position in which a choice
 * fails its derivatives grow without bound. A pendulum whose choice is reviewed at each step, which never
 * goes beyond 45 degrees of it, is 500 times as accurate with RK4 as one that keeps its choice up to the
 * limit 3, and 6000 times as one with 5.
 */
export const DEFAULT_PARTITION: PartitionSettings = { lastRow: 'full', policy: 'everyStep', limit: 3 };

/**
 * A choice is also given up when, at the rate of the last step, its block would be singular after this many
 * more: a step across that position ends, with all constraints satisfied, on the wrong branch.
 */
const STEPS_AHEAD = 4;

export class Partition {
  /** u, ascending */
  readonly dependent: Int32Array;
  /** v, ascending */
  readonly independent: Int32Array;
  readonly switches: PartitionSwitch[] = [];
  /**
   * [0] κ₂(Φ_u), [1] ‖Φ_q‖₂ ‖Φ_u⁻¹‖₂, as measured last. The second is what a choice is judged by: a single
   * constraint's block is a number, of condition 1 however small it is beside what was left out.
   */
  readonly condition = new Float64Array(2);
  readonly #elimination: FullPivoting;
  readonly #singularValues: SingularValues;
  readonly #isDependent: Uint8Array;
  /** smallest singular value of Φ_u, [0] as measured last, [1] before that with the same choice, else NaN */
  readonly #smallest = Float64Array.of(Number.NaN, Number.NaN);
  /** Φ_q of the last measurement */
  readonly #jacobian: Float64Array;

  constructor(
    readonly system: ConstrainedSystem,
    readonly settings: PartitionSettings,
  ) {
    const { size, rows } = system;
    this.dependent = new Int32Array(rows);
    this.independent = new Int32Array(size - rows);
    this.#elimination = new FullPivoting(rows, size);
    this.#singularValues = new SingularValues(rows * size);
    this.#isDependent = new Uint8Array(size);
    this.#jacobian = new Float64Array(rows * size);
  }

  /** Chooses at a state, for the first time. @param dependent the choice of an earlier motion that goes on */
  begin(clock: Float64Array, q: Float64Array, dependent?: readonly number[]): EliminationStatus {
    this.system.jacobian(clock, q, this.#jacobian);
    const status = this.#elimination.eliminate(this.#jacobian, null, this.settings.lastRow);
    if (status !== 'ok') return status;
    this.#take(dependent ?? this.#elimination.columnOrder);
    this.#measure();
    return 'ok';
  }

  /** Brings `condition` to a state, for a report. */
  measure(clock: Float64Array, q: Float64Array): void {
    this.system.jacobian(clock, q, this.#jacobian);
    this.#measure();
  }

  /**
   * At the end of a step: keeps the choice or makes another one, which then stands at the end of `switches`.
   * @param force chooses whatever the policy says
   * @returns whether the dependent coordinates are others than before
   */
  review(clock: Float64Array, q: Float64Array, force: boolean): boolean {
    const { system, settings, condition, switches } = this;
    system.jacobian(clock, q, this.#jacobian);
    if (!force && settings.policy === 'whenNeeded') {
      this.#measure();
      if (condition[1] <= settings.limit && !this.#endsSoon()) return false;
    }
    const elimination = this.#elimination;
    if (elimination.eliminate(this.#jacobian, null, settings.lastRow) !== 'ok') return false;
    if (!this.#differs()) return false;
    // Once a switch, not once a step: this is where the list may grow, and where singular values are worth
    // their time.
    const before = [...this.dependent];
    this.#measure();
    const conditionBefore = condition[0];
    this.#take(elimination.columnOrder);
    this.#measure();
    switches.push({
      time: clock[0],
      before,
      after: [...this.dependent],
      conditionBefore,
      conditionAfter: condition[0],
    });
    return true;
  }

  /** Whether the elimination chose others than those that are taken. */
  #differs(): boolean {
    for (let k = 0; k < this.system.rows; k++)
      if (this.#isDependent[this.#elimination.columnOrder[k]] === 0) return true;
    return false;
  }

  /** @param order begins with the dependent coordinates */
  #take(order: ArrayLike<number>): void {
    const { dependent, independent, system } = this;
    const isDependent = this.#isDependent;
    isDependent.fill(0);
    for (let k = 0; k < system.rows; k++) isDependent[order[k]] = 1;
    this.#smallest.fill(Number.NaN);
    let u = 0;
    let v = 0;
    for (let i = 0; i < system.size; i++) {
      if (isDependent[i] === 1) dependent[u++] = i;
      else independent[v++] = i;
    }
  }

  #endsSoon(): boolean {
    const now = this.#smallest[0];
    return now - STEPS_AHEAD * (this.#smallest[1] - now) <= 0;
  }

  #measure(): void {
    const { rows, size } = this.system;
    const { extremes } = this.#singularValues;
    if (rows === 0) {
      this.condition.fill(1);
      return;
    }
    this.#singularValues.measure(this.#jacobian, rows, size, this.dependent);
    const largest = extremes[0];
    const smallest = extremes[1];
    this.#singularValues.measure(this.#jacobian, rows, size, null);
    this.#smallest[1] = this.#smallest[0];
    this.#smallest[0] = smallest;
    this.condition[0] = largest / smallest;
    this.condition[1] = extremes[0] / smallest;
  }
}
