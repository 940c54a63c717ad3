/**
 * Plays a run: keeps the clock, has rows read ahead, and hands out poses. While it plays, poses lie between
 * rows, for the eye; at rest they are those of a row.
 */
import { LatestWins } from '../../dashboard/plot/latest-wins';
import { type ClockState, extended, movedClock, restingClock, startedClock, stopped, ticked } from './clock';
import type { Recorded, Shown, Trajectory } from './trajectory';

/** Pictures per second that the reading is laid out for. */
const PICTURES = 60;

/** What the player needs of its surroundings. */
export interface PlayerHost {
  /** calls back before the next picture. @returns what takes the wish back */
  nextPicture(callback: (now: number) => void): () => void;
  /** poses have been written: 7 a body; the time they belong to, s */
  shown(time: number): void;
  /** the clock has changed */
  changed(clock: ClockState): void;
  failed: (error: unknown) => void;
}

/** The row to show: at a time, or at an offset from the current one. */
type Wish = { time: number } | { steps: number };

export class Player {
  /** what is shown, 7 a body */
  readonly poses: Float64Array;
  readonly #host: PlayerHost;
  readonly #trajectory: Trajectory;
  readonly #rows: LatestWins<Wish, Shown | null>;
  #clock: ClockState = restingClock;
  #recorded: Recorded = { rows: 0, spacing: 0 };
  /** row that is shown at rest; −1 before the first */
  #row = -1;
  #cancel: (() => void) | null = null;
  #last = 0;
  #isLoading = false;
  #isClosed = false;

  /** @param poses 7 a body, at the start */
  constructor(trajectory: Trajectory, poses: Float64Array, host: PlayerHost) {
    this.#trajectory = trajectory;
    this.poses = poses;
    this.#host = host;
    this.#rows = new LatestWins(
      (wish) => this.#readRow(wish),
      (shown, wish) => this.#showRow(shown, wish),
      host.failed,
    );
  }

  get clock(): ClockState {
    return this.#clock;
  }

  get trajectory(): Trajectory {
    return this.#trajectory;
  }

  get recorded(): Recorded {
    return this.#recorded;
  }

  /** How it is to be played. */
  set(settings: Partial<Pick<ClockState, 'speed' | 'loop' | 'follows'>>): void {
    this.#update({ ...this.#clock, ...settings });
  }

  /** News of the recording. @param from s @param to s */
  extend(recorded: Recorded, from: number, to: number): void {
    const isFirst = this.#recorded.rows === 0;
    this.#recorded = recorded;
    const { time } = this.#clock;
    this.#update(extended(this.#clock, from, to));
    if (!this.#clock.playing && recorded.rows > 0 && (isFirst || this.#clock.time !== time)) this.#rest();
  }

  play(): void {
    this.#update(startedClock(this.#clock));
    if (!this.#clock.playing || this.#cancel !== null) return;
    this.#last = NaN;
    this.#cancel = this.#host.nextPicture((now) => this.#picture(now));
  }

  pause(): void {
    if (!this.#clock.playing) return;
    this.#halt();
    this.#rest();
  }

  /** Goes to a time and shows the row there; goes on from there where it plays. @returns when it is shown */
  async seek(time: number): Promise<void> {
    this.#update({ ...movedClock(this.#clock, time), playing: this.#clock.playing });
    if (!this.#clock.playing) await this.#rows.ask({ time: this.#clock.time });
  }

  /** Shows the row at an offset from the current one. @returns when it is shown */
  async step(steps: number): Promise<void> {
    this.#halt();
    await this.#rows.ask({ steps });
  }

  /** Writes the poses between two rows, for a picture of a film. @returns null where there is nothing */
  async between(time: number, out: Float64Array): Promise<Shown | null> {
    const level = this.#trajectory.level(this.#clock.speed / PICTURES, this.#recorded);
    const known = this.#trajectory.interpolate(out, level, time);
    if (known !== null) return known;
    await this.#trajectory.seek(level, time, this.#recorded);
    return this.#trajectory.interpolate(out, level, time);
  }

  /** Nothing is shown any more. */
  close(): void {
    this.#isClosed = true;
    this.#halt();
    this.#rows.close();
  }

  #halt(): void {
    this.#cancel?.();
    this.#cancel = null;
    if (this.#clock.playing) this.#update(stopped(this.#clock));
  }

  #update(clock: ClockState): void {
    this.#clock = clock;
    this.#host.changed(clock);
  }

  #rest(): void {
    void this.#rows.ask({ time: this.#clock.time });
  }

  async #readRow(wish: Wish): Promise<Shown | null> {
    const { rows } = this.#recorded;
    const row =
      'time' in wish
        ? await this.#trajectory.locate(wish.time, this.#recorded)
        : Math.max(0, Math.min(rows - 1, this.#row + wish.steps));
    const shown = await this.#trajectory.exact(this.poses, row, this.#recorded);
    if (shown !== null) this.#row = row;
    return shown;
  }

  #showRow(shown: Shown | null, wish: Wish): void {
    if (shown === null || this.#clock.playing) return;
    const { follows } = this.#clock;
    const next = movedClock(this.#clock, shown.time);
    // The last row may lie a little before the end that the run has told of.
    this.#update({ ...next, follows: 'time' in wish ? follows : this.#row >= this.#recorded.rows - 1 });
    this.#host.shown(shown.time);
  }

  #picture(now: number): void {
    this.#cancel = null;
    if (this.#isClosed || !this.#clock.playing) return;
    const seconds = Number.isNaN(this.#last) ? 0 : Math.max(0, (now - this.#last) / 1000);
    this.#last = now;
    const clock = ticked(this.#clock, seconds);
    const level = this.#trajectory.level(clock.speed / PICTURES, this.#recorded);
    const shown = this.#trajectory.interpolate(this.poses, level, clock.time);
    if (shown === null) {
      // The clock waits for the rows: nothing of the motion is left out.
      this.#load(level, clock.time);
    } else {
      this.#trajectory.prefetch(shown, this.#recorded, clock.loop);
      this.#update(clock);
      this.#host.shown(clock.time);
      if (!clock.playing) {
        this.#rest();
        return;
      }
    }
    this.#cancel = this.#host.nextPicture((next) => this.#picture(next));
  }

  #load(level: number, time: number): void {
    if (this.#isLoading) return;
    this.#isLoading = true;
    this.#trajectory
      .seek(level, time, this.#recorded)
      .catch((error: unknown) => {
        if (this.#isClosed) return;
        this.#halt();
        this.#host.failed(error);
      })
      .finally(() => (this.#isLoading = false));
  }
}
