/** Planar joint: the bodies slide on each other in the plane of the first two axes of its frames. */
import { AxisAngle } from '../coordinates';
import type { JointEquations, SpatialJointDefinition, SpatialJointDescription } from './joint';
import type { SpatialMarker } from '../marker';
import { AxisOffset, AxisProduct } from '../rows';

export const definition: SpatialJointDefinition = {
  type: 'planar',
  title: 'Planar joint',
  summary:
    'A point of the second body stays in a plane of the first, and the body turns only about its normal.',
  rows: 3,
  coordinates: ['x', 'y', 'angle'],
  equations: ["c \\cdot (P_2 - P_1) = 0,\\quad c \\cdot a' = c \\cdot b' = 0"],
};

export interface PlanarDescription extends SpatialJointDescription {
  type: 'planar';
}

export function build(_: PlanarDescription, first: SpatialMarker, second: SpatialMarker): JointEquations {
  return {
    rows: [
      new AxisOffset(first, second, 2, 'c'),
      new AxisProduct(first, 2, second, 0, "c·a'"),
      new AxisProduct(first, 2, second, 1, "c·b'"),
    ],
    coordinates: [
      new AxisOffset(first, second, 0, 'x'),
      new AxisOffset(first, second, 1, 'y'),
      new AxisAngle(second, 0, first, 1, 0, 'angle'),
    ],
  };
}
