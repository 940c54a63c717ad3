/**
 * The events of a simulation in time (the Siconos manual, "the events manager"): points of the time discretisation, events scheduled by the user, and
 * non-smooth events that the integration finds. Those with the same stamp are processed together. Points of the discretisation
 * are not stored; there is always one ahead until the end.
 */
import { compareStamps, createStamp, type TimeGrid, type TimeStamp } from './time-stamp';

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
  /** whether the event ahead is a point of the discretisation, and whether it is a non-smooth event; it may be both */
  isGridPoint = false;
  isNonSmooth = false;
  /** scheduled events, the earliest first */
  readonly unprocessed: ScheduledEvent[] = [];
  /** scheduled events that are done */
  readonly past: ScheduledEvent[] = [];
  readonly #stamp = createStamp();
  readonly #time = new Float64Array(1);
  /** [0] time of the event ahead, [1] of the current one; not formed from stamps where the exact time is known */
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

  /** Time that the integration must not look beyond: that of the next scheduled event, in front of it where something may jump, or the end. */
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
    const { next, current } = this;
    next[0] = Math.min(current[0] + 1, this.steps);
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

  /** A non-smooth event at the time clock[0] becomes the next one, together with whatever has the same stamp. */
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
