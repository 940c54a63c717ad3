/**
 * The events of a simulation in time (the Siconos manual, "the events manager"): points of the time
 * discretisation, events scheduled by the user, and non-smooth events that the integration finds. Those with
 * the same stamp are processed together. Points of the discretisation are not stored; there is always one
 * ahead until the end.
 */
import { infiniteEvents, manyEvents } from './failures';

/*
 * Times of events as integers. A stamp is (k, s): the k-th step of the time discretisation and s ticks of
 * h/2⁴⁸ behind its start, both exact integers in doubles. The grid time t₀ + k h is (k, 0) however often it
 * is formed, and stamps are compared without rounding; the tick is finer than the rounding of any time beyond
 * the 16th step.
 */

/** Ticks of a step. */
export const TICKS = 2 ** 48;

/** A stamp in two entries of an array: [0] step k, [1] ticks s, 0 ≤ s < TICKS. */
export type TimeStamp = Float64Array;

export const createStamp = (step = 0, ticks = 0): TimeStamp => Float64Array.of(step, ticks);

/** Negative when a is earlier than b, 0 when they are the same, positive otherwise. */
export const compareStamps = (a: TimeStamp, b: TimeStamp): number => a[0] - b[0] || a[1] - b[1];

export class TimeGrid {
  constructor(
    readonly t0: number,
    readonly h: number,
  ) {}

  /** Time of the k-th point, computed from k. */
  pointTime(k: number): number {
    return this.t0 + k * this.h;
  }

  /** Stamp of the time `clock[0]`; that of a grid point where the two cannot be told apart. */
  stamp(clock: Float64Array, out: TimeStamp): void {
    const { t0, h } = this;
    const t = clock[0];
    let k = Math.floor((t - t0) / h);
    // The quotient may round up to the next step, or the time be the rounded time of a point.
    if (this.pointTime(k) > t) k--;
    if (this.pointTime(k + 1) <= t) k++;
    const resolution = 2 * Number.EPSILON * Math.max(Math.abs(t), Math.abs(t0));
    const since = t - this.pointTime(k);
    if (since <= resolution || this.pointTime(k + 1) - t <= resolution) {
      out[0] = since <= resolution ? k : k + 1;
      out[1] = 0;
      return;
    }
    out[0] = k;
    out[1] = Math.min(TICKS - 1, Math.round((since / h) * TICKS));
  }

  /** Time of a stamp, s. */
  time(stamp: TimeStamp): number {
    return stamp[1] === 0 ? this.pointTime(stamp[0]) : this.pointTime(stamp[0]) + (stamp[1] / TICKS) * this.h;
  }

  /** Ticks since t₀, as one integer. */
  ticks(stamp: TimeStamp): bigint {
    return BigInt(stamp[0]) * BigInt(TICKS) + BigInt(stamp[1]);
  }
}

/** A jump at a known time may come a few roundings earlier or later, as functions of time are computed. */
const SIDE = 256;

/** How far from a jump its two sides are read, s. */
export const sideWidth = (time: number): number => SIDE * Number.EPSILON * Math.abs(time);

/** A user's event: called at its time, between the arrival of the state and the decision on its modes. */
export interface ScheduledEvent {
  readonly time: number;
  readonly stamp: TimeStamp;
  readonly action: () => void;
  /** whether something may jump at this time, so that the motion has a side before it and one behind it */
  readonly isJump: boolean;
}

export class EventsManager {
  /** stamp of the event processed last */
  readonly current: TimeStamp = createStamp();
  /** stamp of the event ahead */
  readonly next: TimeStamp = createStamp();
  /**
   * whether the event ahead is a point of the discretisation, and whether it is a non-smooth event; it may be
   * both
   */
  isGridPoint = false;
  isNonSmooth = false;
  /** scheduled events, the earliest first */
  readonly unprocessed: ScheduledEvent[] = [];
  /** scheduled events that are done */
  readonly past: ScheduledEvent[] = [];
  readonly #stamp = createStamp();
  readonly #time = new Float64Array(1);
  /**
   * [0] time of the event ahead, [1] of the current one; not formed from stamps where the exact time is known
   */
  readonly #times: Float64Array;

  constructor(
    readonly grid: TimeGrid,
    /** number of steps of the discretisation */
    private readonly steps: number,
  ) {
    this.#times = Float64Array.of(grid.t0, grid.t0);
    this.prepare();
  }

  get startingTime(): number {
    return this.#times[1];
  }

  get nextTime(): number {
    return this.#times[0];
  }

  get hasNextEvent(): boolean {
    return this.current[0] < this.steps;
  }

  /** Whether scheduled events are part of the event ahead. */
  get isScheduled(): boolean {
    return this.unprocessed.length > 0 && compareStamps(this.unprocessed[0].stamp, this.next) <= 0;
  }

  /** Time in front of the next jump that is scheduled, s; infinite where there is none. */
  get nextJump(): number {
    for (const { time, isJump } of this.unprocessed) if (isJump) return time - sideWidth(time);
    return Infinity;
  }

  /** Whether something may jump at the event ahead. */
  get isJump(): boolean {
    const { unprocessed, next } = this;
    for (let k = 0; k < unprocessed.length && compareStamps(unprocessed[k].stamp, next) <= 0; k++)
      if (unprocessed[k].isJump) return true;
    return false;
  }

