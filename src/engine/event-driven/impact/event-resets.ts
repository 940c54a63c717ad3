/** Resets at events: jumps of states before the modes behind them are decided. */
import type { StatePlaces } from '../../model/state-places';
import type { EventLog } from '../event-log';
import type { GuardFunctions } from '../rows/guard-functions';
import type { Motion, ResetGuards } from '../../model/resets/guards';
import type { SmoothFlow } from '../flow/smooth-flow';
import type { LinearForm } from '../../smooth/event-functions';

/** Who judges a round of resets by the rows before and behind it. */
interface RoundJudge {
  round(before: Float64Array, after: Float64Array): void;
}

/** What an event has done in one round, for those who differentiate it. */
export interface ResetRound {
  /** numbers of the resets that were due */
  readonly rules: readonly number[];
  /** whether the guard of each came to zero, jumped across it, or was pushed across it by something else */
  readonly causes: readonly ResetCause[];
  /** s */
  readonly time: number;
  /** number of jumps of a network that the event had before it */
  readonly jumps: number;
  /** the state before, and a row that holds what else guards and maps read */
  readonly x: Float64Array;
  readonly row: Float64Array;
}

type ResetCause = 'root' | 'jump' | 'pushed';

export class EventResets implements Motion {
  readonly guards: ResetGuards;
  /** whether somebody asks for the rounds of the last event */
  isWatched = false;
  /** those, where somebody asks for them */
  readonly rounds: ResetRound[] = [];
  readonly #causes: ResetCause[];
  readonly #before: Float64Array;
  readonly #row: Float64Array;
  readonly #rate: Float64Array;
  /** the state at present, where it is asked for how guards move */
  #now: { readonly clock: Float64Array; readonly x: Float64Array } | null = null;

  constructor(
    private readonly functions: GuardFunctions,
    private readonly flow: Pick<SmoothFlow, 'size' | 'rate' | 'network'>,
    private readonly places: StatePlaces,
    /** first state of each system among the integrated ones */
    private readonly first: Int32Array,
    private readonly events: Pick<EventLog, 'push'>,
    private readonly judge: RoundJudge,
    /** step of the discretisation, s */
    readonly h: number,
  ) {
    this.guards = functions.guards;
    this.#before = new Float64Array(places.size);
    this.#row = new Float64Array(places.size);
    this.#rate = new Float64Array(flow.size);
    this.#causes = this.guards.rules.map((): ResetCause => 'pushed');
  }

  /** An instant begins. */
  begin(): void {
    this.guards.begin();
    this.rounds.length = 0;
  }

  /** Guard k as a form of the integrated state; null where it is not affine. */
  linear(k: number): LinearForm | null {
    return this.functions.linear(k);
  }

  /** Guard k near the state before a round. */
  guardAt(k: number, round: ResetRound, clock: Float64Array, x: Float64Array, out: Float64Array): void {
    this.#place(round, clock, x);
    this.guards.rules[k].guard(this.#row, out);
  }

  /** Map of reset k likewise. */
  mapAt(k: number, round: ResetRound, clock: Float64Array, x: Float64Array, out: Float64Array): void {
    this.#place(round, clock, x);
    this.guards.rules[k].map(this.#row, out);
  }

  #place({ row }: ResetRound, clock: Float64Array, x: Float64Array): void {
    this.#row.set(row);
    this.functions.write(clock, x, this.#row);
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
    this.#causes[k] = isJump ? 'jump' : 'root';
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
    if (this.isWatched) this.#note(clock, x);
    this.#causes.fill('pushed');
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
    this.#now = { clock, x };
    guards.fire(this.#before, this, (system, state) => {
      for (let i = 0; i < state.length; i++) x[first[system] + i] = state[i];
    });
    this.judge.round(this.#before, this.#read(clock, x));
  }

  #note(clock: Float64Array, x: Float64Array): void {
    const rules = this.guards.rules.flatMap((_, k) => (this.guards.isDue[k] === 1 ? [k] : []));
    const causes = rules.map((k) => this.#causes[k]);
    const jumps = this.flow.network?.jumps.length ?? 0;
    this.rounds.push({ rules, causes, time: clock[0], jumps, x: x.slice(), row: this.#before.slice() });
  }

  /** @returns whether something more is due behind a round @throws {EngineError} see `ResetGuards.settle` */
  settle(clock: Float64Array, x: Float64Array): boolean {
    this.#now = { clock, x };
    return this.guards.settle(this.#read(clock, x), this);
  }

  /** In the modes that have been decided at the present. */
  readMotion(out: Float64Array): void {
    if (this.#now === null) return;
    this.flow.rate(this.#now.clock, this.#now.x, this.#rate);
    this.functions.place(this.#rate, out);
    out[0] = 1;
  }

  get step(): number {
    return this.h;
  }

  /** Numbers of resets into a row of the result. */
  writeCounts(row: Float64Array): void {
    this.guards.write(row, this.places.resets);
  }
}
