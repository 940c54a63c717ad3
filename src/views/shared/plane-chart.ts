/**
 * Charts in the plane of two quantities that several runs have points in: what portraits and sections share.
 * Pure.
 */
import type { ViewDocument } from '@engine/document/types';
import { type PlacedText, textsOfPlane } from '@figures/annotations';
import type { PlaneRanges } from '@figures/plane';
import { shownPlane, type ShownUnit } from '@figures/shown-units';
import type { PlaneAnnotation, PlaneOptions } from '@engine/document/types';
import { type Answers, axisOf, type Chart, type ChartLook, densityPicture, shownOf } from './chart';

/** Units of the axes. */
export interface PlaneUnits {
  readonly x: ShownUnit;
  readonly y: ShownUnit;
}

/** Points of a run, or a picture of their density where there are too many. */
export type PlaneResult =
  | { readonly kind: 'points'; readonly x: Float64Array; readonly y: Float64Array }
  | {
      readonly kind: 'density';
      readonly counts: Uint32Array;
      readonly width: number;
      readonly height: number;
    };

/** One without a second signal shows the first one against itself. */
export type PlaneView = ViewDocument & PlaneOptions & { readonly x: string; readonly y?: string };

export interface PlaneChart<V extends PlaneView, R extends PlaneResult> extends Chart<V, R> {
  /** ranges that show all of the results, in their units */
  ranges(results: readonly R[]): PlaneRanges;
  /** a result with its values times factors; itself where nothing changes */
  scaled(result: R, x: number, y: number): R;
  /** names of its axes, without units; the signals where it is absent */
  readonly axes?: (view: V) => { readonly x: string; readonly y: string };
}

export const planeUnits = (
  { x, y = x }: { readonly x: string; readonly y?: string },
  look: Pick<ChartLook, 'signals' | 'units'>,
): PlaneUnits => ({ x: shownOf(x, look), y: shownOf(y, look) });

/** A result and the picture of it, where it is a density. */
interface PlaneSet<R> {
  readonly result: R;
  readonly image: unknown;
}

export interface PlaneInput<R> extends Pick<ChartLook, 'theme' | 'width' | 'height' | 'x' | 'y' | 'runs'> {
  readonly xName: string;
  readonly yName: string;
  readonly current: PlaneSet<R> | null;
  readonly compared: readonly PlaneSet<R>[];
  readonly selected: R | null;
  readonly options: PlaneOptions;
  readonly texts: readonly PlacedText[];
}

/** What such a chart is drawn of: answers, ends and texts in the units that are shown. */
export function planeInput<V extends PlaneView, R extends PlaneResult>(
  { scaled, axes }: Pick<PlaneChart<V, R>, 'scaled' | 'axes'>,
  view: V,
  { current, compared, selected = null }: Answers<R>,
  look: ChartLook,
): PlaneInput<R> {
  const units = planeUnits(view, look);
  const [fx, fy] = [units.x.factor, units.y.factor];
  const { x = view.x, y = view.y ?? view.x } = axes?.(view) ?? {};
  const setOf = (result: R, behind: number | null): PlaneSet<R> => ({
    result: scaled(result, fx, fy),
    image: result.kind === 'density' ? densityPicture(result, behind, look) : null,
  });
  const annotations: PlaneAnnotation[] | undefined = view.annotations;
  return {
    xName: axisOf(x, units.x),
    yName: axisOf(y, units.y),
    current: current === null ? null : setOf(current, null),
    compared: compared.map(setOf),
    selected: selected === null ? null : scaled(selected, fx, fy),
    runs: look.runs,
    x: look.x,
    y: look.y,
    theme: look.theme,
    width: look.width,
    height: look.height,
    options: shownPlane<PlaneOptions>(view, fx, fy),
    texts: textsOfPlane(annotations, { x: fx, y: fy }),
  };
}
