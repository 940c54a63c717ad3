/**
 * Sections of a motion in steps, of which only the rows at their ends are known. Between two rows all signals
 * are taken for linear, and observables are those of the state there; across an impact the state is that of
 * the end of the step in which it fell, or of its beginning for the state before it. A surface may be crossed
 * by the motion or by a jump in the step (`section.ts`): by a jump where a multiplier begins or changes its
 * sign in the step, and the positions at its end with the velocities and multipliers at its beginning are
 * still on this side.
 *
 * A contact that closes is behind its surface by up to a step's motion, until it bounces out again. Positions
 * there are none that the motion has: what a surface says of such rows counts for nothing, and the next row
 * is compared with the last one before them.
 *
 * A reset belongs to the end of its step. A surface that is crossed in such a step has the state after the
 * reset; a stroboscopic point within it has that of the beginning, as there is no other before the jump.
 *
 * At the start multipliers are not known yet. A contact that pushes in the first step has an impact there if
 * it approaches at the start, and else rests from the start on. A stroboscopic point at an impact at the
 * start is the state after it, as everywhere.
 */
import type { StatePlaces } from '../../model/state-places';
import { firstSectionPoint, type Section, type SectionPlan } from '../../preparation/section';

/** Part of a step by which a point may miss a row and be that row. */
const SAME = 1e-6;
/** g at the start, in parts of its change in the first step, that is rounding of a start on the surface. */
const ON_SURFACE = 1e-9;

/** Places of what jumps. */
export type JumpPlaces = Pick<
  StatePlaces,
  'v' | 'ndof' | 'y' | 'yDot' | 'lambda' | 'rows' | 'resets' | 'observables'
>;

export class SteppedSection implements Section {
  readonly #last: Float64Array;
  readonly #point: Float64Array;
  /** [0] number of the next point of a stroboscopic section */
  readonly #next = new Float64Array(1);
  /** [0] g at the last row, [1] at the present one */
  readonly #g = new Float64Array(2);
  readonly #value = new Float64Array(1);
  /** sign of the last g that was not zero; 0 before there was one */
  #side = 0;
  /** 1 for contacts that are behind their surfaces in a bounce */
  readonly #isInside: Uint8Array;
  /** whether a row has begun to push since the last row that counts */
  #hasJumped = false;
  /** whether no step has been made */
  #isAtStart: boolean;
  /** whether a stroboscopic point at the start waits for what an impact there makes of it */
  #isWaiting = false;

