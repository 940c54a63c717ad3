/** Resets at events: jumps of states before the modes behind them are decided. */
import type { StatePlaces } from '../../model/state-places';
import type { EventRecord } from '../event-record';
import type { GuardFunctions } from '../rows/guard-functions';
import type { ResetGuards } from '../../model/resets/guards';

/** Who judges a round of resets by the rows before and behind it. */
interface RoundJudge {
  round(before: Float64Array, after: Float64Array): void;
}

export class EventResets {
  readonly guards: ResetGuards;
  readonly #before: Float64Array;

  constructor(
    private readonly functions: GuardFunctions,
    private readonly places: StatePlaces,
    /** first state of each system among the integrated ones */
    private readonly first: Int32Array,
    private readonly events: EventRecord[],
    private readonly judge: RoundJudge,
  ) {
    this.guards = functions.guards;
    this.#before = new Float64Array(places.size);
  }

  /** What control blocks hold from here on. @param row of the result */
  hold(row: Float64Array): void {
    const { held, presence } = this.places;
    for (let k = held; k < presence; k++) this.functions.row[k] = row[k];
  }

  /** The sides at the start. */
  start(clock: Float64Array, x: Float64Array): void {
    this.guards.start(this.#read(clock, x));
  }

  /** Guards at the present, for a flight that begins. */
  read(clock: Float64Array, x: Float64Array): void {
    this.guards.read(this.#read(clock, x));
  }

  /** Time, q, v, held outputs and numbers of resets at a state. */
  #read(clock: Float64Array, x: Float64Array): Float64Array {
    const { functions } = this;
    functions.write(clock, x, functions.row);
    this.writeCounts(functions.row);
    return functions.row;
  }

  /** A guard has passed zero. @param kind of the root @param isJump whether it jumped across */
  arrive(k: number, kind: number, isJump: boolean, clock: Float64Array, x: Float64Array): void {
    this.guards.read(this.#read(clock, x));
    if (isJump) this.guards.pass(k, kind);
    else this.guards.arrive(k, kind);
  }

  /** Whether a guard is due at present, by a root that has been passed or by a jump. */
  isDue(clock: Float64Array, x: Float64Array): boolean {
    return this.guards.look(this.#read(clock, x));
  }

  /**
   * Jumps of what is due, as one round.
   * @throws {EngineError} see `ResetGuards.fire`
   */
  fire(clock: Float64Array, x: Float64Array, time: number): void {
    const { guards, first, events } = this;
    this.#before.set(this.#read(clock, x));
    const { isDue, rules } = guards;
    for (let k = 0; k < rules.length; k++)
      if (isDue[k] === 1)
        events.push({
          time,
          kind: 'reset',
          element: rules[k].id,
          row: -1,
          before: 0,
          after: 0,
          impulse: 0,
          accumulation: null,
        });
    guards.fire(this.#before, (system, state) => {
      for (let i = 0; i < state.length; i++) x[first[system] + i] = state[i];
    });
    this.judge.round(this.#before, this.#read(clock, x));
  }

  /** @returns whether something more is due behind a round @throws {EngineError} see `ResetGuards.settle` */
  settle(clock: Float64Array, x: Float64Array): boolean {
    return this.guards.settle(this.#read(clock, x));
  }

  /** Numbers of resets into a row of the result. */
  writeCounts(row: Float64Array): void {
    this.guards.write(row, this.places.resets);
  }
}
