/**
 * Resets as every certificate sees them, from rows of the result alone: guards and maps are evaluated once
 * more, sides are followed again, and nothing of what the simulation remembers is used.
 *
 *     map       x⁺ − R(t⁻, x⁻) of systems that a reset sets, x⁺ − x⁻ of others, relative to the largest
 *               state of the system so far
 *     guard     of a reset, how far its guard is on the side from which it is passed, and how far one of the
 *               state that has jumped is beyond zero behind it; at every row, how far a guard is beyond zero
 *               that has not been passed; relative to its largest value
 *
 * A scheme hands in the rows before and behind each round of resets at one instant.
 */
import type { NonSmoothDynamicalSystem } from '../model/nsds';
import type { ResetRule } from '../model/resets/reset';
import { relative } from './residual-maxima';

/** What a check remembers. */
export interface SavedResetCheck {
  readonly sides: Int8Array;
  readonly guards: Float64Array;
  readonly states: Float64Array;
}

/** Guards below this part of their largest value are at zero: what a located passage leaves. */
const AT_ZERO = 1e-10;

interface Member {
  readonly rules: readonly number[];
  /** first state in a row, and number of states */
  readonly at: number;
  readonly size: number;
}

export class ResetCheck {
  /** side from which each guard was seen last, 0 where that is not known */
  readonly #sides: Int8Array;
  /** largest |g| by rule, largest |x| by system */
  readonly #guards: Float64Array;
  readonly #states: Float64Array;
  readonly #members: readonly (Member | null)[];
  readonly #value = new Float64Array(1);
  readonly #map: Float64Array;

  /**
   * @param raise enters a residual that is relative already: `isMap` of an equation, else of a guard; at a
   *   reset, or at a system by `system`
   */
  constructor(
    { systems }: Pick<NonSmoothDynamicalSystem, 'systems'>,
    private readonly rules: readonly ResetRule[],
    places: { readonly q: number },
    /** first number of resets in a row */
    private readonly counts: number,
    private readonly raise: (isMap: boolean, value: number, row: Float64Array, rule: number) => void,
  ) {
    let at = places.q;
    this.#members = systems.map(({ form }, s): Member | null => {
      const first = at;
      at += form.order === 2 && form.kinematics !== undefined ? form.kinematics.positions : form.size;
      if (form.order === 2) return null;
      const own = rules.flatMap((rule, k) => (rule.system === s ? [k] : []));
      return { rules: own, at: first, size: form.size };
    });
    this.#sides = new Int8Array(rules.length);
    this.#guards = new Float64Array(rules.length);
    this.#states = new Float64Array(systems.length);
    this.#map = new Float64Array(Math.max(0, ...rules.map(({ size }) => size)));
  }

  /** number of resets */
  get size(): number {
    return this.rules.length;
  }

  /** The first row of a motion. */
  start(row: Float64Array): void {
    this.rules.forEach(({ direction }, k) => {
      const g = this.#guard(k, row);
      this.#sides[k] = g === 0 ? -direction : Math.sign(g);
    });
    this.#note(row);
  }

  /** g of a rule, noted. */
  #guard(k: number, row: Float64Array): number {
    this.rules[k].guard(row, this.#value);
    const g = this.#value[0];
    this.#guards[k] = Math.max(this.#guards[k], Math.abs(g));
    return g;
  }

  #note(row: Float64Array): void {
    this.#members.forEach((member, s) => {
      if (member === null) return;
      for (let i = 0; i < member.size; i++)
        this.#states[s] = Math.max(this.#states[s], Math.abs(row[member.at + i]));
    });
  }

  /** A row behind which nothing more is reset at its time. */
  row(row: Float64Array): void {
    this.#note(row);
    for (let k = 0; k < this.rules.length; k++) {
      const { direction } = this.rules[k];
      const g = this.#guard(k, row);
      const side = this.#sides[k];
      if (Number.isNaN(g)) this.raise(false, g, row, k);
      if (Math.abs(g) <= AT_ZERO * this.#guards[k] || Math.sign(g) === side) continue;
      const isMissed = side !== 0 && (direction === 0 || side === -direction);
      if (isMissed) this.raise(false, relative(Math.abs(g), this.#guards[k]), row, k);
      this.#sides[k] = Math.sign(g);
    }
  }

  /** A round of resets; those whose number has grown from one row to the other. */
  round(before: Float64Array, after: Float64Array): void {
    this.#note(before);
    for (let s = 0; s < this.#members.length; s++) {
      const member = this.#members[s];
      if (member === null) continue;
      const fired = member.rules.filter((k) => after[this.counts + k] !== before[this.counts + k]);
      const [rule = -1] = fired;
      if (rule >= 0) this.rules[rule].map(before, this.#map);
      let defect = fired.length > 1 ? Number.NaN : 0;
      for (let i = 0; i < member.size; i++) {
        const expected = rule >= 0 ? this.#map[i] : before[member.at + i];
        const miss = Math.abs(after[member.at + i] - expected);
        if (!(miss <= defect)) defect = miss;
      }
      const named = rule >= 0 ? rule : (member.rules.at(0) ?? 0);
      if (defect !== 0) this.raise(true, relative(defect, this.#states[s]), after, named);
      for (const k of fired) this.#passage(k, before, after);
    }
  }

  #passage(k: number, before: Float64Array, after: Float64Array): void {
    const { direction, readsOwn } = this.rules[k];
    const g = this.#guard(k, before);
    const side = this.#sides[k];
    const from = direction === 0 ? side : -direction;
    // It was not where it could be passed from, or has not reached zero.
    if (side !== 0 && side !== from) this.raise(false, 1, before, k);
    const short = g * from;
    if (!(short <= AT_ZERO * this.#guards[k])) this.raise(false, relative(short, this.#guards[k]), before, k);
    const behind = this.#guard(k, after);
    const isAtZero = Math.abs(behind) <= AT_ZERO * this.#guards[k];
    const atZero = readsOwn ? -direction : -from;
    this.#sides[k] = isAtZero ? atZero : Math.sign(behind);
    if (readsOwn && direction !== 0 && !isAtZero && Math.sign(behind) === direction)
      this.raise(false, relative(Math.abs(behind), this.#guards[k]), after, k);
  }

  save(): SavedResetCheck {
    return { sides: this.#sides.slice(), guards: this.#guards.slice(), states: this.#states.slice() };
  }

  load({ sides, guards, states }: SavedResetCheck): void {
    this.#sides.set(sides);
    this.#guards.set(guards);
    this.#states.set(states);
  }
}
