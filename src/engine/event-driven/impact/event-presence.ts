/**
 * Interactions of first-order systems that come and go by conditions, from event to event. The passage of a
 * condition through zero is an event. What goes has no multiplier any more. An equation C x + e = 0 without D
 * that comes to a state which does not satisfy it makes the state jump,
 *
 *     x⁺ = x⁻ + M⁻¹ B p,     C x⁺ + e = 0 of all equations that are there,
 *
 * as ideal switches join capacitors: p are the charges that flow at once, so that M x is kept but for B p.
 *
 * A latch whose condition does not hold waits until the mode of its row says that it carries nothing. What is
 * the opposite of another part follows that.
 */
import { factorDense, solveDense } from '../../linalg/lu';
import { isThereAtStart, type PresenceRule, writePresence } from '../../model/settings/presences';
import type { StatePlaces } from '../../model/state-places';
import type { PieceForms } from '../../model/piece-forms';
import type { TimedSign } from '../../model/timed-sign';
import type { LinearForm, Twin } from '../../smooth/event-functions';
import type { EventState } from '../event-state';
import type { SmoothFlow } from '../flow/smooth-flow';
import {
  integratedForm,
  integratedTerms,
  type MotionWriter,
  type WatchedGuards,
} from '../rows/guard-functions';
import { ABSENT, ACTIVE, LOWER, type RowLaws } from '../rows/row-laws';

/** Part of the largest |c| so far that counts as zero; and times what a located passage leaves. */
const ZERO = 1e-11;
const ROOT = 4;

/** What of `arrivals` is not 0. */
const ARRIVED = 1;
export const ACROSS = 2;

/** What goes on from an event to the next. */
export interface PresenceMemory {
  readonly isThere: Uint8Array;
  readonly side: Int8Array;
  readonly sizes: Float64Array;
  readonly located: Float64Array;
}

export class EventPresence implements WatchedGuards {
  readonly count: number;
  /** row in which conditions are read; held outputs stand in it as they are at present */
  readonly row: Float64Array;
  /** the interaction that has come or gone last, for messages */
  last = '';
  /** conditions that have come to zero at the event ahead, or jumped across it */
  readonly arrivals: Uint8Array;
  readonly #isThere: Uint8Array;
  /** sign of each condition: of latches that wait not the same as who is there */
  readonly #side: Int8Array;
  readonly #rate: Float64Array;
  /** whether modes have not been decided yet, so that nothing is known of what is carried */
  #isUndecided = true;
  readonly #values: Float64Array;
  readonly #sizes: Float64Array;
  readonly #located: Float64Array;
  /** conditions that have passed zero and are not yet obeyed: 1 coming, −1 going */
  readonly #passed: Int8Array;
  readonly #forms: readonly (LinearForm | null)[];
  readonly #value = new Float64Array(1);
  /** equations whose outputs the state can be brought to zero for */
  readonly #equations: number[] = [];