  /** Whether the discretisation goes on behind the event ahead. */
  get hasPointAfterNext(): boolean {
    return this.next[0] < this.steps;
  }

  /** Time of the last point of the discretisation. */
  get finalTime(): number {
    return this.grid.pointTime(this.steps);
  }

  /**
   * Time that the integration must not look beyond: that of the next scheduled event, in front of it where
   * something may jump, or the end.
   */
  get horizon(): number {
    if (this.unprocessed.length === 0) return this.finalTime;
    const [{ time, isJump }] = this.unprocessed;
    return Math.min(this.finalTime, isJump ? time - sideWidth(time) : time);
  }

  /** @returns whether the time lies ahead; past events are not taken */
  schedule(time: number, action: () => void, isJump = false): boolean {
    const stamp = createStamp();
    this.#time[0] = time;
    this.grid.stamp(this.#time, stamp);
    if (!(time >= this.startingTime) || compareStamps(stamp, this.current) <= 0) return false;
    // A time that rounds to a grid point is that point.
    const event = { time: stamp[1] === 0 ? this.grid.pointTime(stamp[0]) : time, stamp, action, isJump };
    let at = this.unprocessed.length;
    while (at > 0 && compareStamps(this.unprocessed[at - 1].stamp, stamp) > 0) at--;
    this.unprocessed.splice(at, 0, event);
    this.prepare();
    return true;
  }

  /** The earliest of the events that are known becomes the next one. */
  prepare(): void {
    this.lookTo(this.current[0] + 1);
  }

  /** The same with a later point of the discretisation than the next one. @param point its number */
  lookTo(point: number): void {
    const { next } = this;
    next[0] = Math.min(point, this.steps);
    next[1] = 0;
    this.#times[0] = this.grid.pointTime(next[0]);
    this.isGridPoint = true;
    this.isNonSmooth = false;
    if (this.unprocessed.length === 0) return;
    const [first] = this.unprocessed;
    const order = compareStamps(first.stamp, next);
    if (order >= 0) return;
    next.set(first.stamp);
    this.#times[0] = first.time;
    this.isGridPoint = false;
  }

  /**
   * A non-smooth event at the time clock[0] becomes the next one, together with whatever has the same stamp.
   */
  insertNonSmooth(clock: Float64Array): void {
    const stamp = this.#stamp;
    this.grid.stamp(clock, stamp);
    this.isNonSmooth = true;
    if (compareStamps(stamp, this.next) >= 0) return;
    this.next.set(stamp);
    this.#times[0] = clock[0];
    this.isGridPoint = false;
  }

  /** The event ahead becomes the current one; scheduled events of its stamp are done. */
  advance(): void {
    this.current.set(this.next);
    this.#times[1] = this.#times[0];
    while (this.unprocessed.length > 0 && compareStamps(this.unprocessed[0].stamp, this.current) <= 0) {
      const event = this.unprocessed.shift();
      if (event === undefined) break;
      this.past.push(event);
      event.action();
    }
  }

  /** An event that is not known here has been passed. @param stamp of it @param time s */
  pass(stamp: TimeStamp, time: number): void {
    this.current[0] = stamp[0];
    this.current[1] = stamp[1];
    this.#times[1] = time;
  }

  /** Goes back to the start; nothing is scheduled. */
  rewind(): void {
    this.unprocessed.length = 0;
    this.past.length = 0;
    this.current.fill(0);
    this.#times.fill(this.grid.t0);
    this.prepare();
  }

  /** Goes to a stamp without processing, as when a state is loaded; nothing is scheduled. */
  moveTo(stamp: TimeStamp, time: number): void {
    this.unprocessed.length = 0;
    this.past.length = 0;
    this.current.set(stamp);
    this.#times[1] = time;
    this.prepare();
  }
}

/* Counts events that do not end: too many at one time, or within one step of the discretisation. */

/** Events in a row that are closer than rounding of the time resolves. */
const MOST_AT_ONE_TIME = 1000;

export class EventCount {
  /** events since the last point of the discretisation, and in a row at one time */
  #inStep = 0;
  #atTime = 0;
  /** [0] time of the last event */
  readonly #last = new Float64Array(1).fill(-Infinity);

  /** @param mostInStep events within one step of the discretisation before they count as infinitely many */
  constructor(private readonly mostInStep: number) {}

  /** As before the first event. */
  begin(): void {
    this.#inStep = 0;
    this.#atTime = 0;
    this.#last[0] = -Infinity;
  }

  /** A point of the discretisation has been passed. */
  beginStep(): void {
    this.#inStep = 0;
  }

  /**
   * A non-smooth event at the time clock[0].
   * @param element where the event before was, for the message
   * @throws {EngineError} when there have been too many
   */
  add(clock: Float64Array, element: string): void {
    const t = clock[0];
    const isSameTime = t - this.#last[0] <= 8 * Number.EPSILON * Math.abs(t);
    this.#atTime = isSameTime ? this.#atTime + 1 : 0;
    this.#last[0] = t;
    this.#inStep++;
    if (this.#atTime > MOST_AT_ONE_TIME) throw infiniteEvents(element, this.#atTime, t);
    if (this.#inStep > this.mostInStep) throw manyEvents(element, this.#inStep, t);
  }
}
