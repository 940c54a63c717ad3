/** What general routines ask of a convex shape that stands somewhere. Directions and points are along the axes of the world. */
import type { FeaturePolygon } from './feature-polygon';

export interface PlacedConvex {
  /**
   * The point farthest along `sign` · direction; of several the one that comes first.
   * @param out takes three numbers at `at`
   * @returns its name
   */
  support(direction: Float64Array, sign: 1 | -1, out: Float64Array, at: number): number;
  /** The part of the surface that looks along `sign` · direction: a face when one nearly does, else an edge or generator, else a point. */
  feature(direction: Float64Array, sign: 1 | -1, out: FeaturePolygon): void;
  /** [0] length that its rounding is relative to, m */
  readonly extent: Float64Array;
}
