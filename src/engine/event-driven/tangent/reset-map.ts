/**
 * Derivatives of what the resets of an event do to the state: x⁺ = R(t, x⁻) where guards g(t, x) pass zero.
 * What a reset pushes across other guards follows in further rounds, whose maps are composed with the first,
 *
 *     R = R_n ∘ … ∘ R_1,     ∂R/∂x = ∏ ∂R_r/∂x,     dR/dt = ∂R_r/∂x dR_{r−1}/dt + ∂R_r/∂t,
 *
 * because all motions nearby push as well: only the guards of the first round say when it happens. Those that
 * pass zero at one instant have to do so for motions nearby, too, with ∇g/ġ of all the same. Maps, and guards
 * that are not affine, are differentiated by central differences of order 4 (`flow-jacobian.ts`).
 */
import type { EventResets, ResetRound } from '../impact/event-resets';
import type { IntegratedPlaces } from '../flow/free-motion';
import type { EventLimit } from './event-limit';
import { PLACES, type StateSizes, WEIGHTS } from './flow-jacobian';
import type { FunctionGradient } from './function-gradient';

export class ResetMap {
  /** the reset that an event is about, for messages */
  element = '';
  readonly #moved: Float64Array;
  readonly #map: Float64Array;
  readonly #sums: Float64Array;
  readonly #column: Float64Array;
  readonly #next: Float64Array;
  readonly #gradient: Float64Array;
  readonly #clock = new Float64Array(1);
  readonly #value = new Float64Array(1);

  constructor(
    private readonly resets: EventResets,
    private readonly places: Pick<IntegratedPlaces, 'positionOffsets'>,
    private readonly sizes: StateSizes,
    private readonly gradients: FunctionGradient,
    size: number,
  ) {
    resets.isWatched = true;
    this.#moved = new Float64Array(size);
    this.#column = new Float64Array(size);
    this.#next = new Float64Array(size * size);
    this.#gradient = new Float64Array(size);
    this.#map = new Float64Array(Math.max(...resets.guards.rules.map((rule) => rule.size)));
    this.#sums = new Float64Array(this.#map.length);
  }

  /** Whether the last event has had resets. */
  get hasFired(): boolean {
    return this.resets.rounds.length > 0;
  }

  /** Number of rounds of the last event. */
  get rounds(): number {
    return this.resets.rounds.length;
  }

  /** Number of jumps of a network that the event had before a round. */
  jumpsBefore(round: number): number {
    return this.resets.rounds[round].jumps;
  }

  /**
   * Guards of the first round, which say when it happens.
   * @param rate f⁻
   * @returns whether they have passed zero by themselves
   */
  meet(limit: EventLimit, rate: Float64Array): boolean {
    const { resets, gradients } = this;
    const [round] = resets.rounds;
    const { rules, causes } = round;
    this.element = resets.guards.rules[rules[0]].id;
    rules.forEach((rule, k) => {
      if (causes[k] === 'jump') {
        limit.meetTime();
        return;
      }
      const value = (): number => {
        resets.guardAt(rule, round, gradients.clock, gradients.x, this.#value);
        return this.#value[0];
      };
      const byTime = gradients.evaluate(resets.linear(rule), value, round.time, round.x, this.#gradient);
      limit.meet(this.#gradient, byTime, rate);
    });
    return causes.some((cause) => cause !== 'pushed');
  }

  #begin({ time, x }: ResetRound): void {
    this.#moved.set(x);
    this.#clock[0] = time;
  }

  /** δ of a component, a power of two. */
  #step(j: number): number {
    return 2 ** Math.round(Math.log2(this.sizes.displacement(j)));
  }

  /** Sums of the weighted values of a map beside a state, one evaluation for each, into `#sums`. */
  #differences(values: Float64Array, j: number, delta: number, rule: number, round: ResetRound): void {
    const before = values[j];
    const sums = this.#sums.fill(0);
    for (let p = 0; p < PLACES.length; p++) {
      values[j] = before + PLACES[p] * delta;
      this.resets.mapAt(rule, round, this.#clock, this.#moved, this.#map);
      for (let i = 0; i < sums.length; i++) sums[i] += WEIGHTS[p] * this.#map[i];
    }
    values[j] = before;
  }

  /**
   * The map of one round behind what the event has done before it.
   * @param step ∂R/∂x, entry [i, j] at [i + n j]
   * @param along dR/dt
   */
  compose(number: number, step: Float64Array, along: Float64Array): void {
    const round = this.resets.rounds[number];
    const n = along.length;
    const next = this.#next;
    next.set(step);
    const column = this.#column;
    column.set(along);
    for (const rule of round.rules) {
      const { system, sets } = this.resets.guards.rules[rule];
      const at = this.places.positionOffsets[system];
      for (const i of sets) {
        for (let j = 0; j < n; j++) next[at + i + n * j] = 0;
        column[at + i] = 0;
      }
      this.#begin(round);
      for (let k = 0; k <= n; k++) {
        const isTime = k === n;
        const [values, place] = isTime ? ([this.#clock, 0] as const) : ([this.#moved, k] as const);
        const delta = isTime ? this.gradients.stepOfTime(round.time) : this.#step(k);
        this.#differences(values, place, delta, rule, round);
        for (const i of sets) {
          const entry = this.#sums[i] / (12 * delta);
          if (entry === 0) continue;
          if (isTime) column[at + i] += entry;
          else {
            for (let j = 0; j < n; j++) next[at + i + n * j] += entry * step[k + n * j];
            column[at + i] += entry * along[k];
          }
        }
      }
    }
    step.set(next);
    along.set(column);
  }
}
