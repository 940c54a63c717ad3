/** What plots of one signal against another show of their plane: pure. */
import type { PlaneEnds, PlaneOptions } from '@engine/document/types';
import type { Range } from './ranges';
import { endsOnAxis, withEnds } from './vertical-axes';

export interface PlaneRanges {
  x: Range;
  y: Range;
}

/**
 * The ranges with the ends that a view gives.
 * @param factors a value of the model times it is the value shown
 */
export const fixedPlane = (
  { x, y }: PlaneRanges,
  { xRange = {}, yRange = {} }: PlaneEnds,
  factors: { x: number; y: number } = { x: 1, y: 1 },
): PlaneRanges => ({
  x: withEnds(x, endsOnAxis(xRange, false, factors.x)),
  y: withEnds(y, endsOnAxis(yRange, false, factors.y)),
});

const widened = (range: Range, width: number): Range => {
  const more = (width - (range.max - range.min)) / 2;
  return { min: range.min - more, max: range.max + more };
};

/**
 * The ranges in which a unit is equally long on both axes: the one that is drawn longer shows more.
 * @param pixels of the plotting area
 */
export function equalAspect({ x, y }: PlaneRanges, pixels: { width: number; height: number }): PlaneRanges {
  const { width, height } = pixels;
  if (width <= 0 || height <= 0) return { x, y };
  const unit = Math.max((x.max - x.min) / width, (y.max - y.min) / height);
  return { x: widened(x, unit * width), y: widened(y, unit * height) };
}

/** The range shown before any zoom. */
export function planeRanges(
  automatic: PlaneRanges,
  options: PlaneOptions,
  pixels: { width: number; height: number },
  factors?: { x: number; y: number },
): PlaneRanges {
  const fixed = fixedPlane(automatic, options, factors);
  return options.equalAspect === true ? equalAspect(fixed, pixels) : fixed;
}
