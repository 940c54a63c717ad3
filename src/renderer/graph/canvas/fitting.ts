/** Where the view has to be so that rectangles fill it, clear of what lies over it. Pure. */
import { boundsOf, rectanglesOverlap, type Rectangle } from '../frames/rectangles';

export interface Size {
  readonly width: number;
  readonly height: number;
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

/** Room around what is fitted, px; tools lie over the upper edge. */
const TOP = 52;
const SIDE = 28;
/** Distance of the legend from the lower left corner, px. */
const CORNER = 8;
/** Room between the legend and what is fitted beside or above it, px. */
const GAP = 12;
const MOST_ZOOM = 1.15;
export const LEAST_ZOOM = 0.02;

/**
 * The view in which rectangles are as large as possible. Where one would lie under the legend, all of them
 * stand beside it or above it, whichever leaves them larger.
 * @param legend its size, in the lower left; null without one
 * @returns null where there is nothing to fit, or no room
 */
export function fitted(rectangles: readonly Rectangle[], size: Size, legend: Size | null): Place | null {
  const box = boundsOf(rectangles);
  if (size.width === 0 || size.height === 0 || rectangles.length === 0 || box.width === 0) return null;
  const within = (left: number, bottom: number): Place => {
    const room = { width: size.width - left - SIDE, height: size.height - TOP - bottom };
    const fitting = Math.min(room.width / box.width, room.height / box.height, MOST_ZOOM);
    const zoom = Math.max(LEAST_ZOOM, fitting);
    return {
      x: left + 0.5 * room.width - zoom * (box.x + 0.5 * box.width),
      y: TOP + 0.5 * room.height - zoom * (box.y + 0.5 * box.height),
      zoom,
    };
  };
  const whole = within(SIDE, SIDE);
  if (legend === null) return whole;
  const covered = { x: CORNER, y: size.height - CORNER - legend.height, ...legend };
  const { x, y, zoom } = whole;
  const isCovered = rectangles.some((one) =>
    rectanglesOverlap(covered, {
      x: one.x * zoom + x,
      y: one.y * zoom + y,
      width: one.width * zoom,
      height: one.height * zoom,
    }),
  );
  if (!isCovered) return whole;
  const beside = within(CORNER + legend.width + GAP, SIDE);
  const above = within(SIDE, CORNER + legend.height + GAP);
  return beside.zoom > above.zoom ? beside : above;
}