  /** @param plan with the length h of a step, s @param row the present row of the simulation, complete */
  constructor(
    private readonly plan: SectionPlan & { readonly h: number },
    private readonly places: JumpPlaces,
    private readonly row: Float64Array,
    /** rows of contacts */
    private readonly contacts: readonly number[] = [],
  ) {
    this.#isInside = new Uint8Array(contacts.length);
    this.#last = row.slice();
    this.#point = row.slice();
    this.#isAtStart = plan.from === null;
    const { trigger } = plan;
    if (trigger.kind === 'stroboscopic') {
      this.#next[0] = firstSectionPoint(trigger.phase, trigger.period, plan);
      if (plan.from !== null) while (this.#time() <= plan.from + SAME * plan.h) this.#next[0]++;
      else if (this.#time() <= row[0]) {
        this.#next[0]++;
        this.#isWaiting = this.#approaches();
        if (!this.#isWaiting) plan.take(row);
      }
    } else if (trigger.kind === 'surface') {
      trigger.value(row, this.#value);
      this.#g[1] = this.#value[0];
      this.#side = Math.sign(this.#value[0]) || 0;
    }
  }

  #time(): number {
    const { trigger } = this.plan;
    if (trigger.kind !== 'stroboscopic') return Infinity;
    return (trigger.phase + this.#next[0]) * trigger.period;
  }

  /** A step has been made. Observables are evaluated for points, and where a surface is made of them. */
  step(): void {
    const { trigger } = this.plan;
    if (trigger.kind === 'stroboscopic') this.#strobe();
    else if (trigger.kind === 'impact') this.#impact(trigger.rows, trigger.state);
    else {
      this.#hasJumped ||= this.#hasJump();
      if (this.#isBouncing()) return;
      this.#cross(trigger.value, trigger.direction);
      this.#hasJumped = false;
    }
    const { row } = this;
    const last = this.#last;
    for (let i = 0; i < row.length; i++) last[i] = row[i];
    this.#isAtStart = false;
  }

  /** Whether a contact is closed and approaches at the start. */
  #approaches(): boolean {
    const { y, yDot } = this.places;
    return this.contacts.some((row) => !(this.row[y + row] > 0) && this.row[yDot + row] < 0);
  }

  /** The state at the start with what the impact has made of the velocities. */
  #takeStruck(): void {
    const { v, ndof, yDot, lambda, rows } = this.places;
    const point = this.#point;
    point.set(this.#last);
    for (const [from, count] of [
      [v, ndof],
      [yDot, rows],
      [lambda, rows],
    ])
      for (let i = from; i < from + count; i++) point[i] = this.row[i];
    this.#take(point);
  }

  #strobe(): void {
    const { row } = this;
    const last = this.#last;
    if (this.#isWaiting) this.#takeStruck();
    this.#isWaiting = false;
    const h = row[0] - last[0];
    for (let time = this.#time(); time <= row[0] + SAME * h; time = this.#time()) {
      this.#next[0]++;
      this.#takeAt((time - last[0]) / h);
    }
  }

  /** @param part of the step, from 0 to 1 */
  #takeAt(part: number): void {
    const { row } = this;
    const last = this.#last;
    if (Math.abs(part - 1) <= SAME) {
      this.#take(row);
      return;
    }
    const point = this.#point;
    const share = this.#hasReset() ? 0 : part;
    for (let i = 0; i < row.length; i++) point[i] = last[i] + share * (row[i] - last[i]);
    point[0] = last[0] + part * (row[0] - last[0]);
    this.#take(point);
  }

  #take(row: Float64Array): void {
    this.plan.complete(row);
    this.plan.take(row);
  }

  #impact(rows: readonly [number, number], state: 'before' | 'after'): void {
    const { lambda, yDot } = this.places;
    let isHit = false;
    for (const r of this.contacts) {
      if (r < rows[0] || r >= rows[1]) continue;
      const begins = this.row[lambda + r] !== 0 && this.#last[lambda + r] === 0;
      if (begins && !(this.#isAtStart && this.#last[yDot + r] >= 0)) isHit = true;
    }
    if (isHit) this.#take(state === 'before' ? this.#last : this.row);
  }

  #cross(
    value: (row: Float64Array, out: Float64Array) => void,
    direction: 'rising' | 'falling' | 'both',
  ): void {
    const g = this.#g;
    g[0] = g[1];
    this.plan.complete(this.row);
    value(this.row, this.#value);
    g[1] = this.#value[0];
    const side = Math.sign(g[1]);
    const last = this.#side;
    // Neither zero nor what is not a number has a side.
    if (side !== 1 && side !== -1) return;
    this.#side = side;
    if (this.#isAtStart && Math.abs(g[0]) <= ON_SURFACE * Math.abs(g[1] - g[0])) return;
    if (last !== -side || direction === (side > 0 ? 'falling' : 'rising')) return;
    const part = g[0] / (g[0] - g[1]);
    if (!Number.isFinite(part) || this.#hasReset() || (this.#hasJumped && this.#isAcrossByJump(value, side)))
      this.#take(this.row);
    else this.#takeAt(part);
  }

  /** Whether a contact has just come to be behind its surface, or is on its way out again. */
  #isBouncing(): boolean {
    const { y, yDot } = this.places;
    let isBouncing = false;
    for (let k = 0; k < this.contacts.length; k++) {
      const gap = this.row[y + this.contacts[k]];
      const before = this.#last[y + this.contacts[k]];
      const isEntering = before > 0 || (this.#isAtStart && before === 0);
      const isLeaving = this.#isInside[k] === 1 && this.row[yDot + this.contacts[k]] > 0;
      this.#isInside[k] = gap < 0 && (isEntering || isLeaving) ? 1 : 0;
      if (this.#isInside[k] === 1) isBouncing = true;
    }
    return isBouncing;
  }

  /** Whether states have been reset at the end of the step. */
  #hasReset(): boolean {
    const { resets, observables } = this.places;
    for (let at = resets; at < observables; at++) if (this.row[at] !== this.#last[at]) return true;
    return false;
  }

  /** Whether a row begins to push in the step, or pushes the other way. */
  #hasJump(): boolean {
    const { lambda, rows } = this.places;
    for (let at = lambda; at < lambda + rows; at++) {
      const before = this.#last[at];
      const after = this.row[at];
      if ((before === 0 && after !== 0) || before * after < 0) return true;
    }
    return false;
  }

  /** @param side at the end of the step */
  #isAcrossByJump(value: (row: Float64Array, out: Float64Array) => void, side: number): boolean {
    const { v, ndof, yDot, lambda, rows } = this.places;
    const last = this.#last;
    const point = this.#point;
    for (let i = 0; i < point.length; i++) point[i] = this.row[i];
    for (let i = v; i < v + ndof; i++) point[i] = last[i];
    for (let i = yDot; i < yDot + rows; i++) point[i] = last[i];
    for (let i = lambda; i < lambda + rows; i++) point[i] = last[i];
    this.plan.complete(point);
    value(point, this.#value);
    return Math.sign(this.#value[0]) !== side;
  }

  look(): void {
    // All points are taken with their steps.
  }

  finish(): void {
    // All other points have been taken with their steps.
    if (this.#isWaiting) this.#takeStruck();
    this.#isWaiting = false;
  }
}
