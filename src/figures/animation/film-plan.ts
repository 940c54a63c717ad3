/** The pictures of a film: at which times, how many, and their names. */

export interface FilmPlan {
  /** s */
  readonly from: number;
  readonly to: number;
  /** simulated seconds in a second of the film */
  readonly speed: number;
  /** pictures in a second of the film */
  readonly rate: number;
}

/**
 * An archive has room for fewer than 65 536 files; a minute at 60 pictures a second is a long film of this
 * kind.
 */
export const MOST_PICTURES = 3600;

/** How many pictures a film has: the first at its beginning, none behind its end. */
export function pictureCount({ from, to, speed, rate }: FilmPlan): number {
  // The end belongs to the film where it falls on a picture but for rounding.
  return Math.floor(((to - from) * rate) / speed + 1e-6) + 1;
}

/** Time of a picture, s. */
export const pictureTime = ({ from, to, speed, rate }: FilmPlan, index: number): number =>
  Math.min(to, from + (index * speed) / rate);

/** `frame-0001.png`, with as many digits as the last one needs. */
export const pictureName = (index: number, count: number): string =>
  `frame-${String(index + 1).padStart(Math.max(4, String(count).length), '0')}.png`;
