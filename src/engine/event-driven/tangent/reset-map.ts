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
import { DISPLACEMENT, PLACES, type StateSizes, WEIGHTS } from './flow-jacobian';

/** Part of a time below which its rounding would show in differences. */
const RESOLVED = 1e-10;

/** ∇g/ġ of guards that differ by less are those of one limit. */
const PARALLEL = 1e-6;

export class ResetMap {
  /** ∇g of the guards that have passed zero */
  readonly gradient: Float64Array;
  /** ġ; NaN where guards jump across zero at a given time */
  speed = Number.NaN;
  /** the reset that an event is about, for messages */
  element = '';
  readonly #moved: Float64Array;
  readonly #map: Float64Array;
  readonly #sums: Float64Array;
  readonly #column: Float64Array;
  readonly #next: Float64Array;
  readonly #other: Float64Array;
  readonly #clock = new Float64Array(1);
  readonly #value = new Float64Array(1);

  constructor(
    private readonly resets: EventResets,
    private readonly places: Pick<IntegratedPlaces, 'positionOffsets'>,
    private readonly sizes: StateSizes,
    size: number,
  ) {
    resets.isWatched = true;
    this.gradient = new Float64Array(size);
    this.#moved = new Float64Array(size);
    this.#column = new Float64Array(size);
    this.#next = new Float64Array(size * size);
    this.#other = new Float64Array(size);
    this.#map = new Float64Array(Math.max(...resets.guards.rules.map((rule) => rule.size)));
    this.#sums = new Float64Array(this.#map.length);
  }

  /** Whether the last event has had resets. */
  get hasFired(): boolean {
    return this.resets.rounds.length > 0;
  }

  /**
   * @param rate f⁻
   * @param step filled with ∂R/∂x, entry [i, j] at [i + n j]
   * @param along filled with dR/dt
   * @returns false where guards pass zero together that need not do so for motions nearby
   */
  differentiate(rate: Float64Array, step: Float64Array, along: Float64Array): boolean {
    const { rounds, guards } = this.resets;
    const n = rate.length;
    const [first] = rounds;
    this.element = guards.rules[first.rules[0]].id;
    if (!this.#readGuards(first, rate)) return false;
    step.fill(0);
    for (let i = 0; i < n; i++) step[i + n * i] = 1;
    along.set(rate);
    for (const round of rounds) this.#compose(round, step, along);
    return true;
  }

  /** ∇g and ġ of the first round. */
  #readGuards(round: ResetRound, rate: Float64Array): boolean {
    const { gradient } = this;
    this.speed = Number.NaN;
    const passed = round.rules.filter((_, k) => round.causes[k] !== 'pushed');
    if (passed.length === 0) return false;
    if (round.causes.every((cause) => cause === 'jump')) return true;
    if (round.causes.includes('jump')) return false;
    const other = this.#other;
    for (const rule of round.rules) {
      const into = Number.isNaN(this.speed) ? gradient : other;
      let speed = this.#gradientOf(rule, round, into);
      for (let i = 0; i < into.length; i++) speed += into[i] * rate[i];
      if (into === gradient) {
        this.speed = speed;
        continue;
      }
      for (let i = 0; i < into.length; i++) {
        const difference = other[i] * this.speed - gradient[i] * speed;
        if (Math.abs(difference) > PARALLEL * Math.abs(speed * this.speed)) return false;
      }
    }
    return true;
  }

  /** ∇g of a rule at the state before a round. @returns ∂g/∂t */
  #gradientOf(rule: number, round: ResetRound, out: Float64Array): number {
    const form = this.resets.linear(rule);
    out.fill(0);
    if (form !== null) {
      form.indices.forEach((i, k) => (out[i] += form.values[k]));
      return form.offset[1];
    }
    const guardAt = (): number => {
      this.resets.guardAt(rule, round, this.#clock, this.#moved, this.#value);
      return this.#value[0];
    };
    this.#begin(round);
    for (let j = 0; j < out.length; j++) out[j] = this.#difference(this.#moved, j, this.#step(j), guardAt);
    return this.#difference(this.#clock, 0, this.#stepOfTime(round), guardAt);
  }

  #begin({ time, x }: ResetRound): void {
    this.#moved.set(x);
    this.#clock[0] = time;
  }

  /** δ of a component, a power of two. */
  #step(j: number): number {
    return 2 ** Math.round(Math.log2(this.sizes.displacement(j)));
  }

  /**
   * δ of the time: the step of the discretisation is the scale on which sources vary, not the time itself.
   */
  #stepOfTime({ time }: ResetRound): number {
    return 2 ** Math.round(Math.log2(Math.max(DISPLACEMENT * this.resets.h, RESOLVED * Math.abs(time))));
  }

  #difference(values: Float64Array, j: number, delta: number, evaluate: () => number): number {
    const before = values[j];
    let sum = 0;
    for (let p = 0; p < PLACES.length; p++) {
      values[j] = before + PLACES[p] * delta;
      sum += WEIGHTS[p] * evaluate();
    }
    values[j] = before;
    return sum / (12 * delta);
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

  /** The map of one round behind those before it. */
  #compose(round: ResetRound, step: Float64Array, along: Float64Array): void {
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
        const delta = isTime ? this.#stepOfTime(round) : this.#step(k);
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
