/**
 * The clock of the animation: which time of the run is shown. It has no timer; the caller passes the elapsed
 * time.
 */

/** Speeds offered, simulated seconds in a second. */
export const PLAYBACK_SPEEDS: readonly number[] = [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 100];

/** A picture that took longer than this, s, does not make the next one jump. */
const LONGEST_TICK = 0.25;

export interface ClockState {
  /** s */
  readonly time: number;
  readonly from: number;
  readonly to: number;
  readonly playing: boolean;
  readonly speed: number;
  readonly loop: boolean;
  /** goes along with the end of a run that is still computed */
  readonly follows: boolean;
}

export const restingClock: ClockState = {
  time: 0,
  from: 0,
  to: 0,
  playing: false,
  speed: 1,
  loop: false,
  follows: true,
};

const clamp = (clock: ClockState, time: number): number => Math.max(clock.from, Math.min(clock.to, time));

/** A new extent of what has been recorded. What follows the end moves with it. */
export function extended(clock: ClockState, from: number, to: number): ClockState {
  const next = { ...clock, from, to };
  return { ...next, time: clock.follows && !clock.playing ? to : clamp(next, clock.time) };
}

/** The user goes to a time. The end of a run is followed again where it is what was chosen. */
export function movedClock(clock: ClockState, time: number): ClockState {
  const at = clamp(clock, time);
  return { ...clock, time: at, follows: at >= clock.to };
}

/** Begins to play, from the start where the end had been reached. */
export function startedClock(clock: ClockState): ClockState {
  if (!(clock.to > clock.from)) return clock;
  return { ...clock, playing: true, follows: false, time: clock.time >= clock.to ? clock.from : clock.time };
}

export const stopped = (clock: ClockState): ClockState => ({ ...clock, playing: false });

/** So much time has passed, s. */
export function ticked(clock: ClockState, seconds: number): ClockState {
  if (!clock.playing) return clock;
  const time = clock.time + clock.speed * Math.min(seconds, LONGEST_TICK);
  if (time < clock.to) return { ...clock, time };
  if (!clock.loop) return { ...clock, time: clock.to, playing: false, follows: true };
  return { ...clock, time: clock.from + ((time - clock.from) % (clock.to - clock.from)) };
}