  constructor(
    private readonly rules: readonly PresenceRule[],
    private readonly laws: RowLaws,
    private readonly flow: SmoothFlow,
    private readonly event: EventState,
    private readonly places: StatePlaces,
    private readonly writeMotion: MotionWriter,
  ) {
    this.count = rules.length;
    this.row = new Float64Array(places.size);
    this.arrivals = new Uint8Array(this.count);
    this.#isThere = new Uint8Array(this.count);
    this.#side = new Int8Array(this.count).fill(1);
    this.#rate = new Float64Array(flow.size);
    this.#values = new Float64Array(this.count);
    this.#sizes = new Float64Array(this.count);
    this.#located = new Float64Array(this.count);
    this.#passed = new Int8Array(this.count);
    // The level at which a condition is passed depends on which way: only without hysteresis is it one form.
    this.#forms = rules.map(({ affine, hysteresis }) =>
      hysteresis === 0 ? integratedForm(affine, places, flow.places) : null,
    );
    for (let row = 0; row < laws.count; row++)
      if (laws.kind[row] === 'output' && laws.degree[row] === 1 && laws.lower[row] === -Infinity)
        if (laws.upper[row] === Infinity) this.#equations.push(row);
    for (const rule of rules)
      for (let row = rule.first; row < rule.end; row++) event.outputs.jumpsToZero[row] = 1;
  }

  linear(k: number): LinearForm | null {
    return this.#forms[k];
  }

  timed(k: number): TimedSign | null {
    const { hysteresis, timed } = this.rules[k];
    return hysteresis === 0 ? timed : null;
  }

  twin(k: number): Twin | null {
    return this.rules[k].twin ?? null;
  }

  pieces(k: number): PieceForms | null {
    const { hysteresis, pieces = null } = this.rules[k];
    if (hysteresis !== 0 || pieces === null) return null;
    const atoms = pieces.atoms.map((atom) => ({
      ...atom,
      terms: integratedTerms(atom.terms, this.places, this.flow.places),
    }));
    return { ...pieces, atoms };
  }

  value(k: number, clock: Float64Array, x: Float64Array, out: Float64Array): void {
    this.writeMotion(clock, x, this.row);
    this.rules[k].evaluate(this.row, out);
    out[0] -= this.#level(k);
  }

  /** The condition at which it is passed next. */
  #level(k: number): number {
    return this.#side[k] === 1 ? 0 : this.rules[k].hysteresis;
  }

  side(k: number): number {
    return this.#side[k];
  }

  zero(k: number): number {
    return Math.max(ZERO * this.#sizes[k], this.#located[k]);
  }

  isAtZero(k: number): boolean {
    return Math.abs(this.#values[k]) <= this.zero(k);
  }

  describe(k: number): string {
    return `condition of “${this.rules[k].name}”`;
  }

  /** What control blocks hold from here on. @param row of the result */
  hold(row: Float64Array): void {
    const { held, presence } = this.places;
    for (let k = held; k < presence; k++) this.row[k] = row[k];
  }

  /** Reads the conditions, relative to the levels at which they are passed. */
  read(clock: Float64Array, x: Float64Array): void {
    for (let k = 0; k < this.count; k++) {
      this.value(k, clock, x, this.#value);
      this.#values[k] = this.#value[0];
      this.#sizes[k] = Math.max(this.#sizes[k], Math.abs(this.#value[0]));
    }
  }

  /** Who is there at the start. */
  start(clock: Float64Array, x: Float64Array): void {
    this.#side.fill(1);
    this.#sizes.fill(0);
    this.#located.fill(0);
    this.#passed.fill(0);
    this.#isUndecided = true;
    this.read(clock, x);
    for (let k = 0; k < this.count; k++) {
      const rule = this.rules[k];
      const isThere = isThereAtStart(rule, this.#values[k]);
      this.#isThere[k] = isThere ? 1 : 0;
      this.#side[k] = (rule.latch === null ? isThere : this.#values[k] >= 0) ? 1 : -1;
    }
    this.#follow();
    this.#mark();
    for (let row = 0; row < this.laws.count; row++)
      if (this.event.isAbsent[row] === 1) this.flow.modes[row] = ABSENT;
  }

  /** Opposites of others. */
  #follow(): void {
    this.rules.forEach(({ unless }, k) => {
      if (unless >= 0) this.#isThere[k] = this.#isThere[unless] === 1 ? 0 : 1;
    });
  }

  /** Whether the row of a latch carries something, in the modes of the present. */
  #carries({ first, latch }: PresenceRule, clock: Float64Array, x: Float64Array): boolean {
    const { flow, event } = this;
    if (this.#isUndecided) return true;
    if (latch?.carries === 'output')
      return flow.modes[first] === LOWER && event.outputs.y[first] > event.outputs.closed(first);
    if (flow.modes[first] !== ACTIVE) return false;
    flow.rate(clock, x, this.#rate);
    return flow.lambda[first] > event.zeroForce[first];
  }

  #mark(): void {
    const { isAbsent } = this.event;
    isAbsent.fill(0);
    this.rules.forEach(({ first, end }, k) => {
      if (this.#isThere[k] === 0) isAbsent.fill(1, first, end);
    });
  }

  /**
   * A condition has passed its level.
   * @param kind 1 rising, −1 falling
   * @param isJump whether it jumped across; else it is at its level now
   */
  arrive(k: number, kind: number, isJump: boolean, clock: Float64Array, x: Float64Array): void {
    this.read(clock, x);
    if (!isJump) this.#located[k] = Math.max(this.#located[k], ROOT * Math.abs(this.#values[k]));
    this.#passed[k] = kind;
    this.arrivals[k] = isJump ? ACROSS : ARRIVED;
  }

  /**
   * Lets come and go what has passed its condition, and makes the state jump where an equation has come.
   * @returns whether something has come or gone
   */
  change(clock: Float64Array, x: Float64Array): boolean {
    this.read(clock, x);
    let hasChanged = false;
    for (let k = 0; k < this.count; k++) {
      const value = this.#values[k];
      const beyond = Math.abs(value) > this.zero(k) ? Math.sign(value) : this.#passed[k];
      this.#passed[k] = 0;
      if (beyond !== 0) this.#side[k] = beyond;
      const rule = this.rules[k];
      if (rule.unless >= 0) continue;
      let isThere = this.#side[k] > 0;
      if (!isThere && rule.latch !== null) isThere = this.#isThere[k] === 1 && this.#carries(rule, clock, x);
      if (isThere === (this.#isThere[k] === 1)) continue;
      this.#isThere[k] = isThere ? 1 : 0;
      hasChanged = true;
      this.last = rule.name;
    }
    this.#isUndecided = false;
    this.arrivals.fill(0);
    this.#follow();
    if (hasChanged) this.#mark();
    return hasChanged;
  }

  /**
   * Brings the outputs of all equations that are there to zero by impulses, which are added to those of the
   * event.
   * @returns whether the state has jumped
   */
  join(clock: Float64Array, x: Float64Array): boolean {
    const { event, flow } = this;
    const { outputs, isAbsent, impulse } = event;
    outputs.read(clock, x);
    const rows = this.#equations.filter((row) => isAbsent[row] === 0);
    if (rows.every((row) => Math.abs(outputs.y[row]) <= outputs.closed(row))) return false;
    const n = rows.length;
    const W = new Float64Array(n * n);
    flow.rows.update(clock, x, true);
    flow.fillOperator(Int32Array.from(rows), n, W, false);
    const pivots = new Int32Array(n);
    const p = Float64Array.from(rows, (row) => -outputs.y[row]);
    // Switches that close a loop have no charges of their own: their outputs say so where modes are decided.
    if (factorDense(W, 0, n, pivots, 0) >= 0) return false;
    solveDense(W, 0, n, pivots, 0, p);
    const all = new Float64Array(impulse.length);
    rows.forEach((row, i) => {
      all[row] = p[i];
      impulse[row] += p[i];
      flow.push(row, all, x);
    });
    outputs.read(clock, x);
    if (flow.network !== null) {
      const modes = new Int8Array(impulse.length).fill(ABSENT);
      for (const row of rows) modes[row] = ACTIVE;
      flow.network.jumps.push(flow.network.find(modes));
    }
    return true;
  }

  /** Adds the charges of a round, which the decision about modes has cleared. */
  restore(charges: Float64Array): void {
    const { impulse } = this.event;
    for (const row of this.#equations) impulse[row] = charges[row];
  }

  /** Who is there, into a row of the result. */
  write(row: Float64Array): void {
    writePresence(this.rules, this.#isThere, row, this.places.presence);
  }

  save(): PresenceMemory {
    return {
      isThere: this.#isThere.slice(),
      side: this.#side.slice(),
      sizes: this.#sizes.slice(),
      located: this.#located.slice(),
    };
  }

  load({ isThere, side, sizes, located }: PresenceMemory): void {
    this.#isThere.set(isThere);
    this.#side.set(side);
    this.#sizes.set(sizes);
    this.#located.set(located);
    this.#passed.fill(0);
    this.#isUndecided = false;
    this.#mark();
  }
}
