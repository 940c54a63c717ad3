/** What is seen of a plane of two signals, and what gestures make of it: pure. */
import type { DensityRectangle } from '@figures/density';
import type { PlaneRanges } from '@figures/plane';
import { part, resolvable } from '@figures/ranges';
import type { PlaneUnits } from '@views/shared/plane-chart';
import type { PlotPointer, RangeChange } from '../plot/plot-gestures';

/** Ranges in the units shown as a part of the plane in the units of the model. */
export const inModelUnits = ({ x, y }: PlaneRanges, units: PlaneUnits): DensityRectangle => ({
  xMin: x.min / units.x.factor,
  xMax: x.max / units.x.factor,
  yMin: y.min / units.y.factor,
  yMax: y.max / units.y.factor,
});

/** The values at a place, in the units of the ranges. */
export const valuesAt = ({ x, y }: PlaneRanges, at: PlotPointer): [number, number] => [
  x.min + at.x * (x.max - x.min),
  y.min + at.y * (y.max - y.min),
];

/** Rounding of a movement that leaves the length of an axis as it is. */
const SAME_LENGTH = 1e-9;

/**
 * The ranges after a gesture; null where they would be too narrow. What is drawn keeps its shape: the wheel,
 * which changes the horizontal axis alone, zooms both, about the pointer.
 * @param isBox whether the gesture is a box, which means both axes as they are
 */
export function planeAfter(
  { x, y }: PlaneRanges,
  { x: fx, y: fy }: RangeChange,
  pointer: PlotPointer | null,
  isBox: boolean,
): PlaneRanges | null {
  const factor = fx[1] - fx[0];
  const isWheel = !isBox && fy[0] === 0 && fy[1] === 1 && Math.abs(factor - 1) > SAME_LENGTH;
  const centre = pointer?.y ?? 0.5;
  const vertical = isWheel ? ([centre * (1 - factor), centre + (1 - centre) * factor] as const) : fy;
  const next = { x: part(x, fx[0], fx[1]), y: part(y, vertical[0], vertical[1]) };
  return resolvable(next.x) && resolvable(next.y) ? next : null;
}
